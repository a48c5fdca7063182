/*
 * ring.h
 *		The tables that hold stream records: two rings, truncated in turn.
 *
 * dynamo.stream_records_N holds changes, dynamo.stream_commits_N the
 * transactions that made them, in the order of shards.  A commit's number is
 * its time in microseconds since 1970 (or the shard's last number plus one, if
 * that is later), so the number tells the table, and what has expired.
 */
#ifndef DYNAMO_RING_H
#define DYNAMO_RING_H

#include "postgres.h"
#include "access/transam.h"
#include "utils/rel.h"

#define RING_SIZE 8
#define RING_PERIOD (INT64CONST(4) * 3600 * 1000000)	/* microseconds for which a table is in use */
#define RING_RETENTION (INT64CONST(24) * 3600 * 1000000)

/* Columns of dynamo.stream_records_N. */
enum
{
	Anum_record_xid = 1,
	Anum_record_shard,
	Anum_record_counter,
	Anum_record_kind,
	Anum_record_service,
	Anum_record_keys,
	Anum_record_old,
	Anum_record_new,
	Natts_record = Anum_record_new
};

/* Columns of dynamo.stream_commits_N. */
enum
{
	Anum_commit_shard = 1,
	Anum_commit_number,
	Anum_commit_xid,
	Anum_commit_slot,
	Natts_commit = Anum_commit_slot
};

typedef enum RingKind
{
	RING_RECORDS,
	RING_COMMITS
} RingKind;

/* The table in use at this time. */
static inline int
ring_slot(int64 microseconds)
{
	return (int) ((microseconds / RING_PERIOD) % RING_SIZE);
}

/* Numbers up to this one have expired: records of a day before that time. */
static inline int64
ring_horizon(int64 microseconds)
{
	return microseconds - RING_RETENTION;
}

extern Oid	ring_table_oid(RingKind kind, int slot);

/* The index on (xid, shard, counter) or (shard, number), opened. */
extern Relation ring_open_index(Relation table, LOCKMODE lockmode);

/*
 * Insert a row and its index entries: without privileges, triggers or logical
 * decoding, so that a subscriber gets none of it.
 */
extern void ring_append(RingKind kind, int slot, Datum *values, bool *nulls);

/*
 * The largest number of a shard that is in the tables, whatever has become of
 * its transaction; 0 if none is later than after.  Entries of aborted
 * transactions count until vacuumed.
 */
extern int64 ring_last_number(int32 shard, int64 after);

#endif							/* DYNAMO_RING_H */
