/*
 * index_sql.h
 *		The B-tree of a secondary index, as SQL.
 *
 * CREATE INDEX and the statements that read through an index are composed from
 * the same expressions, so that the planner finds the one for the other.
 *
 * An entry has to stay below 2,704 bytes.  A partition key of one attribute is
 * its column, at most 1,024 bytes; of several attributes (2,048 bytes together,
 * by DynamoDB's limit) each stands as dynamo.key_tie_break() of its column,
 * which equality is all that is needed of.  Sort keys stand as they are: 1,024
 * bytes together, which the gate enforces, and the predicate for items that
 * were there before the index.
 */
#ifndef DYNAMO_INDEX_SQL_H
#define DYNAMO_INDEX_SQL_H

#include "postgres.h"
#include "lib/stringinfo.h"

#include "catalog/description.h"

/* A key column: what its attribute is, and its name, quoted. */
typedef struct IndexColumn
{
	AttributeType type;
	const char *quoted;
} IndexColumn;

typedef struct IndexShape
{
	IndexKind	kind;
	int			partition_count;
	int			sort_count;
	IndexColumn partition[INDEX_KEY_ATTRIBUTES];
	IndexColumn sort[INDEX_KEY_ATTRIBUTES];
} IndexShape;

extern void index_shape(IndexShape *shape, const IndexDescription *index);

/* Does a partition key attribute stand in the index as a digest? */
#define index_digests_partition(partition_count) ((partition_count) > 1)

/* " AND .. <= 1024" if the index has several sort key attributes, else nothing. */
extern void index_append_size_predicate(StringInfo sql, const IndexShape *shape);

/*
 * CREATE INDEX.  The table's key (one or two columns) stands behind the
 * index's, so that the order of entries is total and a page can begin behind
 * any of them.
 */
extern char *index_create_sql(const char *quoted_name, const char *quoted_relation,
							  bool concurrently, const IndexShape *shape,
							  const IndexColumn *table_keys, int table_key_count);

/* The index of this name on a relation: its OID, or InvalidOid; is it whole? */
extern Oid	index_find(Oid table, const char *name, bool *valid);

/* "name" type, for CREATE TABLE and ADD COLUMN. */
extern void index_append_column(StringInfo sql, AttributeType type, const char *quoted);

#endif							/* DYNAMO_INDEX_SQL_H */
