-- Of several faults of an update: names, values, overlaps, types of operands
CREATE FUNCTION pg_temp.fault(text text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.apply_update('{"a": 1}', text, '{":s": "s", ":n": 1}');
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT text, pg_temp.fault(text) FROM unnest(ARRAY[
	'ADD a :s SET b = :v, c = #n', 'ADD a :s SET b = :v, c = :n', 'SET b = :v, b.c = :n', 'SET b = a + :s, c = :n, c = :n',
	'ADD a :s SET b = :n', 'SET b = list_append(a, :v), c = a + :s']) text;
