-- Names of tables: 255 bytes, case-sensitive, of ARNs, and not taken
\set rest '{"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST"}'
SELECT length(dynamo.create_table(:'rest'::jsonb || jsonb_build_object('TableName', repeat('name.', 51))) #>> '{TableDescription,TableName}');
SELECT dynamo.create_table(:'rest'::jsonb || jsonb_build_object('TableName', repeat('name.', 50) || '-_Aa9')) #>> '{TableDescription,TableStatus}';
SELECT c.relname, right(t.table_name, 5), octet_length(c.relname) FROM dynamo.tables t JOIN pg_class c ON c.oid = t.relation WHERE t.table_name LIKE 'name.%' ORDER BY t.table_name COLLATE "C";
SELECT right(dynamo.describe_table(jsonb_build_object('TableName', repeat('name.', 51))) #>> '{Table,TableArn}', 10);
SELECT dynamo.delete_table(jsonb_build_object('TableName', repeat('name.', 50) || '-_Aa9')) #>> '{TableDescription,TableStatus}';
SELECT dynamo.describe_table(jsonb_build_object('TableName', repeat('name.', 51))) #>> '{Table,TableStatus}';
SELECT dynamo.delete_table(jsonb_build_object('TableName', repeat('name.', 51))) #>> '{TableDescription,TableStatus}';
-- PostgreSQL's own names for what belongs to a table are not in the way
SELECT dynamo.create_table(:'rest'::jsonb || '{"TableName": "Orders_pkey"}') #>> '{TableDescription,TableName}';
SELECT dynamo.create_table(:'rest'::jsonb || '{"TableName": "Orders"}') #>> '{TableDescription,TableName}';
SELECT dynamo.create_table(:'rest'::jsonb || '{"TableName": "orders"}') #>> '{TableDescription,TableName}';
-- an ARN names the table, here and everywhere; the answer has the bare name
SELECT dynamo.describe_table('{"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/Orders"}') #>> '{Table,TableName}';
SELECT dynamo.update_table('{"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/Orders", "TableClass": "STANDARD"}') #>> '{TableDescription,TableName}';
SELECT dynamo.delete_table('{"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/Orders"}') #>> '{TableDescription,TableName}';
SELECT dynamo.describe_table('{"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/Orders"}');
SET dynamo.region = 'eu-central-1';
SET dynamo.account_id = '123456789012';
SELECT dynamo.describe_table('{"TableName": "orders"}') #>> '{Table,TableArn}';
RESET dynamo.region;
RESET dynamo.account_id;
-- a name that is taken, by a table of DynamoDB or another relation
SELECT dynamo.create_table(:'rest'::jsonb || '{"TableName": "orders"}');
CREATE TABLE ddb.plain (a int);
SELECT dynamo.create_table(:'rest'::jsonb || '{"TableName": "plain"}');
SELECT dynamo.describe_table('{"TableName": "plain"}');
SELECT dynamo.delete_table('{"TableName": "plain"}');
DROP TABLE ddb.plain;
-- tables live in schema dynamo.schema
CREATE SCHEMA elsewhere;
SET dynamo.schema = 'elsewhere';
SELECT dynamo.create_table(:'rest'::jsonb || '{"TableName": "orders"}') #>> '{TableDescription,TableName}';
SELECT dynamo.list_tables('{}');
DROP SCHEMA elsewhere CASCADE;
SELECT dynamo.list_tables('{}');
SELECT dynamo.create_table(:'rest'::jsonb || '{"TableName": "orders"}');
RESET dynamo.schema;
SELECT dynamo.list_tables('{}')->'TableNames' @> '["orders", "Orders_pkey"]';
DROP TABLE ddb.orders, ddb."Orders_pkey";
SELECT dynamo.list_tables('{}')->'TableNames' ?| '{orders,Orders_pkey}';
SELECT count(*) FROM dynamo.tables WHERE table_name ILIKE 'orders%';
