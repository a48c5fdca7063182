-- A partition that joins an item table is filled and indexed like the others.
CREATE TABLE ddb.grown (pk text COLLATE "C", item jsonb NOT NULL, PRIMARY KEY (pk)) PARTITION BY RANGE (pk);
CREATE TABLE ddb.grown_a PARTITION OF ddb.grown FOR VALUES FROM ('a') TO ('b') USING dynamo;
SELECT dynamo.adopt('ddb.grown');
SELECT dynamo.update_table('{"TableName": "grown", "AttributeDefinitions": [{"AttributeName": "g", "AttributeType": "S"}],
	"GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "by_g", "Projection": {"ProjectionType": "ALL"},
		"KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}]}}]}'::jsonb) -> 'TableDescription' ->> 'TableStatus' AS status;
CALL dynamo.build_indexes('ddb.grown');
SELECT dynamo.enable_ttl('grown', 'until');
CALL dynamo.build_indexes('ddb.grown');

-- one that is made
CREATE TABLE ddb.grown_b PARTITION OF ddb.grown FOR VALUES FROM ('b') TO ('c') USING dynamo;
-- one that brings items, in two levels; its owner may not create anything in the schema
CREATE TABLE ddb.grown_c (LIKE ddb.grown) PARTITION BY RANGE (pk);
CREATE TABLE ddb.grown_c1 PARTITION OF ddb.grown_c FOR VALUES FROM ('c') TO ('cm') USING dynamo;
INSERT INTO ddb.grown_c (pk, item) VALUES ('c', '{"pk": "c", "g": "x", "until": 2000000000}'), ('cc', '{"pk": "cc"}');
CREATE ROLE regress_dynamo_owner;
GRANT USAGE ON SCHEMA ddb TO regress_dynamo_owner;
ALTER TABLE ddb.grown OWNER TO regress_dynamo_owner;
ALTER TABLE ddb.grown_c OWNER TO regress_dynamo_owner;
ALTER TABLE ddb.grown_c1 OWNER TO regress_dynamo_owner;
SET ROLE regress_dynamo_owner;
ALTER TABLE ddb.grown ATTACH PARTITION ddb.grown_c FOR VALUES FROM ('c') TO ('d');
RESET ROLE;
SELECT tablename, indexname, tableowner FROM pg_indexes JOIN pg_tables USING (schemaname, tablename)
	WHERE tablename LIKE 'grown_%' AND indexdef LIKE '%WHERE%' ORDER BY 1, 2;
SELECT pk, g, ":ttl" FROM ddb.grown ORDER BY pk;
SELECT item FROM dynamo.query('grown', 'g = :g', '{":g": "x"}', index_name => 'by_g') item;

-- what the table would not take does not come in by a partition
CREATE TABLE ddb.grown_d (LIKE ddb.grown) USING dynamo;
INSERT INTO ddb.grown_d (pk, item) VALUES ('d', '{"pk": "e"}');
ALTER TABLE ddb.grown ATTACH PARTITION ddb.grown_d FOR VALUES FROM ('d') TO ('e');
UPDATE ddb.grown_d SET item = '{"pk": "d", "g": 1}';
ALTER TABLE ddb.grown ATTACH PARTITION ddb.grown_d FOR VALUES FROM ('d') TO ('e');
UPDATE ddb.grown_d SET item = '{"pk": "d", "g": "y"}';
BEGIN ISOLATION LEVEL REPEATABLE READ;
ALTER TABLE ddb.grown ATTACH PARTITION ddb.grown_d FOR VALUES FROM ('d') TO ('e');
ROLLBACK;
CREATE TABLE ddb."Itself" (LIKE ddb.grown, PRIMARY KEY (pk)) USING dynamo;
SELECT dynamo.adopt('ddb."Itself"');
ALTER TABLE ddb.grown ATTACH PARTITION ddb."Itself" FOR VALUES FROM ('d') TO ('e');
ALTER TABLE ddb.grown ATTACH PARTITION ddb.grown_d FOR VALUES FROM ('d') TO ('e');
SELECT item FROM dynamo.query('grown', 'g = :g', '{":g": "y"}', index_name => 'by_g') item;
-- there and back
ALTER TABLE ddb.grown DETACH PARTITION ddb.grown_d;
ALTER TABLE ddb.grown ATTACH PARTITION ddb.grown_d FOR VALUES FROM ('d') TO ('e');
SELECT count(*) FROM pg_indexes WHERE tablename = 'grown_d';
DROP TABLE ddb.grown, ddb."Itself";
REVOKE USAGE ON SCHEMA ddb FROM regress_dynamo_owner;
DROP ROLE regress_dynamo_owner;
