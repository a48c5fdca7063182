-- PutItem: creates or replaces, returns the old item if asked
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.outcome(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, request);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT dynamo.create_table('{"TableName": "put", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}'::jsonb) IS NOT NULL AS created;

SELECT dynamo.put_item('{"TableName": "put", "Item": {"pk": {"S": "k"}, "a": {"N": "1"}}}');
-- a replacement leaves nothing of what was there
SELECT dynamo.put_item('{"TableName": "put", "Item": {"pk": {"S": "k"}, "b": {"BOOL": true}}, "ReturnValues": "ALL_OLD"}');
SELECT dynamo.get_item('{"TableName": "put", "Key": {"pk": {"S": "k"}}}');
SELECT dynamo.put_item('{"TableName": "put", "Item": {"pk": {"S": "k"}}, "ReturnValues": "NONE"}');
-- nothing was there: no Attributes
SELECT dynamo.put_item('{"TableName": "put", "Item": {"pk": {"S": "new"}}, "ReturnValues": "ALL_OLD"}');

-- a condition sees the old item; on an absent item it sees none
SELECT pg_temp.outcome('PutItem', '{"TableName": "put", "Item": {"pk": {"S": "new"}}, "ConditionExpression": "attribute_not_exists(pk)"}');
SELECT pg_temp.outcome('PutItem', '{"TableName": "put", "Item": {"pk": {"S": "newer"}}, "ConditionExpression": "attribute_not_exists(pk)"}');
SELECT pg_temp.outcome('PutItem', '{"TableName": "put", "Item": {"pk": {"S": "newest"}}, "ConditionExpression": "attribute_exists(pk)"}');
SELECT dynamo.get_item('{"TableName": "put", "Key": {"pk": {"S": "newest"}}}');

-- only NONE and ALL_OLD
SELECT pg_temp.outcome('PutItem', '{"TableName": "put", "Item": {"pk": {"S": "k"}}, "ReturnValues": "ALL_NEW"}');
SELECT pg_temp.outcome('PutItem', '{"TableName": "put", "Item": {"pk": {"S": "k"}}, "ReturnValues": "UPDATED_OLD"}');

-- the item's key
SELECT pg_temp.outcome('PutItem', '{"TableName": "absent", "Item": {"pk": {"S": "k"}}}');
SELECT pg_temp.outcome('PutItem', '{"TableName": "put", "Item": {"a": {"S": "k"}}}');
SELECT pg_temp.outcome('PutItem', '{"TableName": "put", "Item": {}}');
SELECT pg_temp.outcome('PutItem', '{"TableName": "put", "Item": {"pk": {"N": "1"}}}');
SELECT pg_temp.outcome('PutItem', '{"TableName": "put", "Item": {"pk": {"M": {}}}}');
SELECT pg_temp.outcome('PutItem', '{"TableName": "put", "Item": {"pk": {"S": ""}}}');
SELECT pg_temp.outcome('PutItem', jsonb_build_object('TableName', 'put', 'Item',
	jsonb_build_object('pk', jsonb_build_object('S', repeat('k', 2049)))));
SELECT pg_temp.outcome('PutItem', jsonb_build_object('TableName', 'put', 'Item',
	jsonb_build_object('pk', jsonb_build_object('S', repeat('k', 2048)))));

-- 409,600 bytes fit
SELECT pg_temp.outcome('PutItem', jsonb_build_object('TableName', 'put', 'Item',
	jsonb_build_object('pk', '{"S": "k"}'::jsonb, 'a', jsonb_build_object('S', repeat('a', 409600 - 4)))));
SELECT pg_temp.outcome('PutItem', jsonb_build_object('TableName', 'put', 'Item',
	jsonb_build_object('pk', '{"S": "k"}'::jsonb, 'a', jsonb_build_object('S', repeat('a', 409600 - 3)))));
SELECT dynamo.item_size(item) FROM ddb.put WHERE pk = 'k';
SELECT dynamo.delete_table('{"TableName": "put"}') IS NOT NULL AS deleted;
