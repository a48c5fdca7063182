/*
 * get_item.c
 *		GetItem: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GetItem.html
 */
#include "postgres.h"

#include "item/item.h"
#include "item/key.h"
#include "operation/capacity.h"
#include "operation/operation.h"
#include "operation/read.h"
#include "operation/response.h"
#include "operation/statement.h"

static const char *const older_parameters[] = {"AttributesToGet", NULL};
static const char *const expression_parameters[] = {"ProjectionExpression", NULL};

static void
compose_get(StatementText *text, const TableDescription *table, void *argument)
{
	appendStringInfo(&text->sql, "SELECT item FROM %s WHERE %s OPERATOR(pg_catalog.=) ",
					 table->quoted, table->partition->quoted);
	statement_add_parameter(text, key_column_type(table->partition->type));
	if (table->sort != NULL)
	{
		appendStringInfo(&text->sql, " AND %s OPERATOR(pg_catalog.=) ", table->sort->quoted);
		statement_add_parameter(text, key_column_type(table->sort->type));
	}
}

Jsonb *
read_item_by_plan(SPIPlanPtr plan, const KeyColumns *keys)
{
	StatementItem found = {CurrentMemoryContext, NULL};

	statement_run(plan, keys->count, keys->values, statement_receive_item, &found);
	return found.item;
}

Jsonb *
read_item(TableDescription *table, const KeyColumns *keys)
{
	Jsonb	   *item;

	statement_begin();
	item = read_item_by_plan(statement_plan(table, STATEMENT_GET, 0, NULL, compose_get, NULL), keys);
	statement_end();
	return item;
}

Jsonb *
read_item_in_snapshot(TableDescription *table, const KeyColumns *keys)
{
	StatementItem found = {CurrentMemoryContext, NULL};

	statement_read(statement_plan(table, STATEMENT_GET, 0, NULL, compose_get, NULL),
				   keys->count, keys->values, statement_receive_item, &found);
	return found.item;
}

static Projection *
parse_projection(const cJSON *request)
{
	const char *expression = request_string(request, "ProjectionExpression");
	Projection *projection;
	Placeholders *placeholders;

	if (expression == NULL)
		return item_request_attributes_to_get(request);

	placeholders = placeholders_from_dynamodb_json(request_member(request, "ExpressionAttributeNames"),
												   NULL, true);
	projection = projection_parse(expression, placeholders);
	placeholders_check_used(placeholders);
	return projection;
}

void
get_item(const cJSON *request, JsonWriter *response)
{
	ConstraintFaults faults = {0};
	ReturnCapacity capacity = item_request_return_capacity(request, &faults);
	bool		consistent = request_bool(request, "ConsistentRead", false);
	Projection *projection;
	TableDescription *table;
	KeyColumns	keys;
	const cJSON *key;
	char	   *table_name;
	Jsonb	   *key_item;
	Jsonb	   *item;
	int64		bytes = 0;

	item_request_check_attributes_to_get(request, &faults);
	table_name = request_item_table_name(request, &faults);
	key = item_request_required(request, "Key", "key", &faults);
	constraint_raise(&faults);

	/* ExpressionAttributeValues is no member of this request */
	if (!item_request_check_mixed(request, older_parameters, expression_parameters))
		item_request_check_names_needed(request);
	key_item = item_from_dynamodb_json(key);
	projection = parse_projection(request);

	table = item_request_open_table(table_name, AccessShareLock);
	item_keys_of_key(table, &key_item->root, &keys);
	item_request_check_key_paths(table, NULL, projection, NULL);
	item = read_item(table, &keys);
	if (item != NULL && capacity != CAPACITY_NONE)
		bytes = item_size(&item->root);

	response_open(response, NULL, '{');
	if (item != NULL)
	{
		response_member(response, "Item");
		if (projection != NULL)
			projection_to_dynamodb_json(response, projection, &item->root);
		else
			item_to_dynamodb_json(response, &item->root);
	}
	capacity_append_read(response, capacity, table, NULL,
						 capacity_of_read(bytes, consistent), 0);
	response_close(response, '}');
}
