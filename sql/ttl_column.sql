-- The column of expiry times: filled on every path, HOT, not to be altered
SELECT dynamo.create_table('{"TableName": "column", "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": [{"AttributeName": ":ttl", "AttributeType": "S"}, {"AttributeName": "until", "AttributeType": "N"}], "KeySchema": [{"AttributeName": ":ttl", "KeyType": "HASH"}],
	"GlobalSecondaryIndexes": [{"IndexName": "by_until", "KeySchema": [{"AttributeName": "until", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}]}') IS NOT NULL AS created;
INSERT INTO ddb."column" (item) SELECT jsonb_build_object(':ttl', i::text, 'until', 4000000000 + i) FROM generate_series(1, 5) i;

-- key columns have taken both names
SELECT dynamo.enable_ttl('column', 'until');
SELECT column_name AS expiry, state FROM dynamo.ttl WHERE relation = 'ddb."column"'::regclass \gset
SELECT :'state' AS state, :'expiry' LIKE ':ttl:%' AS other_name;
SELECT count(*) FROM ddb."column" WHERE :"expiry" = until;

-- whatever the statement says
INSERT INTO ddb."column" (item, :"expiry") VALUES ('{":ttl": "raw", "until": 4100000000}', 7), ('{":ttl": "none"}', 7);
UPDATE ddb."column" SET :"expiry" = 7 WHERE ":ttl" IN ('1', 'none');
UPDATE ddb."column" SET item = item || '{"until": 4200000000.5}' WHERE ":ttl" = '2';
SELECT dynamo.update('column', '{":ttl": "3"}', 'REMOVE #u', attribute_names => '{"#u": "until"}') IS NOT NULL AS removed;
SELECT dynamo.put('column', '{":ttl": "4", "until": 4300000000}');
COPY ddb."column" (":ttl", item) FROM stdin;
copied	{":ttl": "copied", "until": 4400000000}
\.
SELECT ":ttl" AS id, until, :"expiry" AS expiry FROM ddb."column" ORDER BY 1;

-- another attribute may change without the indexes
SELECT pg_stat_force_next_flush();
SELECT n_tup_upd AS updates, n_tup_hot_upd AS hot FROM pg_stat_user_tables WHERE relid = 'ddb."column"'::regclass \gset before_
UPDATE ddb."column" SET item = item || '{"other": 1}';
SELECT pg_stat_force_next_flush();
SELECT n_tup_upd - :before_updates AS updates, n_tup_hot_upd - :before_hot AS hot FROM pg_stat_user_tables WHERE relid = 'ddb."column"'::regclass;

-- while it is used it stays as it is
ALTER TABLE ddb."column" DROP COLUMN :"expiry";
ALTER TABLE ddb."column" RENAME COLUMN :"expiry" TO x;
ALTER TABLE ddb."column" ALTER COLUMN :"expiry" TYPE int8 USING 0;
ALTER TABLE ddb."column" ALTER COLUMN :"expiry" TYPE numeric;
ALTER TABLE ddb."column" ADD COLUMN mine int;

-- afterwards it is kept, and taken up for another attribute, whose times it has then
SELECT dynamo.disable_ttl('column');
SELECT count(*) FROM pg_index WHERE indrelid = 'ddb."column"'::regclass AND NOT indisprimary;
UPDATE ddb."column" SET item = item || '{"until": 1, "new": 4500000000}' WHERE ":ttl" IN ('1', '2');
SELECT dynamo.enable_ttl('column', 'new');
SELECT ":ttl" AS id, :"expiry" AS expiry FROM ddb."column" WHERE :"expiry" IS NOT NULL ORDER BY 1;
SELECT count(*) FROM pg_attribute WHERE attrelid = 'ddb."column"'::regclass AND attname LIKE ':ttl:%';

-- a column that was dropped meanwhile is added again
SELECT dynamo.disable_ttl('column');
ALTER TABLE ddb."column" DROP COLUMN :"expiry";
SELECT dynamo.enable_ttl('column', 'new');
SELECT ":ttl" AS id, :"expiry" AS expiry FROM ddb."column" WHERE :"expiry" IS NOT NULL ORDER BY 1;

SELECT dynamo.delete_table('{"TableName": "column"}') IS NOT NULL AS deleted;
