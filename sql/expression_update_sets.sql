-- ADD and DELETE
CREATE TEMP TABLE item AS SELECT dynamo.to_item('{"n": {"N": "5"}, "s": {"S": "x"}, "z": {"NULL": true}, "ss": {"SS": ["b", "d"]}, "ns": {"NS": ["10", "9"]},
	"bs": {"BS": ["AQ==", "/w=="]}, "m": {"M": {"n": {"N": "1"}}}, "l": {"L": [{"N": "1"}]}}') AS item;
CREATE FUNCTION pg_temp.apply(expression text, v jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	old jsonb := (SELECT item FROM item);
	new jsonb;
BEGIN
	new := dynamo.apply_update(old, expression, dynamo.to_item(v));
	-- what changed
	RETURN (SELECT string_agg(k || ': ' || coalesce((new -> k)::text, 'gone'), ', ' ORDER BY k)
		FROM (SELECT jsonb_object_keys(old || new) k) t WHERE old -> k IS DISTINCT FROM new -> k);
EXCEPTION WHEN SQLSTATE 'DY001' THEN
	RETURN sqlerrm;
END $$;

SELECT text, v, pg_temp.apply(text, v) AS changed
FROM (VALUES
	('ADD n :v', '{":v": {"N": "-7.5"}}'::jsonb),
	('ADD q :v', '{":v": {"N": "1"}}'),
	('ADD m.n :v, m.q :v, l[0] :v, l[4] :v', '{":v": {"N": "1"}}'),
	('ADD ss :v', '{":v": {"SS": ["c", "b", "a", "e"]}}'),
	('ADD ns :v', '{":v": {"NS": ["9.0", "-1", "10.5"]}}'),
	('ADD bs :v', '{":v": {"BS": ["gA=="]}}'),
	('ADD q :v', '{":v": {"SS": ["y", "x"]}}'),
	('DELETE ss :v', '{":v": {"SS": ["d", "x"]}}'),
	('DELETE ns :v', '{":v": {"NS": ["10"]}}'),
	('DELETE bs :v', '{":v": {"BS": ["/w==", "AQ=="]}}'),
	('DELETE q :v, m.q :v', '{":v": {"SS": ["x"]}}'),
	('ADD s :v', '{":v": {"N": "1"}}'),
	('ADD z :v', '{":v": {"N": "1"}}'),
	('ADD ss :v', '{":v": {"NS": ["1"]}}'),
	('ADD n :v', '{":v": {"SS": ["1"]}}'),
	('DELETE n :v', '{":v": {"NS": ["5"]}}'),
	('DELETE q.r :v', '{":v": {"NS": ["5"]}}'),
	('ADD q.r :v', '{":v": {"N": "5"}}')) t(text, v);
