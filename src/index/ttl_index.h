/*
 * ttl_index.h
 *		The B-trees of time to live: by them expired items are found.
 *
 * Each relation with storage has one of its own: those of partitioned tables
 * cannot be built concurrently, and expired items are looked for in one
 * partition after the other.
 */
#ifndef DYNAMO_TTL_INDEX_H
#define DYNAMO_TTL_INDEX_H

#include "postgres.h"

#include "catalog/ttl.h"

/* ALTER TABLE .. ADD COLUMN; NULL if the column is there, from an earlier time. */
extern char *ttl_index_column_sql(const TableDescription *table, const TtlRow *ttl);

/* CREATE INDEX for a relation with storage, DROP INDEX for one of its B-trees. */
extern char *ttl_index_create_sql(Oid leaf, const TtlRow *ttl, bool concurrently);
extern char *ttl_index_drop_sql(Oid index, bool concurrently);

/* A relation's B-tree, or what a crash has left of one: OID, or InvalidOid; is it whole? */
extern Oid	ttl_index_find(Oid leaf, const TtlRow *ttl, bool *valid);

/* What is to be run next, concurrently, until all are whole (or gone, in drop); then NULL. */
extern char *ttl_index_next_statement(Oid relid, const TtlRow *ttl, bool drop);

#endif							/* DYNAMO_TTL_INDEX_H */
