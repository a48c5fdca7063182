-- limits of expressions
CREATE FUNCTION pg_temp.fault(expression text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM dynamo.matches('{"a": 1}', expression);
	RETURN 'no error';
EXCEPTION WHEN SQLSTATE 'DY001' THEN
	RETURN replace(sqlerrm, 'ValidationException: ', '');
END $$;

SELECT what, pg_temp.fault(expression) AS fault
FROM (VALUES
	('4096 bytes', rpad('a = b', 4096)),
	('4097 bytes', rpad('a = b', 4097)),
	('299 operators', repeat('a = b OR ', 149) || 'a = b'),
	('301 operators', repeat('a = b OR ', 150) || 'a = b'),
	('functions count', repeat('size(a) = b OR ', 100) || 'size(a) = b'),
	('301 NOT', repeat('NOT ', 301) || 'a = b'),
	('IN with 100', 'a IN (' || repeat('b,', 99) || 'b)'),
	('IN with 101', 'a IN (' || repeat('b,', 100) || 'b)'),
	('path of 32', repeat('a.', 31) || 'a = b'),
	('path of 33', repeat('a.', 32) || 'a = b'),
	('nested NOT', repeat('(NOT ', 600) || 'a = b' || repeat(')', 600)),
	('nested AND', repeat('(', 148) || 'a = b' || repeat(') AND a = b', 148)),
	('open parentheses', repeat('(', 4096)),
	('parentheses', repeat('(', 2000) || 'a=b' || repeat(')', 2000)),
	('calls', repeat('size(', 680) || 'a' || repeat(')', 680))) t(what, expression);
SELECT dynamo.apply_update('{"a": 1}', 'SET ' || repeat('a.', 32) || 'a = a');
SELECT dynamo.apply_update('{"n": 1}', 'SET ' || (SELECT string_agg(format('a%s = n+n', i), ',') FROM generate_series(1, 301) i));
