-- Every range condition over sort keys of the three types, in both directions, page by page, against a plain model
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.outcome(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, request);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;

CREATE TABLE keys(type text, sort jsonb, place serial);
INSERT INTO keys(type, sort) SELECT 'S', jsonb_build_object('S', s)
	FROM unnest(ARRAY[' ', '/', '0', '00', '1', '10', '9', 'A', 'Z', 'a', 'a%', 'a_', 'aa', 'ab', 'b', 'ä', '€', '𝄞']) WITH ORDINALITY s(s, place) ORDER BY place;
INSERT INTO keys(type, sort) SELECT 'N', jsonb_build_object('N', n)
	FROM unnest(ARRAY['-9.9e125', '-100', '-1.5', '-1', '-0.001', '-1e-130', '0', '1e-130', '0.1', '1', '2', '10', '10.5', '9.9e125']) WITH ORDINALITY n(n, place) ORDER BY place;
INSERT INTO keys(type, sort) SELECT 'B', jsonb_build_object('B', encode(b::bytea, 'base64'))
	FROM unnest(ARRAY['\x00', '\x0000', '\x0001', '\x01', '\x61', '\x6162', '\x7f', '\x80', '\x8000', '\xff', '\xff00', '\xffff', '\xffffff']) WITH ORDINALITY b(b, place) ORDER BY place;
SELECT dynamo.create_table(jsonb_build_object('TableName', 'range' || type, 'BillingMode', 'PAY_PER_REQUEST',
	'KeySchema', '[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]'::jsonb,
	'AttributeDefinitions', jsonb_build_array('{"AttributeName": "pk", "AttributeType": "S"}'::jsonb,
		jsonb_build_object('AttributeName', 'sk', 'AttributeType', type)))) IS NOT NULL AS created FROM unnest('{S,N,B}'::text[]) type;
-- in an order that is not theirs; other partitions must not be seen
SELECT count(dynamo.put_item(jsonb_build_object('TableName', 'range' || type, 'Item',
	jsonb_build_object('pk', jsonb_build_object('S', pk), 'sk', sort, 'place', jsonb_build_object('N', place::text)))))
	FROM (SELECT * FROM keys, unnest('{k,j,kk}'::text[]) pk ORDER BY sort::text DESC) shuffled;

-- the places that the condition yields, page by page
CREATE FUNCTION pg_temp.places(type text, condition text, arguments jsonb, forward bool, page int) RETURNS int[] LANGUAGE plpgsql AS $$
DECLARE
	response jsonb;
	start jsonb;
	places int[] := '{}';
BEGIN
	LOOP
		response := dynamo.query(jsonb_build_object('TableName', 'range' || type, 'KeyConditionExpression', 'pk = :pk' || condition,
			'ExpressionAttributeValues', arguments || '{":pk": {"S": "k"}}', 'ScanIndexForward', forward,
			'Limit', page, 'ExclusiveStartKey', start));
		places := places || ARRAY(SELECT (item->'place'->>'N')::int FROM jsonb_array_elements(response->'Items') WITH ORDINALITY i(item, n) ORDER BY n);
		IF (response->>'Count')::int > page OR response->'Count' <> response->'ScannedCount' THEN
			RAISE 'page of % items', response->>'Count';
		END IF;
		start := response->'LastEvaluatedKey';
		EXIT WHEN start IS NULL;
	END LOOP;
	RETURN places;
END $$;
-- places are in key order, so conditions on keys are conditions on places
CREATE FUNCTION pg_temp.expected(of_type text, operator text, low int, high int, forward bool) RETURNS int[] LANGUAGE sql AS $$
	SELECT coalesce(array_agg(place ORDER BY CASE WHEN forward THEN place ELSE -place END), '{}') FROM keys WHERE type = of_type AND CASE operator
		WHEN '=' THEN place = low WHEN '<' THEN place < low WHEN '<=' THEN place <= low WHEN '>' THEN place > low WHEN '>=' THEN place >= low
		WHEN 'BETWEEN' THEN place BETWEEN low AND high ELSE true END;
$$;
SELECT type, operator, count(*) AS cases,
	count(*) FILTER (WHERE pg_temp.places(type, CASE operator WHEN '' THEN '' WHEN 'BETWEEN' THEN ' AND sk BETWEEN :a AND :b' ELSE ' AND sk ' || operator || ' :a' END,
		CASE operator WHEN '' THEN '{}' WHEN 'BETWEEN' THEN jsonb_build_object(':a', low.sort, ':b', high.sort) ELSE jsonb_build_object(':a', low.sort) END,
		forward, page) = pg_temp.expected(type, operator, low.place, high.place, forward)) AS right
FROM unnest('{S,N,B}'::text[]) t(t), unnest(ARRAY['=', '<', '<=', '>', '>=', 'BETWEEN', '']) operator, unnest('{t,f}'::bool[]) forward, unnest('{1,4,100}'::int[]) page,
	keys low JOIN keys high USING (type)
WHERE type = t AND (operator = 'BETWEEN' AND high.place >= low.place AND (low.place + high.place) % 3 = 0 OR
	operator NOT IN ('BETWEEN', '') AND high.place = low.place OR operator = '' AND high.place = low.place AND low.place % 9 = 0)
GROUP BY 1, 2 ORDER BY 1, 2;

-- begins_with is a range of bytes, not a pattern
SELECT s.prefix, pg_temp.places('S', ' AND begins_with(sk, :a)', jsonb_build_object(':a', jsonb_build_object('S', s.prefix)), forward, 2) =
	ARRAY(SELECT place FROM keys WHERE type = 'S' AND left(sort->>'S', length(s.prefix)) = s.prefix ORDER BY CASE WHEN forward THEN place ELSE -place END) AS right
FROM unnest(ARRAY['a', 'a%', 'a_', '0', 'ä', '𝄞', 'x', 'aaa']) s(prefix), unnest('{t,f}'::bool[]) forward;
SELECT b.prefix, pg_temp.places('B', ' AND begins_with(sk, :a)', jsonb_build_object(':a', jsonb_build_object('B', encode(b.prefix, 'base64'))), forward, 2) =
	ARRAY(SELECT place FROM keys WHERE type = 'B' AND substr(decode(sort->>'B', 'base64'), 1, length(b.prefix)) = b.prefix ORDER BY CASE WHEN forward THEN place ELSE -place END) AS right
FROM unnest(ARRAY['\x00', '\x61', '\x80', '\xff', '\xffff', '\xffffff', '\xffffffff', '\x62']::bytea[]) b(prefix), unnest('{t,f}'::bool[]) forward;
SELECT count(dynamo.delete_table(jsonb_build_object('TableName', 'range' || type))) FROM unnest('{S,N,B}'::text[]) type;
DROP TABLE keys;
