/*
 * collection.h
 *		The sizes of item collections: all items of one partition key, with their
 *		entries in local secondary indexes.
 *
 * Tables with local indexes alone have such.  DynamoDB limits a collection to
 * 10 GB.  A counter per collection would be one row that all its writers wait
 * for, so a change is noted as a row of its own, and not each: with the grain
 * g = limit / 4096, a change of d bytes that is smaller than g is noted as a
 * change of g with the probability d / g, one that is larger as it is.  The sum
 * of the rows has the true size as expected value, and a standard error of at
 * most sqrt(g * bytes added and removed): a sixty-fourth of the limit for a
 * collection that was filled up to it.  Writes of a kilobyte under the limit of
 * 10 GB note one row in 2,600 writes.
 *
 * All writes are counted, by whatever statement, in the transaction that does
 * them; TRUNCATE and a restore are not: dynamo.recount_item_collections() is
 * for them.
 */
#ifndef DYNAMO_COLLECTION_H
#define DYNAMO_COLLECTION_H

#include "postgres.h"
#include "executor/tuptable.h"
#include "utils/jsonb.h"
#include "utils/rel.h"

#include "catalog/description.h"

/* Has the table a local index? */
static inline bool
has_collections(const TableDescription *description)
{
	return description != NULL && description->local_indexes;
}

/*
 * Count a row that has been stored or removed.  ItemCollectionSizeLimit-
 * ExceededException if the collection grows beyond dynamo.item_collection_limit.
 */
extern void collection_insert(const TableDescription *description, TupleTableSlot *slot);
extern void collection_update(const TableDescription *description, Relation relation,
							  ItemPointer old_tid, TupleTableSlot *slot);
extern void collection_delete(const TableDescription *description, Relation relation,
							  ItemPointer tid);

/* The estimated size of the collection of an item or key. */
extern int64 collection_size(const TableDescription *description, JsonbContainer *item);

/* Bytes that an index's entry for this item takes: what it projects. */
extern int64 index_entry_size(const TableDescription *description, const IndexDescription *index,
							  JsonbContainer *item);

#endif							/* DYNAMO_COLLECTION_H */
