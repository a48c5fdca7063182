/*
 * batch_get_item.c
 *		BatchGetItem: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
 */
#include "postgres.h"

#include "miscadmin.h"

#include "item/item.h"
#include "operation/batch_request.h"
#include "operation/batch_statement.h"
#include "operation/capacity.h"
#include "operation/item_request.h"
#include "operation/operation.h"
#include "operation/response.h"
#include "operation/statement.h"

#define BATCH_MAX_KEYS		100
#define BATCH_RESPONSE_BYTES (16 * 1024 * 1024)

/* The part of a request that concerns one table. */
typedef struct TableGets
{
	const cJSON *request;		/* KeysAndAttributes */
	const char *given_name;
	char	   *table_name;
	int			count;
	Jsonb	  **keys;
	KeyColumns *columns;
	bool	   *done;
	Projection *projection;
	bool		consistent;
	TableDescription *table;
	TableCapacity capacity;
} TableGets;

typedef struct BatchGets
{
	int			table_count;
	TableGets  *tables;
	int64		bytes;			/* of the items so far */
	bool		full;
	JsonWriter *response;
	TableGets  *current;
} BatchGets;

/* ---- the request ---- */

static void
check_table_gets(const cJSON *gets, ConstraintFaults *faults)
{
	const cJSON *keys = request_array(gets, "Keys");
	int			count = cJSON_GetArraySize(keys);

	item_request_check_attributes_to_get(gets, faults);
	if (keys == NULL)
		constraint_fault(faults, NULL, psprintf("requestItems.%s.member.keys", gets->string),
						 "Member must not be null");
	else if (count == 0)
		constraint_fault_text(faults,
							  psprintf("Value at 'RequestItems.%s.member.Keys' failed to satisfy constraint: "
									   "Member must have length greater than or equal to 1", gets->string));
	else if (count > BATCH_MAX_KEYS)
		constraint_fault_text(faults,
							  psprintf("Value at 'RequestItems.%s.member.Keys' failed to satisfy constraint: "
									   "Member must have length less than or equal to %d",
									   gets->string, BATCH_MAX_KEYS));
}

static void
check_requests(const cJSON *items, ConstraintFaults *faults)
{
	const cJSON *gets;
	int			count = 0;

	if (items == NULL)
		constraint_fault(faults, NULL, "requestItems", "Member must not be null");
	cJSON_ArrayForEach(gets, items)
	{
		batch_request_table_name(gets->string, faults);
		check_table_gets(gets, faults);
		count += cJSON_GetArraySize(request_array(gets, "Keys"));
	}
	constraint_raise(faults);

	if (count == 0)
		validation_error("The requestItems parameter is required for BatchGetItem");
	if (count > BATCH_MAX_KEYS)
		validation_error("Too many items requested for the BatchGetItem call");
}

/* Also parameters of two tables must not be of two kinds. */
static void
check_kinds(const cJSON *items)
{
	const cJSON *gets;
	bool		older = false;
	bool		expressions = false;

	cJSON_ArrayForEach(gets, items)
	{
		older = older || request_member(gets, "AttributesToGet") != NULL;
		expressions = expressions || request_member(gets, "ProjectionExpression") != NULL;
	}
	if (older && expressions)
		request_error("Can not use both expression and non-expression parameters in the same request: "
					  "Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}");
}

static Projection *
parse_projection(const cJSON *gets)
{
	const char *expression = request_string(gets, "ProjectionExpression");
	Placeholders *placeholders;
	Projection *projection;

	if (expression == NULL)
	{
		if (request_member(gets, "ExpressionAttributeNames") != NULL)
			request_error("ExpressionAttributeNames can only be specified when using expressions");
		return item_request_attributes_to_get(gets);
	}
	placeholders = item_request_placeholders(gets);
	projection = projection_parse(expression, placeholders);
	placeholders_check_used(placeholders);
	return projection;
}

static int
compare_keys(const void *a, const void *b)
{
	const Jsonb *left = *(Jsonb *const *) a;
	const Jsonb *right = *(Jsonb *const *) b;

	if (VARSIZE(left) != VARSIZE(right))
		return VARSIZE(left) < VARSIZE(right) ? -1 : 1;
	return memcmp(left, right, VARSIZE(left));
}

/* Items in stored form are equal if their bytes are: numbers are normal, members sorted. */
static void
refuse_duplicates(const TableGets *gets)
{
	Jsonb	  **sorted = palloc(sizeof(Jsonb *) * gets->count);

	memcpy(sorted, gets->keys, sizeof(Jsonb *) * gets->count);
	qsort(sorted, gets->count, sizeof(Jsonb *), compare_keys);
	for (int i = 1; i < gets->count; i++)
	{
		if (compare_keys(&sorted[i - 1], &sorted[i]) == 0)
			validation_error("Provided list of item keys contains duplicates");
	}
	pfree(sorted);
}

static void
parse_table_gets(const cJSON *request, TableGets *gets)
{
	ConstraintFaults faults = {0};
	const cJSON *keys = request_array(request, "Keys");
	const cJSON *key;

	gets->request = request;
	gets->given_name = request->string;
	gets->table_name = batch_request_table_name(request->string, &faults);
	gets->consistent = request_bool(request, "ConsistentRead", false);
	gets->projection = parse_projection(request);
	gets->keys = palloc(sizeof(Jsonb *) * cJSON_GetArraySize(keys));
	cJSON_ArrayForEach(key, keys)
	{
		CHECK_FOR_INTERRUPTS();
		gets->keys[gets->count++] = item_from_dynamodb_json(key);
	}
	refuse_duplicates(gets);
}

