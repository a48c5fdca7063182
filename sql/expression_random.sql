-- random conditions and updates against models written in SQL over plain JSON
SELECT setseed(0.71);

CREATE FUNCTION pg_temp.pick(choices text[]) RETURNS text LANGUAGE sql VOLATILE AS
	$$ SELECT choices[1 + floor(random() * array_length(choices, 1))::int] $$;
CREATE FUNCTION pg_temp.random_value() RETURNS jsonb LANGUAGE sql VOLATILE AS
	$$ SELECT pg_temp.pick(ARRAY['0', '1', '2', '10', '-1', '"1"', '"10"', '"a"', '"ab"', '"b"', '""', 'true', 'false', 'null', '[1]', '{"x": 1}'])::jsonb $$;

-- ---- conditions: a tree, its text, and its truth by the model ----

CREATE FUNCTION pg_temp.random_condition(depth int) RETURNS jsonb LANGUAGE plpgsql VOLATILE AS $$
BEGIN
	IF depth > 0 AND random() < 0.6 THEN
		IF random() < 0.3 THEN
			RETURN jsonb_build_array('NOT', pg_temp.random_condition(depth - 1));
		END IF;
		RETURN jsonb_build_array(pg_temp.pick('{AND,OR}'), pg_temp.random_condition(depth - 1), pg_temp.random_condition(depth - 1));
	END IF;
	IF random() < 0.15 THEN
		RETURN jsonb_build_array('exists', pg_temp.pick('{a,b,c}'));
	END IF;
	RETURN jsonb_build_array(pg_temp.pick('{=,<>,<,<=,>,>=}'), pg_temp.pick('{a,b,c}'), pg_temp.pick('{:v,:w,d,e}'));
END $$;

