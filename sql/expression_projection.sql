-- projections keep the hierarchy; lists close up in their order; what is not there leaves no trace
SELECT text, dynamo.project('{"a": 1, "l": ["zero", "one", {"x": 2, "y": 3}, ["deep"]], "m": {"x": {"y": 1, "z": 2}, "w": 3}, "s": {"$ss": ["a"]}, "t": {"$m": {"$ss": 1}}}',
	text, n) AS result
FROM (VALUES
	('a', NULL::jsonb), ('a, q', NULL), ('q', NULL), ('l[2], l[0]', NULL), ('l[3][0], l[2].y', NULL), ('l[9], l[0].x', NULL), ('m.x.z, m.w', NULL),
	('m.q', NULL), ('m.x', NULL), ('s', NULL), ('s[0]', NULL), ('t', NULL), ('t.#s', '{"#s": "$ss"}'::jsonb), ('#a, m.#x.y', '{"#a": "a", "#x": "x"}')) t(text, n);
SELECT dynamo.project('{"m": {"$x": 1, "y": 2}}', 'm.#x', '{"#x": "$x"}');
SELECT dynamo.project('{"a": 1}', 'a, b, a');
SELECT dynamo.project('{"a": 1}', 'a.b, a');
SELECT dynamo.project('{"a": 1}', 'a.b, a[0]');
SELECT dynamo.project(NULL, 'a'), dynamo.project('{"a": 1}', NULL);
