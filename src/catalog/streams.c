/*
 * streams.c
 *		The catalog's rows of streams and shards.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/indexing.h"
#include "commands/sequence.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

#include "catalog/streams.h"
#include "clock.h"
#include "compat.h"

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

typedef struct RowScan
{
	Relation	catalog;
	SysScanDesc scan;
	HeapTuple	row;
} RowScan;

/* The rows whose first column is the value, or all; with a snapshot of this moment. */
static void
scan_begin(RowScan *scan, const char *catalog, LOCKMODE lockmode, RegProcedure equal, Datum value)
{
	ScanKeyData key;

	scan->catalog = table_open(catalog_table_oid(catalog, false), lockmode);
	if (equal == InvalidOid)
	{
		scan->scan = systable_beginscan(scan->catalog, InvalidOid, false, NULL, 0, NULL);
		return;
	}
	ScanKeyInit(&key, 1, BTEqualStrategyNumber, equal, value);
	scan->scan = systable_beginscan(scan->catalog, compat_primary_key_index(scan->catalog),
									true, NULL, 1, &key);
}

static bool
scan_next(RowScan *scan)
{
	CHECK_FOR_INTERRUPTS();
	scan->row = systable_getnext(scan->scan);
	return HeapTupleIsValid(scan->row);
}

static void
scan_end(RowScan *scan, LOCKMODE lockmode)
{
	systable_endscan(scan->scan);
	table_close(scan->catalog, lockmode);
}

static Datum
scan_column(const RowScan *scan, AttrNumber column, bool *isnull)
{
	return heap_getattr(scan->row, column, RelationGetDescr(scan->catalog), isnull);
}

static char *
scan_text(const RowScan *scan, AttrNumber column)
{
	bool		isnull;
	Datum		value = scan_column(scan, column, &isnull);

	return isnull ? NULL : TextDatumGetCString(value);
}

/* Zero for a null. */
static int64
scan_int8(const RowScan *scan, AttrNumber column)
{
	bool		isnull;
	Datum		value = scan_column(scan, column, &isnull);

	return isnull ? 0 : DatumGetInt64(value);
}

static int32
scan_int4(const RowScan *scan, AttrNumber column)
{
	bool		isnull;
	Datum		value = scan_column(scan, column, &isnull);

	return isnull ? 0 : DatumGetInt32(value);
}

static StreamRow *
scan_stream(const RowScan *scan)
{
	StreamRow  *row = palloc0(sizeof(StreamRow));
	bool		isnull;
	Oid			schema = InvalidOid;

	row->relation = DatumGetObjectId(scan_column(scan, Anum_streams_relation, &isnull));
	row->id = scan_int4(scan, Anum_streams_stream_id);
	row->table_name = scan_text(scan, Anum_streams_table_name);
	if (OidIsValid(row->relation))
		schema = get_rel_namespace(row->relation);
	if (OidIsValid(schema))
		row->schema_name = get_namespace_name(schema);
	if (row->schema_name == NULL)
		row->schema_name =
			pstrdup(NameStr(*DatumGetName(scan_column(scan, Anum_streams_schema_name, &isnull))));
	row->label = scan_text(scan, Anum_streams_label);
	if (!stream_view_from_name(scan_text(scan, Anum_streams_view_type), &row->view))
		elog(ERROR, "stream %d has an unknown view type", row->id);
	row->partition_key = scan_text(scan, Anum_streams_partition_key);
	row->sort_key = scan_text(scan, Anum_streams_sort_key);
	row->owner = DatumGetObjectId(scan_column(scan, Anum_streams_owner, &isnull));
	row->created_at = scan_int8(scan, Anum_streams_created_at);
	row->disabled_at = scan_int8(scan, Anum_streams_disabled_at);
	return row;
}

static ShardRow *
scan_shard(const RowScan *scan)
{
	ShardRow   *row = palloc0(sizeof(ShardRow));

	row->stream = scan_int4(scan, Anum_shards_stream_id);
	row->id = scan_int4(scan, Anum_shards_shard_id);
	row->parent = scan_int4(scan, Anum_shards_parent);
	row->low = scan_int8(scan, Anum_shards_low);
	row->high = scan_int8(scan, Anum_shards_high);
	row->created_at = scan_int8(scan, Anum_shards_created_at);
	row->start = scan_int8(scan, Anum_shards_start);
	row->closed_at = scan_int8(scan, Anum_shards_closed_at);
	return row;
}

List *
catalog_read_streams(void)
{
	RowScan		scan;
	List	   *rows = NIL;

	scan_begin(&scan, "streams", AccessShareLock, InvalidOid, (Datum) 0);
	while (scan_next(&scan))
		rows = lappend(rows, scan_stream(&scan));
	scan_end(&scan, AccessShareLock);
	return rows;
}

