/*
 * rows.c
 *		Rows of the extension's own catalog: written, and read for what the
 *		cache does not hold.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/indexing.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/rel.h"
#include "utils/relcache.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "catalog/rows.h"
#include "catalog/streams.h"
#include "compat.h"

/* Columns as CREATE EXTENSION makes them. */
enum
{
	Anum_tables_relation = 1,
	Anum_tables_table_name,
	Anum_tables_table_id,
	Anum_tables_created_at,
	Anum_tables_partition_key,
	Anum_tables_sort_key,
	Anum_tables_settings,
	Natts_tables = Anum_tables_settings
};

enum
{
	Anum_attributes_relation = 1,
	Anum_attributes_attribute,
	Anum_attributes_type,
	Anum_attributes_column_name,
	Natts_attributes = Anum_attributes_column_name
};

enum
{
	Anum_indexes_relation = 1,
	Anum_indexes_index_name,
	Anum_indexes_index_relation,
	Anum_indexes_kind,
	Anum_indexes_partition_keys,
	Anum_indexes_sort_keys,
	Anum_indexes_projection,
	Anum_indexes_included,
	Anum_indexes_status,
	Anum_indexes_settings,
	Natts_indexes = Anum_indexes_settings
};

enum
{
	Anum_builds_relation = 1,
	Anum_builds_index_name,
	Anum_builds_phase,
	Anum_builds_rows_done,
	Anum_builds_rows_total,
	Anum_builds_rows_skipped,
	Anum_builds_started_at,
	Anum_builds_finished_at,
	Anum_builds_last_error,
	Natts_builds = Anum_builds_last_error
};

/* Beside BuildPhase. */
static const char *const build_phases[] = {"PENDING", "BACKFILL", "INDEX", "DONE", "DROP"};

enum
{
	Anum_tags_relation = 1,
	Anum_tags_key,
	Anum_tags_value,
	Natts_tags = Anum_tags_value
};

/* In all these tables the relation is the first column. */
#define Anum_relation 1

/* ---- scans ---- */

/* The rows of one item relation in one of the catalog's tables. */
typedef struct CatalogScan
{
	Relation	catalog;
	SysScanDesc scan;
} CatalogScan;

/*
 * Begin a scan, with a snapshot of this moment whatever the transaction's
 * isolation level.  An invalid relation scans all rows.  Names are compared by
 * the caller: there are few rows per relation, and the index on text is in
 * the database's collation.
 */
static void
scan_begin(CatalogScan *scan, const char *catalog, LOCKMODE lockmode, Oid relation)
{
	ScanKeyData key;

	scan->catalog = table_open(catalog_table_oid(catalog, false), lockmode);
	ScanKeyInit(&key, Anum_relation, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relation));
	if (OidIsValid(relation))
		scan->scan = systable_beginscan(scan->catalog, compat_primary_key_index(scan->catalog),
										true, NULL, 1, &key);
	else
		scan->scan = systable_beginscan(scan->catalog, InvalidOid, false, NULL, 0, NULL);
}

static HeapTuple
scan_next(CatalogScan *scan)
{
	CHECK_FOR_INTERRUPTS();
	return systable_getnext(scan->scan);
}

/*
 * Read locks go at once; write locks stay until the end of the transaction.
 */
static void
scan_end(CatalogScan *scan, LOCKMODE lockmode)
{
	systable_endscan(scan->scan);
	table_close(scan->catalog, lockmode == AccessShareLock ? lockmode : NoLock);
}

static Datum
column_value(CatalogScan *scan, HeapTuple tuple, AttrNumber column, bool *isnull)
{
	return heap_getattr(tuple, column, RelationGetDescr(scan->catalog), isnull);
}

/*
 * A text column, palloc'd; NULL if null.
 */
static char *
column_text(CatalogScan *scan, HeapTuple tuple, AttrNumber column)
{
	bool		isnull;
	Datum		value = column_value(scan, tuple, column, &isnull);

	return isnull ? NULL : TextDatumGetCString(value);
}

static Jsonb *
column_jsonb(CatalogScan *scan, HeapTuple tuple, AttrNumber column)
{
	bool		isnull;
	Datum		value = column_value(scan, tuple, column, &isnull);

	if (isnull)
		elog(ERROR, "unexpected null in the catalog of dynamo");
	return DatumGetJsonbPCopy(value);
}

/*
 * The row whose text column is name, or NULL.
 */
