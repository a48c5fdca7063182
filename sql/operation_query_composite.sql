-- All HASH attributes of an index need equality, RANGE attributes from the left without a gap
\pset format unaligned
\pset tuples_only on
SELECT dynamo.create_table('{"TableName": "composite", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}, {"AttributeName": "a", "AttributeType": "S"}, {"AttributeName": "b", "AttributeType": "N"},
		{"AttributeName": "c", "AttributeType": "S"}, {"AttributeName": "d", "AttributeType": "S"}],
	"GlobalSecondaryIndexes": [{"IndexName": "abcd", "Projection": {"ProjectionType": "KEYS_ONLY"}, "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"},
		{"AttributeName": "b", "KeyType": "HASH"}, {"AttributeName": "c", "KeyType": "RANGE"}, {"AttributeName": "d", "KeyType": "RANGE"}]}]}'::jsonb) IS NOT NULL AS created;
SELECT count(*) FROM (SELECT dynamo.put('composite', jsonb_build_object('p', i::text, 'a', 'a', 'b', i % 2, 'c', 'c' || i, 'd', 'd' || i)) FROM generate_series(1, 6) i) puts;
CREATE FUNCTION pg_temp.places(condition text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN (SELECT string_agg(item->'p'->>'S', ' ' ORDER BY n) FROM jsonb_array_elements(dynamo.api('Query', jsonb_build_object('TableName', 'composite', 'IndexName', 'abcd',
		'KeyConditionExpression', condition, 'ExpressionAttributeValues',
		(SELECT jsonb_object_agg(name, value) FROM jsonb_each('{":a": {"S": "a"}, ":b": {"N": "1"}, ":c": {"S": "c3"}, ":d": {"S": "d3"}}') v(name, value)
			WHERE condition LIKE '%' || name || '%')))->'Items') WITH ORDINALITY i(item, n));
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT condition, pg_temp.places(condition) FROM unnest(ARRAY[
	'a = :a AND b = :b', 'b = :b AND a = :a AND c > :c', 'c = :c AND a = :a AND d = :d AND b = :b',
	'a = :a', 'b = :b', 'c = :c', 'a = :a AND b > :b', 'b BETWEEN :b AND :b AND a = :a', 'begins_with(a, :a) AND b = :b',
	'a = :a AND b = :b AND d = :d', 'a = :a AND b = :b AND c > :c AND d = :d']) condition;
-- KeyConditions may be as many
SELECT jsonb_path_query_array(dynamo.api('Query', '{"TableName": "composite", "IndexName": "abcd", "KeyConditions": {"a": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]},
	"b": {"ComparisonOperator": "EQ", "AttributeValueList": [{"N": "1"}]}, "c": {"ComparisonOperator": "GT", "AttributeValueList": [{"S": "c1"}]}}}'), '$.Items[*].p.S');
SELECT dynamo.delete_table('{"TableName": "composite"}') IS NOT NULL AS deleted;
