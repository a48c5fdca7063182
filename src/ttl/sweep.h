/*
 * sweep.h
 *		Deleting expired items of one relation.
 *
 * In two steps: places of expired items are looked up by the index, many at
 * once, since the entries of what has just been deleted stand at its beginning
 * and are passed over each time; then they are deleted in batches.  A place is
 * only where to look: what is there at that time is deleted if it is expired
 * and nobody has it locked, so an item that has got a later time, or another
 * row at its place, is safe.
 *
 * Both run as statements with the current role's rights, in the current
 * transaction.
 */
#ifndef DYNAMO_SWEEP_H
#define DYNAMO_SWEEP_H

#include "postgres.h"
#include "storage/itemptr.h"
#include "utils/rel.h"

#include "catalog/description.h"

#define SWEEP_BATCH 1000		/* items deleted at once */
#define SWEEP_PLACES 20000		/* places looked up at once */

/* Times, in seconds since 1970, at which items that are expired now expired. */
typedef struct SweepSpan
{
	int64		from;
	int64		until;
} SweepSpan;

/*
 * Up to now; items more than five years past do not expire, as they may be
 * there by mistake.
 */
extern SweepSpan sweep_span_now(void);

/*
 * Places of up to limit items that expired in the span, oldest first, then put
 * in the order of their places.  *last is the latest of their times.  relation
 * has storage; table is its description and has a column of expiry times.
 */
extern int	sweep_find(Relation relation, TableDescription *table, SweepSpan span,
					   ItemPointerData *places, int limit, int64 *last);

/*
 * Delete what is expired at these places, but for what others have locked.
 * Returns how many items.  Their stream records name the service.
 */
extern int64 sweep_delete(Relation relation, TableDescription *table, SweepSpan span,
						  ItemPointerData *places, int count);

/*
 * Have all items of before been filled in, so that the column can be believed?
 * Under the table's lock of changes.
 */
extern bool sweep_ready(const TableDescription *table);

#endif							/* DYNAMO_SWEEP_H */
