-- The e-commerce example: a shop in a single DynamoDB table.
--
-- Every statement is printed with its result.  The first error ends the
-- script with a failure; the one refusal that belongs to the example is caught.
\set ON_ERROR_STOP on
\set QUIET on
\pset pager off
\pset null '(null)'
\set ECHO queries

\echo
\echo '== The extension, and one table for everything: users, orders, addresses, groups'
\echo

CREATE EXTENSION dynamo;

SELECT dynamo.create_table('{
	"TableName": "Shop",
	"AttributeDefinitions": [
		{"AttributeName": "PK", "AttributeType": "S"},
		{"AttributeName": "SK", "AttributeType": "S"},
		{"AttributeName": "OrderId", "AttributeType": "S"}],
	"KeySchema": [
		{"AttributeName": "PK", "KeyType": "HASH"},
		{"AttributeName": "SK", "KeyType": "RANGE"}],
	"GlobalSecondaryIndexes": [
		{"IndexName": "ByOrderId",
		 "KeySchema": [{"AttributeName": "OrderId", "KeyType": "HASH"}],
		 "Projection": {"ProjectionType": "ALL"}},
		{"IndexName": "Inverted",
		 "KeySchema": [
			{"AttributeName": "SK", "KeyType": "HASH"},
			{"AttributeName": "PK", "KeyType": "RANGE"}],
		 "Projection": {"ProjectionType": "ALL"}}],
	"BillingMode": "PAY_PER_REQUEST"
}') #>> '{TableDescription,TableStatus}' AS table_status;

\echo
\echo '== Users and their orders lie together: same partition key'
\echo

SELECT dynamo.put('Shop', '{"PK": "USER#alice", "SK": "PROFILE", "name": "Alice", "email": "alice@example.com", "tags": {"$ss": ["beta", "vip"]}}');
SELECT dynamo.put('Shop', '{"PK": "USER#bob", "SK": "PROFILE", "name": "Bob", "email": "bob@example.com"}');
SELECT dynamo.put('Shop', '{"PK": "USER#alice", "SK": "ORDER#2024-01-15", "OrderId": "1001", "total": 49.90, "status": "delivered", "basket": [{"sku": "pen", "n": 3}]}');
SELECT dynamo.put('Shop', '{"PK": "USER#alice", "SK": "ORDER#2024-02-20", "OrderId": "1002", "total": 12.50, "status": "delivered", "basket": [{"sku": "ink", "n": 1}]}');
SELECT dynamo.put('Shop', '{"PK": "USER#alice", "SK": "ORDER#2024-03-05", "OrderId": "1003", "total": 230.00, "status": "shipped", "basket": [{"sku": "desk", "n": 1}]}');
SELECT dynamo.put('Shop', '{"PK": "USER#bob", "SK": "ORDER#2024-03-01", "OrderId": "1004", "total": 7.25, "status": "open", "basket": [{"sku": "pen", "n": 1}]}');

SELECT dynamo.get('Shop', '{"PK": "USER#alice", "SK": "PROFILE"}');

\echo
\echo '== A user''s orders, newest first'
\echo

SELECT item->>'OrderId' AS order_id, item->>'SK' AS placed, item->>'total' AS total
FROM dynamo.query('Shop', 'PK = :user AND begins_with(SK, :order)',
	attribute_values => '{":user": "USER#alice", ":order": "ORDER#"}',
	forward => false, max_items => 2) AS item;

\echo
\echo '== An order by its id, through a secondary index'
\echo

SELECT item->>'PK' AS customer, item->>'status' AS status, item->>'total' AS total
FROM dynamo.query('Shop', 'OrderId = :id', index_name => 'ByOrderId',
	attribute_values => '{":id": "1004"}') AS item;

\echo
\echo '== A name that is taken: the conditional put refuses to overwrite'
\echo

\set ON_ERROR_STOP off
SELECT dynamo.put('Shop', '{"PK": "USER#alice", "SK": "PROFILE", "name": "Mallory"}',
	condition => 'attribute_not_exists(PK)');
\set refusal :LAST_ERROR_SQLSTATE
\set ON_ERROR_STOP on

SELECT dynamo.get('Shop', '{"PK": "USER#alice", "SK": "PROFILE"}')->>'name' AS still_alice;

\set ECHO none
-- ends the demo unless it was this refusal
SELECT set_config('demo.refusal', :'refusal', false) AS ignored \gset
DO $$
BEGIN
	ASSERT current_setting('demo.refusal') = 'DY003', 'the put was not refused as it should';
END
$$;
\set ECHO queries

\echo
\echo '== An atomic counter'
\echo

SELECT dynamo.update('Shop', '{"PK": "COUNTER", "SK": "orders"}', 'ADD hits :one',
	attribute_values => '{":one": 1}')->'hits' AS hits;
SELECT dynamo.update('Shop', '{"PK": "COUNTER", "SK": "orders"}', 'ADD hits :one',
	attribute_values => '{":one": 1}')->'hits' AS hits;

\echo
\echo '== An update under a condition: ship the order, but only once'
\echo