static HeapTuple
scan_find(CatalogScan *scan, AttrNumber column, const char *name)
{
	HeapTuple	tuple;

	while (HeapTupleIsValid(tuple = scan_next(scan)))
	{
		if (strcmp(column_text(scan, tuple, column), name) == 0)
			return tuple;
	}
	return NULL;
}

/* ---- inserting ---- */

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

static Datum
text_array(List *strings)
{
	Datum	   *elements = palloc(sizeof(Datum) * Max(list_length(strings), 1));
	int			count = 0;
	ListCell   *cell;

	foreach(cell, strings)
		elements[count++] = CStringGetTextDatum((char *) lfirst(cell));
	if (count == 0)
		return PointerGetDatum(construct_empty_array(TEXTOID));
	return PointerGetDatum(construct_array(elements, count, TEXTOID, -1, false, TYPALIGN_INT));
}

void
catalog_insert_table(const TableRow *row)
{
	Datum		values[Natts_tables];
	bool		nulls[Natts_tables] = {false};

	values[Anum_tables_relation - 1] = ObjectIdGetDatum(row->relation);
	values[Anum_tables_table_name - 1] = CStringGetTextDatum(row->table_name);
	values[Anum_tables_table_id - 1] = UUIDPGetDatum(&row->table_id);
	values[Anum_tables_created_at - 1] = TimestampTzGetDatum(row->created_at);
	values[Anum_tables_partition_key - 1] = CStringGetTextDatum(row->partition_key);
	if (row->sort_key != NULL)
		values[Anum_tables_sort_key - 1] = CStringGetTextDatum(row->sort_key);
	else
		nulls[Anum_tables_sort_key - 1] = true;
	values[Anum_tables_settings - 1] = JsonbPGetDatum(row->settings);

	insert_row("tables", values, nulls);
	CacheInvalidateRelcacheByRelid(row->relation);
}

void
catalog_insert_attribute(Oid relation, const char *attribute, AttributeType type,
						 const char *column)
{
	Datum		values[Natts_attributes];
	bool		nulls[Natts_attributes] = {false};
	NameData	column_name;

	namestrcpy(&column_name, column);
	values[Anum_attributes_relation - 1] = ObjectIdGetDatum(relation);
	values[Anum_attributes_attribute - 1] = CStringGetTextDatum(attribute);
	values[Anum_attributes_type - 1] = CharGetDatum(attribute_type_name(type)[0]);
	values[Anum_attributes_column_name - 1] = NameGetDatum(&column_name);

	insert_row("attributes", values, nulls);
	CacheInvalidateRelcacheByRelid(relation);
}

void
catalog_insert_index(Oid relation, const IndexRow *row)
{
	Datum		values[Natts_indexes];
	bool		nulls[Natts_indexes] = {false};
	NameData	index_relation;

	namestrcpy(&index_relation, row->index_relation);
	values[Anum_indexes_relation - 1] = ObjectIdGetDatum(relation);
	values[Anum_indexes_index_name - 1] = CStringGetTextDatum(row->index_name);
	values[Anum_indexes_index_relation - 1] = NameGetDatum(&index_relation);
	values[Anum_indexes_kind - 1] = CharGetDatum(row->kind);
	values[Anum_indexes_partition_keys - 1] = text_array(row->partition_keys);
	values[Anum_indexes_sort_keys - 1] = text_array(row->sort_keys);
	values[Anum_indexes_projection - 1] = CharGetDatum(row->projection);
	values[Anum_indexes_included - 1] = text_array(row->included);
	values[Anum_indexes_status - 1] = CStringGetTextDatum(row->status);
	values[Anum_indexes_settings - 1] = JsonbPGetDatum(row->settings);

	insert_row("indexes", values, nulls);
	CacheInvalidateRelcacheByRelid(relation);
}

/* ---- reading ---- */

bool
catalog_read_table(Oid relation, TableRow *row)
{
	CatalogScan scan;
	HeapTuple	tuple;
	bool		isnull;

	scan_begin(&scan, "tables", AccessShareLock, relation);
	tuple = scan_next(&scan);
	if (HeapTupleIsValid(tuple))
	{
		row->relation = relation;
		row->table_name = column_text(&scan, tuple, Anum_tables_table_name);
		row->table_id = *DatumGetUUIDP(column_value(&scan, tuple, Anum_tables_table_id, &isnull));
		row->created_at = DatumGetTimestampTz(column_value(&scan, tuple, Anum_tables_created_at,
														   &isnull));
		row->partition_key = column_text(&scan, tuple, Anum_tables_partition_key);
		row->sort_key = column_text(&scan, tuple, Anum_tables_sort_key);
		row->settings = column_jsonb(&scan, tuple, Anum_tables_settings);
	}
	scan_end(&scan, AccessShareLock);
	return HeapTupleIsValid(tuple);
}

