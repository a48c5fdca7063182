/*
 * shard_reader.h
 *		Reading a shard: records in the order of commits, none skipped, none twice.
 */
#ifndef DYNAMO_SHARD_READER_H
#define DYNAMO_SHARD_READER_H

#include "postgres.h"
#include "utils/jsonb.h"

#include "catalog/streams.h"

/* A place in a shard: behind the record of this number and counter. */
typedef struct StreamPosition
{
	int64		number;
	int32		counter;
} StreamPosition;

/* The place behind all records of the number. */
#define POSITION_BEHIND PG_INT32_MAX

/* A record as stored; images that the view does not show are NULL. */
typedef struct StreamRecord
{
	StreamPosition position;
	char		kind;			/* CHANGE_INSERT, .. */
	bool		service;
	Jsonb	   *keys;			/* NULL if there is an image */
	Jsonb	   *old;
	Jsonb	   *new;
} StreamRecord;

/*
 * Called per record, in order; its memory lasts for the call.  False: the
 * record is not taken, and reading stops before it.
 */
typedef bool (*RecordReceiver) (const StreamRecord *record, void *argument);

typedef enum ReadEnd
{
	READ_STOPPED,				/* the receiver or the limit stopped it */
	READ_ALL					/* there are no more readable records now */
} ReadEnd;

/*
 * Read up to limit records behind the position, which is moved behind the last
 * one taken, or to where all before has been read.  Records that have expired
 * are passed over; trimmed, if not NULL, tells if there were any.
 */
extern ReadEnd stream_read(int32 shard, StreamPosition *position, int limit, bool *trimmed,
						   RecordReceiver receiver, void *argument);

/* The place behind all that can be read now. */
extern StreamPosition stream_end_position(int32 shard);

/* Move a number to the last one that can be read; false if there is none behind it. */
extern bool stream_advance(int32 shard, int64 *number);

/* Is there a readable record from a number on up to before another? */
extern bool stream_has_commits(int32 shard, int64 from, int64 before);

/* The last number that can be read; start if there is none. */
extern int64 stream_last_readable(const ShardRow *shard);

#endif							/* DYNAMO_SHARD_READER_H */
