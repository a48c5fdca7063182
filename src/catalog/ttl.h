/*
 * ttl.h
 *		The catalog's rows of tables whose items expire.
 *
 * Whoever changes a row holds the table's lock of changes
 * (index/index_build.h); what the gate knows of it changes together with the
 * column, under the lock of ALTER TABLE.
 */
#ifndef DYNAMO_TTL_H
#define DYNAMO_TTL_H

#include "postgres.h"
#include "datatype/timestamp.h"

#include "catalog/description.h"

/* The column of a table: its name can be no attribute's, unless by intent. */
#define TTL_COLUMN ":ttl"

typedef enum TtlState
{
	TTL_ENABLING,				/* the column is to be added */
	TTL_ENABLED,				/* the gate fills the column */
	TTL_DISABLING,				/* nothing expires any more; the index is to be dropped */
	TTL_DISABLED				/* the column is kept for the next time */
} TtlState;

/* A row of dynamo.ttl. */
typedef struct TtlRow
{
	Oid			relation;
	const char *attribute;
	const char *column;
	TtlState	state;
	TimestampTz since;
	TimestampTz last_sweep;		/* 0: never */
	int64		expired;
	const char *last_error;		/* NULL: none */
} TtlRow;

/* The row of a table; false if there is none.  Palloc'd in the current context. */
extern bool catalog_read_ttl(Oid relation, TtlRow *row);

/* All rows: TtlRow *, those swept longest ago first. */
extern List *catalog_read_all_ttl(void);

/*
 * Insert the row, or replace the table's.  With a change of attribute, column
 * or state the relation's invalidation is sent.
 */
extern void catalog_put_ttl(const TtlRow *row);

/*
 * The B-tree of expiry times of one relation with storage, by what it is and not
 * by its name, which the relation's may have left behind; InvalidOid if it has none.
 */
extern Oid	catalog_ttl_index(Relation relation, const char *column);

/* What the gate needs to know, in the current context; NULL if nothing expires. */
extern TtlDescription *catalog_load_ttl(Oid relation);

#endif							/* DYNAMO_TTL_H */