/*
 * Is this an item relation in the schema?  A row of the catalog may be left
 * from a relation that was moved, or given another access method.
 */
static bool
is_item_relation(Oid relation, Oid schema, Oid access_method)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	Form_pg_class form;
	bool		result;

	if (!HeapTupleIsValid(tuple))
		return false;
	form = (Form_pg_class) GETSTRUCT(tuple);
	result = form->relnamespace == schema &&
		(form->relam == access_method || form->relkind == RELKIND_PARTITIONED_TABLE);
	ReleaseSysCache(tuple);
	return result;
}

List *
catalog_table_names(Oid schema)
{
	CatalogScan scan;
	HeapTuple	tuple;
	List	   *names = NIL;
	Oid			access_method = get_table_am_oid("dynamo", false);

	scan_begin(&scan, "tables", AccessShareLock, InvalidOid);
	while (HeapTupleIsValid(tuple = scan_next(&scan)))
	{
		bool		isnull;
		Oid			relation = DatumGetObjectId(column_value(&scan, tuple, Anum_tables_relation,
															 &isnull));

		if (is_item_relation(relation, schema, access_method))
			names = lappend(names, column_text(&scan, tuple, Anum_tables_table_name));
	}
	scan_end(&scan, AccessShareLock);
	return names;
}

Jsonb *
catalog_read_index_settings(Oid relation, const char *index_name)
{
	CatalogScan scan;
	HeapTuple	tuple;
	Jsonb	   *settings = NULL;

	scan_begin(&scan, "indexes", AccessShareLock, relation);
	tuple = scan_find(&scan, Anum_indexes_index_name, index_name);
	if (HeapTupleIsValid(tuple))
		settings = column_jsonb(&scan, tuple, Anum_indexes_settings);
	scan_end(&scan, AccessShareLock);
	return settings;
}

static int
compare_tags(const ListCell *a, const ListCell *b)
{
	return strcmp(((Tag *) lfirst(a))->key, ((Tag *) lfirst(b))->key);
}

List *
catalog_read_tags(Oid relation)
{
	CatalogScan scan;
	HeapTuple	tuple;
	List	   *tags = NIL;

	scan_begin(&scan, "tags", AccessShareLock, relation);
	while (HeapTupleIsValid(tuple = scan_next(&scan)))
	{
		Tag		   *tag = palloc(sizeof(Tag));

		tag->key = column_text(&scan, tuple, Anum_tags_key);
		tag->value = column_text(&scan, tuple, Anum_tags_value);
		tags = lappend(tags, tag);
	}
	scan_end(&scan, AccessShareLock);
	list_sort(tags, compare_tags);
	return tags;
}

/* ---- changing ---- */

/*
 * Replace one column of a row.
 */
static void
update_column(CatalogScan *scan, HeapTuple tuple, int natts, AttrNumber column, Datum value)
{
	Datum	   *values = palloc0(sizeof(Datum) * natts);
	bool	   *nulls = palloc0(sizeof(bool) * natts);
	bool	   *replace = palloc0(sizeof(bool) * natts);

	values[column - 1] = value;
	replace[column - 1] = true;
	tuple = heap_modify_tuple(tuple, RelationGetDescr(scan->catalog), values, nulls, replace);
	CatalogTupleUpdate(scan->catalog, &tuple->t_self, tuple);
}

void
catalog_update_table_settings(Oid relation, Jsonb *settings)
{
	CatalogScan scan;
	HeapTuple	tuple;

	scan_begin(&scan, "tables", RowExclusiveLock, relation);
	tuple = scan_next(&scan);
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "catalog of dynamo has no row for relation %u", relation);
	update_column(&scan, tuple, Natts_tables, Anum_tables_settings, JsonbPGetDatum(settings));
	scan_end(&scan, RowExclusiveLock);
	CommandCounterIncrement();
}

