/*
 * transact_get_items.c
 *		TransactGetItems: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactGetItems.html
 */
#include "postgres.h"

#include "access/xact.h"
#include "miscadmin.h"
#include "utils/snapmgr.h"

#include "item/item.h"
#include "operation/capacity.h"
#include "operation/operation.h"
#include "operation/read.h"
#include "operation/response.h"
#include "operation/transaction.h"

/* ---- the request ---- */

static void
check_gets(const cJSON *items, ConstraintFaults *faults)
{
	static const char *const required[] = {"Key", "key", "TableName", "tableName"};
	const cJSON *element;
	int			position = 0;

	if (!transaction_check_items(items, faults))
		return;

	cJSON_ArrayForEach(element, items)
	{
		const cJSON *get = request_object(element, "Get");

		position++;
		if (get == NULL)
		{
			constraint_fault(faults, NULL, psprintf("transactItems.%d.member.get", position),
							 "Member must not be null");
			continue;
		}
		for (int i = 0; i < lengthof(required); i += 2)
		{
			if (request_member(get, required[i]) == NULL)
				constraint_fault(faults, NULL,
								 psprintf("transactItems.%d.member.get.%s", position, required[i + 1]),
								 "Member must not be null");
		}
		if (request_member(get, "TableName") != NULL)
			request_item_table_name(get, faults);
	}
}

/* Names without an expression are let through here, as in TransactWriteItems. */
static Projection *
parse_projection(const cJSON *get)
{
	const char *expression = request_string(get, "ProjectionExpression");
	Placeholders *placeholders;
	Projection *projection;

	if (expression == NULL)
		return NULL;
	placeholders = item_request_placeholders(get);
	projection = projection_parse(expression, placeholders);
	placeholders_check_used(placeholders);
	return projection;
}

static void
parse_gets(const cJSON *items, ItemAction *actions, Projection **projections)
{
	ConstraintFaults faults = {0};
	const cJSON *element;
	int			position = 0;

	cJSON_ArrayForEach(element, items)
	{
		const cJSON *get = request_object(element, "Get");

		CHECK_FOR_INTERRUPTS();
		actions[position].kind = ACTION_CHECK;
		actions[position].table_name = request_item_table_name(get, &faults);
		actions[position].item = item_from_dynamodb_json(request_member(get, "Key"));
		projections[position] = parse_projection(get);
		position++;
	}
}

/* ---- the operation ---- */

/* All items as they were at one moment, between the commits of others. */
static void
read_items(ItemAction *actions, int count)
{
	CommandCounterIncrement();
	PushActiveSnapshot(GetTransactionSnapshot());
	statement_begin();
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		actions[i].old_item = read_item_in_snapshot(actions[i].table, &actions[i].keys);
	}
	statement_end();
	PopActiveSnapshot();
}

/* Nothing for an item that is not there, nor for one of which the projection selects nothing. */
static void
append_response(JsonWriter *response, const Jsonb *item, const Projection *projection)
{
	JsonbContainer *root = item ? &((Jsonb *) item)->root : NULL;

	if (root != NULL && projection != NULL)
	{
		Jsonb	   *projected = projection_apply(projection, root);

		root = JB_ROOT_COUNT(projected) > 0 ? &projected->root : NULL;
	}
	response_open(response, NULL, '{');
	if (root != NULL)
	{
		response_member(response, "Item");
		item_to_dynamodb_json(response, root);
	}
	response_close(response, '}');
}

void
transact_get_items(const cJSON *request, JsonWriter *response)
{
	ConstraintFaults faults = {0};
	const cJSON *items = request_array(request, "TransactItems");
	ReturnCapacity capacity = item_request_return_capacity(request, &faults);
	ItemAction *actions;
	Projection **projections;
	double	   *units;
	int			count;

	check_gets(items, &faults);
	constraint_raise(&faults);

	count = cJSON_GetArraySize(items);
	actions = palloc0(sizeof(ItemAction) * count);
	projections = palloc0(sizeof(Projection *) * count);
	units = palloc0(sizeof(double) * count);
	parse_gets(items, actions, projections);
	transaction_open_for_reading(actions, count);
	for (int i = 0; i < count; i++)
		item_request_check_key_paths(actions[i].table, NULL, projections[i], NULL);
	read_items(actions, count);

	response_open(response, NULL, '{');
	response_open(response, "Responses", '[');
	for (int i = 0; i < count; i++)
	{
		append_response(response, actions[i].old_item, projections[i]);
		units[i] = capacity_of_read(actions[i].old_item ? item_size(&actions[i].old_item->root) : 0, true);
	}
	response_close(response, ']');
	item_action_append_read_capacity(response, capacity, CAPACITY_UNITS_READ, actions, units, count);
	response_close(response, '}');
}
