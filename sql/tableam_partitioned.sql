-- a hash-partitioned item table; partitions may have other column numbers
CREATE TABLE ddb."Parted" (
	pk text COLLATE "C", sk text COLLATE "C", item jsonb NOT NULL, PRIMARY KEY (pk, sk)
) PARTITION BY HASH (pk);
CREATE TABLE ddb."Parted:0" PARTITION OF ddb."Parted" FOR VALUES WITH (MODULUS 2, REMAINDER 0) USING dynamo;
CREATE TABLE ddb."Parted:1" (
	dropped int, item jsonb NOT NULL, sk text COLLATE "C" NOT NULL, pk text COLLATE "C" NOT NULL
) USING dynamo;
ALTER TABLE ddb."Parted:1" DROP COLUMN dropped;
ALTER TABLE ddb."Parted" ATTACH PARTITION ddb."Parted:1" FOR VALUES WITH (MODULUS 2, REMAINDER 1);
SELECT dynamo.adopt('ddb."Parted:0"');
SELECT dynamo.adopt('ddb."Parted"');
SELECT relation, attribute, column_name FROM dynamo.attributes WHERE relation = 'ddb."Parted"'::regclass ORDER BY attribute;

INSERT INTO ddb."Parted" SELECT i::text, 's', jsonb_build_object('pk', i::text, 'sk', 's') FROM generate_series(1, 8) i;
SELECT tableoid::regclass, pk, sk, item FROM ddb."Parted" ORDER BY pk;
INSERT INTO ddb."Parted" VALUES ('1', 't', '{"pk": "2", "sk": "t"}');
INSERT INTO ddb."Parted" VALUES ('2', 't', '{"pk": "1", "sk": "t"}');
UPDATE ddb."Parted" SET item = item || '{"n": 1}' WHERE pk IN ('1', '2') RETURNING pk, item;
UPDATE ddb."Parted" SET item = item || '{"sk": "x"}' WHERE pk = '1';
UPDATE ddb."Parted" SET item = item || '{"sk": "x"}' WHERE pk = '2';
-- from one partition to another
UPDATE ddb."Parted" SET pk = '2', sk = 'moved', item = item || '{"pk": "2", "sk": "moved"}' WHERE pk = '1' RETURNING *;
INSERT INTO ddb."Parted" VALUES ('2', 's', '{"pk": "2", "sk": "s", "n": 2}')
	ON CONFLICT (pk, sk) DO UPDATE SET item = EXCLUDED.item RETURNING *;

-- rows are routed before triggers run, so the keys must be given
INSERT INTO ddb."Parted"(item) VALUES ('{"pk": "9", "sk": "s"}');

-- an index attribute that comes later reaches cached partitions
ALTER TABLE ddb."Parted" ADD COLUMN a text COLLATE "C";
INSERT INTO dynamo.attributes VALUES ('ddb."Parted"', 'a', 'S', 'a');
UPDATE ddb."Parted" SET item = item || '{"a": "x"}' RETURNING tableoid::regclass, pk, a;

-- no partition beside the gate
CREATE TABLE ddb."Parted:heap" (LIKE ddb."Parted");
ALTER TABLE ddb."Parted" DETACH PARTITION ddb."Parted:0";
ALTER TABLE ddb."Parted" ATTACH PARTITION ddb."Parted:heap" FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE ddb."Parted:new" PARTITION OF ddb."Parted" FOR VALUES WITH (MODULUS 2, REMAINDER 0);
ALTER TABLE ddb."Parted:1" SET ACCESS METHOD heap;
CREATE TABLE ddb."Parted:new" PARTITION OF ddb."Parted" FOR VALUES WITH (MODULUS 2, REMAINDER 0) USING dynamo;
-- a detached partition is no DynamoDB table
INSERT INTO ddb."Parted:0"(pk, sk, item) VALUES ('free', 's', '{}');

-- a DynamoDB table that becomes a partition of a table that is none stays one
CREATE TABLE ddb."Single" (pk text COLLATE "C" PRIMARY KEY, item jsonb NOT NULL) USING dynamo;
SELECT dynamo.adopt('ddb."Single"');
CREATE TABLE ddb_plain_parent (LIKE ddb."Single") PARTITION BY HASH (pk);
ALTER TABLE ddb_plain_parent ATTACH PARTITION ddb."Single" FOR VALUES WITH (MODULUS 1, REMAINDER 0);
INSERT INTO ddb_plain_parent VALUES ('a', '{"pk": "b"}');
INSERT INTO ddb_plain_parent VALUES ('a', '{"pk": "a"}') RETURNING *;
ALTER TABLE ddb_plain_parent DROP COLUMN item;
ALTER TABLE ddb."Single" RENAME TO "Other";
DROP TABLE ddb_plain_parent;

DROP TABLE ddb."Parted", ddb."Parted:0", ddb."Parted:heap";
SELECT count(*) FROM dynamo.tables WHERE table_name IN ('Parted', 'Single');
