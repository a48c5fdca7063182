-- What CreateTable is told beside keys and indexes is described
\set VERBOSITY terse
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.described(request jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	answer jsonb;
BEGIN
	PERFORM dynamo.create_table('{"TableName": "settings",
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}' || request);
	answer = dynamo.describe_table('{"TableName": "settings"}')->'Table';
	PERFORM dynamo.delete_table('{"TableName": "settings"}');
	answer = answer - '{TableName,KeySchema,AttributeDefinitions,TableId,TableArn,ItemCount,TableSizeBytes,CreationDateTime}'::text[];
	RETURN regexp_replace(regexp_replace(answer::text, '\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.\d{3}', '(label)', 'g'),
		'("\w+DateTime": )\d+\.\d{3}', '\1(masked)', 'g');
END
$$;
SELECT pg_temp.described('{"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 7}}');
SELECT pg_temp.described('{"BillingMode": "PROVISIONED", "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 7},
	"WarmThroughput": {"ReadUnitsPerSecond": 50}}');
SELECT pg_temp.described('{"BillingMode": "PAY_PER_REQUEST"}');
SELECT pg_temp.described('{"BillingMode": "PAY_PER_REQUEST", "OnDemandThroughput": {"MaxWriteRequestUnits": 12},
	"WarmThroughput": {"ReadUnitsPerSecond": 13000, "WriteUnitsPerSecond": 5000}}');
SELECT pg_temp.described('{"BillingMode": "PAY_PER_REQUEST", "OnDemandThroughput": {}, "WarmThroughput": {}, "SSESpecification": {}, "Tags": []}');
SELECT pg_temp.described('{"BillingMode": "PAY_PER_REQUEST", "TableClass": "STANDARD_INFREQUENT_ACCESS"}');
SELECT pg_temp.described('{"BillingMode": "PAY_PER_REQUEST", "SSESpecification": {"Enabled": true}}');
SELECT pg_temp.described('{"BillingMode": "PAY_PER_REQUEST", "SSESpecification": {"SSEType": "KMS", "KMSMasterKeyId": "1234"}}');
SELECT pg_temp.described('{"BillingMode": "PAY_PER_REQUEST", "SSESpecification": {"Enabled": false}}');
SELECT pg_temp.described('{"BillingMode": "PAY_PER_REQUEST", "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"}}');
SELECT pg_temp.described('{"BillingMode": "PAY_PER_REQUEST", "StreamSpecification": {"StreamEnabled": false}}');
SELECT pg_temp.described('{"BillingMode": "PAY_PER_REQUEST", "DeletionProtectionEnabled": false, "ResourcePolicy": "{\"Version\": \"2012-10-17\"}"}');
-- a protected table is not deleted
SELECT pg_temp.described('{"BillingMode": "PAY_PER_REQUEST", "DeletionProtectionEnabled": true}');
