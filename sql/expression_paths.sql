-- document paths in conditions
CREATE TEMP TABLE item AS SELECT dynamo.to_item('{
	"a": {"M": {"b": {"L": [{"S": "zero"}, {"M": {"c.d": {"N": "1"}, "name": {"S": "inner"}}}]}}},
	"a.b": {"S": "dotted"}, "box": {"M": {"$x": {"M": {"$ss": {"N": "7"}}}}}, "s": {"SS": ["zero"]}}') AS item;

SELECT text, dynamo.matches(item, text, v, n) AS result
FROM item, (VALUES
	('a.b[0] = :v', '{":v": "zero"}'::jsonb, NULL::jsonb),
	('a . b [ 0 ] = :v', '{":v": "zero"}', NULL),
	('#d = :v', '{":v": "dotted"}', '{"#d": "a.b"}'),			-- a placeholder is one element
	('a.b[1].#c = :v', '{":v": 1}', '{"#c": "c.d"}'),
	('a.b[1].#n = :v', '{":v": "inner"}', '{"#n": "name"}'),
	('box.#x.#s = :v', '{":v": 7}', '{"#x": "$x", "#s": "$ss"}'),	-- maps that look like tags are maps
	('attribute_exists(a.b[2])', NULL, NULL),
	('attribute_exists(a[0])', NULL, NULL),
	('attribute_exists(a.b.c)', NULL, NULL),
	('attribute_exists(s[0])', NULL, NULL),						-- a set has no positions
	('attribute_exists(#x)', NULL, '{"#x": "#x"}'),
	('a.b[1] = a.b[1].#c', NULL, '{"#c": "c.d"}')) t(text, v, n);

-- NULL is the absent item
SELECT dynamo.matches(NULL, 'attribute_not_exists(a)') AS absent, dynamo.matches(NULL, 'attribute_exists(a)') AS present,
	dynamo.matches('{"a": 1}', NULL) AS "no condition";
SELECT dynamo.matches('[1]', 'attribute_exists(a)');
