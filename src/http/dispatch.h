/*
 * dispatch.h
 *		The life of a request, from its last byte to its reply.
 */
#ifndef DYNAMO_DISPATCH_H
#define DYNAMO_DISPATCH_H

#include "postgres.h"

/* Once in a worker. */
extern void dispatch_start(void);

/*
 * Run requests that are ready, for a few milliseconds at most, and send their
 * replies.  Returns false if there was none.  receive looks for more, and waits
 * for it at most so many ms.
 */
extern bool dispatch_batch(void (*receive) (long timeout));

/* Put requests whose pause is over among the ready ones. */
extern void dispatch_wake_waiting(void);

/* Milliseconds until the next of them, or -1. */
extern long dispatch_next_wake(void);

#endif							/* DYNAMO_DISPATCH_H */
