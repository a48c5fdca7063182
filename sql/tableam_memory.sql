-- a statement of many rows needs no more memory than one of few
CREATE TABLE ddb."Memory" (pk text COLLATE "C" PRIMARY KEY, item jsonb NOT NULL, a text COLLATE "C") USING dynamo;
SELECT dynamo.adopt('ddb."Memory"');
INSERT INTO dynamo.attributes VALUES ('ddb."Memory"', 'a', 'S', 'a');
CREATE FUNCTION memory_at(i int) RETURNS bigint LANGUAGE sql VOLATILE AS $$
	SELECT CASE WHEN i IN (1000, 30000) THEN (SELECT sum(total_bytes) FROM pg_catalog.pg_backend_memory_contexts) END
$$;
INSERT INTO ddb."Memory"(item)
	SELECT jsonb_build_object('pk', i::text, 'a', 'value', 'list', '[1, 2, 3]'::jsonb, 'memory', memory_at(i))
	FROM (SELECT generate_series(1, 30000) AS i) s;
SELECT (SELECT (item->>'memory')::bigint FROM ddb."Memory" WHERE pk = '30000')
	- (SELECT (item->>'memory')::bigint FROM ddb."Memory" WHERE pk = '1000') < 1000000 AS flat;
UPDATE ddb."Memory" SET item = item || jsonb_build_object('memory', memory_at(pk::int), 'a', 'other');
SELECT abs((SELECT (item->>'memory')::bigint FROM ddb."Memory" WHERE pk = '30000')
	- (SELECT (item->>'memory')::bigint FROM ddb."Memory" WHERE pk = '1000')) < 1000000 AS flat;
SELECT count(*) FROM ddb."Memory" WHERE a = 'other';
DROP TABLE ddb."Memory";
DROP FUNCTION memory_at;
