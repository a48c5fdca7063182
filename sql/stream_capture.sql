-- Every way to change an item leaves its record, what changes nothing none
SET dynamo.stream_shards = 1;
SELECT dynamo.create_table('{"TableName": "Captured", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"}],
	"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"}}') IS NOT NULL AS created;
CREATE TABLE cursor (last text);
INSERT INTO cursor VALUES ('');
CREATE VIEW news AS
	SELECT r.event_name, r.keys, r.old_image, r.new_image, r.service FROM cursor, dynamo.stream_records('Captured', last) r;
CREATE FUNCTION forget() RETURNS void LANGUAGE sql
	AS $$ UPDATE cursor SET last = coalesce((SELECT "position" FROM dynamo.stream_records('Captured', last) WITH ORDINALITY ORDER BY ordinality DESC LIMIT 1), last) $$;

-- raw SQL
INSERT INTO ddb."Captured"(item) VALUES ('{"pk": "a", "sk": 1, "v": 1}'), ('{"pk": "a", "sk": 2}');
UPDATE ddb."Captured" SET item = item || '{"v": 2}' WHERE sk = 1;
UPDATE ddb."Captured" SET item = item;
DELETE FROM ddb."Captured" WHERE sk = 2;
TABLE news;
SELECT forget();
-- the key changes: another item
UPDATE ddb."Captured" SET item = item || '{"sk": 3}', sk = 3;
-- the same key, written otherwise
UPDATE ddb."Captured" SET sk = 3.0;
TABLE news;
SELECT forget();

-- ON CONFLICT: only what is inserted or updated
INSERT INTO ddb."Captured"(item) VALUES ('{"pk": "a", "sk": 3, "lost": 1}') ON CONFLICT DO NOTHING;
INSERT INTO ddb."Captured"(item) VALUES ('{"pk": "a", "sk": 3, "v": 3}'), ('{"pk": "a", "sk": 4}')
	ON CONFLICT (pk, sk) DO UPDATE SET item = excluded.item;
TABLE news;
SELECT forget();

COPY ddb."Captured"(item) FROM stdin;
{"pk": "c", "sk": 1}
{"pk": "c", "sk": 2}
\.
MERGE INTO ddb."Captured" t USING (VALUES (1), (5)) s(n) ON t.pk = 'c' AND t.sk = s.n
	WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (item) VALUES (jsonb_build_object('pk', 'c', 'sk', n));
TABLE news;
SELECT forget();

-- the operations
SELECT dynamo.put('Captured', '{"pk": "d", "sk": 1}');
SELECT dynamo.update('Captured', '{"pk": "d", "sk": 1}', 'SET a = :a', attribute_values => '{":a": {"$b": "AA=="}}');
SELECT dynamo.update('Captured', '{"pk": "d", "sk": 1}', 'SET a = :a', attribute_values => '{":a": {"$b": "AA=="}}');
SELECT dynamo.delete('Captured', '{"pk": "d", "sk": 1}');
SELECT dynamo.delete('Captured', '{"pk": "d", "sk": 1}');
TABLE news;
SELECT forget();

-- within the transaction that writes nothing is there yet; a savepoint takes back its own
BEGIN;
INSERT INTO ddb."Captured"(item) VALUES ('{"pk": "e", "sk": 1}');
SAVEPOINT a;
INSERT INTO ddb."Captured"(item) VALUES ('{"pk": "e", "sk": 2}');
UPDATE ddb."Captured" SET item = item || '{"v": 1}' WHERE pk = 'e';
ROLLBACK TO a;
SAVEPOINT b;
UPDATE ddb."Captured" SET item = item || '{"v": 2}' WHERE pk = 'e';
RELEASE b;
TABLE news;
COMMIT;
TABLE news;
SELECT forget();
BEGIN;
DELETE FROM ddb."Captured";
ROLLBACK;
TABLE news;

-- a rewrite records nothing, TRUNCATE is refused
ALTER TABLE ddb."Captured" ADD own int DEFAULT random();
VACUUM FULL ddb."Captured";
CLUSTER ddb."Captured" USING "Captured:pk";
TABLE news;
TRUNCATE ddb."Captured";

-- large items: images out of line
INSERT INTO ddb."Captured"(item)
	SELECT jsonb_build_object('pk', 'large', 'sk', 1, 'text', string_agg(md5(n::text), '')) FROM generate_series(1, 3000) n;
UPDATE ddb."Captured" SET item = item || '{"v": 1}' WHERE pk = 'large';
UPDATE ddb."Captured" SET item = item WHERE pk = 'large';
SELECT event_name, length(old_image->>'text'), length(new_image->>'text'), md5(new_image->>'text') = md5((SELECT item->>'text' FROM ddb."Captured" WHERE pk = 'large')) AS same FROM news;

DROP VIEW news;
DROP FUNCTION forget;
DROP TABLE cursor;
SELECT dynamo.delete_table('{"TableName": "Captured"}') IS NOT NULL AS deleted;
