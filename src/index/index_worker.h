/*
 * index_worker.h
 *		The processes that build and drop secondary indexes.
 *
 * One dynamic background worker per table with something to do, started by the
 * commit that gives it to do; it ends when nothing is left.  With the library
 * preloaded, a launcher starts workers for what a shutdown interrupted; without,
 * the next DescribeTable or UpdateTable of the table does, and anybody may at
 * any time by dynamo.resume_index_builds() or CALL dynamo.build_indexes().
 */
#ifndef DYNAMO_INDEX_WORKER_H
#define DYNAMO_INDEX_WORKER_H

#include "postgres.h"

/* Called once from _PG_init: transaction callback, launcher. */
extern void index_worker_init(void);

/*
 * Start a worker for the table when the transaction has committed.  With
 * interrupt, the one that is at work is stopped in what it does, to look anew.
 */
extern void index_worker_start(Oid relid, bool interrupt);

/* The same, unless one is at work already. */
extern void index_worker_resume(Oid relid);

/* For the steps of a build. */
extern void index_worker_check_interrupts(void);
extern void index_worker_sleep(long milliseconds);

#endif							/* DYNAMO_INDEX_WORKER_H */
