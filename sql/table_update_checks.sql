-- What UpdateTable refuses, and in which order
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.refused(request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM dynamo.update_table('{"TableName": "update_checks"}' || request);
	RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN
	RETURN sqlerrm;
END
$$;
-- nothing to change, a wrong shape, a wrong combination: before the table is looked for
SELECT pg_temp.refused('{}');
SELECT pg_temp.refused('{"GlobalSecondaryIndexUpdates": [], "OnDemandThroughput": {}}');
SELECT pg_temp.refused('{"GlobalSecondaryIndexUpdates": [], "TableClass": "STANDARD"}');
SELECT pg_temp.refused('{"ProvisionedThroughput": {"ReadCapacityUnits": 1}, "BillingMode": "FREE"}');
SELECT pg_temp.refused('{"GlobalSecondaryIndexUpdates": [{"Update": {}}, {"Delete": {"IndexName": "i!"}}, {"Create": {"IndexName": "gsi"}}]}');
SELECT pg_temp.refused('{"ReplicaUpdates": []}');
SELECT pg_temp.refused('{"GlobalSecondaryIndexUpdates": [{}]}');
SELECT pg_temp.refused('{"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "gsi"}, "Delete": {"IndexName": "gsi"}}]}');
SELECT pg_temp.refused('{"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "gsi"}}, {"Delete": {"IndexName": "gsi"}}]}');
\set create '{"GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "new", "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}}]}'
SELECT pg_temp.refused(:'create');
SELECT pg_temp.refused(:'create'::jsonb || '{"AttributeDefinitions": [{"AttributeName": "b", "AttributeType": "S"}]}');
SELECT pg_temp.refused('{"SSESpecification": {"Enabled": true}, "TableClass": "STANDARD"}');
SELECT pg_temp.refused('{"DeletionProtectionEnabled": true, "TableClass": "STANDARD"}');
SELECT pg_temp.refused('{"DeletionProtectionEnabled": true, "BillingMode": "PAY_PER_REQUEST"}');
SELECT pg_temp.refused('{"WarmThroughput": {"ReadUnitsPerSecond": 1}, "BillingMode": "PAY_PER_REQUEST"}');
SELECT pg_temp.refused('{"OnDemandThroughput": {"MaxReadRequestUnits": 1}, "StreamSpecification": {"StreamEnabled": false}}');
SELECT pg_temp.refused('{"ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}, "StreamSpecification": {"StreamEnabled": false}}');
SELECT pg_temp.refused('{"ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}, "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "gsi"}}]}');
SELECT pg_temp.refused('{"ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}, "BillingMode": "PAY_PER_REQUEST"}');
SELECT pg_temp.refused('{"BillingMode": "PROVISIONED"}');
SELECT pg_temp.refused('{"StreamSpecification": {"StreamEnabled": true}}');
SELECT pg_temp.refused('{"StreamSpecification": {"StreamEnabled": false, "StreamViewType": "KEYS_ONLY"}}');
SELECT pg_temp.refused('{"SSESpecification": {"Enabled": true, "SSEType": "AES256"}}');
SELECT pg_temp.refused('{"TableClass": "GLACIER"}');
SELECT pg_temp.refused('{"GlobalTableSettingsReplicationMode": "ENABLED_WITH_OVERRIDES"}');
SELECT pg_temp.refused('{"BillingMode": "PAY_PER_REQUEST"}');
-- against a table with provisioned capacity
SELECT dynamo.create_table('{"TableName": "update_checks", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"}],
	"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5},
	"LocalSecondaryIndexes": [{"IndexName": "lsi", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}], "Projection": {"ProjectionType": "ALL"}}],
	"GlobalSecondaryIndexes": [{"IndexName": "gsi", "KeySchema": [{"AttributeName": "sk", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"},
		"ProvisionedThroughput": {"ReadCapacityUnits": 2, "WriteCapacityUnits": 2}}]}') #>> '{TableDescription,TableStatus}';
SELECT pg_temp.refused('{"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}}');
SELECT pg_temp.refused('{"ProvisionedThroughput": {"ReadCapacityUnits": 50000, "WriteCapacityUnits": 5}}');
SELECT pg_temp.refused('{"OnDemandThroughput": {"MaxWriteRequestUnits": 1}}');
SELECT pg_temp.refused('{"WarmThroughput": {"WriteUnitsPerSecond": 4}}');
SELECT pg_temp.refused('{"StreamSpecification": {"StreamEnabled": false}}');
SELECT pg_temp.refused('{"SSESpecification": {"Enabled": false}}');
SELECT pg_temp.refused('{"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "none", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}}}]}');
SELECT pg_temp.refused('{"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "lsi", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}}}]}');
SELECT pg_temp.refused('{"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "gsi", "ProvisionedThroughput": {"ReadCapacityUnits": 2, "WriteCapacityUnits": 2}}}]}');
SELECT pg_temp.refused('{"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "gsi"}}]}');
SELECT pg_temp.refused('{"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "none"}}]}');
SELECT pg_temp.refused('{"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "lsi"}}]}');
SELECT pg_temp.refused('{"GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "lsi", "KeySchema": [{"AttributeName": "sk", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}}],
	"AttributeDefinitions": [{"AttributeName": "sk", "AttributeType": "S"}]}');
-- what there is not: vector indexes, other Regions
SELECT pg_temp.refused('{"VectorIndexUpdates": [{"Delete": {"IndexName": "vectors"}}]}');
SELECT pg_temp.refused('{"ReplicaUpdates": [{}]}');
SELECT pg_temp.refused('{"ReplicaUpdates": [{"Create": {"RegionName": "eu-west-1"}}]}');
SELECT pg_temp.refused('{"ReplicaUpdates": [{"Delete": {"RegionName": "eu-west-1"}}]}');
-- against a table on demand
SELECT pg_temp.refused('{"BillingMode": "PAY_PER_REQUEST"}');
SELECT pg_temp.refused('{"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}}');
SELECT pg_temp.refused('{"BillingMode": "PROVISIONED", "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}}');
SELECT pg_temp.refused('{"OnDemandThroughput": {"MaxWriteRequestUnits": 0}}');
SELECT pg_temp.refused('{"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "gsi", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}}}]}');
SELECT pg_temp.refused('{"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"}}');
SELECT pg_temp.refused('{"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"}}');
SELECT dynamo.delete_table('{"TableName": "update_checks"}') #>> '{TableDescription,TableStatus}';
