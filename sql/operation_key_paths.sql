-- Paths may not lead into key attributes, of the table or of its indexes
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.outcome(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, request);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT dynamo.create_table('{"TableName": "paths", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"}, {"AttributeName": "ix", "AttributeType": "S"}],
	"GlobalSecondaryIndexes": [{"IndexName": "index", "KeySchema": [{"AttributeName": "ix", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}]}'::jsonb) IS NOT NULL AS created;

SELECT dynamo.put('paths', '{"pk": "k", "sk": 1, "a": {"pk": 1}}');
CREATE FUNCTION pg_temp.on_item(operation text, members jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.outcome(operation, '{"TableName": "paths", "Key": {"pk": {"S": "k"}, "sk": {"N": "1"}}}' || members);
$$;
SELECT pg_temp.on_item('GetItem', '{"ProjectionExpression": "a, pk.a"}');
SELECT pg_temp.on_item('GetItem', '{"ProjectionExpression": "#p[0]", "ExpressionAttributeNames": {"#p": "sk"}}');
SELECT pg_temp.on_item('GetItem', '{"ProjectionExpression": "ix.a, sk[0]"}');
SELECT pg_temp.on_item('GetItem', '{"ProjectionExpression": "ix.a"}');
SELECT pg_temp.on_item('GetItem', '{"ProjectionExpression": "a.pk, sk"}');
SELECT pg_temp.on_item('DeleteItem', '{"ConditionExpression": "attribute_exists(sk[1])"}');
SELECT pg_temp.on_item('UpdateItem', '{"UpdateExpression": "SET b = pk.a"}');
SELECT pg_temp.on_item('UpdateItem', '{"UpdateExpression": "SET b = if_not_exists(sk.x, pk)"}');
SELECT pg_temp.on_item('UpdateItem', '{"UpdateExpression": "REMOVE b", "ConditionExpression": "NOT (a.pk = pk AND size(ix[0]) = sk)"}');
SELECT pg_temp.on_item('UpdateItem', '{"UpdateExpression": "REMOVE pk.x", "ConditionExpression": "sk.x = a"}');
SELECT pg_temp.outcome('PutItem', '{"TableName": "paths", "Item": {"pk": {"S": "k"}, "sk": {"N": "2"}}, "ConditionExpression": "attribute_not_exists(pk.x)"}');
SELECT pg_temp.outcome('Scan', '{"TableName": "paths", "ProjectionExpression": "sk.x"}');
SELECT pg_temp.outcome('Scan', '{"TableName": "paths", "FilterExpression": "attribute_exists(ix.x)"}');
SELECT pg_temp.outcome('Query', '{"TableName": "paths", "KeyConditionExpression": "pk = :p", "ProjectionExpression": "pk.x", "FilterExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "k"}}}');
SELECT pg_temp.outcome('Query', '{"TableName": "paths", "KeyConditionExpression": "pk = :p", "FilterExpression": "ix.x = :p", "ExpressionAttributeValues": {":p": {"S": "k"}}}');
-- the filter of a Query may not name its keys at all
SELECT pg_temp.outcome('Query', '{"TableName": "paths", "KeyConditionExpression": "pk = :p", "FilterExpression": "sk.x = :p", "ExpressionAttributeValues": {":p": {"S": "k"}}}');
-- the key is checked before
SELECT pg_temp.outcome('GetItem', '{"TableName": "paths", "Key": {"pk": {"S": "k"}}, "ProjectionExpression": "pk.a"}');
-- document functions
SELECT dynamo.get('paths', '{"pk": "k", "sk": 1}', 'pk.a');
SELECT dynamo.update('paths', '{"pk": "k", "sk": 1}', 'SET b = sk[0]');
SELECT dynamo.put('paths', '{"pk": "k", "sk": 1}', 'pk.a = a');
SELECT dynamo.delete('paths', '{"pk": "k", "sk": 1}', 'pk.a = a');
SELECT dynamo.scan('paths', 'pk.a = a');
SELECT dynamo.query('paths', 'pk = :p', '{":p": "k"}', projection => 'sk.a');
-- targets of updates, batches and transactions
SELECT update, pg_temp.on_item('UpdateItem', jsonb_build_object('UpdateExpression', update))
	FROM unnest('{SET ix.a = sk,"REMOVE a, ix[0]",REMOVE pk.x,"SET a.pk = sk, a.ix = sk"}'::text[]) update;
SELECT projection, pg_temp.outcome('BatchGetItem', jsonb_build_object('RequestItems', jsonb_build_object('paths', jsonb_build_object(
		'Keys', '[{"pk": {"S": "k"}, "sk": {"N": "1"}}]'::jsonb, 'ProjectionExpression', projection)))),
	pg_temp.outcome('TransactGetItems', jsonb_build_object('TransactItems', jsonb_build_array(jsonb_build_object('Get',
		'{"TableName": "paths", "Key": {"pk": {"S": "k"}, "sk": {"N": "1"}}}' || jsonb_build_object('ProjectionExpression', projection)))))
	FROM unnest('{"a.pk, sk","a, ix.a",sk[0]}'::text[]) projection;
SELECT action, pg_temp.outcome('TransactWriteItems', jsonb_build_object('TransactItems', jsonb_build_array(
		jsonb_set(action, '{Update}', '{"TableName": "paths", "Key": {"pk": {"S": "k"}, "sk": {"N": "1"}}}' || (action->'Update')))))
	FROM unnest(ARRAY['{"Update": {"UpdateExpression": "SET b = ix.a"}}', '{"Update": {"UpdateExpression": "REMOVE ix.a"}}',
		'{"Update": {"UpdateExpression": "REMOVE b", "ConditionExpression": "attribute_not_exists(sk.a)"}}', '{"Update": {"UpdateExpression": "REMOVE b"}}']::jsonb[]) action;
SELECT dynamo.delete_table('{"TableName": "paths"}') IS NOT NULL AS deleted;
