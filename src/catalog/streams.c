/*
 * streams.c
 *		The catalog's rows of streams and shards.
 */
#include "postgres.h"

#include "access/xact.h"
#include "commands/sequence.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#include "catalog/catalog_scan.h"
#include "catalog/streams.h"
#include "clock.h"

/* Columns as CREATE EXTENSION makes them. */
enum
{
	Anum_streams_relation = 1,
	Anum_streams_stream_id,
	Anum_streams_table_name,
	Anum_streams_schema_name,
	Anum_streams_label,
	Anum_streams_view_type,
	Anum_streams_partition_key,
	Anum_streams_sort_key,
	Anum_streams_owner,
	Anum_streams_created_at,
	Anum_streams_disabled_at,
	Natts_streams = Anum_streams_disabled_at
};

enum
{
	Anum_shards_stream_id = 1,
	Anum_shards_shard_id,
	Anum_shards_parent,
	Anum_shards_low,
	Anum_shards_high,
	Anum_shards_created_at,
	Anum_shards_start,
	Anum_shards_closed_at,
	Natts_shards = Anum_shards_closed_at
};

static const char *const view_names[] = {
	[STREAM_KEYS_ONLY] = "KEYS_ONLY",
	[STREAM_NEW_IMAGE] = "NEW_IMAGE",
	[STREAM_OLD_IMAGE] = "OLD_IMAGE",
	[STREAM_NEW_AND_OLD_IMAGES] = "NEW_AND_OLD_IMAGES"
};

const char *
stream_view_name(StreamView view)
{
	return view_names[view];
}

bool
stream_view_from_name(const char *name, StreamView *view)
{
	for (int i = 0; i < lengthof(view_names); i++)
	{
		if (strcmp(view_names[i], name) == 0)
		{
			*view = (StreamView) i;
			return true;
		}
	}
	return false;
}

/* ---- reading ---- */

static StreamRow *
read_stream(const CatalogScan *scan)
{
	StreamRow  *row = palloc0(sizeof(StreamRow));
	Oid			schema = InvalidOid;

	row->relation = catalog_scan_oid(scan, Anum_streams_relation);
	row->id = catalog_scan_int32(scan, Anum_streams_stream_id);
	row->table_name = catalog_scan_text(scan, Anum_streams_table_name);
	if (OidIsValid(row->relation))
		schema = get_rel_namespace(row->relation);
	if (OidIsValid(schema))
		row->schema_name = get_namespace_name(schema);
	if (row->schema_name == NULL)
		row->schema_name = catalog_scan_name(scan, Anum_streams_schema_name);
	row->label = catalog_scan_text(scan, Anum_streams_label);
	if (!stream_view_from_name(catalog_scan_text(scan, Anum_streams_view_type), &row->view))
		elog(ERROR, "stream %d has an unknown view type", row->id);
	row->partition_key = catalog_scan_text(scan, Anum_streams_partition_key);
	row->sort_key = catalog_scan_text(scan, Anum_streams_sort_key);
	row->owner = catalog_scan_oid(scan, Anum_streams_owner);
	row->created_at = catalog_scan_int64(scan, Anum_streams_created_at);
	row->disabled_at = catalog_scan_int64(scan, Anum_streams_disabled_at);
	return row;
}

static ShardRow *
read_shard(const CatalogScan *scan)
{
	ShardRow   *row = palloc0(sizeof(ShardRow));

	row->stream = catalog_scan_int32(scan, Anum_shards_stream_id);
	row->id = catalog_scan_int32(scan, Anum_shards_shard_id);
	row->parent = catalog_scan_int32(scan, Anum_shards_parent);
	row->low = catalog_scan_int64(scan, Anum_shards_low);
	row->high = catalog_scan_int64(scan, Anum_shards_high);
	row->created_at = catalog_scan_int64(scan, Anum_shards_created_at);
	row->start = catalog_scan_int64(scan, Anum_shards_start);
	row->closed_at = catalog_scan_int64(scan, Anum_shards_closed_at);
	return row;
}

