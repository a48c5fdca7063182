-- TransactWriteItems: what refuses a request as a whole
SELECT dynamo.create_table('{"TableName": "checked", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}') IS NOT NULL AS created;
CREATE FUNCTION refusal(request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.transact_write_items(request);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END
$$;
\pset format unaligned
\pset tuples_only
SELECT refusal('{}');
SELECT refusal('{"TransactItems": []}');
SELECT refusal('{"TransactItems": [{}]}');
SELECT refusal('{"TransactItems": [null]}');
SELECT refusal('{"TransactItems": {"Put": 1}}');
SELECT refusal('{"TransactItems": [{"Put": []}]}');
SELECT refusal('{"TransactItems": [{"Put": {}}, {"ConditionCheck": {"Key": {}, "TableName": "checked"}}, {"Update": {"TableName": "a!", "Key": {}}}]}');
SELECT refusal('{"TransactItems": [{"Put": {"TableName": "checked", "Item": {"pk": {"S": "x"}}}, "Delete": {"TableName": "checked", "Key": {"pk": {"S": "y"}}}}]}');
SELECT refusal('{"TransactItems": [{"Delete": {"TableName": "checked", "Key": {"pk": {"S": "x"}}, "ReturnValuesOnConditionCheckFailure": "SOME"}}],
	"ReturnConsumedCapacity": "ALL", "ReturnItemCollectionMetrics": "ALL", "ClientRequestToken": ""}');
SELECT refusal('{"TransactItems": [{"Delete": {"TableName": "checked", "Key": {"pk": {"S": "x"}}}}], "ClientRequestToken": "1234567890123456789012345678901234567"}');

-- up to a hundred actions
SELECT refusal(jsonb_build_object('TransactItems', jsonb_agg(jsonb_build_object('Put', jsonb_build_object('TableName', 'checked',
	'Item', jsonb_build_object('pk', jsonb_build_object('S', 'k' || n))))))) FROM generate_series(1, 101) n;
SELECT count(*) FROM ddb.checked;
SELECT refusal(jsonb_build_object('TransactItems', jsonb_agg(jsonb_build_object('Put', jsonb_build_object('TableName', 'checked',
	'Item', jsonb_build_object('pk', jsonb_build_object('S', 'k' || n))))))) FROM generate_series(1, 100) n;
SELECT count(*) FROM ddb.checked;

-- values and expressions are refused before tables are looked for, an oversized item too
SELECT refusal('{"TransactItems": [{"Put": {"TableName": "missing", "Item": {"pk": {"S": "x"}, "s": {"SS": []}}}}]}');
SELECT refusal('{"TransactItems": [{"Put": {"TableName": "missing", "Item": {"pk": {"S": "x"}}, "ConditionExpression": "a = :v"}}]}');
SELECT refusal('{"TransactItems": [{"Put": {"TableName": "missing", "Item": {"pk": {"S": "x"}}, "ConditionExpression": "a = b", "ExpressionAttributeNames": {"#q": "q"}}}]}');
SELECT refusal('{"TransactItems": [{"Update": {"TableName": "missing", "Key": {"pk": {"S": "x"}}, "UpdateExpression": "SET a", "ConditionExpression": "("}}]}');
SELECT refusal(pg_catalog.format('{"TransactItems": [{"Put": {"TableName": "missing", "Item": {"pk": {"S": "x"}, "v": {"S": "%s"}}}}]}', pg_catalog.repeat('x', 409600))::jsonb);

-- all tables before all keys
SELECT refusal('{"TransactItems": [{"Put": {"TableName": "checked", "Item": {"pk": {"N": "1"}}}}, {"Put": {"TableName": "missing", "Item": {"pk": {"S": "x"}}}}]}');
SELECT refusal('{"TransactItems": [{"ConditionCheck": {"TableName": "checked", "Key": {"pk": {"S": "x"}}, "ConditionExpression": "attribute_exists(pk)"}}, {"Put": {"TableName": "checked", "Item": {"pk": {"S": "x"}}}}]}');

-- 4 MB together
SELECT refusal(jsonb_build_object('TransactItems', jsonb_agg(jsonb_build_object('Put', jsonb_build_object('TableName', 'checked',
	'Item', jsonb_build_object('pk', jsonb_build_object('S', 'large' || n), 'v', jsonb_build_object('S', repeat('x', 400000)))))))) FROM generate_series(10, 20) n;
SELECT count(*) FROM ddb.checked;

-- the document form
SELECT dynamo.transact('{}');
SELECT dynamo.transact('[]');
SELECT dynamo.transact('[{"put": {"table_name": "checked"}}]');
SELECT dynamo.transact('[{"put": {"table_name": "checked", "item": {"pk": "x"}, "conditions": "a = b"}}]');
SELECT dynamo.transact('[{"check": {"table_name": "checked", "key": {"pk": "x"}}}]');
SELECT dynamo.transact('[{"delete": {"table_name": "checked", "key": {"pk": "x"}, "expression": "REMOVE a"}}]');
SELECT dynamo.transact('[{"put": {"table_name": "checked", "item": {"pk": "x"}}}, 1]');

DROP TABLE ddb.checked;
DROP FUNCTION refusal;
