-- ReturnValuesOnConditionCheckFailure: the error's DETAIL holds the item
SELECT dynamo.create_table('{"TableName": "failed", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}'::jsonb) IS NOT NULL AS created;

SELECT dynamo.put('failed', '{"pk": "k", "a": {"$ns": [1, 2]}}');
SELECT dynamo.put_item('{"TableName": "failed", "Item": {"pk": {"S": "k"}}, "ConditionExpression": "attribute_not_exists(pk)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}');
SELECT dynamo.update_item('{"TableName": "failed", "Key": {"pk": {"S": "k"}}, "UpdateExpression": "REMOVE a", "ConditionExpression": "attribute_not_exists(a)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}');
SELECT dynamo.delete_item('{"TableName": "failed", "Key": {"pk": {"S": "k"}}, "ConditionExpression": "attribute_not_exists(a)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}');
SELECT dynamo.delete_item('{"TableName": "failed", "Key": {"pk": {"S": "k"}}, "Expected": {"pk": {"Exists": false}}, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}');
-- not asked for, or nothing there
SELECT dynamo.delete_item('{"TableName": "failed", "Key": {"pk": {"S": "k"}}, "ConditionExpression": "attribute_not_exists(a)", "ReturnValuesOnConditionCheckFailure": "NONE"}');
SELECT dynamo.delete_item('{"TableName": "failed", "Key": {"pk": {"S": "k"}}, "ConditionExpression": "attribute_not_exists(a)"}');
SELECT dynamo.put_item('{"TableName": "failed", "Item": {"pk": {"S": "absent"}}, "ConditionExpression": "attribute_exists(pk)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}');
-- only of failed conditions
SELECT dynamo.update_item('{"TableName": "failed", "Key": {"pk": {"S": "k"}}, "UpdateExpression": "SET b = nowhere", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}');
SELECT * FROM dynamo.scan('failed');
SELECT dynamo.delete_table('{"TableName": "failed"}') IS NOT NULL AS deleted;
