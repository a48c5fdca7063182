-- CreateTable's constraints: all faults of the request's shape together
CREATE SCHEMA regress_shape;
SET dynamo.schema = 'regress_shape';
\set base '{"TableName": "shape", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST"}'
-- a bad name is told alone
SELECT dynamo.create_table('{"TableName": "a b"}');
SELECT dynamo.create_table('{"TableName": "ab"}');
SELECT dynamo.create_table(jsonb_build_object('TableName', repeat('n', 256)));
-- keys and definitions
SELECT dynamo.create_table('{"TableName": "shape", "BillingMode": "PAY_PER_REQUEST"}');
SELECT dynamo.create_table(:'base'::jsonb || '{"KeySchema": []}');
SELECT dynamo.create_table(:'base'::jsonb || '{"KeySchema": [{"AttributeName": "pk", "KeyType": "SORT"}]}');
SELECT dynamo.create_table(:'base'::jsonb || '{"KeySchema": [{"KeyType": "HASH"}, {"AttributeName": "a"}, {"AttributeName": "", "KeyType": "RANGE"}]}');
SELECT dynamo.create_table(:'base'::jsonb || '{"AttributeDefinitions": [{}]}');
SELECT dynamo.create_table(:'base'::jsonb || '{"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "SS"}]}');
-- 255 bytes, not characters
SELECT dynamo.create_table(:'base'::jsonb || jsonb_build_object('AttributeDefinitions',
	jsonb_build_array(jsonb_build_object('AttributeName', repeat('ä', 128), 'AttributeType', 'S'))));
-- settings
SELECT dynamo.create_table(:'base'::jsonb || '{"BillingMode": "FREE", "ProvisionedThroughput": {"ReadCapacityUnits": 0},
	"StreamSpecification": {"StreamViewType": "NEW"}, "SSESpecification": {"SSEType": "ROT13", "KMSMasterKeyId": ""}}');
-- indexes
SELECT dynamo.create_table(:'base'::jsonb || '{"GlobalSecondaryIndexes": [{}], "LocalSecondaryIndexes": [null]}');
SELECT dynamo.create_table(:'base'::jsonb || '{"GlobalSecondaryIndexes": [{"IndexName": "i!", "KeySchema": [],
	"Projection": {"ProjectionType": "SOME", "NonKeyAttributes": []}, "ProvisionedThroughput": {"ReadCapacityUnits": -1, "WriteCapacityUnits": 1}}]}');
SELECT dynamo.create_table(:'base'::jsonb || '{"LocalSecondaryIndexes": [{"IndexName": "idx", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["a", ""]}}]}');
SELECT dynamo.create_table(:'base'::jsonb || jsonb_build_object('GlobalSecondaryIndexes', jsonb_build_array(
	'{"IndexName": "idx", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}'::jsonb || jsonb_build_object('Projection',
		jsonb_build_object('ProjectionType', 'INCLUDE', 'NonKeyAttributes', (SELECT jsonb_agg('a' || n) FROM generate_series(1, 21) n))))));
-- wrong JSON types come before everything
SELECT dynamo.create_table('{"TableName": 1, "KeySchema": {}}');
SELECT dynamo.list_tables('{}');
DROP SCHEMA regress_shape;
