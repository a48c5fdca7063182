/*
 * transact_write_items.c
 *		TransactWriteItems: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "item/item.h"
#include "operation/capacity.h"
#include "operation/idempotency_token.h"
#include "operation/operation.h"
#include "operation/response.h"
#include "operation/transaction.h"

/* The members of a TransactWriteItem, in the order of ActionKind. */
static const struct
{
	const char *name;
	const char *path;			/* as messages spell it */
	const char *item;			/* what holds the item or key */
	const char *expression;		/* that must not be missing, or NULL */
}			action_kinds[] = {
	{"ConditionCheck", "conditionCheck", "Key", "ConditionExpression"},
	{"Put", "put", "Item", NULL},
	{"Update", "update", "Key", "UpdateExpression"},
	{"Delete", "delete", "Key", NULL},
};

/* ---- the request's shape ---- */

static void
require_member(const cJSON *body, const char *name, int position, int kind, ConstraintFaults *faults)
{
	char	   *member;

	if (request_member(body, name) != NULL)
		return;
	member = psprintf("transactItems.%d.member.%s.%c%s", position, action_kinds[kind].path,
					  pg_ascii_tolower((unsigned char) name[0]), name + 1);
	constraint_fault(faults, NULL, member, "Member must not be null");
}

/* The action's kind and its body; an element has exactly one. */
static const cJSON *
action_body(const cJSON *element, ActionKind *kind)
{
	const cJSON *body = NULL;

	for (int i = 0; i < lengthof(action_kinds); i++)
	{
		const cJSON *member = request_object(element, action_kinds[i].name);

		if (member == NULL)
			continue;
		if (body != NULL)
			validation_error("TransactItems can only contain one of Check, Put, Update or Delete");
		body = member;
		*kind = i;
	}
	return body;
}

static void
check_bodies(const cJSON *element, int position, ConstraintFaults *faults)
{
	for (int kind = 0; kind < lengthof(action_kinds); kind++)
	{
		const cJSON *body = request_object(element, action_kinds[kind].name);

		if (body == NULL)
			continue;
		require_member(body, action_kinds[kind].item, position, kind, faults);
		if (action_kinds[kind].expression != NULL)
			require_member(body, action_kinds[kind].expression, position, kind, faults);
		require_member(body, "TableName", position, kind, faults);
		if (request_member(body, "TableName") != NULL)
			request_item_table_name(body, faults);
		item_request_return_failed_item(body, faults);
	}
}

static void
check_actions(const cJSON *items, ConstraintFaults *faults)
{
	const cJSON *element;
	int			position = 0;

	if (!transaction_check_items(items, faults))
		return;
	cJSON_ArrayForEach(element, items)
		check_bodies(element, ++position, faults);
}

static const char *
client_request_token(const cJSON *request, ConstraintFaults *faults)
{
	const char *token = request_string(request, "ClientRequestToken");

	if (token == NULL)
		return NULL;
	if (*token == '\0')
		constraint_fault(faults, token, "clientRequestToken", "Member must have length greater than or equal to 1");
	if (pg_mbstrlen(token) > TOKEN_MAX_LENGTH)
		constraint_fault(faults, token, "clientRequestToken", "Member must have length less than or equal to %d",
						 TOKEN_MAX_LENGTH);
	return token;
}

/* ---- actions ---- */

/* The update is read before the condition, unlike in UpdateItem. */
static void
parse_expressions(const cJSON *body, ItemAction *action)
{
	const char *update = action->kind == ACTION_UPDATE ? request_string(body, "UpdateExpression") : NULL;
	const char *condition = request_string(body, "ConditionExpression");
	Placeholders *placeholders;

	/* placeholders by themselves are let through here */
	if (update == NULL && condition == NULL)
		return;
	placeholders = item_request_placeholders(body);
	if (update != NULL)
		action->update = update_parse(update, placeholders);
	if (condition != NULL)
		action->condition = condition_parse(CONDITION_EXPRESSION, condition, placeholders);
	placeholders_check_used(placeholders);
}

