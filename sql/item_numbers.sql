-- numbers: normal form, syntax, range
CREATE FUNCTION pg_temp.number(given text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.to_item(jsonb_build_object('n', jsonb_build_object('N', given)))->>'n';
EXCEPTION WHEN SQLSTATE 'DY001' THEN
	RETURN SQLERRM;
END
$$;

-- normal form
SELECT given, pg_temp.number(given) FROM unnest(ARRAY[
	'0', '-0', '0.00', '0e5', '0e999999999999999999', '00042', '-007.50', '1.0', '0.0010',
	'1.5E2', '1e-3', '1E+60', '+5', '.5', '-.5', '5.', '+.5e+1', '123456789.123456789',
	'12345678901234567890123456789012345678', '1000000000000000000000000000000000000000000e-40'])
	AS given;

-- every position of the first digit in numeric's groups of four
SELECT e, pg_temp.number('12345e' || e) = trim_scale(('12345e' || e)::numeric)::text AS whole,
	pg_temp.number('12345e-' || e) = trim_scale(('12345e-' || e)::numeric)::text AS fraction
FROM generate_series(0, 8) AS e;

-- what is no number
SELECT given, pg_temp.number(given) FROM unnest(ARRAY[
	'', ' 1', '1 ', 'abc', '1+2', '1.2.3', '1e', '1e+', '.', '+', '-', 'e5', '++5', 'NaN', 'Infinity', '-Infinity',
	'0x10', '1_000', '1e1.5']) AS given;

-- the limits
SELECT given, left(pg_temp.number(given), 90) AS stored, length(pg_temp.number(given)) FROM unnest(ARRAY[
	'9.9999999999999999999999999999999999999E+125', '-9.9999999999999999999999999999999999999E+125',
	'99999999999999999999999999999999999999E87', '0.1e126', '1E-130', '-1E-130', '1.5E-130',
	'1E126', '-1E126', '10E125', '1E-131', '0.9E-130', '1e99999999999999999999', '1e-99999999999999999999',
	'123456789012345678901234567890123456789', '1.00000000000000000000000000000000000001']) AS given;

-- numeric itself would store as many bytes
SELECT given, pg_column_size(dynamo.to_item(jsonb_build_object('n', jsonb_build_object('N', given)))) =
	pg_column_size(jsonb_build_object('n', trim_scale(given::numeric))) AS same
FROM unnest(ARRAY['0', '1', '-1', '12345', '0.00001', '9999e120', '1e125', '1e-130', '-123.456', '1e-63', '1e-64']) AS given;

-- printed without exponent
SELECT dynamo.from_item('{"a": 1e30, "b": 1e-30, "c": -12.50}');
