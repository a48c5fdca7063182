/*
 * shards.c
 *		The life of a stream: it begins with shards, splits them, ends.
 */
#include "postgres.h"

#include <math.h>

#include "access/relation.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "pgtime.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "clock.h"
#include "compat.h"
#include "guc.h"
#include "stream/ring.h"
#include "stream/shards.h"

/* What a partition of DynamoDB serves. */
#define PARTITION_READ_UNITS 3000
#define PARTITION_WRITE_UNITS 1000

int
stream_shard_count(bool on_demand, int64 read_units, int64 write_units)
{
	double		partitions = (double) read_units / PARTITION_READ_UNITS +
	(double) write_units / PARTITION_WRITE_UNITS;

	if (on_demand || partitions >= dynamo_stream_shards)
		return dynamo_stream_shards;
	return Max(1, (int) ceil(partitions));
}

/*
 * Clients sort shards by the time in their names.
 */
char *
shard_name(const ShardRow *shard, char *buffer)
{
	snprintf(buffer, SHARD_ID_SIZE, "shardId-%020lld-%08x",
			 (long long) (clock_epoch_microseconds(shard->created_at) / 1000), shard->id);
	return buffer;
}

/* "2026-11-29T20:36:01.123", in UTC. */
static char *
label_of(TimestampTz time)
{
	int64		milliseconds = clock_epoch_microseconds(time) / 1000;
	pg_time_t	seconds = milliseconds / 1000;
	char		label[32];
	size_t		length = pg_strftime(label, sizeof(label), "%Y-%m-%dT%H:%M:%S", pg_gmtime(&seconds));

	return psprintf("%.*s.%03d", (int) length, label, (int) (milliseconds % 1000));
}

/* Two streams of one table must not have one label, which counts milliseconds. */
static TimestampTz
time_of_new_stream(const char *table_name)
{
	TimestampTz time = clock_now();
	ListCell   *cell;

	foreach(cell, catalog_read_streams())
	{
		StreamRow  *row = lfirst(cell);

		if (strcmp(row->table_name, table_name) == 0 && row->created_at + 1000 > time)
			time = row->created_at + 1000;
	}
	return time;
}

static void
insert_shard(int32 stream, int32 parent, int64 low, int64 high, TimestampTz created_at,
			 int64 start)
{
	ShardRow	shard = {0};

	shard.stream = stream;
	shard.id = catalog_new_stream_id();
	shard.parent = parent;
	shard.low = low;
	shard.high = high;
	shard.created_at = created_at;
	shard.start = start;
	catalog_insert_shard(&shard);
}

const char *
stream_begin(Oid relid, const TableDescription *description, StreamView view, int shards)
{
	Relation	relation = relation_open(relid, NoLock);
	StreamRow	row = {0};

	row.relation = relid;
	row.id = catalog_new_stream_id();
	row.table_name = description->name;
	row.schema_name = get_namespace_name(RelationGetNamespace(relation));
	row.created_at = time_of_new_stream(description->name);
	row.label = label_of(row.created_at);
	row.view = view;
	row.partition_key = description->partition->name;
	row.sort_key = description->sort ? description->sort->name : NULL;
	row.owner = relation->rd_rel->relowner;
	catalog_insert_stream(&row);
	for (int i = 0; i < shards; i++)
		insert_shard(row.id, 0, STREAM_HASH_END * i / shards, STREAM_HASH_END * (i + 1) / shards,
					 row.created_at, clock_microseconds());
	relation_close(relation, NoLock);
	return row.label;
}

void
stream_end(Oid relid)
{
	catalog_disable_stream(relid, false);
}

static int
compare_widths(const void *a, const void *b)
{
	const StreamShard *left = a;
	const StreamShard *right = b;
	int64		difference = (right->high - right->low) - (left->high - left->low);

	return difference < 0 ? -1 : difference > 0;
}

/*
 * A child's numbers are greater than its parent's: those of other transactions
 * because they have been given, those of this one because it numbers shards in
 * the order of their ids.
 */
static void
split_shard(int32 stream, const StreamShard *parent, TimestampTz created_at)
{
	int64		middle = parent->low + (parent->high - parent->low) / 2;
	int64		start = Max(clock_microseconds(), ring_last_number(parent->id, 0) + 1);

	catalog_close_shard(stream, parent->id);
	insert_shard(stream, parent->id, parent->low, middle, created_at, start);
	insert_shard(stream, parent->id, middle, parent->high, created_at, start);
}

/* Split shards, the widest first, until there are so many. */
static void
split_shards(Oid relid, const StreamDescription *stream, int count)
{
	TimestampTz created_at = clock_now();
	int			splits = count - stream->shard_count;
	ListCell   *cell;

	/* later than every parent by a millisecond, which is what names show */
	foreach(cell, catalog_read_shards(stream->id))
		created_at = Max(created_at, ((ShardRow *) lfirst(cell))->created_at + 1000);

	/* a shard is split once per call; who wants more than twice as many calls again */
	qsort(stream->shards, stream->shard_count, sizeof(StreamShard), compare_widths);
	for (int i = 0; i < splits && i < stream->shard_count; i++)
		split_shard(stream->id, &stream->shards[i], created_at);
	CacheInvalidateRelcacheByRelid(relid);
}

/*
 * dynamo.split_shards(table_name text, shards int)
 */
PG_FUNCTION_INFO_V1(stream_split_shards);
Datum
stream_split_shards(PG_FUNCTION_ARGS)
{
	char	   *name = text_to_cstring(PG_GETARG_TEXT_PP(0));
	int			count = PG_GETARG_INT32(1);
	TableDescription *description;
	Relation	relation = catalog_open_table(name, AccessShareLock, &description);
	Oid			relid;

	PreventCommandIfReadOnly("dynamo.split_shards");
	if (relation == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("there is no DynamoDB table \"%s\"", name)));
	relid = RelationGetRelid(relation);
	if (!compat_owns_relation(relid, GetUserId()))
		aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_TABLE, RelationGetRelationName(relation));
	relation_close(relation, AccessShareLock);

	for (;;)
	{
		relation = catalog_open_table(name, ShareRowExclusiveLock, &description);
		if (relation == NULL || description->stream == NULL)
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("DynamoDB table \"%s\" has no enabled stream", name)));
		if (count < description->stream->shard_count || count > STREAM_SHARDS_MAX)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("a stream of %d shards cannot have %d",
							description->stream->shard_count, count),
					 errdetail("Shards are split, never merged; there can be up to %d.",
							   STREAM_SHARDS_MAX),
					 errhint("For fewer shards, disable the stream and enable a new one.")));
		relation_close(relation, NoLock);
		if (count == description->stream->shard_count)
			break;
		split_shards(relid, description->stream, count);
		CommandCounterIncrement();
	}
	PG_RETURN_VOID();
}
