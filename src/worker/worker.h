/*
 * worker.h
 *		Background workers: kinds of them, the launcher, shared memory.
 *
 * A room registers the kinds of workers it needs while the server preloads the
 * library.  One launcher starts them and starts them again when they end, with
 * growing pauses, so that a lasting fault costs a log line a minute.  The
 * launcher is connected to no database.
 */
#ifndef DYNAMO_WORKER_H
#define DYNAMO_WORKER_H

#include "postgres.h"

#define WORKER_NAME_LENGTH 32

typedef struct WorkerKind
{
	const char *name;			/* "http": the process is called "dynamo http 0" */
	const char *function;		/* entry point in this library; its argument is the number */
	int			count;			/* how many run, numbered from 0 */

	/*
	 * Called in the launcher before any worker of the kind is started; false
	 * puts the start off.  Reports the reason itself.  NULL: none needed.
	 */
	bool		(*prepare) (void);
} WorkerKind;

/* During preloading only.  The struct is copied. */
extern void worker_register(const WorkerKind *kind);

/*
 * A part of shared memory for a room, during preloading only: zeroed, then
 * handed to initialize (may be NULL), before any worker runs.
 */
extern void worker_reserve_memory(const char *name, Size size, void **where,
								  void (*initialize) (void *memory));

/*
 * What every worker does first: signal handlers, connection to
 * dynamo.database, settings of the session.  argument is the entry point's.
 * Returns the worker's number.
 */
extern int	worker_start(Datum argument);

/*
 * About once a second, outside transactions: leaves the process if someone
 * waits to drop or copy the database.
 */
extern void worker_yield_database(void);

/*
 * Users' code runs in workers with the rights of a role of theirs.  Before the
 * worker takes its own rights back, within the transaction: deferred triggers
 * fire, and cursors WITH HOLD, whose queries the commit would run, are closed.
 */
extern void worker_finish_users_code(void);

/*
 * After each transaction with users' code, outside transactions: takes away
 * what is left in the session, where the next role's code would find it.
 */
extern void worker_clean_session(void);

/* Registers the launcher; after all rooms, during preloading only. */
extern void worker_init(void);

#endif							/* DYNAMO_WORKER_H */
