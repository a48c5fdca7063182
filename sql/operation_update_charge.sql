-- UpdateItem limits the finished item and, clause by clause, the statement: 409,600 bytes each
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.outcome(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, request);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT dynamo.create_table('{"TableName": "charge", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}'::jsonb) IS NOT NULL AS created;

CREATE FUNCTION pg_temp.try(expression text, bytes int, names jsonb DEFAULT NULL, condition text DEFAULT NULL) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.outcome('UpdateItem', jsonb_build_object('TableName', 'charge', 'Key', '{"pk": {"S": "k"}}'::jsonb,
		'UpdateExpression', expression, 'ExpressionAttributeNames', names, 'ConditionExpression', condition,
		'ExpressionAttributeValues', jsonb_build_object(':v', jsonb_build_object('S', repeat('x', bytes)))
			|| CASE WHEN expression LIKE '%:n%' THEN '{":n": {"N": "1"}}'::jsonb ELSE '{}' END));
$$;
-- the largest value that each form takes, and one byte more; the item is far smaller or just as large
SELECT dynamo.put('charge', '{"pk": "k"}');
SELECT 'SET', pg_temp.try('SET a = :v', 409600 - 3 - 19 - 1), pg_temp.try('SET a = :v', 409600 - 3 - 19);
SELECT dynamo.put('charge', '{"pk": "k"}');
SELECT 'names count as they are resolved', pg_temp.try('SET #a = :v', 409600 - 3 - 19 - 10, '{"#a": "attribute0"}'),
	pg_temp.try('SET #a = :v', 409600 - 3 - 19 - 9, '{"#a": "attribute0"}');
SELECT dynamo.put('charge', '{"pk": "k", "n": 1, "big": "x", "m": {"z": "y"}, "l": [1]}');
SELECT 'nested target', pg_temp.try('SET m.z = :v', 409600 - 3 - 19 - 1 - 4 - 1), pg_temp.try('SET m.z = :v', 409600 - 3 - 19 - 1 - 4);
SELECT dynamo.put('charge', '{"pk": "k", "n": 1, "big": "x", "m": {"z": "y"}, "l": [1]}');
SELECT 'list target', pg_temp.try('SET l[10] = :v', 409600 - 3 - 19 - 1 - 4 - 2), pg_temp.try('SET l[10] = :v', 409600 - 3 - 19 - 1 - 4 - 1);
SELECT dynamo.put('charge', '{"pk": "k", "n": 1, "big": "x", "m": {"z": "y"}, "l": [1]}');
SELECT 'if_not_exists, though it is not used', pg_temp.try('SET a = if_not_exists(big, :v)', 409600 - 3 - 19 - 1 - 39 - (1 + 14 + 3)),
	pg_temp.try('SET a = if_not_exists(big, :v)', 409600 - 3 - 19 - 1 - 39 - (1 + 14 + 3) + 1);
SELECT 'REMOVE', pg_temp.try('SET a = :v REMOVE gone', 409600 - 3 - 19 - 1 - (1 + 4)), pg_temp.try('SET a = :v REMOVE gone', 409600 - 3 - 19 - 1 - (1 + 4) + 1);
SELECT 'a path', pg_temp.try('SET a = :v, b = m.z', 409600 - 3 - 20 - 20 - (1 + 15 + 15)), pg_temp.try('SET a = :v, b = m.z', 409600 - 3 - 20 - 20 - (1 + 15 + 15) + 1);
SELECT 'a sum', pg_temp.try('SET a = :v, n = n + :n', 409600 - 3 - 20 - 20 - 34 - 16 - 2), pg_temp.try('SET a = :v, n = n + :n', 409600 - 3 - 20 - 20 - 34 - 16 - 2 + 1);
SELECT 'a difference', pg_temp.try('SET a = :v, n = n - :n', 409600 - 3 - 20 - 20 - 37 - 16 - 2), pg_temp.try('SET a = :v, n = n - :n', 409600 - 3 - 20 - 20 - 37 - 16 - 2 + 1);
SELECT 'ADD', pg_temp.try('SET a = :v ADD n :n', 409600 - 3 - 20 - 20 - 2), pg_temp.try('SET a = :v ADD n :n', 409600 - 3 - 20 - 20 - 2 + 1);
-- a value counts at every use
SELECT 'twice', pg_temp.try('SET a = if_not_exists(big, :v), b = if_not_exists(big, :v)', 204600), pg_temp.try('SET a = if_not_exists(big, :v), b = if_not_exists(big, :v)', 204800);

-- of an added set, only the members that are new
SELECT dynamo.put('charge', jsonb_build_object('pk', 'k', 's', jsonb_build_object('$ss', ARRAY[repeat('a', 200000), repeat('b', 200000)])));
SELECT members, pg_temp.outcome('UpdateItem', jsonb_build_object('TableName', 'charge', 'Key', '{"pk": {"S": "k"}}'::jsonb, 'UpdateExpression', 'ADD s :s',
		'ExpressionAttributeValues', jsonb_build_object(':s', jsonb_build_object('SS', (SELECT jsonb_agg(repeat(m, 200000)) FROM unnest(members) m) || '["d"]'))))
	FROM (VALUES ('{a,b}'::text[]), ('{a,b,c}')) v(members);
SELECT dynamo.item_size(item) FROM ddb.charge;

-- the charge is looked at before the condition
SELECT pg_temp.try('SET a = :v', 409600, NULL, 'attribute_exists(nowhere)');
-- and the finished item after it
SELECT dynamo.put('charge', jsonb_build_object('pk', 'k', 'big', repeat('x', 300000)));
SELECT pg_temp.try('SET a = :v', 200000, NULL, 'attribute_exists(nowhere)');
SELECT pg_temp.try('SET a = :v', 200000);
SELECT pg_temp.try('SET big = :v', 200000);
-- AttributeUpdates are measured by the finished item alone
SELECT pg_temp.outcome('UpdateItem', jsonb_build_object('TableName', 'charge', 'Key', '{"pk": {"S": "u"}}'::jsonb,
	'AttributeUpdates', jsonb_build_object('a', jsonb_build_object('Value', jsonb_build_object('S', repeat('x', bytes))))))
	FROM unnest(ARRAY[409600 - 4, 409600 - 3]) bytes;
SELECT dynamo.delete_table('{"TableName": "charge"}') IS NOT NULL AS deleted;
