/*
 * collection_metrics.h
 *		ItemCollectionMetrics: how large the item collections are that a write touched.
 *
 * DynamoDB reports them for tables with a local secondary index, whose
 * collections it limits to 10 GB.  There is no such limit here; the estimate is
 * bounded by the size of the whole table.
 */
#ifndef DYNAMO_COLLECTION_METRICS_H
#define DYNAMO_COLLECTION_METRICS_H

#include "postgres.h"
#include "lib/stringinfo.h"

#include "catalog/catalog.h"

/* Has the table item collections to report? */
extern bool collection_metrics_apply(const TableDescription *table);

/* {"ItemCollectionKey":..,"SizeEstimateRangeGB":[..]} of the collection that the item or key is in. */
extern void collection_metrics_append(StringInfo response, const TableDescription *table,
									  JsonbContainer *item);

#endif							/* DYNAMO_COLLECTION_METRICS_H */
