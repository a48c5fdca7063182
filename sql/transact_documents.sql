-- dynamo.transact(): plain JSON, and items and relational rows in one transaction
SELECT dynamo.create_table('{"TableName": "stock", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "sku", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "sku", "AttributeType": "S"}]}') IS NOT NULL AS created;
SELECT dynamo.create_table('{"TableName": "orders", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "N"}]}') IS NOT NULL AS created;
CREATE TABLE ledger (order_id int PRIMARY KEY, amount numeric NOT NULL);
SELECT dynamo.put('stock', '{"sku": "pen", "left": 3}');

CREATE FUNCTION place_order(id int, count int) RETURNS void LANGUAGE sql
BEGIN ATOMIC
	SELECT dynamo.transact(jsonb_build_array(
		jsonb_build_object('put', jsonb_build_object('table_name', 'orders',
			'item', jsonb_build_object('id', id, 'sku', 'pen', 'count', count),
			'condition', 'attribute_not_exists(id)')),
		jsonb_build_object('update', jsonb_build_object('table_name', 'stock', 'key', '{"sku": "pen"}'::jsonb,
			'expression', 'SET #left = #left - :count', 'condition', '#left >= :count',
			'attribute_values', jsonb_build_object(':count', count), 'attribute_names', '{"#left": "left"}'::jsonb))));
	INSERT INTO ledger VALUES (id, count * 1.20);
END;
SELECT place_order(1, 2);
SELECT place_order(2, 2);		-- not enough left: the reason shows the item
INSERT INTO ledger VALUES (3, 0);
SELECT place_order(3, 1);		-- the ledger refuses, so the order is not there either
SELECT item FROM ddb.orders;
SELECT item FROM ddb.stock;

-- a savepoint takes back both
BEGIN;
SELECT place_order(4, 1);
SAVEPOINT s;
SELECT dynamo.transact('[{"delete": {"table_name": "orders", "key": {"id": 4}}}, {"check": {"table_name": "stock", "key": {"sku": "pen"}, "condition": "attribute_exists(sku)"}}]');
DELETE FROM ledger WHERE order_id = 4;
ROLLBACK TO s;
COMMIT;
SELECT item FROM ddb.orders ORDER BY id;
SELECT item FROM ddb.stock;
SELECT * FROM ledger ORDER BY order_id;

-- no two actions on one item, and no write in a read-only transaction
SELECT dynamo.transact('[{"delete": {"table_name": "orders", "key": {"id": 4}}}, {"put": {"table_name": "orders", "item": {"id": 4.0}}}]');
BEGIN READ ONLY;
SELECT dynamo.transact('[{"check": {"table_name": "orders", "key": {"id": 4}, "condition": "attribute_exists(id)"}}]');
ROLLBACK;

DROP FUNCTION place_order;
DROP TABLE ledger;
DROP TABLE ddb.stock, ddb.orders;
