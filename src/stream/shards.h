/*
 * shards.h
 *		The life of a stream: it begins with shards, splits them, ends.
 *
 *		(none) -- stream_begin --> ENABLED -- stream_end --> DISABLED -- 24 h --> (none)
 *
 * A shard takes the keys of a range of hashes and is open until it is split in
 * two or the stream ends.  Shards are never merged: a record says of one parent
 * only that it must be read first.  Callers hold ShareRowExclusiveLock (or
 * stronger) on the item relation, so no other transaction has records of it to
 * number, and whoever writes afterwards sees the new shards.
 */
#ifndef DYNAMO_SHARDS_H
#define DYNAMO_SHARDS_H

#include "postgres.h"
#include "lib/stringinfo.h"

#include "catalog/streams.h"

#define SHARD_ID_SIZE 40		/* "shardId-" 20 digits "-" 8 digits, and some */

/* Begin a stream of an item relation that has none; its label, palloc'd. */
extern const char *stream_begin(Oid relation, const TableDescription *description,
								StreamView view, int shards);

/* End the stream of an item relation. */
extern void stream_end(Oid relation);

/*
 * Shards that DynamoDB would give a new table: as many as partitions, which
 * follow from provisioned throughput; at most dynamo.stream_shards, which is
 * what a table on demand gets.
 */
extern int	stream_shard_count(bool on_demand, int64 read_units, int64 write_units);

/* The name under which the API knows a shard: in buffer, of SHARD_ID_SIZE. */
extern char *shard_name(const ShardRow *shard, char *buffer);

#endif							/* DYNAMO_SHARDS_H */
