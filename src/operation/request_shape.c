/*
 * request_shape.c
 *		The JSON type of every request member, checked before anything else.
 *
 * The service's deserialiser refuses a wrong JSON type before it looks at the
 * meaning of any member, so the check stands in front of the handlers, driven
 * by the tables below.  Members that are not listed are ignored, as there.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "item/item.h"
#include "operation/operation.h"

typedef enum ShapeKind
{
	SHAPE_STRING,
	SHAPE_BOOLEAN,
	SHAPE_INTEGER,
	SHAPE_LONG,
	SHAPE_BLOB,
	SHAPE_LIST,
	SHAPE_MAP,
	SHAPE_STRUCTURE
} ShapeKind;

typedef struct ShapeMember ShapeMember;

typedef struct Shape
{
	ShapeKind	kind;
	const char *name;			/* of a structure, or of what a map or list holds */
	const struct Shape *element;	/* of a list or map */
	const ShapeMember *members; /* of a structure, ends with a NULL name */
} Shape;

struct ShapeMember
{
	const char *name;
	const Shape *shape;
};

#define MODEL_PACKAGE "com.amazonaws.dynamodb.v20120810."

static const Shape string_shape = {SHAPE_STRING, "java.lang.String"};
static const Shape boolean_shape = {SHAPE_BOOLEAN};
static const Shape integer_shape = {SHAPE_INTEGER};
static const Shape long_shape = {SHAPE_LONG};
static const Shape blob_shape = {SHAPE_BLOB};

#define LIST_OF(shape) {SHAPE_LIST, NULL, &(shape)}
#define MAP_OF(shape) {SHAPE_MAP, NULL, &(shape)}
#define STRUCTURE(model_name, members) {SHAPE_STRUCTURE, MODEL_PACKAGE model_name, NULL, members}

static const Shape strings_shape = LIST_OF(string_shape);
static const Shape blobs_shape = LIST_OF(blob_shape);
static const Shape string_map_shape = MAP_OF(string_shape);

/* ---- attribute values and what is built of them ---- */

extern const Shape attribute_value_shape;
static const Shape attribute_values_shape = LIST_OF(attribute_value_shape);
static const Shape attribute_map_shape = MAP_OF(attribute_value_shape);

static const ShapeMember attribute_value_members[] = {
	{"S", &string_shape},
	{"N", &string_shape},
	{"B", &blob_shape},
	{"SS", &strings_shape},
	{"NS", &strings_shape},
	{"BS", &blobs_shape},
	{"BOOL", &boolean_shape},
	{"NULL", &boolean_shape},
	{"L", &attribute_values_shape},
	{"M", &attribute_map_shape},
	{NULL}
};
const Shape attribute_value_shape = STRUCTURE("AttributeValue", attribute_value_members);

static const ShapeMember expected_members[] = {
	{"Value", &attribute_value_shape},
	{"Exists", &boolean_shape},
	{"ComparisonOperator", &string_shape},
	{"AttributeValueList", &attribute_values_shape},
	{NULL}
};
static const Shape expected_shape = STRUCTURE("ExpectedAttributeValue", expected_members);
static const Shape expected_map_shape = MAP_OF(expected_shape);

static const ShapeMember condition_members[] = {
	{"AttributeValueList", &attribute_values_shape},
	{"ComparisonOperator", &string_shape},
	{NULL}
};
static const Shape condition_shape = STRUCTURE("Condition", condition_members);
static const Shape condition_map_shape = MAP_OF(condition_shape);

static const ShapeMember attribute_update_members[] = {
	{"Value", &attribute_value_shape},
	{"Action", &string_shape},
	{NULL}
};
static const Shape attribute_update_shape = STRUCTURE("AttributeValueUpdate", attribute_update_members);
static const Shape attribute_updates_shape = MAP_OF(attribute_update_shape);

/* ---- tables ---- */

