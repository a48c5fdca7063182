-- what is written as jsonb is, byte for byte, what the cast from its text makes
SELECT setseed(0.17);

CREATE FUNCTION pg_temp.same(answer jsonb) RETURNS bool LANGUAGE sql AS $$
	SELECT record_image_eq(ROW(answer), ROW(answer::text::jsonb))
$$;

-- containers around the strides of entries, and empty ones
SELECT n, pg_temp.same(dynamo.from_item(jsonb_build_object(
	'list', (SELECT coalesce(jsonb_agg(i), '[]') FROM generate_series(1, n) AS i),
	'map', (SELECT coalesce(jsonb_object_agg(i, repeat('x', i % 7)), '{}') FROM generate_series(1, n) AS i),
	'set', (SELECT CASE WHEN n = 0 THEN 'true' ELSE jsonb_build_object('$ns', jsonb_agg(i)) END FROM generate_series(1, n) AS i))))
FROM unnest(ARRAY[0, 1, 2, 31, 32, 33, 63, 64, 65, 1000, 5000]) AS n;

-- every type, and what in text needs an escape
SELECT dynamo.from_item(item), pg_temp.same(dynamo.from_item(item))
FROM (VALUES ('{"s": "text", "n": -12.50, "b": {"$b": "AAEC"}, "t": true, "f": false, "z": null, "l": [1, "x", []], "m": {"a": {}}}'::jsonb),
	('{"ss": {"$ss": ["a", "b"]}, "ns": {"$ns": [1, 2.5]}, "bs": {"$bs": ["AA==", "/w=="]}, "w": {"$m": {"$b": "AA=="}}}'),
	(E'{"\\"\\\\/\\b\\f\\n\\r\\t": "\\"\\\\/\\b\\f\\n\\r\\t", "\\u0001\\u0001": "\\u0001\\u0002", "é": "€😀"}')) AS v (item);
SELECT pg_temp.same(dynamo.from_item(jsonb_build_object('s', repeat('long ', 60000), 'e', repeat(E'\n', 100001))));

-- responses, whose members are written in no order
SELECT pg_temp.same(dynamo.create_table('{"TableName": "json_writer", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"}]}'::jsonb));
SELECT pg_temp.same(dynamo.describe_table('{"TableName": "json_writer"}'::jsonb));
INSERT INTO ddb.json_writer (item)
SELECT jsonb_build_object('pk', 'p' || i % 3, 'sk', i, 'text', repeat('t', i), 'list', jsonb_build_array(i, 'x', jsonb_build_object('a', i)))
FROM generate_series(1, 300) AS i;
SELECT pg_temp.same(page), jsonb_array_length(page -> 'Items') AS items, page -> 'Items' -> 0 -> 'list' -> 'L' -> 2 AS third,
	(SELECT count(*) FROM jsonb_array_elements(page -> 'Items') AS item
		WHERE dynamo.from_item(dynamo.to_item(item)) = item) AS convertible
FROM dynamo.query('{"TableName": "json_writer", "KeyConditionExpression": "pk = :p", "Limit": 70, "ReturnConsumedCapacity": "INDEXES",
	"ExpressionAttributeValues": {":p": {"S": "p1"}}}'::jsonb) AS page;

-- what a projection has begun and finds nothing in leaves no trace
SELECT pg_temp.same(found), found
FROM dynamo.get_item('{"TableName": "json_writer", "Key": {"pk": {"S": "p1"}, "sk": {"N": "1"}},
	"ProjectionExpression": "nothing.#l, #l[7], #l[2].nothing, pk, #l[2].a, #l[0], #t.x", "ExpressionAttributeNames": {"#l": "list", "#t": "text"}}'::jsonb) AS found;
SELECT pg_temp.same(dynamo.delete_table('{"TableName": "json_writer"}'::jsonb));
