-- TableName may be an ARN
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.outcome(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, request);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT dynamo.create_table('{"TableName": "by.arn_1-2", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}'::jsonb) IS NOT NULL AS created;

SELECT dynamo.put_item('{"TableName": "arn:aws:dynamodb:us-east-1:123456789012:table/by.arn_1-2", "Item": {"pk": {"S": "k"}}}');
SELECT operation, pg_temp.outcome(operation, '{"TableName": "arn:aws:dynamodb:eu-west-1:123456789012:table/by.arn_1-2"}' || members) FROM (VALUES
	('GetItem', '{"Key": {"pk": {"S": "k"}}}'::jsonb), ('UpdateItem', '{"Key": {"pk": {"S": "k"}}, "UpdateExpression": "REMOVE a"}'), ('PutItem', '{"Item": {"pk": {"S": "l"}}}'),
	('DeleteItem', '{"Key": {"pk": {"S": "l"}}}'), ('Query', '{"KeyConditionExpression": "pk = :k", "ExpressionAttributeValues": {":k": {"S": "k"}}}'), ('Scan', '{}')) v(operation, members);
SELECT dynamo.get('arn:aws:dynamodb:eu-west-1:123456789012:table/by.arn_1-2', '{"pk": "k"}');
SELECT pg_temp.outcome('Scan', '{"TableName": "arn:aws:dynamodb:eu-west-1:123456789012:table/absent"}');
SELECT dynamo.delete_table('{"TableName": "by.arn_1-2"}') IS NOT NULL AS deleted;
