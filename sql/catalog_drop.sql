-- dropping an item table by whatever way removes what the catalog knew of it
CREATE ROLE regress_dynamo_owner;
CREATE SCHEMA regress_items AUTHORIZATION regress_dynamo_owner;
SET ROLE regress_dynamo_owner;
CREATE TABLE regress_items."One" (pk text COLLATE "C" PRIMARY KEY, item jsonb NOT NULL) USING dynamo;
CREATE TABLE regress_items."Two" (pk text COLLATE "C" PRIMARY KEY, item jsonb NOT NULL) USING dynamo;
CREATE TABLE regress_items."Three" (pk text COLLATE "C" PRIMARY KEY, item jsonb NOT NULL) USING dynamo;
SELECT dynamo.adopt(r) FROM unnest(ARRAY['regress_items."One"', 'regress_items."Two"', 'regress_items."Three"']::regclass[]) r;
RESET ROLE;
INSERT INTO dynamo.tags VALUES ('regress_items."One"', 'k', 'v');
INSERT INTO dynamo.indexes VALUES ('regress_items."One"', 'i', 'One:i', 'G', '{pk}', '{}', 'A', '{}', 'ACTIVE', '{}');
CREATE FUNCTION known() RETURNS TABLE (tables bigint, attributes bigint, indexes bigint, tags bigint) LANGUAGE sql AS $$
	-- rows of tables of this test, and rows of no table
	WITH of_interest AS (SELECT r AS relation FROM (
			SELECT relation FROM dynamo.tables UNION SELECT relation FROM dynamo.attributes
			UNION SELECT relation FROM dynamo.indexes UNION SELECT relation FROM dynamo.tags) s(r)
		LEFT JOIN pg_class c ON c.oid = r WHERE c.oid IS NULL OR relnamespace = 'regress_items'::regnamespace)
	SELECT (SELECT count(*) FROM dynamo.tables NATURAL JOIN of_interest),
		(SELECT count(*) FROM dynamo.attributes NATURAL JOIN of_interest),
		(SELECT count(*) FROM dynamo.indexes NATURAL JOIN of_interest),
		(SELECT count(*) FROM dynamo.tags NATURAL JOIN of_interest)
$$;
SELECT * FROM known();

SET ROLE regress_dynamo_owner;
BEGIN;
DROP TABLE regress_items."One";
SELECT * FROM known();
ROLLBACK;
SELECT * FROM known();
DROP TABLE regress_items."One";
SELECT * FROM known();
-- leaving the access method is leaving the catalog
ALTER TABLE regress_items."Two" SET ACCESS METHOD heap;
SELECT * FROM known();
INSERT INTO regress_items."Two" VALUES ('a', '{"pk": "b"}');
DROP SCHEMA regress_items CASCADE;
RESET ROLE;
CREATE SCHEMA regress_items AUTHORIZATION regress_dynamo_owner;
SET ROLE regress_dynamo_owner;
SELECT * FROM known();
-- the catalog itself is closed
INSERT INTO dynamo.tags VALUES (0, 'k', 'v');
SELECT dynamo.catalog_rows_changed();
RESET ROLE;
DROP FUNCTION known;
DROP SCHEMA regress_items;
DROP ROLE regress_dynamo_owner;
