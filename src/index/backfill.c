/*
 * backfill.c
 *		Filling a column of items that were there before it.
 *
 * The gate fills the column whenever a row is written, so a row is filled by
 * an update that changes nothing.  Only rows whose column does not hold what
 * the gate would put there are updated, so that a second pass costs a scan and
 * finds what the first had to leave.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "catalog/pg_inherits.h"
#include "executor/executor.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "storage/itemptr.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "index/backfill.h"
#include "item/item.h"
#include "tableam/tableam.h"

/* The relation in hand, with what is looked for in its rows. */
typedef struct Backfill
{
	const char *quoted;
	TableDescription *description;
	int			count;
	KeyAttribute **attributes;	/* whose columns are filled */
	const IndexDescription *index;
	BackfillCounts *counts;
} Backfill;

List *
backfill_relations(Oid relid, LOCKMODE lockmode)
{
	List	   *relations = NIL;
	ListCell   *cell;

	foreach(cell, find_all_inheritors(relid, lockmode, NULL))
	{
		if (RELKIND_HAS_STORAGE(get_rel_relkind(lfirst_oid(cell))))
			relations = lappend_oid(relations, lfirst_oid(cell));
	}
	return relations;
}

/*
 * Does the item have all keys of the index, but not such as it takes?
 */
static bool
violates(const Backfill *backfill, JsonbContainer *item)
{
	const IndexDescription *index = backfill->index;
	KeyAttribute *keys[2 * INDEX_KEY_ATTRIBUTES];
	int			count = 0;
	bool		fits = true;

	if (index == NULL)
		return false;
	for (int i = 0; i < index->partition_count; i++)
		keys[count++] = index->partition[i];
	for (int i = 0; i < index->sort_count; i++)
		keys[count++] = index->sort[i];
	for (int i = 0; i < count; i++)
	{
		JsonbValue	value;
		Datum		column;

		if (!attribute_get(item, keys[i]->name, keys[i]->name_length, &value))
			return false;
		fits &= gate_column_value(backfill->description, keys[i], item, &column);
	}
	return !fits || !gate_key_sizes_fit(index, item);
}

/* Does the relation have the column of time to live? */
static bool
ttl_filled(const TableDescription *description)
{
	return description->ttl != NULL && description->ttl->attnum != InvalidAttrNumber;
}

/* Its column is the last one that SPI has read. */
static bool
expiry_filled(const Backfill *backfill, JsonbContainer *item, HeapTuple tuple, TupleDesc tupdesc)
{
	bool		isnull;
	Datum		given = SPI_getbinval(tuple, tupdesc, tupdesc->natts, &isnull);
	int64		expiry;

	if (!gate_expiry(backfill->description->ttl, item, &expiry))
		return isnull;
	return !isnull && DatumGetInt64(given) == expiry;
}

/* Look at the row that SPI has read: ctid, item, the columns. */
static bool
needs_filling(const Backfill *backfill, HeapTuple tuple, TupleDesc tupdesc)
{
	bool		isnull;
	Datum		datum = SPI_getbinval(tuple, tupdesc, 2, &isnull);
	JsonbContainer *item;
	bool		filled = true;

	if (isnull)
		return false;
	item = &DatumGetJsonbP(datum)->root;
	for (int i = 0; i < backfill->count && filled; i++)
	{
		datum = SPI_getbinval(tuple, tupdesc, i + 3, &isnull);
		filled = gate_column_filled(backfill->description, backfill->attributes[i], item,
									datum, isnull);
	}
	if (filled && ttl_filled(backfill->description))
		filled = expiry_filled(backfill, item, tuple, tupdesc);
	backfill->counts->rows++;
	if (violates(backfill, item))
		backfill->counts->skipped++;
	return !filled;
}

/* Places of the rows that are to be filled. */
static ItemPointerData *
find_rows(const Backfill *backfill, BlockNumber begin, BlockNumber end, int *count)
{
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext row_context = AllocSetContextCreate(caller, "dynamo backfill row",
													  ALLOCSET_DEFAULT_SIZES);
	StringInfoData sql;
	ItemPointerData *places;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "SELECT ctid, item");
	for (int i = 0; i < backfill->count; i++)
		appendStringInfo(&sql, ", %s", backfill->attributes[i]->quoted);
	if (ttl_filled(backfill->description))
		appendStringInfo(&sql, ", %s", backfill->description->ttl->quoted);
	appendStringInfo(&sql, " FROM ONLY %s WHERE ctid OPERATOR(pg_catalog.>=) '(%u,0)'::pg_catalog.tid"
					 " AND ctid OPERATOR(pg_catalog.<) '(%u,0)'::pg_catalog.tid",
					 backfill->quoted, begin, end);
	if (SPI_execute(sql.data, false, 0) != SPI_OK_SELECT)
		elog(ERROR, "could not read the rows of %s", backfill->quoted);

	*count = 0;
	places = palloc(sizeof(ItemPointerData) * (SPI_processed + 1));
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		HeapTuple	tuple = SPI_tuptable->vals[i];
		bool		isnull;

		CHECK_FOR_INTERRUPTS();
		MemoryContextSwitchTo(row_context);
		if (needs_filling(backfill, tuple, SPI_tuptable->tupdesc))
			places[(*count)++] = *(ItemPointer) DatumGetPointer(SPI_getbinval(tuple, SPI_tuptable->tupdesc, 1, &isnull));
		MemoryContextSwitchTo(caller);
		MemoryContextReset(row_context);
	}
	SPI_freetuptable(SPI_tuptable);
	MemoryContextDelete(row_context);
	return places;
}

