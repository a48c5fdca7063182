/*
 * collection.c
 *		The sizes of item collections.
 */
#include "postgres.h"

#include "access/table.h"
#include "access/tableam.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "common/hashfn.h"
#include "common/pg_prng.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "storage/lock.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"
#include "utils/hsearch.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "catalog/catalog_scan.h"
#include "compat.h"
#include "errors.h"
#include "guc.h"
#include "item/item.h"
#include "tableam/collection.h"

#define LIMIT_GRAINS	4096	/* grains in the limit */
#define FOLD_ROWS		256		/* rows of one collection that are made one */

#define SIZES			"collection_sizes"

/* Columns of that table, as dynamo--1.0.sql creates it. */
enum
{
	SIZES_RELATION = 1,
	SIZES_COLLECTION,
	SIZES_ID,
	SIZES_BYTES
};
#define SIZES_COLUMNS SIZES_BYTES

static int64
limit_bytes(void)
{
	return (int64) dynamo_item_collection_limit * 1024;
}

static int64
grain(void)
{
	return Max(1, limit_bytes() / LIMIT_GRAINS);
}

/* ---- sizes of items ---- */

/* Bytes of one attribute of an item, name and value; 0 if it has none. */
static int64
attribute_bytes_of(JsonbContainer *item, const char *name)
{
	JsonbValue	value;
	int			length = strlen(name);

	if (!attribute_get(item, name, length, &value))
		return 0;
	return item_string_size(name, length) + attribute_value_size(&value);
}

int64
index_entry_size(const TableDescription *description, const IndexDescription *index,
				 JsonbContainer *item)
{
	int64		size = 0;
	ListCell   *cell;

	if (index->projection == PROJECT_ALL)
		return item_size(item);

	for (int i = 0; i < description->attribute_count; i++)
	{
		KeyAttribute *attribute = &description->attributes[i];
		bool		projected = attribute->table_key;

		for (int j = 0; j < index->partition_count; j++)
			projected |= index->partition[j] == attribute;
		for (int j = 0; j < index->sort_count; j++)
			projected |= index->sort[j] == attribute;
		if (projected)
			size += attribute_bytes_of(item, attribute->name);
	}
	foreach(cell, index->included)
		size += attribute_bytes_of(item, lfirst(cell));
	return size;
}

/* The item, and its entries in local indexes. */
static int64
size_in_collection(const TableDescription *description, JsonbContainer *item)
{
	int64		size = item_size(item);

	for (int i = 0; i < description->index_count; i++)
	{
		const IndexDescription *index = &description->indexes[i];
		JsonbValue	value;

		if (index->kind == INDEX_LOCAL &&
			attribute_get(item, index->sort[0]->name, index->sort[0]->name_length, &value))
			size += index_entry_size(description, index, item);
	}
	return size;
}

/* ---- rows ---- */

/* A collection is known by a hash of its key's column value. */
static int64
collection_of(const TableDescription *description, Datum partition)
{
	struct varlena *bytes;

	if (description->partition->type == ATTRIBUTE_N)
		return DatumGetInt64(DirectFunctionCall2(hash_numeric_extended, partition, Int64GetDatum(0)));
	bytes = PG_DETOAST_DATUM_PACKED(partition);
	return (int64) hash_bytes_extended((unsigned char *) VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes), 0);
}

static void
insert_row(Oid root, int64 collection, int64 bytes)
{
	Datum		values[SIZES_COLUMNS];
	bool		nulls[SIZES_COLUMNS] = {false};

	values[SIZES_RELATION - 1] = ObjectIdGetDatum(root);
	values[SIZES_COLLECTION - 1] = Int64GetDatum(collection);
	values[SIZES_ID - 1] = Int64GetDatum((int64) pg_prng_uint64(&pg_global_prng_state));
	values[SIZES_BYTES - 1] = Int64GetDatum(bytes);
	catalog_insert_row(SIZES, values, nulls);
}

static void
scan_collection(CatalogScan *scan, LOCKMODE lockmode, Oid root, int64 collection)
{
	ScanKeyData keys[2];

	ScanKeyInit(&keys[0], SIZES_RELATION, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(root));
	ScanKeyInit(&keys[1], SIZES_COLLECTION, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(collection));
	catalog_scan_begin(scan, SIZES, lockmode, keys, lengthof(keys));
}