void
catalog_update_index_settings(Oid relation, const char *index_name, Jsonb *settings)
{
	CatalogScan scan;
	HeapTuple	tuple;

	scan_begin(&scan, "indexes", RowExclusiveLock, relation);
	tuple = scan_find(&scan, Anum_indexes_index_name, index_name);
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "catalog of dynamo has no index \"%s\" for relation %u", index_name, relation);
	update_column(&scan, tuple, Natts_indexes, Anum_indexes_settings, JsonbPGetDatum(settings));
	scan_end(&scan, RowExclusiveLock);
	CommandCounterIncrement();
}

static void
delete_row(const char *catalog, Oid relation, AttrNumber column, const char *name)
{
	CatalogScan scan;
	HeapTuple	tuple;

	scan_begin(&scan, catalog, RowExclusiveLock, relation);
	tuple = scan_find(&scan, column, name);
	if (HeapTupleIsValid(tuple))
		CatalogTupleDelete(scan.catalog, &tuple->t_self);
	scan_end(&scan, RowExclusiveLock);
	CommandCounterIncrement();
}

void
catalog_set_index_status(Oid relation, const char *index_name, IndexStatus status)
{
	static const char *const names[] = {"CREATING", "ACTIVE", "DELETING"};
	CatalogScan scan;
	HeapTuple	tuple;

	scan_begin(&scan, "indexes", RowExclusiveLock, relation);
	tuple = scan_find(&scan, Anum_indexes_index_name, index_name);
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "catalog of dynamo has no index \"%s\" for relation %u", index_name, relation);
	update_column(&scan, tuple, Natts_indexes, Anum_indexes_status, CStringGetTextDatum(names[status]));
	scan_end(&scan, RowExclusiveLock);
	CacheInvalidateRelcacheByRelid(relation);
	CommandCounterIncrement();	/* with which the invalidation works here, too */
}

void
catalog_delete_index(Oid relation, const char *index_name)
{
	CacheInvalidateRelcacheByRelid(relation);
	delete_row("indexes", relation, Anum_indexes_index_name, index_name);
}

void
catalog_delete_attribute(Oid relation, const char *attribute)
{
	CacheInvalidateRelcacheByRelid(relation);
	delete_row("attributes", relation, Anum_attributes_attribute, attribute);
}

/* ---- builds ---- */

static BuildPhase
build_phase(const char *name)
{
	for (int i = 0; i < lengthof(build_phases); i++)
	{
		if (strcmp(build_phases[i], name) == 0)
			return (BuildPhase) i;
	}
	elog(ERROR, "catalog of dynamo has a build in unknown phase \"%s\"", name);
}

static List *
read_builds(Oid relation, bool of_ttl)
{
	CatalogScan scan;
	HeapTuple	tuple;
	List	   *builds = NIL;

	scan_begin(&scan, "builds", AccessShareLock, relation);
	while (HeapTupleIsValid(tuple = scan_next(&scan)))
	{
		BuildRow   *row = palloc0(sizeof(BuildRow));
		bool		isnull;

		row->index_name = column_text(&scan, tuple, Anum_builds_index_name);
		row->phase = build_phase(column_text(&scan, tuple, Anum_builds_phase));
		row->rows_done = DatumGetInt64(column_value(&scan, tuple, Anum_builds_rows_done, &isnull));
		row->rows_total = DatumGetInt64(column_value(&scan, tuple, Anum_builds_rows_total, &isnull));
		row->rows_skipped = DatumGetInt64(column_value(&scan, tuple, Anum_builds_rows_skipped, &isnull));
		row->started_at = DatumGetTimestampTz(column_value(&scan, tuple, Anum_builds_started_at, &isnull));
		row->finished_at = DatumGetTimestampTz(column_value(&scan, tuple, Anum_builds_finished_at, &isnull));
		if (isnull)
			row->finished_at = 0;
		row->last_error = column_text(&scan, tuple, Anum_builds_last_error);
		if (of_ttl == (strcmp(row->index_name, TTL_BUILD) == 0))
			builds = lappend(builds, row);
	}
	scan_end(&scan, AccessShareLock);
	return builds;
}

List *
catalog_read_builds(Oid relation)
{
	return read_builds(relation, false);
}

BuildRow *
catalog_read_ttl_build(Oid relation)
{
	List	   *builds = read_builds(relation, true);

	return builds == NIL ? NULL : linitial(builds);
}

