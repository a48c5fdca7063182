/*
 * index_sql.c
 *		The B-tree of a secondary index, as SQL.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "catalog/index.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"

#include "index/index_sql.h"
#include "item/key.h"
#include "item/number.h"
#include "item/tie_break.h"

static void
copy_columns(IndexColumn *columns, KeyAttribute *const *attributes, int count)
{
	for (int i = 0; i < count; i++)
	{
		columns[i].type = attributes[i]->type;
		columns[i].quoted = attributes[i]->quoted;
	}
}

void
index_shape(IndexShape *shape, const IndexDescription *index)
{
	shape->kind = index->kind;
	shape->partition_count = index->partition_count;
	shape->sort_count = index->sort_count;
	copy_columns(shape->partition, index->partition, index->partition_count);
	copy_columns(shape->sort, index->sort, index->sort_count);
}

void
index_append_size_predicate(StringInfo sql, const IndexShape *shape)
{
	if (shape->sort_count < 2)
		return;
	appendStringInfoString(sql, " AND ");
	for (int i = 0; i < shape->sort_count; i++)
		appendStringInfo(sql, "%sdynamo.key_size(%s)",
						 i == 0 ? "" : " OPERATOR(pg_catalog.+) ", shape->sort[i].quoted);
	appendStringInfo(sql, " OPERATOR(pg_catalog.<=) %d", KEY_MAX_SORT_BYTES);
}

static void
append_not_null(StringInfo sql, const IndexColumn *columns, int count)
{
	for (int i = 0; i < count; i++)
		appendStringInfo(sql, " AND %s IS NOT NULL", columns[i].quoted);
}

char *
index_create_sql(const char *quoted_name, const char *quoted_relation, bool concurrently,
				 const IndexShape *shape, const IndexColumn *table_keys, int table_key_count)
{
	StringInfoData sql;
	StringInfoData predicate;

	initStringInfo(&sql);
	appendStringInfo(&sql, "CREATE INDEX %s%s ON %s USING btree (",
					 concurrently ? "CONCURRENTLY " : "", quoted_name, quoted_relation);
	for (int i = 0; i < shape->partition_count; i++)
		appendStringInfo(&sql, "%s%s", i == 0 ? "" : ", ",
						 index_digests_partition(shape->partition_count) ?
						 tie_break_sql(shape->partition[i].type, shape->partition[i].quoted) :
						 shape->partition[i].quoted);
	for (int i = 0; i < shape->sort_count; i++)
		appendStringInfo(&sql, ", %s", shape->sort[i].quoted);
	/* a local index begins with the table's partition key already */
	for (int i = shape->kind == INDEX_LOCAL ? 1 : 0; i < table_key_count; i++)
		appendStringInfo(&sql, ", %s", tie_break_sql(table_keys[i].type, table_keys[i].quoted));

	initStringInfo(&predicate);
	append_not_null(&predicate, shape->partition, shape->partition_count);
	append_not_null(&predicate, shape->sort, shape->sort_count);
	index_append_size_predicate(&predicate, shape);
	appendStringInfo(&sql, ") WHERE %s", predicate.data + strlen(" AND "));
	return sql.data;
}

void
index_append_column(StringInfo sql, AttributeType type, const char *quoted)
{
	appendStringInfo(sql, "%s pg_catalog.%s", quoted,
					 type == ATTRIBUTE_N ? "numeric" :
					 type == ATTRIBUTE_B ? "bytea" : "text COLLATE pg_catalog.\"C\"");
}

Oid
index_find(Oid table, const char *name, bool *valid)
{
	Oid			index = get_relname_relid(name, get_rel_namespace(table));

	*valid = false;
	if (!OidIsValid(index) || IndexGetRelation(index, true) != table)
		return InvalidOid;
	*valid = get_index_isvalid(index);
	return index;
}

/*
 * dynamo.key_size(text), (bytea), (numeric) returns int4
 */
PG_FUNCTION_INFO_V1(dynamo_key_size_text);
Datum
dynamo_key_size_text(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(toast_raw_datum_size(PG_GETARG_DATUM(0)) - VARHDRSZ);
}

PG_FUNCTION_INFO_V1(dynamo_key_size_bytea);
Datum
dynamo_key_size_bytea(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(toast_raw_datum_size(PG_GETARG_DATUM(0)) - VARHDRSZ);
}

PG_FUNCTION_INFO_V1(dynamo_key_size_numeric);
Datum
dynamo_key_size_numeric(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(number_size(PG_GETARG_NUMERIC(0)));
}
