-- what an item table is known by cannot be altered; all else can
CREATE TABLE ddb."Altered" (pk text COLLATE "C", sk numeric, item jsonb NOT NULL, a bytea, PRIMARY KEY (pk, sk)) USING dynamo;
SELECT dynamo.adopt('ddb."Altered"');
INSERT INTO dynamo.attributes VALUES ('ddb."Altered"', 'a', 'B', 'a');

ALTER TABLE ddb."Altered" RENAME TO "Other";
ALTER TABLE ddb."Altered" RENAME COLUMN pk TO p;
ALTER TABLE ddb."Altered" RENAME COLUMN item TO document;
-- PostgreSQL takes these for tables too
ALTER INDEX ddb."Altered" RENAME TO "Other";
ALTER VIEW ddb."Altered" RENAME COLUMN pk TO p;
ALTER MATERIALIZED VIEW ddb."Altered" RENAME COLUMN pk TO p;
ALTER FOREIGN TABLE ddb."Altered" RENAME COLUMN pk TO p;
ALTER TYPE ddb."Altered" RENAME ATTRIBUTE pk TO p;
ALTER TABLE ddb."Altered" DROP COLUMN a;
ALTER TABLE ddb."Altered" DROP COLUMN sk CASCADE;
ALTER TABLE ddb."Altered" ALTER COLUMN sk TYPE int;
ALTER TABLE ddb."Altered" ALTER COLUMN pk TYPE text COLLATE "POSIX";
ALTER TABLE ddb."Altered" ALTER COLUMN item TYPE text;
-- the rewritten rows would not pass the gate
ALTER TABLE ddb."Altered" ALTER COLUMN item TYPE jsonb USING '{}';
ALTER TABLE ddb."Altered" ALTER COLUMN a TYPE bytea USING '\x00';
ALTER TABLE ddb."Altered" ALTER COLUMN item DROP NOT NULL;
ALTER TABLE ddb."Altered" DROP CONSTRAINT "Altered_pkey";
ALTER TABLE ddb."Altered" DROP CONSTRAINT "Altered_pkey", ADD PRIMARY KEY (sk, pk);

ALTER TABLE ddb."Altered" DROP CONSTRAINT "Altered_pkey", ADD CONSTRAINT "Altered:pk" PRIMARY KEY (pk, sk);
ALTER TABLE ddb."Altered" ADD COLUMN own text, ADD CHECK (own IS NOT NULL);
ALTER TABLE ddb."Altered" RENAME COLUMN own TO mine;
ALTER TABLE ddb."Altered" ALTER COLUMN mine TYPE int USING 1;
ALTER TABLE ddb."Altered" DROP COLUMN mine;
ALTER TABLE ddb."Altered" SET (fillfactor = 80);
ALTER TABLE ddb."Altered" ADD CONSTRAINT more UNIQUE (a);
ALTER TABLE ddb."Altered" DROP CONSTRAINT more;
ALTER TABLE ddb."Altered" RENAME CONSTRAINT "Altered:pk" TO "Altered:key";
CREATE SCHEMA regress_moved;
ALTER TABLE ddb."Altered" SET SCHEMA regress_moved;
INSERT INTO regress_moved."Altered"(item) VALUES ('{"pk": "a", "sk": 1, "a": {"$b": "AA=="}}') RETURNING *;
ALTER SCHEMA regress_moved RENAME TO regress_renamed;
INSERT INTO regress_renamed."Altered"(item) VALUES ('{"pk": "a", "sk": 2, "a": {"$b": "AQ=="}}') RETURNING *;
-- other tables are nobody's business here
CREATE TABLE ddb_plain (pk text, item jsonb);
ALTER TABLE ddb_plain RENAME COLUMN item TO document;
ALTER TABLE ddb_plain RENAME TO ddb_renamed;

\set VERBOSITY terse
DROP SCHEMA regress_renamed CASCADE;
DROP TABLE ddb_renamed;