void
catalog_put_build(Oid relation, const BuildRow *row)
{
	Datum		values[Natts_builds] = {0};
	bool		nulls[Natts_builds] = {false};
	bool		replace[Natts_builds];
	CatalogScan scan;
	HeapTuple	tuple;

	values[Anum_builds_relation - 1] = ObjectIdGetDatum(relation);
	values[Anum_builds_index_name - 1] = CStringGetTextDatum(row->index_name);
	values[Anum_builds_phase - 1] = CStringGetTextDatum(build_phases[row->phase]);
	values[Anum_builds_rows_done - 1] = Int64GetDatum(row->rows_done);
	values[Anum_builds_rows_total - 1] = Int64GetDatum(row->rows_total);
	values[Anum_builds_rows_skipped - 1] = Int64GetDatum(row->rows_skipped);
	values[Anum_builds_started_at - 1] = TimestampTzGetDatum(row->started_at);
	values[Anum_builds_finished_at - 1] = TimestampTzGetDatum(row->finished_at);
	nulls[Anum_builds_finished_at - 1] = row->finished_at == 0;
	nulls[Anum_builds_last_error - 1] = row->last_error == NULL;
	if (row->last_error != NULL)
		values[Anum_builds_last_error - 1] = CStringGetTextDatum(row->last_error);

	scan_begin(&scan, "builds", RowExclusiveLock, relation);
	tuple = scan_find(&scan, Anum_builds_index_name, row->index_name);
	if (HeapTupleIsValid(tuple))
	{
		memset(replace, true, sizeof(replace));
		tuple = heap_modify_tuple(tuple, RelationGetDescr(scan.catalog), values, nulls, replace);
		CatalogTupleUpdate(scan.catalog, &tuple->t_self, tuple);
	}
	else
		insert_row("builds", values, nulls);
	scan_end(&scan, RowExclusiveLock);
	CommandCounterIncrement();
}

void
catalog_delete_build(Oid relation, const char *index_name)
{
	delete_row("builds", relation, Anum_builds_index_name, index_name);
}

List *
catalog_unfinished_builds(void)
{
	CatalogScan scan;
	HeapTuple	tuple;
	List	   *relations = NIL;

	scan_begin(&scan, "builds", AccessShareLock, InvalidOid);
	while (HeapTupleIsValid(tuple = scan_next(&scan)))
	{
		bool		isnull;

		if (build_phase(column_text(&scan, tuple, Anum_builds_phase)) != BUILD_DONE)
			relations = list_append_unique_oid(relations,
											   DatumGetObjectId(column_value(&scan, tuple,
																			 Anum_builds_relation, &isnull)));
	}
	scan_end(&scan, AccessShareLock);
	return relations;
}

void
catalog_set_tag(Oid relation, const char *key, const char *value)
{
	CatalogScan scan;
	HeapTuple	tuple;

	scan_begin(&scan, "tags", RowExclusiveLock, relation);
	tuple = scan_find(&scan, Anum_tags_key, key);
	if (HeapTupleIsValid(tuple))
		update_column(&scan, tuple, Natts_tags, Anum_tags_value, CStringGetTextDatum(value));
	else
	{
		Datum		values[Natts_tags];
		bool		nulls[Natts_tags] = {false};

		values[Anum_tags_relation - 1] = ObjectIdGetDatum(relation);
		values[Anum_tags_key - 1] = CStringGetTextDatum(key);
		values[Anum_tags_value - 1] = CStringGetTextDatum(value);
		insert_row("tags", values, nulls);
	}
	scan_end(&scan, RowExclusiveLock);
	CommandCounterIncrement();
}

void
catalog_remove_tag(Oid relation, const char *key)
{
	CatalogScan scan;
	HeapTuple	tuple;

	scan_begin(&scan, "tags", RowExclusiveLock, relation);
	tuple = scan_find(&scan, Anum_tags_key, key);
	if (HeapTupleIsValid(tuple))
		CatalogTupleDelete(scan.catalog, &tuple->t_self);
	scan_end(&scan, RowExclusiveLock);
	CommandCounterIncrement();
}

void
catalog_forget(Oid relation)
{
	static const char *const catalogs[] = {
		"tables", "attributes", "indexes", "builds", "tags", "collection_sizes", "scan_splits", "ttl"
	};

	for (int i = 0; i < lengthof(catalogs); i++)
	{
		CatalogScan scan;
		HeapTuple	tuple;

		scan_begin(&scan, catalogs[i], RowExclusiveLock, relation);
		while (HeapTupleIsValid(tuple = scan_next(&scan)))
			CatalogTupleDelete(scan.catalog, &tuple->t_self);
		scan_end(&scan, RowExclusiveLock);
	}
	catalog_disable_stream(relation, true);
	CommandCounterIncrement();
}
