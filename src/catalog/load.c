/*
 * load.c
 *		Reading a description from the catalog's rows.
 *
 * The rows are read by direct scans under a snapshot of their own.  SPI would
 * use the transaction's snapshot, and a REPEATABLE READ writer would see a
 * column that an index has added but not the row that says what it is for.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "catalog/load.h"
#include "catalog/streams.h"
#include "catalog/ttl.h"
#include "compat.h"

typedef struct CatalogScan
{
	Relation	relation;
	SysScanDesc scan;
	HeapTuple	row;
} CatalogScan;

static void
catalog_scan_begin(CatalogScan *scan, const char *table, Oid root)
{
	ScanKeyData key;

	scan->relation = table_open(catalog_table_oid(table, false), AccessShareLock);
	ScanKeyInit(&key, 1, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(root));
	scan->scan = systable_beginscan(scan->relation,
									compat_primary_key_index(scan->relation),
									true, NULL, 1, &key);
}

static bool
catalog_scan_next(CatalogScan *scan)
{
	scan->row = systable_getnext(scan->scan);
	return HeapTupleIsValid(scan->row);
}

static void
catalog_scan_end(CatalogScan *scan)
{
	systable_endscan(scan->scan);
	table_close(scan->relation, AccessShareLock);
}

static Datum
scan_column(const CatalogScan *scan, AttrNumber attnum, bool *isnull)
{
	return heap_getattr(scan->row, attnum, RelationGetDescr(scan->relation), isnull);
}

/* NULL for a null. */
static char *
scan_text(const CatalogScan *scan, AttrNumber attnum)
{
	bool		isnull;
	Datum		value = scan_column(scan, attnum, &isnull);

	return isnull ? NULL : TextDatumGetCString(value);
}

static char *
scan_name(const CatalogScan *scan, AttrNumber attnum)
{
	bool		isnull;
	Datum		value = scan_column(scan, attnum, &isnull);

	return pstrdup(NameStr(*DatumGetName(value)));
}

static char
scan_char(const CatalogScan *scan, AttrNumber attnum)
{
	bool		isnull;

	return DatumGetChar(scan_column(scan, attnum, &isnull));
}

/* The elements of a text[]: list of char *. */
static List *
scan_text_list(const CatalogScan *scan, AttrNumber attnum)
{
	bool		isnull;
	Datum		value = scan_column(scan, attnum, &isnull);
	List	   *list = NIL;
	Datum	   *elements;
	int			count;

	deconstruct_array(DatumGetArrayTypeP(value), TEXTOID, -1, false, TYPALIGN_INT,
					  &elements, NULL, &count);
	for (int i = 0; i < count; i++)
		list = lappend(list, TextDatumGetCString(elements[i]));
	return list;
}

/* InvalidAttrNumber if there is no such column. */
static AttrNumber
find_column(Relation relation, const char *column)
{
	TupleDesc	tupdesc = RelationGetDescr(relation);

	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(tupdesc, i);

		if (!attribute->attisdropped && strcmp(NameStr(attribute->attname), column) == 0)
			return attribute->attnum;
	}
	return InvalidAttrNumber;
}

static AttrNumber
column_number(Relation relation, const char *column)
{
	AttrNumber	attnum = find_column(relation, column);

	if (attnum == InvalidAttrNumber)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("item relation \"%s\" has no column \"%s\"",
						RelationGetRelationName(relation), column)));
	return attnum;
}

static void
load_attributes(TableDescription *description, Relation relation)
{
	CatalogScan scan;
	int			allocated = 4;

	description->attributes = palloc0(allocated * sizeof(KeyAttribute));
	catalog_scan_begin(&scan, "attributes", description->root);
	while (catalog_scan_next(&scan))
	{
		KeyAttribute *attribute;
		char		type = scan_char(&scan, ATTRIBUTES_TYPE);

		if (description->attribute_count == allocated)
		{
			allocated *= 2;
			description->attributes = repalloc(description->attributes,
											   allocated * sizeof(KeyAttribute));
		}
		attribute = &description->attributes[description->attribute_count++];
		memset(attribute, 0, sizeof(KeyAttribute));
		attribute->name = scan_text(&scan, ATTRIBUTES_ATTRIBUTE);
		attribute->name_length = strlen(attribute->name);
		attribute->type = type == 'S' ? ATTRIBUTE_S : type == 'N' ? ATTRIBUTE_N : ATTRIBUTE_B;
		attribute->column = scan_name(&scan, ATTRIBUTES_COLUMN_NAME);
		attribute->quoted = pstrdup(quote_identifier(attribute->column));
		attribute->attnum = find_column(relation, attribute->column);
	}
	catalog_scan_end(&scan);
}

