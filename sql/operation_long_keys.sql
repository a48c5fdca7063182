-- Keys of full length, incompressible, with equal beginnings
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.outcome(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, request);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT dynamo.create_table('{"TableName": "longS", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"}]}'::jsonb) IS NOT NULL AS created;
SELECT dynamo.create_table('{"TableName": "longB", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "B"}, {"AttributeName": "sk", "AttributeType": "B"}]}'::jsonb) IS NOT NULL AS created;

CREATE FUNCTION pg_temp.noise(seed int, bytes int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT left(string_agg(encode(sha512(int4send(seed) || int4send(i)), 'base64'), '' ORDER BY i), bytes) FROM generate_series(1, bytes / 80 + 1) i;
$$;
-- eight partition keys of 2,048 bytes that differ after the first 600, with four sort keys of 1,024 each that differ after the first 600
CREATE TABLE long_keys AS SELECT p, s, pg_temp.noise(0, 600) || pg_temp.noise(p, 1448) AS pk, pg_temp.noise(100, 600) || pg_temp.noise(s, 424) AS sk
	FROM generate_series(1, 8) p, generate_series(1, 4) s;
SELECT count(DISTINCT pk), min(octet_length(pk)), max(octet_length(pk)), min(octet_length(sk)), max(octet_length(sk)) FROM long_keys;
SELECT count(dynamo.put_item(jsonb_build_object('TableName', 'longS', 'Item', jsonb_build_object('pk', jsonb_build_object('S', pk), 'sk', jsonb_build_object('S', sk),
	'p', jsonb_build_object('N', p::text), 's', jsonb_build_object('N', s::text))))) FROM long_keys;
SELECT count(dynamo.put_item(jsonb_build_object('TableName', 'longB', 'Item', jsonb_build_object('pk', jsonb_build_object('B', translate(encode(pk::bytea, 'base64'), E'\n', '')),
	'sk', jsonb_build_object('B', translate(encode(sk::bytea, 'base64'), E'\n', '')), 'p', jsonb_build_object('N', p::text), 's', jsonb_build_object('N', s::text))))) FROM long_keys;
SELECT count(*) FROM ddb."longS";
SELECT count(*) FROM ddb."longB";
SELECT bool_and(item->>'p' = p::text AND item->>'s' = s::text) FROM long_keys, dynamo.get('longS', jsonb_build_object('pk', pk, 'sk', sk)) item;
-- one partition, in sort key order, page by page
CREATE FUNCTION pg_temp.places(name text, pk jsonb, forward bool) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	response jsonb;
	start jsonb;
	places text := '';
BEGIN
	LOOP
		response := dynamo.query(jsonb_build_object('TableName', name, 'KeyConditionExpression', 'pk = :pk', 'ScanIndexForward', forward,
			'ExpressionAttributeValues', jsonb_build_object(':pk', pk), 'Limit', 1, 'ExclusiveStartKey', start));
		places := places || coalesce((response->'Items'->0->'p'->>'N') || (response->'Items'->0->'s'->>'N') || ' ', '');
		start := response->'LastEvaluatedKey';
		EXIT WHEN start IS NULL;
	END LOOP;
	RETURN places;
END $$;
SELECT count(*) FILTER (WHERE pg_temp.places('longS', jsonb_build_object('S', pk), true) = forwards), count(*) FILTER (WHERE pg_temp.places('longS', jsonb_build_object('S', pk), false) = backwards),
	count(*) FILTER (WHERE pg_temp.places('longB', jsonb_build_object('B', translate(encode(pk::bytea, 'base64'), E'\n', '')), true) = forwards)
FROM (SELECT pk, string_agg(p::text || s || ' ', '' ORDER BY sk COLLATE "C") forwards, string_agg(p::text || s || ' ', '' ORDER BY sk COLLATE "C" DESC) backwards FROM long_keys GROUP BY pk) model;
-- a scan in pages of three meets each once
CREATE FUNCTION pg_temp.scanned(name text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	response jsonb;
	start jsonb;
BEGIN
	LOOP
		response := dynamo.scan(jsonb_build_object('TableName', name, 'Limit', 3, 'ExclusiveStartKey', start));
		RETURN QUERY SELECT (item->'p'->>'N') || (item->'s'->>'N') FROM jsonb_array_elements(response->'Items') item;
		start := response->'LastEvaluatedKey';
		EXIT WHEN start IS NULL;
	END LOOP;
END $$;
SELECT count(*), count(DISTINCT place) FROM pg_temp.scanned('longS') place;
SELECT count(*), count(DISTINCT place) FROM pg_temp.scanned('longB') place;
SELECT sum((dynamo.scan(jsonb_build_object('TableName', 'longS', 'Segment', segment, 'TotalSegments', 3, 'Select', 'COUNT'))->>'Count')::int) FROM generate_series(0, 2) segment;
-- writes find their item
SELECT count(dynamo.update('longS', jsonb_build_object('pk', pk, 'sk', sk), 'SET p = p + :z', attribute_values => '{":z": 0}', condition => 'attribute_exists(pk)')) FROM long_keys;
SELECT count(dynamo.delete('longS', jsonb_build_object('pk', pk, 'sk', sk))) FROM long_keys WHERE p > 2;
SELECT count(*) FROM ddb."longS";
-- a byte more is too long, in keys and in conditions on them
SELECT pg_temp.outcome('GetItem', jsonb_build_object('TableName', 'longS', 'Key', jsonb_build_object('pk', jsonb_build_object('S', repeat('x', p)), 'sk', jsonb_build_object('S', repeat('x', s)))))
	FROM (VALUES (2048, 1024), (2049, 1024), (2048, 1025), (2049, 1025)) v(p, s);
SELECT pg_temp.outcome('Query', jsonb_build_object('TableName', 'longS', 'KeyConditionExpression', 'pk = :p AND sk > :s',
	'ExpressionAttributeValues', jsonb_build_object(':p', jsonb_build_object('S', repeat('x', p)), ':s', jsonb_build_object('S', repeat('x', s)))))
	FROM (VALUES (2048, 1024), (2049, 1024), (2048, 1025)) v(p, s);
DROP TABLE long_keys;
SELECT dynamo.delete_table('{"TableName": "longS"}') IS NOT NULL AS deleted;
SELECT dynamo.delete_table('{"TableName": "longB"}') IS NOT NULL AS deleted;