static const ShapeMember attribute_definition_members[] = {
	{"AttributeName", &string_shape},
	{"AttributeType", &string_shape},
	{NULL}
};
static const Shape attribute_definition_shape = STRUCTURE("AttributeDefinition", attribute_definition_members);
static const Shape attribute_definitions_shape = LIST_OF(attribute_definition_shape);

static const ShapeMember key_schema_members[] = {
	{"AttributeName", &string_shape},
	{"KeyType", &string_shape},
	{NULL}
};
static const Shape key_schema_element_shape = STRUCTURE("KeySchemaElement", key_schema_members);
static const Shape key_schema_shape = LIST_OF(key_schema_element_shape);

static const ShapeMember projection_members[] = {
	{"ProjectionType", &string_shape},
	{"NonKeyAttributes", &strings_shape},
	{NULL}
};
static const Shape projection_shape = STRUCTURE("Projection", projection_members);

static const ShapeMember provisioned_throughput_members[] = {
	{"ReadCapacityUnits", &long_shape},
	{"WriteCapacityUnits", &long_shape},
	{NULL}
};
static const Shape provisioned_throughput_shape = STRUCTURE("ProvisionedThroughput", provisioned_throughput_members);

static const ShapeMember on_demand_throughput_members[] = {
	{"MaxReadRequestUnits", &long_shape},
	{"MaxWriteRequestUnits", &long_shape},
	{NULL}
};
static const Shape on_demand_throughput_shape = STRUCTURE("OnDemandThroughput", on_demand_throughput_members);

static const ShapeMember warm_throughput_members[] = {
	{"ReadUnitsPerSecond", &long_shape},
	{"WriteUnitsPerSecond", &long_shape},
	{NULL}
};
static const Shape warm_throughput_shape = STRUCTURE("WarmThroughput", warm_throughput_members);

static const ShapeMember global_index_members[] = {
	{"IndexName", &string_shape},
	{"KeySchema", &key_schema_shape},
	{"Projection", &projection_shape},
	{"ProvisionedThroughput", &provisioned_throughput_shape},
	{"OnDemandThroughput", &on_demand_throughput_shape},
	{"WarmThroughput", &warm_throughput_shape},
	{NULL}
};
static const Shape global_index_shape = STRUCTURE("GlobalSecondaryIndex", global_index_members);
static const Shape global_indexes_shape = LIST_OF(global_index_shape);

static const ShapeMember local_index_members[] = {
	{"IndexName", &string_shape},
	{"KeySchema", &key_schema_shape},
	{"Projection", &projection_shape},
	{NULL}
};
static const Shape local_index_shape = STRUCTURE("LocalSecondaryIndex", local_index_members);
static const Shape local_indexes_shape = LIST_OF(local_index_shape);

static const Shape create_index_shape = STRUCTURE("CreateGlobalSecondaryIndexAction", global_index_members);
static const Shape update_index_shape = STRUCTURE("UpdateGlobalSecondaryIndexAction", global_index_members);
static const Shape delete_index_shape = STRUCTURE("DeleteGlobalSecondaryIndexAction", global_index_members);
static const ShapeMember index_update_members[] = {
	{"Create", &create_index_shape},
	{"Update", &update_index_shape},
	{"Delete", &delete_index_shape},
	{NULL}
};
static const Shape index_update_shape = STRUCTURE("GlobalSecondaryIndexUpdate", index_update_members);
static const Shape index_updates_shape = LIST_OF(index_update_shape);

static const ShapeMember stream_members[] = {
	{"StreamEnabled", &boolean_shape},
	{"StreamViewType", &string_shape},
	{NULL}
};
static const Shape stream_shape = STRUCTURE("StreamSpecification", stream_members);

static const ShapeMember sse_members[] = {
	{"Enabled", &boolean_shape},
	{"SSEType", &string_shape},
	{"KMSMasterKeyId", &string_shape},
	{NULL}
};
static const Shape sse_shape = STRUCTURE("SSESpecification", sse_members);