static void
open_table(TableGets *gets)
{
	gets->table = item_request_open_table(gets->table_name, AccessShareLock);
	gets->capacity.table = gets->table;
	gets->done = palloc0(sizeof(bool) * gets->count);
	gets->columns = palloc(sizeof(KeyColumns) * gets->count);
	for (int i = 0; i < gets->count; i++)
		item_keys_of_key(gets->table, &gets->keys[i]->root, &gets->columns[i]);
	item_request_check_key_paths(gets->table, NULL, gets->projection, NULL);
}

/* ---- reading ---- */

/* An item that goes beyond the limit stays for the next request. */
static bool
receive_item(int position, Jsonb *item, void *argument)
{
	BatchGets  *batch = argument;
	TableGets  *gets = batch->current;
	int64		size = item_size(&item->root);

	if (batch->bytes > 0 && batch->bytes + size > BATCH_RESPONSE_BYTES)
	{
		batch->full = true;
		return false;
	}
	batch->bytes += size;
	gets->done[position] = true;
	gets->capacity.table_units += capacity_of_read(size, gets->consistent);

	if (gets->projection != NULL)
		projection_to_dynamodb_json(batch->response, gets->projection, &item->root);
	else
		item_to_dynamodb_json(batch->response, &item->root);
	return true;
}

/* Unless reading was cut short, a key that found nothing is done as well. */
static void
read_table(BatchGets *batch, TableGets *gets)
{
	const KeyColumns **keys = palloc(sizeof(KeyColumns *) * gets->count);

	for (int i = 0; i < gets->count; i++)
		keys[i] = &gets->columns[i];

	batch->current = gets;
	response_open(batch->response, gets->given_name, '[');
	if (!batch->full)
		batch_read(gets->table, keys, gets->count, receive_item, batch);
	response_close(batch->response, ']');

	for (int i = 0; !batch->full && i < gets->count; i++)
	{
		if (gets->done[i])
			continue;
		gets->done[i] = true;
		gets->capacity.table_units += capacity_of_read(0, gets->consistent);
	}
	pfree(keys);
}

/* ---- the answer ---- */

/* The parameters of the table's part, as they were given. */
static void
append_parameters(JsonWriter *response, const TableGets *gets)
{
	const char *expression = request_string(gets->request, "ProjectionExpression");
	const cJSON *names = request_object(gets->request, "ExpressionAttributeNames");
	const cJSON *attributes = request_array(gets->request, "AttributesToGet");
	const cJSON *member;

	if (request_member(gets->request, "ConsistentRead") != NULL)
		response_bool(response, "ConsistentRead", gets->consistent);
	if (expression != NULL)
		response_string(response, "ProjectionExpression", expression);
	if (names != NULL)
	{
		response_open(response, "ExpressionAttributeNames", '{');
		cJSON_ArrayForEach(member, names)
			response_string(response, member->string, member->valuestring);
		response_close(response, '}');
	}
	if (attributes != NULL)
	{
		response_open(response, "AttributesToGet", '[');
		cJSON_ArrayForEach(member, attributes)
			response_string(response, NULL, member->valuestring);
		response_close(response, ']');
	}
}

static void
append_unprocessed(JsonWriter *response, const TableGets *gets)
{
	bool		any = false;

	for (int i = 0; i < gets->count; i++)
	{
		if (gets->done[i])
			continue;
		if (!any)
		{
			response_open(response, gets->given_name, '{');
			response_open(response, "Keys", '[');
		}
		any = true;
		item_to_dynamodb_json(response, &gets->keys[i]->root);
	}
	if (!any)
		return;
	response_close(response, ']');
	append_parameters(response, gets);
	response_close(response, '}');
}

static void
append_capacity(const BatchGets *batch, ReturnCapacity wanted)
{
	if (wanted == CAPACITY_NONE)
		return;
	response_open(batch->response, "ConsumedCapacity", '[');
	for (int i = 0; i < batch->table_count; i++)
		capacity_append_table(batch->response, wanted, CAPACITY_UNITS_PLAIN, &batch->tables[i].capacity);
	response_close(batch->response, ']');
}

void
batch_get_item(const cJSON *request, JsonWriter *response)
{
	ConstraintFaults faults = {0};
	ReturnCapacity capacity = item_request_return_capacity(request, &faults);
	const cJSON *items = request_object(request, "RequestItems");
	BatchGets	batch = {.response = response};
	const cJSON *gets;

	check_requests(items, &faults);
	check_kinds(items);
	batch.tables = palloc0(sizeof(TableGets) * cJSON_GetArraySize(items));
	cJSON_ArrayForEach(gets, items)
		parse_table_gets(gets, &batch.tables[batch.table_count++]);
	for (int i = 0; i < batch.table_count; i++)
		open_table(&batch.tables[i]);

	response_open(response, NULL, '{');
	response_open(response, "Responses", '{');
	statement_begin();
	for (int i = 0; i < batch.table_count; i++)
		read_table(&batch, &batch.tables[i]);
	statement_end();
	response_close(response, '}');
	response_open(response, "UnprocessedKeys", '{');
	for (int i = 0; i < batch.table_count; i++)
		append_unprocessed(response, &batch.tables[i]);
	response_close(response, '}');
	append_capacity(&batch, capacity);
	response_close(response, '}');
}
