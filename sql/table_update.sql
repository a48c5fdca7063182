-- UpdateTable's changes, in its answer and described afterwards
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.changed(request jsonb) RETURNS TABLE (kind text, description text) LANGUAGE plpgsql AS $$
DECLARE
	hidden text[] = '{TableName,KeySchema,AttributeDefinitions,TableId,TableArn,ItemCount,TableSizeBytes,CreationDateTime,GlobalSecondaryIndexes}';
	answer jsonb = dynamo.update_table('{"TableName": "update"}' || request)->'TableDescription';
	present jsonb = dynamo.describe_table('{"TableName": "update"}')->'Table';
BEGIN
	RETURN QUERY SELECT v.kind,
		regexp_replace(regexp_replace((v.description - hidden)::text, '\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.\d{3}', '(label)', 'g'),
			'("\w+DateTime": )\d+\.\d{3}', '\1(masked)', 'g')
	FROM (VALUES ('answer', answer), ('described', present)) v(kind, description);
END
$$;
CREATE FUNCTION pg_temp.indexes() RETURNS TABLE (index text) LANGUAGE sql AS $$
	SELECT regexp_replace((i - '{KeySchema,Projection,IndexArn}'::text[])::text, '("\w+DateTime": )\d+\.\d{3}', '\1(masked)', 'g')
	FROM jsonb_array_elements(dynamo.describe_table('{"TableName": "update"}') #> '{Table,GlobalSecondaryIndexes}') i
$$;
SELECT dynamo.create_table('{"TableName": "update", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
	"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5},
	"GlobalSecondaryIndexes": [{"IndexName": "gsi", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"},
		"ProvisionedThroughput": {"ReadCapacityUnits": 2, "WriteCapacityUnits": 2}}]}') #>> '{TableDescription,TableStatus}';
-- units: the answer still tells the old ones
SELECT * FROM pg_temp.changed('{"ProvisionedThroughput": {"ReadCapacityUnits": 9, "WriteCapacityUnits": 5}}');
SELECT * FROM pg_temp.changed('{"BillingMode": "PROVISIONED", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 6}}');
SELECT * FROM pg_temp.changed('{"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "gsi", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 3}}}]}');
SELECT pg_temp.indexes();
-- to on-demand capacity, again, and back
SELECT * FROM pg_temp.changed('{"BillingMode": "PAY_PER_REQUEST"}');
SELECT * FROM pg_temp.changed('{"BillingMode": "PAY_PER_REQUEST"}');
SELECT * FROM pg_temp.changed('{"OnDemandThroughput": {"MaxReadRequestUnits": 10, "MaxWriteRequestUnits": 20}}');
SELECT * FROM pg_temp.changed('{"OnDemandThroughput": {"MaxReadRequestUnits": -1}}');
SELECT * FROM pg_temp.changed('{"WarmThroughput": {"ReadUnitsPerSecond": 12001}}');
SELECT * FROM pg_temp.changed('{"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "gsi", "OnDemandThroughput": {"MaxWriteRequestUnits": 4}}}]}');
SELECT pg_temp.indexes();
SELECT * FROM pg_temp.changed('{"BillingMode": "PROVISIONED", "ProvisionedThroughput": {"ReadCapacityUnits": 3, "WriteCapacityUnits": 3},
	"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "gsi", "ProvisionedThroughput": {"ReadCapacityUnits": 4, "WriteCapacityUnits": 4}}}]}');
SELECT pg_temp.indexes();
-- streams: the label stays when the stream is off
SELECT * FROM pg_temp.changed('{"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"}}');
SELECT * FROM pg_temp.changed('{"StreamSpecification": {"StreamEnabled": false}}');
-- encryption, class, protection
SELECT * FROM pg_temp.changed('{"SSESpecification": {"Enabled": true, "SSEType": "KMS", "KMSMasterKeyId": "arn:aws:kms:us-east-1:000000000000:key/1"}}');
SELECT * FROM pg_temp.changed('{"SSESpecification": {"Enabled": false}}');
SELECT * FROM pg_temp.changed('{"TableClass": "STANDARD"}');
SELECT * FROM pg_temp.changed('{"TableClass": "STANDARD_INFREQUENT_ACCESS"}');
SELECT * FROM pg_temp.changed('{"DeletionProtectionEnabled": true}');
SELECT dynamo.delete_table('{"TableName": "update"}');
SELECT * FROM pg_temp.changed('{"DeletionProtectionEnabled": false}');
SELECT dynamo.delete_table('{"TableName": "update"}') #>> '{TableDescription,TableStatus}';
SELECT dynamo.delete_table('{"TableName": "update"}');
