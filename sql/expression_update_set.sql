-- SET: all operands are of the old item
SELECT text, dynamo.apply_update('{"a": 1, "b": 2, "s": "x", "l": [1, 2], "m": {"x": 1}}', text, v) AS result
FROM (VALUES
	('SET a = b, b = a', NULL::jsonb),
	('SET a = a + :n, c = b - :n', '{":n": 0.5}'::jsonb),
	('SET a = (a + a), c = (:n)', '{":n": 3}'),
	('SET m.y = m.x, m.x = :n', '{":n": 3}'),
	('SET c = m, d = l[1]', NULL),
	('SET c = if_not_exists(a, b), d = if_not_exists(e, b), f = if_not_exists(g, if_not_exists(h, :n))', '{":n": 3}'),
	('SET c = if_not_exists(c, :n) + :n', '{":n": 3}'),
	('SET l = list_append(l, :l), c = list_append(:l, l)', '{":l": [{"y": 1}]}'),
	('SET l[0] = :n, l[9] = :s, l[5] = :n', '{":n": 0, ":s": "end"}'),
	('SET s = :z', '{":z": null}')) t(text, v);

-- numbers are exact
SELECT dynamo.apply_update('{"a": 0.1}', 'SET b = a + :v, c = a - :v', '{":v": 0.2}'),
	dynamo.apply_update('{"a": 99999999999999999999999999999999999999}', 'SET b = a - :v', '{":v": 1}');
SELECT dynamo.apply_update('{"a": 1e50}', 'SET b = a + :v', '{":v": 1}');
SELECT dynamo.apply_update('{"a": 9e125}', 'SET b = a + a');

-- what only the item shows
SELECT dynamo.apply_update('{}', 'SET a = b');
SELECT dynamo.apply_update('{"a": 1}', 'SET a = if_not_exists(a, b)');
SELECT dynamo.apply_update('{"s": "x"}', 'SET a = s + :n', '{":n": 1}');
SELECT dynamo.apply_update('{"s": "x"}', 'SET a = list_append(s, :l)', '{":l": []}');

-- a map that could be taken for a tag is wrapped, and unwrapped when it grows
SELECT dynamo.apply_update('{"m": {}}', 'SET m.#d = :v', '{":v": 1}', '{"#d": "$ss"}');
SELECT dynamo.apply_update('{"m": {"$m": {"$ss": 1}}}', 'SET m.x = m.#d', NULL, '{"#d": "$ss"}');
SELECT dynamo.apply_update('{"m": {"$ss": 1, "x": 1}}', 'REMOVE m.x');
SELECT dynamo.apply_update('{}', 'SET #d = :v', '{":v": 1}', '{"#d": "$b"}');

-- a short expression does not build more than an item holds
SELECT dynamo.apply_update(jsonb_build_object('a', repeat('x', 200000)), 'SET b = a, c = a, d = a');

-- nesting
SELECT dynamo.apply_update(('{"d": ' || repeat('[', 31) || '1' || repeat(']', 31) || '}')::jsonb, 'SET d' || repeat('[0]', 31) || ' = :v', '{":v": 2}') IS NOT NULL AS "32 levels";
SELECT dynamo.apply_update(('{"d": ' || repeat('[', 31) || '1' || repeat(']', 31) || '}')::jsonb, 'SET d' || repeat('[0]', 31) || ' = :v', '{":v": [2]}');
