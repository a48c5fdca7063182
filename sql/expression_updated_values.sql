-- UPDATED_OLD and UPDATED_NEW: what stands at the updated paths, in its hierarchy
SELECT dynamo.api('CreateTable', '{"TableName": "expression_updated", "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST"}') #>> '{TableDescription,TableName}' AS created;
CREATE FUNCTION pg_temp.updated(expression text, kind text) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	PERFORM dynamo.api('PutItem', jsonb_build_object('TableName', 'expression_updated', 'Item',
		dynamo.from_item('{"p": "a", "n": 1, "m": {"x": {"y": 1, "z": 2}, "keep": 0}, "l": ["a", "b", {"q": 1, "r": 2}], "ss": {"$ss": ["a"]}}')));
	RETURN dynamo.to_item(dynamo.api('UpdateItem', jsonb_build_object('TableName', 'expression_updated', 'Key', '{"p": {"S": "a"}}'::jsonb,
		'UpdateExpression', expression, 'ReturnValues', kind) || CASE WHEN expression LIKE '%:v%' THEN
		'{"ExpressionAttributeValues": {":v": {"N": "7"}}}'::jsonb ELSE '{}' END) -> 'Attributes');
END $$;
SELECT expression, pg_temp.updated(expression, 'UPDATED_OLD') AS old, pg_temp.updated(expression, 'UPDATED_NEW') AS new
FROM unnest(ARRAY['SET n = :v', 'SET n = n', 'SET fresh = :v', 'REMOVE n', 'SET m.x.y = :v', 'SET m.x.y = :v, m.x.w = :v REMOVE m.keep', 'SET l[2].q = :v, l[0] = :v', 'SET l[7] = :v',
	'REMOVE l[0]', 'REMOVE l[2]', 'REMOVE gone, m.gone', 'ADD n :v']) expression;
SELECT dynamo.api('DeleteTable', '{"TableName": "expression_updated"}') IS NOT NULL AS dropped;
