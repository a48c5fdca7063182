/*
 * stream_worker.h
 *		The process "dynamo streams": it tells listeners, calls consumers, trims.
 */
#ifndef DYNAMO_STREAM_WORKER_H
#define DYNAMO_STREAM_WORKER_H

/* During preloading only. */
extern void stream_worker_init(void);

#endif							/* DYNAMO_STREAM_WORKER_H */
