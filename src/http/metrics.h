/*
 * metrics.h
 *		Counters of the endpoint, in Prometheus's text format.
 */
#ifndef DYNAMO_METRICS_H
#define DYNAMO_METRICS_H

#include "postgres.h"

#include "http/connection.h"

/* During preloading: shared memory. */
extern void metrics_init(void);

/* Once in a worker. */
extern void metrics_start(int worker_number);

/* The operation whose consumed capacity is counted from now on. */
extern void metrics_operation(const HttpRequest *request);

/* A reply is about to be sent. */
extern void metrics_count(const HttpRequest *request);

/* The number of this process's connections changed. */
extern void metrics_connections(int count);

/* Compose the page: all workers together. */
extern void metrics_reply(HttpRequest *request);

#endif							/* DYNAMO_METRICS_H */