static void
scan_shards(CatalogScan *scan, LOCKMODE lockmode, int32 stream)
{
	ScanKeyData key;

	ScanKeyInit(&key, Anum_shards_stream_id, BTEqualStrategyNumber, F_INT4EQ, Int32GetDatum(stream));
	catalog_scan_begin(scan, "stream_shards", lockmode, &key, 1);
}

List *
catalog_read_streams(void)
{
	CatalogScan scan;
	List	   *rows = NIL;

	catalog_scan_begin(&scan, "streams", AccessShareLock, NULL, 0);
	while (catalog_scan_next(&scan))
		rows = lappend(rows, read_stream(&scan));
	catalog_scan_end(&scan);
	return rows;
}

List *
catalog_read_shards(int32 stream)
{
	CatalogScan scan;
	List	   *rows = NIL;

	scan_shards(&scan, AccessShareLock, stream);
	while (catalog_scan_next(&scan))
		rows = lappend(rows, read_shard(&scan));
	catalog_scan_end(&scan);
	return rows;
}

static void
load_shards(StreamDescription *stream)
{
	List	   *rows = catalog_read_shards(stream->id);
	ListCell   *cell;

	stream->shards = palloc(sizeof(StreamShard) * Max(list_length(rows), 1));
	foreach(cell, rows)
	{
		ShardRow   *row = lfirst(cell);
		StreamShard *shard = &stream->shards[stream->shard_count];

		if (row->closed_at != 0)
			continue;
		shard->id = row->id;
		shard->low = row->low;
		shard->high = row->high;
		stream->shard_count++;
	}
}

StreamDescription *
catalog_load_stream(Oid relation)
{
	CatalogScan scan;
	StreamDescription *stream = NULL;

	catalog_scan_relation(&scan, "streams", AccessShareLock, relation);
	while (catalog_scan_next(&scan))
	{
		StreamRow  *row = read_stream(&scan);

		if (row->disabled_at != 0)
			continue;
		stream = palloc0(sizeof(StreamDescription));
		stream->id = row->id;
		stream->view = row->view;
	}
	catalog_scan_end(&scan);
	if (stream)
		load_shards(stream);
	return stream;
}

/* ---- writing ---- */

int32
catalog_new_stream_id(void)
{
	return (int32) nextval_internal(catalog_table_oid("stream_ids", false), false);
}

void
catalog_insert_stream(const StreamRow *row)
{
	Datum		values[Natts_streams] = {0};
	bool		nulls[Natts_streams] = {false};
	NameData	schema;

	namestrcpy(&schema, row->schema_name);
	values[Anum_streams_relation - 1] = ObjectIdGetDatum(row->relation);
	values[Anum_streams_stream_id - 1] = Int32GetDatum(row->id);
	values[Anum_streams_table_name - 1] = CStringGetTextDatum(row->table_name);
	values[Anum_streams_schema_name - 1] = NameGetDatum(&schema);
	values[Anum_streams_label - 1] = CStringGetTextDatum(row->label);
	values[Anum_streams_view_type - 1] = CStringGetTextDatum(stream_view_name(row->view));
	values[Anum_streams_partition_key - 1] = CStringGetTextDatum(row->partition_key);
	nulls[Anum_streams_sort_key - 1] = row->sort_key == NULL;
	if (row->sort_key)
		values[Anum_streams_sort_key - 1] = CStringGetTextDatum(row->sort_key);
	values[Anum_streams_owner - 1] = ObjectIdGetDatum(row->owner);
	values[Anum_streams_created_at - 1] = TimestampTzGetDatum(row->created_at);
	nulls[Anum_streams_disabled_at - 1] = true;

	catalog_insert_row("streams", values, nulls);
	CacheInvalidateRelcacheByRelid(row->relation);
}

