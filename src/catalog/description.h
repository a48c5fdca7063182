/*
 * description.h
 *		What is known of a DynamoDB table: its description, cached per backend.
 *
 * The catalog's tables (schema "dynamo": tables, attributes, indexes) hold
 * names; attribute numbers and OIDs live in the cache only, since a dump and
 * restore renumbers columns.
 *
 * The rule that makes the cache safe: descriptions are looked up only while
 * holding the item relation's lock, loaded by scans with snapshots of their
 * own (catalog_scan.h), dropped on the relcache callback; every change of what
 * they hold is made under ShareRowExclusiveLock (or stronger) on the item
 * relation and sends its relcache invalidation in the same transaction.
 */
#ifndef DYNAMO_DESCRIPTION_H
#define DYNAMO_DESCRIPTION_H

#include "postgres.h"
#include "access/attnum.h"
#include "nodes/pg_list.h"
#include "storage/lockdefs.h"
#include "utils/rel.h"

#include "item/attribute.h"

/* An attribute that has a column of its own. */
typedef struct KeyAttribute
{
	char	   *name;			/* attribute name, stored form */
	int			name_length;
	AttributeType type;			/* S, N or B */
	char	   *column;			/* column name, unquoted */
	char	   *quoted;			/* column name, quoted for SQL */
	AttrNumber	attnum;			/* in the relation the description is of; InvalidAttrNumber
								 * until the build of an index has added the column */
	bool		table_key;		/* part of the table's primary key */
} KeyAttribute;

typedef enum IndexKind
{
	INDEX_GLOBAL = 'G',
	INDEX_LOCAL = 'L'
} IndexKind;

typedef enum IndexProjection
{
	PROJECT_ALL = 'A',
	PROJECT_KEYS_ONLY = 'K',
	PROJECT_INCLUDE = 'I'
} IndexProjection;

typedef enum IndexStatus
{
	INDEX_CREATING,
	INDEX_ACTIVE,
	INDEX_DELETING
} IndexStatus;

#define INDEX_KEY_ATTRIBUTES 4	/* attributes of the partition key, and of the sort key */

typedef struct IndexDescription
{
	char	   *name;			/* DynamoDB's name */
	char	   *relation_name;	/* the B-tree's name, unquoted; in the table's schema */
	IndexKind	kind;
	IndexProjection projection;
	int			partition_count;
	int			sort_count;
	KeyAttribute *partition[INDEX_KEY_ATTRIBUTES];
	KeyAttribute *sort[INDEX_KEY_ATTRIBUTES];
	List	   *included;		/* char *, NonKeyAttributes */
	IndexStatus status;
	bool		active;			/* status is ACTIVE: may be read, and its keys are enforced */
} IndexDescription;

typedef enum StreamView
{
	STREAM_KEYS_ONLY,
	STREAM_NEW_IMAGE,
	STREAM_OLD_IMAGE,
	STREAM_NEW_AND_OLD_IMAGES
} StreamView;

/* An open shard: it takes the keys whose hash is in low <= hash < high. */
typedef struct StreamShard
{
	int32		id;
	int64		low;
	int64		high;
} StreamShard;

/* The enabled stream of a table. */
typedef struct StreamDescription
{
	int32		id;
	StreamView	view;
	int			shard_count;
	StreamShard *shards;		/* they cover all hashes */
} StreamDescription;

/* The attribute by which items expire. */
typedef struct TtlDescription
{
	char	   *name;			/* attribute name, stored form */
	int			name_length;
	char	   *column;			/* int8, seconds since 1970; unquoted */
	char	   *quoted;
	AttrNumber	attnum;			/* InvalidAttrNumber until the column has been added */
} TtlDescription;

typedef struct TableDescription
{
	Oid			relid;			/* the relation it describes (a partition has its own) */
	Oid			root;			/* relation of the catalog's row */
	char	   *name;			/* DynamoDB's table name */
	char	   *quoted;			/* "schema"."relation" of root, quoted */
	bool		row_security;	/* relrowsecurity: plans depend on the role */
	AttrNumber	item_attnum;
	KeyAttribute *partition;
	KeyAttribute *sort;			/* NULL if the table has none */
	int			attribute_count;
	KeyAttribute *attributes;	/* all, the table's keys among them */
	int			index_count;
	IndexDescription *indexes;
	bool		local_indexes;	/* some index is local: the table has item collections */
	StreamDescription *stream;	/* NULL if none is enabled */
	TtlDescription *ttl;		/* NULL: items do not expire */
	MemoryContext context;		/* everything of this description; gone with it */
	struct StatementCache *statements;	/* owned by operation/statement.c */
} TableDescription;

/* Called once from _PG_init: callbacks. */
extern void catalog_init(void);

/*
 * The description of an open, locked relation, or NULL if the catalog does not
 * know it (a transient relation of a rewrite, pg_restore before the catalog's
 * rows).  A partition of a known partitioned relation has a description of its
 * own, with its own attribute numbers.  Valid until the end of the top-level
 * transaction, even if an invalidation makes the next call load a new one.
 */
extern TableDescription *catalog_description(Relation relation);

/*
 * Called when a description is about to be freed, for what hangs on it
 * (kept plans).  Set by operation/statement.c.
 */
extern void (*catalog_release_hook) (TableDescription *description);

/* The attribute of this name, or NULL. */
extern KeyAttribute *description_attribute(const TableDescription *description,
										   const char *name, int length);

/* Is the attribute one of the keys of the table or an index?  (Others have columns too.) */
extern bool description_uses_attribute(const TableDescription *description,
									   const KeyAttribute *attribute);

/* The index of this DynamoDB name, or NULL. */
extern IndexDescription *description_index(const TableDescription *description, const char *name);

/*
 * The value that the attribute's column holds for this attribute value, whose
 * type and size have been checked.  Palloc'd.  Look-ups by a key column compare
 * with the same value.
 */
extern Datum description_column_value(const TableDescription *description,
									  const KeyAttribute *attribute, const JsonbValue *value);

/*
 * Open the item relation of a DynamoDB table name (not an ARN) in schema
 * dynamo.schema; NULL if there is no such table.  The relation is of our
 * access method (or partitioned) and in the catalog.
 */
extern Relation catalog_open_table(const char *table_name, LOCKMODE lockmode,
								   TableDescription **description);

/* ---- names (names.c) ---- */

/* DynamoDB's names of tables and indexes. */
#define TABLE_NAME_MIN 3
#define TABLE_NAME_MAX 255
extern const char catalog_name_characters[];

extern bool catalog_is_table_name(const char *name);

/* The relation name of a DynamoDB table: itself, or cut with ':' and a hash beyond 63 bytes. */
extern char *catalog_relation_name(const char *table_name);

/* "relation:suffix", cut with a hash if too long: for indexes and constraints. */
extern char *catalog_derived_name(const char *relation_name, const char *suffix);

/* A column name for an attribute, unlike the names in taken (list of char *). */
extern char *catalog_column_name(const char *attribute, List *taken);

/* ---- OIDs of the extension's own catalog, cached ---- */

extern Oid	catalog_table_oid(const char *relation_name, bool missing_ok);
extern bool catalog_is_our_relation(Relation relation); /* uses access method dynamo */

#endif							/* DYNAMO_DESCRIPTION_H */
