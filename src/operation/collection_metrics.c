/*
 * collection_metrics.c
 *		ItemCollectionMetrics: how large the item collections are that a write touched.
 */
#include "postgres.h"

#include "storage/bufmgr.h"
#include "utils/relcache.h"

#include "item/item.h"
#include "operation/collection_metrics.h"
#include "operation/response.h"

bool
collection_metrics_apply(const TableDescription *table)
{
	for (int i = 0; i < table->index_count; i++)
	{
		if (table->indexes[i].kind == INDEX_LOCAL)
			return true;
	}
	return false;
}

/* The whole gigabytes that surely hold the table; a partitioned one has no size of its own. */
static int
table_gigabytes(const TableDescription *table)
{
	Relation	relation = RelationIdGetRelation(table->root);
	uint64		blocks = RELKIND_HAS_STORAGE(relation->rd_rel->relkind)
	? RelationGetNumberOfBlocks(relation) : 0;

	RelationClose(relation);
	return 1 + (int) (blocks * BLCKSZ / (UINT64CONST(1) << 30));
}

void
collection_metrics_append(StringInfo response, const TableDescription *table, JsonbContainer *item)
{
	JsonbValue	partition;

	response_open(response, NULL, '{');
	response_open(response, "ItemCollectionKey", '{');
	if (attribute_get(item, table->partition->name, table->partition->name_length, &partition))
	{
		json_append_string(response, table->partition->name, table->partition->name_length);
		appendStringInfoChar(response, ':');
		attribute_to_dynamodb_json(response, &partition);
	}
	appendStringInfo(response, "},\"SizeEstimateRangeGB\":[0.0,%d.0]}", table_gigabytes(table));
}
