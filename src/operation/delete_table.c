/*
 * delete_table.c
 *		DeleteTable.
 */
#include "postgres.h"

#include "executor/spi.h"
#include "utils/builtins.h"

#include "catalog/rows.h"
#include "operation/response.h"
#include "operation/table_description.h"

/*
 * DROP TABLE with the caller's rights.  The name is the description's, of a
 * relation that is locked, so that it still is what was described.
 */
static void
drop_relation(const char *quoted_name)
{
	int			result;

	SPI_connect();
	result = SPI_execute(psprintf("DROP TABLE %s", quoted_name), false, 0);
	if (result != SPI_OK_UTILITY)
		elog(ERROR, "DROP TABLE gave %s", SPI_result_code_string(result));
	SPI_finish();
}

void
delete_table(const cJSON *request, JsonWriter *response)
{
	ConstraintFaults faults = {0};
	char	   *name = request_table_name(request, &faults);
	ItemTable  *table;
	char	   *quoted_name;
	Oid			relid;

	constraint_raise(&faults);
	table = item_table_open_owned(name, AccessExclusiveLock, "DeleteTable");
	if (table == NULL)
		table_not_found(name);
	if (table->settings.deletion_protection)
		validation_error("Resource cannot be deleted as it is currently protected against deletion. "
						 "Disable deletion protection first.");

	response_open(response, NULL, '{');
	response_member(response, "TableDescription");
	table_description_append(response, table, DESCRIPTION_DELETED);
	response_close(response, '}');

	quoted_name = pstrdup(table->description->quoted);
	relid = table->row.relation;
	item_table_close(table);
	drop_relation(quoted_name);
	catalog_forget(relid);		/* whatever event triggers there are */
}
