-- Of two faults in one request the first in DynamoDB's order is reported
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.outcome(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, request);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT dynamo.create_table('{"TableName": "ord", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"}]}'::jsonb) IS NOT NULL AS created;

SELECT dynamo.put('ord', '{"pk": "k", "sk": "s", "a": 1}');
/* Each line holds faults from the last to the first in the order of checks: the request has the fault of its line and of all lines above. */
CREATE TABLE faults(operation text, place serial, members jsonb);
INSERT INTO faults(operation, members) VALUES
	('PutItem', '{"TableName": "ord", "Item": {"pk": {"S": "k"}, "sk": {"S": "s"}}, "ConditionExpression": "a = :two", "ExpressionAttributeValues": {":two": {"N": "2"}}}'),
	('PutItem', '{"Item": {"pk": {"S": "k"}, "sk": {"S": ""}}}'),
	('PutItem', '{"Item": {"pk": {"N": "1"}, "sk": {"S": ""}}}'),
	('PutItem', '{"Item": {"sk": {"S": ""}}}'),
	('PutItem', '{"TableName": "nowhere"}'),
	('PutItem', '{"ExpressionAttributeValues": {":two": {"N": "2"}, ":unused": {"S": "x"}}}'),
	('PutItem', '{"ExpressionAttributeNames": {"#unused": "a"}}'),
	('PutItem', '{"ConditionExpression": "a = :two AND b = :undefined"}'),
	('PutItem', '{"ExpressionAttributeValues": {"two": {"N": "2"}}}'),
	('PutItem', '{"ExpressionAttributeNames": {}}'),
	('PutItem', '{"ReturnValues": "ALL_NEW"}'),
	('PutItem', '{"Item": {"sk": {"S": ""}, "a": {"SS": []}}}'),
	('PutItem', '{"Expected": {}}'),
	('PutItem', '{"ReturnConsumedCapacity": "WRONG"}'),
	('PutItem', '{"TableName": "no!name"}'),
	('PutItem', '{"Item": {"sk": {"S": 1}}}'),

	('GetItem', '{"TableName": "ord", "Key": {"pk": {"S": "k"}, "sk": {"S": "s"}}, "ProjectionExpression": "pk.x", "ExpressionAttributeNames": null}'),
	('GetItem', '{"Key": {"pk": {"S": "k"}}}'),
	('GetItem', '{"TableName": "nowhere"}'),
	('GetItem', '{"ExpressionAttributeNames": {"#unused": "a"}}'),
	('GetItem', '{"ProjectionExpression": "pk.x, #undefined"}'),
	('GetItem', '{"ExpressionAttributeNames": {"unused": "a"}}'),
	('GetItem', '{"Key": {"pk": {"NS": []}}}'),
	('GetItem', '{"AttributesToGet": ["a", "a"]}'),
	('GetItem', '{"Key": null}'),
	('GetItem', '{"ConsistentRead": []}'),

	('UpdateItem', '{"TableName": "ord", "Key": {"pk": {"S": "k"}, "sk": {"S": "s"}}, "UpdateExpression": "SET b = nowhere"}'),
	('UpdateItem', '{"ConditionExpression": "attribute_exists(nowhere)"}'),
	('UpdateItem', '{"ConditionExpression": "attribute_exists(pk.x)"}'),
	('UpdateItem', '{"UpdateExpression": "SET b = nowhere, sk = a"}'),
	('UpdateItem', '{"Key": {"pk": {"S": "k"}}}'),
	('UpdateItem', '{"TableName": "nowhere"}'),
	('UpdateItem', '{"ExpressionAttributeNames": {"#unused": "a"}}'),
	('UpdateItem', '{"UpdateExpression": "SET b = #undefined, sk = a"}'),
	('UpdateItem', '{"UpdateExpression": "SET b = #undefined, select = a"}'),
	('UpdateItem', '{"UpdateExpression": "SET b == #undefined, select = a"}'),
	('UpdateItem', '{"ExpressionAttributeValues": {}}'),
	('UpdateItem', '{"Key": {"pk": {"NULL": false}}}'),
	('UpdateItem', '{"AttributeUpdates": {"a": {}}}'),
	('UpdateItem', '{"ReturnConsumedCapacity": "WRONG"}'),
	('UpdateItem', '{"ReturnValues": "WRONG"}'),
	('UpdateItem', '{"TableName": ""}'),
	('UpdateItem', '{"Key": null}'),

	('DeleteItem', '{"TableName": "ord", "Key": {"pk": {"S": "k"}, "sk": {"S": "s"}}, "ConditionExpression": "attribute_exists(nowhere)"}'),
	('DeleteItem', '{"Key": {"pk": {"S": "k"}}}'),
	('DeleteItem', '{"TableName": "nowhere"}'),
	('DeleteItem', '{"ExpressionAttributeNames": {"#unused": "a"}}'),
	('DeleteItem', '{"ConditionExpression": "foo(a)"}'),
	('DeleteItem', '{"ExpressionAttributeNames": {"": "a"}}'),
	('DeleteItem', '{"ReturnValues": "ALL_NEW"}'),
	('DeleteItem', '{"Key": {"pk": {"N": "one"}}}'),
	('DeleteItem', '{"Expected": {}}'),
	('DeleteItem', '{"Key": null}'),
	('DeleteItem', '{"TableName": null}'),

	('Query', '{"TableName": "ord", "KeyConditionExpression": "pk = :k AND sk > :s", "ExpressionAttributeValues": {":k": {"S": "k"}, ":s": {"S": "s"}}, "FilterExpression": "attribute_exists(sk)"}'),
	('Query', '{"ProjectionExpression": "pk.x"}'),
	('Query', '{"ExclusiveStartKey": {"pk": {"S": "k"}, "sk": {"S": "a"}}}'),
	('Query', '{"ExpressionAttributeValues": {":k": {"S": "k"}, ":s": {"N": "1"}}}'),
	('Query', '{"ExpressionAttributeValues": {":k": {"N": "1"}, ":s": {"N": "1"}}}'),
	('Query', '{"KeyConditionExpression": "a = :k AND sk > :s"}'),
	('Query', '{"ExclusiveStartKey": {"pk": {"S": "k"}}}'),
	('Query', '{"IndexName": "nowhere"}'),
	('Query', '{"TableName": "nowhere"}'),
	('Query', '{"Select": "SPECIFIC_ATTRIBUTES", "ProjectionExpression": null}'),
	('Query', '{"ExpressionAttributeNames": {"#unused": "a"}}'),
	('Query', '{"ProjectionExpression": "a, a"}'),
	('Query', '{"FilterExpression": "a = a"}'),
	('Query', '{"KeyConditionExpression": "a = :k OR sk > :s"}'),
	('Query', '{"ExpressionAttributeNames": {"#": "a"}}'),
	('Query', '{"KeyConditionExpression": null}'),
	('Query', '{"ExclusiveStartKey": {"pk": {}}}'),
	('Query', '{"QueryFilter": {"a": {"ComparisonOperator": "EQ"}}}'),
	('Query', '{"Select": "WRONG"}'),

	('Scan', '{"TableName": "ord", "FilterExpression": "pk.x = a"}'),
	('Scan', '{"ProjectionExpression": "sk[0]"}'),
	('Scan', '{"ExclusiveStartKey": {"pk": {"S": "k"}}}'),
	('Scan', '{"IndexName": "nowhere"}'),
	('Scan', '{"TableName": "nowhere"}'),
	('Scan', '{"Select": "COUNT"}'),
	('Scan', '{"ExpressionAttributeNames": {"#unused": "a"}}'),
	('Scan', '{"FilterExpression": "size(a)"}'),
	('Scan', '{"Segment": 2, "TotalSegments": 2}'),
	('Scan', '{"ExclusiveStartKey": {"pk": {"S": "k", "N": "1"}}}'),
	('Scan', '{"ScanFilter": {}}'),
	('Scan', '{"Limit": 0}');
CREATE AGGREGATE pg_temp.merged(jsonb) (SFUNC = jsonb_concat, STYPE = jsonb, INITCOND = '{}');
SELECT operation, pg_temp.outcome(operation, pg_temp.merged(members) OVER (PARTITION BY operation ORDER BY place)) FROM faults ORDER BY place;
DROP TABLE faults;
SELECT dynamo.delete_table('{"TableName": "ord"}') IS NOT NULL AS deleted;
