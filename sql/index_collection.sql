-- Item collections of a table with local indexes have a limit, settable here;
-- entries of local indexes count, by whatever statement an item is written.
SELECT dynamo.create_table('{"TableName": "collected", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"},
		{"AttributeName": "l", "AttributeType": "S"}],
	"LocalSecondaryIndexes": [{"IndexName": "local", "Projection": {"ProjectionType": "KEYS_ONLY"}, "KeySchema": [
		{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "l", "KeyType": "RANGE"}]}]}')
	-> 'TableDescription' ->> 'TableStatus' AS status;
CREATE FUNCTION pg_temp.size(pk text) RETURNS numeric LANGUAGE sql AS $$
	SELECT coalesce(sum(bytes), 0) FROM dynamo.collection_sizes WHERE relation = 'ddb.collected'::regclass
		AND collection = hashtextextended(pk, 0)
$$;
-- a limit of 4 MB notes every kilobyte at once
SET dynamo.item_collection_limit = '4MB';
SELECT dynamo.put_item(jsonb_build_object('TableName', 'collected', 'ReturnItemCollectionMetrics', 'SIZE',
	'Item', dynamo.from_item(jsonb_build_object('pk', 'a', 'sk', '1', 'pad', repeat('x', 2000)))));
SELECT pg_temp.size('a') = dynamo.item_size(item) AS exact FROM ddb.collected;
SELECT dynamo.update_item(jsonb_build_object('TableName', 'collected', 'ReturnItemCollectionMetrics', 'SIZE',
	'Key', dynamo.from_item('{"pk": "a", "sk": "1"}'), 'UpdateExpression', 'SET l = :l',
	'ExpressionAttributeValues', jsonb_build_object(':l', jsonb_build_object('S', repeat('l', 1000)))));
-- pk, sk and l once more, with their names
SELECT pg_temp.size('a') - dynamo.item_size(item) AS entry FROM ddb.collected;
INSERT INTO ddb.collected(item) SELECT jsonb_build_object('pk', 'a', 'sk', 's' || i, 'pad', repeat('x', 3000)) FROM generate_series(1, 300) i;
SELECT pg_temp.size('a') = (SELECT sum(dynamo.item_size(item)) FROM ddb.collected) + 1007 AS exact;
-- many rows of one collection become one now and then
SELECT count(*) < 300 AS folded FROM dynamo.collection_sizes WHERE relation = 'ddb.collected'::regclass;
DELETE FROM ddb.collected WHERE sk <> '1';
SELECT pg_temp.size('a') - dynamo.item_size(item) AS entry FROM ddb.collected;
-- a rollback takes it back
BEGIN;
SELECT dynamo.put('collected', jsonb_build_object('pk', 'a', 'sk', '2', 'pad', repeat('x', 2000))) IS NULL AS absent;
ROLLBACK;
SELECT pg_temp.size('a') - dynamo.item_size(item) AS entry FROM ddb.collected;

-- over the limit nothing grows; what makes it smaller may be done
SET dynamo.item_collection_limit = '4kB';
SELECT dynamo.put('collected', jsonb_build_object('pk', 'a', 'sk', '2', 'pad', repeat('x', 2000)));
INSERT INTO ddb.collected(item) VALUES (jsonb_build_object('pk', 'a', 'sk', '2', 'pad', repeat('x', 2000)));
SELECT dynamo.put('collected', jsonb_build_object('pk', 'b', 'sk', '2', 'pad', repeat('x', 2000))) IS NULL AS absent;
SELECT dynamo.update('collected', '{"pk": "a", "sk": "1"}', 'REMOVE l') ? 'l' AS l;
SELECT dynamo.put('collected', jsonb_build_object('pk', 'a', 'sk', '2', 'pad', repeat('x', 1000))) IS NULL AS absent;

-- counted anew
SET dynamo.item_collection_limit = '4MB';
TRUNCATE ddb.collected;
SELECT pg_temp.size('b') > 0 AS stale;
INSERT INTO ddb.collected(item) VALUES (jsonb_build_object('pk', 'c', 'sk', '2', 'pad', repeat('x', 2000)));
SELECT dynamo.recount_item_collections('ddb.collected');
SELECT pg_temp.size('b') AS b, pg_temp.size('c') = dynamo.item_size(item) AS exact FROM ddb.collected;

-- the sample's error stays within its bound: 100 bytes a write, 10,240 bytes a grain
SET dynamo.item_collection_limit = '40MB';
INSERT INTO ddb.collected(item) SELECT jsonb_build_object('pk', 'd', 'sk', to_char(i, 'FM00000'), 'pad', repeat('x', 83)) FROM generate_series(1, 20000) i;
SELECT sum(dynamo.item_size(item)) AS true_size, abs(pg_temp.size('d') - sum(dynamo.item_size(item))) < 5 * sqrt(10240 * sum(dynamo.item_size(item))) AS within_five_sigma,
	(SELECT count(*) FROM dynamo.collection_sizes WHERE collection = hashtextextended('d', 0)) < 300 AS few_rows
FROM ddb.collected WHERE pk = 'd';
DROP TABLE ddb.collected;
SELECT count(*) FROM dynamo.collection_sizes;
