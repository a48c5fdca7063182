/*
 * streams.h
 *		The catalog's rows of streams and shards.
 *
 * A stream that can get records is part of its table's description; it begins,
 * ends and changes its shards under ShareRowExclusiveLock on the item relation.
 * So whoever changes these rows knows that no other transaction has records to
 * number.  Rows outlive the stream by 24 hours, and the table too.
 */
#ifndef DYNAMO_STREAMS_H
#define DYNAMO_STREAMS_H

#include "postgres.h"
#include "datatype/timestamp.h"
#include "nodes/pg_list.h"

#include "catalog/description.h"

/* Hashes of partition keys are below this. */
#define STREAM_HASH_END (INT64CONST(1) << 32)

/* A row of dynamo.streams. */
typedef struct StreamRow
{
	Oid			relation;		/* InvalidOid: the table has been dropped */
	int32		id;
	const char *table_name;
	const char *schema_name;	/* as of now, if the table is there */
	const char *label;
	StreamView	view;
	const char *partition_key;
	const char *sort_key;		/* NULL if there is none */
	Oid			owner;			/* of the table, as of the stream's beginning */
	TimestampTz created_at;
	TimestampTz disabled_at;	/* 0: enabled */
} StreamRow;

/* A row of dynamo.stream_shards. */
typedef struct ShardRow
{
	int32		stream;
	int32		id;
	int32		parent;			/* 0: none */
	int64		low;
	int64		high;
	TimestampTz created_at;
	int64		start;
	TimestampTz closed_at;		/* 0: open */
} ShardRow;

extern const char *stream_view_name(StreamView view);
extern bool stream_view_from_name(const char *name, StreamView *view);

/* The enabled stream of an item relation, NULL if there is none; in the current context. */
extern StreamDescription *catalog_load_stream(Oid relation);

/* An id for a new stream or shard. */
extern int32 catalog_new_stream_id(void);

/* Insert rows.  For a stream, the relation's invalidation is sent. */
extern void catalog_insert_stream(const StreamRow *row);
extern void catalog_insert_shard(const ShardRow *row);

/* All streams, and the shards of one in the order of ids: StreamRow *, ShardRow *. */
extern List *catalog_read_streams(void);
extern List *catalog_read_shards(int32 stream);

/* Close a shard; the caller invalidates the relation. */
extern void catalog_close_shard(int32 stream, int32 shard);

/*
 * Disable the stream of a relation, if one is enabled, and close its shards.
 * dropped: the relation is gone or about to go.
 */
extern void catalog_disable_stream(Oid relation, bool dropped);

/* Delete the rows of what was disabled or closed before that time. */
extern void catalog_delete_old_streams(TimestampTz before);

#endif							/* DYNAMO_STREAMS_H */
