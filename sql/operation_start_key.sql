-- ExclusiveStartKey: where a page goes on, and what it may not be
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.outcome(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, request);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT dynamo.create_table('{"TableName": "start", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"}]}'::jsonb) IS NOT NULL AS created;
SELECT dynamo.create_table('{"TableName": "start_hash", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}'::jsonb) IS NOT NULL AS created;

SELECT count(*) FROM (SELECT dynamo.put('start', jsonb_build_object('pk', 'k', 'sk', i)) FROM generate_series(1, 5) i) puts;
CREATE FUNCTION pg_temp.page(condition text, arguments jsonb, members jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.outcome('Query', jsonb_build_object('TableName', 'start', 'KeyConditionExpression', condition, 'ExpressionAttributeValues', arguments) || members);
$$;
-- the item may be gone, or never have been there
SELECT pg_temp.page('pk = :k', '{":k": {"S": "k"}}', '{"ExclusiveStartKey": {"pk": {"S": "k"}, "sk": {"N": "3.5"}}, "Limit": 1}');
SELECT pg_temp.page('pk = :k', '{":k": {"S": "k"}}', '{"ExclusiveStartKey": {"pk": {"S": "k"}, "sk": {"N": "3.5"}}, "Limit": 1, "ScanIndexForward": false}');
SELECT pg_temp.page('pk = :k', '{":k": {"S": "k"}}', '{"ExclusiveStartKey": {"pk": {"S": "k"}, "sk": {"N": "5"}}}');
SELECT pg_temp.page('pk = :k', '{":k": {"S": "k"}}', '{"ExclusiveStartKey": {"pk": {"S": "k"}, "sk": {"N": "1"}}, "ScanIndexForward": false}');
SELECT pg_temp.page('pk = :k', '{":k": {"S": "k"}}', '{"ExclusiveStartKey": {}, "Limit": 1}');
-- a page that ends at the limit has a key though nothing follows
SELECT pg_temp.page('pk = :k', '{":k": {"S": "k"}}', '{"ExclusiveStartKey": {"pk": {"S": "k"}, "sk": {"N": "4"}}, "Limit": 1}');
SELECT pg_temp.page('pk = :k', '{":k": {"S": "k"}}', '{"ExclusiveStartKey": {"pk": {"S": "k"}, "sk": {"N": "4"}}, "Limit": 2}');

-- faults
SELECT start, pg_temp.page('pk = :k', '{":k": {"S": "k"}}', jsonb_build_object('ExclusiveStartKey', start))
FROM unnest(ARRAY['{"pk": {"S": "k"}}', '{"pk": {"S": "k"}, "sk": {"N": "1"}, "x": {"N": "1"}}', '{"pk": {"S": "k"}, "x": {"N": "1"}}', '{"pk": {"S": "k"}, "sk": {"S": "1"}}',
	'{"pk": {"N": "1"}, "sk": {"N": "1"}}', '{"pk": {"S": "j"}, "sk": {"N": "1"}}', '{"pk": {"S": ""}, "sk": {"N": "1"}}', '{"pk": {"S": "k"}, "sk": {}}',
	'{"pk": {"S": "k"}, "sk": {"N": "x"}}', '{"pk": {"S": "k"}, "sk": {"NS": []}}', '{"pk": {"SS": ["a", "a"]}, "sk": {"N": "1"}}', '{"pk": {"S": "k", "N": "1"}, "sk": {"N": "1"}}']::jsonb[]) start;
SELECT pg_temp.page('pk = :k AND sk < :s', '{":k": {"S": "k"}, ":s": {"N": "3"}}', '{"ExclusiveStartKey": {"pk": {"S": "k"}, "sk": {"N": "3"}}}');
SELECT pg_temp.page('pk = :k AND sk > :s', '{":k": {"S": "k"}, ":s": {"N": "3"}}', '{"ExclusiveStartKey": {"pk": {"S": "j"}, "sk": {"N": "4"}}}');
SELECT pg_temp.page('pk = :k AND sk = :s', '{":k": {"S": "k"}, ":s": {"N": "3"}}', '{"ExclusiveStartKey": {"pk": {"S": "k"}, "sk": {"N": "3"}}}');
-- the only item a query can yield: nothing is behind it
SELECT pg_temp.page('pk = :k AND sk = :s', '{":k": {"S": "k"}, ":s": {"N": "3"}}', '{"Limit": 1}');
SELECT pg_temp.page('pk = :k AND sk = :s', '{":k": {"S": "k"}, ":s": {"N": "3"}}', '{"ExclusiveStartKey": {"pk": {"S": "j"}, "sk": {"N": "3"}}}');
-- without a sort key there is nowhere to go on
SELECT dynamo.put('start_hash', '{"pk": "k"}');
SELECT pg_temp.page('pk = :k', '{":k": {"S": "k"}}', '{"TableName": "start_hash", "Limit": 1}');
SELECT pg_temp.page('pk = :k', '{":k": {"S": "k"}}', '{"TableName": "start_hash", "ExclusiveStartKey": {"pk": {"S": "k"}}}');
SELECT pg_temp.outcome('Scan', '{"TableName": "start_hash", "Limit": 1}');
SELECT pg_temp.outcome('Scan', '{"TableName": "start_hash", "ExclusiveStartKey": {"pk": {"S": "k"}}}');
-- Scan
SELECT start, pg_temp.outcome('Scan', jsonb_build_object('TableName', 'start', 'Limit', 1, 'ExclusiveStartKey', start))
FROM unnest(ARRAY['{"pk": {"S": "k"}, "sk": {"N": "2"}}', '{"pk": {"S": "k"}}', '{"pk": {"S": "k"}, "x": {"N": "1"}}', '{"pk": {"S": "k"}, "sk": {"S": "1"}}', '{"pk": {"S": ""}, "sk": {"N": "1"}}',
	'{"pk": {"S": "k"}, "sk": {"N": "x"}}', '{"pk": {"S": "k"}, "sk": {"NULL": false}}']::jsonb[]) start;
SELECT dynamo.delete_table('{"TableName": "start"}') IS NOT NULL AS deleted;
SELECT dynamo.delete_table('{"TableName": "start_hash"}') IS NOT NULL AS deleted;
