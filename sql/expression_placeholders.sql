-- placeholders: undefined, unused, malformed
CREATE FUNCTION pg_temp.fault(condition text, v jsonb, n jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM dynamo.matches('{}', condition, v, n);
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	RETURN sqlstate || ' ' || replace(sqlerrm, 'ValidationException: ', '');
END $$;

SELECT condition, v, n, pg_temp.fault(condition, v, n) AS fault
FROM (VALUES
	('a = :v', NULL::jsonb, NULL::jsonb),
	('a.#n = b', NULL, NULL),
	('a = :v', '{":V": 1}', NULL),
	(':a = #n AND #m = :b', NULL, NULL),
	('a = :v', '{":v": 1, ":y": 1, ":x": 1}', NULL),
	('#a = b', NULL, '{"#a": "a", "#c": "c", "#b": "b"}'),
	('a = b', '{":v": 1}', '{"#n": "n"}'),
	('a = b', '{}', NULL),
	('a = b', NULL, '{}'),
	('a = b', '{"v": 1}', NULL),
	('a = b', NULL, '{"n": "n"}'),
	('a = b', NULL, '{"#": "n"}'),
	('a = b', NULL, '{"": "n"}'),
	('a = b', '{":a-b": 1}', NULL),
	('a = b', NULL, '{"#n": ""}'),
	('a = b', NULL, '{"#n": 1}'),
	('a = b', '[1]', NULL),
	('a = b', NULL, '"x"'),
	('a = :1 AND #_ = b', '{":1": 1}', '{"#_": "n"}')) t(condition, v, n);
SELECT pg_temp.fault('a = b', NULL, jsonb_build_object('#' || repeat('a', 255), 'n'));
SELECT length(pg_temp.fault('#a = b', NULL, jsonb_build_object('#a', repeat('n', 65535)))),
	pg_temp.fault('#a = b', NULL, jsonb_build_object('#a', repeat('n', 65536)));

-- values are brought to the stored form
SELECT dynamo.matches('{"n": 1.5, "s": {"$ss": ["a", "b"]}}', 'n = :n AND s = :s', '{":n": 1.500, ":s": {"$ss": ["b", "a"]}}');

-- one call site, changing arguments
SELECT c, v, dynamo.matches('{"a": 1}', c, v)
FROM (VALUES ('a = :v', '{":v": 1}'::jsonb), ('a = :v', '{":v": 2}'), ('a <> :v', '{":v": 2}'), ('a = :v', '{":v": 1}')) t(c, v);
