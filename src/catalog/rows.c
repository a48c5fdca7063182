/*
 * rows.c
 *		Rows of the extension's own catalog: written, and read for what the
 *		cache does not hold.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/rel.h"
#include "utils/relcache.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "catalog/catalog_scan.h"
#include "catalog/columns.h"
#include "catalog/rows.h"
#include "catalog/streams.h"

/* Columns as dynamo--1.0.sql creates them; more are in catalog/columns.h. */
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

/* ---- inserting ---- */

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

	catalog_insert_row("tables", values, nulls);
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

	catalog_insert_row("attributes", values, nulls);
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

	catalog_insert_row("indexes", values, nulls);
	CacheInvalidateRelcacheByRelid(relation);
}

/* ---- reading ---- */

bool
catalog_read_table(Oid relation, TableRow *row)
{
	CatalogScan scan;
	bool		found;

	catalog_scan_relation(&scan, "tables", AccessShareLock, relation);
	found = catalog_scan_next(&scan);
	if (found)
	{
		bool		isnull;

		row->relation = relation;
		row->table_name = catalog_scan_text(&scan, Anum_tables_table_name);
		row->table_id = *DatumGetUUIDP(catalog_scan_datum(&scan, Anum_tables_table_id, &isnull));
		row->created_at = catalog_scan_int64(&scan, Anum_tables_created_at);
		row->partition_key = catalog_scan_text(&scan, Anum_tables_partition_key);
		row->sort_key = catalog_scan_text(&scan, Anum_tables_sort_key);
		row->settings = catalog_scan_jsonb(&scan, Anum_tables_settings);
	}
	catalog_scan_end(&scan);
	return found;
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
	List	   *names = NIL;
	Oid			access_method = get_table_am_oid("dynamo", false);

	catalog_scan_begin(&scan, "tables", AccessShareLock, NULL, 0);
	while (catalog_scan_next(&scan))
	{
		Oid			relation = catalog_scan_oid(&scan, Anum_tables_relation);

		if (is_item_relation(relation, schema, access_method))
			names = lappend(names, catalog_scan_text(&scan, Anum_tables_table_name));
	}
	catalog_scan_end(&scan);
	return names;
}

List *
catalog_index_relations(Oid relation)
{
	CatalogScan scan;
	List	   *names = NIL;

	catalog_scan_relation(&scan, "indexes", AccessShareLock, relation);
	while (catalog_scan_next(&scan))
	{
		if (strcmp(catalog_scan_text(&scan, Anum_indexes_status), "ACTIVE") == 0)
			names = lappend(names, catalog_scan_name(&scan, Anum_indexes_index_relation));
	}
	catalog_scan_end(&scan);
	return names;
}

Jsonb *
catalog_read_index_settings(Oid relation, const char *index_name)
{
	CatalogScan scan;
	Jsonb	   *settings = NULL;

	catalog_scan_relation(&scan, "indexes", AccessShareLock, relation);
	if (catalog_scan_find(&scan, Anum_indexes_index_name, index_name))
		settings = catalog_scan_jsonb(&scan, Anum_indexes_settings);
	catalog_scan_end(&scan);
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
	List	   *tags = NIL;

	catalog_scan_relation(&scan, "tags", AccessShareLock, relation);
	while (catalog_scan_next(&scan))
	{
		Tag		   *tag = palloc(sizeof(Tag));

		tag->key = catalog_scan_text(&scan, Anum_tags_key);
		tag->value = catalog_scan_text(&scan, Anum_tags_value);
		tags = lappend(tags, tag);
	}
	catalog_scan_end(&scan);
	list_sort(tags, compare_tags);
	return tags;
}

/* ---- changing ---- */

void
catalog_update_table_settings(Oid relation, Jsonb *settings)
{
	CatalogScan scan;

	catalog_scan_relation(&scan, "tables", RowExclusiveLock, relation);
	if (!catalog_scan_next(&scan))
		elog(ERROR, "catalog of dynamo has no row for relation %u", relation);
	catalog_scan_set(&scan, Anum_tables_settings, JsonbPGetDatum(settings));
	catalog_scan_end(&scan);
	CommandCounterIncrement();
}

void
catalog_update_index_settings(Oid relation, const char *index_name, Jsonb *settings)
{
	CatalogScan scan;

	catalog_scan_relation(&scan, "indexes", RowExclusiveLock, relation);
	if (!catalog_scan_find(&scan, Anum_indexes_index_name, index_name))
		elog(ERROR, "catalog of dynamo has no index \"%s\" for relation %u", index_name, relation);
	catalog_scan_set(&scan, Anum_indexes_settings, JsonbPGetDatum(settings));
	catalog_scan_end(&scan);
	CommandCounterIncrement();
}

