/*
 * documents.c
 *		The functions for people at psql: plain JSON, arguments by name.
 *
 * The same writes and pages as the operations', without DynamoDB JSON around
 * them.  query() and scan() page by themselves: they return row by row from a
 * cursor, so the first item comes before the last is read.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/memutils.h"

#include "item/item.h"
#include "operation/batch_request.h"
#include "operation/operation.h"
#include "operation/page.h"
#include "operation/read.h"
#include "operation/write.h"

/* Items fetched at once, after a first one by itself. */
#define FETCH_COUNT 64

static char *
argument_text(FunctionCallInfo fcinfo, int number)
{
	return PG_ARGISNULL(number) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(number));
}

static Jsonb *
argument_jsonb(FunctionCallInfo fcinfo, int number)
{
	return PG_ARGISNULL(number) ? NULL : PG_GETARG_JSONB_P(number);
}

static void
require_argument(FunctionCallInfo fcinfo, int number, const char *name)
{
	if (PG_ARGISNULL(number))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("argument %s must not be null", name)));
}

static TableDescription *
open_table(FunctionCallInfo fcinfo, LOCKMODE lockmode)
{
	ConstraintFaults faults = {0};
	char	   *name;

	require_argument(fcinfo, 0, "table_name");
	name = argument_text(fcinfo, 0);
	if (*name == '{')
		ereport(ERROR,
				(errcode(ERRCODE_AMBIGUOUS_FUNCTION),
				 errmsg("table_name looks like a request"),
				 errhint("Cast the request to jsonb: '{...}'::jsonb.")));
	errors_set_validation_form(VALIDATION_FORM_OLDER);
	name = batch_request_table_name(name, &faults);
	constraint_raise(&faults);
	return item_request_open_table(name, lockmode);
}

/* Names and values of placeholders; text of expressions may be NULL. */
static Condition *
parse_condition(ExpressionKind kind, const char *text, Placeholders *placeholders)
{
	return text == NULL ? NULL : condition_parse(kind, text, placeholders);
}

static void
write_or_raise(WriteSpec *spec, WriteResult *result)
{
	write_item(spec, result);
	if (result->condition_failed)
		write_raise_condition_failed(result);
}

/*
 * dynamo.put(table_name, item, condition, attribute_values, attribute_names)
 */
PG_FUNCTION_INFO_V1(dynamo_put);
Datum
dynamo_put(PG_FUNCTION_ARGS)
{
	WriteSpec	spec = {.kind = WRITE_PUT};
	WriteResult result;
	Placeholders *placeholders;

	require_argument(fcinfo, 1, "item");
	spec.table = open_table(fcinfo, RowExclusiveLock);
	spec.item = item_normalize(PG_GETARG_JSONB_P(1));
	placeholders = placeholders_from_jsonb(argument_jsonb(fcinfo, 4), argument_jsonb(fcinfo, 3));
	spec.condition = parse_condition(CONDITION_EXPRESSION, argument_text(fcinfo, 2), placeholders);
	placeholders_check_used(placeholders);

	item_keys_of_item(spec.table, &spec.item->root, &spec.keys);
	item_request_check_key_paths(spec.table, spec.condition, NULL, NULL);
	if (spec.condition != NULL)
		write_check_index_keys(spec.table, &spec.item->root);
	write_or_raise(&spec, &result);
	PG_RETURN_VOID();
}

/*
 * dynamo.get(table_name, key, projection, attribute_names)
 */
PG_FUNCTION_INFO_V1(dynamo_get);
Datum
dynamo_get(PG_FUNCTION_ARGS)
{
	char	   *projection = argument_text(fcinfo, 2);
	Jsonb	   *names = argument_jsonb(fcinfo, 3);
	Projection *parsed = NULL;
	TableDescription *table;
	KeyColumns	keys;
	Jsonb	   *item;

	require_argument(fcinfo, 1, "key");
	table = open_table(fcinfo, AccessShareLock);
	if (projection != NULL || names != NULL)
	{
		Placeholders *placeholders = placeholders_from_jsonb(names, NULL);

		if (projection != NULL)
			parsed = projection_parse(projection, placeholders);
		placeholders_check_used(placeholders);
	}

	item_keys_of_key(table, &item_normalize(PG_GETARG_JSONB_P(1))->root, &keys);
	item_request_check_key_paths(table, NULL, parsed, NULL);
	item = read_item(table, &keys);
	if (item == NULL)
		PG_RETURN_NULL();
	PG_RETURN_JSONB_P(parsed != NULL ? projection_apply(parsed, &item->root) : item);
}

/*
 * dynamo.update(table_name, key, expression, condition, attribute_values, attribute_names)
 */
