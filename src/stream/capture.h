/*
 * capture.h
 *		From a change of an item to a record of its table's stream.
 *
 * The access method calls these after heap has made the change, so that an
 * operation, raw SQL, COPY and logical replication are recorded alike.  A
 * record is part of the transaction: what rolls back the change rolls back the
 * record.  It gets its place in the shard when the transaction commits or is
 * prepared.
 */
#ifndef DYNAMO_CAPTURE_H
#define DYNAMO_CAPTURE_H

#include "postgres.h"
#include "executor/tuptable.h"

#include "catalog/catalog.h"

/* Kinds of changes, as stored. */
#define CHANGE_INSERT 'I'
#define CHANGE_MODIFY 'M'
#define CHANGE_REMOVE 'R'

/* Called once from _PG_init. */
extern void capture_init(void);

/*
 * A row has been inserted (a speculative one only when it has succeeded),
 * updated or deleted.  description is that of relation and has a stream; the
 * old version is fetched by its TID.
 */
extern void capture_insert(const TableDescription *description, TupleTableSlot *slot);
extern void capture_update(const TableDescription *description, Relation relation,
						   ItemPointer old_tid, TupleTableSlot *slot);
extern void capture_delete(const TableDescription *description, Relation relation,
						   ItemPointer tid);

/*
 * Do deletions of this session come from the service (expiry)?  Their records
 * say so.  Returns what was set before; an error does not reset it.
 */
extern bool capture_service_deletes(bool on);

/* Hash of a partition key's column value: below STREAM_HASH_END. */
extern uint32 capture_hash(AttributeType type, Datum value);

#endif							/* DYNAMO_CAPTURE_H */
