-- the gate fills the columns of index attributes, whatever the statement says
CREATE TABLE ddb."IndexColumns" (
	pk text COLLATE "C" PRIMARY KEY, item jsonb NOT NULL,
	"GSI1PK" text COLLATE "C", "GSI1SK" numeric, expires numeric
) USING dynamo;
SELECT dynamo.adopt('ddb."IndexColumns"');
INSERT INTO dynamo.attributes VALUES
	('ddb."IndexColumns"', 'GSI1PK', 'S', 'GSI1PK'),
	('ddb."IndexColumns"', 'GSI1SK', 'N', 'GSI1SK'),
	('ddb."IndexColumns"', 'expires', 'N', 'expires');
INSERT INTO dynamo.indexes VALUES
	('ddb."IndexColumns"', 'gsi1', 'IndexColumns:gsi1', 'G', '{GSI1PK}', '{GSI1SK}', 'A', '{}', 'ACTIVE', '{}'),
	('ddb."IndexColumns"', 'turned', 'IndexColumns:turned', 'G', '{GSI1SK}', '{GSI1PK}', 'A', '{}', 'ACTIVE', '{}'),
	('ddb."IndexColumns"', 'wide', 'IndexColumns:wide', 'G', '{GSI1PK}', '{}', 'A', '{}', 'ACTIVE', '{}');

INSERT INTO ddb."IndexColumns"(item) VALUES ('{"pk": "1", "GSI1PK": "x", "GSI1SK": 5}') RETURNING *;
INSERT INTO ddb."IndexColumns"(item, "GSI1PK") VALUES ('{"pk": "2"}', 'lie') RETURNING *;
COPY ddb."IndexColumns"(item, "GSI1SK") FROM STDIN;
{"pk": "3", "GSI1PK": "y", "GSI1SK": 7}	8
{"pk": "4", "GSI1SK": 7}	\N
\.
UPDATE ddb."IndexColumns" SET "GSI1PK" = 'lie' WHERE pk = '3';
UPDATE ddb."IndexColumns" SET item = item || '{"GSI1PK": "z"}' WHERE pk = '4' RETURNING *;
UPDATE ddb."IndexColumns" SET item = item - 'GSI1PK' WHERE pk = '1' RETURNING *;
INSERT INTO ddb."IndexColumns"(item) VALUES ('{"pk": "1", "GSI1PK": "again"}')
	ON CONFLICT (pk) DO UPDATE SET item = EXCLUDED.item RETURNING *;
SELECT * FROM ddb."IndexColumns" ORDER BY pk;

-- wrong type, empty, too long
INSERT INTO ddb."IndexColumns"(item) VALUES ('{"pk": "5", "GSI1PK": 1}');
INSERT INTO ddb."IndexColumns"(item) VALUES ('{"pk": "5", "GSI1SK": {"$ns": [1]}}');
INSERT INTO ddb."IndexColumns"(item) VALUES ('{"pk": "5", "GSI1PK": ""}');
INSERT INTO ddb."IndexColumns"(item) VALUES (jsonb_build_object('pk', '5', 'GSI1PK', repeat('x', 1025)));
UPDATE ddb."IndexColumns" SET item = item || '{"GSI1PK": null}';
DELETE FROM dynamo.indexes WHERE index_name = 'turned';
INSERT INTO ddb."IndexColumns"(item) VALUES (jsonb_build_object('pk', '5', 'GSI1PK', repeat('x', 2049)));
-- as a partition key alone it may be longer than a sort key; the column then holds a digest
INSERT INTO ddb."IndexColumns"(item) VALUES (jsonb_build_object('pk', '5', 'GSI1PK', repeat('x', 1024)))
	RETURNING length("GSI1PK");
INSERT INTO ddb."IndexColumns"(item) VALUES (jsonb_build_object('pk', '6', 'GSI1PK', repeat('x', 2048)))
	RETURNING length("GSI1PK") < 1024 AS digested;

-- an attribute that no index uses (time to live) may have any type
INSERT INTO ddb."IndexColumns"(item) VALUES ('{"pk": "7", "expires": "never"}') RETURNING *;
INSERT INTO ddb."IndexColumns"(item) VALUES ('{"pk": "8", "expires": 1700000000}') RETURNING *;

DROP TABLE ddb."IndexColumns";
