/*
 * batch_write_item.c
 *		BatchWriteItem: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
 *
 * Everything that DynamoDB would refuse is found before anything is written.
 * What is left to run is one statement per table and kind.  If the database
 * refuses one of the items then (a constraint or trigger that was added to the
 * table), the request fails with that error and none of it is written.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "item/item.h"
#include "operation/batch_request.h"
#include "operation/batch_statement.h"
#include "operation/item_action.h"
#include "operation/key_lock.h"
#include "operation/operation.h"
#include "operation/response.h"
#include "operation/statement.h"
#include "tableam/tableam.h"

#define BATCH_MAX_WRITES 25
#define BATCH_MAX_BYTES	 (16 * 1024 * 1024)

/* ---- the request ---- */

static void
check_write_request(const cJSON *write, const char *table_name, int position, ConstraintFaults *faults)
{
	const cJSON *put = request_object(write, "PutRequest");
	const cJSON *delete = request_object(write, "DeleteRequest");

	if (delete != NULL && request_member(delete, "Key") == NULL)
		constraint_fault(faults, NULL,
						 psprintf("requestItems.%s.member.%d.member.deleteRequest.key", table_name, position),
						 "Member must not be null");
	if (put != NULL && request_member(put, "Item") == NULL)
		constraint_fault(faults, NULL,
						 psprintf("requestItems.%s.member.%d.member.putRequest.item", table_name, position),
						 "Member must not be null");
}

static void
check_table_requests(const cJSON *requests, ConstraintFaults *faults)
{
	const cJSON *write;
	int			count = cJSON_GetArraySize(requests);
	int			position = 0;

	if (count == 0)
		constraint_fault_text(faults,
							  psprintf("Value at 'requestItems.%s.member' failed to satisfy constraint: "
									   "Member must have length greater than or equal to 1", requests->string));
	if (count > BATCH_MAX_WRITES)
	{
		constraint_fault(faults, psprintf("{%s=[%d requests]}", requests->string, count), "requestItems",
						 "Map value must satisfy constraint: [Member must have length less than or equal to %d, "
						 "Member must have length greater than or equal to 1]", BATCH_MAX_WRITES);
		return;
	}
	cJSON_ArrayForEach(write, requests)
		check_write_request(write, requests->string, ++position, faults);
}

/* The number of writes. */
static int
check_requests(const cJSON *items, ConstraintFaults *faults)
{
	const cJSON *requests;
	int			count = 0;

	if (items == NULL)
		constraint_fault(faults, NULL, "requestItems", "Member must not be null");
	cJSON_ArrayForEach(requests, items)
	{
		batch_request_table_name(requests->string, faults);
		check_table_requests(requests, faults);
		count += cJSON_GetArraySize(requests);
	}
	constraint_raise(faults);

	if (count == 0)
		validation_error("The requestItems parameter is required for BatchWriteItem");
	if (count > BATCH_MAX_WRITES)
		validation_error("Too many items requested for the BatchWriteItem call");
	return count;
}

/* Bytes of the item or key. */
static int64
parse_write(const cJSON *write, char *table_name, ItemAction *action)
{
	const cJSON *put = request_object(write, "PutRequest");
	const cJSON *delete = request_object(write, "DeleteRequest");
	int64		size;

	if ((put == NULL) == (delete == NULL))
		validation_error("Supplied AttributeValue has more than one datatypes set, "
						 "must contain exactly one of the supported datatypes");
	action->table_name = table_name;
	action->kind = put ? ACTION_PUT : ACTION_DELETE;
	action->item = item_from_dynamodb_json(put ? request_member(put, "Item") : request_member(delete, "Key"));
	size = item_size(&action->item->root);
	if (put != NULL && size > ITEM_MAX_SIZE)
		validation_error("Item size has exceeded the maximum allowed size");
	action->new_item = put ? action->item : NULL;
	return size;
}