void
catalog_insert_shard(const ShardRow *row)
{
	Datum		values[Natts_shards] = {0};
	bool		nulls[Natts_shards] = {false};

	values[Anum_shards_stream_id - 1] = Int32GetDatum(row->stream);
	values[Anum_shards_shard_id - 1] = Int32GetDatum(row->id);
	nulls[Anum_shards_parent - 1] = row->parent == 0;
	values[Anum_shards_parent - 1] = Int32GetDatum(row->parent);
	values[Anum_shards_low - 1] = Int64GetDatum(row->low);
	values[Anum_shards_high - 1] = Int64GetDatum(row->high);
	values[Anum_shards_created_at - 1] = TimestampTzGetDatum(row->created_at);
	values[Anum_shards_start - 1] = Int64GetDatum(row->start);
	nulls[Anum_shards_closed_at - 1] = true;
	catalog_insert_row("stream_shards", values, nulls);
}

/* Close one open shard of a stream, or all (shard 0). */
static void
close_shards(int32 stream, int32 shard)
{
	CatalogScan scan;
	Datum		now = TimestampTzGetDatum(clock_now());

	scan_shards(&scan, RowExclusiveLock, stream);
	while (catalog_scan_next(&scan))
	{
		if (catalog_scan_int64(&scan, Anum_shards_closed_at) == 0 &&
			(shard == 0 || catalog_scan_int32(&scan, Anum_shards_shard_id) == shard))
			catalog_scan_set(&scan, Anum_shards_closed_at, now);
	}
	catalog_scan_end(&scan);
	CommandCounterIncrement();
}

void
catalog_close_shard(int32 stream, int32 shard)
{
	close_shards(stream, shard);
}

void
catalog_disable_stream(Oid relation, bool dropped)
{
	CatalogScan scan;
	Datum		values[Natts_streams] = {0};
	bool		nulls[Natts_streams] = {false};
	List	   *enabled = NIL;
	ListCell   *cell;

	values[Anum_streams_relation - 1] = ObjectIdGetDatum(InvalidOid);
	values[Anum_streams_disabled_at - 1] = TimestampTzGetDatum(clock_now());
	catalog_scan_relation(&scan, "streams", RowExclusiveLock, relation);
	while (catalog_scan_next(&scan))
	{
		bool		replace[Natts_streams] = {false};
		bool		is_enabled = catalog_scan_int64(&scan, Anum_streams_disabled_at) == 0;

		replace[Anum_streams_relation - 1] = dropped;
		replace[Anum_streams_disabled_at - 1] = is_enabled;
		if (is_enabled)
			enabled = lappend_int(enabled, catalog_scan_int32(&scan, Anum_streams_stream_id));
		if (is_enabled || dropped)
			catalog_scan_update(&scan, values, nulls, replace);
	}
	catalog_scan_end(&scan);
	CommandCounterIncrement();

	foreach(cell, enabled)
		close_shards(lfirst_int(cell), 0);
	if (!dropped)
		CacheInvalidateRelcacheByRelid(relation);
}

void
catalog_delete_old_streams(TimestampTz before)
{
	CatalogScan scan;
	int64		time;

	catalog_scan_begin(&scan, "streams", RowExclusiveLock, NULL, 0);
	while (catalog_scan_next(&scan))
	{
		time = catalog_scan_int64(&scan, Anum_streams_disabled_at);
		if (time != 0 && time < before)
			catalog_scan_delete(&scan);
	}
	catalog_scan_end(&scan);

	catalog_scan_begin(&scan, "stream_shards", RowExclusiveLock, NULL, 0);
	while (catalog_scan_next(&scan))
	{
		time = catalog_scan_int64(&scan, Anum_shards_closed_at);
		if (time != 0 && time < before)
			catalog_scan_delete(&scan);
	}
	catalog_scan_end(&scan);
	CommandCounterIncrement();
}
