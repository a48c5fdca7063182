/*
 * collection_metrics.h
 *		ItemCollectionMetrics: how large the item collections are that a write touched.
 *
 * Reported for tables with a local secondary index.  What the estimate is worth
 * stands in tableam/collection.h; the range is that of the whole gigabyte.
 */
#ifndef DYNAMO_COLLECTION_METRICS_H
#define DYNAMO_COLLECTION_METRICS_H

#include "postgres.h"

#include "catalog/description.h"
#include "item/json_writer.h"

/* Has the table item collections to report? */
extern bool collection_metrics_apply(const TableDescription *table);

/*
 * {"ItemCollectionKey":..,"SizeEstimateRangeGB":[..]} of the collection that the
 * item or key is in; as a member of this name, or with NULL as an element.
 */
extern void collection_metrics_append(JsonWriter *response, const char *name,
									  const TableDescription *table, JsonbContainer *item);

#endif							/* DYNAMO_COLLECTION_METRICS_H */
