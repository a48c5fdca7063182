/*
 * put_item.c
 *		PutItem: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutItem.html
 */
#include "postgres.h"

#include "operation/operation.h"
#include "operation/put_or_delete.h"

void
put_item(const cJSON *request, JsonWriter *response)
{
	put_or_delete(WRITE_PUT, request, response);
}
