/*
 * ring.c
 *		The tables that hold stream records.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/itup.h"
#include "access/relscan.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "catalog/pg_index.h"
#include "commands/trigger.h"
#include "fmgr.h"
#include "utils/fmgroids.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "catalog/description.h"
#include "clock.h"
#include "compat.h"
#include "stream/ring.h"

PG_FUNCTION_INFO_V1(stream_keep_away);

Datum
stream_keep_away(PG_FUNCTION_ARGS)
{
	if (!CALLED_AS_TRIGGER(fcinfo) ||
		!TRIGGER_FIRED_BEFORE(((TriggerData *) fcinfo->context)->tg_event) ||
		!TRIGGER_FIRED_FOR_ROW(((TriggerData *) fcinfo->context)->tg_event))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("function \"stream_keep_away\" must be called BEFORE and FOR EACH ROW")));
	return PointerGetDatum(NULL);
}

Oid
ring_table_oid(RingKind kind, int slot)
{
	char		name[NAMEDATALEN];

	snprintf(name, sizeof(name), "stream_%s_%d", kind == RING_RECORDS ? "records" : "commits", slot);
	return catalog_table_oid(name, false);
}

static bool
is_partial(Relation index)
{
	return !heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, NULL);
}

Relation
ring_open_index(Relation table, LOCKMODE lockmode)
{
	List	   *indexes = RelationGetIndexList(table);
	ListCell   *cell;

	foreach(cell, indexes)
	{
		Relation	index = index_open(lfirst_oid(cell), lockmode);

		if (!is_partial(index) && index->rd_index->indisvalid)
			return index;
		index_close(index, lockmode);
	}
	elog(ERROR, "relation \"%s\" has lost its index", RelationGetRelationName(table));
}

/*
 * The index that tells commits of records in another table of the ring has an
 * entry for such rows only.
 */
static void
append_to_index(Relation table, Relation index, HeapTuple tuple, const Datum *values,
				const bool *nulls)
{
	Datum		key[INDEX_MAX_KEYS];
	bool		key_nulls[INDEX_MAX_KEYS];

	for (int i = 0; i < index->rd_index->indnatts; i++)
	{
		key[i] = values[index->rd_index->indkey.values[i] - 1];
		key_nulls[i] = nulls[index->rd_index->indkey.values[i] - 1];
	}
	index_insert(index, key, key_nulls, &tuple->t_self, table, UNIQUE_CHECK_NO, false, NULL);
}

void
ring_append(RingKind kind, int slot, Datum *values, bool *nulls)
{
	Relation	table = table_open(ring_table_oid(kind, slot), RowExclusiveLock);
	HeapTuple	tuple = heap_form_tuple(RelationGetDescr(table), values, nulls);
	bool		elsewhere = kind == RING_COMMITS &&
	DatumGetInt16(values[Anum_commit_slot - 1]) != slot;
	ListCell   *cell;

	heap_insert(table, tuple, GetCurrentCommandId(true), HEAP_INSERT_NO_LOGICAL, NULL);
	foreach(cell, RelationGetIndexList(table))
	{
		Relation	index = index_open(lfirst_oid(cell), RowExclusiveLock);

		if (!is_partial(index) || elsewhere)
			append_to_index(table, index, tuple, values, nulls);
		index_close(index, NoLock);
	}
	heap_freetuple(tuple);
	table_close(table, NoLock);
}

/*
 * The index alone answers: an entry is there from before the shard's lock was
 * let go.
 */
static int64
last_number_in(int slot, int32 shard, int64 after)
{
	Relation	table = table_open(ring_table_oid(RING_COMMITS, slot), AccessShareLock);
	Relation	index = ring_open_index(table, AccessShareLock);
	IndexScanDesc scan;
	ScanKeyData keys[2];
	int64		number = 0;

	ScanKeyInit(&keys[0], 1, BTEqualStrategyNumber, F_INT4EQ, Int32GetDatum(shard));
	ScanKeyInit(&keys[1], 2, BTGreaterStrategyNumber, F_INT8GT, Int64GetDatum(after));
	scan = compat_index_beginscan(table, index, SnapshotAny, 2, 0);
	scan->xs_want_itup = true;
	index_rescan(scan, keys, 2, NULL, 0);
	if (index_getnext_tid(scan, BackwardScanDirection) != NULL)
	{
		bool		isnull;

		number = DatumGetInt64(index_getattr(scan->xs_itup, 2, scan->xs_itupdesc, &isnull));
	}
	index_endscan(scan);
	index_close(index, AccessShareLock);
	table_close(table, AccessShareLock);
	return number;
}

/*
 * Numbers grow from table to table, so the latest table that has one has the
 * last.  The table after the present one is looked at because the clock may
 * have been set back over the border of two periods.
 */
int64
ring_last_number(int32 shard, int64 after)
{
	int64		period = clock_microseconds() / RING_PERIOD + 1;
	int64		oldest = Max(after / RING_PERIOD, period - RING_SIZE + 1);

	for (; period >= oldest; period--)
	{
		int64		number = last_number_in((int) (period % RING_SIZE), shard,
											Max(after, (period - 1) * RING_PERIOD));

		if (number != 0)
			return number;
	}
	return 0;
}
