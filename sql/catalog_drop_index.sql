-- the B-trees of a table's indexes go when DynamoDB's request says so, or with the table
SELECT dynamo.create_table('{"TableName": "Guarded", "BillingMode": "PAY_PER_REQUEST",
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"},
		{"AttributeName": "g", "AttributeType": "S"}, {"AttributeName": "l", "AttributeType": "N"}],
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"GlobalSecondaryIndexes": [{"IndexName": "by_g", "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}],
	"LocalSecondaryIndexes": [{"IndexName": "by_l", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "l", "KeyType": "RANGE"}],
		"Projection": {"ProjectionType": "ALL"}}]}') -> 'TableDescription' ->> 'TableStatus' AS status;
SELECT dynamo.enable_ttl('Guarded', 'until');
CREATE INDEX "Guarded:own" ON ddb."Guarded" (g);

DROP INDEX ddb."Guarded:index:by_g";
DROP INDEX ddb."Guarded:index:by_l";
DROP INDEX ddb."Guarded:ttl";
DROP INDEX ddb."Guarded:pk";
-- it would be dead at the command's end
DROP INDEX CONCURRENTLY ddb."Guarded:index:by_g";
DROP INDEX IF EXISTS ddb.missing, ddb."Guarded:own", ddb."Guarded:index:by_g" CASCADE;
SET search_path = ddb;
DROP INDEX "Guarded:index:by_g";
RESET search_path;
ALTER INDEX ddb."Guarded:index:by_g" RENAME TO other;
ALTER TABLE ddb."Guarded:index:by_l" RENAME TO other;
SELECT c.relname, indisvalid, indislive FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE indrelid = 'ddb."Guarded"'::regclass ORDER BY 1;

-- what the catalog does not know by name, or does not have, may be dropped and renamed
ALTER INDEX ddb."Guarded:own" RENAME TO own;
DROP INDEX ddb.own;
ALTER INDEX ddb."Guarded:ttl" RENAME TO until;
DROP INDEX ddb.until;
REINDEX INDEX CONCURRENTLY ddb."Guarded:index:by_g";
ALTER INDEX ddb."Guarded:index:by_g" SET (fillfactor = 80);
SELECT dynamo.disable_ttl('Guarded');
SELECT dynamo.update_table('{"TableName": "Guarded", "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "by_g"}}]}')
	-> 'TableDescription' ->> 'TableStatus' AS status;
SELECT c.relname FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE indrelid = 'ddb."Guarded"'::regclass ORDER BY 1;
SELECT index_name FROM dynamo.indexes WHERE relation = 'ddb."Guarded"'::regclass;
-- the owner is held to it as well, and drops the table
CREATE ROLE regress_dynamo_owner;
ALTER TABLE ddb."Guarded" OWNER TO regress_dynamo_owner;
GRANT USAGE ON SCHEMA ddb TO regress_dynamo_owner;
SET ROLE regress_dynamo_owner;
DROP INDEX ddb."Guarded:index:by_l";
DROP TABLE ddb."Guarded";
RESET ROLE;
REVOKE USAGE ON SCHEMA ddb FROM regress_dynamo_owner;
DROP ROLE regress_dynamo_owner;
CREATE TABLE plain (a int);
CREATE INDEX plain_a ON plain (a);
DROP INDEX plain_a;
DROP TABLE plain;
