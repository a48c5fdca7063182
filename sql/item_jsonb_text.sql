-- responses become jsonb byte for byte as the cast from text makes it
SELECT setseed(0.17);

CREATE FUNCTION pg_temp.from_own_text(text) RETURNS jsonb
	AS '$libdir/dynamo', 'dynamo_jsonb_from_own_text' LANGUAGE C VOLATILE STRICT;

CREATE FUNCTION pg_temp.same(json text) RETURNS bool LANGUAGE sql AS $$
	SELECT record_image_eq(ROW(pg_temp.from_own_text(json)), ROW(json::jsonb))
$$;

-- containers around the strides of entries, empty ones, names that repeat
SELECT n, pg_temp.same(format('{"a": [%s], "bb": {%s}, "c": {%s}}',
	(SELECT string_agg(i::text, ',') FROM generate_series(1, n) AS i),
	(SELECT string_agg(format('"%s": "%s"', i, repeat('x', i % 7)), ', ' ORDER BY i DESC) FROM generate_series(1, n) AS i),
	(SELECT string_agg(format('"%s": [%s]', i % 10, i), ', ') FROM generate_series(1, n) AS i)))
FROM unnest(ARRAY[0, 1, 2, 31, 32, 33, 63, 64, 65, 1000, 5000]) AS n;

SELECT json, pg_temp.same(json) FROM unnest(ARRAY[
	'{}', '[]', ' [ ] ', '{"a":{}}', '[[],{},[]]', E' {\n"a"\t:\r[ 1 , 2 ] } ',
	'{"b":1,"a":2,"b":3,"":4}', '{"a":1,"a":[1,2,3]}', '[true,false,null]',
	'[0,-0,1,-1,10000,0.5,1.50,1e5,1E-5,-12.345e+6,123456789012345678901234567890.5,1e1000]',
	'["\"\\\/\b\f\n\r\t","\u0001\u0001","\u00e9\u20AC\ud83d\ude00","é€😀","a\u0041b"]'
]) AS json;
SELECT pg_temp.same(format('{"s": ["%s", 1, "%s"]}', repeat('long ', 100000), repeat('\n', 100001)));

CREATE FUNCTION pg_temp.pick(VARIADIC choices text[]) RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT choices[1 + floor(random() * cardinality(choices))::int]
$$;
CREATE FUNCTION pg_temp.random_string() RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT '"' || coalesce(string_agg(pg_temp.pick('a', 'bc', 'é', '😀', '\"', '\\', '\n', '\u0001', '\u20ac', '\ud83d\ude00', ' ', 'S'), ''), '') || '"'
	FROM generate_series(1, floor(random() * 5)::int)
$$;
CREATE FUNCTION pg_temp.random_json(depth int, container bool) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	count int := floor(random() * random() * 40);
	parts text[] := '{}';
	object bool := random() < 0.6;
BEGIN
	IF NOT container AND (depth = 0 OR random() < 0.7) THEN
		RETURN pg_temp.pick(pg_temp.random_string(), pg_temp.random_string(), 'true', 'false', 'null',
			floor(random() * 1e6)::text, round((random() * 1000 - 500)::numeric, floor(random() * 5)::int)::text);
	END IF;
	FOR i IN 1 .. count LOOP
		parts := parts || (CASE WHEN object THEN pg_temp.random_string() || pg_temp.pick(':', ' : ') ELSE '' END
			|| pg_temp.random_json(depth - 1, false));
	END LOOP;
	RETURN CASE WHEN object THEN '{' ELSE '[' END || array_to_string(parts, pg_temp.pick(',', ', '))
		|| CASE WHEN object THEN '}' ELSE ']' END;
END
$$;

CREATE TEMP TABLE given AS SELECT pg_temp.random_json(4 + 0 * n, true) AS json FROM generate_series(1, 120) AS n;
SELECT max(length(json)) > 10000 AS some_long, count(*) FILTER (WHERE length(json) < 10) > 5 AS some_short,
	count(*) FILTER (WHERE NOT pg_temp.same(json)) AS different
FROM given;

-- text that the extension never writes is refused, not read past its end
CREATE FUNCTION pg_temp.outcome(json text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_temp.from_own_text(json);
	RETURN 'taken';
EXCEPTION WHEN internal_error THEN
	RETURN SQLERRM;
END
$$;
SELECT json, pg_temp.outcome(json) FROM unnest(ARRAY[
	'', ' ', '1', '"a"', '{', '[', '[1', '[1,', '[1,]', '[,1]', '[1 2]', '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', '{a:1}', '{1:1}', '[1}', '{"a":1]',
	'[]]', '[] x', '["', '["\', '["\x"]', '["\u12"]', '["\u0000"]', '["\ud83d"]', '["\ud83dx"]', '["\ude00"]', E'["\n"]', '[01]', '[-]', '[1.]', '[1e]', '[+1]', '[tru]', '[nulL]']) AS json;

-- every text cut anywhere is refused
SELECT count(*) AS cuts, count(*) FILTER (WHERE pg_temp.outcome(left(json, n)) = 'taken') AS taken
FROM (SELECT json FROM given WHERE length(json) BETWEEN 100 AND 400 LIMIT 5) AS g, generate_series(1, length(json) - 1) AS n;
