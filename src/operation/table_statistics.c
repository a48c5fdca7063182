/*
 * table_statistics.c
 *		ItemCount, TableSizeBytes and their like.
 */
#include "postgres.h"

#include "access/table.h"
#include "access/tableam.h"
#include "catalog/pg_inherits.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/acl.h"
#include "utils/memutils.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"

#include "item/item.h"
#include "operation/table_statistics.h"
#include "tableam/collection.h"

/* A relation of at most this size, TOAST included, is counted row by row. */
#define COUNTED_BYTES	(1024 * 1024)

static bool
has_storage(Relation relation)
{
	return RELKIND_HAS_STORAGE(relation->rd_rel->relkind);
}

/*
 * May the current role learn the number of rows from reading them?
 */
static bool
may_count(Relation relation)
{
	Oid			relid = RelationGetRelid(relation);

	return pg_class_aclcheck(relid, GetUserId(), ACL_SELECT) == ACLCHECK_OK &&
		check_enable_rls(relid, InvalidOid, true) != RLS_ENABLED;
}

static bool
in_index(const IndexDescription *index, TupleTableSlot *slot)
{
	if (!index->active)
		return false;
	for (int i = 0; i < index->partition_count; i++)
	{
		if (slot_attisnull(slot, index->partition[i]->attnum))
			return false;
	}
	for (int i = 0; i < index->sort_count; i++)
	{
		if (slot_attisnull(slot, index->sort[i]->attnum))
			return false;
	}
	return true;
}

static void
count_row(const TableDescription *description, TupleTableSlot *slot,
		  TableSize *table_size, TableSize *index_sizes)
{
	bool		isnull;
	Datum		datum = slot_getattr(slot, description->item_attnum, &isnull);
	JsonbContainer *item;

	if (isnull)
		return;
	item = &DatumGetJsonbP(datum)->root;
	table_size->items++;
	table_size->bytes += item_size(item);
	for (int i = 0; i < description->index_count; i++)
	{
		if (!in_index(&description->indexes[i], slot))
			continue;
		index_sizes[i].items++;
		index_sizes[i].bytes += index_entry_size(description, &description->indexes[i], item);
	}
}

static void
count_rows(Relation relation, const TableDescription *description,
		   TableSize *table_size, TableSize *index_sizes)
{
	TupleTableSlot *slot = table_slot_create(relation, NULL);
	MemoryContext row_context = AllocSetContextCreate(CurrentMemoryContext, "dynamo item count",
													  ALLOCSET_DEFAULT_SIZES);
	Snapshot	snapshot = RegisterSnapshot(GetTransactionSnapshot());
	TableScanDesc scan = table_beginscan(relation, snapshot, 0, NULL);

	while (table_scan_getnextslot(scan, ForwardScanDirection, slot))
	{
		MemoryContext caller = MemoryContextSwitchTo(row_context);

		CHECK_FOR_INTERRUPTS();
		count_row(description, slot, table_size, index_sizes);
		MemoryContextSwitchTo(caller);
		MemoryContextReset(row_context);
	}
	table_endscan(scan);
	UnregisterSnapshot(snapshot);
	ExecDropSingleTupleTableSlot(slot);
	MemoryContextDelete(row_context);
}

/*
 * Bytes of a relation with storage, its TOAST table included.
 */
static int64
stored_bytes(Relation relation)
{
	int64		bytes = table_relation_size(relation, MAIN_FORKNUM);
	Oid			toast = relation->rd_rel->reltoastrelid;

	if (OidIsValid(toast))
	{
		Relation	toast_relation = table_open(toast, AccessShareLock);

		bytes += table_relation_size(toast_relation, MAIN_FORKNUM);
		table_close(toast_relation, AccessShareLock);
	}
	return bytes;
}

/*
 * The same of all partitions.
 */
static int64
partitions_bytes(Relation relation)
{
	int64		bytes = 0;
	ListCell   *cell;

	foreach(cell, find_all_inheritors(RelationGetRelid(relation), AccessShareLock, NULL))
	{
		Relation	partition = table_open(lfirst_oid(cell), NoLock);

		if (has_storage(partition))
			bytes += stored_bytes(partition);
		table_close(partition, NoLock);
	}
	return bytes;
}

/*
 * Rows by the planner's statistics, bytes by the files.  What share of them an
 * index has is not known without reading, so indexes are taken to hold all.
 */
static void
estimate(Relation relation, const TableDescription *description, TableSize *table_size,
		 TableSize *index_sizes)
{
	double		tuples = relation->rd_rel->reltuples;

	if (has_storage(relation))
	{
		double		pages = relation->rd_rel->relpages;

		table_size->bytes = stored_bytes(relation);
		if (tuples > 0 && pages > 0)
			tuples *= RelationGetNumberOfBlocks(relation) / pages;	/* grown or shrunk since */
	}
	else
		table_size->bytes = partitions_bytes(relation);
	table_size->items = tuples > 0 ? (int64) tuples : 0;
	for (int i = 0; i < description->index_count; i++)
		index_sizes[i] = *table_size;
}

void
table_statistics(Relation relation, const TableDescription *description,
				 TableSize *table_size, TableSize *index_sizes)
{
	memset(table_size, 0, sizeof(TableSize));
	memset(index_sizes, 0, sizeof(TableSize) * description->index_count);

	if (has_storage(relation) && may_count(relation) && stored_bytes(relation) <= COUNTED_BYTES)
		count_rows(relation, description, table_size, index_sizes);
	else
		estimate(relation, description, table_size, index_sizes);
}
