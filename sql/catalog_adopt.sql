-- dynamo.adopt() takes in what can be an item table, and says why not
CREATE ROLE regress_dynamo_stranger;
CREATE TABLE ddb."Adopted" (pk text COLLATE "C", sk bytea, item jsonb NOT NULL, own int, PRIMARY KEY (pk, sk)) USING dynamo;
-- rows from before are not checked on entry
INSERT INTO ddb."Adopted" VALUES ('a', '\x00', '{"pk": "a", "sk": {"$b": "AA=="}}'), ('b', '\x01', '{"pk": "c", "sk": {"$b": "AQ=="}}');
SET ROLE regress_dynamo_stranger;
SELECT dynamo.adopt('ddb."Adopted"'::regclass);
RESET ROLE;
GRANT USAGE ON SCHEMA ddb TO regress_dynamo_stranger;
SET ROLE regress_dynamo_stranger;
SELECT dynamo.adopt('ddb."Adopted"');
RESET ROLE;
SELECT dynamo.adopt('ddb."Adopted"');
SELECT count(*) FROM dynamo.tables WHERE table_name = 'Adopted';
DELETE FROM ddb."Adopted" WHERE pk = 'b';
SELECT dynamo.adopt('ddb."Adopted"');
SELECT dynamo.adopt('ddb."Adopted"');
SELECT relation, table_name, partition_key, sort_key, settings FROM dynamo.tables WHERE table_name = 'Adopted';
SELECT attribute, type, column_name FROM dynamo.attributes WHERE relation = 'ddb."Adopted"'::regclass ORDER BY attribute;
SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = 'ddb."Adopted"'::regclass;

CREATE TABLE ddb."Refused" (pk text COLLATE "C" PRIMARY KEY, item jsonb NOT NULL);
SELECT dynamo.adopt('ddb."Refused"');
DROP TABLE ddb."Refused";
CREATE TABLE ddb."Refused" (pk text COLLATE "C", item jsonb NOT NULL) USING dynamo;
SELECT dynamo.adopt('ddb."Refused"');
ALTER TABLE ddb."Refused" ADD PRIMARY KEY (pk);
ALTER TABLE ddb."Refused" ALTER COLUMN item DROP NOT NULL;
SELECT dynamo.adopt('ddb."Refused"');
DROP TABLE ddb."Refused";
CREATE TABLE ddb."Refused" (pk text PRIMARY KEY, item jsonb NOT NULL) USING dynamo;
SELECT dynamo.adopt('ddb."Refused"');
DROP TABLE ddb."Refused";
CREATE TABLE ddb."Refused" (pk numeric(10,2) PRIMARY KEY, item jsonb NOT NULL) USING dynamo;
SELECT dynamo.adopt('ddb."Refused"');
DROP TABLE ddb."Refused";
CREATE TABLE ddb."No" (pk numeric PRIMARY KEY, item jsonb NOT NULL) USING dynamo;
SELECT dynamo.adopt('ddb."No"');
SELECT dynamo.adopt('ddb."No"', 'Another');
DROP TABLE ddb."No";

-- a name over 63 bytes is cut and hashed, the same everywhere
SELECT repeat('Long.Name_', 20) AS name \gset
SELECT left(:'name', 42) || ':' || left(encode(sha256((:'name' || ':0')::bytea), 'hex'), 20) AS relation \gset
CREATE TABLE ddb.:"relation" (pk numeric PRIMARY KEY, item jsonb NOT NULL) USING dynamo;
SELECT dynamo.adopt(format('ddb.%I', :'relation')::regclass);
SELECT dynamo.adopt(format('ddb.%I', :'relation')::regclass, :'name');
SELECT relation, table_name FROM dynamo.tables WHERE table_name = :'name';
INSERT INTO ddb.:"relation"(item) VALUES ('{"pk": 1}') RETURNING *;
DROP TABLE ddb.:"relation";

CREATE TEMP TABLE temporary (pk numeric PRIMARY KEY, item jsonb NOT NULL) USING dynamo;
SELECT dynamo.adopt('temporary');
SELECT dynamo.adopt('dynamo.tables_pkey');
SELECT dynamo.adopt(NULL);
SELECT dynamo.adopt(0);

DROP TABLE ddb."Adopted";
DROP TABLE temporary;
REVOKE USAGE ON SCHEMA ddb FROM regress_dynamo_stranger;
DROP ROLE regress_dynamo_stranger;
