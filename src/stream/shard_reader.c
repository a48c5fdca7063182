/*
 * shard_reader.c
 *		Reading a shard: records in the order of commits, none skipped, none twice.
 *
 * Commits of a shard are looked at in the order of their numbers with a dirty
 * snapshot, up to the first that is in progress.  Nothing can appear before a
 * number that has been seen (see capture.c), so those before it are all there.
 * The bound is taken first: what is added during the scan is above it, so it
 * does not matter in which order tables and pages are visited.  A snapshot that
 * is taken afterwards sees all records of those transactions.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/relscan.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/twophase.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/fmgroids.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/xid8.h"

#include "clock.h"
#include "compat.h"
#include "stream/shard_reader.h"
#include "stream/ring.h"

#define LONGEST_COMMIT (INT64CONST(10) * 1000000)	/* microseconds */

/* A transaction whose records can be read. */
typedef struct Commit
{
	int64		number;
	FullTransactionId xid;
	int			slot;
} Commit;

/* Called per commit in order; false stops. */
typedef bool (*CommitReceiver) (const Commit *commit, void *argument);

static Datum
column(TupleTableSlot *slot, AttrNumber attnum)
{
	bool		isnull;

	return slot_getattr(slot, attnum, &isnull);
}

/*
 * Commits of one table with from <= number <= to.  True: went through to the
 * end; false: stopped by the receiver or by a transaction in progress.
 */
static bool
scan_commits_of(int slot, int32 shard, int64 from, int64 to, CommitReceiver receiver,
				void *argument)
{
	Relation	table = table_open(ring_table_oid(RING_COMMITS, slot), AccessShareLock);
	Relation	index = ring_open_index(table, AccessShareLock);
	TupleTableSlot *row = table_slot_create(table, NULL);
	SnapshotData dirty;
	IndexScanDesc scan;
	ScanKeyData keys[3];
	bool		complete = true;

	InitDirtySnapshot(dirty);
	ScanKeyInit(&keys[0], 1, BTEqualStrategyNumber, F_INT4EQ, Int32GetDatum(shard));
	ScanKeyInit(&keys[1], 2, BTGreaterEqualStrategyNumber, F_INT8GE, Int64GetDatum(from));
	ScanKeyInit(&keys[2], 2, BTLessEqualStrategyNumber, F_INT8LE, Int64GetDatum(to));
	scan = compat_index_beginscan(table, index, &dirty, 3, 0);
	index_rescan(scan, keys, 3, NULL, 0);
	while (complete && index_getnext_slot(scan, ForwardScanDirection, row))
	{
		Commit		commit;

		CHECK_FOR_INTERRUPTS();
		commit.number = DatumGetInt64(column(row, Anum_commit_number));
		commit.xid = DatumGetFullTransactionId(column(row, Anum_commit_xid));
		commit.slot = DatumGetInt16(column(row, Anum_commit_slot));
		complete = !TransactionIdIsValid(dirty.xmin) && receiver(&commit, argument);
	}
	index_endscan(scan);
	ExecDropSingleTupleTableSlot(row);
	index_close(index, AccessShareLock);
	table_close(table, AccessShareLock);
	return complete;
}

/*
 * The same over all tables.  A table may still hold numbers of its last round,
 * which are below its part of the range.
 */
static bool
scan_commits(int32 shard, int64 from, int64 to, CommitReceiver receiver, void *argument)
{
	int64		period = Max(from, to - (RING_SIZE - 1) * RING_PERIOD) / RING_PERIOD;

	for (; period <= to / RING_PERIOD; period++)
	{
		if (!scan_commits_of((int) (period % RING_SIZE), shard,
							 Max(from, period * RING_PERIOD),
							 Min(to, (period + 1) * RING_PERIOD - 1), receiver, argument))
			return false;
	}
	return true;
}

/* Commits to read records of, as many as records are wanted. */
typedef struct CommitList
{
	Commit	   *commits;
	int			count;
	int			allocated;
	int			limit;
} CommitList;

static bool
list_commit(const Commit *commit, void *argument)
{
	CommitList *list = argument;

	if (list->count == list->limit)
		return false;
	if (list->count == list->allocated)
	{
		list->allocated = Min(list->limit, Max(64, 2 * list->allocated));
		list->commits = list->commits == NULL ?
			palloc(list->allocated * sizeof(Commit)) :
			repalloc(list->commits, list->allocated * sizeof(Commit));
	}
	list->commits[list->count++] = *commit;
	return true;
}

/* A table of records under one snapshot, kept open while commits lead to it. */
typedef struct RecordScan
{
	int			slot;
	Relation	table;
	Relation	index;
	TupleTableSlot *row;
	IndexScanDesc scan;
} RecordScan;

static void
close_records(RecordScan *scan)
{
	if (scan->table == NULL)
		return;
	index_endscan(scan->scan);
	ExecDropSingleTupleTableSlot(scan->row);
	index_close(scan->index, AccessShareLock);
	table_close(scan->table, AccessShareLock);
	scan->table = NULL;
}

static void
open_records(RecordScan *scan, int slot, Snapshot snapshot)
{
	if (scan->table && scan->slot == slot)
		return;
	close_records(scan);
	scan->slot = slot;
	scan->table = table_open(ring_table_oid(RING_RECORDS, slot), AccessShareLock);
	scan->index = ring_open_index(scan->table, AccessShareLock);
	scan->row = table_slot_create(scan->table, NULL);
	scan->scan = compat_index_beginscan(scan->table, scan->index, snapshot, 3, 0);
}

static Jsonb *
jsonb_column(TupleTableSlot *row, AttrNumber attnum)
{
	bool		isnull;
	Datum		value = slot_getattr(row, attnum, &isnull);

	return isnull ? NULL : DatumGetJsonbP(value);
}

