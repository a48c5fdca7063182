-- key locks: of a class of their own, bounded, and gone with the transaction
SELECT dynamo.create_table('{"TableName": "locks", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}') IS NOT NULL AS created;
CREATE VIEW key_locks AS SELECT mode, objid = 1024 AS all_stripes, count(*) FROM pg_locks
	WHERE locktype = 'object' AND classid = 'dynamo.transaction_tokens'::regclass AND pid = pg_backend_pid()
	GROUP BY 1, 2 ORDER BY 1, 2;

-- a transaction locks its keys, also those that it only checks
BEGIN;
SELECT dynamo.transact('[{"check": {"table_name": "locks", "key": {"pk": "a"}, "condition": "attribute_not_exists(pk)"}}, {"delete": {"table_name": "locks", "key": {"pk": "b"}}}]');
SELECT * FROM key_locks;
COMMIT;
SELECT * FROM key_locks;

-- a single write locks a key only to create the item
SELECT dynamo.put('locks', '{"pk": "there"}');
BEGIN;
SELECT dynamo.update('locks', '{"pk": "there"}', 'SET n = :v', attribute_values => '{":v": 1}');
SELECT dynamo.delete('locks', '{"pk": "missing"}');
SELECT * FROM key_locks;
SELECT dynamo.update('locks', '{"pk": "new"}', 'SET n = :v', attribute_values => '{":v": 1}');
SELECT * FROM key_locks;
COMMIT;

-- a session that creates many takes one lock for the rest
BEGIN;
SELECT count(dynamo.put('locks', jsonb_build_object('pk', 'k' || n))) FROM generate_series(1, 2000) n;
SELECT * FROM key_locks;
ROLLBACK;

DROP VIEW key_locks;
DROP TABLE ddb.locks;
