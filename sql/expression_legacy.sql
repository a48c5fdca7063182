-- Expected, ScanFilter and AttributeUpdates
SELECT dynamo.api('CreateTable', '{"TableName": "expression_legacy", "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST"}') #>> '{TableDescription,TableName}' AS created;
CREATE FUNCTION pg_temp.api(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, jsonb_build_object('TableName', 'expression_legacy') || request)::text;
EXCEPTION WHEN OTHERS THEN
	RETURN sqlerrm;
END $$;
CREATE FUNCTION pg_temp.put() RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.api('PutItem', '{"Item": {"p": {"S": "a"}, "n": {"N": "5"}, "s": {"S": "hello"}, "l": {"L": [{"N": "1"}]}, "ss": {"SS": ["a", "b"]},
		"z": {"NULL": true}, "b": {"B": "AQI="}}}') $$;
SELECT pg_temp.put();

-- attributes that match a comparison; only NE and NULL are true of a missing one
SELECT comparison, v, (SELECT string_agg(name, ' ' ORDER BY i) FROM unnest('{n,s,l,ss,z,b,gone}'::text[]) WITH ORDINALITY a(name, i)
	WHERE (pg_temp.api('Scan', jsonb_build_object('Select', 'COUNT', 'ScanFilter',
		jsonb_build_object(name, jsonb_build_object('ComparisonOperator', comparison, 'AttributeValueList', v))))::jsonb ->> 'Count') = '1') AS matching
FROM (VALUES ('EQ', '[{"N": "5"}]'::jsonb), ('EQ', '[{"SS": ["b", "a"]}]'), ('NE', '[{"N": "5"}]'), ('LT', '[{"N": "6"}]'), ('LE', '[{"S": "hello"}]'),
	('GT', '[{"B": "AQ=="}]'), ('GE', '[{"N": "6"}]'), ('BETWEEN', '[{"N": "5"}, {"N": "6"}]'), ('IN', '[{"S": "x"}, {"S": "hello"}]'),
	('BEGINS_WITH', '[{"S": "he"}]'), ('CONTAINS', '[{"S": "a"}]'), ('CONTAINS', '[{"N": "1"}]'), ('NOT_CONTAINS', '[{"S": "a"}]'),
	('NULL', '[]'), ('NOT_NULL', '[]')) t(comparison, v);

-- their arguments
SELECT comparison, v, pg_temp.api('Scan', jsonb_build_object('ScanFilter',
	jsonb_build_object('n', jsonb_build_object('ComparisonOperator', comparison, 'AttributeValueList', v)))) AS fault
FROM (VALUES ('EQ', '[]'::jsonb), ('EQ', '[{"N": "5"}, {"N": "6"}]'), ('BETWEEN', '[{"N": "5"}]'), ('IN', '[]'), ('NULL', '[{"N": "5"}]'), ('LT', '[{"BOOL": true}]'),
	('IN', '[{"SS": ["a"]}]'), ('BEGINS_WITH', '[{"N": "1"}]'), ('CONTAINS', '[{"L": []}]'), ('IN', '[{"N": "1"}, {"S": "1"}]'),
	('BETWEEN', '[{"N": "6"}, {"N": "5"}]'), ('eq', '[{"N": "5"}]'), ('EQ', '[{"N": "x"}]'), ('EQ', '[{}]')) t(comparison, v);
SELECT pg_temp.api('Scan', '{"ScanFilter": {"n": {"AttributeValueList": []}}}');

-- ConditionalOperator
SELECT operator, pg_temp.api('Scan', jsonb_build_object('Select', 'COUNT', 'ConditionalOperator', operator,
	'ScanFilter', '{"n": {"ComparisonOperator": "NOT_NULL"}, "gone": {"ComparisonOperator": "NOT_NULL"}}'::jsonb)) FROM unnest('{AND,OR}'::text[]) operator;

-- Expected
SELECT expected, pg_temp.api('PutItem', jsonb_build_object('Item', '{"p": {"S": "b"}}'::jsonb, 'Expected', jsonb_build_object('n', expected))) AS result
FROM unnest(ARRAY['{"Exists": false}', '{"ComparisonOperator": "NULL"}', '{"Value": {"N": "5"}}', '{"Exists": true, "Value": {"N": "5"}}',
	'{"ComparisonOperator": "GT", "Value": {"N": "5"}}', '{"ComparisonOperator": "NE", "AttributeValueList": [{"N": "5"}]}',
	'{}', '{"Exists": true}', '{"Exists": false, "Value": {"N": "5"}}', '{"AttributeValueList": [{"N": "5"}]}', '{"ComparisonOperator": "EQ"}',
	'{"ComparisonOperator": "EQ", "Exists": false}', '{"ComparisonOperator": "EQ", "Value": {"N": "5"}, "AttributeValueList": [{"N": "5"}]}',
	'{"ComparisonOperator": "EQ", "AttributeValueList": []}', '{"ComparisonOperator": "BETWEEN", "Value": {"N": "5"}}', '{"ComparisonOperator": "X"}']::jsonb[]) expected;

-- AttributeUpdates; names are never paths
SELECT updates, pg_temp.put() IS NULL AS failed, pg_temp.api('UpdateItem', jsonb_build_object('Key', '{"p": {"S": "a"}}'::jsonb, 'ReturnValues', 'UPDATED_NEW', 'AttributeUpdates', updates)) AS result
FROM unnest(ARRAY['{"n": {"Value": {"N": "1"}}, "m.x": {"Action": "PUT", "Value": {"S": "x"}}}', '{"n": {"Action": "ADD", "Value": {"N": "1"}}, "q": {"Action": "ADD", "Value": {"N": "1"}}}',
	'{"l": {"Action": "ADD", "Value": {"L": [{"S": "x"}]}}, "q": {"Action": "ADD", "Value": {"L": [{"S": "x"}]}}}',
	'{"ss": {"Action": "DELETE", "Value": {"SS": ["a"]}}}', '{"ss": {"Action": "DELETE"}, "gone": {"Action": "DELETE"}}',
	'{"n": {}}', '{"n": {"Action": "ADD"}}', '{"n": {"Action": "X"}}', '{"n": {"Action": "DELETE", "Value": {"N": "1"}}}', '{"n": {"Action": "ADD", "Value": {"S": "x"}}}',
	'{"n": {"Action": "ADD", "Value": {"SS": ["x"]}}}', '{"n": {"Action": "ADD", "Value": {"L": []}}}', '{"ss": {"Action": "DELETE", "Value": {"NS": ["1"]}}}']::jsonb[]) updates;
SELECT dynamo.api('DeleteTable', '{"TableName": "expression_legacy"}') IS NOT NULL AS dropped;
