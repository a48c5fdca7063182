/*
 * durability.h
 *		Answer after the flush: asynchronous commits, one flush for many replies.
 *
 * No reply shows what a crash could take back, neither by its own commit nor
 * by having read what another worker committed and nobody has flushed yet.
 * Every worker marks its shared slot before a commit and leaves the commit's
 * position in it afterwards; who replies looks at all slots after the last
 * snapshot of the replies, and flushes up to what they tell.
 */
#ifndef DYNAMO_DURABILITY_H
#define DYNAMO_DURABILITY_H

#include "postgres.h"

/* During preloading: shared memory. */
extern void durability_init(void);

/* In a worker, once, and after each reload of the settings. */
extern void durability_start(int worker_number);
extern void durability_settings_changed(void);

/* Around each commit; end also when the commit failed. */
extern void durability_commit_begins(void);
extern void durability_commit_ended(void);

/*
 * This worker would flush now.  Is there another one that has committed and
 * is about to flush as well, so that one flush could serve both?  Its latch
 * tells the worker when it asks again that nobody is left.
 */
extern bool durability_others_join(void);

/*
 * Wait until everything that replies composed so far can show is durable as
 * synchronous_commit is configured, on synchronous standbys too.  False if the
 * wait for those was cancelled: then no success may be reported.
 */
extern bool durability_wait(void);

#endif							/* DYNAMO_DURABILITY_H */
