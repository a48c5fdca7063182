/*
 * load.c
 *		Reading a description from the catalog's rows.
 */
#include "postgres.h"

#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "catalog/catalog_scan.h"
#include "catalog/columns.h"
#include "catalog/load.h"
#include "catalog/streams.h"
#include "catalog/ttl.h"

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
	catalog_scan_relation(&scan, "attributes", AccessShareLock, description->root);
	while (catalog_scan_next(&scan))
	{
		KeyAttribute *attribute;
		char		type = catalog_scan_char(&scan, Anum_attributes_type);

		if (description->attribute_count == allocated)
		{
			allocated *= 2;
			description->attributes = repalloc(description->attributes,
											   allocated * sizeof(KeyAttribute));
		}
		attribute = &description->attributes[description->attribute_count++];
		memset(attribute, 0, sizeof(KeyAttribute));
		attribute->name = catalog_scan_text(&scan, Anum_attributes_attribute);
		attribute->name_length = strlen(attribute->name);
		attribute->type = type == 'S' ? ATTRIBUTE_S : type == 'N' ? ATTRIBUTE_N : ATTRIBUTE_B;
		attribute->column = catalog_scan_name(&scan, Anum_attributes_column_name);
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
	index->name = catalog_scan_text(scan, Anum_indexes_index_name);
	index->relation_name = catalog_scan_name(scan, Anum_indexes_index_relation);
	index->kind = (IndexKind) catalog_scan_char(scan, Anum_indexes_kind);
	index->projection = (IndexProjection) catalog_scan_char(scan, Anum_indexes_projection);
	index->included = catalog_scan_text_list(scan, Anum_indexes_included);
	index->status = index_status(catalog_scan_text(scan, Anum_indexes_status));
	index->active = index->status == INDEX_ACTIVE;
	return resolve_index_keys(description, catalog_scan_text_list(scan, Anum_indexes_partition_keys),
							  index->partition, &index->partition_count) &&
		resolve_index_keys(description, catalog_scan_text_list(scan, Anum_indexes_sort_keys),
						   index->sort, &index->sort_count);
}

static bool
load_indexes(TableDescription *description)
{
	CatalogScan scan;
	int			allocated = 4;
	bool		complete = true;

	description->indexes = palloc(allocated * sizeof(IndexDescription));
	catalog_scan_relation(&scan, "indexes", AccessShareLock, description->root);
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

	catalog_scan_relation(&scan, "tables", AccessShareLock, root);
	if (catalog_scan_next(&scan))
	{
		description->name = catalog_scan_text(&scan, Anum_tables_table_name);
		partition_key = catalog_scan_text(&scan, Anum_tables_partition_key);
		sort_key = catalog_scan_text(&scan, Anum_tables_sort_key);
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
