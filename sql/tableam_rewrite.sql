-- rewrites and index builds keep rows, gate and access method
CREATE TABLE ddb."Rewritten" (pk text COLLATE "C" PRIMARY KEY, item jsonb NOT NULL, a text COLLATE "C") USING dynamo;
SELECT dynamo.adopt('ddb."Rewritten"');
INSERT INTO dynamo.attributes VALUES ('ddb."Rewritten"', 'a', 'S', 'a');
INSERT INTO ddb."Rewritten"(item)
	SELECT jsonb_build_object('pk', i::text, 'a', md5(i::text), 'data', repeat(md5(i::text), 100)) FROM generate_series(1, 500) i;

-- fails if rows are lost, an index finds other rows, or the gate is gone
CREATE FUNCTION verify() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	rows int;
	indexed int;
BEGIN
	SELECT count(*) INTO rows FROM ddb."Rewritten" WHERE a = md5(pk) AND item->>'a' = a;
	SET LOCAL enable_seqscan = off;
	SELECT count(*) INTO indexed FROM generate_series(1, 500) i JOIN ddb."Rewritten" r ON r.pk = i::text;
	INSERT INTO ddb."Rewritten" VALUES ('x', '{"pk": "y"}');
	RETURN 'the gate is gone';
EXCEPTION WHEN SQLSTATE 'DY001' THEN
	RETURN format('%s rows, %s by index, %s', rows, indexed, (SELECT amname FROM pg_class c JOIN pg_am a ON a.oid = c.relam WHERE c.oid = 'ddb."Rewritten"'::regclass));
END
$$;
SELECT verify();
VACUUM FULL ddb."Rewritten";
SELECT verify();
CLUSTER ddb."Rewritten" USING "Rewritten_pkey";
SELECT verify();
ALTER TABLE ddb."Rewritten" ADD COLUMN extra double precision DEFAULT random();
SELECT verify();
ALTER TABLE ddb."Rewritten" ALTER COLUMN extra TYPE text;
SELECT verify();
ALTER TABLE ddb."Rewritten" SET UNLOGGED;
SELECT verify();
ALTER TABLE ddb."Rewritten" SET LOGGED;
SELECT verify();
CREATE INDEX "Rewritten:a" ON ddb."Rewritten" (a, pk) WHERE a IS NOT NULL;
CREATE INDEX CONCURRENTLY "Rewritten:b" ON ddb."Rewritten" ((item->>'data'), a);
REINDEX TABLE ddb."Rewritten";
REINDEX TABLE CONCURRENTLY ddb."Rewritten";
SELECT relname, indisvalid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = 'ddb."Rewritten"'::regclass ORDER BY relname COLLATE "C";
SELECT verify();
ANALYZE ddb."Rewritten";
VACUUM ddb."Rewritten";
SELECT verify();
-- an index build that fails leaves the gate where it was
CREATE UNIQUE INDEX ON ddb."Rewritten" ((item->>'none' IS NULL));
SELECT verify();
-- parallel builds and scans
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET maintenance_work_mem = '128MB';
ALTER TABLE ddb."Rewritten" SET (parallel_workers = 2);
CREATE INDEX "Rewritten:c" ON ddb."Rewritten" (a, item);
SELECT count(*) FROM ddb."Rewritten" WHERE item->>'a' = a;
RESET min_parallel_table_scan_size;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET maintenance_work_mem;
SELECT verify();
TRUNCATE ddb."Rewritten";
SELECT verify();

DROP TABLE ddb."Rewritten";
DROP FUNCTION verify;
