-- Descriptions work in a read-only transaction, as on a standby; changes do not
\set request '{"TableName": "read_only", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST"}'
SELECT dynamo.create_table(:'request') #>> '{TableDescription,TableStatus}';
SET default_transaction_read_only = on;
SELECT dynamo.list_tables('{}')->'TableNames' ? 'read_only';
SELECT dynamo.describe_table('{"TableName": "read_only"}') #>> '{Table,TableStatus}';
SELECT dynamo.list_tags_of_resource('{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/read_only"}');
SELECT dynamo.describe_continuous_backups('{"TableName": "read_only"}') #>> '{ContinuousBackupsDescription,ContinuousBackupsStatus}';
SELECT dynamo.create_table(:'request'::jsonb || '{"TableName": "another"}');
SELECT dynamo.update_table('{"TableName": "read_only", "TableClass": "STANDARD"}');
SELECT dynamo.delete_table('{"TableName": "read_only"}');
SELECT dynamo.tag_resource('{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/read_only", "Tags": [{"Key": "a", "Value": "b"}]}');
SET default_transaction_read_only = off;
SELECT dynamo.delete_table('{"TableName": "read_only"}') #>> '{TableDescription,TableStatus}';
