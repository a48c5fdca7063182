/*
 * collection_metrics.c
 *		ItemCollectionMetrics: how large the item collections are that a write touched.
 */
#include "postgres.h"

#include "item/item.h"
#include "operation/collection_metrics.h"
#include "operation/response.h"
#include "tableam/collection.h"

#define GIGABYTE (INT64CONST(1) << 30)

bool
collection_metrics_apply(const TableDescription *table)
{
	return table->local_indexes;
}

void
collection_metrics_append(StringInfo response, const char *name, const TableDescription *table,
						  JsonbContainer *item)
{
	JsonbValue	partition;
	int64		gigabytes = collection_size(table, item) / GIGABYTE;

	response_open(response, name, '{');
	response_open(response, "ItemCollectionKey", '{');
	if (attribute_get(item, table->partition->name, table->partition->name_length, &partition))
	{
		json_append_string(response, table->partition->name, table->partition->name_length);
		appendStringInfoChar(response, ':');
		attribute_to_dynamodb_json(response, &partition);
	}
	appendStringInfo(response, "},\"SizeEstimateRangeGB\":[" INT64_FORMAT ".0," INT64_FORMAT ".0]}",
					 gigabytes, gigabytes + 1);
}
