/*
 * delete_item.c
 *		DeleteItem: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteItem.html
 */
#include "postgres.h"

#include "operation/operation.h"
#include "operation/put_or_delete.h"

void
delete_item(const cJSON *request, JsonWriter *response)
{
	put_or_delete(WRITE_DELETE, request, response);
}
