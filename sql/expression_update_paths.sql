-- paths of updates: overlap, conflict, and parents that are not there
CREATE FUNCTION pg_temp.fault(expression text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM dynamo.apply_update('{"m": {"x": {"y": 1}}, "l": [1, {"a": 1}], "s": "x"}', expression, '{":v": 1}', NULL);
	RETURN 'no error';
EXCEPTION WHEN SQLSTATE 'DY001' THEN
	RETURN replace(replace(sqlerrm, 'ValidationException: ', ''), '; must remove or rewrite one of these paths', '');
END $$;

SELECT text, pg_temp.fault(text) AS fault
FROM unnest(ARRAY['SET c = :v, c = :v', 'SET m = :v, m.x.y = :v', 'SET m.x.y = :v, m = :v', 'SET m.x = :v, l[0] = :v REMOVE m.x.y', 'SET l[1].a = :v, l[1] = :v',
	'SET m.x = :v, m[0] = :v', 'SET m[0] = :v, m.x = :v', 'SET l[0] = :v, l[1].a = :v, l.q = :v', 'SET m.x = :v, m[0] = :v, c = :v, c = :v',
	'SET m.x = :v, m.y = :v, l[1] = :v, l[0] = :v', 'SET q.r = :v', 'SET s.x = :v', 'SET s[0] = :v', 'SET l.x = :v', 'SET m[0] = :v',
	'SET l[7].x = :v', 'SET l[0].x = :v', 'ADD q.r :v']) text;
