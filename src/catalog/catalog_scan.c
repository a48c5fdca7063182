/*
 * catalog_scan.c
 *		Rows of the extension's own catalog: found, read and changed.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/indexing.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"

#include "catalog/catalog_scan.h"
#include "catalog/description.h"
#include "compat.h"

/* ---- scans ---- */

void
catalog_scan_begin(CatalogScan *scan, const char *table, LOCKMODE lockmode,
				   ScanKeyData *keys, int key_count)
{
	scan->catalog = table_open(catalog_table_oid(table, false), lockmode);
	scan->lockmode = lockmode;
	scan->row = NULL;
	if (key_count > 0)
		scan->scan = systable_beginscan(scan->catalog, compat_primary_key_index(scan->catalog),
										true, NULL, key_count, keys);
	else
		scan->scan = systable_beginscan(scan->catalog, InvalidOid, false, NULL, 0, NULL);
}

void
catalog_scan_relation(CatalogScan *scan, const char *table, LOCKMODE lockmode, Oid relation)
{
	ScanKeyData key;

	ScanKeyInit(&key, 1, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relation));
	catalog_scan_begin(scan, table, lockmode, &key, 1);
}

bool
catalog_scan_next(CatalogScan *scan)
{
	CHECK_FOR_INTERRUPTS();
	scan->row = systable_getnext(scan->scan);
	return HeapTupleIsValid(scan->row);
}

bool
catalog_scan_find(CatalogScan *scan, AttrNumber column, const char *value)
{
	while (catalog_scan_next(scan))
	{
		if (strcmp(catalog_scan_text(scan, column), value) == 0)
			return true;
	}
	return false;
}

void
catalog_scan_end(CatalogScan *scan)
{
	systable_endscan(scan->scan);
	table_close(scan->catalog, scan->lockmode == AccessShareLock ? AccessShareLock : NoLock);
}

/* ---- columns ---- */

Datum
catalog_scan_datum(const CatalogScan *scan, AttrNumber column, bool *isnull)
{
	return heap_getattr(scan->row, column, RelationGetDescr(scan->catalog), isnull);
}

/* A column that holds no nulls. */
static Datum
known_datum(const CatalogScan *scan, AttrNumber column)
{
	bool		isnull;
	Datum		value = catalog_scan_datum(scan, column, &isnull);

	if (isnull)
		elog(ERROR, "unexpected null in the catalog of dynamo");
	return value;
}

char *
catalog_scan_text(const CatalogScan *scan, AttrNumber column)
{
	bool		isnull;
	Datum		value = catalog_scan_datum(scan, column, &isnull);

	return isnull ? NULL : TextDatumGetCString(value);
}

char *
catalog_scan_name(const CatalogScan *scan, AttrNumber column)
{
	bool		isnull;
	Datum		value = catalog_scan_datum(scan, column, &isnull);

	return isnull ? NULL : pstrdup(NameStr(*DatumGetName(value)));
}

List *
catalog_scan_text_list(const CatalogScan *scan, AttrNumber column)
{
	List	   *list = NIL;
	Datum	   *elements;
	int			count;

	deconstruct_array(DatumGetArrayTypeP(known_datum(scan, column)), TEXTOID, -1, false, TYPALIGN_INT,
					  &elements, NULL, &count);
	for (int i = 0; i < count; i++)
		list = lappend(list, TextDatumGetCString(elements[i]));
	return list;
}

Jsonb *
catalog_scan_jsonb(const CatalogScan *scan, AttrNumber column)
{
	return DatumGetJsonbPCopy(known_datum(scan, column));
}

char
catalog_scan_char(const CatalogScan *scan, AttrNumber column)
{
	return DatumGetChar(known_datum(scan, column));
}

Oid
catalog_scan_oid(const CatalogScan *scan, AttrNumber column)
{
	return DatumGetObjectId(known_datum(scan, column));
}

int32
catalog_scan_int32(const CatalogScan *scan, AttrNumber column)
{
	bool		isnull;
	Datum		value = catalog_scan_datum(scan, column, &isnull);

	return isnull ? 0 : DatumGetInt32(value);
}

int64
catalog_scan_int64(const CatalogScan *scan, AttrNumber column)
{
	bool		isnull;
	Datum		value = catalog_scan_datum(scan, column, &isnull);

	return isnull ? 0 : DatumGetInt64(value);
}

/* ---- changes ---- */

void
catalog_scan_update(CatalogScan *scan, Datum *values, bool *nulls, bool *replace)
{
	TupleDesc	tupdesc = RelationGetDescr(scan->catalog);
	HeapTuple	row;

	if (replace == NULL)
	{
		replace = palloc(sizeof(bool) * tupdesc->natts);
		memset(replace, true, sizeof(bool) * tupdesc->natts);
	}
	row = heap_modify_tuple(scan->row, tupdesc, values, nulls, replace);
	CatalogTupleUpdate(scan->catalog, &row->t_self, row);
}

void
catalog_scan_set(CatalogScan *scan, AttrNumber column, Datum value)
{
	int			natts = RelationGetDescr(scan->catalog)->natts;
	Datum	   *values = palloc0(sizeof(Datum) * natts);
	bool	   *nulls = palloc0(sizeof(bool) * natts);
	bool	   *replace = palloc0(sizeof(bool) * natts);

	values[column - 1] = value;
	replace[column - 1] = true;
	catalog_scan_update(scan, values, nulls, replace);
}

void
catalog_scan_delete(CatalogScan *scan)
{
	CatalogTupleDelete(scan->catalog, &scan->row->t_self);
}

void
catalog_insert_row(const char *table, Datum *values, bool *nulls)
{
	Relation	catalog = table_open(catalog_table_oid(table, false), RowExclusiveLock);
	HeapTuple	row = heap_form_tuple(RelationGetDescr(catalog), values, nulls);

	CatalogTupleInsert(catalog, row);
	heap_freetuple(row);
	table_close(catalog, NoLock);
	CommandCounterIncrement();
}
