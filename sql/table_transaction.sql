-- Operations on tables are part of the caller's transaction
\set request '{"TableName": "transacted", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST"}'
BEGIN;
SELECT dynamo.create_table(:'request') #>> '{TableDescription,TableStatus}';
INSERT INTO ddb.transacted (item) VALUES ('{"pk": "a"}');
SELECT dynamo.describe_table('{"TableName": "transacted"}') #>> '{Table,ItemCount}';
ROLLBACK;
SELECT dynamo.describe_table('{"TableName": "transacted"}');
SELECT count(*) FROM dynamo.tables WHERE table_name = 'transacted';
BEGIN;
SELECT dynamo.create_table(:'request') #>> '{TableDescription,TableStatus}';
SAVEPOINT before;
SELECT dynamo.update_table('{"TableName": "transacted", "DeletionProtectionEnabled": true}') #>> '{TableDescription,DeletionProtectionEnabled}';
ROLLBACK TO before;
SELECT dynamo.describe_table('{"TableName": "transacted"}') #>> '{Table,DeletionProtectionEnabled}';
SELECT dynamo.delete_table('{"TableName": "transacted"}') #>> '{TableDescription,TableStatus}';
SELECT dynamo.create_table(:'request') #>> '{TableDescription,TableStatus}';
COMMIT;
-- a new table of the name has a new id
SELECT dynamo.describe_table('{"TableName": "transacted"}') #>> '{Table,TableId}' AS id \gset
SELECT dynamo.delete_table('{"TableName": "transacted"}') #>> '{TableDescription,TableId}' = :'id' AS same;
SELECT dynamo.create_table(:'request') #>> '{TableDescription,TableId}' = :'id' AS same;
DROP TABLE ddb.transacted;
SELECT dynamo.list_tables('{}')->'TableNames' ? 'transacted';
