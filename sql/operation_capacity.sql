-- ReturnConsumedCapacity: reads by 4 KB, half of it unless consistent; writes by 1 KB of the larger image
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.outcome(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, request);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT dynamo.create_table('{"TableName": "cap", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"}]}'::jsonb) IS NOT NULL AS created;

CREATE FUNCTION pg_temp.units(operation text, request jsonb, bytes int DEFAULT NULL) RETURNS text LANGUAGE sql AS $$
	SELECT dynamo.api(operation, request || '{"TableName": "cap", "ReturnConsumedCapacity": "TOTAL"}')->'ConsumedCapacity'->>'CapacityUnits';
$$;
-- "pk" + "k" + "sk" + "a" + "a" make 7 bytes
CREATE FUNCTION pg_temp.item(size int) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('Item', jsonb_build_object('pk', '{"S": "k"}'::jsonb, 'sk', '{"S": "s"}'::jsonb,
		'a', jsonb_build_object('S', repeat('x', size - 7))));
$$;
SELECT 'put', size, pg_temp.units('PutItem', pg_temp.item(size)) FROM unnest('{8,1024,1025,2048,2049,100,100}'::int[]) size;
SELECT 'delete', pg_temp.units('DeleteItem', '{"Key": {"pk": {"S": "k"}, "sk": {"S": "s"}}}');
SELECT 'delete nothing', pg_temp.units('DeleteItem', '{"Key": {"pk": {"S": "k"}, "sk": {"S": "s"}}}');
SELECT 'update', pg_temp.units('UpdateItem', '{"Key": {"pk": {"S": "k"}, "sk": {"S": "s"}}, "UpdateExpression": "SET a = :a", "ExpressionAttributeValues": {":a": {"N": "1"}}}');
SELECT 'update nothing', pg_temp.units('UpdateItem', '{"Key": {"pk": {"S": "k"}, "sk": {"S": "none"}}, "UpdateExpression": "REMOVE a"}');
SELECT 'get', size, length(pg_temp.units('PutItem', pg_temp.item(size))),
	pg_temp.units('GetItem', '{"Key": {"pk": {"S": "k"}, "sk": {"S": "s"}}, "ProjectionExpression": "pk"}') AS eventual,
	pg_temp.units('GetItem', '{"Key": {"pk": {"S": "k"}, "sk": {"S": "s"}}, "ConsistentRead": true}') AS consistent
	FROM unnest('{10,4096,4097,8192,8193}'::int[]) size;
SELECT 'get nothing', pg_temp.units('GetItem', '{"Key": {"pk": {"S": "k"}, "sk": {"S": "none"}}}'),
	pg_temp.units('GetItem', '{"Key": {"pk": {"S": "k"}, "sk": {"S": "none"}}, "ConsistentRead": true}');
-- pages are summed up before they are rounded, filters and projections save nothing
SELECT dynamo.put('cap', jsonb_build_object('pk', 'p', 'sk', i::text, 'a', repeat('x', 1000))) IS NULL AS nothing FROM generate_series(1, 8) i;
SELECT 'query', pg_temp.units('Query', '{"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "p"}}}'),
	pg_temp.units('Query', '{"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "p"}}, "ConsistentRead": true}'),
	pg_temp.units('Query', '{"KeyConditionExpression": "pk = :p", "FilterExpression": "attribute_exists(q)", "ProjectionExpression": "pk", "ExpressionAttributeValues": {":p": {"S": "p"}}, "ConsistentRead": true}'),
	pg_temp.units('Query', '{"KeyConditionExpression": "pk = :p", "Select": "COUNT", "Limit": 4, "ExpressionAttributeValues": {":p": {"S": "p"}}, "ConsistentRead": true}'),
	pg_temp.units('Query', '{"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "none"}}}');
SELECT 'scan', pg_temp.units('Scan', '{}'), pg_temp.units('Scan', '{"ConsistentRead": true}');

-- NONE says nothing, INDEXES adds the table's share
SELECT dynamo.api('GetItem', jsonb_build_object('ReturnConsumedCapacity', wanted) || '{"TableName": "cap", "Key": {"pk": {"S": "no"}, "sk": {"S": "no"}}}')
	FROM unnest('{NONE,TOTAL,INDEXES}'::text[]) wanted;
SELECT dynamo.api('PutItem', jsonb_build_object('ReturnConsumedCapacity', wanted) || '{"TableName": "cap", "Item": {"pk": {"S": "no"}, "sk": {"S": "no"}}}')
	FROM unnest('{NONE,TOTAL,INDEXES}'::text[]) wanted;
SELECT dynamo.api('Query', jsonb_build_object('ReturnConsumedCapacity', wanted) || '{"TableName": "cap", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "none"}}}')
	FROM unnest('{NONE,TOTAL,INDEXES}'::text[]) wanted;
-- an ARN is answered with the name
SELECT dynamo.api('GetItem', '{"TableName": "arn:aws:dynamodb:us-east-1:123456789012:table/cap", "Key": {"pk": {"S": "no"}, "sk": {"S": "no"}}, "ReturnConsumedCapacity": "TOTAL"}');
SELECT dynamo.delete_table('{"TableName": "cap"}') IS NOT NULL AS deleted;
