-- REMOVE: indexes are those of the old list; what is not there is no error, a parent that is not there is one
SELECT text, dynamo.apply_update('{"a": 1, "l": ["a", "b", "c", "d", "e"], "m": {"x": {"y": 1}, "z": 2}}', text, v) AS result
FROM (VALUES
	('REMOVE a', NULL::jsonb),
	('REMOVE q, m.q, l[9]', NULL),
	('REMOVE m.x.y', NULL),
	('REMOVE m.z, m.x', NULL),
	('REMOVE l[3], l[0], l[1]', NULL),
	('REMOVE l[1], l[2] SET l[4] = :v', '{":v": "E"}'::jsonb),
	('SET l[7] = :v, l[6] = :w REMOVE l[0]', '{":v": 7, ":w": 6}'),
	('REMOVE l[0], l[1], l[2], l[3], l[4]', NULL)) t(text, v);
SELECT dynamo.apply_update('{"a": 1}', 'REMOVE q.r');
SELECT dynamo.apply_update('{"a": 1}', 'REMOVE a.x');