static const ShapeMember tag_members[] = {
	{"Key", &string_shape},
	{"Value", &string_shape},
	{NULL}
};
static const Shape tag_shape = STRUCTURE("Tag", tag_members);
static const Shape tags_shape = LIST_OF(tag_shape);

static const ShapeMember point_in_time_members[] = {
	{"PointInTimeRecoveryEnabled", &boolean_shape},
	{"RecoveryPeriodInDays", &integer_shape},
	{NULL}
};
static const Shape point_in_time_shape = STRUCTURE("PointInTimeRecoverySpecification", point_in_time_members);

static const ShapeMember time_to_live_members[] = {
	{"AttributeName", &string_shape},
	{"Enabled", &boolean_shape},
	{NULL}
};
static const Shape time_to_live_shape = STRUCTURE("TimeToLiveSpecification", time_to_live_members);

/* ---- operations ---- */

#define TABLE_SETTINGS_MEMBERS \
	{"AttributeDefinitions", &attribute_definitions_shape}, \
	{"TableName", &string_shape}, \
	{"BillingMode", &string_shape}, \
	{"ProvisionedThroughput", &provisioned_throughput_shape}, \
	{"StreamSpecification", &stream_shape}, \
	{"SSESpecification", &sse_shape}, \
	{"TableClass", &string_shape}, \
	{"DeletionProtectionEnabled", &boolean_shape}, \
	{"OnDemandThroughput", &on_demand_throughput_shape}, \
	{"WarmThroughput", &warm_throughput_shape}

#define RETURN_MEMBERS \
	{"ReturnValues", &string_shape}, \
	{"ReturnConsumedCapacity", &string_shape}, \
	{"ReturnItemCollectionMetrics", &string_shape}, \
	{"ReturnValuesOnConditionCheckFailure", &string_shape}

#define CONDITION_MEMBERS \
	{"Expected", &expected_map_shape}, \
	{"ConditionalOperator", &string_shape}, \
	{"ConditionExpression", &string_shape}

#define PLACEHOLDER_MEMBERS \
	{"ExpressionAttributeNames", &string_map_shape}, \
	{"ExpressionAttributeValues", &attribute_map_shape}

#define PAGE_MEMBERS \
	{"TableName", &string_shape}, \
	{"IndexName", &string_shape}, \
	{"Select", &string_shape}, \
	{"AttributesToGet", &strings_shape}, \
	{"Limit", &integer_shape}, \
	{"ConsistentRead", &boolean_shape}, \
	{"ConditionalOperator", &string_shape}, \
	{"ExclusiveStartKey", &attribute_map_shape}, \
	{"ReturnConsumedCapacity", &string_shape}, \
	{"ProjectionExpression", &string_shape}, \
	{"FilterExpression", &string_shape}

