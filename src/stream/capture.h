/*
 * capture.h
 *		From a change of an item to a record of its table's stream.
 *
 * The access method hands over each change after heap has made it, so that an
 * operation, raw SQL, COPY and logical replication are recorded alike.  A
 * record is part of the transaction: what rolls back the change rolls back the
 * record.  It gets its place in the shard when the transaction commits or is
 * prepared.
 */
#ifndef DYNAMO_CAPTURE_H
#define DYNAMO_CAPTURE_H

#include "postgres.h"

#include "catalog/description.h"

/* Kinds of changes, as stored. */
#define CHANGE_INSERT 'I'
#define CHANGE_MODIFY 'M'
#define CHANGE_REMOVE 'R'

/* Called once from _PG_init. */
extern void capture_init(void);

/*
 * Called after the commit of a transaction that has records, if set: others
 * see them.  It must not raise an error.
 */
extern void (*capture_committed) (void);

/*
 * Do deletions of this session come from the service (expiry)?  Their records
 * say so.  Returns what was set before; an error does not reset it.
 */
extern bool capture_service_deletes(bool on);

#endif							/* DYNAMO_CAPTURE_H */
