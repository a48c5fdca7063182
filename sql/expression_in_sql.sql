-- the functions in plain SQL: constraint, index, view, join
CREATE TEMP TABLE orders (id int PRIMARY KEY, item jsonb NOT NULL
	CHECK (dynamo.matches(item, 'attribute_exists(amount) AND amount >= :zero', '{":zero": 0}')));
INSERT INTO orders SELECT i, jsonb_build_object('amount', i * 10, 'tags', jsonb_build_object('$ss', jsonb_build_array('t' || i % 3))) FROM generate_series(1, 9) i;
INSERT INTO orders VALUES (10, '{"amount": -1}');
CREATE INDEX ON orders (id) WHERE dynamo.matches(item, 'amount > :v', '{":v": 50}');
CREATE TEMP VIEW tagged AS SELECT id, dynamo.project(item, 'amount') AS item FROM orders WHERE dynamo.matches(item, 'contains(tags, :t)', '{":t": "t1"}');
SELECT * FROM tagged ORDER BY id;
UPDATE orders SET item = dynamo.apply_update(item, 'ADD amount :one REMOVE tags', '{":one": 1}') WHERE id < 3 RETURNING *;
SELECT o.id, v.value FROM orders o, (VALUES (21), (30)) v(value)
WHERE dynamo.matches(o.item, 'amount = :v', jsonb_build_object(':v', v.value)) ORDER BY o.id;
SELECT count(*) FROM orders WHERE dynamo.matches(item, condition => 'amount < :v', attribute_values => '{":v": 50}');