static const ShapeMember create_table_members[] = {
	TABLE_SETTINGS_MEMBERS,
	{"KeySchema", &key_schema_shape},
	{"LocalSecondaryIndexes", &local_indexes_shape},
	{"GlobalSecondaryIndexes", &global_indexes_shape},
	{"Tags", &tags_shape},
	{"ResourcePolicy", &string_shape},
	{NULL}
};
static const ShapeMember update_table_members[] = {
	TABLE_SETTINGS_MEMBERS,
	{"GlobalSecondaryIndexUpdates", &index_updates_shape},
	{NULL}
};
static const ShapeMember table_name_members[] = {
	{"TableName", &string_shape},
	{NULL}
};
static const ShapeMember list_tables_members[] = {
	{"ExclusiveStartTableName", &string_shape},
	{"Limit", &integer_shape},
	{NULL}
};
static const ShapeMember tag_resource_members[] = {
	{"ResourceArn", &string_shape},
	{"Tags", &tags_shape},
	{NULL}
};
static const ShapeMember untag_resource_members[] = {
	{"ResourceArn", &string_shape},
	{"TagKeys", &strings_shape},
	{NULL}
};
static const ShapeMember list_tags_members[] = {
	{"ResourceArn", &string_shape},
	{"NextToken", &string_shape},
	{NULL}
};
static const ShapeMember update_backups_members[] = {
	{"TableName", &string_shape},
	{"PointInTimeRecoverySpecification", &point_in_time_shape},
	{NULL}
};
static const ShapeMember update_time_to_live_members[] = {
	{"TableName", &string_shape},
	{"TimeToLiveSpecification", &time_to_live_shape},
	{NULL}
};
static const ShapeMember put_item_members[] = {
	{"TableName", &string_shape},
	{"Item", &attribute_map_shape},
	RETURN_MEMBERS,
	CONDITION_MEMBERS,
	PLACEHOLDER_MEMBERS,
	{NULL}
};
static const ShapeMember get_item_members[] = {
	{"TableName", &string_shape},
	{"Key", &attribute_map_shape},
	{"AttributesToGet", &strings_shape},
	{"ConsistentRead", &boolean_shape},
	{"ReturnConsumedCapacity", &string_shape},
	{"ProjectionExpression", &string_shape},
	{"ExpressionAttributeNames", &string_map_shape},
	{NULL}
};
static const ShapeMember update_item_members[] = {
	{"TableName", &string_shape},
	{"Key", &attribute_map_shape},
	{"AttributeUpdates", &attribute_updates_shape},
	{"UpdateExpression", &string_shape},
	RETURN_MEMBERS,
	CONDITION_MEMBERS,
	PLACEHOLDER_MEMBERS,
	{NULL}
};
static const ShapeMember delete_item_members[] = {
	{"TableName", &string_shape},
	{"Key", &attribute_map_shape},
	RETURN_MEMBERS,
	CONDITION_MEMBERS,
	PLACEHOLDER_MEMBERS,
	{NULL}
};
static const ShapeMember query_members[] = {
	PAGE_MEMBERS,
	PLACEHOLDER_MEMBERS,
	{"KeyConditions", &condition_map_shape},
	{"QueryFilter", &condition_map_shape},
	{"KeyConditionExpression", &string_shape},
	{"ScanIndexForward", &boolean_shape},
	{NULL}
};
static const ShapeMember scan_members[] = {
	PAGE_MEMBERS,
	PLACEHOLDER_MEMBERS,
	{"ScanFilter", &condition_map_shape},
	{"Segment", &integer_shape},
	{"TotalSegments", &integer_shape},
	{NULL}
};

static const ShapeMember list_streams_members[] = {
	{"TableName", &string_shape},
	{"Limit", &integer_shape},
	{"ExclusiveStartStreamArn", &string_shape},
	{NULL}
};
static const ShapeMember shard_filter_members[] = {
	{"Type", &string_shape},
	{"ShardId", &string_shape},
	{NULL}
};
static const Shape shard_filter_shape = STRUCTURE("ShardFilter", shard_filter_members);
static const ShapeMember describe_stream_members[] = {
	{"StreamArn", &string_shape},
	{"Limit", &integer_shape},
	{"ExclusiveStartShardId", &string_shape},
	{"ShardFilter", &shard_filter_shape},
	{NULL}
};
static const ShapeMember shard_iterator_members[] = {
	{"StreamArn", &string_shape},
	{"ShardId", &string_shape},
	{"ShardIteratorType", &string_shape},
	{"SequenceNumber", &string_shape},
	{NULL}
};
static const ShapeMember get_records_members[] = {
	{"ShardIterator", &string_shape},
	{"Limit", &integer_shape},
	{NULL}
};

#define ACTION_MEMBERS \
	{"TableName", &string_shape}, \
	{"ConditionExpression", &string_shape}, \
	{"ReturnValuesOnConditionCheckFailure", &string_shape}, \
	PLACEHOLDER_MEMBERS