static void
parse_requests(const cJSON *items, ItemAction *actions)
{
	ConstraintFaults faults = {0};
	const cJSON *requests;
	const cJSON *write;
	int64		size = 0;
	int			position = 0;

	cJSON_ArrayForEach(requests, items)
	{
		char	   *table_name = batch_request_table_name(requests->string, &faults);

		cJSON_ArrayForEach(write, requests)
		{
			CHECK_FOR_INTERRUPTS();
			size += parse_write(write, table_name, &actions[position++]);
		}
	}
	if (size > BATCH_MAX_BYTES)
		validation_error("Item collection too large: aggregate size of items in BatchWriteItem exceeds 16MB limit");
}

/* ---- tables and keys ---- */

/* In a batch a key attribute of the wrong type is a mismatch like any other. */
static void
find_keys(ItemAction *action)
{
	const TableDescription *table = action->table;

	if (action->kind == ACTION_DELETE)
	{
		item_keys_of_key(table, &action->item->root, &action->keys);
		return;
	}
	for (int i = 0; i < table->attribute_count; i++)
	{
		const KeyAttribute *attribute = &table->attributes[i];
		JsonbValue	value;
		Datum		unused;

		if (!attribute->table_key)
			gate_column_value(table, attribute, &action->item->root, &unused);
		else if (attribute_get(&action->item->root, attribute->name, attribute->name_length, &value) &&
				 attribute_type(&value) != attribute->type)
			validation_error("The provided key element does not match the schema");
	}
	item_keys_of_item(table, &action->item->root, &action->keys);
}

static int *
open_tables(ItemAction *actions, int count)
{
	for (int i = 0; i < count; i++)
	{
		if (i > 0 && actions[i].table_name == actions[i - 1].table_name)
			actions[i].table = actions[i - 1].table;
		else
			actions[i].table = item_request_open_table(actions[i].table_name, RowExclusiveLock);
	}
	for (int i = 0; i < count; i++)
		find_keys(&actions[i]);
	return item_action_order(actions, count, "Provided list of item keys contains duplicates");
}

/* ---- writing ---- */

/* The writes of one table, in key order. */
typedef struct TableWrites
{
	TableDescription *table;
	MemoryContext context;		/* of the actions' items */
	int			count;
	ItemAction *actions[BATCH_MAX_WRITES];
	bool		has_puts;
	bool		has_deletes;
} TableWrites;

static bool
keep_old_item(int position, Jsonb *item, void *argument)
{
	TableWrites *writes = argument;
	ItemAction *action = writes->actions[position];

	action->old_item = MemoryContextAlloc(writes->context, VARSIZE(item));
	memcpy(action->old_item, item, VARSIZE(item));
	return true;
}

/* The keys (and items) of one kind, or of both; how many there are. */
static int
select_keys(const TableWrites *writes, bool puts, bool deletes, const KeyColumns **keys, Jsonb **items)
{
	int			count = 0;

	for (int i = 0; i < writes->count; i++)
	{
		const ItemAction *action = writes->actions[i];

		if (action->kind == ACTION_PUT ? !puts : !deletes)
			continue;
		keys[count] = &action->keys;
		items[count++] = action->item;
	}
	return count;
}

/*
 * Rows are locked in key order.  A statement that puts or deletes does so by
 * itself; with both kinds, or if the old items are wanted, the rows are locked
 * first.
 */
static void
write_table(TableWrites *writes, bool want_old)
{
	const KeyColumns *keys[BATCH_MAX_WRITES];
	Jsonb	   *items[BATCH_MAX_WRITES];
	int			count;

	if (want_old || (writes->has_puts && writes->has_deletes))
	{
		count = select_keys(writes, true, true, keys, items);
		batch_lock(writes->table, keys, count, keep_old_item, writes);
	}
	if (writes->has_deletes)
	{
		count = select_keys(writes, false, true, keys, items);
		batch_delete(writes->table, keys, count);
	}
	if (writes->has_puts)
	{
		count = select_keys(writes, true, false, keys, items);
		batch_put(writes->table, keys, items, count);
	}
}

