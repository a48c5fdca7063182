-- TransactionCanceledException: one reason per action, in the order of the request
SELECT dynamo.create_table('{"TableName": "reasons", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "g", "AttributeType": "S"}],
	"GlobalSecondaryIndexes": [{"IndexName": "gix", "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}]}') IS NOT NULL AS created;
SELECT dynamo.put('reasons', '{"pk": "a", "n": 1, "s": "text"}'), dynamo.put('reasons', '{"pk": "b"}');
CREATE FUNCTION reasons(items text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	message text;
	detail text;
BEGIN
	PERFORM dynamo.transact_write_items(pg_catalog.format('{"TransactItems": %s}', items)::jsonb);
	RETURN 'done';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
	RETURN SQLSTATE || ' ' || message || E'\n' || detail;
END
$$;
\pset format unaligned
\pset tuples_only

-- every condition that fails is told, with the item where it was asked for
SELECT reasons('[
	{"Put": {"TableName": "reasons", "Item": {"pk": {"S": "new"}}}},
	{"Delete": {"TableName": "reasons", "Key": {"pk": {"S": "a"}}, "ConditionExpression": "attribute_not_exists(pk)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}},
	{"ConditionCheck": {"TableName": "reasons", "Key": {"pk": {"S": "b"}}, "ConditionExpression": "attribute_not_exists(pk)", "ReturnValuesOnConditionCheckFailure": "NONE"}},
	{"Update": {"TableName": "reasons", "Key": {"pk": {"S": "absent"}}, "UpdateExpression": "SET n = n + :one", "ConditionExpression": "n > :one",
		"ExpressionAttributeValues": {":one": {"N": "1"}}, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}}]');

-- an update that cannot be applied is a reason beside them
SELECT reasons('[
	{"ConditionCheck": {"TableName": "reasons", "Key": {"pk": {"S": "b"}}, "ConditionExpression": "attribute_not_exists(pk)"}},
	{"Update": {"TableName": "reasons", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET m = n + s"}},
	{"Update": {"TableName": "reasons", "Key": {"pk": {"S": "c"}}, "UpdateExpression": "SET n = n + :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}},
	{"Update": {"TableName": "reasons", "Key": {"pk": {"S": "d"}}, "UpdateExpression": "SET a.b = :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}},
	{"Update": {"TableName": "reasons", "Key": {"pk": {"S": "e"}}, "UpdateExpression": "SET g = :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}}]');

-- so is an update that makes an item too large, measured as it is: 409,600 bytes are the limit
SELECT reasons(pg_catalog.format('[{"Update": {"TableName": "reasons", "Key": {"pk": {"S": "f"}}, "UpdateExpression": "SET v = :v", "ExpressionAttributeValues": {":v": {"S": "%s"}}}}]',
	pg_catalog.repeat('x', 409600 - 4)));
SELECT reasons(pg_catalog.format('[{"Update": {"TableName": "reasons", "Key": {"pk": {"S": "f"}}, "UpdateExpression": "SET v = :v", "ExpressionAttributeValues": {":v": {"S": "%s"}}}}]',
	pg_catalog.repeat('x', 409600 - 4 + 1)));

-- and one that nests too deep, where the values by themselves do not
SELECT dynamo.put('reasons', '{"pk": "h", "v": [[1]]}');
SELECT reasons(pg_catalog.format('[{"Update": {"TableName": "reasons", "Key": {"pk": {"S": "h"}}, "UpdateExpression": "SET v[0][0] = :v", "ExpressionAttributeValues": {":v": %s{"N": "1"}%s}}}]',
	pg_catalog.repeat('{"L": [', 31), pg_catalog.repeat(']}', 31)));

-- of the faults of keys the first stands alone, before any condition
SELECT reasons('[
	{"ConditionCheck": {"TableName": "reasons", "Key": {"pk": {"S": "b"}}, "ConditionExpression": "attribute_not_exists(pk)"}},
	{"Put": {"TableName": "reasons", "Item": {"pk": {"N": "1"}}}},
	{"Put": {"TableName": "reasons", "Item": {"a": {"N": "1"}}}}]');
SELECT reasons('[{"Put": {"TableName": "reasons", "Item": {"pk": {"S": "i"}, "g": {"N": "1"}}}}]');
SELECT reasons('[{"Delete": {"TableName": "reasons", "Key": {"pk": {"S": "i"}, "sk": {"N": "1"}}}}]');
SELECT reasons('[{"Update": {"TableName": "reasons", "Key": {"pk": {"S": "i"}}, "UpdateExpression": "REMOVE pk"}}]');

-- an empty key refuses the request, in an index too
SELECT reasons('[{"Put": {"TableName": "reasons", "Item": {"pk": {"N": "1"}}}}, {"Delete": {"TableName": "reasons", "Key": {"pk": {"S": ""}}}}]');
SELECT reasons('[{"Put": {"TableName": "reasons", "Item": {"pk": {"S": "j"}, "g": {"S": ""}}}}]');
\pset format aligned
\pset tuples_only
SELECT pk, pg_catalog.length(item->>'v') FROM ddb.reasons ORDER BY pk;

DROP TABLE ddb.reasons;
DROP FUNCTION reasons;
