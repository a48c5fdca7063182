-- Keys of several attributes at the limits: entries of the B-tree have room for
-- 2,704 bytes, the values here do not compress, and every item is found.
-- 2,048 bytes of partition key and 1,024 of sort key, all attributes together.
CREATE FUNCTION pg_temp.noise(seed text, bytes int) RETURNS text LANGUAGE sql AS $$
	SELECT left(string_agg(md5(seed || i), ''), bytes) FROM generate_series(1, bytes / 32 + 1) i
$$;

SELECT dynamo.create_table('{"TableName": "long_keys", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [
		{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"},
		{"AttributeName": "a", "AttributeType": "S"}, {"AttributeName": "b", "AttributeType": "S"},
		{"AttributeName": "c", "AttributeType": "S"}, {"AttributeName": "d", "AttributeType": "S"},
		{"AttributeName": "e", "AttributeType": "S"}, {"AttributeName": "f", "AttributeType": "S"},
		{"AttributeName": "g", "AttributeType": "S"}, {"AttributeName": "h", "AttributeType": "S"}],
	"GlobalSecondaryIndexes": [{"IndexName": "eight", "Projection": {"ProjectionType": "KEYS_ONLY"}, "KeySchema": [
		{"AttributeName": "a", "KeyType": "HASH"}, {"AttributeName": "b", "KeyType": "HASH"},
		{"AttributeName": "c", "KeyType": "HASH"}, {"AttributeName": "d", "KeyType": "HASH"},
		{"AttributeName": "e", "KeyType": "RANGE"}, {"AttributeName": "f", "KeyType": "RANGE"},
		{"AttributeName": "g", "KeyType": "RANGE"}, {"AttributeName": "h", "KeyType": "RANGE"}]}]}')
	-> 'TableDescription' ->> 'TableStatus';

-- at the limits: the table's keys too
SELECT dynamo.put('long_keys', jsonb_build_object('pk', pg_temp.noise('pk' || i, 2048), 'sk', pg_temp.noise('sk' || i, 1024),
	'a', pg_temp.noise('a', 512), 'b', pg_temp.noise('b', 512), 'c', pg_temp.noise('c', 512), 'd', pg_temp.noise('d', 512),
	'e', pg_temp.noise('e', 256), 'f', pg_temp.noise('f', 256), 'g', pg_temp.noise('g', 256), 'h', pg_temp.noise('h' || i, 256))) IS NULL AS absent
FROM generate_series(1, 3) i;

SELECT item->>'h' = pg_temp.noise('h2', 256) AS found FROM dynamo.query('long_keys',
	'a = :a AND b = :b AND c = :c AND d = :d AND e = :e AND f = :f AND g = :g AND h = :h',
	jsonb_build_object(':a', pg_temp.noise('a', 512), ':b', pg_temp.noise('b', 512), ':c', pg_temp.noise('c', 512), ':d', pg_temp.noise('d', 512),
		':e', pg_temp.noise('e', 256), ':f', pg_temp.noise('f', 256), ':g', pg_temp.noise('g', 256), ':h', pg_temp.noise('h2', 256)),
	index_name => 'eight') item;
SELECT count(*) FROM dynamo.query('long_keys', 'a = :a AND b = :b AND c = :c AND d = :d',
	jsonb_build_object(':a', pg_temp.noise('a', 512), ':b', pg_temp.noise('b', 512), ':c', pg_temp.noise('c', 512), ':d', pg_temp.noise('d', 512)),
	index_name => 'eight') item;
-- one byte more, in either key
SELECT dynamo.put('long_keys', jsonb_build_object('pk', 'p', 'sk', 's',
	'a', pg_temp.noise('a', 513), 'b', pg_temp.noise('b', 512), 'c', pg_temp.noise('c', 512), 'd', pg_temp.noise('d', 512),
	'e', 'e', 'f', 'f', 'g', 'g', 'h', 'h'));
SELECT dynamo.put('long_keys', jsonb_build_object('pk', 'p', 'sk', 's',
	'a', 'a', 'b', 'b', 'c', 'c', 'd', 'd',
	'e', pg_temp.noise('e', 257), 'f', pg_temp.noise('f', 256), 'g', pg_temp.noise('g', 256), 'h', pg_temp.noise('h', 256)));
-- a page after each item, both ways, and a parallel scan
SELECT count(*), count(DISTINCT item->>'pk') FROM dynamo.scan('long_keys', index_name => 'eight') item;
SELECT dynamo.scan(jsonb_build_object('TableName', 'long_keys', 'IndexName', 'eight', 'Select', 'COUNT', 'Segment', s, 'TotalSegments', 2)) -> 'Count' AS count
FROM generate_series(0, 1) s;
WITH RECURSIVE page(n, response) AS (
	SELECT 1, dynamo.scan('{"TableName": "long_keys", "IndexName": "eight", "Limit": 1}'::jsonb)
	UNION ALL
	SELECT n + 1, dynamo.scan(jsonb_build_object('TableName', 'long_keys', 'IndexName', 'eight', 'Limit', 1,
		'ExclusiveStartKey', response->'LastEvaluatedKey'))
	FROM page WHERE response ? 'LastEvaluatedKey' AND n < 10)
SELECT sum((response->>'Count')::int) AS items, count(DISTINCT response->'Items') FILTER (WHERE response->'Count' = '1') AS distinct_items FROM page;

-- A partition key attribute of one index is stored whole up to 1,024 bytes and
-- as 600 bytes and a digest beyond: a value may look like another's digest, but
-- the items tell them apart.
SELECT dynamo.create_table('{"TableName": "long_partition", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "g", "AttributeType": "S"}],
	"GlobalSecondaryIndexes": [{"IndexName": "by_g", "Projection": {"ProjectionType": "ALL"},
		"KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}]}]}') -> 'TableDescription' ->> 'TableStatus';
SELECT dynamo.put('long_partition', jsonb_build_object('pk', 'long', 'g', pg_temp.noise('g', 2048))) IS NULL AS absent;
SELECT dynamo.put('long_partition', jsonb_build_object('pk', 'digest', 'g', g)) IS NULL AS absent FROM ddb.long_partition WHERE pk = 'long';
SELECT length(g), count(*) FROM ddb.long_partition GROUP BY 1;
SELECT item->>'pk' AS pk FROM dynamo.query('long_partition', 'g = :g', jsonb_build_object(':g', pg_temp.noise('g', 2048)), index_name => 'by_g') item;
SELECT item->>'pk' AS pk FROM dynamo.query('long_partition', 'g = :g', (SELECT jsonb_build_object(':g', g) FROM ddb.long_partition LIMIT 1), index_name => 'by_g') item;
DROP TABLE ddb.long_keys, ddb.long_partition;
