-- GetItem: the item, parts of it, or nothing
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.outcome(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, request);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT dynamo.create_table('{"TableName": "get", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"}]}'::jsonb) IS NOT NULL AS created;

SELECT dynamo.put('get', '{"pk": "k", "sk": 1, "a": {"b": [1, 2, {"c": "x"}], "d": "y"}, "set": {"$ss": ["p", "q"]}, "nul": null}');
SELECT dynamo.get_item('{"TableName": "get", "Key": {"pk": {"S": "k"}, "sk": {"N": "1"}}}');
-- numbers are equal by value
SELECT dynamo.get_item('{"TableName": "get", "Key": {"pk": {"S": "k"}, "sk": {"N": "1.00"}}, "ProjectionExpression": "sk"}');
SELECT dynamo.get_item('{"TableName": "get", "Key": {"pk": {"S": "k"}, "sk": {"N": "2"}}, "ConsistentRead": true}');

-- projections keep the hierarchy, pack lists and leave out what is not there
SELECT dynamo.get_item('{"TableName": "get", "Key": {"pk": {"S": "k"}, "sk": {"N": "1"}}, "ProjectionExpression": "a.b[2].c, a.b[0], nowhere, #s",
	"ExpressionAttributeNames": {"#s": "set"}}');
SELECT dynamo.get_item('{"TableName": "get", "Key": {"pk": {"S": "k"}, "sk": {"N": "1"}}, "ProjectionExpression": "nowhere"}');
SELECT dynamo.get_item('{"TableName": "get", "Key": {"pk": {"S": "k"}, "sk": {"N": "2"}}, "ProjectionExpression": "a"}');
SELECT dynamo.get_item('{"TableName": "get", "Key": {"pk": {"S": "k"}, "sk": {"N": "1"}}, "AttributesToGet": ["nul", "pk", "nowhere"]}');

-- the key is the whole key and nothing else
SELECT pg_temp.outcome('GetItem', '{"TableName": "get", "Key": {"pk": {"S": "k"}}}');
SELECT pg_temp.outcome('GetItem', '{"TableName": "get", "Key": {"pk": {"S": "k"}, "sk": {"N": "1"}, "x": {"N": "1"}}}');
SELECT pg_temp.outcome('GetItem', '{"TableName": "get", "Key": {"pk": {"S": "k"}, "x": {"N": "1"}}}');
SELECT pg_temp.outcome('GetItem', '{"TableName": "get", "Key": {"pk": {"S": "k"}, "sk": {"S": "1"}}}');
SELECT pg_temp.outcome('GetItem', '{"TableName": "get", "Key": {"pk": {"S": ""}, "sk": {"N": "1"}}}');
SELECT pg_temp.outcome('GetItem', '{"TableName": "get", "Key": {}}');
SELECT pg_temp.outcome('GetItem', '{"TableName": "absent", "Key": {"pk": {"S": "k"}}}');

-- AttributesToGet
SELECT pg_temp.outcome('GetItem', '{"TableName": "get", "Key": {"pk": {"S": "k"}, "sk": {"N": "1"}}, "AttributesToGet": ["a", "pk", "a"]}');
SELECT pg_temp.outcome('GetItem', '{"TableName": "get", "Key": {"pk": {"S": "k"}, "sk": {"N": "1"}}, "AttributesToGet": []}');
SELECT left(message, 60), right(message, 90) FROM pg_temp.outcome('GetItem', jsonb_build_object('TableName', 'get', 'Key', '{}'::jsonb,
	'AttributesToGet', (SELECT jsonb_agg('a' || i) FROM generate_series(1, 256) i))) message;
SELECT pg_temp.outcome('GetItem', jsonb_build_object('TableName', 'get', 'Key', '{"pk": {"S": "k"}, "sk": {"N": "1"}}'::jsonb,
	'AttributesToGet', (SELECT jsonb_agg('a' || i) FROM generate_series(1, 255) i)));
SELECT dynamo.delete_table('{"TableName": "get"}') IS NOT NULL AS deleted;