/*
 * Fill a row, unless somebody has it locked, or has updated it since it was
 * looked at: that has filled it.
 */
static bool
fill_row(Relation relation, ResultRelInfo *target, EState *estate, ItemPointer place,
		 TupleTableSlot *old, TupleTableSlot *new)
{
	TM_FailureData failure;

	if (table_tuple_lock(relation, place, GetActiveSnapshot(), old, estate->es_output_cid,
						 LockTupleNoKeyExclusive, LockWaitSkip, 0, &failure) != TM_Ok)
		return false;
	ExecCopySlot(new, old);
	ExecSimpleRelationUpdate(target, estate, NULL, old, new);
	ResetPerTupleExprContext(estate);
	return true;
}

/*
 * Past the triggers of the relation, for which nothing happens: the executor is
 * not told of them.  session_replication_role would do so for all relations,
 * and index expressions are users' code, which may write to others' tables.
 */
static int64
fill_rows(Relation relation, const ItemPointerData *places, int count)
{
	EState	   *estate = CreateExecutorState();
	ResultRelInfo *target = makeNode(ResultRelInfo);
	TupleTableSlot *old = table_slot_create(relation, NULL);
	TupleTableSlot *new = table_slot_create(relation, NULL);
	int64		filled = 0;

	estate->es_output_cid = GetCurrentCommandId(true);
	InitResultRelInfo(target, relation, 0, NULL, 0);
	target->ri_TrigDesc = NULL;
	ExecOpenIndices(target, false);
	for (int i = 0; i < count; i++)
	{
		ItemPointerData place = places[i];

		CHECK_FOR_INTERRUPTS();
		if (fill_row(relation, target, estate, &place, old, new))
			filled++;
	}
	ExecCloseIndices(target);
	ExecDropSingleTupleTableSlot(new);
	ExecDropSingleTupleTableSlot(old);
	FreeExecutorState(estate);
	CommandCounterIncrement();
	return filled;
}

static void
resolve_attributes(Backfill *backfill, List *names)
{
	ListCell   *cell;

	backfill->attributes = palloc(sizeof(KeyAttribute *) * (list_length(names) + 1));
	foreach(cell, names)
	{
		KeyAttribute *attribute = description_attribute(backfill->description, lfirst(cell),
														strlen(lfirst(cell)));

		if (attribute != NULL && attribute->attnum != InvalidAttrNumber && !attribute->table_key)
			backfill->attributes[backfill->count++] = attribute;
	}
}

static void
fill_range(Backfill *backfill, Relation relation, BlockNumber begin, BlockNumber end)
{
	ItemPointerData *places;
	int			count;

	SPI_connect();
	places = find_rows(backfill, begin, end, &count);
	if (count > 0)
		backfill->counts->left += count - fill_rows(relation, places, count);
	SPI_finish();
}

/*
 * The owner's constraints and index expressions run with the owner's rights,
 * not with those of whoever fills.  A policy that is forced on the owner would hide rows,
 * so it is an error instead.
 */
void
backfill_blocks(Relation relation, List *attributes, const char *index_name,
				BlockNumber begin, BlockNumber end, BackfillCounts *counts)
{
	Backfill	backfill = {.counts = counts};
	Oid			user;
	int			security;
	int			settings = NewGUCNestLevel();

	backfill.description = catalog_description(relation);
	if (backfill.description == NULL)
		elog(ERROR, "catalog of dynamo does not know relation \"%s\"",
			 RelationGetRelationName(relation));
	backfill.quoted = quote_qualified_identifier(get_namespace_name(RelationGetNamespace(relation)),
												 RelationGetRelationName(relation));
	if (index_name != NULL)
		backfill.index = description_index(backfill.description, index_name);
	resolve_attributes(&backfill, attributes);

	(void) set_config_option("row_security", "off", PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
	GetUserIdAndSecContext(&user, &security);
	SetUserIdAndSecContext(relation->rd_rel->relowner, security | SECURITY_RESTRICTED_OPERATION);
	gate_set_filling(RelationGetRelid(relation));
	PG_TRY();
	{
		fill_range(&backfill, relation, begin, end);
	}
	PG_FINALLY();
	{
		gate_set_filling(InvalidOid);
	}
	PG_END_TRY();
	SetUserIdAndSecContext(user, security);
	AtEOXact_GUC(false, settings);
}
