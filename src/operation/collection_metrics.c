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
collection_metrics_append(JsonWriter *response, const char *name, const TableDescription *table,
						  JsonbContainer *item)
{
	JsonbValue	partition;
	int64		gigabytes = collection_size(table, item) / GIGABYTE;

	response_open(response, name, '{');
	response_open(response, "ItemCollectionKey", '{');
	if (attribute_get(item, table->partition->name, table->partition->name_length, &partition))
	{
		json_write_name(response, table->partition->name, table->partition->name_length);
		attribute_to_dynamodb_json(response, &partition);
	}
	response_close(response, '}');
	response_open(response, "SizeEstimateRangeGB", '[');
	response_decimal(response, NULL, gigabytes);
	response_decimal(response, NULL, gigabytes + 1);
	response_close(response, ']');
	response_close(response, '}');
}
