/*
 * notify.h
 *		Waking the stream worker, from whichever process commits.
 */
#ifndef DYNAMO_NOTIFY_H
#define DYNAMO_NOTIFY_H

#include "postgres.h"

/* During preloading only. */
extern void notify_init(void);

/*
 * There is something new in a stream of this database: after the commit, so
 * that the worker finds it.  Nothing without the preloaded library.
 */
extern void notify_stream_worker(void);

/* The calling process is the worker of its database until it exits. */
extern void notify_register_worker(void);

/* Has notify_stream_worker() been called since the last call? */
extern bool notify_pending(void);

#endif							/* DYNAMO_NOTIFY_H */
