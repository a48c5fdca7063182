-- random items against a model written in SQL: conversion both ways, equality, size
SELECT setseed(0.42);

CREATE FUNCTION pg_temp.pick(VARIADIC choices text[]) RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT choices[1 + floor(random() * cardinality(choices))::int]
$$;

CREATE FUNCTION pg_temp.random_string() RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT coalesce(string_agg(pg_temp.pick('a', 'b', '$', 'é', '€', '😀', '"', '\', E'\n', E'\x01\x01', E'\x01\x02', E'\x1f', ' '), ''), '')
	FROM generate_series(1, floor(random() * 6)::int)
$$;

CREATE FUNCTION pg_temp.random_number() RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT pg_temp.pick('', '-', '+') || pg_temp.pick('', '0', '00') || floor(random() * 10 ^ floor(random() * 9))::int8 ||
		pg_temp.pick('', '.', '.0', '.5', '.250', '.' || floor(random() * 1e9)::int8) ||
		pg_temp.pick('', 'e0', 'E+7', 'e-9', 'e' || floor(random() * 200 - 100)::int)
$$;

CREATE FUNCTION pg_temp.random_binary() RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT encode(substr(decode(md5(random()::text), 'hex'), 1, floor(random() * 5)::int), 'base64')
$$;

-- an attribute value in DynamoDB JSON
CREATE FUNCTION pg_temp.random_value(depth int) RETURNS jsonb LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	type text := CASE WHEN depth > 0
		THEN pg_temp.pick('S', 'N', 'B', 'BOOL', 'NULL', 'SS', 'NS', 'BS', 'L', 'M', 'L', 'M')
		ELSE pg_temp.pick('S', 'N', 'B', 'BOOL', 'NULL', 'SS', 'NS', 'BS') END;
	members jsonb := '[]';
	map jsonb := '{}';
BEGIN
	CASE type
		WHEN 'S' THEN RETURN jsonb_build_object(type, pg_temp.random_string());
		WHEN 'N' THEN RETURN jsonb_build_object(type, pg_temp.random_number());
		WHEN 'B' THEN RETURN jsonb_build_object(type, pg_temp.random_binary());
		WHEN 'BOOL' THEN RETURN jsonb_build_object(type, random() < 0.5);
		WHEN 'NULL' THEN RETURN jsonb_build_object(type, true);
		WHEN 'M' THEN
			FOR i IN 1 .. floor(random() * 4)::int LOOP
				map := map || jsonb_build_object(pg_temp.pick('$b', '$ss', '$m', '$', 'a', 'bb') || pg_temp.random_string(),
					pg_temp.random_value(depth - 1));
			END LOOP;
			RETURN jsonb_build_object(type, map);
		WHEN 'L' THEN
			FOR i IN 1 .. floor(random() * 4)::int LOOP
				members := members || jsonb_build_array(pg_temp.random_value(depth - 1));
			END LOOP;
		WHEN 'NS' THEN
			SELECT jsonb_agg(DISTINCT trim_scale(pg_temp.random_number()::numeric)::text) INTO members
			FROM generate_series(1, 1 + floor(random() * 5)::int);
		WHEN 'SS' THEN
			SELECT jsonb_agg(DISTINCT pg_temp.random_string()) INTO members
			FROM generate_series(1, 1 + floor(random() * 5)::int);
		WHEN 'BS' THEN
			SELECT jsonb_agg(DISTINCT pg_temp.random_binary()) INTO members
			FROM generate_series(1, 1 + floor(random() * 5)::int);
	END CASE;
	RETURN jsonb_build_object(type, members);
END
$$;

-- the same value with numbers in normal form and sets sorted, by other means than the extension's
CREATE FUNCTION pg_temp.canonical(value jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	type text := jsonb_object_keys(value);
	content jsonb := value->type;
BEGIN
	RETURN jsonb_build_object(type, CASE type
		WHEN 'N' THEN to_jsonb(trim_scale((content#>>'{}')::numeric)::text)
		WHEN 'SS' THEN (SELECT jsonb_agg(e ORDER BY e COLLATE "C") FROM jsonb_array_elements_text(content) AS e)
		WHEN 'NS' THEN (SELECT jsonb_agg(trim_scale(e::numeric)::text ORDER BY e::numeric) FROM jsonb_array_elements_text(content) AS e)
		WHEN 'BS' THEN (SELECT jsonb_agg(e ORDER BY decode(e, 'base64')) FROM jsonb_array_elements_text(content) AS e)
		WHEN 'L' THEN (SELECT coalesce(jsonb_agg(pg_temp.canonical(e) ORDER BY n), '[]') FROM jsonb_array_elements(content) WITH ORDINALITY AS x (e, n))
		WHEN 'M' THEN (SELECT coalesce(jsonb_object_agg(k, pg_temp.canonical(v)), '{}') FROM jsonb_each(content) AS x (k, v))
		ELSE content END);
END
$$;

CREATE FUNCTION pg_temp.string_size(string text) RETURNS int LANGUAGE sql AS $$
	SELECT octet_length(string) - (length(string) - length(replace(replace(string, E'\x01\x01', '#'), E'\x01\x02', '#')))
$$;

CREATE FUNCTION pg_temp.number_size(number numeric) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	whole text := trim(LEADING '0' FROM trunc(abs(number))::text);
	fraction text := split_part(trim_scale(abs(number))::text, '.', 2);
BEGIN
	IF fraction = '' THEN
		whole := trim(TRAILING '0' FROM whole);
	END IF;
	IF whole = '' THEN
		fraction := trim(LEADING '0' FROM fraction);
	END IF;
	RETURN 1 + ceil(length(whole) / 2.0) + ceil(length(fraction) / 2.0) + CASE WHEN number < 0 THEN 1 ELSE 0 END;
END
$$;

CREATE FUNCTION pg_temp.value_size(value jsonb) RETURNS int8 LANGUAGE plpgsql AS $$
DECLARE
	type text := jsonb_object_keys(value);
	content jsonb := value->type;
BEGIN
	RETURN CASE type
		WHEN 'S' THEN pg_temp.string_size(content#>>'{}')
		WHEN 'N' THEN pg_temp.number_size((content#>>'{}')::numeric)
		WHEN 'B' THEN octet_length(decode(content#>>'{}', 'base64'))
		WHEN 'SS' THEN (SELECT sum(pg_temp.string_size(e)) FROM jsonb_array_elements_text(content) AS e)
		WHEN 'NS' THEN (SELECT sum(pg_temp.number_size(e::numeric)) FROM jsonb_array_elements_text(content) AS e)
		WHEN 'BS' THEN (SELECT sum(octet_length(decode(e, 'base64'))) FROM jsonb_array_elements_text(content) AS e)
		WHEN 'L' THEN 3 + (SELECT coalesce(sum(1 + pg_temp.value_size(e)), 0) FROM jsonb_array_elements(content) AS e)
		WHEN 'M' THEN 3 + (SELECT coalesce(sum(1 + pg_temp.string_size(k) + pg_temp.value_size(v)), 0) FROM jsonb_each(content) AS x (k, v))
		ELSE 1 END;
END
$$;

-- an item is a map without a map's overhead: 3 bytes and 1 for each of three members
CREATE TEMP TABLE given AS
	SELECT value->'M' AS attributes, pg_temp.canonical(value)->'M' AS canonical, pg_temp.value_size(value) - 6 AS size
	FROM generate_series(1, 3000) AS n,
		LATERAL (SELECT jsonb_build_object('M', jsonb_build_object('n', pg_temp.random_value(0 * n), 'v', pg_temp.random_value(3), '$b', pg_temp.random_value(2)))) AS v (value);

-- what the test ran on: every type, and maps that look like types
SELECT count(*) AS items, count(*) FILTER (WHERE dynamo.to_item(attributes)::text LIKE '%"$m": {%') > 0 AS some_wrapped
FROM given;

SELECT count(*) AS wrong_conversions FROM given
WHERE dynamo.from_item(dynamo.to_item(attributes)) <> canonical;

SELECT count(*) AS unstable FROM given
WHERE dynamo.to_item(dynamo.from_item(dynamo.to_item(attributes))) <> dynamo.to_item(attributes);

SELECT count(*) AS wrong_sizes FROM given
WHERE dynamo.item_size(dynamo.to_item(attributes)) <> size;

-- equal by content is equal as stored, and only then
SELECT count(*) AS pairs, count(*) FILTER (WHERE a.canonical = b.canonical) > 0 AS some_equal,
	count(*) FILTER (WHERE (a.canonical = b.canonical) <> (a.stored = b.stored)) AS wrong_equalities
FROM (SELECT pg_temp.canonical(attributes->'n') AS canonical,
		dynamo.to_item(jsonb_build_object('n', attributes->'n')) AS stored FROM given LIMIT 300) AS a,
	(SELECT pg_temp.canonical(attributes->'n') AS canonical,
		dynamo.to_item(jsonb_build_object('n', attributes->'n')) AS stored FROM given LIMIT 300) AS b;

-- garbage in place of an item: an answer or DynamoDB's refusal, nothing else
CREATE FUNCTION pg_temp.outcome(function text, given jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	state text;
BEGIN
	EXECUTE format('SELECT dynamo.%I($1)', function) USING given;
	RETURN 'answered';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE;
	RETURN CASE WHEN state IN ('DY001', 'DY002') THEN 'refused' ELSE state || ' ' || SQLERRM END;
END
$$;

CREATE FUNCTION pg_temp.garbage(depth int) RETURNS jsonb LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	kind float8 := random();
BEGIN
	IF kind < 0.3 AND depth > 0 THEN
		RETURN jsonb_build_array(pg_temp.garbage(depth - 1), pg_temp.garbage(depth - 1));
	ELSIF kind < 0.8 AND depth > 0 THEN
		RETURN jsonb_build_object(pg_temp.pick('S', 'N', 'B', 'SS', 'NS', 'BS', 'BOOL', 'NULL', 'L', 'M', '$b', '$ss', '$ns', '$bs', '$m', '$q', '', 'a'),
			pg_temp.garbage(depth - 1));
	END IF;
	RETURN pg_temp.pick('1', '-1.50', '1e400', 'true', 'false', 'null', '"AQ=="', '"a\u0001"', '""', '[]', '{}', '"1"')::jsonb;
END
$$;

CREATE TEMP TABLE garbage AS SELECT pg_temp.garbage(5 + 0 * n) AS value FROM generate_series(1, 3000) AS n;
SELECT function, pg_temp.outcome(function, value) AS outcome, count(*) > 0
FROM garbage, unnest(ARRAY['to_item', 'from_item', 'item_size']) AS function
GROUP BY 1, 2 ORDER BY 1, 2;
SELECT function, pg_temp.outcome(function, jsonb_build_object('a', value)) AS outcome, count(*) > 0
FROM garbage, unnest(ARRAY['to_item', 'from_item', 'item_size']) AS function
GROUP BY 1, 2 ORDER BY 1, 2;
