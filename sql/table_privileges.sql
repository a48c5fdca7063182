-- Who may create, change and drop tables is decided by PostgreSQL's privileges
\set VERBOSITY terse
CREATE ROLE regress_dynamo_creator;
CREATE ROLE regress_dynamo_other;
\set request '{"TableName": "owned", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "gk", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST", "GlobalSecondaryIndexes": [{"IndexName": "gsi", "KeySchema": [{"AttributeName": "gk", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}]}'
SET ROLE regress_dynamo_creator;
SELECT dynamo.create_table(:'request');
RESET ROLE;
GRANT USAGE ON SCHEMA ddb TO regress_dynamo_creator, regress_dynamo_other;
SET ROLE regress_dynamo_creator;
SELECT dynamo.create_table(:'request');
RESET ROLE;
GRANT CREATE ON SCHEMA ddb TO regress_dynamo_creator;
SET ROLE regress_dynamo_creator;
SELECT dynamo.create_table(:'request') #>> '{TableDescription,TableStatus}';
INSERT INTO ddb.owned (item) VALUES ('{"pk": "a", "gk": "b"}');
SELECT dynamo.describe_table('{"TableName": "owned"}') #>> '{Table,ItemCount}';
SELECT dynamo.update_table('{"TableName": "owned", "TableClass": "STANDARD_INFREQUENT_ACCESS"}') #>> '{TableDescription,TableStatus}';
SELECT dynamo.tag_resource('{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/owned", "Tags": [{"Key": "a", "Value": "b"}]}');
-- the catalog is not writable but by the operations
DELETE FROM dynamo.tables;
UPDATE dynamo.tags SET value = 'c';
RESET ROLE;
-- others see the table, but not how many items it has, and change nothing
SET ROLE regress_dynamo_other;
SELECT dynamo.list_tables('{}')->'TableNames' ? 'owned';
SELECT dynamo.describe_table('{"TableName": "owned"}') #>> '{Table,ItemCount}';
SELECT dynamo.update_table('{"TableName": "owned", "TableClass": "STANDARD"}');
SELECT dynamo.tag_resource('{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/owned", "Tags": [{"Key": "a", "Value": "c"}]}');
SELECT dynamo.untag_resource('{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/owned", "TagKeys": ["a"]}');
SELECT dynamo.update_continuous_backups('{"TableName": "owned", "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": true}}');
SELECT dynamo.delete_table('{"TableName": "owned"}');
RESET ROLE;
-- the owner drops it
SET ROLE regress_dynamo_creator;
SELECT dynamo.delete_table('{"TableName": "owned"}') #>> '{TableDescription,TableStatus}';
RESET ROLE;
REVOKE ALL ON SCHEMA ddb FROM regress_dynamo_creator, regress_dynamo_other;
DROP ROLE regress_dynamo_creator, regress_dynamo_other;