PG_FUNCTION_INFO_V1(dynamo_update);
Datum
dynamo_update(PG_FUNCTION_ARGS)
{
	WriteSpec	spec = {.kind = WRITE_UPDATE,.want_new = true};
	WriteResult result;
	Placeholders *placeholders;

	require_argument(fcinfo, 1, "key");
	require_argument(fcinfo, 2, "expression");
	spec.table = open_table(fcinfo, RowExclusiveLock);
	spec.item = item_normalize(PG_GETARG_JSONB_P(1));
	placeholders = placeholders_from_jsonb(argument_jsonb(fcinfo, 5), argument_jsonb(fcinfo, 4));
	spec.update = update_parse(argument_text(fcinfo, 2), placeholders);
	spec.condition = parse_condition(CONDITION_EXPRESSION, argument_text(fcinfo, 3), placeholders);
	placeholders_check_used(placeholders);

	item_keys_of_key(spec.table, &spec.item->root, &spec.keys);
	write_check_update(&spec);
	if (spec.update != NULL)
		write_check_assigned_index_keys(spec.table, spec.update);
	item_request_check_key_paths(spec.table, spec.condition, NULL, spec.update);
	write_or_raise(&spec, &result);
	if (result.new_item == NULL)
		PG_RETURN_NULL();
	PG_RETURN_JSONB_P(result.new_item);
}

/*
 * dynamo.delete(table_name, key, condition, attribute_values, attribute_names)
 */
PG_FUNCTION_INFO_V1(dynamo_delete);
Datum
dynamo_delete(PG_FUNCTION_ARGS)
{
	WriteSpec	spec = {.kind = WRITE_DELETE,.want_old = true};
	WriteResult result;
	Placeholders *placeholders;

	require_argument(fcinfo, 1, "key");
	spec.table = open_table(fcinfo, RowExclusiveLock);
	spec.item = item_normalize(PG_GETARG_JSONB_P(1));
	placeholders = placeholders_from_jsonb(argument_jsonb(fcinfo, 4), argument_jsonb(fcinfo, 3));
	spec.condition = parse_condition(CONDITION_EXPRESSION, argument_text(fcinfo, 2), placeholders);
	placeholders_check_used(placeholders);

	item_keys_of_key(spec.table, &spec.item->root, &spec.keys);
	item_request_check_key_paths(spec.table, spec.condition, NULL, NULL);
	write_or_raise(&spec, &result);
	if (result.old_item == NULL)
		PG_RETURN_NULL();
	PG_RETURN_JSONB_P(result.old_item);
}

/* ---- query() and scan() ---- */

typedef struct ItemStream
{
	DestReceiver receiver;		/* first, so that it can be cast */
	PageSpec	spec;
	StatementCursor *cursor;	/* NULL when all is read */
	int64		remaining;		/* of max_items; negative: no limit */
	MemoryContext batch;		/* the items below */
	MemoryContext row;
	int			count;
	int			next;
	Jsonb	   *items[FETCH_COUNT];
} ItemStream;

static bool
stream_receive(TupleTableSlot *slot, DestReceiver *self)
{
	ItemStream *stream = (ItemStream *) self;
	MemoryContext caller = MemoryContextSwitchTo(stream->row);
	bool		is_null;
	Jsonb	   *item = DatumGetJsonbP(slot_getattr(slot, 1, &is_null));

	CHECK_FOR_INTERRUPTS();
	if (page_item_belongs(&stream->spec, &item->root) &&
		(stream->spec.filter == NULL || condition_matches(stream->spec.filter, &item->root)))
	{
		Jsonb	   *kept = stream->spec.projection != NULL
		? projection_apply(stream->spec.projection, &item->root) : item;

		stream->items[stream->count] = MemoryContextAlloc(stream->batch, VARSIZE(kept));
		memcpy(stream->items[stream->count], kept, VARSIZE(kept));
		stream->count++;
	}
	MemoryContextReset(stream->row);
	MemoryContextSwitchTo(caller);
	return true;
}

static void
stream_startup(DestReceiver *self, int operation, TupleDesc typeinfo)
{
}

static void
stream_done(DestReceiver *self)
{
}

static void
stream_close(Datum argument)
{
	ItemStream *stream = (ItemStream *) DatumGetPointer(argument);

	StatementCursor *cursor = stream->cursor;

	stream->cursor = NULL;
	if (cursor != NULL)
		statement_cursor_close(cursor);
}

/* The next batch with at least one item; false at the end. */
static bool
stream_fetch(ItemStream *stream, int64 count)
{
	while (stream->cursor != NULL)
	{
		uint64		fetched;

		MemoryContextReset(stream->batch);
		stream->count = stream->next = 0;
		fetched = statement_cursor_fetch(stream->cursor, count, &stream->receiver);
		if (fetched < count)
			stream_close(PointerGetDatum(stream));
		if (stream->count > 0)
			return true;
		count = FETCH_COUNT;
	}
	return false;
}

