/*
 * stream_request.h
 *		What requests of the streams' API name: streams, shards, iterators.
 */
#ifndef DYNAMO_STREAM_REQUEST_H
#define DYNAMO_STREAM_REQUEST_H

#include "postgres.h"

#include "catalog/streams.h"
#include "operation/operation.h"
#include "stream/shard_reader.h"
#include "stream/record.h"

/* The streams of schema dynamo.schema in the order of ARNs: StreamRow *. */
extern List *streams_listed(void);

/* Adds faults of a member that is a stream's ARN (required or not). */
extern void stream_arn_constraints(const cJSON *request, const char *name, const char *path,
								   bool required, ConstraintFaults *faults);

/*
 * The stream of an ARN: ValidationException if it is none's form,
 * ResourceNotFoundException if there is no such stream, AccessDeniedException
 * if the current role may not read it.
 */
extern StreamRow *stream_of_arn(const char *arn);

/* A shard by its name, or NULL. */
extern ShardRow *stream_shard_named(List *shards, const char *name);

/* Where GetRecords goes on. */
typedef struct ShardIterator
{
	int32		shard;
	StreamPosition position;
	int64		issued_at;		/* microseconds since 1970 */
} ShardIterator;

/* The text of an iterator: it holds all, so any process can go on with it. */
extern char *shard_iterator_text(const StreamRow *stream, const ShardIterator *iterator);

/* The ARN of the iterator's stream.  ValidationException if the text is none. */
extern char *shard_iterator_parse(const char *text, ShardIterator *iterator);

#endif							/* DYNAMO_STREAM_REQUEST_H */