static void
fill_record(StreamRecord *record, TupleTableSlot *row, int64 number)
{
	record->position.number = number;
	record->position.counter = DatumGetInt32(column(row, Anum_record_counter));
	record->kind = DatumGetChar(column(row, Anum_record_kind));
	record->service = DatumGetBool(column(row, Anum_record_service));
	record->keys = jsonb_column(row, Anum_record_keys);
	record->old = jsonb_column(row, Anum_record_old);
	record->new = jsonb_column(row, Anum_record_new);
}

/*
 * Records of one commit behind the position.  False: stopped.
 */
static bool
read_commit(RecordScan *scan, const Commit *commit, int32 shard, StreamPosition *position,
			int *limit, MemoryContext scratch, RecordReceiver receiver, void *argument)
{
	int32		after = position->number == commit->number ? position->counter : 0;
	ScanKeyData keys[3];

	ScanKeyInit(&keys[0], 1, BTEqualStrategyNumber, F_XID8EQ, FullTransactionIdGetDatum(commit->xid));
	ScanKeyInit(&keys[1], 2, BTEqualStrategyNumber, F_INT4EQ, Int32GetDatum(shard));
	ScanKeyInit(&keys[2], 3, BTGreaterStrategyNumber, F_INT4GT, Int32GetDatum(after));
	index_rescan(scan->scan, keys, 3, NULL, 0);
	while (index_getnext_slot(scan->scan, ForwardScanDirection, scan->row))
	{
		MemoryContext caller = MemoryContextSwitchTo(scratch);
		StreamRecord record;
		bool		taken = *limit > 0;

		CHECK_FOR_INTERRUPTS();
		if (taken)
		{
			fill_record(&record, scan->row, commit->number);
			taken = receiver(&record, argument);
		}
		MemoryContextSwitchTo(caller);
		if (!taken)
			return false;
		*position = record.position;
		(*limit)--;
		MemoryContextReset(scratch);
	}
	position->number = commit->number;
	position->counter = POSITION_BEHIND;
	return true;
}

static bool
read_commits(const CommitList *list, int32 shard, StreamPosition *position, int limit,
			 RecordReceiver receiver, void *argument)
{
	Snapshot	snapshot = RegisterSnapshot(GetLatestSnapshot());
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "dynamo stream record",
												  ALLOCSET_DEFAULT_SIZES);
	RecordScan	scan = {0};
	bool		complete = true;

	for (int i = 0; complete && i < list->count; i++)
	{
		open_records(&scan, list->commits[i].slot, snapshot);
		complete = read_commit(&scan, &list->commits[i], shard, position, &limit, scratch,
							   receiver, argument);
	}
	close_records(&scan);
	MemoryContextDelete(scratch);
	UnregisterSnapshot(snapshot);
	return complete;
}

static bool
stop_at_once(const Commit *commit, void *argument)
{
	*(bool *) argument = true;
	return false;
}

bool
stream_has_commits(int32 shard, int64 from, int64 before)
{
	bool		found = false;

	if (from < before)
		scan_commits(shard, from, before - 1, stop_at_once, &found);
	return found;
}

ReadEnd
stream_read(int32 shard, StreamPosition *position, int limit, bool *trimmed,
			RecordReceiver receiver, void *argument)
{
	int64		horizon = ring_horizon(clock_microseconds());
	int64		last = ring_last_number(shard, Max(position->number - 1, horizon));
	CommitList	list = {0};
	int64		from = position->number;
	bool		complete;

	if (position->counter == POSITION_BEHIND)
		from++;
	if (trimmed)
		*trimmed = stream_has_commits(shard, from, horizon);
	if (from < horizon)
	{
		from = horizon;
		position->number = horizon;
		position->counter = 0;
	}
	if (last < from)
		return READ_ALL;

	/* one more than records are wanted, to know if these are all */
	list.limit = limit + 1;
	complete = scan_commits(shard, from, last, list_commit, &list);
	if (!read_commits(&list, shard, position, limit, receiver, argument))
		return READ_STOPPED;

	/* the list was full: there may be more although all in it has been read */
	return complete || list.count < list.limit ? READ_ALL : READ_STOPPED;
}

static bool
remember_number(const Commit *commit, void *argument)
{
	*(int64 *) argument = commit->number;
	return true;
}

bool
stream_advance(int32 shard, int64 *number)
{
	int64		before = *number;
	int64		last = ring_last_number(shard, before);

	scan_commits(shard, before + 1, last, remember_number, number);
	return *number > before;
}

static bool
prepared_transactions_exist(void)
{
	bool		exist;

	if (max_prepared_xacts == 0)
		return false;
	SPI_connect();
	if (SPI_execute("SELECT FROM pg_catalog.pg_prepared_xacts"
					" WHERE database OPERATOR(pg_catalog.=) pg_catalog.current_database()",
					true, 1) != SPI_OK_SELECT)
		elog(ERROR, "could not look for prepared transactions");
	exist = SPI_processed > 0;
	SPI_finish();
	return exist;
}

/*
 * A number stays in progress for as long as its commit lasts, unless it is that
 * of a prepared transaction; so usually the last few seconds tell.
 */
StreamPosition
stream_end_position(int32 shard)
{
	int64		now = clock_microseconds();
	int64		horizon = ring_horizon(now);
	StreamPosition position = {horizon, POSITION_BEHIND};

	if (!prepared_transactions_exist())
		position.number = Max(horizon, Min(ring_last_number(shard, horizon), now - LONGEST_COMMIT));
	(void) stream_advance(shard, &position.number);
	return position;
}

int64
stream_last_readable(const ShardRow *shard)
{
	return Max(shard->start, ring_last_number(shard->id, shard->start));
}
