/*
 * ttl.c
 *		The catalog's rows of tables whose items expire.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/indexing.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/timestamp.h"

#include "catalog/ttl.h"
#include "compat.h"

/* Columns as CREATE EXTENSION makes them. */
enum
{
	Anum_ttl_relation = 1,
	Anum_ttl_attribute,
	Anum_ttl_column_name,
	Anum_ttl_state,
	Anum_ttl_since,
	Anum_ttl_last_sweep,
	Anum_ttl_expired,
	Anum_ttl_last_error,
	Natts_ttl = Anum_ttl_last_error
};

/* Beside TtlState. */
static const char *const states[] = {"ENABLING", "ENABLED", "DISABLING", "DISABLED"};

/* ---- scans ---- */

typedef struct TtlScan
{
	Relation	catalog;
	SysScanDesc scan;
} TtlScan;

/*
 * With a snapshot of this moment, whatever the transaction's isolation level.
 * An invalid relation scans all rows.
 */
static void
scan_begin(TtlScan *scan, LOCKMODE lockmode, Oid relation)
{
	ScanKeyData key;

	scan->catalog = table_open(catalog_table_oid("ttl", false), lockmode);
	ScanKeyInit(&key, Anum_ttl_relation, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relation));
	if (OidIsValid(relation))
		scan->scan = systable_beginscan(scan->catalog, compat_primary_key_index(scan->catalog),
										true, NULL, 1, &key);
	else
		scan->scan = systable_beginscan(scan->catalog, InvalidOid, false, NULL, 0, NULL);
}

/* Locks of those who change rows stay until the end of the transaction. */
static void
scan_end(TtlScan *scan, LOCKMODE lockmode)
{
	systable_endscan(scan->scan);
	table_close(scan->catalog, lockmode == AccessShareLock ? lockmode : NoLock);
}

static TtlState
state_from_name(const char *name)
{
	for (int i = 0; i < lengthof(states); i++)
	{
		if (strcmp(states[i], name) == 0)
			return (TtlState) i;
	}
	elog(ERROR, "catalog of dynamo has unknown state \"%s\" of time to live", name);
}

static void
read_row(const TtlScan *scan, HeapTuple tuple, TtlRow *row)
{
	Datum		values[Natts_ttl];
	bool		nulls[Natts_ttl];

	heap_deform_tuple(tuple, RelationGetDescr(scan->catalog), values, nulls);
	row->relation = DatumGetObjectId(values[Anum_ttl_relation - 1]);
	row->attribute = TextDatumGetCString(values[Anum_ttl_attribute - 1]);
	row->column = pstrdup(NameStr(*DatumGetName(values[Anum_ttl_column_name - 1])));
	row->state = state_from_name(TextDatumGetCString(values[Anum_ttl_state - 1]));
	row->since = DatumGetTimestampTz(values[Anum_ttl_since - 1]);
	row->last_sweep = nulls[Anum_ttl_last_sweep - 1] ? 0 :
		DatumGetTimestampTz(values[Anum_ttl_last_sweep - 1]);
	row->expired = DatumGetInt64(values[Anum_ttl_expired - 1]);
	row->last_error = nulls[Anum_ttl_last_error - 1] ? NULL :
		TextDatumGetCString(values[Anum_ttl_last_error - 1]);
}

/* ---- reading ---- */

bool
catalog_read_ttl(Oid relation, TtlRow *row)
{
	TtlScan		scan;
	HeapTuple	tuple;
	bool		found;

	scan_begin(&scan, AccessShareLock, relation);
	tuple = systable_getnext(scan.scan);
	found = HeapTupleIsValid(tuple);
	if (found)
		read_row(&scan, tuple, row);
	scan_end(&scan, AccessShareLock);
	return found;
}

static int
compare_last_sweeps(const ListCell *a, const ListCell *b)
{
	const TtlRow *left = lfirst(a);
	const TtlRow *right = lfirst(b);

	return left->last_sweep < right->last_sweep ? -1 : left->last_sweep > right->last_sweep;
}

List *
catalog_read_all_ttl(void)
{
	TtlScan		scan;
	HeapTuple	tuple;
	List	   *rows = NIL;

	scan_begin(&scan, AccessShareLock, InvalidOid);
	while (HeapTupleIsValid(tuple = systable_getnext(scan.scan)))
	{
		TtlRow	   *row = palloc(sizeof(TtlRow));

		read_row(&scan, tuple, row);
		rows = lappend(rows, row);
	}
	scan_end(&scan, AccessShareLock);
	list_sort(rows, compare_last_sweeps);
	return rows;
}

TtlDescription *
catalog_load_ttl(Oid relation)
{
	TtlRow		row;
	TtlDescription *ttl;

	if (!catalog_read_ttl(relation, &row) || row.state >= TTL_DISABLING)
		return NULL;
	ttl = palloc0(sizeof(TtlDescription));
	ttl->name = unconstify(char *, row.attribute);
	ttl->name_length = strlen(row.attribute);
	ttl->column = unconstify(char *, row.column);
	ttl->quoted = pstrdup(quote_identifier(row.column));
	return ttl;
}

/* ---- changing ---- */

static bool
same_for_gate(const TtlRow *a, const TtlRow *b)
{
	return a->state == b->state && strcmp(a->attribute, b->attribute) == 0 &&
		strcmp(a->column, b->column) == 0;
}

void
catalog_put_ttl(const TtlRow *row)
{
	Datum		values[Natts_ttl] = {0};
	bool		nulls[Natts_ttl] = {false};
	bool		replace[Natts_ttl];
	NameData	column;
	TtlScan		scan;
	HeapTuple	tuple;
	TtlRow		before;

	namestrcpy(&column, row->column);
	values[Anum_ttl_relation - 1] = ObjectIdGetDatum(row->relation);
	values[Anum_ttl_attribute - 1] = CStringGetTextDatum(row->attribute);
	values[Anum_ttl_column_name - 1] = NameGetDatum(&column);
	values[Anum_ttl_state - 1] = CStringGetTextDatum(states[row->state]);
	values[Anum_ttl_since - 1] = TimestampTzGetDatum(row->since);
	values[Anum_ttl_last_sweep - 1] = TimestampTzGetDatum(row->last_sweep);
	nulls[Anum_ttl_last_sweep - 1] = row->last_sweep == 0;
	values[Anum_ttl_expired - 1] = Int64GetDatum(row->expired);
	nulls[Anum_ttl_last_error - 1] = row->last_error == NULL;
	if (row->last_error != NULL)
		values[Anum_ttl_last_error - 1] = CStringGetTextDatum(row->last_error);

	scan_begin(&scan, RowExclusiveLock, row->relation);
	tuple = systable_getnext(scan.scan);
	if (HeapTupleIsValid(tuple))
	{
		read_row(&scan, tuple, &before);
		memset(replace, true, sizeof(replace));
		tuple = heap_modify_tuple(tuple, RelationGetDescr(scan.catalog), values, nulls, replace);
		CatalogTupleUpdate(scan.catalog, &tuple->t_self, tuple);
		if (!same_for_gate(&before, row))
			CacheInvalidateRelcacheByRelid(row->relation);
	}
	else
	{
		CatalogTupleInsert(scan.catalog, heap_form_tuple(RelationGetDescr(scan.catalog), values, nulls));
		CacheInvalidateRelcacheByRelid(row->relation);
	}
	scan_end(&scan, RowExclusiveLock);
	CommandCounterIncrement();
}
