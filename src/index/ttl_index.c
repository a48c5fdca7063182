/*
 * ttl_index.c
 *		The B-trees of time to live: by them expired items are found.
 */
#include "postgres.h"

#include "access/table.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "index/backfill.h"
#include "index/index_sql.h"
#include "index/ttl_index.h"

char *
ttl_index_column_sql(const TableDescription *table, const TtlRow *ttl)
{
	if (get_attnum(table->root, ttl->column) != InvalidAttrNumber)
		return NULL;
	return psprintf("ALTER TABLE %s ADD COLUMN %s pg_catalog.int8", table->quoted,
					quote_identifier(ttl->column));
}

static char *
ttl_index_name(Oid leaf)
{
	return catalog_derived_name(get_rel_name(leaf), "ttl");
}

char *
ttl_index_create_sql(Oid leaf, const TtlRow *ttl, bool concurrently)
{
	const char *column = quote_identifier(ttl->column);

	return psprintf("CREATE INDEX %s%s ON %s USING btree (%s) WHERE %s IS NOT NULL",
					concurrently ? "CONCURRENTLY " : "", quote_identifier(ttl_index_name(leaf)),
					quote_qualified_identifier(get_namespace_name(get_rel_namespace(leaf)),
											   get_rel_name(leaf)),
					column, column);
}

char *
ttl_index_drop_sql(Oid index, bool concurrently)
{
	return psprintf("DROP INDEX %s%s", concurrently ? "CONCURRENTLY " : "",
					quote_qualified_identifier(get_namespace_name(get_rel_namespace(index)),
											   get_rel_name(index)));
}

Oid
ttl_index_find(Oid leaf, const TtlRow *ttl, bool *valid)
{
	Relation	relation = table_open(leaf, AccessShareLock);
	Oid			index = catalog_ttl_index(relation, ttl->column);

	table_close(relation, AccessShareLock);
	if (!OidIsValid(index))
		return index_find(leaf, ttl_index_name(leaf), valid);
	*valid = get_index_isvalid(index);
	return index;
}

char *
ttl_index_next_statement(Oid relid, const TtlRow *ttl, bool drop)
{
	ListCell   *cell;

	foreach(cell, backfill_relations(relid, AccessShareLock))
	{
		Oid			leaf = lfirst_oid(cell);
		bool		valid;
		Oid			index_relid = ttl_index_find(leaf, ttl, &valid);

		if (OidIsValid(index_relid) && (drop || !valid))
			return ttl_index_drop_sql(index_relid, true);
		if (!OidIsValid(index_relid) && !drop)
			return ttl_index_create_sql(leaf, ttl, true);
	}
	return NULL;
}