List *
catalog_read_shards(int32 stream)
{
	RowScan		scan;
	List	   *rows = NIL;

	scan_begin(&scan, "stream_shards", AccessShareLock, F_INT4EQ, Int32GetDatum(stream));
	while (scan_next(&scan))
		rows = lappend(rows, scan_shard(&scan));
	scan_end(&scan, AccessShareLock);
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
	RowScan		scan;
	StreamDescription *stream = NULL;

	scan_begin(&scan, "streams", AccessShareLock, F_OIDEQ, ObjectIdGetDatum(relation));
	while (scan_next(&scan))
	{
		StreamRow  *row = scan_stream(&scan);

		if (row->disabled_at != 0)
			continue;
		stream = palloc0(sizeof(StreamDescription));
		stream->id = row->id;
		stream->view = row->view;
	}
	scan_end(&scan, AccessShareLock);
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

static void
insert_row(const char *catalog, Datum *values, bool *nulls)
{
	Relation	relation = table_open(catalog_table_oid(catalog, false), RowExclusiveLock);
	HeapTuple	tuple = heap_form_tuple(RelationGetDescr(relation), values, nulls);

	CatalogTupleInsert(relation, tuple);
	heap_freetuple(tuple);
	table_close(relation, NoLock);
	CommandCounterIncrement();
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

	insert_row("streams", values, nulls);
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
	insert_row("stream_shards", values, nulls);
}

/* Set columns of the scan's row. */
static void
update_row(RowScan *scan, Datum *values, const bool *replace, int natts)
{
	bool	   *nulls = palloc0(sizeof(bool) * natts);
	HeapTuple	tuple = heap_modify_tuple(scan->row, RelationGetDescr(scan->catalog), values, nulls,
										  unconstify(bool *, replace));

	CatalogTupleUpdate(scan->catalog, &tuple->t_self, tuple);
}

/* Close one open shard of a stream, or all (shard 0). */
static void
close_shards(int32 stream, int32 shard)
{
	RowScan		scan;
	Datum		values[Natts_shards] = {0};
	bool		replace[Natts_shards] = {false};

	values[Anum_shards_closed_at - 1] = TimestampTzGetDatum(clock_now());
	replace[Anum_shards_closed_at - 1] = true;
	scan_begin(&scan, "stream_shards", RowExclusiveLock, F_INT4EQ, Int32GetDatum(stream));
	while (scan_next(&scan))
	{
		if (scan_int8(&scan, Anum_shards_closed_at) == 0 &&
			(shard == 0 || scan_int4(&scan, Anum_shards_shard_id) == shard))
			update_row(&scan, values, replace, Natts_shards);
	}
	scan_end(&scan, NoLock);
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
	RowScan		scan;
	Datum		values[Natts_streams] = {0};
	List	   *enabled = NIL;
	ListCell   *cell;

	values[Anum_streams_relation - 1] = ObjectIdGetDatum(InvalidOid);
	values[Anum_streams_disabled_at - 1] = TimestampTzGetDatum(clock_now());
	scan_begin(&scan, "streams", RowExclusiveLock, F_OIDEQ, ObjectIdGetDatum(relation));
	while (scan_next(&scan))
	{
		bool		replace[Natts_streams] = {false};
		bool		is_enabled = scan_int8(&scan, Anum_streams_disabled_at) == 0;

		replace[Anum_streams_relation - 1] = dropped;
		replace[Anum_streams_disabled_at - 1] = is_enabled;
		if (is_enabled)
			enabled = lappend_int(enabled, scan_int4(&scan, Anum_streams_stream_id));
		if (is_enabled || dropped)
			update_row(&scan, values, replace, Natts_streams);
	}
	scan_end(&scan, NoLock);
	CommandCounterIncrement();

	foreach(cell, enabled)
		close_shards(lfirst_int(cell), 0);
	if (!dropped)
		CacheInvalidateRelcacheByRelid(relation);
}

void
catalog_delete_old_streams(TimestampTz before)
{
	RowScan		scan;
	int64		time;

	scan_begin(&scan, "streams", RowExclusiveLock, InvalidOid, (Datum) 0);
	while (scan_next(&scan))
	{
		time = scan_int8(&scan, Anum_streams_disabled_at);
		if (time != 0 && time < before)
			CatalogTupleDelete(scan.catalog, &scan.row->t_self);
	}
	scan_end(&scan, NoLock);

	scan_begin(&scan, "stream_shards", RowExclusiveLock, InvalidOid, (Datum) 0);
	while (scan_next(&scan))
	{
		time = scan_int8(&scan, Anum_shards_closed_at);
		if (time != 0 && time < before)
			CatalogTupleDelete(scan.catalog, &scan.row->t_self);
	}
	scan_end(&scan, NoLock);
	CommandCounterIncrement();
}
