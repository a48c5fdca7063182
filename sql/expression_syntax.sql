-- syntax errors name the token and its neighbours
CREATE FUNCTION pg_temp.fault(kind text, expression text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	CASE kind
		WHEN 'condition' THEN PERFORM dynamo.matches('{}', expression);
		WHEN 'update' THEN PERFORM dynamo.apply_update('{}', expression);
		WHEN 'projection' THEN PERFORM dynamo.project('{}', expression);
	END CASE;
	RETURN 'no error';
EXCEPTION WHEN SQLSTATE 'DY001' THEN
	RETURN replace(sqlerrm, 'ValidationException: ', '');
END $$;

SELECT expression, replace(pg_temp.fault('condition', expression), 'Invalid FilterExpression: ', '') AS fault
FROM unnest(ARRAY['', '  ', 'a', 'a =  ', 'a = :v)', '(a = :v', 'a == :v', 'a != :v', '  = b', 'a b c d', '   a   b   ', 'a = b AND', 'a AND b',
	'(a)', 'a NOT IN (:v)', 'a IN ()', 'a IN :v', 'a BETWEEN :v OR :v', 'foo()', 'a = 5', 'a = "x"', 'a[01] = :v', 'a[-1] = :v', 'a[:v] = :v',
	'a..b = :v', '_a = :v', '# = :v', 'a-b = :v', 'é = :v', 'set = :v', '(a = b) = c', '(a.b).c = :v', 'size(a).b = :v', ':v.x = :v',
	'((a = b))', 'size(((a))) = b', '((a)) = b', '(((a = b)', '((a = b)) AND']) expression;

SELECT expression, replace(pg_temp.fault('update', expression), 'Invalid UpdateExpression: ', '') AS fault
FROM unnest(ARRAY['', 'SET', 'foo', 'SET a', 'SET a = :v,', 'SET a = :v b = :v', 'SET REMOVE a', 'SET a = b + c + d', 'SET a = (b + c) + d',
	'SET a = b + (c + d)', 'SET a = b * c', 'SET a = -b', 'SET (a) = b', 'SET a = ((b))', 'SET :v = a', 'SET a = b SET c = d',
	'remove a Set b = c remove d', 'REMOVE a,', 'REMOVE a = b', 'ADD a', 'ADD a b', 'ADD a = :v', 'DELETE a (:v)', 'SETa = b']) expression;

SELECT expression, replace(pg_temp.fault('projection', expression), 'Invalid ProjectionExpression: ', '') AS fault
FROM unnest(ARRAY['', 'a,', ',a', 'a b', 'a,,b', '(a)', 'size(a)', ':v', 'a.*', 'a AND b']) expression;
