-- U+0000 and U+0001, here in stored form, in keys, names and values
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.outcome(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, request);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT dynamo.create_table('{"TableName": "zero", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"}]}'::jsonb) IS NOT NULL AS created;

-- stored U+0000 is \u0001\u0001, U+0001 is \u0001\u0002
SELECT count(dynamo.put_item(jsonb_build_object('TableName', 'zero', 'Item', jsonb_build_object('pk', '{"S": "k\u0001\u0001"}'::jsonb, 'sk', jsonb_build_object('S', sk), E'n\u0001\u0001', '{"S": "v\u0001\u0001"}'::jsonb))))
	FROM unnest(ARRAY[E'\u0001\u0001', E'\u0001\u0001\u0001\u0001', E'\u0001\u0001a', E'\u0001\u0002', E'\u0001\u0002a', E'\u0002', 'a', E'a\u0001\u0001', E'a\u0001\u0002', 'aa']) sk;
-- order is that of the true characters
SELECT item->'sk'->'S' FROM jsonb_array_elements(dynamo.query('{"TableName": "zero", "KeyConditionExpression": "pk = :k", "ExpressionAttributeValues": {":k": {"S": "k\u0001\u0001"}}}')->'Items') item;
SELECT item->'sk'->'S' FROM jsonb_array_elements(dynamo.query('{"TableName": "zero", "KeyConditionExpression": "pk = :k AND begins_with(sk, :s)", "ExpressionAttributeValues": {":k": {"S": "k\u0001\u0001"}, ":s": {"S": "\u0001\u0001"}}}')->'Items') item;
SELECT item->'sk'->'S' FROM jsonb_array_elements(dynamo.query('{"TableName": "zero", "KeyConditionExpression": "pk = :k AND sk > :s", "ScanIndexForward": false, "Limit": 2, "ExpressionAttributeValues": {":k": {"S": "k\u0001\u0001"}, ":s": {"S": "\u0001\u0002"}}}')->'Items') item;
SELECT dynamo.get_item('{"TableName": "zero", "Key": {"pk": {"S": "k\u0001\u0001"}, "sk": {"S": "\u0001\u0002"}}, "ProjectionExpression": "#n", "ExpressionAttributeNames": {"#n": "n\u0001\u0001"}}');
-- each counts as one of the 2,048 bytes of a partition key
SELECT pg_temp.outcome('GetItem', jsonb_build_object('TableName', 'zero', 'Key', jsonb_build_object('pk', jsonb_build_object('S', repeat(E'\u0001\u0001', 2048)), 'sk', '{"S": "a"}'::jsonb)));
SELECT pg_temp.outcome('GetItem', jsonb_build_object('TableName', 'zero', 'Key', jsonb_build_object('pk', jsonb_build_object('S', repeat(E'\u0001\u0001', 2049)), 'sk', '{"S": "a"}'::jsonb)));
-- size() and contains() see characters
SELECT dynamo.scan('{"TableName": "zero", "FilterExpression": "size(#n) = :two AND contains(#n, :zero) AND begins_with(sk, :sk)", "ExpressionAttributeNames": {"#n": "n\u0001\u0001"}, "ExpressionAttributeValues": {":two": {"N": "2"}, ":zero": {"S": "\u0001\u0001"}, ":sk": {"S": "aa"}}}'::jsonb)->'Items';
SELECT dynamo.scan('{"TableName": "zero", "FilterExpression": "contains(#n, :one)", "ExpressionAttributeNames": {"#n": "n\u0001\u0001"}, "ExpressionAttributeValues": {":one": {"S": "\u0001\u0002"}}}'::jsonb)->'Count';
-- half a pair is no stored form
SELECT pg_temp.outcome('GetItem', '{"TableName": "zero", "Key": {"pk": {"S": "\u0001"}, "sk": {"S": "\u0001x"}}}');
SELECT pg_temp.outcome('PutItem', '{"TableName": "zero", "Item": {"pk": {"S": "\u0001x"}, "sk": {"S": "a"}}}');
SELECT pg_temp.outcome('PutItem', '{"TableName": "zero", "Item": {"pk": {"S": "x"}, "sk": {"S": "a"}, "a\u0001": {"S": "v"}}}');
SELECT dynamo.delete_table('{"TableName": "zero"}') IS NOT NULL AS deleted;
