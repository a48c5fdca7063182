-- functions: unknown, of the other kind of expression, in a wrong place, with wrong operands
CREATE FUNCTION pg_temp.fault(expression text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v jsonb := (SELECT jsonb_object_agg(key, value)
		FROM jsonb_each('{":n": 1, ":s": "x", ":t": true, ":l": [], ":big": 9}') WHERE expression ~ (key || '\M'));
BEGIN
	IF expression ~ '^(SET|REMOVE|ADD|DELETE) ' THEN
		PERFORM dynamo.apply_update('{}', expression, v);
	ELSE
		PERFORM dynamo.matches('{}', expression, v);
	END IF;
	RETURN 'no error';
EXCEPTION WHEN SQLSTATE 'DY001' THEN
	RETURN regexp_replace(sqlerrm, 'ValidationException: Invalid (Filter|Update)Expression: ', '');
END $$;

SELECT expression, pg_temp.fault(expression) AS fault
FROM unnest(ARRAY['foo(a)', 'SIZE(a) = :n', 'a = foo(b)', 'if_not_exists(a, :n)', 'list_append(a, b) = :l', 'size(a)', 'NOT size(a)',
	'attribute_exists(a) = :t', 'size(attribute_exists(a)) = :n', 'contains(begins_with(a, b), c)',
	'SET a = foo(b)', 'SET a = size(b)', 'SET a = attribute_exists(b)', 'SET a = list_append(list_append(b, c), d)', 'SET a = b + list_append(c, d)',
	'attribute_exists(a, b)', 'attribute_type(a)', 'begins_with(a)', 'contains(a, b, c)', 'size(a, b) = :n', 'SET a = if_not_exists(b)',
	'SET a = list_append(b)', 'attribute_exists(:n)', 'attribute_not_exists(size(a))', 'SET a = if_not_exists(:n, :n)',
	'a = a', 'a.b[0] < a.b[0]', 'a IN (b, a)', 'a BETWEEN b AND a', 'contains(a, a)', 'begins_with(a, a)', 'SET a = if_not_exists(b, b)',
	'size(a) = size(a)', ':n = :n', 'attribute_type(a, :s)', 'attribute_type(a, b)', 'attribute_type(a, :n)']) expression;

-- words are checked in the whole expression before operands, and these from left to right
SELECT expression, pg_temp.fault(expression) AS fault
FROM unnest(ARRAY['a < :t AND foo(b)', 'a < :t AND select = :n', 'foo(a) AND select = :n', 'select = :n AND foo(a)', 'a < :t AND a = a',
	'a = a AND a < :t', 'a[4294967295] = b', 'a = b AND a[4294967294] = c', 'select = a[99999999999]']) expression;