CREATE FUNCTION pg_temp.condition_text(c jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN CASE c ->> 0
		WHEN 'NOT' THEN 'NOT (' || pg_temp.condition_text(c -> 1) || ')'
		WHEN 'AND' THEN format('%s AND %s', pg_temp.inner_text(c -> 1), pg_temp.inner_text(c -> 2))
		WHEN 'OR' THEN format('%s OR %s', pg_temp.condition_text(c -> 1), pg_temp.condition_text(c -> 2))
		WHEN 'exists' THEN format('attribute_exists(%s)', c ->> 1)
		ELSE format('%s %s %s', c ->> 1, c ->> 0, c ->> 2) END;
END $$;
-- under AND only OR needs parentheses
CREATE FUNCTION pg_temp.inner_text(c jsonb) RETURNS text LANGUAGE sql AS
	$$ SELECT CASE c ->> 0 WHEN 'OR' THEN '(' || pg_temp.condition_text(c) || ')' ELSE pg_temp.condition_text(c) END $$;

CREATE FUNCTION pg_temp.compare(operator text, a jsonb, b jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	sign int;
BEGIN
	IF operator = '=' THEN RETURN coalesce(a = b, false); END IF;
	IF operator = '<>' THEN RETURN coalesce(a <> b, true); END IF;
	IF jsonb_typeof(a) = 'number' AND jsonb_typeof(b) = 'number' THEN
		sign := sign((a #>> '{}')::numeric - (b #>> '{}')::numeric);
	ELSIF jsonb_typeof(a) = 'string' AND jsonb_typeof(b) = 'string' THEN
		sign := CASE WHEN (a #>> '{}') COLLATE "C" < (b #>> '{}') THEN -1 WHEN a = b THEN 0 ELSE 1 END;
	ELSE
		RETURN false;
	END IF;
	RETURN CASE operator WHEN '<' THEN sign < 0 WHEN '<=' THEN sign <= 0 WHEN '>' THEN sign > 0 ELSE sign >= 0 END;
END $$;

CREATE FUNCTION pg_temp.model_matches(c jsonb, item jsonb, v jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
	RETURN CASE c ->> 0
		WHEN 'NOT' THEN NOT pg_temp.model_matches(c -> 1, item, v)
		WHEN 'AND' THEN pg_temp.model_matches(c -> 1, item, v) AND pg_temp.model_matches(c -> 2, item, v)
		WHEN 'OR' THEN pg_temp.model_matches(c -> 1, item, v) OR pg_temp.model_matches(c -> 2, item, v)
		WHEN 'exists' THEN item ? (c ->> 1)
		ELSE pg_temp.compare(c ->> 0, item -> (c ->> 1), (item || v) -> (c ->> 2)) END;
END $$;

CREATE FUNCTION pg_temp.random_item() RETURNS jsonb LANGUAGE sql VOLATILE AS
	$$ SELECT coalesce(jsonb_object_agg(name, pg_temp.random_value()) FILTER (WHERE random() < 0.75), '{}')
	FROM unnest('{a,b,c,d,e}'::text[]) name $$;

DO $$
DECLARE
	c jsonb;
	condition text;
	item jsonb;
	v jsonb;
	outcomes int[] := '{0,0}';
	expected boolean;
BEGIN
	FOR i IN 1..3000 LOOP
		c := pg_temp.random_condition(3);
		condition := pg_temp.condition_text(c);
		item := pg_temp.random_item();
		-- values of comparisons have an order
		SELECT jsonb_object_agg(k, pg_temp.pick(ARRAY['0', '1', '10', '"a"', '"ab"', '"1"'])::jsonb) INTO v
		FROM unnest('{:v,:w}'::text[]) k WHERE condition LIKE '%' || k || '%';
		expected := pg_temp.model_matches(c, item, coalesce(v, '{}'));
		IF dynamo.matches(item, condition, v) IS DISTINCT FROM expected THEN
			RAISE WARNING '% of % with % should be %', condition, item, v, expected;
		END IF;
		outcomes[1 + expected::int] := outcomes[1 + expected::int] + 1;
	END LOOP;
	IF outcomes[1] < 500 OR outcomes[2] < 500 THEN
		RAISE WARNING 'the conditions are too one-sided: %', outcomes;
	END IF;
END $$;

-- ---- updates: each place of an item gets an action or none ----

CREATE TEMP TABLE places (place text, path text[]);
INSERT INTO places VALUES ('a', '{a}'), ('b', '{b}'), ('fresh', '{fresh}'), ('m.x', '{m,x}'), ('m.y', '{m,y}'), ('m.fresh', '{m,fresh}'),
	('m.n.z', '{m,n,z}'), ('l[0]', '{l,0}'), ('l[1]', '{l,1}'), ('l[2]', '{l,2}'), ('l[4]', '{l,4}'), ('l[7]', '{l,7}');

-- the model: values of all places are taken from the old item; the list is put together from its old elements
CREATE FUNCTION pg_temp.model_update(item jsonb, changes jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	new jsonb := item;
	change record;
BEGIN
	FOR change IN SELECT p.path, c.value FROM jsonb_each(changes) c JOIN places p ON p.place = c.key WHERE p.path[1] <> 'l' LOOP
		new := CASE WHEN change.value = '"removed"' THEN new #- change.path ELSE jsonb_set(new, change.path, change.value) END;
	END LOOP;
	RETURN jsonb_set(new, '{l}', (
		SELECT coalesce(jsonb_agg(coalesce(c.value, o.value) ORDER BY coalesce(o.i - 1, p.path[2]::int))
			FILTER (WHERE c.value IS DISTINCT FROM '"removed"'), '[]')
		FROM jsonb_array_elements(item -> 'l') WITH ORDINALITY o(value, i)
		FULL JOIN (jsonb_each(changes) c JOIN places p ON p.place = c.key AND p.path[1] = 'l') ON p.path[2]::int = o.i - 1));
END $$;

DO $$
DECLARE
	item jsonb;
	changes jsonb;
	v jsonb;
	place record;
	sets text[];
	removes text[];
	source text;
	key text;
	expression text;
	expected jsonb;
	result jsonb;
BEGIN
	FOR i IN 1..1500 LOOP
		item := jsonb_build_object('a', floor(random() * 9), 'b', pg_temp.random_value(),
			'm', jsonb_build_object('x', pg_temp.random_value(), 'y', 5, 'n', '{"z": 0}'::jsonb, '$s', 1),
			'l', (SELECT coalesce(jsonb_agg(e), '[]') FROM generate_series(1, floor(random() * 6)::int) e));
		changes := '{}'; v := '{}'; sets := '{}'; removes := '{}';
		FOR place IN SELECT * FROM places ORDER BY random() LIMIT 1 + floor(random() * 6)::int LOOP
			key := ':' || translate(place.place, '.[]', '_');
			CASE floor(random() * 4)
				WHEN 0 THEN
					removes := removes || place.place;
					changes := changes || jsonb_build_object(place.place, 'removed');
				WHEN 1 THEN
					source := pg_temp.pick('{a,b,m.y,m.n}');
					sets := sets || format('%s = %s', place.place, source);
					changes := changes || jsonb_build_object(place.place, item #> string_to_array(source, '.'));
				WHEN 2 THEN
					v := v || jsonb_build_object(key, 3);
					sets := sets || format('%s = a + %s', place.place, key);
					changes := changes || jsonb_build_object(place.place, (item ->> 'a')::int + 3);
				ELSE
					v := v || jsonb_build_object(key, pg_temp.random_value());
					sets := sets || format('%s = %s', place.place, key);
					changes := changes || jsonb_build_object(place.place, v -> key);
			END CASE;
		END LOOP;
		expression := concat_ws(' ', 'SET ' || nullif(array_to_string(sets, ', '), ''), 'REMOVE ' || nullif(array_to_string(removes, ', '), ''));
		CONTINUE WHEN expression = '';
		expected := pg_temp.model_update(item, changes);
		result := dynamo.apply_update(item, expression, nullif(v, '{}'));
		IF result IS DISTINCT FROM expected THEN
			RAISE WARNING '% of % with % is % and should be %', expression, item, v, result, expected;
		END IF;
	END LOOP;
END $$;

-- ---- anything at all is refused as a ValidationException or works ----

CREATE FUNCTION pg_temp.soup() RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT string_agg(pg_temp.pick(ARRAY['(', ')', 'AND', 'OR', 'NOT ', 'IN', 'BETWEEN', 'SET ', 'REMOVE ', 'ADD ', '=', '<>', '<', '>=', '+', '-', ',', '.',
		'[', '0', '99999999999', ']', 'a', 'l', 'm', '#n', ':v', 'size(', 'contains(', 'if_not_exists(', 'list_append(', ' ', ' ', 'é', '"', 'select',
		chr(1 + floor(random() * 1000)::int)]), '') FROM generate_series(1, 1 + floor(random() * 12)::int) $$;
DO $$
DECLARE
	expression text;
	v jsonb;
	n jsonb;
BEGIN
	FOR i IN 1..6000 LOOP
		expression := pg_temp.soup();
		v := CASE WHEN expression LIKE '%:v%' THEN '{":v": 1}'::jsonb END;
		n := CASE WHEN expression LIKE '%#n%' THEN '{"#n": "a"}'::jsonb END;
		BEGIN
			PERFORM CASE i % 3
				WHEN 0 THEN dynamo.matches('{"a": 1, "l": [1]}', expression, v, n)::text
				WHEN 1 THEN dynamo.apply_update('{"a": 1, "l": [1]}', expression, v, n)::text
				ELSE dynamo.project('{"a": 1, "l": [1]}', expression, n)::text END;
		EXCEPTION WHEN SQLSTATE 'DY001' THEN
			NULL;
		END;
	END LOOP;
END $$;
