/*
 * table_statistics.h
 *		ItemCount, TableSizeBytes and their like.
 *
 * DynamoDB brings these figures up to date every six hours or so; here too
 * they are good to know and nothing to compute with.
 */
#ifndef DYNAMO_TABLE_STATISTICS_H
#define DYNAMO_TABLE_STATISTICS_H

#include "postgres.h"

#include "catalog/description.h"

typedef struct TableSize
{
	int64		items;
	int64		bytes;
} TableSize;

/*
 * Size of a table and of each of its indexes (index_sizes has as many elements
 * as the description has indexes).  Exact for a small table that the current
 * role may read, else from the planner's statistics; never a long scan.
 */
extern void table_statistics(Relation relation, const TableDescription *description,
							 TableSize *table_size, TableSize *index_sizes);

#endif							/* DYNAMO_TABLE_STATISTICS_H */
