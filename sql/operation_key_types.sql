-- Keys of every type, and every form of an operation on them
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.outcome(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, request);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;

CREATE TABLE keys(type text, small jsonb, large jsonb);
INSERT INTO keys VALUES ('S', '{"S": "é"}', '{"S": "日本"}'), ('N', '{"N": "-1.50"}', '{"N": "1e3"}'), ('B', '{"B": "AAE="}', '{"B": "/w=="}');
SELECT dynamo.create_table(jsonb_build_object('TableName', 'key' || p.type || s.type, 'BillingMode', 'PAY_PER_REQUEST',
	'KeySchema', '[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]'::jsonb,
	'AttributeDefinitions', jsonb_build_array(jsonb_build_object('AttributeName', 'pk', 'AttributeType', p.type), jsonb_build_object('AttributeName', 'sk', 'AttributeType', s.type)))) IS NOT NULL
	FROM keys p, keys s;
SELECT p.type || s.type AS types, put, changed->'Attributes' AS changed, other, jsonb_array_length(queried->'Items') AS queried, scanned->'Count' AS scanned, deleted
FROM keys p, keys s, LATERAL (SELECT 'key' || p.type || s.type AS name, jsonb_build_object('pk', p.small, 'sk', s.small) AS key) k,
	LATERAL dynamo.put_item(jsonb_build_object('TableName', name, 'Item', key)) put,
	LATERAL dynamo.update_item(jsonb_build_object('TableName', name, 'Key', key, 'UpdateExpression', 'SET a = pk', 'ReturnValues', 'ALL_NEW')) changed,
	LATERAL dynamo.put_item(jsonb_build_object('TableName', name, 'Item', jsonb_build_object('pk', p.small, 'sk', s.large))) other,
	LATERAL dynamo.query(jsonb_build_object('TableName', name, 'KeyConditionExpression', 'pk = :p AND sk > :s', 'ExpressionAttributeValues', jsonb_build_object(':p', p.small, ':s', s.small))) queried,
	LATERAL dynamo.scan(jsonb_build_object('TableName', name, 'ExclusiveStartKey', key)) scanned,
	LATERAL dynamo.delete_item(jsonb_build_object('TableName', name, 'Key', jsonb_build_object('pk', p.small, 'sk', s.large), 'ReturnValues', 'ALL_OLD')) deleted
ORDER BY 1;
SELECT count(dynamo.delete_table(jsonb_build_object('TableName', 'key' || p.type || s.type))) FROM keys p, keys s;
DROP TABLE keys;
