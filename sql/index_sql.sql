-- Plain SQL uses the indexes: the planner finds that the index's predicate
-- follows from the query's comparisons.
SELECT dynamo.create_table('{"TableName": "plain", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
	"AttributeDefinitions": [
		{"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"},
		{"AttributeName": "GSI1PK", "AttributeType": "S"}, {"AttributeName": "GSI1SK", "AttributeType": "S"}],
	"GlobalSecondaryIndexes": [{"IndexName": "GSI1", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [
		{"AttributeName": "GSI1PK", "KeyType": "HASH"}, {"AttributeName": "GSI1SK", "KeyType": "RANGE"}]}]}')
	-> 'TableDescription' ->> 'TableStatus' AS status;
INSERT INTO ddb.plain(item) SELECT jsonb_build_object('PK', i::text, 'SK', 's', 'GSI1PK', 'x' || i % 1000, 'GSI1SK', i::text)
	FROM generate_series(1, 5000) i;
INSERT INTO ddb.plain(item) SELECT jsonb_build_object('PK', 'n' || i, 'SK', 's') FROM generate_series(1, 5000) i;
ANALYZE ddb.plain;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT item FROM ddb.plain WHERE "GSI1PK" = 'x7' AND "GSI1SK" >= '2' ORDER BY "GSI1SK";
EXPLAIN (COSTS OFF) SELECT item FROM ddb.plain WHERE "GSI1PK" = 'x7' AND "GSI1SK" > '' ORDER BY "GSI1SK" DESC LIMIT 2;
SELECT item->>'PK' AS pk FROM ddb.plain WHERE "GSI1PK" = 'x7' AND "GSI1SK" >= '2' ORDER BY "GSI1SK";
DROP TABLE ddb.plain;
