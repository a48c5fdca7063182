-- The older parameters, and what they may not be mixed with
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.outcome(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, request);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT dynamo.create_table('{"TableName": "old", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"}]}'::jsonb) IS NOT NULL AS created;

SELECT count(*) FROM (SELECT dynamo.put('old', jsonb_build_object('pk', 'k', 'sk', i, 'a', i % 3, 's', repeat('x', i))) FROM generate_series(1, 6) i) puts;
CREATE FUNCTION pg_temp.places(operation text, members jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN (SELECT string_agg(item->'sk'->>'N', ' ' ORDER BY n) FROM jsonb_array_elements(dynamo.api(operation, '{"TableName": "old"}' || members)->'Items') WITH ORDINALITY i(item, n));
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT condition, pg_temp.places('Query', jsonb_build_object('KeyConditions', '{"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "k"}]}}' || jsonb_build_object('sk', condition)))
FROM unnest(ARRAY['{"ComparisonOperator": "EQ", "AttributeValueList": [{"N": "2"}]}', '{"ComparisonOperator": "LT", "AttributeValueList": [{"N": "3"}]}', '{"ComparisonOperator": "LE", "AttributeValueList": [{"N": "3"}]}',
	'{"ComparisonOperator": "GT", "AttributeValueList": [{"N": "3"}]}', '{"ComparisonOperator": "GE", "AttributeValueList": [{"N": "3"}]}', '{"ComparisonOperator": "BETWEEN", "AttributeValueList": [{"N": "2"}, {"N": "4"}]}',
	'{"ComparisonOperator": "NE", "AttributeValueList": [{"N": "2"}]}', '{"ComparisonOperator": "BEGINS_WITH", "AttributeValueList": [{"S": "2"}]}', '{"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "2"}]}']::jsonb[]) condition;
SELECT filter, pg_temp.places('Scan', jsonb_build_object('ScanFilter', jsonb_build_object('a', filter)))
FROM unnest(ARRAY['{"ComparisonOperator": "EQ", "AttributeValueList": [{"N": "1.0"}]}', '{"ComparisonOperator": "NE", "AttributeValueList": [{"N": "1"}]}', '{"ComparisonOperator": "IN", "AttributeValueList": [{"N": "0"}, {"N": "2"}]}',
	'{"ComparisonOperator": "NULL"}', '{"ComparisonOperator": "NOT_NULL", "AttributeValueList": []}', '{"ComparisonOperator": "GT", "AttributeValueList": [{"S": "0"}]}', '{"ComparisonOperator": "NOT_CONTAINS", "AttributeValueList": [{"S": "0"}]}',
	'{"ComparisonOperator": "NULL", "AttributeValueList": [{"S": "0"}]}', '{"ComparisonOperator": "BETWEEN", "AttributeValueList": [{"N": "2"}, {"N": "1"}]}']::jsonb[]) filter;
SELECT pg_temp.places('Scan', jsonb_build_object('ConditionalOperator', operator) || '{"ScanFilter": {"a": {"ComparisonOperator": "EQ", "AttributeValueList": [{"N": "1"}]}, "sk": {"ComparisonOperator": "GT", "AttributeValueList": [{"N": "4"}]}}}')
	FROM unnest('{AND,OR,NULL}'::text[]) operator;
SELECT pg_temp.places('Query', '{"KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "k"}]}}, "QueryFilter": {"a": {"ComparisonOperator": "EQ", "AttributeValueList": [{"N": "1"}]}}, "ScanIndexForward": false}');
SELECT pg_temp.places('Query', '{"KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "k"}]}}, "QueryFilter": {"sk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"N": "1"}]}}}');
SELECT pg_temp.places('Query', '{"KeyConditions": {"pk": {"ComparisonOperator": "GT", "AttributeValueList": [{"S": "k"}]}}}');
SELECT pg_temp.places('Query', '{"KeyConditions": {}}');
-- KeyConditions may stand beside expressions
SELECT pg_temp.places('Query', '{"KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "k"}]}}, "FilterExpression": "a = :a", "ExpressionAttributeValues": {":a": {"N": "2"}}}');
SELECT pg_temp.places('Query', '{"KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "k"}]}}, "KeyConditionExpression": "pk = :a", "ExpressionAttributeValues": {":a": {"S": "k"}}}');
SELECT pg_temp.places('Scan', '{"AttributesToGet": ["sk"], "FilterExpression": "a = :a"}');

-- Expected, AttributeUpdates
SELECT members, pg_temp.outcome('UpdateItem', '{"TableName": "old", "Key": {"pk": {"S": "k"}, "sk": {"N": "1"}}, "ReturnValues": "UPDATED_NEW"}' || members)
FROM unnest(ARRAY['{"AttributeUpdates": {"a": {"Value": {"N": "5"}}}}', '{"AttributeUpdates": {"a": {"Value": {"N": "5"}, "Action": "ADD"}}}', '{"AttributeUpdates": {"t": {"Value": {"SS": ["p", "q"]}, "Action": "ADD"}}}',
	'{"AttributeUpdates": {"t": {"Value": {"SS": ["p"]}, "Action": "DELETE"}}}', '{"AttributeUpdates": {"t": {"Action": "DELETE"}}}', '{"AttributeUpdates": {"l": {"Value": {"L": [{"S": "x"}]}, "Action": "ADD"}}}',
	'{"AttributeUpdates": {"a.b": {"Value": {"N": "1"}}}}', '{"AttributeUpdates": {"s": {"Value": {"N": "1"}, "Action": "ADD"}}}', '{"AttributeUpdates": {"pk": {"Value": {"S": "x"}}}}', '{"AttributeUpdates": {"a": {}}}',
	'{"AttributeUpdates": {"a": {"Value": {"S": "x"}, "Action": "ADD"}}}', '{"AttributeUpdates": {"a": {"Value": {"S": "x"}, "Action": "DELETE"}}}',
	'{"AttributeUpdates": {"b": {"Value": {"N": "1"}}}, "Expected": {"a": {"Value": {"N": "10"}}}}', '{"AttributeUpdates": {"b": {"Value": {"N": "2"}}}, "Expected": {"a": {"Value": {"N": "11"}}}}',
	'{"AttributeUpdates": {"b": {"Value": {"N": "3"}}}, "Expected": {"a": {"Exists": false}, "b": {"Exists": false}}, "ConditionalOperator": "OR"}', '{"AttributeUpdates": {}, "ConditionExpression": "a = b"}',
	'{"UpdateExpression": "REMOVE q", "Expected": {"a": {"Exists": false}}}']::jsonb[]) members;
SELECT dynamo.get('old', '{"pk": "k", "sk": 1}');
SELECT dynamo.delete_table('{"TableName": "old"}') IS NOT NULL AS deleted;
