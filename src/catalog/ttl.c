/*
 * ttl.c
 *		The catalog's rows of tables whose items expire.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/pg_index.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/relcache.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "catalog/catalog_scan.h"
#include "catalog/ttl.h"

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
read_row(const CatalogScan *scan, TtlRow *row)
{
	row->relation = catalog_scan_oid(scan, Anum_ttl_relation);
	row->attribute = catalog_scan_text(scan, Anum_ttl_attribute);
	row->column = catalog_scan_name(scan, Anum_ttl_column_name);
	row->state = state_from_name(catalog_scan_text(scan, Anum_ttl_state));
	row->since = catalog_scan_int64(scan, Anum_ttl_since);
	row->last_sweep = catalog_scan_int64(scan, Anum_ttl_last_sweep);
	row->expired = catalog_scan_int64(scan, Anum_ttl_expired);
	row->last_error = catalog_scan_text(scan, Anum_ttl_last_error);
}

/* ---- reading ---- */

bool
catalog_read_ttl(Oid relation, TtlRow *row)
{
	CatalogScan scan;
	bool		found;

	catalog_scan_relation(&scan, "ttl", AccessShareLock, relation);
	found = catalog_scan_next(&scan);
	if (found)
		read_row(&scan, row);
	catalog_scan_end(&scan);
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
	CatalogScan scan;
	List	   *rows = NIL;

	catalog_scan_begin(&scan, "ttl", AccessShareLock, NULL, 0);
	while (catalog_scan_next(&scan))
	{
		TtlRow	   *row = palloc(sizeof(TtlRow));

		read_row(&scan, row);
		rows = lappend(rows, row);
	}
	catalog_scan_end(&scan);
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

/* Is it an index on the one column, with a predicate? */
static bool
is_ttl_index(Oid index, AttrNumber column)
{
	HeapTuple	tuple = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(index));
	Form_pg_index form;
	bool		is;

	if (!HeapTupleIsValid(tuple))
		return false;
	form = (Form_pg_index) GETSTRUCT(tuple);
	is = form->indnatts == 1 && form->indkey.values[0] == column &&
		!heap_attisnull(tuple, Anum_pg_index_indpred, NULL);
	ReleaseSysCache(tuple);
	return is;
}

Oid
catalog_ttl_index(Relation relation, const char *column)
{
	AttrNumber	attnum = get_attnum(RelationGetRelid(relation), column);
	ListCell   *cell;

	if (attnum == InvalidAttrNumber)
		return InvalidOid;
	foreach(cell, RelationGetIndexList(relation))
	{
		if (is_ttl_index(lfirst_oid(cell), attnum))
			return lfirst_oid(cell);
	}
	return InvalidOid;
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
	NameData	column;
	CatalogScan scan;
	bool		changed = true;

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

	catalog_scan_relation(&scan, "ttl", RowExclusiveLock, row->relation);
	if (catalog_scan_next(&scan))
	{
		TtlRow		before;

		read_row(&scan, &before);
		catalog_scan_update(&scan, values, nulls, NULL);
		changed = !same_for_gate(&before, row);
	}
	else
		catalog_insert_row("ttl", values, nulls);
	catalog_scan_end(&scan);
	if (changed)
		CacheInvalidateRelcacheByRelid(row->relation);
	CommandCounterIncrement();
}