static const ShapeMember put_action_members[] = {
	{"Item", &attribute_map_shape},
	ACTION_MEMBERS,
	{NULL}
};
static const Shape put_action_shape = STRUCTURE("Put", put_action_members);
static const ShapeMember key_action_members[] = {
	{"Key", &attribute_map_shape},
	{"UpdateExpression", &string_shape},
	ACTION_MEMBERS,
	{NULL}
};
static const Shape check_action_shape = STRUCTURE("ConditionCheck", key_action_members);
static const Shape update_action_shape = STRUCTURE("Update", key_action_members);
static const Shape delete_action_shape = STRUCTURE("Delete", key_action_members);
static const ShapeMember transact_write_item_members[] = {
	{"ConditionCheck", &check_action_shape},
	{"Put", &put_action_shape},
	{"Update", &update_action_shape},
	{"Delete", &delete_action_shape},
	{NULL}
};
static const Shape transact_write_item_shape = STRUCTURE("TransactWriteItem", transact_write_item_members);
static const Shape transact_write_list_shape = LIST_OF(transact_write_item_shape);
static const ShapeMember transact_write_members[] = {
	{"TransactItems", &transact_write_list_shape},
	{"ReturnConsumedCapacity", &string_shape},
	{"ReturnItemCollectionMetrics", &string_shape},
	{"ClientRequestToken", &string_shape},
	{NULL}
};

static const ShapeMember get_action_members[] = {
	{"Key", &attribute_map_shape},
	{"TableName", &string_shape},
	{"ProjectionExpression", &string_shape},
	{"ExpressionAttributeNames", &string_map_shape},
	{NULL}
};
static const Shape get_action_shape = STRUCTURE("Get", get_action_members);
static const ShapeMember transact_get_item_members[] = {
	{"Get", &get_action_shape},
	{NULL}
};
static const Shape transact_get_item_shape = STRUCTURE("TransactGetItem", transact_get_item_members);
static const Shape transact_get_list_shape = LIST_OF(transact_get_item_shape);
static const ShapeMember transact_get_members[] = {
	{"TransactItems", &transact_get_list_shape},
	{"ReturnConsumedCapacity", &string_shape},
	{NULL}
};

static const ShapeMember put_request_members[] = {
	{"Item", &attribute_map_shape},
	{NULL}
};
static const Shape put_request_shape = STRUCTURE("PutRequest", put_request_members);
static const ShapeMember delete_request_members[] = {
	{"Key", &attribute_map_shape},
	{NULL}
};
static const Shape delete_request_shape = STRUCTURE("DeleteRequest", delete_request_members);
static const ShapeMember write_request_members[] = {
	{"PutRequest", &put_request_shape},
	{"DeleteRequest", &delete_request_shape},
	{NULL}
};
static const Shape write_request_shape = STRUCTURE("WriteRequest", write_request_members);
static const Shape write_requests_shape = {
	SHAPE_LIST, "java.util.List<" MODEL_PACKAGE "WriteRequest>", &write_request_shape
};
static const Shape write_request_map_shape = MAP_OF(write_requests_shape);
static const ShapeMember batch_write_members[] = {
	{"RequestItems", &write_request_map_shape},
	{"ReturnConsumedCapacity", &string_shape},
	{"ReturnItemCollectionMetrics", &string_shape},
	{NULL}
};

static const Shape keys_shape = LIST_OF(attribute_map_shape);
static const ShapeMember keys_and_attributes_members[] = {
	{"Keys", &keys_shape},
	{"AttributesToGet", &strings_shape},
	{"ConsistentRead", &boolean_shape},
	{"ProjectionExpression", &string_shape},
	{"ExpressionAttributeNames", &string_map_shape},
	{NULL}
};
static const Shape keys_and_attributes_shape = STRUCTURE("KeysAndAttributes", keys_and_attributes_members);
static const Shape keys_and_attributes_map_shape = MAP_OF(keys_and_attributes_shape);
static const ShapeMember batch_get_members[] = {
	{"RequestItems", &keys_and_attributes_map_shape},
	{"ReturnConsumedCapacity", &string_shape},
	{NULL}
};

