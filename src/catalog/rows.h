/*
 * rows.h
 *		Rows of the extension's own catalog: written, and read for what the
 *		cache does not hold.
 *
 * Rows are written directly, with the rights of the extension: the caller has
 * checked that the current role owns the item relation.  Whoever changes a row
 * holds a lock on the item relation that conflicts with itself, so that no two
 * transactions change one row.  What the cache holds (everything but settings
 * and tags) needs ShareRowExclusiveLock, and the relation's invalidation is
 * sent here.
 */
#ifndef DYNAMO_CATALOG_ROWS_H
#define DYNAMO_CATALOG_ROWS_H

#include "postgres.h"
#include "datatype/timestamp.h"
#include "nodes/pg_list.h"
#include "utils/jsonb.h"
#include "utils/uuid.h"

#include "catalog/description.h"

/* A row of dynamo.tables. */
typedef struct TableRow
{
	Oid			relation;
	const char *table_name;
	pg_uuid_t	table_id;
	TimestampTz created_at;
	const char *partition_key;
	const char *sort_key;		/* NULL if there is none */
	Jsonb	   *settings;
} TableRow;

/* A row of dynamo.indexes, without its relation. */
typedef struct IndexRow
{
	const char *index_name;
	const char *index_relation;
	IndexKind	kind;
	List	   *partition_keys; /* char * */
	List	   *sort_keys;
	IndexProjection projection;
	List	   *included;
	const char *status;
	Jsonb	   *settings;
} IndexRow;

/* In place of an index's name: the build that serves time to live. */
#define TTL_BUILD ":ttl"

/* How far UpdateTable's change of an index has come. */
typedef enum BuildPhase
{
	BUILD_PENDING,				/* its columns are to be added */
	BUILD_BACKFILL,				/* the gate fills them; items of before are to be */
	BUILD_INDEX,				/* every item has them; the B-tree is to be made */
	BUILD_DONE,
	BUILD_DROP					/* the index is to go, whatever there is of it */
} BuildPhase;

/* A row of dynamo.builds, without its relation. */
typedef struct BuildRow
{
	const char *index_name;
	BuildPhase	phase;
	int64		rows_done;
	int64		rows_total;
	int64		rows_skipped;
	TimestampTz started_at;
	TimestampTz finished_at;	/* 0: not yet */
	const char *last_error;		/* NULL: none */
} BuildRow;

typedef struct Tag
{
	const char *key;
	const char *value;
} Tag;

extern void catalog_insert_table(const TableRow *row);
extern void catalog_insert_attribute(Oid relation, const char *attribute,
									 AttributeType type, const char *column);
extern void catalog_insert_index(Oid relation, const IndexRow *row);

/* The row of a table; false if there is none.  Palloc'd in the current context. */
extern bool catalog_read_table(Oid relation, TableRow *row);

/* Names of the tables whose item relation is in the schema: char *, unsorted. */
extern List *catalog_table_names(Oid schema);

/* Names of the B-trees of a table's ACTIVE indexes: char *. */
extern List *catalog_index_relations(Oid relation);

/* Settings of an index; NULL if there is no such index. */
extern Jsonb *catalog_read_index_settings(Oid relation, const char *index_name);

extern void catalog_update_table_settings(Oid relation, Jsonb *settings);
extern void catalog_update_index_settings(Oid relation, const char *index_name, Jsonb *settings);

extern void catalog_set_index_status(Oid relation, const char *index_name, IndexStatus status);
extern void catalog_delete_index(Oid relation, const char *index_name);
extern void catalog_delete_attribute(Oid relation, const char *attribute);

/* Builds of a table's indexes: BuildRow *.  Palloc'd in the current context. */
extern List *catalog_read_builds(Oid relation);
/* That of its time to live; NULL if there is none. */
extern BuildRow *catalog_read_ttl_build(Oid relation);
/* Insert the row, or replace that of the index. */
extern void catalog_put_build(Oid relation, const BuildRow *row);
extern void catalog_delete_build(Oid relation, const char *index_name);
/* Relations with builds that are not done: an oid list. */
extern List *catalog_unfinished_builds(void);

/* Tags of a table: Tag *, in the order of keys. */
extern List *catalog_read_tags(Oid relation);
extern void catalog_set_tag(Oid relation, const char *key, const char *value);
extern void catalog_remove_tag(Oid relation, const char *key);

/* Delete all rows of a relation that is gone or about to go. */
extern void catalog_forget(Oid relation);

#endif							/* DYNAMO_CATALOG_ROWS_H */