static int64
sum_rows(Oid root, int64 collection, int *count)
{
	CatalogScan scan;
	int64		sum = 0;

	*count = 0;
	scan_collection(&scan, AccessShareLock, root, collection);
	while (catalog_scan_next(&scan))
	{
		sum += catalog_scan_int64(&scan, SIZES_BYTES);
		(*count)++;
	}
	catalog_scan_end(&scan);
	return sum;
}

/*
 * Make one row of many, unless somebody else is at it.  Others see the many
 * until we commit: the same sum.
 */
static void
fold_rows(Oid root, int64 collection)
{
	LOCKTAG		tag;
	CatalogScan scan;
	int64		sum = 0;

	SET_LOCKTAG_OBJECT(tag, MyDatabaseId, catalog_table_oid(SIZES, false), (uint32) collection, (uint16) root);
	if (LockAcquire(&tag, ExclusiveLock, false, true) == LOCKACQUIRE_NOT_AVAIL)
		return;
	InvalidateCatalogSnapshot();	/* what the one before us has folded */
	scan_collection(&scan, RowExclusiveLock, root, collection);
	while (catalog_scan_next(&scan))
	{
		sum += catalog_scan_int64(&scan, SIZES_BYTES);
		catalog_scan_delete(&scan);
	}
	catalog_scan_end(&scan);
	if (sum != 0)
		insert_row(root, collection, sum);
}

/* The part of a change that is noted: see the head of collection.h. */
static int64
noted_change(int64 change)
{
	int64		size = change < 0 ? -change : change;
	int64		least = grain();

	if (size >= least)
		return change;
	if (pg_prng_double(&pg_global_prng_state) * least >= size)
		return 0;
	return change < 0 ? -least : least;
}

static void
note_change(const TableDescription *description, int64 collection, int64 change)
{
	int64		noted = noted_change(change);

	if (change < 0 && noted == 0)
		return;

	if (change > 0)
	{
		int			count;
		int64		sum = sum_rows(description->root, collection, &count);

		if (sum + noted > limit_bytes())
			dynamo_error(ITEM_COLLECTION_SIZE_LIMIT, "Collection size exceeded.");
		if (count >= FOLD_ROWS)
			fold_rows(description->root, collection);
	}
	if (noted != 0)
		insert_row(description->root, collection, noted);
}

/* ---- changes of rows ---- */

typedef struct Member
{
	int64		collection;
	int64		bytes;
} Member;

static void
take_member(const TableDescription *description, TupleTableSlot *slot, Member *member)
{
	bool		isnull;
	Datum		item;

	member->collection = collection_of(description,
									   slot_getattr(slot, description->partition->attnum, &isnull));
	item = slot_getattr(slot, description->item_attnum, &isnull);
	member->bytes = size_in_collection(description, &DatumGetJsonbP(item)->root);
}

static MemoryContext
enter_scratch(void)
{
	static MemoryContext scratch = NULL;

	if (scratch == NULL)
		scratch = AllocSetContextCreate(TopMemoryContext, "dynamo item collection", ALLOCSET_DEFAULT_SIZES);
	MemoryContextReset(scratch);
	return MemoryContextSwitchTo(scratch);
}

/* The version that this command has ended: nobody can have vacuumed it away. */
static void
take_old_member(const TableDescription *description, Relation relation, ItemPointer tid, Member *member)
{
	TupleTableSlot *slot = table_slot_create(relation, NULL);

	if (!table_tuple_fetch_row_version(relation, tid, SnapshotAny, slot))
		elog(ERROR, "old version of a row of \"%s\" is gone", RelationGetRelationName(relation));
	take_member(description, slot, member);
	ExecDropSingleTupleTableSlot(slot);
}

void
collection_insert(const TableDescription *description, TupleTableSlot *slot)
{
	MemoryContext caller = enter_scratch();
	Member		new;

	take_member(description, slot, &new);
	note_change(description, new.collection, new.bytes);
	MemoryContextSwitchTo(caller);
}

