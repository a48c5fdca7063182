/*
 * explain.c
 *		dynamo.explain(): how a request would be served.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"

#include "item/item.h"
#include "item/json_tree.h"
#include "operation/operation.h"
#include "operation/page.h"
#include "operation/response.h"

static void
append_names(JsonWriter *out, const char *member, List *names)
{
	ListCell   *cell;

	response_open(out, member, '[');
	foreach(cell, names)
		response_string(out, NULL, lfirst(cell));
	response_close(out, ']');
}

static void
append_access(JsonWriter *out, const TableDescription *table, const IndexDescription *index)
{
	response_string(out, "Table", table->name);
	response_string(out, "Relation", table->quoted);
	if (index != NULL)
		response_string(out, "Index", index->name);
	response_string(out, "ServedBy", index != NULL ? index->relation_name : "primary key");
}

/* "SongTitle" >=, <: the columns that decide where the index is read. */
static List *
bounding_columns(const PageSpec *spec)
{
	List	   *columns = NIL;

	for (int i = 0; i < spec->column_count; i++)
	{
		const PageColumn *column = &spec->columns[i];
		StringInfoData text;

		if (!column->equal && !column->has_lower && !column->has_upper)
			continue;
		initStringInfo(&text);
		appendStringInfo(&text, "%s ", column->attribute->quoted);
		if (column->equal)
			appendStringInfoChar(&text, '=');
		if (column->has_lower)
			appendStringInfoString(&text, column->lower_inclusive ? ">=" : ">");
		if (column->has_upper)
			appendStringInfo(&text, "%s%s", column->has_lower ? " and " : "",
							 column->upper_inclusive ? "<=" : "<");
		columns = lappend(columns, text.data);
	}
	return columns;
}

static void
explain_page(JsonWriter *out, const PageSpec *spec)
{
	append_access(out, spec->table, spec->index);
	append_names(out, "BoundedBy", bounding_columns(spec));
	append_names(out, "FilteredAfterwards", spec->filter ? condition_attributes(spec->filter) : NIL);
	response_string(out, "Order", spec->backward ? "backward" : "forward");

	statement_begin();
	response_string(out, "Statement", statement_sql(page_plan(spec)));
	statement_end();
}

/* Operations on one item go by its primary key. */
static void
explain_item(JsonWriter *out, const cJSON *request)
{
	TableDescription *table = item_request_open_table(item_request_table_name(request), AccessShareLock);
	List	   *columns = list_make1(psprintf("%s =", table->partition->quoted));
	const char *condition = request_string(request, "ConditionExpression");
	List	   *filtered = NIL;

	if (table->sort != NULL)
		columns = lappend(columns, psprintf("%s =", table->sort->quoted));
	if (condition != NULL)
		filtered = condition_attributes(condition_parse(CONDITION_EXPRESSION, condition,
														item_request_placeholders(request)));
	append_access(out, table, NULL);
	append_names(out, "BoundedBy", columns);
	append_names(out, "FilteredAfterwards", filtered);
}

static bool
is_item_operation(const char *name)
{
	static const char *const names[] = {"GetItem", "PutItem", "UpdateItem", "DeleteItem"};

	for (int i = 0; i < lengthof(names); i++)
	{
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

/*
 * dynamo.explain(operation text, request jsonb) returns jsonb
 */
PG_FUNCTION_INFO_V1(dynamo_explain);
Datum
dynamo_explain(PG_FUNCTION_ARGS)
{
	char	   *name = text_to_cstring(PG_GETARG_TEXT_PP(0));
	cJSON	   *request = json_tree_from_jsonb(PG_GETARG_JSONB_P(1));
	JsonWriter	out;
	PageRequest page;
	PageSpec	spec;

	errors_set_validation_form(VALIDATION_FORM_OLDER);
	request_check_shape(name, request);
	json_writer_begin_jsonb(&out);
	response_open(&out, NULL, '{');
	response_string(&out, "Operation", name);

	if (strcmp(name, "Query") == 0)
	{
		KeyCondition *bounds = query_parse(request, &page);

		query_open(&page, bounds, &spec);
		explain_page(&out, &spec);
	}
	else if (strcmp(name, "Scan") == 0)
	{
		scan_open(request, &page, &spec);
		explain_page(&out, &spec);
	}
	else if (is_item_operation(name))
		explain_item(&out, request);
	else
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("there is nothing to explain about operation \"%s\"", name),
				 errhint("GetItem, PutItem, UpdateItem, DeleteItem, Query and Scan read or write items by a key.")));

	response_close(&out, '}');
	PG_RETURN_JSONB_P(json_writer_jsonb(&out));
}
