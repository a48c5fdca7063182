-- Partitions: each has its own index of expiry times, and is swept
CREATE TABLE ddb.parted (id text COLLATE "C", item jsonb NOT NULL, PRIMARY KEY (id)) PARTITION BY HASH (id);
CREATE TABLE ddb.parted_0 PARTITION OF ddb.parted FOR VALUES WITH (MODULUS 2, REMAINDER 0) USING dynamo;
CREATE TABLE ddb.parted_1 PARTITION OF ddb.parted FOR VALUES WITH (MODULUS 2, REMAINDER 1) USING dynamo;
SELECT dynamo.adopt('ddb.parted');
INSERT INTO ddb.parted (id, item) SELECT i::text, jsonb_build_object('id', i::text, 'until', extract(epoch FROM now())::int8 + CASE WHEN i <= 40 THEN -10 ELSE 100000 END)
	FROM generate_series(1, 50) i;
SELECT dynamo.enable_ttl('parted', 'until');
CALL dynamo.build_indexes('ddb.parted');
SELECT state, build, backlog FROM dynamo.ttl_status;
SELECT relname FROM pg_class WHERE relname LIKE 'parted%:ttl' ORDER BY 1;
SELECT dynamo.sweep('parted', 15), dynamo.sweep('parted');
SELECT tableoid::regclass, count(*) FROM ddb.parted GROUP BY 1 HAVING min((item->>'until')::int8) < extract(epoch FROM now());
SELECT count(*) FROM ddb.parted;

-- one that comes later gets the same
CREATE TABLE ddb.later (LIKE ddb.parted INCLUDING CONSTRAINTS) USING dynamo;
ALTER TABLE ddb.parted DETACH PARTITION ddb.parted_1;
ALTER TABLE ddb.parted ATTACH PARTITION ddb.later FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO ddb.parted (id, item) SELECT i::text, jsonb_build_object('id', i::text, 'until', extract(epoch FROM now())::int8 - 10) FROM generate_series(101, 110) i;
SELECT indexdef FROM pg_indexes WHERE tablename = 'later' ORDER BY 1;
SELECT dynamo.sweep('parted');
-- also if it has been renamed
ALTER TABLE ddb.later RENAME TO renamed;

SELECT dynamo.disable_ttl('parted');
CALL dynamo.build_indexes('ddb.parted');
SELECT state FROM dynamo.ttl WHERE relation = 'ddb.parted'::regclass;
SELECT relname FROM pg_class WHERE relname LIKE '%:ttl' ORDER BY 1;
DROP TABLE ddb.parted, ddb.parted_1;