/*
 * A single pass over the keys in their order locks rows in that order, also
 * those that others create meanwhile, so only creations lock their keys.  Two
 * passes do not: then all keys are locked as a transaction's are.
 */
static void
lock_keys(const ItemAction *actions, int count, bool two_passes)
{
	int			stripes[BATCH_MAX_WRITES];
	int			stripe_count = 0;

	for (int i = 0; i < count; i++)
	{
		if (two_passes || actions[i].kind == ACTION_PUT)
			stripes[stripe_count++] = key_lock_stripe(actions[i].table, &actions[i].keys);
	}
	if (two_passes)
		key_lock_transaction(stripes, stripe_count);
	else
		key_lock_creations(stripes, stripe_count);
}

/* The writes by table, in key order; returns how many tables there are. */
static int
group_writes(ItemAction *actions, const int *order, int count, TableWrites *tables)
{
	int			table_count = 0;

	for (int i = 0; i < count; i++)
	{
		ItemAction *action = &actions[order[i]];
		TableWrites *writes;

		if (table_count == 0 || tables[table_count - 1].table->root != action->table->root)
		{
			memset(&tables[table_count], 0, sizeof(TableWrites));
			tables[table_count].table = action->table;
			tables[table_count++].context = CurrentMemoryContext;
		}
		writes = &tables[table_count - 1];
		writes->actions[writes->count++] = action;
		if (action->kind == ACTION_PUT)
			writes->has_puts = true;
		else
			writes->has_deletes = true;
	}
	return table_count;
}

static void
write_all(ItemAction *actions, const int *order, int count, bool want_old)
{
	TableWrites tables[BATCH_MAX_WRITES];
	int			table_count = group_writes(actions, order, count, tables);
	bool		two_passes = want_old;

	for (int i = 0; i < table_count; i++)
	{
		if (tables[i].has_puts && tables[i].has_deletes)
			two_passes = true;
	}

	lock_keys(actions, count, two_passes);
	statement_begin();
	for (int i = 0; i < table_count; i++)
		write_table(&tables[i], want_old);
	statement_end();
}

void
batch_write_item(const cJSON *request, JsonWriter *response)
{
	ConstraintFaults faults = {0};
	ReturnCapacity capacity = item_request_return_capacity(request, &faults);
	bool		metrics = item_request_return_metrics(request, &faults);
	const cJSON *items = request_object(request, "RequestItems");
	int			count = check_requests(items, &faults);
	ItemAction *actions = palloc0(sizeof(ItemAction) * count);
	int		   *order;

	parse_requests(items, actions);
	order = open_tables(actions, count);
	write_all(actions, order, count, capacity != CAPACITY_NONE);

	response_open(response, NULL, '{');
	response_open(response, "UnprocessedItems", '{');
	response_close(response, '}');
	item_action_append_capacity(response, capacity, CAPACITY_UNITS_PLAIN, actions, count);
	if (metrics)
		item_action_append_metrics(response, actions, count);
	response_close(response, '}');
}

void
batch_write_unprocessed(const cJSON *request, JsonWriter *response)
{
	const cJSON *items = request_object(request, "RequestItems");
	const cJSON *requests;
	const cJSON *write;

	response_open(response, NULL, '{');
	response_open(response, "UnprocessedItems", '{');
	cJSON_ArrayForEach(requests, items)
	{
		response_open(response, requests->string, '[');
		cJSON_ArrayForEach(write, requests)
		{
			ItemAction	action = {0};

			parse_write(write, requests->string, &action);
			response_open(response, NULL, '{');
			response_open(response, action.kind == ACTION_PUT ? "PutRequest" : "DeleteRequest", '{');
			response_member(response, action.kind == ACTION_PUT ? "Item" : "Key");
			item_to_dynamodb_json(response, &action.item->root);
			response_close(response, '}');
			response_close(response, '}');
		}
		response_close(response, ']');
	}
	response_close(response, '}');
	response_close(response, '}');
}
