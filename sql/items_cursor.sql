-- query() one by one keeps its place, whatever is closed or rolled back meanwhile
SELECT dynamo.create_table('{"TableName": "Fetched", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"}]}')
	->'TableDescription'->>'TableName' AS created;
INSERT INTO ddb."Fetched" (item) SELECT jsonb_build_object('pk', 'a', 'sk', n) FROM generate_series(1, 1000) n;

CREATE FUNCTION close_all() RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'CLOSE ALL'; END $$;
SELECT count(item), sum((item->>'sk')::int)
FROM (SELECT dynamo.query('Fetched', 'pk = :a', '{":a": "a"}') AS item, close_all()) items;

BEGIN;
DECLARE items CURSOR FOR SELECT dynamo.query('Fetched', 'pk = :a', '{":a": "a"}')->'sk';
SAVEPOINT one;
FETCH 2 FROM items;
ROLLBACK TO one;
FETCH 2 FROM items;
SAVEPOINT two;
MOVE 500 IN items;
ROLLBACK TO two;
FETCH 2 FROM items;
SAVEPOINT three;
SELECT 1 / 0;
ROLLBACK TO three;
FETCH 1 FROM items;
CLOSE items;
COMMIT;

-- a loop that commits, and plans that go while a cursor is open
DO $$
DECLARE
	one jsonb;
	total int := 0;
BEGIN
	FOR one IN SELECT dynamo.scan('Fetched') LOOP
		total := total + (one->>'sk')::int;
		IF total % 100 = 0 THEN
			COMMIT;
		END IF;
	END LOOP;
	RAISE NOTICE 'total %', total;
END $$;
BEGIN;
DECLARE items CURSOR FOR SELECT dynamo.query('Fetched', 'pk = :a', '{":a": "a"}')->'sk';
FETCH 1 FROM items;
ANALYZE ddb."Fetched";
SELECT dynamo.query('Fetched', 'pk = :a', '{":a": "a"}', max_items => 1);
FETCH 1 FROM items;
MOVE ALL IN items;
FETCH 1 FROM items;
COMMIT;

DROP FUNCTION close_all();
DROP TABLE ddb."Fetched";
