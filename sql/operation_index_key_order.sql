-- Values that an index key cannot have are refused before a condition is evaluated
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.outcome(operation text, members jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, '{"TableName": "order"}' || members);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT dynamo.create_table('{"TableName": "order", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}, {"AttributeName": "g", "AttributeType": "S"}],
	"GlobalSecondaryIndexes": [{"IndexName": "byg", "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}]}'::jsonb) IS NOT NULL AS created;
SELECT value, pg_temp.outcome('PutItem', jsonb_build_object('Item', '{"p": {"S": "k"}}' || jsonb_build_object('g', value)) || '{"ConditionExpression": "attribute_exists(p)"}'),
	pg_temp.outcome('UpdateItem', '{"Key": {"p": {"S": "k"}}, "UpdateExpression": "SET a = p, g = :g", "ConditionExpression": "attribute_exists(p)"}' || jsonb_build_object('ExpressionAttributeValues', jsonb_build_object(':g', value))),
	pg_temp.outcome('UpdateItem', '{"Key": {"p": {"S": "k"}}, "Expected": {"p": {"ComparisonOperator": "NOT_NULL"}}}' || jsonb_build_object('AttributeUpdates', jsonb_build_object('g', jsonb_build_object('Value', value))))
	FROM unnest(ARRAY['{"S": "v"}', '{"N": "1"}', '{"S": ""}']::jsonb[]) value;
SELECT dynamo.delete_table('{"TableName": "order"}') IS NOT NULL AS deleted;
