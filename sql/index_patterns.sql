-- The patterns of docs/indexes.md, on one table.
SELECT dynamo.create_table('{"TableName": "shop", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
	"AttributeDefinitions": [
		{"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"},
		{"AttributeName": "GSI1PK", "AttributeType": "S"}, {"AttributeName": "GSI1SK", "AttributeType": "S"},
		{"AttributeName": "flagged_at", "AttributeType": "S"}, {"AttributeName": "flag", "AttributeType": "S"}],
	"GlobalSecondaryIndexes": [
		{"IndexName": "GSI1", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [
			{"AttributeName": "GSI1PK", "KeyType": "HASH"}, {"AttributeName": "GSI1SK", "KeyType": "RANGE"}]},
		{"IndexName": "inverted", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [
			{"AttributeName": "SK", "KeyType": "HASH"}, {"AttributeName": "PK", "KeyType": "RANGE"}]},
		{"IndexName": "flagged", "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["reason"]}, "KeySchema": [
			{"AttributeName": "flag", "KeyType": "HASH"}, {"AttributeName": "flagged_at", "KeyType": "RANGE"}]}]}')
	-> 'TableDescription' ->> 'TableStatus' AS status;

SELECT count(dynamo.put('shop', item)) FROM jsonb_array_elements('[
	{"PK": "TENANT#acme", "SK": "USER#1", "name": "Ada", "GSI1PK": "EMAIL#ada@example.org", "GSI1SK": "USER"},
	{"PK": "TENANT#acme", "SK": "USER#2", "name": "Bob", "GSI1PK": "EMAIL#bob@example.org", "GSI1SK": "USER"},
	{"PK": "TENANT#umbrella", "SK": "USER#3", "name": "Ada", "GSI1PK": "EMAIL#ada@example.org", "GSI1SK": "USER"},
	{"PK": "TENANT#acme", "SK": "ORDER#1", "total": 10, "GSI1PK": "STATUS#shipped", "GSI1SK": "2026-11-01T10:00:00Z"},
	{"PK": "TENANT#acme", "SK": "ORDER#2", "total": 20, "GSI1PK": "STATUS#open", "GSI1SK": "2026-11-02T10:00:00Z"},
	{"PK": "TENANT#umbrella", "SK": "ORDER#3", "total": 30, "GSI1PK": "STATUS#open", "GSI1SK": "2026-11-03T10:00:00Z"},
	{"PK": "PRODUCT#1", "SK": "DETAIL", "title": "Anvil", "GSI1PK": "CATEGORY#tools", "GSI1SK": "PRICE#00100"},
	{"PK": "PRODUCT#2", "SK": "DETAIL", "title": "Saw", "GSI1PK": "CATEGORY#tools", "GSI1SK": "PRICE#00030"},
	{"PK": "ORDER#1", "SK": "PRODUCT#1", "quantity": 2},
	{"PK": "ORDER#1", "SK": "PRODUCT#2", "quantity": 1},
	{"PK": "ORDER#2", "SK": "PRODUCT#2", "quantity": 5}]') item;

-- overloading: one index answers for e-mail addresses, states and categories
SELECT item->>'PK' AS tenant, item->>'name' AS name FROM dynamo.query('shop', 'GSI1PK = :k', '{":k": "EMAIL#ada@example.org"}', index_name => 'GSI1') item;
SELECT item->>'title' AS title FROM dynamo.query('shop', 'GSI1PK = :k AND GSI1SK < :p', '{":k": "CATEGORY#tools", ":p": "PRICE#00050"}', index_name => 'GSI1') item;
-- orders of a state, the newest first
SELECT item->>'SK' AS order, item->>'GSI1SK' AS at FROM dynamo.query('shop', 'GSI1PK = :k', '{":k": "STATUS#open"}', index_name => 'GSI1', forward => false, max_items => 10) item;
-- a change of the state moves the order
SELECT dynamo.update('shop', '{"PK": "TENANT#acme", "SK": "ORDER#2"}', 'SET GSI1PK = :k', attribute_values => '{":k": "STATUS#shipped"}')->>'GSI1PK' AS state;
SELECT item->>'SK' AS order FROM dynamo.query('shop', 'GSI1PK = :k', '{":k": "STATUS#shipped"}', index_name => 'GSI1', forward => false) item;

-- sparse: only flagged users are in the index at all, and no longer when the flag goes
SELECT dynamo.update('shop', '{"PK": "TENANT#acme", "SK": "USER#2"}', 'SET flag = :f, flagged_at = :t, reason = :r',
	attribute_values => '{":f": "FLAGGED", ":t": "2026-11-05", ":r": "chargeback"}') ? 'flag' AS flagged;
SELECT item FROM dynamo.scan('shop', index_name => 'flagged') item;
SELECT dynamo.update('shop', '{"PK": "TENANT#acme", "SK": "USER#2"}', 'REMOVE flag') ? 'flag' AS flagged;
SELECT count(*) FROM dynamo.scan('shop', index_name => 'flagged') item;

-- adjacency list: the products of an order by the table, the orders of a product by the inverted index
SELECT item->>'SK' AS product FROM dynamo.query('shop', 'PK = :k', '{":k": "ORDER#1"}') item;
SELECT item->>'PK' AS order, item->'quantity' AS quantity FROM dynamo.query('shop', 'SK = :k', '{":k": "PRODUCT#2"}', index_name => 'inverted') item;

-- write sharding: ten shards of one hot key, summed
SELECT count(dynamo.update('shop', jsonb_build_object('PK', 'VOTES#' || i % 10, 'SK', 'COUNT'), 'ADD votes :one SET GSI1PK = :k, GSI1SK = :s',
	attribute_values => jsonb_build_object(':one', 1, ':k', 'VOTES', ':s', (i % 10)::text))) FROM generate_series(1, 137) i;
SELECT count(*) AS shards, sum((item->'votes')::int) AS votes FROM dynamo.query('shop', 'GSI1PK = :k', '{":k": "VOTES"}', index_name => 'GSI1') item;
-- the same in plain SQL, by the same index
SELECT count(*) AS shards, sum((item->'votes')::int) AS votes FROM ddb.shop WHERE "GSI1PK" = 'VOTES' AND "GSI1SK" >= '';
DROP TABLE ddb.shop;
