-- from_item() takes what people type, brings it to the stored form, and says what cannot be an item
CREATE FUNCTION pg_temp.stored(item text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.to_item(dynamo.from_item(item::jsonb));
EXCEPTION WHEN SQLSTATE 'DY001' THEN
	RETURN SQLERRM;
END
$$;

-- numbers and sets
SELECT item, pg_temp.stored(item) FROM unnest(ARRAY[
	'{"age": 30.0, "debt": -0.0}', '{"tags": {"$ss": ["b", "a"]}}', '{"n": {"$ns": [2, 10, 1.50]}}',
	'{"b": {"$bs": ["Ag==", "AQ=="]}}', '{"b": {"$b": "AQ=="}}', '{"deep": [{"x": {"$ns": [3.0]}}]}']) AS item;

-- maps that look like types
SELECT item, pg_temp.stored(item) FROM unnest(ARRAY[
	'{"a": {"$m": {"$x": 5}}}', '{"a": {"$m": {"x": 5}}}', '{"a": {"$m": {}}}', '{"a": {"$m": {"$m": {}}}}',
	'{"a": {"$b": "x", "c": 1}}', '{"$ss": ["b", "a"]}']) AS item;

-- what cannot be an item
SELECT item, pg_temp.stored(item) FROM unnest(ARRAY[
	'1', '[]', '"a"', 'null', '{"a": 1e126}', '{"a": 1e-131}', '{"": 1}', '{"a": "\u0001"}', '{"a\u0001": 1}',
	'{"a": {"$x": 5}}', '{"a": {"$": 5}}', '{"a": {"$b": 5}}', '{"a": {"$ss": "x"}}', '{"a": {"$m": 5}}',
	'{"a": {"$ss": []}}', '{"a": {"$ss": ["a", "a"]}}', '{"a": {"$ns": [1, 1.0]}}', '{"a": {"$ss": [1]}}',
	'{"a": {"$ns": ["1"]}}', '{"a": {"$bs": ["x"]}}', '{"a": {"$b": "YR=="}}', '{"a": {"$ns": [{"$ss": ["a"]}]}}']) AS item;

-- nesting
SELECT depth, left(pg_temp.stored('{"a": ' || repeat('[', depth) || repeat(']', depth) || '}'), 60)
FROM unnest(ARRAY[32, 33, 3000]) AS depth;

-- size: 409,600 bytes
SELECT length, left(pg_temp.stored('{"a": "' || repeat('x', length) || '"}'), 70)
FROM unnest(ARRAY[409599, 409600]) AS length;
