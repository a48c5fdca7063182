-- A partitioned table gets its index by the worker, partition by partition.
CREATE TABLE ddb.parts (pk text COLLATE "C" NOT NULL, item jsonb NOT NULL, PRIMARY KEY (pk)) PARTITION BY HASH (pk);
CREATE TABLE ddb.parts_0 PARTITION OF ddb.parts FOR VALUES WITH (MODULUS 2, REMAINDER 0) USING dynamo;
CREATE TABLE ddb.parts_1 PARTITION OF ddb.parts FOR VALUES WITH (MODULUS 2, REMAINDER 1) USING dynamo;
SELECT dynamo.adopt('ddb.parts');
INSERT INTO ddb.parts(pk, item) SELECT i::text, jsonb_build_object('pk', i::text, 'g', 'g' || i % 3) FROM generate_series(1, 30) i;
SELECT dynamo.update_table('{"TableName": "parts", "AttributeDefinitions": [{"AttributeName": "g", "AttributeType": "S"}],
	"GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "by_g", "Projection": {"ProjectionType": "ALL"},
		"KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}]}}]}'::jsonb) -> 'TableDescription' ->> 'TableStatus' AS status;
DO $$
BEGIN
	FOR i IN 1 .. 6000 LOOP
		EXIT WHEN NOT EXISTS (SELECT FROM dynamo.builds WHERE phase <> 'DONE');
		COMMIT;
		PERFORM pg_sleep(0.01);
	END LOOP;
END
$$;
SELECT index_name, index_status, rows_done, rows_skipped, last_error FROM dynamo.index_builds;
INSERT INTO ddb.parts(pk, item) VALUES ('new', '{"pk": "new", "g": "g1"}');
SELECT count(*) FROM dynamo.query('parts', 'g = :g', '{":g": "g1"}', index_name => 'by_g') item;
DROP TABLE ddb.parts;
