-- UpdateItem: ReturnValues in all forms, on present and absent items
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.outcome(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, request);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT dynamo.create_table('{"TableName": "upd", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}'::jsonb) IS NOT NULL AS created;

-- an absent item is made of its key
SELECT dynamo.update_item('{"TableName": "upd", "Key": {"pk": {"S": "k"}}, "UpdateExpression": "SET a = :a, m = :m, l = :l",
	"ExpressionAttributeValues": {":a": {"N": "1"}, ":m": {"M": {"x": {"S": "1"}, "y": {"S": "2"}}}, ":l": {"L": [{"N": "0"}, {"N": "1"}, {"N": "2"}]}}}');
SELECT dynamo.get('upd', '{"pk": "k"}');

SELECT value, dynamo.update_item(jsonb_build_object('ReturnValues', value) || '{"TableName": "upd", "Key": {"pk": {"S": "k"}},
	"UpdateExpression": "SET a = a + :n, m.x = :s, l[2] = :n, l[0] = :n, n = :n REMOVE m.y",
	"ExpressionAttributeValues": {":n": {"N": "1"}, ":s": {"S": "new"}}}')
	FROM unnest('{NONE,ALL_OLD,UPDATED_OLD,ALL_NEW,UPDATED_NEW}'::text[]) value;
SELECT dynamo.get('upd', '{"pk": "k"}');

-- on an absent item nothing is old
SELECT value, dynamo.update_item(jsonb_build_object('ReturnValues', value, 'Key', jsonb_build_object('pk', jsonb_build_object('S', value))) ||
	'{"TableName": "upd", "UpdateExpression": "SET a = :n", "ExpressionAttributeValues": {":n": {"N": "1"}}}')
	FROM unnest('{NONE,ALL_OLD,UPDATED_OLD,ALL_NEW,UPDATED_NEW}'::text[]) value;

-- removals alone return nothing new, and create nothing
SELECT dynamo.update_item('{"TableName": "upd", "Key": {"pk": {"S": "k"}}, "UpdateExpression": "REMOVE n", "ReturnValues": "UPDATED_NEW"}');
SELECT dynamo.update_item('{"TableName": "upd", "Key": {"pk": {"S": "none"}}, "UpdateExpression": "REMOVE n", "ReturnValues": "ALL_NEW"}');
SELECT dynamo.update_item('{"TableName": "upd", "Key": {"pk": {"S": "none"}}, "UpdateExpression": "REMOVE n.x, m[0]", "ReturnValues": "ALL_NEW"}');
-- DynamoDB has been seen to let REMOVE pass on an absent item though the parent of its path is not there.  Nobody has seen that of
-- DELETE, so it goes by the rule for all actions, and by DynamoDB Local: the parent must be there, or the path is invalid.
SELECT expression, key, pg_temp.outcome('UpdateItem', jsonb_build_object('UpdateExpression', expression, 'ExpressionAttributeValues', '{":v": {"SS": ["x"]}}'::jsonb,
	'Key', jsonb_build_object('pk', jsonb_build_object('S', key))) || '{"TableName": "upd", "ReturnValues": "ALL_NEW"}')
	FROM unnest('{none,ALL_OLD}'::text[]) key, unnest('{DELETE q :v,DELETE q.r :v,DELETE q[0] :v,REMOVE n DELETE q.r :v}'::text[]) expression;
SELECT dynamo.get('upd', '{"pk": "none"}') IS NULL AS absent;
-- no update at all makes the bare key
SELECT dynamo.update_item('{"TableName": "upd", "Key": {"pk": {"S": "bare"}}, "ReturnValues": "ALL_NEW"}');
SELECT dynamo.update_item('{"TableName": "upd", "Key": {"pk": {"S": "bare too"}}, "AttributeUpdates": {}}');
SELECT dynamo.get('upd', '{"pk": "bare too"}');

-- what the item cannot take: nothing is written
SELECT expression, pg_temp.outcome('UpdateItem', jsonb_build_object('UpdateExpression', expression, 'ExpressionAttributeValues',
	CASE WHEN expression LIKE '%:n%' THEN '{":n": {"N": "1"}}'::jsonb END) || '{"TableName": "upd", "Key": {"pk": {"S": "k"}}}')
	FROM unnest(ARRAY['SET pk = :n', 'SET pk.x = :n', 'REMOVE pk', 'ADD pk :n', 'SET q.r = :n', 'SET a.b = :n', 'SET m[0] = :n', 'SET l.x = :n',
		'REMOVE q.r', 'SET q = nowhere', 'SET q = m.nowhere', 'SET q = m + :n', 'ADD m :n', 'SET a = :n, q = list_append(m, l)']) expression;
SELECT dynamo.get('upd', '{"pk": "k"}');
-- the condition comes before
SELECT pg_temp.outcome('UpdateItem', '{"TableName": "upd", "Key": {"pk": {"S": "k"}}, "UpdateExpression": "SET q = nowhere", "ConditionExpression": "attribute_exists(nowhere)"}');
SELECT dynamo.delete_table('{"TableName": "upd"}') IS NOT NULL AS deleted;
