/*
 * index_build.h
 *		Adding and dropping secondary indexes of a table in use.
 *
 * UpdateTable writes what is to be done into the catalog (dynamo.indexes,
 * dynamo.builds); it is done in small steps, each a transaction that leaves
 * the next to be found there, by a background worker that the commit starts:
 *
 *		PENDING		add the columns, under a lock that gives up at once
 *		BACKFILL	the gate fills them in new writes; fill the old items
 *		INDEX		CREATE INDEX CONCURRENTLY
 *		DONE		the index is ACTIVE
 *		DROP		drop what there is of the index, then its rows
 *
 * Time to live (dynamo.ttl) is enabled and disabled by the same steps, as the
 * build TTL_BUILD: its column is added, filled and indexed like those of an
 * index.
 *
 * A crash in any step leaves the row of the step, which is then done again.
 */
#ifndef DYNAMO_INDEX_BUILD_H
#define DYNAMO_INDEX_BUILD_H

#include "postgres.h"
#include "storage/lockdefs.h"
#include "utils/rel.h"

#include "catalog/description.h"
#include "catalog/rows.h"

/*
 * Serialise changes of what is known of a table (UpdateTable, tags, builds)
 * without a lock on the relation, which CREATE INDEX CONCURRENTLY would hold
 * up.  The caller has the relation open.  Until the end of the transaction.
 */
extern void index_lock_changes(Oid relid);

/* The same without waiting; false if somebody else has the lock. */
extern bool index_try_lock_changes(Oid relid);

/* A build of this table is not done; indexes being created or dropped. */
extern bool index_builds_unfinished(List *builds);

/* The build of an index, or NULL. */
extern BuildRow *index_build_of(List *builds, const char *index_name);

/*
 * Note that an index (or TTL_BUILD), whose row is in the catalog, is to be built or dropped;
 * the caller holds index_lock_changes().
 */
extern void index_build_register(Oid relid, const char *index_name, bool drop);

/*
 * Get on with it: a small table that nobody else uses, outside of a
 * transaction block, is done with at once; else the commit starts a worker.
 * The caller has closed the relation, and holds its lock.
 */
extern void index_build_start(Oid relid, const char *index_name, bool drop);

/*
 * Do the next step of a table's builds, in transactions of its own; false if
 * there is nothing left to do.  Outside of any transaction, with read committed
 * as isolation level.
 */
extern bool index_build_step(Oid relid);

/* Note in the builds' rows why they do not get on. */
extern void index_build_note_error(Oid relid, const char *message);

#endif							/* DYNAMO_INDEX_BUILD_H */