SELECT dynamo.update('Shop', '{"PK": "USER#bob", "SK": "ORDER#2024-03-01"}',
	'SET #status = :shipped, basket[0].packed = :yes', condition => '#status = :open',
	attribute_names => '{"#status": "status"}',
	attribute_values => '{":shipped": "shipped", ":open": "open", ":yes": true}');

\echo
\echo '== A hierarchical sort key: stores by country, state, city'
\echo

SELECT count(dynamo.put('Shop', jsonb_build_object('PK', 'STORES', 'SK', place, 'staff', staff)))
FROM (VALUES
	('US#NY#New York#5th Avenue', 12),
	('US#NY#New York#Broadway', 8),
	('US#NY#Albany#Main Street', 3),
	('US#CA#Los Angeles#Sunset', 9),
	('DE#BE#Berlin#Mitte', 5)) AS stores(place, staff);

SELECT level, (SELECT array_agg(item->>'SK' ORDER BY n)
	FROM dynamo.query('Shop', 'PK = :stores AND begins_with(SK, :place)',
		attribute_values => jsonb_build_object(':stores', 'STORES', ':place', place))
		WITH ORDINALITY AS store(item, n)) AS stores
FROM (VALUES
	('country', 'US#'),
	('state', 'US#NY#'),
	('city', 'US#NY#New York#'),
	('store', 'US#NY#New York#Broadway')) AS levels(level, place);

\echo
\echo '== An adjacency list: who is in which group, asked from both sides'
\echo

SELECT count(dynamo.put('Shop', jsonb_build_object('PK', member, 'SK', team, 'since', since)))
FROM (VALUES
	('USER#alice', 'GROUP#writers', 2021),
	('USER#alice', 'GROUP#buyers', 2023),
	('USER#bob', 'GROUP#buyers', 2024)) AS membership(member, team, since);

SELECT item->>'SK' AS groups_of_alice, item->>'since' AS since
FROM dynamo.query('Shop', 'PK = :user AND begins_with(SK, :group)',
	attribute_values => '{":user": "USER#alice", ":group": "GROUP#"}') AS item;

SELECT item->>'PK' AS members_of_buyers, item->>'since' AS since
FROM dynamo.query('Shop', 'SK = :group', index_name => 'Inverted',
	attribute_values => '{":group": "GROUP#buyers"}') AS item;

\echo
\echo '== The same operations with the API''s own JSON, as an AWS SDK sends it'
\echo

SELECT dynamo.put_item('{
	"TableName": "Shop",
	"Item": {"PK": {"S": "USER#carol"}, "SK": {"S": "PROFILE"}, "name": {"S": "Carol"}, "logins": {"N": "1"}},
	"ReturnConsumedCapacity": "TOTAL"
}');

SELECT jsonb_pretty(dynamo.query('{
	"TableName": "Shop",
	"KeyConditionExpression": "PK = :user AND begins_with(SK, :order)",
	"ExpressionAttributeValues": {":user": {"S": "USER#alice"}, ":order": {"S": "ORDER#"}},
	"ProjectionExpression": "OrderId, #total",
	"ExpressionAttributeNames": {"#total": "total"},
	"Limit": 2
}')) AS query_response;

\echo
\echo '== Items are rows: joined with a relational table, in one transaction with it'
\echo

CREATE TABLE price (sku text PRIMARY KEY, cents integer NOT NULL);
BEGIN;
INSERT INTO price VALUES ('pen', 120), ('ink', 1250), ('desk', 23000);
SELECT dynamo.put('Shop', '{"PK": "USER#carol", "SK": "ORDER#2024-03-09", "OrderId": "1005", "total": 13.70, "status": "open", "basket": [{"sku": "ink", "n": 1}, {"sku": "pen", "n": 1}]}');
COMMIT;

SELECT shop.item->>'OrderId' AS order_id, line->>'sku' AS sku, (line->>'n')::int * price.cents AS cents
FROM ddb."Shop" AS shop
CROSS JOIN jsonb_array_elements(shop.item->'basket') AS line
JOIN price ON price.sku = line->>'sku'
WHERE shop."PK" = 'USER#carol'
ORDER BY sku;

\echo
\echo '== Plain SQL writes items too, checked like any other; and the planner knows the keys'
\echo

INSERT INTO ddb."Shop" (item)
SELECT jsonb_build_object('PK', 'USER#' || u, 'SK', 'ORDER#2023-' || to_char(o, 'FM000'),
	'OrderId', 'old-' || u || '-' || o, 'total', o, 'status', 'delivered')
FROM generate_series(1, 200) AS u, generate_series(1, 20) AS o;
ANALYZE ddb."Shop";

EXPLAIN (COSTS OFF)
SELECT item->>'total' FROM ddb."Shop"
WHERE "PK" = 'USER#7' AND "SK" >= 'ORDER#' AND "SK" < 'ORDER$'
ORDER BY "SK" DESC LIMIT 3;

SELECT item->>'status' AS status, count(*), sum((item->>'total')::numeric) AS total
FROM ddb."Shop"
WHERE item ? 'status'
GROUP BY 1 ORDER BY 1;