static void
stream_open(ItemStream *stream, FunctionCallInfo fcinfo, MemoryContext context)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	Datum		values[STATEMENT_MAX_PARAMETERS];
	int			count = page_parameters(&stream->spec, values);

	stream->receiver.receiveSlot = stream_receive;
	stream->receiver.rStartup = stream_startup;
	stream->receiver.rShutdown = stream_done;
	stream->receiver.rDestroy = stream_done;
	stream->receiver.mydest = DestTuplestore;
	stream->batch = AllocSetContextCreate(context, "dynamo item batch", ALLOCSET_DEFAULT_SIZES);
	stream->row = AllocSetContextCreate(context, "dynamo item row", ALLOCSET_DEFAULT_SIZES);

	statement_begin();
	stream->cursor = statement_cursor_open(page_plan(&stream->spec), count, values);
	statement_end();
	RegisterExprContextCallback(result->econtext, stream_close, PointerGetDatum(stream));
}

static Datum
stream_next(FunctionCallInfo fcinfo)
{
	FuncCallContext *context = SRF_PERCALL_SETUP();
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	ItemStream *stream = context->user_fctx;
	Jsonb	   *item;

	if (stream->remaining == 0 ||
		(stream->next == stream->count &&
		 !stream_fetch(stream, context->call_cntr == 0 ? 1 : FETCH_COUNT)))
	{
		stream_close(PointerGetDatum(stream));
		UnregisterExprContextCallback(result->econtext, stream_close, PointerGetDatum(stream));
		SRF_RETURN_DONE(context);
	}

	if (stream->remaining > 0)
		stream->remaining--;
	item = stream->items[stream->next++];
	SRF_RETURN_NEXT(context, JsonbPGetDatum(item));
}

static int64
argument_max_items(FunctionCallInfo fcinfo, int number)
{
	int64		max_items;

	if (PG_ARGISNULL(number))
		return -1;
	max_items = PG_GETARG_INT64(number);
	if (max_items < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("max_items must not be negative")));
	return max_items;
}

/* Where the two functions have their arguments; -1 for what one does not have. */
typedef struct StreamArguments
{
	int			key_condition;
	int			filter;
	int			values;
	int			names;
	int			index_name;
	int			projection;
	int			forward;
	int			max_items;
} StreamArguments;

/* Parsed forms and page live as long as the call. */
static ItemStream *
stream_parse(FunctionCallInfo fcinfo, const StreamArguments *at)
{
	ItemStream *stream = palloc0(sizeof(ItemStream));
	bool		query = at->key_condition >= 0;
	PageRequest page = {0};
	KeyCondition *bounds = NULL;
	char	   *projection = argument_text(fcinfo, at->projection);
	Placeholders *placeholders;

	if (query)
		require_argument(fcinfo, at->key_condition, "key_condition");
	page.table = open_table(fcinfo, AccessShareLock);
	page.index_name = argument_text(fcinfo, at->index_name);
	placeholders = placeholders_from_jsonb(argument_jsonb(fcinfo, at->names),
										   argument_jsonb(fcinfo, at->values));
	if (query)
		bounds = key_condition_parse(argument_text(fcinfo, at->key_condition), placeholders);
	page.filter = parse_condition(FILTER_EXPRESSION, argument_text(fcinfo, at->filter), placeholders);
	if (projection != NULL)
		page.projection = projection_parse(projection, placeholders);
	placeholders_check_used(placeholders);
	if (query)
		key_condition_make_clauses(bounds);

	page.select = SELECT_DEFAULT;
	page_open(&stream->spec, &page, query);
	if (query)
	{
		page_bound(&stream->spec, bounds);
		stream->spec.backward = !PG_ARGISNULL(at->forward) && !PG_GETARG_BOOL(at->forward);
	}
	page_check_attributes(&stream->spec, &page, query);
	stream->remaining = argument_max_items(fcinfo, at->max_items);
	return stream;
}

static Datum
stream_items(FunctionCallInfo fcinfo, const StreamArguments *at)
{
	if (SRF_IS_FIRSTCALL())
	{
		FuncCallContext *context = SRF_FIRSTCALL_INIT();
		MemoryContext caller = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		ItemStream *stream = stream_parse(fcinfo, at);

		stream_open(stream, fcinfo, context->multi_call_memory_ctx);
		context->user_fctx = stream;
		MemoryContextSwitchTo(caller);
	}
	return stream_next(fcinfo);
}

/*
 * dynamo.query(table_name, key_condition, attribute_values, attribute_names,
 *				index_name, filter, projection, forward, max_items)
 */
PG_FUNCTION_INFO_V1(dynamo_query_items);
Datum
dynamo_query_items(PG_FUNCTION_ARGS)
{
	static const StreamArguments at = {
		.key_condition = 1,.values = 2,.names = 3,.index_name = 4,
		.filter = 5,.projection = 6,.forward = 7,.max_items = 8
	};

	return stream_items(fcinfo, &at);
}

/*
 * dynamo.scan(table_name, filter, attribute_values, attribute_names, index_name,
 *			   projection, max_items)
 */
PG_FUNCTION_INFO_V1(dynamo_scan_items);
Datum
dynamo_scan_items(PG_FUNCTION_ARGS)
{
	static const StreamArguments at = {
		.key_condition = -1,.filter = 1,.values = 2,.names = 3,.index_name = 4,
		.projection = 5,.forward = -1,.max_items = 6
	};

	return stream_items(fcinfo, &at);
}
