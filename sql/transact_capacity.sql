-- consumed capacity of transactions and batches, by table
SELECT dynamo.create_table('{"TableName": "charged", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"}, {"AttributeName": "g", "AttributeType": "S"}],
	"LocalSecondaryIndexes": [{"IndexName": "lix", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "g", "KeyType": "RANGE"}], "Projection": {"ProjectionType": "KEYS_ONLY"}}],
	"GlobalSecondaryIndexes": [{"IndexName": "gix", "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}]}') IS NOT NULL AS created;
SELECT dynamo.create_table('{"TableName": "charged_too", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}') IS NOT NULL AS created;
\pset format unaligned
\pset tuples_only
-- a transaction costs twice, but not in the indexes
SELECT jsonb_pretty(dynamo.transact_write_items(jsonb_build_object('ReturnConsumedCapacity', 'INDEXES', 'ReturnItemCollectionMetrics', 'SIZE', 'TransactItems', '[
	{"ConditionCheck": {"TableName": "charged_too", "Key": {"pk": {"S": "x"}}, "ConditionExpression": "attribute_not_exists(pk)"}},
	{"Put": {"TableName": "charged", "Item": {"pk": {"S": "a"}, "sk": {"S": "1"}, "g": {"S": "g"}}}},
	{"Put": {"TableName": "charged", "Item": {"pk": {"S": "a"}, "sk": {"S": "2"}}}}]'::jsonb)));
-- the larger image counts, and what a check reads
SELECT dynamo.put('charged_too', jsonb_build_object('pk', 'large', 'v', repeat('x', 2500)));
SELECT dynamo.transact_write_items('{"ReturnConsumedCapacity": "TOTAL", "TransactItems": [
	{"Put": {"TableName": "charged_too", "Item": {"pk": {"S": "large"}}}}]}');
SELECT dynamo.put('charged_too', jsonb_build_object('pk', 'large', 'v', repeat('x', 4500)));
SELECT dynamo.transact_write_items('{"ReturnConsumedCapacity": "TOTAL", "TransactItems": [
	{"ConditionCheck": {"TableName": "charged_too", "Key": {"pk": {"S": "large"}}, "ConditionExpression": "attribute_exists(pk)"}}]}');
-- reads of 4 KB, twice; a missing item the minimum
SELECT dynamo.transact_get_items('{"ReturnConsumedCapacity": "INDEXES", "TransactItems": [
	{"Get": {"TableName": "charged_too", "Key": {"pk": {"S": "large"}}, "ProjectionExpression": "pk"}},
	{"Get": {"TableName": "charged_too", "Key": {"pk": {"S": "missing"}}}}]}');
-- batches cost what their items cost by themselves
SELECT dynamo.batch_get_item('{"ReturnConsumedCapacity": "INDEXES", "RequestItems": {
	"charged_too": {"Keys": [{"pk": {"S": "large"}}, {"pk": {"S": "missing"}}], "ProjectionExpression": "pk"},
	"charged": {"Keys": [{"pk": {"S": "a"}, "sk": {"S": "1"}}], "ConsistentRead": true}}}');
SELECT jsonb_pretty(dynamo.batch_write_item('{"ReturnConsumedCapacity": "INDEXES", "ReturnItemCollectionMetrics": "SIZE", "RequestItems": {
	"charged_too": [{"DeleteRequest": {"Key": {"pk": {"S": "large"}}}}, {"DeleteRequest": {"Key": {"pk": {"S": "missing"}}}}],
	"charged": [{"PutRequest": {"Item": {"pk": {"S": "a"}, "sk": {"S": "1"}, "g": {"S": "h"}}}}]}}'));
SELECT dynamo.batch_write_item('{"ReturnConsumedCapacity": "TOTAL", "RequestItems": {"charged": [{"DeleteRequest": {"Key": {"pk": {"S": "a"}, "sk": {"S": "1"}}}}]}}');

DROP TABLE ddb.charged, ddb.charged_too;
