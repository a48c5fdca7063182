/*
 * backfill.h
 *		Filling a column of items that were there before it.
 */
#ifndef DYNAMO_BACKFILL_H
#define DYNAMO_BACKFILL_H

#include "postgres.h"
#include "storage/block.h"
#include "utils/rel.h"

#include "catalog/description.h"

typedef struct BackfillCounts
{
	int64		rows;			/* looked at */
	int64		skipped;		/* that violate the keys of the index */
	int64		left;			/* not filled, because somebody else has them locked */
} BackfillCounts;

/*
 * Fill the columns of the attributes, and of time to live, in the items of a range of blocks of one
 * relation with storage, and add to the counts.  In the current transaction,
 * with the rights of the relation's owner; rows that others have locked are
 * left.  index, if not NULL, is the one whose violations are counted.
 */
extern void backfill_blocks(Relation relation, List *attributes, const char *index_name,
							BlockNumber begin, BlockNumber end, BackfillCounts *counts);

/*
 * The relations with storage of an item relation: itself, or its partitions.
 * With NoLock they may be gone when they are looked at.
 */
extern List *backfill_relations(Oid relid, LOCKMODE lockmode);

#endif							/* DYNAMO_BACKFILL_H */
