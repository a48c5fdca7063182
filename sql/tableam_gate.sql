-- every way of writing a row passes the gate
CREATE TABLE ddb."GateTest" (
	pk text COLLATE "C", sk numeric, item jsonb NOT NULL, PRIMARY KEY (pk, sk)
) USING dynamo;
SELECT dynamo.adopt('ddb."GateTest"');

-- INSERT of the item alone, and of keys with it
INSERT INTO ddb."GateTest"(item) VALUES ('{"pk": "a", "sk": 1, "via": "item"}') RETURNING *;
INSERT INTO ddb."GateTest" VALUES ('a', 2, '{"pk": "a", "sk": 2, "via": "all"}') RETURNING *;
INSERT INTO ddb."GateTest"(pk, item) VALUES ('a', '{"pk": "a", "sk": 3, "via": "some"}') RETURNING *;
INSERT INTO ddb."GateTest" VALUES ('b', 1, '{"pk": "a", "sk": 1}');
INSERT INTO ddb."GateTest"(pk, item) VALUES ('b', '{"pk": "a", "sk": 1}');
INSERT INTO ddb."GateTest"(item) VALUES (NULL);
-- no item at all, and one with an empty set
\set VERBOSITY sqlstate
INSERT INTO ddb."GateTest"(item) VALUES ('[]');
INSERT INTO ddb."GateTest" VALUES ('a', 9, '[]');
INSERT INTO ddb."GateTest" VALUES ('a', 9, '{"pk": "a", "sk": 9, "tag": {"$ss": []}}');
\set VERBOSITY default

-- a number in another form is the same key; the column gets the normal form
INSERT INTO ddb."GateTest" VALUES ('a', 4.00, '{"pk": "a", "sk": 4}') RETURNING sk;

-- INSERT .. SELECT
INSERT INTO ddb."GateTest"(item)
	SELECT item OPERATOR(pg_catalog.||) '{"pk": "copy"}' FROM ddb."GateTest" RETURNING pk, sk;
INSERT INTO ddb."GateTest" SELECT 'other', sk, item FROM ddb."GateTest";

-- COPY
COPY ddb."GateTest"(item) FROM STDIN;
{"pk": "c", "sk": 1}
{"pk": "c", "sk": 2}
\.
COPY ddb."GateTest" FROM STDIN;
c	3	{"pk": "c", "sk": 3}
\.
COPY ddb."GateTest" FROM STDIN;
c	4	{"pk": "c", "sk": 4}
c	5	{"pk": "c", "sk": 6}
\.
COPY ddb."GateTest"(item) FROM STDIN;
{"pk": "c"}
\.
SELECT * FROM ddb."GateTest" WHERE pk = 'c' ORDER BY sk;

-- UPDATE: the key changes in item and columns together or not at all
UPDATE ddb."GateTest" SET item = item || '{"seen": true}' WHERE pk = 'c' AND sk = 1 RETURNING *;
UPDATE ddb."GateTest" SET item = item || '{"sk": 7}' WHERE pk = 'c' AND sk = 1;
UPDATE ddb."GateTest" SET sk = 7 WHERE pk = 'c' AND sk = 1;
UPDATE ddb."GateTest" SET item = item - 'sk' WHERE pk = 'c' AND sk = 1;
UPDATE ddb."GateTest" SET item = item || '{"sk": 7}', sk = 7 WHERE pk = 'c' AND sk = 1 RETURNING *;

-- ON CONFLICT inserts speculatively
INSERT INTO ddb."GateTest"(item) VALUES ('{"pk": "c", "sk": 2, "n": 1}')
	ON CONFLICT (pk, sk) DO UPDATE SET item = EXCLUDED.item RETURNING *;
INSERT INTO ddb."GateTest"(item) VALUES ('{"pk": "d", "sk": 2, "n": 1}')
	ON CONFLICT (pk, sk) DO UPDATE SET item = EXCLUDED.item RETURNING *;
INSERT INTO ddb."GateTest"(item) VALUES ('{"pk": "c", "sk": 2, "n": 2}') ON CONFLICT DO NOTHING RETURNING *;
INSERT INTO ddb."GateTest" VALUES ('e', 1, '{"pk": "d", "sk": 1}') ON CONFLICT DO NOTHING;
INSERT INTO ddb."GateTest"(item) VALUES ('{"pk": "c", "sk": 2}')
	ON CONFLICT (pk, sk) DO UPDATE SET item = '{"pk": "x", "sk": 2}';

-- MERGE
MERGE INTO ddb."GateTest" t
	USING (VALUES ('{"pk": "c", "sk": 2, "merged": true}'::jsonb), ('{"pk": "m", "sk": 1}')) s(item)
	ON t.pk = s.item->>'pk' AND t.sk = (s.item->>'sk')::numeric
	WHEN MATCHED THEN UPDATE SET item = s.item
	WHEN NOT MATCHED THEN INSERT (item) VALUES (s.item);
SELECT * FROM ddb."GateTest" WHERE pk IN ('c', 'm') ORDER BY pk, sk;
MERGE INTO ddb."GateTest" t USING (VALUES (1)) s(x) ON t.pk = 'm'
	WHEN MATCHED THEN UPDATE SET item = '{"pk": "n", "sk": 1}';
MERGE INTO ddb."GateTest" t USING (VALUES (1)) s(x) ON t.pk = 'n'
	WHEN NOT MATCHED THEN INSERT VALUES ('n', 1, '{"pk": "m", "sk": 1}');

-- large items, TOASTed before and after
INSERT INTO ddb."GateTest"(item)
	SELECT jsonb_build_object('pk', 'big', 'sk', 1, 'data', string_agg(md5(i::text), '')) FROM generate_series(1, 5000) i;
UPDATE ddb."GateTest" SET item = item || '{"n": 1}' WHERE pk = 'big';
SELECT pk, sk, item->'n' AS n, length(item->>'data') FROM ddb."GateTest" WHERE pk = 'big';
UPDATE ddb."GateTest" SET item = (SELECT item FROM ddb."GateTest" WHERE pk = 'big') WHERE pk = 'm';

DROP TABLE ddb."GateTest";
