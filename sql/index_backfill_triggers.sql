-- filling the items of before an index passes the triggers of their table, of no other
CREATE ROLE filler;
GRANT CREATE, USAGE ON SCHEMA ddb, public TO filler;
CREATE TABLE watched (id text);
CREATE TABLE watching (id text);
CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
	INSERT INTO public.watching VALUES (NEW.id);
	RETURN NULL;
END $$;
CREATE TRIGGER watch AFTER INSERT ON watched FOR EACH ROW EXECUTE FUNCTION watch();
GRANT INSERT ON watched TO filler;

SET ROLE filler;
SELECT dynamo.create_table('{"TableName": "Filled", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "N"}]}')
	->'TableDescription'->>'TableName' AS created;
CREATE FUNCTION write_elsewhere(id text) RETURNS text LANGUAGE sql AS $$
	INSERT INTO public.watched VALUES (id);
	SELECT id;
$$;
CREATE FUNCTION innocent(item jsonb) RETURNS text IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	RETURN public.write_elsewhere(item->>'pk');
END $$;
CREATE FUNCTION own() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'a trigger of the table itself';
END $$;
CREATE INDEX innocent ON ddb."Filled" (innocent(item));
INSERT INTO ddb."Filled" (item) SELECT jsonb_build_object('pk', n, 'g', n) FROM generate_series(1, 300) n;
CREATE TRIGGER own BEFORE UPDATE ON ddb."Filled" FOR EACH ROW EXECUTE FUNCTION own();
RESET ROLE;
TRUNCATE watched, watching;

SET ROLE filler;
SELECT dynamo.update_table('{"TableName": "Filled", "AttributeDefinitions": [{"AttributeName": "g", "AttributeType": "N"}],
	"GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "by_g", "Projection": {"ProjectionType": "ALL"},
		"KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}]}}]}')
	->'TableDescription'->>'TableName' AS updated;
RESET ROLE;
SELECT rows_done, index_status FROM dynamo.index_builds WHERE table_name = 'Filled';
SELECT count(*) FROM dynamo.query('Filled', 'g = :g', '{":g": 7}', index_name => 'by_g');

-- the expression was evaluated, for rows that found no room on their page
SELECT count(*) > 0 AS written, count(*) = (SELECT count(*) FROM watching) AS all_watched FROM watched;

DROP TABLE ddb."Filled", watched, watching;
DROP FUNCTION innocent(jsonb), write_elsewhere(text), own(), watch();
REVOKE ALL ON SCHEMA ddb, public FROM filler;
DROP ROLE filler;