static void
delete_row(const char *catalog, Oid relation, AttrNumber column, const char *name)
{
	CatalogScan scan;

	catalog_scan_relation(&scan, catalog, RowExclusiveLock, relation);
	if (catalog_scan_find(&scan, column, name))
		catalog_scan_delete(&scan);
	catalog_scan_end(&scan);
	CommandCounterIncrement();
}

void
catalog_set_index_status(Oid relation, const char *index_name, IndexStatus status)
{
	static const char *const names[] = {"CREATING", "ACTIVE", "DELETING"};
	CatalogScan scan;

	catalog_scan_relation(&scan, "indexes", RowExclusiveLock, relation);
	if (!catalog_scan_find(&scan, Anum_indexes_index_name, index_name))
		elog(ERROR, "catalog of dynamo has no index \"%s\" for relation %u", index_name, relation);
	catalog_scan_set(&scan, Anum_indexes_status, CStringGetTextDatum(names[status]));
	catalog_scan_end(&scan);
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
	List	   *builds = NIL;

	catalog_scan_relation(&scan, "builds", AccessShareLock, relation);
	while (catalog_scan_next(&scan))
	{
		BuildRow   *row = palloc0(sizeof(BuildRow));

		row->index_name = catalog_scan_text(&scan, Anum_builds_index_name);
		row->phase = build_phase(catalog_scan_text(&scan, Anum_builds_phase));
		row->rows_done = catalog_scan_int64(&scan, Anum_builds_rows_done);
		row->rows_total = catalog_scan_int64(&scan, Anum_builds_rows_total);
		row->rows_skipped = catalog_scan_int64(&scan, Anum_builds_rows_skipped);
		row->started_at = catalog_scan_int64(&scan, Anum_builds_started_at);
		row->finished_at = catalog_scan_int64(&scan, Anum_builds_finished_at);
		row->last_error = catalog_scan_text(&scan, Anum_builds_last_error);
		if (of_ttl == (strcmp(row->index_name, TTL_BUILD) == 0))
			builds = lappend(builds, row);
	}
	catalog_scan_end(&scan);
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
	CatalogScan scan;

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

	catalog_scan_relation(&scan, "builds", RowExclusiveLock, relation);
	if (catalog_scan_find(&scan, Anum_builds_index_name, row->index_name))
		catalog_scan_update(&scan, values, nulls, NULL);
	else
		catalog_insert_row("builds", values, nulls);
	catalog_scan_end(&scan);
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
	List	   *relations = NIL;

	catalog_scan_begin(&scan, "builds", AccessShareLock, NULL, 0);
	while (catalog_scan_next(&scan))
	{
		if (build_phase(catalog_scan_text(&scan, Anum_builds_phase)) != BUILD_DONE)
			relations = list_append_unique_oid(relations,
											   catalog_scan_oid(&scan, Anum_builds_relation));
	}
	catalog_scan_end(&scan);
	return relations;
}

void
catalog_set_tag(Oid relation, const char *key, const char *value)
{
	CatalogScan scan;

	catalog_scan_relation(&scan, "tags", RowExclusiveLock, relation);
	if (catalog_scan_find(&scan, Anum_tags_key, key))
		catalog_scan_set(&scan, Anum_tags_value, CStringGetTextDatum(value));
	else
	{
		Datum		values[Natts_tags];
		bool		nulls[Natts_tags] = {false};

		values[Anum_tags_relation - 1] = ObjectIdGetDatum(relation);
		values[Anum_tags_key - 1] = CStringGetTextDatum(key);
		values[Anum_tags_value - 1] = CStringGetTextDatum(value);
		catalog_insert_row("tags", values, nulls);
	}
	catalog_scan_end(&scan);
	CommandCounterIncrement();
}

void
catalog_remove_tag(Oid relation, const char *key)
{
	CatalogScan scan;

	catalog_scan_relation(&scan, "tags", RowExclusiveLock, relation);
	if (catalog_scan_find(&scan, Anum_tags_key, key))
		catalog_scan_delete(&scan);
	catalog_scan_end(&scan);
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

		catalog_scan_relation(&scan, catalogs[i], RowExclusiveLock, relation);
		while (catalog_scan_next(&scan))
			catalog_scan_delete(&scan);
		catalog_scan_end(&scan);
	}
	catalog_disable_stream(relation, true);
	CommandCounterIncrement();
}
