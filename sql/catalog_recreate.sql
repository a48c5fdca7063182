-- a session survives that the extension goes and comes again
\set before :DBNAME
CREATE DATABASE regress_dynamo_recreate TEMPLATE template0 ENCODING 'UTF8';
\c regress_dynamo_recreate
\set VERBOSITY terse
CREATE EXTENSION dynamo;
CREATE TABLE ddb."Again" (pk text COLLATE "C" PRIMARY KEY, item jsonb NOT NULL) USING dynamo;
SELECT dynamo.adopt('ddb."Again"');
INSERT INTO ddb."Again"(item) VALUES ('{"pk": "a"}');
DROP EXTENSION dynamo CASCADE;
SELECT count(*) FROM pg_class WHERE relname = 'Again';
CREATE EXTENSION dynamo;
CREATE TABLE ddb."Again" (pk text COLLATE "C" PRIMARY KEY, item jsonb NOT NULL) USING dynamo;
SELECT dynamo.adopt('ddb."Again"');
INSERT INTO ddb."Again"(item) VALUES ('{"pk": "a"}') RETURNING *;
INSERT INTO ddb."Again" VALUES ('b', '{"pk": "a"}');
\c :before
DROP DATABASE regress_dynamo_recreate;
