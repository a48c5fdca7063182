/*
 * stream_records.c
 *		dynamo.stream_records(): a table's stream for SQL, all shards together.
 *
 * A position is where each shard stands, as text: "12:1795990103187501:1 13:..",
 * so that nothing depends on how the clocks of two shards compare.  Shards are
 * merged by number; the children of a shard begin when it has been read to its
 * end.
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "utils/tuplestore.h"

#include "clock.h"
#include "item/attribute.h"
#include "stream/access.h"
#include "stream/capture.h"
#include "stream/record.h"
#include "stream/shards.h"

enum
{
	Anum_out_position = 1,
	Anum_out_event_name,
	Anum_out_keys,
	Anum_out_old_image,
	Anum_out_new_image,
	Anum_out_created_at,
	Anum_out_service,
	Anum_out_shard_id,
	Anum_out_sequence_number,
	Natts_out = Anum_out_sequence_number
};

/* A shard that takes part, with what has been read of it ahead. */
typedef struct ShardCursor
{
	const ShardRow *shard;
	StreamPosition position;	/* of the last record given out */
	bool		known;			/* the caller's position tells of it */
	bool		finished;		/* closed and read to its end */
	bool		read;
	List	   *ahead;			/* StreamRecord * */
	int			next;
} ShardCursor;

typedef struct StreamCursor
{
	StreamRow  *stream;
	int			count;
	ShardCursor *shards;
} StreamCursor;

static ShardCursor *
find_shard(StreamCursor *cursor, int32 id)
{
	for (int i = 0; i < cursor->count; i++)
		if (cursor->shards[i].shard->id == id)
			return &cursor->shards[i];
	return NULL;
}

static void
parse_position(StreamCursor *cursor, const char *text)
{
	while (*text != '\0')
	{
		int			shard;
		long long	number;
		int			counter;
		int			used = 0;
		ShardCursor *found;

		CHECK_FOR_INTERRUPTS();
		if (sscanf(text, "%d:%lld:%d%n", &shard, &number, &counter, &used) != 3 ||
			number < 0 || counter < 0 || (text[used] != '\0' && text[used] != ' '))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("invalid position in a stream"),
					 errhint("Give the \"position\" of a row that this function returned.")));
		found = find_shard(cursor, shard);
		if (found)
		{
			found->position.number = number;
			found->position.counter = counter;
			found->known = true;
		}
		text += used;
		if (*text == ' ')
			text++;
	}
}

static char *
position_text(const StreamCursor *cursor)
{
	StringInfoData text;

	initStringInfo(&text);
	for (int i = 0; i < cursor->count; i++)
	{
		const ShardCursor *shard = &cursor->shards[i];

		if (shard->known)
			appendStringInfo(&text, "%s%d:" INT64_FORMAT ":%d", text.len > 0 ? " " : "",
							 shard->shard->id, shard->position.number, shard->position.counter);
	}
	return text.data;
}

static Jsonb *
copy_image(Jsonb *image)
{
	Jsonb	   *copy;

	if (image == NULL)
		return NULL;
	copy = palloc(VARSIZE(image));
	memcpy(copy, image, VARSIZE(image));
	return copy;
}

typedef struct ReadAhead
{
	ShardCursor *shard;
	MemoryContext context;
} ReadAhead;

static bool
keep_ahead(const StreamRecord *record, void *argument)
{
	ReadAhead  *ahead = argument;
	MemoryContext caller = MemoryContextSwitchTo(ahead->context);
	StreamRecord *copy = palloc(sizeof(StreamRecord));

	*copy = *record;
	copy->keys = copy_image(record->keys);
	copy->old = copy_image(record->old);
	copy->new = copy_image(record->new);
	ahead->shard->ahead = lappend(ahead->shard->ahead, copy);
	MemoryContextSwitchTo(caller);
	return true;
}

static void
read_shard(ShardCursor *shard, int limit)
{
	ReadAhead	ahead = {shard, CurrentMemoryContext};
	StreamPosition position = shard->position;
	ReadEnd		end = stream_read(shard->shard->id, &position, limit, NULL, keep_ahead, &ahead);

	shard->read = true;
	shard->finished = end == READ_ALL && shard->shard->closed_at != 0;
}

static const StreamRecord *
next_ahead(const ShardCursor *shard)
{
	return shard->next < list_length(shard->ahead) ? list_nth(shard->ahead, shard->next) : NULL;
}

/* The shard with the earliest record read ahead; NULL if there is none. */
static ShardCursor *
earliest(StreamCursor *cursor)
{
	ShardCursor *found = NULL;

	for (int i = 0; i < cursor->count; i++)
	{
		const StreamRecord *record = next_ahead(&cursor->shards[i]);

		if (record && (found == NULL ||
					   record->position.number < next_ahead(found)->position.number))
			found = &cursor->shards[i];
	}
	return found;
}

