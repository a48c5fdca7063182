-- Key attributes get columns: of their type, under their name or one made from it
SELECT dynamo.create_table(jsonb_build_object('TableName', 'key_types', 'BillingMode', 'PAY_PER_REQUEST',
	'KeySchema', jsonb_build_array(jsonb_build_object('AttributeName', 'ctid', 'KeyType', 'HASH'), jsonb_build_object('AttributeName', 'item', 'KeyType', 'RANGE')),
	'AttributeDefinitions', jsonb_build_array(
		jsonb_build_object('AttributeName', 'ctid', 'AttributeType', 'B'),
		jsonb_build_object('AttributeName', 'item', 'AttributeType', 'N'),
		jsonb_build_object('AttributeName', 'a "quoted" name', 'AttributeType', 'S'),
		jsonb_build_object('AttributeName', repeat('long', 40), 'AttributeType', 'S'),
		jsonb_build_object('AttributeName', repeat('long', 40) || '2', 'AttributeType', 'N')),
	'GlobalSecondaryIndexes', jsonb_build_array(
		jsonb_build_object('IndexName', 'quoted', 'Projection', '{"ProjectionType": "ALL"}'::jsonb,
			'KeySchema', jsonb_build_array(jsonb_build_object('AttributeName', 'a "quoted" name', 'KeyType', 'HASH'))),
		jsonb_build_object('IndexName', repeat('index', 51), 'Projection', '{"ProjectionType": "ALL"}'::jsonb,
			'KeySchema', jsonb_build_array(
				jsonb_build_object('AttributeName', repeat('long', 40), 'KeyType', 'HASH'),
				jsonb_build_object('AttributeName', repeat('long', 40) || '2', 'KeyType', 'HASH'),
				jsonb_build_object('AttributeName', 'item', 'KeyType', 'RANGE'))))))
	#>> '{TableDescription,TableStatus}';
\d ddb.key_types
SELECT attribute, type, column_name FROM dynamo.attributes WHERE relation = 'ddb.key_types'::regclass ORDER BY length(attribute), attribute;
SELECT a->>'AttributeName', a->>'AttributeType'
FROM jsonb_array_elements(dynamo.describe_table('{"TableName": "key_types"}') #> '{Table,AttributeDefinitions}') a;
-- rows by SQL find their columns
INSERT INTO ddb.key_types (item)
VALUES (jsonb_build_object('ctid', '{"$b": "AAE="}'::jsonb, 'item', 7, 'a "quoted" name', 'x', repeat('long', 40), 'y', repeat('long', 40) || '2', 3));
SELECT "a ""quoted"" name" FROM ddb.key_types;
SELECT i->>'ItemCount' AS items, left(i->>'IndexName', 10) AS index_name
FROM jsonb_array_elements(dynamo.describe_table('{"TableName": "key_types"}') #> '{Table,GlobalSecondaryIndexes}') i;
SELECT dynamo.delete_table('{"TableName": "key_types"}') #>> '{TableDescription,ItemCount}';
