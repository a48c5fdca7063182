-- query and scan read as far as they are asked, in flat memory, and close their cursor
SELECT dynamo.create_table('{"TableName": "stream", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"}]}'::jsonb) IS NOT NULL AS created;
\pset format unaligned
\pset tuples_only on
-- 30,000 items of about 500 bytes in one partition
INSERT INTO ddb.stream (item) SELECT jsonb_build_object('pk', 'p', 'sk', i, 'a', (SELECT string_agg(md5(i::text || j), '') FROM generate_series(1, 14) j)) FROM generate_series(1, 30000) i;
ANALYZE ddb.stream;
CREATE FUNCTION pg_temp.blocks(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, SUMMARY OFF, COSTS OFF, FORMAT JSON) ' || query INTO plan;
	RETURN (plan->0->'Plan'->>'Shared Hit Blocks')::bigint + (plan->0->'Plan'->>'Shared Read Blocks')::bigint;
END $$;
-- warm plans and catalog first
SELECT count(*) FROM (SELECT dynamo.query('stream', 'pk = :p', '{":p": "p"}', max_items => 1)) warm;
SELECT count(*) FROM (SELECT dynamo.scan('stream', max_items => 1)) warm;
SELECT pg_temp.blocks($$SELECT dynamo.query('stream', 'pk = :p', '{":p": "p"}') LIMIT 1$$) < 100 AS query_stops,
	pg_temp.blocks($$SELECT dynamo.query('stream', 'pk = :p', '{":p": "p"}', forward => false) LIMIT 1$$) < 100 AS backward_stops,
	pg_temp.blocks($$SELECT dynamo.scan('stream') LIMIT 1$$) < 100 AS scan_stops,
	pg_temp.blocks($$SELECT dynamo.query('stream', 'pk = :p', '{":p": "p"}', max_items => 10)$$) < 200 AS max_items_stops,
	pg_temp.blocks($$SELECT dynamo.query('stream', 'pk = :p', '{":p": "p"}')$$) > 1000 AS all_reads_all;
-- no cursor stays open
SELECT count(*) FROM pg_cursors WHERE statement LIKE '%ddb.%';
-- an item deleted while they are read; the query sees its own snapshot
SELECT count(item), count(dynamo.delete('stream', jsonb_build_object('pk', 'p', 'sk', item->'sk'))) FROM (SELECT dynamo.query('stream', 'pk = :p AND sk <= :m', '{":p": "p", ":m": 100}') AS item) read;
SELECT count(*) FROM ddb.stream;

-- memory does not grow with the items read
CREATE FUNCTION pg_temp.used() RETURNS bigint LANGUAGE sql AS 'SELECT sum(used_bytes) FROM pg_backend_memory_contexts';
DO $$
DECLARE
	cursor CURSOR FOR SELECT dynamo.query('stream', 'pk = :p', '{":p": "p"}') AS item;
	item jsonb;
	early bigint;
	late bigint;
BEGIN
	OPEN cursor;
	FOR i IN 1..29000 LOOP
		FETCH cursor INTO item;
		IF i = 1000 THEN early := pg_temp.used(); END IF;
		IF i = 29000 THEN late := pg_temp.used(); END IF;
	END LOOP;
	CLOSE cursor;
	RAISE NOTICE 'grown by less than 256 kB: %', late - early < 256 * 1024;
END $$;
SELECT dynamo.delete_table('{"TableName": "stream"}') IS NOT NULL AS deleted;