static const ShapeMember operation_members[] = {
	{"BatchGetItem", &(const Shape) STRUCTURE("BatchGetItemInput", batch_get_members)},
	{"BatchWriteItem", &(const Shape) STRUCTURE("BatchWriteItemInput", batch_write_members)},
	{"CreateTable", &(const Shape) STRUCTURE("CreateTableInput", create_table_members)},
	{"DeleteItem", &(const Shape) STRUCTURE("DeleteItemInput", delete_item_members)},
	{"DeleteTable", &(const Shape) STRUCTURE("DeleteTableInput", table_name_members)},
	{"DescribeContinuousBackups", &(const Shape) STRUCTURE("DescribeContinuousBackupsInput", table_name_members)},
	{"DescribeStream", &(const Shape) STRUCTURE("DescribeStreamInput", describe_stream_members)},
	{"DescribeTable", &(const Shape) STRUCTURE("DescribeTableInput", table_name_members)},
	{"DescribeTimeToLive", &(const Shape) STRUCTURE("DescribeTimeToLiveInput", table_name_members)},
	{"GetItem", &(const Shape) STRUCTURE("GetItemInput", get_item_members)},
	{"GetRecords", &(const Shape) STRUCTURE("GetRecordsInput", get_records_members)},
	{"GetShardIterator", &(const Shape) STRUCTURE("GetShardIteratorInput", shard_iterator_members)},
	{"ListStreams", &(const Shape) STRUCTURE("ListStreamsInput", list_streams_members)},
	{"ListTables", &(const Shape) STRUCTURE("ListTablesInput", list_tables_members)},
	{"ListTagsOfResource", &(const Shape) STRUCTURE("ListTagsOfResourceInput", list_tags_members)},
	{"PutItem", &(const Shape) STRUCTURE("PutItemInput", put_item_members)},
	{"Query", &(const Shape) STRUCTURE("QueryInput", query_members)},
	{"Scan", &(const Shape) STRUCTURE("ScanInput", scan_members)},
	{"TagResource", &(const Shape) STRUCTURE("TagResourceInput", tag_resource_members)},
	{"TransactGetItems", &(const Shape) STRUCTURE("TransactGetItemsInput", transact_get_members)},
	{"TransactWriteItems", &(const Shape) STRUCTURE("TransactWriteItemsInput", transact_write_members)},
	{"UntagResource", &(const Shape) STRUCTURE("UntagResourceInput", untag_resource_members)},
	{"UpdateContinuousBackups", &(const Shape) STRUCTURE("UpdateContinuousBackupsInput", update_backups_members)},
	{"UpdateItem", &(const Shape) STRUCTURE("UpdateItemInput", update_item_members)},
	{"UpdateTable", &(const Shape) STRUCTURE("UpdateTableInput", update_table_members)},
	{"UpdateTimeToLive", &(const Shape) STRUCTURE("UpdateTimeToLiveInput", update_time_to_live_members)},
	{NULL}
};

/* ---- the check ---- */

static void check_value(const Shape *shape, const cJSON *value, bool is_field);

static const char *
number_word(const cJSON *number)
{
	return number->valuedouble == (double) (int64) number->valuedouble
		? "NUMBER_VALUE" : "DECIMAL_VALUE";
}

static void
check_string(const cJSON *value)
{
	if (cJSON_IsString(value))
		return;
	if (cJSON_IsBool(value))
		serialization_error("%s cannot be converted to String",
							cJSON_IsTrue(value) ? "TRUE_VALUE" : "FALSE_VALUE");
	if (cJSON_IsNumber(value))
		serialization_error("%s cannot be converted to String", number_word(value));
	if (cJSON_IsArray(value))
		serialization_error("Unrecognized collection type class java.lang.String");
	serialization_error("Start of structure or map found where not expected");
}

