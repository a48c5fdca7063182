-- a write looks at no item but its own, whatever the plan
SELECT dynamo.create_table('{"TableName": "Neighbours", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}')
	->'TableDescription'->>'TableName' AS created;
SELECT dynamo.put('Neighbours', item) FROM (VALUES ('{"pk": "a", "n": "no number", "secret": true}'::jsonb),
	('{"pk": "b", "n": 1}'), ('{"pk": "c", "n": "no number", "secret": true}')) items(item);
ANALYZE ddb."Neighbours";
SET enable_indexscan = off;

SELECT dynamo.update('Neighbours', '{"pk": "b"}', 'SET n = n + :one', NULL, '{":one": 1}');
SELECT dynamo.update('Neighbours', '{"pk": "d"}', 'SET n = :one', NULL, '{":one": 1}');
SELECT dynamo.put('Neighbours', '{"pk": "e"}', 'attribute_not_exists(pk)');
SELECT dynamo.delete('Neighbours', '{"pk": "b"}', 'n = :two', '{":two": 2}');
SELECT dynamo.delete('Neighbours', '{"pk": "absent"}');
SELECT dynamo.put_item('{"TableName": "Neighbours", "Item": {"pk": {"S": "f"}}, "ConditionExpression": "attribute_exists(pk)",
	"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}');
SELECT dynamo.put_item('{"TableName": "Neighbours", "Item": {"pk": {"S": "d"}}, "ReturnValues": "ALL_OLD"}');
SELECT item FROM ddb."Neighbours" ORDER BY pk;

RESET enable_indexscan;
DROP TABLE ddb."Neighbours";
