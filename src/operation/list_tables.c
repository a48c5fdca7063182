/*
 * list_tables.c
 *		ListTables.
 */
#include "postgres.h"

#include "catalog/namespace.h"

#include "catalog/rows.h"
#include "guc.h"
#include "operation/constraint.h"
#include "operation/response.h"

#define LIST_LIMIT_MAX 100

static int
compare_names(const ListCell *a, const ListCell *b)
{
	return strcmp(lfirst(a), lfirst(b));
}

/*
 * The names of the schema's tables in byte order; none if the schema does not
 * exist.
 */
static List *
sorted_table_names(void)
{
	Oid			schema = get_namespace_oid(dynamo_schema, true);
	List	   *names = OidIsValid(schema) ? catalog_table_names(schema) : NIL;

	list_sort(names, compare_names);
	return names;
}

void
list_tables(const cJSON *request, JsonWriter *response)
{
	ConstraintFaults faults = {0};
	const char *start = request_string(request, "ExclusiveStartTableName");
	const char *last = NULL;
	int64		limit = LIST_LIMIT_MAX;
	int64		listed = 0;
	bool		more = false;
	ListCell   *cell;

	if (start != NULL)
		constraint_name(&faults, start, "exclusiveStartTableName");
	constraint_range(&faults, request, "Limit", "limit", 1, LIST_LIMIT_MAX);
	constraint_raise(&faults);
	request_integer(request, "Limit", &limit);

	response_open(response, NULL, '{');
	response_open(response, "TableNames", '[');
	foreach(cell, sorted_table_names())
	{
		const char *name = lfirst(cell);

		if (start != NULL && strcmp(name, start) <= 0)
			continue;
		more = listed == limit;
		if (more)
			break;
		response_string(response, NULL, name);
		last = name;
		listed++;
	}
	response_close(response, ']');
	if (more)
		response_string(response, "LastEvaluatedTableName", last);
	response_close(response, '}');
}
