-- Names of attributes have 1 to 65,535 bytes, wherever a request names them
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.refusal(operation text, request text, name text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM dynamo.api(operation, '{"TableName": "names"}' || replace(request, '@', name)::jsonb);
	RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT dynamo.create_table('{"TableName": "names", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}]}'::jsonb) IS NOT NULL AS created;
SELECT name.what, operation, replace(request, '"p": {"S": "x"}', '..'), pg_temp.refusal(operation, request, name.name)
FROM (VALUES ('empty', ''), ('65,535 bytes', repeat('n', 65535)), ('65,536 bytes', repeat('n', 65536))) name(what, name), (VALUES
	('PutItem', '{"Item": {"p": {"S": "x"}, "@": {"S": "v"}}}'),
	('PutItem', '{"Item": {"p": {"S": "x"}, "m": {"M": {"@": {"S": "v"}}}}}'),
	('GetItem', '{"Key": {"p": {"S": "x"}}, "AttributesToGet": ["@"]}'),
	('GetItem', '{"Key": {"p": {"S": "x"}}, "ProjectionExpression": "#n", "ExpressionAttributeNames": {"#n": "@"}}'),
	('UpdateItem', '{"Key": {"p": {"S": "x"}}, "AttributeUpdates": {"@": {"Value": {"S": "v"}}}}'),
	('UpdateItem', '{"Key": {"p": {"S": "x"}}, "UpdateExpression": "SET #n = p", "ExpressionAttributeNames": {"#n": "@"}}'),
	('DeleteItem', '{"Key": {"p": {"S": "x"}}, "Expected": {"@": {"Exists": false}}}'),
	('Scan', '{"AttributesToGet": ["@"]}'),
	('Scan', '{"ScanFilter": {"@": {"ComparisonOperator": "NULL"}}}')) place(operation, request)
ORDER BY operation COLLATE "C", request COLLATE "C", length(name.name);
SELECT dynamo.delete_table('{"TableName": "names"}') IS NOT NULL AS deleted;
