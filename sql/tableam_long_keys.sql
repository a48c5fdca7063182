-- incompressible keys of full length fit into the primary key and into indexes
CREATE FUNCTION noise(seed text, bytes int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT pg_catalog.left(pg_catalog.string_agg(pg_catalog.translate(pg_catalog.encode(pg_catalog.sha512((seed || i)::bytea), 'base64'), E'\n=', ''), ''), bytes)
	FROM pg_catalog.generate_series(1, 30) i
$$;
CREATE TABLE ddb."LongKeys" (
	pk text COLLATE "C", sk text COLLATE "C", item jsonb NOT NULL,
	ip text COLLATE "C", "is" text COLLATE "C", PRIMARY KEY (pk, sk)
) USING dynamo;
SELECT dynamo.adopt('ddb."LongKeys"');
INSERT INTO dynamo.attributes VALUES
	('ddb."LongKeys"', 'ip', 'S', 'ip'), ('ddb."LongKeys"', 'is', 'S', 'is');
INSERT INTO dynamo.indexes VALUES
	('ddb."LongKeys"', 'index', 'LongKeys:index', 'G', '{ip}', '{is}', 'A', '{}', 'ACTIVE', '{}');
-- as CreateTable makes it, with the table's key as tie-break
CREATE INDEX "LongKeys:index" ON ddb."LongKeys" (ip, "is", dynamo.key_tie_break(pk), dynamo.key_tie_break(sk))
	WHERE ip IS NOT NULL AND "is" IS NOT NULL;

INSERT INTO ddb."LongKeys"(item)
	SELECT jsonb_build_object('pk', noise('p', 2048), 'sk', noise('s' || i, 1024),
		'ip', noise('ip' || i, length), 'is', noise('is' || i, 1024))
	FROM (VALUES (1, 1024), (2, 2048), (3, 1025), (4, 600)) l(i, length);
SELECT length(pk) AS pk, length(sk) AS sk, length(ip) AS ip, length(item->>'ip') AS item_ip, length("is") AS "is", length(item->>'pk') AS item_pk
	FROM ddb."LongKeys" ORDER BY length(ip), length(item->>'ip');
-- the same partition key gives the same column value, another one another
SELECT count(DISTINCT pk) FROM ddb."LongKeys";
\set VERBOSITY sqlstate
INSERT INTO ddb."LongKeys"(item) SELECT jsonb_build_object('pk', noise('p', 2048), 'sk', noise('s1', 1024));
\set VERBOSITY default
INSERT INTO ddb."LongKeys"(item) SELECT jsonb_build_object('pk', noise('p', 2047) || '!', 'sk', noise('s1', 1024))
	RETURNING left(pk, 600) = left(noise('p', 2048), 600) AS same_prefix;
SELECT count(DISTINCT pk) FROM ddb."LongKeys";

DROP TABLE ddb."LongKeys";
DROP FUNCTION noise;
