-- TransactWriteItems: all of its actions, across tables, or none
SELECT dynamo.create_table('{"TableName": "transact_a", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}') IS NOT NULL AS created;
SELECT dynamo.create_table('{"TableName": "transact_b", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "B"}, {"AttributeName": "sk", "AttributeType": "N"}]}') IS NOT NULL AS created;
SELECT dynamo.put('transact_a', '{"pk": "old", "n": 1}'), dynamo.put('transact_a', '{"pk": "gone"}'), dynamo.put('transact_a', '{"pk": "seen", "n": 7}');

-- one of each kind, in one table and another
SELECT dynamo.transact_write_items('{"TransactItems": [
	{"Put": {"TableName": "transact_b", "Item": {"pk": {"B": "YQ=="}, "sk": {"N": "1.0"}, "v": {"S": "new"}}}},
	{"Update": {"TableName": "transact_a", "Key": {"pk": {"S": "old"}}, "UpdateExpression": "ADD n :one",
		"ConditionExpression": "n = :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}},
	{"Delete": {"TableName": "transact_a", "Key": {"pk": {"S": "gone"}}}},
	{"ConditionCheck": {"TableName": "transact_a", "Key": {"pk": {"S": "seen"}}, "ConditionExpression": "n > :five",
		"ExpressionAttributeValues": {":five": {"N": "5"}}}},
	{"ConditionCheck": {"TableName": "transact_a", "Key": {"pk": {"S": "never"}}, "ConditionExpression": "attribute_not_exists(pk)"}}]}');
SELECT item FROM ddb.transact_a ORDER BY pk;
SELECT item FROM ddb.transact_b;

-- an update creates an item, but not if it only removes; the key alone is an item
SELECT dynamo.transact_write_items('{"TransactItems": [
	{"Update": {"TableName": "transact_a", "Key": {"pk": {"S": "made"}}, "UpdateExpression": "SET n = if_not_exists(n, :v)",
		"ExpressionAttributeValues": {":v": {"N": "5"}}}},
	{"Update": {"TableName": "transact_a", "Key": {"pk": {"S": "not made"}}, "UpdateExpression": "REMOVE n"}},
	{"Delete": {"TableName": "transact_a", "Key": {"pk": {"S": "not there"}}}}]}');
SELECT item FROM ddb.transact_a ORDER BY pk;

-- nothing is written unless all is
SELECT dynamo.transact_write_items('{"TransactItems": [
	{"Put": {"TableName": "transact_b", "Item": {"pk": {"B": "YQ=="}, "sk": {"N": "1"}, "v": {"S": "lost"}}}},
	{"Delete": {"TableName": "transact_a", "Key": {"pk": {"S": "made"}}}},
	{"ConditionCheck": {"TableName": "transact_a", "Key": {"pk": {"S": "seen"}}, "ConditionExpression": "attribute_not_exists(pk)"}}]}');
SELECT item FROM ddb.transact_a ORDER BY pk;
SELECT item FROM ddb.transact_b;

-- one key in two spellings is one item
SELECT dynamo.transact_write_items('{"TransactItems": [
	{"Put": {"TableName": "transact_b", "Item": {"pk": {"B": "YQ=="}, "sk": {"N": "1"}}}},
	{"Delete": {"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/transact_b", "Key": {"pk": {"B": "YQ=="}, "sk": {"N": "1.00"}}}}]}');

DROP TABLE ddb.transact_a, ddb.transact_b;
