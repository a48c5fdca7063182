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
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "storage/itemptr.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

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
backfill_relations(Oid relid)
{
	List	   *relations = NIL;
	ListCell   *cell;

	foreach(cell, find_all_inheritors(relid, AccessShareLock, NULL))
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

/*
 * Places of the rows that are to be filled, as an array of tid; NULL if there
 * is none.
 */
static ArrayType *
find_rows(const Backfill *backfill, BlockNumber begin, BlockNumber end, int *count)
{
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext row_context = AllocSetContextCreate(caller, "dynamo backfill row",
													  ALLOCSET_DEFAULT_SIZES);
	StringInfoData sql;
	ArrayType  *array;
	Datum	   *places;

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
	places = palloc(sizeof(Datum) * (SPI_processed + 1));
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		HeapTuple	tuple = SPI_tuptable->vals[i];
		bool		isnull;

		CHECK_FOR_INTERRUPTS();
		MemoryContextSwitchTo(row_context);
		if (needs_filling(backfill, tuple, SPI_tuptable->tupdesc))
			places[(*count)++] = SPI_getbinval(tuple, SPI_tuptable->tupdesc, 1, &isnull);
		MemoryContextSwitchTo(caller);
		MemoryContextReset(row_context);
	}
	array = *count == 0 ? NULL :
		construct_array(places, *count, TIDOID, sizeof(ItemPointerData), false, TYPALIGN_SHORT);
	SPI_freetuptable(SPI_tuptable);
	MemoryContextDelete(row_context);
	return array;
}

/*
 * A row that was updated since it was looked at has been filled by that, and is
 * not at its place any more.
 */
static int64
fill_rows(const Backfill *backfill, ArrayType *places)
{
	Oid			type = TIDARRAYOID;
	Datum		argument = PointerGetDatum(places);
	char	   *sql = psprintf("UPDATE ONLY %s SET item = item WHERE ctid OPERATOR(pg_catalog.=) ANY"
							   " (ARRAY(SELECT ctid FROM ONLY %s WHERE ctid OPERATOR(pg_catalog.=) ANY ($1)"
							   " FOR NO KEY UPDATE SKIP LOCKED))",
							   backfill->quoted, backfill->quoted);

	if (SPI_execute_with_args(sql, 1, &type, &argument, NULL, false, 0) != SPI_OK_UPDATE)
		elog(ERROR, "could not fill the rows of %s", backfill->quoted);
	return SPI_processed;
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
fill_range(Backfill *backfill, BlockNumber begin, BlockNumber end)
{
	ArrayType  *places;
	int			count;

	SPI_connect();
	places = find_rows(backfill, begin, end, &count);
	if (places != NULL)
		backfill->counts->left += count - fill_rows(backfill, places);
	SPI_finish();
}

/*
 * The owner's triggers, constraints and index expressions run with the owner's
 * rights, not with those of whoever fills; user triggers do not see an update
 * that changes nothing.  A policy that is forced on the owner would hide rows,
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

	(void) set_config_option("session_replication_role", "replica", PGC_SUSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
	(void) set_config_option("row_security", "off", PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
	GetUserIdAndSecContext(&user, &security);
	SetUserIdAndSecContext(relation->rd_rel->relowner, security | SECURITY_RESTRICTED_OPERATION);
	gate_set_filling(true);
	PG_TRY();
	{
		fill_range(&backfill, begin, end);
	}
	PG_FINALLY();
	{
		gate_set_filling(false);
	}
	PG_END_TRY();
	SetUserIdAndSecContext(user, security);
	AtEOXact_GUC(false, settings);
}