void
collection_update(const TableDescription *description, Relation relation, ItemPointer old_tid,
				  TupleTableSlot *slot)
{
	MemoryContext caller = enter_scratch();
	Member		old;
	Member		new;

	take_old_member(description, relation, old_tid, &old);
	take_member(description, slot, &new);
	if (old.collection != new.collection)
	{
		note_change(description, old.collection, -old.bytes);
		note_change(description, new.collection, new.bytes);
	}
	else if (old.bytes != new.bytes)
		note_change(description, new.collection, new.bytes - old.bytes);
	MemoryContextSwitchTo(caller);
}

void
collection_delete(const TableDescription *description, Relation relation, ItemPointer tid)
{
	MemoryContext caller = enter_scratch();
	Member		old;

	take_old_member(description, relation, tid, &old);
	note_change(description, old.collection, -old.bytes);
	MemoryContextSwitchTo(caller);
}

int64
collection_size(const TableDescription *description, JsonbContainer *item)
{
	JsonbValue	partition;
	Datum		column;
	int64		sum;
	int			count;

	if (!attribute_get(item, description->partition->name, description->partition->name_length, &partition))
		return 0;
	column = description_column_value(description, description->partition, &partition);
	sum = sum_rows(description->root, collection_of(description, column), &count);
	return Max(sum, 0);
}

/* ---- counting anew ---- */

static void
count_relation(Relation relation, HTAB *sums)
{
	TableDescription *description = catalog_description(relation);
	TupleTableSlot *slot = table_slot_create(relation, NULL);
	Snapshot	snapshot = RegisterSnapshot(GetLatestSnapshot());
	TableScanDesc scan = table_beginscan(relation, snapshot, 0, NULL);

	while (table_scan_getnextslot(scan, ForwardScanDirection, slot))
	{
		MemoryContext caller = enter_scratch();
		Member		member;
		Member	   *sum;
		bool		found;

		CHECK_FOR_INTERRUPTS();
		take_member(description, slot, &member);
		sum = hash_search(sums, &member.collection, HASH_ENTER, &found);
		sum->bytes = found ? sum->bytes + member.bytes : member.bytes;
		MemoryContextSwitchTo(caller);
	}
	table_endscan(scan);
	UnregisterSnapshot(snapshot);
	ExecDropSingleTupleTableSlot(slot);
}

static HTAB *
count_collections(Oid root)
{
	HASHCTL		control = {.keysize = sizeof(int64),.entrysize = sizeof(Member),.hcxt = CurrentMemoryContext};
	HTAB	   *sums = hash_create("dynamo item collections", 1024, &control,
								   HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	ListCell   *cell;

	foreach(cell, find_all_inheritors(root, ShareRowExclusiveLock, NULL))
	{
		Relation	relation = table_open(lfirst_oid(cell), NoLock);

		if (RELKIND_HAS_STORAGE(relation->rd_rel->relkind))
			count_relation(relation, sums);
		table_close(relation, NoLock);
	}
	return sums;
}

static void
replace_rows(Oid root, HTAB *sums)
{
	CatalogScan scan;
	HASH_SEQ_STATUS status;
	Member	   *sum;

	catalog_scan_relation(&scan, SIZES, RowExclusiveLock, root);
	while (catalog_scan_next(&scan))
		catalog_scan_delete(&scan);
	catalog_scan_end(&scan);

	hash_seq_init(&status, sums);
	while ((sum = hash_seq_search(&status)) != NULL)
	{
		if (sum->bytes >= grain())
			insert_row(root, sum->collection, sum->bytes);
	}
}

/*
 * dynamo.recount_item_collections(relation regclass) returns void
 */
PG_FUNCTION_INFO_V1(dynamo_recount_item_collections);
Datum
dynamo_recount_item_collections(PG_FUNCTION_ARGS)
{
	Oid			relid = PG_GETARG_OID(0);
	Relation	relation;

	/* before the lock, which would make others wait */
	if (!compat_owns_relation(relid, GetUserId()))
		aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_TABLE, get_rel_name(relid));
	relation = table_open(relid, ShareRowExclusiveLock);
	if (has_collections(catalog_description(relation)))
		replace_rows(relid, count_collections(relid));
	table_close(relation, NoLock);
	PG_RETURN_VOID();
}
