/*
 * mapping.h
 *		Event source mappings: functions that consume a stream.
 *
 * Their rows are read and written with the extension's rights, by SPI; the
 * functions here switch to them and back.
 */
#ifndef DYNAMO_MAPPING_H
#define DYNAMO_MAPPING_H

#include "postgres.h"
#include "datatype/timestamp.h"
#include "executor/spi.h"
#include "nodes/pg_list.h"
#include "utils/jsonb.h"
#include "utils/uuid.h"

#include "stream/shard_reader.h"

typedef struct Mapping
{
	pg_uuid_t	uuid;
	int32		stream;
	char	   *table_name;
	char	   *function;		/* with schema and argument types */
	Oid			owner;
	int			batch_size;
	int			maximum_retry_attempts; /* -1: no limit */
	Jsonb	   *filter;			/* checked; NULL: all records */
	int64		batch_window;	/* microseconds */
	int64		maximum_record_age; /* microseconds; 0: no limit */
	bool		enabled;
	char	   *last_result;
} Mapping;

/* How far a mapping has come in a shard. */
typedef struct Checkpoint
{
	StreamPosition position;
	bool		finished;
	int			attempts;
	int			batch_limit;	/* 0: none */
	TimestampTz retry_at;		/* 0: at once */
} Checkpoint;

/* The mapping, in the current context; NULL if there is none. */
extern Mapping *mapping_read(const pg_uuid_t *uuid);

/* The same for the current role; an error if it is not an owner's, or there is no mapping. */
extern Mapping *mapping_read_owned(const pg_uuid_t *uuid);

/* Enabled mappings: pg_uuid_t *, in the current context. */
extern List *mappings_enabled(void);

/* Note how the last batch went, if that has changed. */
extern void mapping_set_result(const Mapping *mapping, const char *result);

/*
 * Lock a checkpoint, which is made if there is none; false if someone else has
 * locked it.
 */
extern bool checkpoint_lock(const Mapping *mapping, int32 shard, Checkpoint *checkpoint);
extern void checkpoint_store(const Mapping *mapping, int32 shard, const Checkpoint *checkpoint);

/* Ids of the shards that the mapping has finished: list of int. */
extern List *checkpoints_finished(const Mapping *mapping);

/* Put an event aside. */
extern void failed_event_insert(const Mapping *mapping, StreamPosition position, const char *event,
								const char *reason, int attempts);

#endif							/* DYNAMO_MAPPING_H */
