-- an update that leaves the keys alone stays HOT
CREATE TABLE ddb."Hot" (pk text COLLATE "C" PRIMARY KEY, item jsonb NOT NULL, a text COLLATE "C", n numeric)
	USING dynamo WITH (fillfactor = 40);
SELECT dynamo.adopt('ddb."Hot"');
INSERT INTO dynamo.attributes VALUES ('ddb."Hot"', 'a', 'S', 'a'), ('ddb."Hot"', 'n', 'N', 'n');
CREATE INDEX ON ddb."Hot" (a, pk) WHERE a IS NOT NULL;
CREATE INDEX ON ddb."Hot" (n, pk) WHERE n IS NOT NULL;
INSERT INTO ddb."Hot"(item) SELECT jsonb_build_object('pk', i::text, 'a', 'x', 'n', 100) FROM generate_series(1, 50) i;
SELECT pg_stat_force_next_flush();
BEGIN;
UPDATE ddb."Hot" SET item = item || '{"count": 2}' WHERE pk <> '1';
UPDATE ddb."Hot" SET item = item || '{"a": "y"}' WHERE pk = '1';
SELECT pg_stat_get_xact_tuples_updated('ddb."Hot"'::regclass) AS updated,
	pg_stat_get_xact_tuples_hot_updated('ddb."Hot"'::regclass) AS hot;
COMMIT;
DROP TABLE ddb."Hot";
