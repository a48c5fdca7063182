/*
 * consume.h
 *		Calling the function of an event source mapping with the next batch.
 */
#ifndef DYNAMO_CONSUME_H
#define DYNAMO_CONSUME_H

#include "postgres.h"
#include "nodes/pg_list.h"
#include "utils/uuid.h"

typedef enum StepEnd
{
	STEP_IDLE,					/* there is nothing to do until there are more records */
	STEP_WAIT,					/* a retry, or a batch that is not full, has to wait */
	STEP_PROGRESS				/* something was done: call again */
} StepEnd;

typedef struct Step
{
	StepEnd		end;
	int64		wait;			/* microseconds */
	int			taken;			/* records that the function has taken */
} Step;

/* Shards that a mapping can go on with now: list of int; NIL if it is paused or gone. */
extern List *consumer_shards(const pg_uuid_t *uuid);

/*
 * One batch of a shard.  What the function writes and the checkpoint belong to
 * the running transaction; if the function fails its writes are undone, and
 * that is noted.  in_worker: deferred triggers run as the function's role, since
 * the transaction ends as another.
 */
extern Step consumer_step(const pg_uuid_t *uuid, int32 shard, bool in_worker);

#endif							/* DYNAMO_CONSUME_H */