/*
 * Read shards that can be read and have not been: those whose parent is not
 * there any more or has been given out to its end.
 */
static bool
read_ready_shards(StreamCursor *cursor, int limit)
{
	bool		any = false;

	for (int i = 0; i < cursor->count; i++)
	{
		ShardCursor *shard = &cursor->shards[i];
		ShardCursor *parent = find_shard(cursor, shard->shard->parent);

		if (shard->read || (parent && (!parent->finished || next_ahead(parent))))
			continue;
		read_shard(shard, limit);
		any = true;
	}
	return any;
}

static Datum
keys_datum(const StreamRow *stream, const StreamRecord *record)
{
	const char *names[] = {stream->partition_key, stream->sort_key};
	JsonbParseState *state = NULL;

	pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
	for (int i = 0; i < lengthof(names) && names[i]; i++)
	{
		JsonbValue	name;
		JsonbValue	value;

		name.type = jbvString;
		name.val.string.val = unconstify(char *, names[i]);
		name.val.string.len = strlen(names[i]);
		if (!attribute_get(&record_key_image(record)->root, names[i], strlen(names[i]), &value))
			elog(ERROR, "stream record without key attribute \"%s\"", names[i]);
		pushJsonbValue(&state, WJB_KEY, &name);
		pushJsonbValue(&state, WJB_VALUE, &value);
	}
	return JsonbPGetDatum(JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_OBJECT, NULL)));
}

static void
put_row(ReturnSetInfo *result, const StreamCursor *cursor, const ShardRow *shard,
		const StreamRecord *record)
{
	Datum		values[Natts_out] = {0};
	bool		nulls[Natts_out] = {false};
	char		buffer[Max(SHARD_ID_SIZE, SEQUENCE_NUMBER_SIZE)];

	values[Anum_out_position - 1] = CStringGetTextDatum(position_text(cursor));
	values[Anum_out_event_name - 1] = CStringGetTextDatum(record_event_name(record));
	values[Anum_out_keys - 1] = keys_datum(cursor->stream, record);
	nulls[Anum_out_old_image - 1] = record->old == NULL;
	if (record->old)
		values[Anum_out_old_image - 1] = JsonbPGetDatum(record->old);
	nulls[Anum_out_new_image - 1] = record->new == NULL;
	if (record->new)
		values[Anum_out_new_image - 1] = JsonbPGetDatum(record->new);
	values[Anum_out_created_at - 1] =
		TimestampTzGetDatum(clock_from_epoch_microseconds(record->position.number));
	values[Anum_out_service - 1] = BoolGetDatum(record->service);
	values[Anum_out_shard_id - 1] = CStringGetTextDatum(shard_name(shard, buffer));
	values[Anum_out_sequence_number - 1] =
		CStringGetTextDatum(sequence_number(record->position, buffer));
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

static void
give_out(StreamCursor *cursor, int limit, ReturnSetInfo *result)
{
	MemoryContext row = AllocSetContextCreate(CurrentMemoryContext, "dynamo stream row",
											  ALLOCSET_DEFAULT_SIZES);

	while (limit > 0 && read_ready_shards(cursor, limit))
	{
		ShardCursor *shard;

		while (limit > 0 && (shard = earliest(cursor)) != NULL)
		{
			const StreamRecord *record = next_ahead(shard);
			MemoryContext caller = MemoryContextSwitchTo(row);

			CHECK_FOR_INTERRUPTS();
			shard->position = record->position;
			shard->known = true;
			shard->next++;
			put_row(result, cursor, shard->shard, record);
			MemoryContextSwitchTo(caller);
			MemoryContextReset(row);
			limit--;
		}
	}
	MemoryContextDelete(row);
}

/*
 * dynamo.stream_records(table_name text, after text, max_records int)
 */
PG_FUNCTION_INFO_V1(dynamo_stream_records);
Datum
dynamo_stream_records(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	StreamCursor cursor = {0};
	List	   *shards;
	int			limit;
	ListCell   *cell;

	InitMaterializedSRF(fcinfo, 0);
	if (PG_ARGISNULL(0))
		return (Datum) 0;
	limit = PG_ARGISNULL(2) ? PG_INT32_MAX - 1 : PG_GETARG_INT32(2);
	if (limit < 1 || limit == PG_INT32_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("max_records must be at least 1")));

	cursor.stream = stream_of_table(text_to_cstring(PG_GETARG_TEXT_PP(0)));
	shards = catalog_read_shards(cursor.stream->id);
	cursor.shards = palloc0(sizeof(ShardCursor) * Max(list_length(shards), 1));
	foreach(cell, shards)
		cursor.shards[cursor.count++].shard = lfirst(cell);
	if (!PG_ARGISNULL(1))
		parse_position(&cursor, text_to_cstring(PG_GETARG_TEXT_PP(1)));
	give_out(&cursor, limit, result);
	return (Datum) 0;
}
