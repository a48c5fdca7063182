-- Select, Limit, counts and projections of pages
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.outcome(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, request);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT dynamo.create_table('{"TableName": "sel", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"}]}'::jsonb) IS NOT NULL AS created;

SELECT count(*) FROM (SELECT dynamo.put('sel', jsonb_build_object('pk', 'k', 'sk', i::text, 'a', i, 'b', jsonb_build_object('c', 1, 'd', 2))) FROM generate_series(1, 4) i) puts;
CREATE FUNCTION pg_temp.page(operation text, members jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.outcome(operation, CASE operation WHEN 'Query' THEN '{"TableName": "sel", "KeyConditionExpression": "pk = :k"}' ELSE '{"TableName": "sel"}'::jsonb END || members
		|| jsonb_build_object('ExpressionAttributeValues', nullif(CASE operation WHEN 'Query' THEN '{":k": {"S": "k"}}' ELSE '{}'::jsonb END || coalesce(members->'ExpressionAttributeValues', '{}'), '{}')));
$$;
SELECT operation, pg_temp.page(operation, members) FROM unnest('{Query,Scan}'::text[]) operation, unnest(ARRAY[
	'{"Select": "COUNT"}', '{"Select": "COUNT", "Limit": 3}', '{"Select": "COUNT", "FilterExpression": "a > :a", "ExpressionAttributeValues": {":a": {"N": "2"}}}',
	'{"Limit": 2, "FilterExpression": "a > :a", "ExpressionAttributeValues": {":a": {"N": "2"}}}',
	'{"Limit": 1, "Select": "ALL_ATTRIBUTES"}', '{"Limit": 2, "ProjectionExpression": "b.d, nowhere"}', '{"Limit": 1, "ProjectionExpression": "nowhere"}',
	'{"Limit": 1, "Select": "SPECIFIC_ATTRIBUTES", "ProjectionExpression": "a"}', '{"Limit": 0}', '{"Limit": 2147483647, "Select": "COUNT"}',
	'{"Select": "SPECIFIC_ATTRIBUTES"}', '{"Select": "ALL_PROJECTED_ATTRIBUTES"}', '{"Select": "COUNT", "ProjectionExpression": "a"}',
	'{"Select": "ALL_ATTRIBUTES", "ProjectionExpression": "a"}', '{"Select": "ALL_PROJECTED_ATTRIBUTES", "ProjectionExpression": "a"}',
	'{"IndexName": "nowhere"}', '{"Select": "ALL_PROJECTED_ATTRIBUTES", "IndexName": "nowhere"}']::jsonb[]) WITH ORDINALITY m(members, n) ORDER BY operation, n;
SELECT pg_temp.outcome('Scan', '{"TableName": "sel", "Limit": 1, "AttributesToGet": ["a", "sk"]}');
SELECT pg_temp.outcome('Scan', '{"TableName": "sel", "Select": "COUNT", "AttributesToGet": ["a"]}');
SELECT pg_temp.outcome('Scan', '{"TableName": "sel", "Select": "ALL_ATTRIBUTES", "AttributesToGet": ["a"]}');
SELECT dynamo.delete_table('{"TableName": "sel"}') IS NOT NULL AS deleted;
