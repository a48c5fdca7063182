-- Malformed and hostile requests end in an exception of the API, whatever stands in them
SELECT dynamo.create_table('{"TableName": "hostile", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}'::jsonb) IS NOT NULL AS created;
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.outcome(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN left(dynamo.api(operation, request)::text, 150);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || left(regexp_replace(left(SQLERRM, 600), '(.)\1{50,}', '\1..'), 200);
END $$;
CREATE FUNCTION pg_temp.put(value jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.outcome('PutItem', jsonb_build_object('TableName', 'hostile', 'Item', jsonb_build_object('pk', '{"S": "k"}'::jsonb, 'a', value)));
$$;
CREATE FUNCTION pg_temp.update(expression text, value jsonb DEFAULT NULL) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.outcome('UpdateItem', jsonb_build_object('TableName', 'hostile', 'Key', '{"pk": {"S": "k"}}'::jsonb, 'UpdateExpression', expression,
		'ExpressionAttributeValues', CASE WHEN value IS NOT NULL THEN jsonb_build_object(':v', value) END));
$$;
-- nesting
SELECT depth, pg_temp.put((repeat('{"L": [', depth) || '{"S": "x"}' || repeat(']}', depth))::jsonb) FROM unnest('{31,32,100,1000}'::int[]) depth;
SELECT depth, pg_temp.put((repeat('{"M": {"a": ', depth) || '{"S": "x"}' || repeat('}}', depth))::jsonb) FROM unnest('{31,32,100,1000}'::int[]) depth;
SELECT depth, pg_temp.update('SET b = :v', (repeat('{"L": [', depth) || '{"S": "x"}' || repeat(']}', depth))::jsonb) FROM unnest('{31,32,100}'::int[]) depth;
SELECT depth, pg_temp.update('SET b = ' || repeat('(', depth) || 'a' || repeat(')', depth)) FROM unnest('{1,2,2000}'::int[]) depth;
SELECT depth, pg_temp.update('SET b' || repeat('.b', depth) || ' = a') FROM unnest('{31,32,2000}'::int[]) depth;
SELECT depth, pg_temp.outcome('Scan', jsonb_build_object('TableName', 'hostile', 'FilterExpression', repeat('NOT ', depth) || 'attribute_exists(a)')) FROM unnest('{298,299,300,1000}'::int[]) depth;
SELECT depth, pg_temp.outcome('Scan', jsonb_build_object('TableName', 'hostile', 'FilterExpression', repeat('(NOT ', depth) || 'attribute_exists(a)' || repeat(')', depth))) FROM unnest('{298,600}'::int[]) depth;
-- numbers
SELECT left(number, 40), pg_temp.put(jsonb_build_object('N', number)) FROM unnest(ARRAY['1e', 'e1', '.', '+', '--1', '1_000', '0x1', 'NaN', 'Infinity', '1e99999999999999999999', '-1e-99999999999999999999', '1e9223372036854775807', '٣', ' 1', '', repeat('9', 39), repeat('0', 5000) || '1', '1' || repeat('0', 5000)]) number;
SELECT left(value::text, 30), pg_temp.outcome('Scan', jsonb_build_object('TableName', 'hostile', 'Limit', value)) FROM unnest(ARRAY['1e300', '-1e300', '99999999999999999999', '0.5']::jsonb[]) value;
SELECT left(value::text, 30), pg_temp.outcome('Scan', jsonb_build_object('TableName', 'hostile', 'Segment', 0, 'TotalSegments', value)) FROM unnest(ARRAY['1e300', '1000000', '9223372036854775808']::jsonb[]) value;
-- what looks like a format, a tag, a placeholder or SQL is text
SELECT pg_temp.outcome('PutItem', '{"TableName": "%s%n$1", "Item": {}}');
SELECT pg_temp.outcome('Query', '{"TableName": "hostile", "KeyConditionExpression": "%s%n = :x"}');
SELECT pg_temp.outcome('Scan', '{"TableName": "hostile", "IndexName": "%d%d%s"}');
SELECT pg_temp.put('{"M": {"$ss": {"S": "x"}}}'), pg_temp.put('{"M": {"$b": {"L": []}, "$m": {"NULL": true}}}'), pg_temp.put('{"S": "''; DROP TABLE ddb.hostile; --"}');
SELECT item FROM dynamo.scan('hostile') item;
SELECT pg_temp.outcome('PutItem', '{"TableName": "hostile", "Item": {"pk": {"S": "k"}, "": {"S": "x"}}}');
-- sizes
SELECT pg_temp.put(('{"S": "' || repeat('x', 16 * 1024 * 1024) || '"}')::jsonb);
SELECT pg_temp.put(('{"L": [' || repeat('{"NULL": true},', 50000) || '{"S": ""}]}')::jsonb);
SELECT pg_temp.put(('{"SS": [' || (SELECT string_agg('"' || i || '"', ',') FROM generate_series(1, 100000) i) || ']}')::jsonb);
SELECT pg_temp.outcome('PutItem', ('{"TableName": "hostile", "Item": {' || (SELECT string_agg('"a' || i || '": {"NULL": true}', ',') FROM generate_series(1, 70000) i) || '}}')::jsonb);
SELECT pg_temp.outcome('PutItem', jsonb_build_object('TableName', 'hostile', 'Item', jsonb_build_object('pk', '{"S": "k"}'::jsonb, repeat('n', 65536), '{"S": "x"}'::jsonb)));
SELECT pg_temp.outcome('Scan', jsonb_build_object('TableName', 'hostile', 'FilterExpression', 'a IN (' || (SELECT string_agg(':v', ',') FROM generate_series(1, 101)) || ')', 'ExpressionAttributeValues', '{":v": {"S": "x"}}'::jsonb));
SELECT pg_temp.outcome('Scan', jsonb_build_object('TableName', 'hostile', 'FilterExpression', repeat('a', 4097)));
SELECT pg_temp.outcome('Scan', ('{"TableName": "hostile", "FilterExpression": "a = :v", "ExpressionAttributeValues": {' || (SELECT string_agg('":v' || i || '": {"NULL": true}', ',') FROM generate_series(1, 70000) i) || '}}')::jsonb);
SELECT pg_temp.outcome('Scan', jsonb_build_object('TableName', repeat('x', 100000)));
SELECT pg_temp.outcome('Scan', jsonb_build_object('TableName', 'hostile', 'IndexName', repeat('x', 100000)));
-- the session is well
SELECT dynamo.put('hostile', '{"pk": "k", "fine": true}');
SELECT dynamo.get('hostile', '{"pk": "k"}');
SELECT dynamo.delete_table('{"TableName": "hostile"}') IS NOT NULL AS deleted;
