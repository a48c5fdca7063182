/*
 * describe_table.c
 *		DescribeTable.
 */
#include "postgres.h"

#include "index/index_build.h"
#include "index/index_worker.h"
#include "operation/response.h"
#include "operation/table_description.h"

void
describe_table(const cJSON *request, JsonWriter *response)
{
	ConstraintFaults faults = {0};
	char	   *name = request_table_name(request, &faults);
	ItemTable  *table;

	constraint_raise(&faults);
	table = item_table_open(name, AccessShareLock);
	if (table == NULL)
		table_not_found(name);

	response_open(response, NULL, '{');
	response_member(response, "Table");
	table_description_append(response, table, DESCRIPTION_PRESENT);
	response_close(response, '}');
	/* a build that lost its worker: the server was restarted, or had none free */
	if (index_builds_unfinished(table->builds))
		index_worker_resume(table->row.relation);
	item_table_close(table);
}
