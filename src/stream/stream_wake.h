/*
 * stream_wake.h
 *		Waking the stream worker, from whichever process commits.
 */
#ifndef DYNAMO_STREAM_WAKE_H
#define DYNAMO_STREAM_WAKE_H

#include "postgres.h"

/* During preloading only: from then on commits wake the worker. */
extern void stream_wake_init(void);

/* The calling process is the worker of its database until it exits. */
extern void stream_wake_register(void);

/* Has there been a commit with records since the last call? */
extern bool stream_wake_pending(void);

#endif							/* DYNAMO_STREAM_WAKE_H */
