-- operands whose type the expression itself shows are checked without an item
CREATE TEMP TABLE v AS SELECT key, value FROM jsonb_each(dynamo.to_item('{
	":s": {"S": "5"}, ":n": {"N": "5"}, ":big": {"N": "9"}, ":b": {"B": "AQ=="}, ":ss": {"SS": ["a"]}, ":ns": {"NS": ["1"]}, ":bs": {"BS": ["AQ=="]},
	":t": {"BOOL": true}, ":z": {"NULL": true}, ":l": {"L": []}, ":m": {"M": {}}}'));
CREATE FUNCTION pg_temp.fault(expression text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	vs jsonb := (SELECT jsonb_object_agg(key, value) FROM v WHERE expression ~ (key || '\M'));
BEGIN
	IF expression ~ '^(SET|ADD|DELETE) ' THEN
		PERFORM dynamo.apply_update('{"n": 1}', expression, vs);
	ELSE
		PERFORM dynamo.matches(NULL, expression, vs);
	END IF;
	RETURN NULL;
EXCEPTION WHEN SQLSTATE 'DY001' THEN
	RETURN regexp_replace(sqlerrm, 'ValidationException: (Invalid (Filter|Update)Expression: )?', '');
END $$;

-- which types each operator refuses
SELECT operator, string_agg(key, ' ' ORDER BY key) AS refused
FROM unnest(ARRAY['a = %s', 'a <> %s', 'a < %s', '%s >= a', 'a BETWEEN %1$s AND %1$s', '%s BETWEEN a AND b', 'a IN (%s)', 'contains(a, %s)',
	'begins_with(a, %s)', 'begins_with(%s, a)', 'size(%s) = a', 'SET a = n + %s', 'SET a = %s - n', 'SET a = list_append(%1$s, %1$s)',
	'ADD a %s', 'DELETE a %s']) WITH ORDINALITY o(operator, i), v
WHERE pg_temp.fault(format(operator, key)) IS NOT NULL
GROUP BY operator, i ORDER BY i;

SELECT expression, pg_temp.fault(expression) AS fault
FROM unnest(ARRAY['a < :t', 'a BETWEEN :z AND :n', 'begins_with(a, :n)', 'begins_with(a, size(b))', 'size(:t) = a', 'size(size(a)) = b',
	'SET a = n + :s', 'SET a = list_append(b, :n)', 'ADD a :t', 'ADD a :s', 'ADD a :b', 'DELETE a :n', 'DELETE a :m', 'DELETE a :l', 'DELETE a :z',
	'a BETWEEN :big AND :n', 'a BETWEEN :n AND :s', 'a BETWEEN :n AND :n']) expression;
