-- DeleteItem: deletes what is there, returns it if asked
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.outcome(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, request);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT dynamo.create_table('{"TableName": "del", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"}]}'::jsonb) IS NOT NULL AS created;

SELECT dynamo.put('del', ('{"pk": "k", "sk": "' || s || '", "a": 1}')::jsonb) FROM unnest('{a,b,c}'::text[]) s;
SELECT dynamo.delete_item('{"TableName": "del", "Key": {"pk": {"S": "k"}, "sk": {"S": "a"}}}');
SELECT dynamo.delete_item('{"TableName": "del", "Key": {"pk": {"S": "k"}, "sk": {"S": "b"}}, "ReturnValues": "ALL_OLD"}');
-- deleting an absent item is no error
SELECT dynamo.delete_item('{"TableName": "del", "Key": {"pk": {"S": "k"}, "sk": {"S": "b"}}, "ReturnValues": "ALL_OLD"}');
SELECT * FROM dynamo.scan('del');

SELECT pg_temp.outcome('DeleteItem', '{"TableName": "del", "Key": {"pk": {"S": "k"}, "sk": {"S": "c"}}, "ConditionExpression": "a = :a", "ExpressionAttributeValues": {":a": {"N": "2"}}}');
SELECT pg_temp.outcome('DeleteItem', '{"TableName": "del", "Key": {"pk": {"S": "k"}, "sk": {"S": "x"}}, "ConditionExpression": "attribute_exists(pk)"}');
SELECT pg_temp.outcome('DeleteItem', '{"TableName": "del", "Key": {"pk": {"S": "k"}, "sk": {"S": "x"}}, "ConditionExpression": "attribute_not_exists(pk)"}');
SELECT * FROM dynamo.scan('del');
SELECT pg_temp.outcome('DeleteItem', '{"TableName": "del", "Key": {"pk": {"S": "k"}, "sk": {"S": "c"}}, "ConditionExpression": "a = :a", "ExpressionAttributeValues": {":a": {"N": "1.0"}}}');
SELECT count(*) FROM ddb.del;

SELECT pg_temp.outcome('DeleteItem', '{"TableName": "del", "Key": {"pk": {"S": "k"}}}');
SELECT pg_temp.outcome('DeleteItem', '{"TableName": "del", "Key": {"pk": {"S": "k"}, "sk": {"N": "1"}}}');
SELECT pg_temp.outcome('DeleteItem', '{"TableName": "del", "Key": {"pk": {"S": "k"}, "sk": {"S": "c"}}, "ReturnValues": "UPDATED_NEW"}');
SELECT pg_temp.outcome('DeleteItem', '{"TableName": "absent", "Key": {"pk": {"S": "k"}}}');
SELECT pg_temp.outcome('DeleteItem', '{"TableName": "del", "Key": {"pk": {"S": "k"}}, "ExpressionAttributeValues": {":v": {"S": "v"}}}');
SELECT dynamo.delete_table('{"TableName": "del"}') IS NOT NULL AS deleted;
