-- CHECK, generated columns, foreign keys and users' triggers see the true keys
CREATE TABLE ddb."Constrained" (
	pk text COLLATE "C" PRIMARY KEY CHECK (pk <> 'forbidden'), item jsonb NOT NULL,
	folded text GENERATED ALWAYS AS (upper(pk COLLATE "C")) STORED,
	CHECK (item->>'pk' = pk)
) USING dynamo;
SELECT dynamo.adopt('ddb."Constrained"');
CREATE TABLE ddb_reference (pk text COLLATE "C" REFERENCES ddb."Constrained" ON UPDATE CASCADE ON DELETE CASCADE);
CREATE FUNCTION show_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE NOTICE '% % sees %', TG_WHEN, TG_OP, NEW.pk;
	RETURN NEW;
END
$$;
CREATE TRIGGER a_first BEFORE INSERT ON ddb."Constrained" FOR EACH ROW EXECUTE FUNCTION show_new();
CREATE TRIGGER later AFTER INSERT ON ddb."Constrained" FOR EACH ROW EXECUTE FUNCTION show_new();

INSERT INTO ddb."Constrained"(item) VALUES ('{"pk": "allowed"}') RETURNING *;
INSERT INTO ddb."Constrained"(item) VALUES ('{"pk": "forbidden"}');
INSERT INTO ddb_reference VALUES ('allowed');
INSERT INTO ddb_reference VALUES ('absent');
UPDATE ddb."Constrained" SET pk = 'moved', item = item || '{"pk": "moved"}' RETURNING *;
SELECT * FROM ddb_reference;
DELETE FROM ddb."Constrained";
SELECT * FROM ddb_reference;

-- a foreign key's cascade changes columns alone, so it is refused on a key
CREATE TABLE ddb_parent (id text COLLATE "C" PRIMARY KEY);
INSERT INTO ddb_parent VALUES ('p');
ALTER TABLE ddb."Constrained" DROP CONSTRAINT "Constrained_check";
ALTER TABLE ddb."Constrained" ADD FOREIGN KEY (pk) REFERENCES ddb_parent ON UPDATE CASCADE;
INSERT INTO ddb."Constrained"(item) VALUES ('{"pk": "p"}');
UPDATE ddb_parent SET id = 'q';
SELECT pk, item FROM ddb."Constrained";

DROP TABLE ddb_reference, ddb."Constrained", ddb_parent;
DROP FUNCTION show_new;
