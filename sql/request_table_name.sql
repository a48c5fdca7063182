-- TableName: names and ARNs, and what is wrong with the others.  Item operations
-- take shorter names than the control plane.
SELECT dynamo.describe_table('{}');
SELECT dynamo.describe_table('{"TableName": null}');
SELECT dynamo.describe_table('{"TableName": ""}');
SELECT dynamo.describe_table('{"TableName": "ab"}');
SELECT dynamo.describe_table('{"TableName": "a b"}');
SELECT dynamo.describe_table(jsonb_build_object('TableName', repeat('n', 256)));
SELECT dynamo.describe_table('{"TableName": "nowhere"}');
SELECT dynamo.get_item('{"Key": {"pk": {"S": "a"}}}');
SELECT dynamo.get_item('{"TableName": "", "Key": {"pk": {"S": "a"}}}');
SELECT dynamo.put_item('{"TableName": "", "Item": {"pk": {"S": "a"}}}');
SELECT dynamo.get_item('{"TableName": "a", "Key": {"pk": {"S": "a"}}}');
SELECT dynamo.get_item('{"TableName": "a b", "Key": {"pk": {"S": "a"}}}');

-- an ARN stands for the table's name, whatever its Region and account
SELECT dynamo.create_table('{"TableName": "arn.table", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}') -> 'TableDescription' ->> 'TableArn' AS arn;
SELECT dynamo.describe_table('{"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/arn.table"}') -> 'Table' ->> 'TableName' AS name;
SELECT dynamo.describe_table('{"TableName": "arn:aws:dynamodb:eu-west-1:123456789012:table/arn.table"}') -> 'Table' ->> 'TableName' AS name;
SELECT dynamo.put_item('{"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/arn.table", "Item": {"pk": {"S": "a"}}}');
SELECT dynamo.query('{"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/arn.table", "KeyConditionExpression": "pk = :p",
	"ExpressionAttributeValues": {":p": {"S": "a"}}}') -> 'Count' AS count;
SELECT dynamo.describe_table('{"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/nowhere"}');
SELECT dynamo.describe_table('{"TableName": "arn:aws:s3:us-east-1:000000000000:table/arn.table"}');
SELECT dynamo.describe_table('{"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/arn.table/index/i"}');
SELECT dynamo.describe_table('{"TableName": "arn:aws"}');
SELECT dynamo.delete_table('{"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/arn.table"}')
	-> 'TableDescription' ->> 'TableStatus' AS status;
