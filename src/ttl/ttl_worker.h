/*
 * ttl_worker.h
 *		The process that deletes expired items.
 */
#ifndef DYNAMO_TTL_WORKER_H
#define DYNAMO_TTL_WORKER_H

/* During preloading only, before worker_init(). */
extern void ttl_worker_init(void);

#endif							/* DYNAMO_TTL_WORKER_H */