/* False if an attribute of the list has no row. */
static bool
resolve_index_keys(const TableDescription *description, List *names,
				   KeyAttribute **keys, int *count)
{
	ListCell   *cell;

	foreach(cell, names)
	{
		char	   *name = lfirst(cell);

		if (*count == INDEX_KEY_ATTRIBUTES)
			return false;
		keys[*count] = description_attribute(description, name, strlen(name));
		if (keys[*count] == NULL)
			return false;
		(*count)++;
	}
	return true;
}

static IndexStatus
index_status(const char *status)
{
	if (strcmp(status, "ACTIVE") == 0)
		return INDEX_ACTIVE;
	return strcmp(status, "DELETING") == 0 ? INDEX_DELETING : INDEX_CREATING;
}

static bool
load_index(TableDescription *description, IndexDescription *index, const CatalogScan *scan)
{
	memset(index, 0, sizeof(IndexDescription));
	index->name = scan_text(scan, INDEXES_INDEX_NAME);
	index->relation_name = scan_name(scan, INDEXES_INDEX_RELATION);
	index->kind = (IndexKind) scan_char(scan, INDEXES_KIND);
	index->projection = (IndexProjection) scan_char(scan, INDEXES_PROJECTION);
	index->included = scan_text_list(scan, INDEXES_INCLUDED);
	index->status = index_status(scan_text(scan, INDEXES_STATUS));
	index->active = index->status == INDEX_ACTIVE;
	return resolve_index_keys(description, scan_text_list(scan, INDEXES_PARTITION_KEYS),
							  index->partition, &index->partition_count) &&
		resolve_index_keys(description, scan_text_list(scan, INDEXES_SORT_KEYS),
						   index->sort, &index->sort_count);
}

static bool
load_indexes(TableDescription *description)
{
	CatalogScan scan;
	int			allocated = 4;
	bool		complete = true;

	description->indexes = palloc(allocated * sizeof(IndexDescription));
	catalog_scan_begin(&scan, "indexes", description->root);
	while (complete && catalog_scan_next(&scan))
	{
		if (description->index_count == allocated)
		{
			allocated *= 2;
			description->indexes = repalloc(description->indexes,
											allocated * sizeof(IndexDescription));
		}
		complete = load_index(description,
							  &description->indexes[description->index_count++], &scan);
		if (description->indexes[description->index_count - 1].kind == INDEX_LOCAL)
			description->local_indexes = true;
	}
	catalog_scan_end(&scan);
	return complete;
}

bool
load_description(TableDescription *description, Relation relation, Oid root)
{
	CatalogScan scan;
	char	   *partition_key = NULL;
	char	   *sort_key = NULL;

	catalog_scan_begin(&scan, "tables", root);
	if (catalog_scan_next(&scan))
	{
		description->name = scan_text(&scan, TABLES_TABLE_NAME);
		partition_key = scan_text(&scan, TABLES_PARTITION_KEY);
		sort_key = scan_text(&scan, TABLES_SORT_KEY);
	}
	catalog_scan_end(&scan);
	if (partition_key == NULL)
		return false;

	description->relid = RelationGetRelid(relation);
	description->root = root;
	description->quoted =
		pstrdup(quote_qualified_identifier(get_namespace_name(get_rel_namespace(root)),
										   get_rel_name(root)));
	description->item_attnum = column_number(relation, "item");
	description->row_security = relation->rd_rel->relrowsecurity;

	load_attributes(description, relation);
	description->partition = description_attribute(description, partition_key,
												   strlen(partition_key));
	if (description->partition == NULL)
		return false;
	description->partition->table_key = true;
	column_number(relation, description->partition->column);
	if (sort_key)
	{
		description->sort = description_attribute(description, sort_key, strlen(sort_key));
		if (description->sort == NULL)
			return false;
		description->sort->table_key = true;
		column_number(relation, description->sort->column);
	}
	description->stream = catalog_load_stream(root);
	description->ttl = catalog_load_ttl(root);
	if (description->ttl)
		description->ttl->attnum = find_column(relation, description->ttl->column);
	return load_indexes(description);
}
