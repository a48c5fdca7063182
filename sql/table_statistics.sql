-- ItemCount and sizes: exact while a table is small, estimated later
SELECT dynamo.create_table('{"TableName": "counted", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "gk", "AttributeType": "N"}], "BillingMode": "PAY_PER_REQUEST",
	"GlobalSecondaryIndexes": [
		{"IndexName": "all", "KeySchema": [{"AttributeName": "gk", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}},
		{"IndexName": "keys", "KeySchema": [{"AttributeName": "gk", "KeyType": "HASH"}], "Projection": {"ProjectionType": "KEYS_ONLY"}},
		{"IndexName": "some", "KeySchema": [{"AttributeName": "gk", "KeyType": "HASH"}], "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x"]}}]}')
	#>> '{TableDescription,TableStatus}';
CREATE FUNCTION pg_temp.sizes() RETURNS TABLE (name text, items text, bytes text) LANGUAGE sql AS $$
	SELECT t->>'TableName', t->>'ItemCount', t->>'TableSizeBytes' FROM (SELECT dynamo.describe_table('{"TableName": "counted"}')->'Table') d(t)
	UNION ALL
	SELECT i->>'IndexName', i->>'ItemCount', i->>'IndexSizeBytes'
	FROM jsonb_array_elements(dynamo.describe_table('{"TableName": "counted"}') #> '{Table,GlobalSecondaryIndexes}') i
$$;
SELECT * FROM pg_temp.sizes();
INSERT INTO ddb.counted (item) VALUES ('{"pk": "1", "gk": 5, "x": "xx", "y": "yyy"}'), ('{"pk": "2"}');
SELECT * FROM pg_temp.sizes();
SELECT sum(dynamo.item_size(item)) FROM ddb.counted;
-- beyond a megabyte by the planner's statistics: none yet, then those of ANALYZE
INSERT INTO ddb.counted (item) SELECT jsonb_build_object('pk', 'n' || n, 'filler', repeat('x', 100)) FROM generate_series(1, 20000) n;
ANALYZE ddb.counted;
SELECT items FROM pg_temp.sizes() WHERE name = 'counted';
SELECT bytes::int > 1024 * 1024 FROM pg_temp.sizes() WHERE name = 'counted';
SELECT dynamo.delete_table('{"TableName": "counted"}') #>> '{TableDescription,TableStatus}';
