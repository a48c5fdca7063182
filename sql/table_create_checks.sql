-- What does not fit together in CreateTable: the first fault, in DynamoDB's order
\pset format unaligned
\pset tuples_only on
CREATE SCHEMA regress_checks;
SET dynamo.schema = 'regress_checks';
\set base '{"TableName": "checks", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST"}'
\set two '{"TableName": "checks", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}], "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST"}'
\set pk '{"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}'
\set pksk '{"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]}'
CREATE FUNCTION pg_temp.refused(request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM dynamo.create_table(request);
	RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN
	RETURN sqlerrm;
END
$$;
CREATE FUNCTION pg_temp.index(member text, VARIADIC parts jsonb[]) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object(member, jsonb_agg('{"IndexName": "idx", "Projection": {"ProjectionType": "ALL"}}' || part)) FROM unnest(parts) part
$$;
-- billing comes before keys
SELECT pg_temp.refused(:'base'::jsonb - 'BillingMode');
SELECT pg_temp.refused(:'base'::jsonb || '{"ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}, "AttributeDefinitions": []}');
SELECT pg_temp.refused(:'base'::jsonb || '{"BillingMode": "PROVISIONED", "ProvisionedThroughput": {"ReadCapacityUnits": 1000000000001, "WriteCapacityUnits": 1}, "AttributeDefinitions": []}');
-- keys
SELECT pg_temp.refused(:'base'::jsonb || '{"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "pk", "AttributeType": "N"}]}');
SELECT pg_temp.refused(:'base'::jsonb || '{"AttributeDefinitions": []}');
SELECT pg_temp.refused(:'base'::jsonb || '{"AttributeDefinitions": [{"AttributeName": "qk", "AttributeType": "S"}]}');
SELECT pg_temp.refused(:'two'::jsonb || '{"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "pk", "KeyType": "RANGE"}]}');
SELECT pg_temp.refused(:'two'::jsonb || '{"KeySchema": [{"AttributeName": "pk", "KeyType": "RANGE"}, {"AttributeName": "sk", "KeyType": "HASH"}]}');
SELECT pg_temp.refused(:'two'::jsonb || '{"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "HASH"}]}');
SELECT pg_temp.refused(:'two'::jsonb || :'pk');
-- lists of indexes
SELECT pg_temp.refused(:'two'::jsonb || '{"LocalSecondaryIndexes": []}');
SELECT pg_temp.refused(:'two'::jsonb || '{"GlobalSecondaryIndexes": []}');
SELECT pg_temp.refused(:'base'::jsonb || pg_temp.index('LocalSecondaryIndexes', :'pk'));
SELECT pg_temp.refused(:'two'::jsonb || pg_temp.index('GlobalSecondaryIndexes', '{"KeySchema": [{"AttributeName": "other", "KeyType": "HASH"}]}'));
SELECT pg_temp.refused(:'two'::jsonb || :'pk' || pg_temp.index('GlobalSecondaryIndexes', :'pk'::jsonb || '{"Projection": {}}'));
-- keys of local indexes
SELECT pg_temp.refused(:'two'::jsonb || pg_temp.index('LocalSecondaryIndexes', :'pk'));
SELECT pg_temp.refused(:'two'::jsonb || pg_temp.index('LocalSecondaryIndexes', '{"KeySchema": [{"AttributeName": "sk", "KeyType": "HASH"}, {"AttributeName": "pk", "KeyType": "RANGE"}]}'));
SELECT pg_temp.refused(:'two'::jsonb || pg_temp.index('LocalSecondaryIndexes', '{"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "HASH"}]}'));
-- keys of global indexes: up to four and four
SELECT pg_temp.refused(:'two'::jsonb || pg_temp.index('GlobalSecondaryIndexes', '{"KeySchema": [{"AttributeName": "sk", "KeyType": "RANGE"}]}'));
SELECT pg_temp.refused(:'two'::jsonb || pg_temp.index('GlobalSecondaryIndexes', '{"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}, {"AttributeName": "pk", "KeyType": "HASH"}]}'));
SELECT pg_temp.refused(:'two'::jsonb || pg_temp.index('GlobalSecondaryIndexes', '{"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "HASH"}, {"AttributeName": "pk", "KeyType": "HASH"}]}'));
SELECT pg_temp.refused(:'two'::jsonb || pg_temp.index('GlobalSecondaryIndexes', '{"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "pk", "KeyType": "RANGE"}]}'));
SELECT pg_temp.refused(:'two'::jsonb || pg_temp.index('GlobalSecondaryIndexes', jsonb_build_object('KeySchema',
	(SELECT jsonb_agg('{"AttributeName": "pk", "KeyType": "HASH"}'::jsonb) FROM generate_series(1, 5)))));
-- before definitions without use
SELECT pg_temp.refused(:'base'::jsonb || '{"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "z", "AttributeType": "S"}]}'
	|| pg_temp.index('GlobalSecondaryIndexes', '{"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "pk", "KeyType": "HASH"}]}'));
-- projections
SELECT pg_temp.refused(:'two'::jsonb || pg_temp.index('GlobalSecondaryIndexes', :'pk'::jsonb || '{"Projection": {}}'));
SELECT pg_temp.refused(:'two'::jsonb || pg_temp.index('GlobalSecondaryIndexes', :'pk'::jsonb || '{"Projection": {"ProjectionType": "ALL", "NonKeyAttributes": ["a"]}}'));
SELECT pg_temp.refused(:'two'::jsonb || pg_temp.index('GlobalSecondaryIndexes', :'pk'::jsonb || '{"Projection": {"ProjectionType": "INCLUDE"}}'));
SELECT pg_temp.refused(:'two'::jsonb || pg_temp.index('GlobalSecondaryIndexes', :'pk'::jsonb || '{"Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["a", "b", "a"]}}'));
-- throughput of indexes, names, numbers
SELECT pg_temp.refused(:'two'::jsonb || pg_temp.index('GlobalSecondaryIndexes', :'pk'::jsonb || '{"ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}}'));
SELECT pg_temp.refused(:'two'::jsonb || '{"BillingMode": "PROVISIONED", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}}' || pg_temp.index('GlobalSecondaryIndexes', :'pk'));
SELECT pg_temp.refused(:'two'::jsonb || pg_temp.index('GlobalSecondaryIndexes', :'pk') || pg_temp.index('LocalSecondaryIndexes', :'pksk'));
SELECT pg_temp.refused(:'two'::jsonb || jsonb_build_object('LocalSecondaryIndexes',
	(SELECT jsonb_agg('{"Projection": {"ProjectionType": "ALL"}}'::jsonb || :'pksk' || jsonb_build_object('IndexName', 'index' || n)) FROM generate_series(1, 6) n)));
SELECT pg_temp.refused(:'two'::jsonb || jsonb_build_object('GlobalSecondaryIndexes',
	(SELECT jsonb_agg('{"Projection": {"ProjectionType": "ALL"}}'::jsonb || :'pksk' || jsonb_build_object('IndexName', 'index' || n)) FROM generate_series(1, 21) n)));
SELECT pg_temp.refused(:'two'::jsonb || jsonb_build_object('GlobalSecondaryIndexes',
	(SELECT jsonb_agg(:'pksk'::jsonb || jsonb_build_object('IndexName', 'index' || n, 'Projection',
		jsonb_build_object('ProjectionType', 'INCLUDE', 'NonKeyAttributes', (SELECT jsonb_agg('a' || m) FROM generate_series(1, 20) m))))
	 FROM generate_series(1, 6) n)));
-- other settings
SELECT pg_temp.refused(:'base'::jsonb || '{"BillingMode": "PROVISIONED", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}, "OnDemandThroughput": {"MaxWriteRequestUnits": 0}}');
SELECT pg_temp.refused(:'base'::jsonb || '{"OnDemandThroughput": {"MaxWriteRequestUnits": 0}}');
SELECT pg_temp.refused(:'base'::jsonb || pg_temp.index('GlobalSecondaryIndexes', :'pk'::jsonb || '{"OnDemandThroughput": {"MaxReadRequestUnits": -1}}'));
SELECT pg_temp.refused(:'base'::jsonb || '{"WarmThroughput": {"ReadUnitsPerSecond": 11999}}');
SELECT pg_temp.refused(:'base'::jsonb || '{"BillingMode": "PROVISIONED", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 2}, "WarmThroughput": {"WriteUnitsPerSecond": 1}}');
SELECT pg_temp.refused(:'base'::jsonb || '{"StreamSpecification": {"StreamEnabled": true}}');
SELECT pg_temp.refused(:'base'::jsonb || '{"StreamSpecification": {"StreamEnabled": false, "StreamViewType": "NEW_IMAGE"}}');
SELECT pg_temp.refused(:'base'::jsonb || '{"SSESpecification": {"Enabled": false, "SSEType": "KMS"}}');
SELECT pg_temp.refused(:'base'::jsonb || '{"SSESpecification": {"Enabled": true, "SSEType": "AES256"}}');
SELECT pg_temp.refused(:'base'::jsonb || '{"SSESpecification": {"Enabled": true, "KMSMasterKeyId": "key"}}');
SELECT pg_temp.refused(:'base'::jsonb || '{"TableClass": "GLACIER"}');
SELECT pg_temp.refused(:'base'::jsonb || '{"ResourcePolicy": "all"}');
SELECT pg_temp.refused(:'base'::jsonb || '{"Tags": [{"Key": "aws:tag", "Value": "x"}]}');
-- what there is not: vector indexes, tables of other accounts
SELECT pg_temp.refused(:'base'::jsonb || '{"VectorIndexes": []}');
SELECT pg_temp.refused(:'base'::jsonb || '{"GlobalTableSourceArn": "arn:aws:dynamodb:eu-west-1:123456789012:table/checks"}');
-- the account's limits come last
SELECT pg_temp.refused(:'base'::jsonb || '{"BillingMode": "PROVISIONED", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 40001}}');
SELECT pg_temp.refused(:'base'::jsonb || '{"OnDemandThroughput": {"MaxReadRequestUnits": 40001}}');
SELECT pg_temp.refused(:'base'::jsonb);
SELECT pg_temp.refused(:'base'::jsonb || '{"TableClass": "GLACIER"}');
SELECT pg_temp.refused(:'base'::jsonb || '{"BillingMode": "PROVISIONED", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 40001}}');
SELECT dynamo.delete_table('{"TableName": "checks"}') #>> '{TableDescription,TableStatus}';
-- what is refused leaves nothing behind
SELECT dynamo.list_tables('{}');
SELECT relname FROM pg_class WHERE relnamespace = 'regress_checks'::regnamespace;
DROP SCHEMA regress_checks;
