-- TransactGetItems: items of several tables in the order of the request
SELECT dynamo.create_table('{"TableName": "gets", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}') IS NOT NULL AS created;
SELECT dynamo.put('gets', '{"pk": "a", "v": {"w": [1, 2]}}'), dynamo.put('gets', '{"pk": "b"}');
\pset format unaligned
SELECT dynamo.transact_get_items('{"TransactItems": [
	{"Get": {"TableName": "gets", "Key": {"pk": {"S": "b"}}}},
	{"Get": {"TableName": "gets", "Key": {"pk": {"S": "missing"}}}},
	{"Get": {"TableName": "gets", "Key": {"pk": {"S": "a"}}, "ProjectionExpression": "v.#w[1]", "ExpressionAttributeNames": {"#w": "w"}}},
	{"Get": {"TableName": "gets", "Key": {"pk": {"S": "c"}}, "ExpressionAttributeNames": {"#w": "w"}}}]}');
-- an earlier write of the same statement is seen
SELECT dynamo.put('gets', '{"pk": "c", "n": 1}'), dynamo.transact_get_items('{"TransactItems": [{"Get": {"TableName": "gets", "Key": {"pk": {"S": "c"}}}}]}');

CREATE FUNCTION refusal(request jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	detail text;
BEGIN
	RETURN dynamo.transact_get_items(request);
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RETURN SQLERRM || E'\n' || detail;
END
$$;
\pset tuples_only
SELECT refusal('{}');
SELECT refusal('{"TransactItems": []}');
SELECT refusal('{"TransactItems": [{}, {"Get": {}}]}');
SELECT refusal(jsonb_build_object('TransactItems', jsonb_agg(jsonb_build_object('Get', jsonb_build_object('TableName', 'gets',
	'Key', jsonb_build_object('pk', jsonb_build_object('S', 'k' || n))))))) FROM generate_series(1, 101) n;
SELECT refusal('{"TransactItems": [{"Get": {"TableName": "missing", "Key": {}, "ProjectionExpression": "!"}}]}');
SELECT refusal('{"TransactItems": [{"Get": {"TableName": "gets", "Key": {}}}, {"Get": {"TableName": "missing", "Key": {}}}]}');
SELECT refusal('{"TransactItems": [{"Get": {"TableName": "gets", "Key": {"pk": {"S": "a"}}}}, {"Get": {"TableName": "gets", "Key": {"pk": {"S": "a"}}}}]}');
-- all faults of keys are reasons here, an empty one as well
SELECT refusal('{"TransactItems": [{"Get": {"TableName": "gets", "Key": {"pk": {"N": "1"}}}}, {"Get": {"TableName": "gets", "Key": {"pk": {"S": "a"}}}}, {"Get": {"TableName": "gets", "Key": {}}}]}');
SELECT refusal('{"TransactItems": [{"Get": {"TableName": "gets", "Key": {"pk": {"S": ""}}}}, {"Get": {"TableName": "gets", "Key": {"pk": {"S": "a"}}}}, {"Get": {"TableName": "gets", "Key": {}}}]}');

DROP TABLE ddb.gets;
DROP FUNCTION refusal;