/* Strings that spell a truth value are taken; request_bool() reads them. */
static void
check_boolean(const cJSON *value)
{
	bool		unused;

	if (cJSON_IsBool(value))
		return;
	if (cJSON_IsString(value))
	{
		if (!request_truth_value(value, &unused))
			serialization_error("Unexpected token received from parser");
		return;
	}
	if (cJSON_IsNumber(value))
		serialization_error("%s cannot be converted to Boolean", number_word(value));
	if (cJSON_IsArray(value))
		serialization_error("Unrecognized collection type class java.lang.Boolean");
	serialization_error("Start of structure or map found where not expected");
}

static void
check_number(const cJSON *value, const char *java_class)
{
	if (cJSON_IsNumber(value))
		return;
	if (cJSON_IsBool(value))
		serialization_error("%s cannot be converted to %s",
							cJSON_IsTrue(value) ? "TRUE_VALUE" : "FALSE_VALUE", java_class);
	if (cJSON_IsString(value))
		serialization_error("STRING_VALUE cannot be converted to %s", java_class);
	if (cJSON_IsArray(value))
		serialization_error("Unrecognized collection type class java.lang.%s", java_class);
	serialization_error("Start of structure or map found where not expected");
}

static void
check_list(const Shape *shape, const cJSON *value)
{
	const cJSON *element;

	if (cJSON_IsObject(value))
		serialization_error("Start of structure or map found where not expected");
	if (!cJSON_IsArray(value))
		serialization_error("Unexpected field type");

	cJSON_ArrayForEach(element, value)
		check_value(shape->element, element, false);
}

static void
check_map(const Shape *shape, const cJSON *value)
{
	const cJSON *member;

	if (cJSON_IsArray(value))
		serialization_error("Unrecognized collection type java.util.Map<java.lang.String, %s>",
							shape->element->name);
	if (!cJSON_IsObject(value))
		serialization_error("Unexpected field type");

	cJSON_ArrayForEach(member, value)
		check_value(shape->element, member, false);
}

static void
check_structure(const Shape *shape, const cJSON *value, bool is_field)
{
	const cJSON *member;

	if (cJSON_IsArray(value))
		serialization_error("Unrecognized collection type class %s", shape->name);
	if (!cJSON_IsObject(value))
		serialization_error("%s", is_field ? "Unexpected field type" : "Unexpected value type in payload");

	cJSON_ArrayForEach(member, value)
	{
		const ShapeMember *known;

		for (known = shape->members; known->name != NULL; known++)
		{
			if (strcmp(known->name, member->string) == 0)
			{
				check_value(known->shape, member, true);
				break;
			}
		}
	}
}

static void
check_value(const Shape *shape, const cJSON *value, bool is_field)
{
	check_stack_depth();
	CHECK_FOR_INTERRUPTS();

	/* null means absent everywhere; where it may not be, the handler says so */
	if (cJSON_IsNull(value))
		return;

	switch (shape->kind)
	{
		case SHAPE_STRING:
			check_string(value);
			break;
		case SHAPE_BOOLEAN:
			check_boolean(value);
			break;
		case SHAPE_INTEGER:
			check_number(value, "Integer");
			break;
		case SHAPE_LONG:
			check_number(value, "Long");
			break;
		case SHAPE_BLOB:
			attribute_check_binary_json(value);
			break;
		case SHAPE_LIST:
			check_list(shape, value);
			break;
		case SHAPE_MAP:
			check_map(shape, value);
			break;
		case SHAPE_STRUCTURE:
			check_structure(shape, value, is_field);
			break;
	}
}

void
request_check_shape(const char *operation, const cJSON *request)
{
	const ShapeMember *known;

	if (!cJSON_IsObject(request))
		serialization_error("Start of structure or map expected");

	for (known = operation_members; known->name != NULL; known++)
	{
		if (strcmp(known->name, operation) == 0)
		{
			check_value(known->shape, request, true);
			return;
		}
	}
}