/* Bytes of the strings below a value: what expression values bring with them. */
static int64
string_bytes(const cJSON *value)
{
	const cJSON *child;
	int64		bytes = cJSON_IsString(value) ? strlen(value->valuestring) : 0;

	check_stack_depth();
	if (cJSON_IsObject(value) || cJSON_IsArray(value))
	{
		cJSON_ArrayForEach(child, value)
			bytes += string_bytes(child);
	}
	return bytes;
}

static int64
parse_action(const cJSON *element, ItemAction *action)
{
	ConstraintFaults faults = {0};
	const cJSON *body = action_body(element, &action->kind);
	const cJSON *values;
	int64		size;

	if (body == NULL)
		validation_error("Invalid Request: TransactWriteRequest should contain Delete or Put or Update request");

	action->table_name = request_item_table_name(body, &faults);
	action->want_failed = item_request_return_failed_item(body, &faults);
	action->item = item_from_dynamodb_json(request_member(body, action_kinds[action->kind].item));
	size = item_size(&action->item->root);
	if (action->kind == ACTION_PUT && size > ITEM_MAX_SIZE)
		validation_error("Item size has exceeded the maximum allowed size");
	parse_expressions(body, action);

	values = request_object(body, "ExpressionAttributeValues");
	return size + (values ? string_bytes(values) : 0);
}

static void
parse_actions(const cJSON *items, ItemAction *actions)
{
	const cJSON *element;
	int64		size = 0;
	int			position = 0;

	cJSON_ArrayForEach(element, items)
	{
		CHECK_FOR_INTERRUPTS();
		size += parse_action(element, &actions[position++]);
	}
	if (size > TRANSACTION_MAX_BYTES)
		validation_error("Transaction payload size cannot exceed 4MB. Payload Size: " INT64_FORMAT, size);
}

/* ---- repetitions ---- */

static int64
image_size(const Jsonb *item)
{
	return item ? item_size(&((Jsonb *) item)->root) : 0;
}

/* What a repetition is charged for each action: a read of the larger image. */
static int *
read_units_of(const ItemAction *actions, int count)
{
	int		   *units = palloc(sizeof(int) * count);

	for (int i = 0; i < count; i++)
		units[i] = (int) capacity_of_read(Max(image_size(actions[i].old_item),
											  image_size(actions[i].new_item)), true);
	return units;
}

static void
answer_repetition(JsonWriter *response, ReturnCapacity capacity, const ItemAction *actions,
				  const int *units, int count)
{
	double	   *reads = palloc(sizeof(double) * count);

	for (int i = 0; i < count; i++)
		reads[i] = units[i];
	item_action_append_read_capacity(response, capacity, CAPACITY_UNITS_READ, actions, reads, count);
}

/* ---- the operation ---- */

static void
run_actions(ItemAction *actions, const int *order, int count, const char *token_text,
			const cJSON *items, ReturnCapacity capacity, bool metrics, JsonWriter *response)
{
	IdempotencyToken token;
	int		   *read_units;

	if (token_text != NULL &&
		!token_take(&token, "TransactWriteItems", token_text, items, count, &read_units))
	{
		answer_repetition(response, capacity, actions, read_units, count);
		return;
	}

	transaction_run(actions, order, count, capacity != CAPACITY_NONE);
	if (token_text != NULL)
		token_complete(&token, read_units_of(actions, count), count);

	item_action_append_capacity(response, capacity, CAPACITY_UNITS_WRITE, actions, count);
	if (metrics)
		item_action_append_metrics(response, actions, count);
}

void
transact_write_items(const cJSON *request, JsonWriter *response)
{
	ConstraintFaults faults = {0};
	const cJSON *items = request_array(request, "TransactItems");
	ReturnCapacity capacity = item_request_return_capacity(request, &faults);
	bool		metrics = item_request_return_metrics(request, &faults);
	const char *token = client_request_token(request, &faults);
	ItemAction *actions;
	int		   *order;
	int			count;

	check_actions(items, &faults);
	constraint_raise(&faults);

	count = cJSON_GetArraySize(items);
	actions = palloc0(sizeof(ItemAction) * count);
	parse_actions(items, actions);
	order = transaction_open(actions, count);

	response_open(response, NULL, '{');
	run_actions(actions, order, count, token, items, capacity, metrics, response);
	response_close(response, '}');
}
