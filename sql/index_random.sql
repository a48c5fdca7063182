-- Thousands of random writes on a table with several indexes: what each index
-- answers to each Query is what a filtered Scan of the table finds, in order.
SELECT setseed(0.4);
SELECT dynamo.create_table('{"TableName": "random", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [
		{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"},
		{"AttributeName": "a", "AttributeType": "S"}, {"AttributeName": "b", "AttributeType": "S"},
		{"AttributeName": "n", "AttributeType": "N"}],
	"LocalSecondaryIndexes": [
		{"IndexName": "local_n", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [
			{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "n", "KeyType": "RANGE"}]}],
	"GlobalSecondaryIndexes": [
		{"IndexName": "by_a", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}]},
		{"IndexName": "by_a_n", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [
			{"AttributeName": "a", "KeyType": "HASH"}, {"AttributeName": "n", "KeyType": "RANGE"}]},
		{"IndexName": "by_n_b", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [
			{"AttributeName": "n", "KeyType": "HASH"}, {"AttributeName": "b", "KeyType": "RANGE"}]},
		{"IndexName": "by_ab_nsk", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [
			{"AttributeName": "a", "KeyType": "HASH"}, {"AttributeName": "b", "KeyType": "HASH"},
			{"AttributeName": "n", "KeyType": "RANGE"}, {"AttributeName": "sk", "KeyType": "RANGE"}]}]}')
	-> 'TableDescription' ->> 'TableStatus' AS status;

-- an item with some of the attributes; every tenth long value is over the 600
-- bytes that a column keeps of a partition key
CREATE FUNCTION pg_temp.random_item(pk text, sk int) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_strip_nulls(jsonb_build_object('pk', pk, 'sk', sk,
		'a', CASE WHEN random() < 0.7 THEN CASE WHEN random() < 0.1 THEN repeat('long', 300) ELSE '' END || 'a' || (random() * 3)::int END,
		'b', CASE WHEN random() < 0.7 THEN 'b' || (random() * 3)::int END,
		'n', CASE WHEN random() < 0.7 THEN (random() * 4)::int END))
$$;
DO $$
DECLARE
	pk text;
	sk int;
	new_item jsonb;
BEGIN
	FOR i IN 1 .. 4000 LOOP
		pk := 'p' || (random() * 5)::int;
		sk := (random() * 40)::int;
		new_item := pg_temp.random_item(pk, sk);
		CASE (random() * 5)::int
			WHEN 0 THEN PERFORM dynamo.delete('random', jsonb_build_object('pk', pk, 'sk', sk));
			WHEN 1 THEN PERFORM dynamo.update('random', jsonb_build_object('pk', pk, 'sk', sk), 'REMOVE a SET b = :b',
				attribute_values => jsonb_build_object(':b', 'b' || (random() * 3)::int));
			WHEN 2 THEN PERFORM dynamo.update('random', jsonb_build_object('pk', pk, 'sk', sk), 'ADD n :one',
				attribute_values => '{":one": 1}');
			WHEN 3 THEN UPDATE ddb.random t SET item = t.item - 'n' WHERE t.pk = new_item->>'pk' AND t.sk = (new_item->'sk')::numeric;
			ELSE PERFORM dynamo.put('random', new_item);
		END CASE;
	END LOOP;
END
$$;

-- all items of one index key, by pages of three in either direction, as arrays
-- of their table keys
CREATE FUNCTION pg_temp.pages(index_name text, condition text, bound jsonb, forward boolean) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	request jsonb := jsonb_build_object('TableName', 'random', 'IndexName', index_name, 'KeyConditionExpression', condition,
		'ExpressionAttributeValues', bound, 'Limit', 3, 'ScanIndexForward', forward);
	response jsonb;
	keys jsonb := '[]';
BEGIN
	LOOP
		response := dynamo.query(request);
		keys := keys || (SELECT coalesce(jsonb_agg(jsonb_build_array(i->'pk'->'S', i->'sk'->'N') ORDER BY o), '[]')
			FROM jsonb_array_elements(response->'Items') WITH ORDINALITY e(i, o));
		EXIT WHEN NOT response ? 'LastEvaluatedKey';
		request := request || jsonb_build_object('ExclusiveStartKey', response->'LastEvaluatedKey');
	END LOOP;
	RETURN keys;
END
$$;
CREATE FUNCTION pg_temp.reversed(keys jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT coalesce(jsonb_agg(k ORDER BY o DESC), '[]') FROM jsonb_array_elements(keys) WITH ORDINALITY e(k, o)
$$;

-- what a scan of the table finds for an index key, in the order of the index
CREATE TEMP TABLE item AS SELECT item->>'pk' AS pk, (item->'sk')::numeric AS sk, item->>'a' AS a, item->>'b' AS b, (item->'n')::numeric AS n
	FROM dynamo.scan('random') item;
CREATE TEMP TABLE expected AS
	SELECT 'by_a' AS index_name, 'a = :a' AS condition, jsonb_build_object(':a', jsonb_build_object('S', a)) AS bound,
		jsonb_agg(jsonb_build_array(pk, sk::text) ORDER BY pk COLLATE "C", sk) AS keys
	FROM item WHERE a IS NOT NULL GROUP BY a
	UNION ALL
	SELECT 'by_a_n', 'a = :a', jsonb_build_object(':a', jsonb_build_object('S', a)),
		jsonb_agg(jsonb_build_array(pk, sk::text) ORDER BY n, pk COLLATE "C", sk)
	FROM item WHERE a IS NOT NULL AND n IS NOT NULL GROUP BY a
	UNION ALL
	SELECT 'by_a_n', 'a = :a AND n >= :n', jsonb_build_object(':a', jsonb_build_object('S', a), ':n', '{"N": "2"}'::jsonb),
		jsonb_agg(jsonb_build_array(pk, sk::text) ORDER BY n, pk COLLATE "C", sk)
	FROM item WHERE a IS NOT NULL AND n >= 2 GROUP BY a
	UNION ALL
	SELECT 'by_n_b', 'n = :n AND begins_with(b, :b)', jsonb_build_object(':n', jsonb_build_object('N', n::text), ':b', '{"S": "b"}'::jsonb),
		jsonb_agg(jsonb_build_array(pk, sk::text) ORDER BY b COLLATE "C", pk COLLATE "C", sk)
	FROM item WHERE n IS NOT NULL AND b IS NOT NULL GROUP BY n
	UNION ALL
	SELECT 'by_ab_nsk', 'a = :a AND b = :b', jsonb_build_object(':a', jsonb_build_object('S', a), ':b', jsonb_build_object('S', b)),
		jsonb_agg(jsonb_build_array(pk, sk::text) ORDER BY n, sk, pk COLLATE "C")
	FROM item WHERE a IS NOT NULL AND b IS NOT NULL AND n IS NOT NULL GROUP BY a, b
	UNION ALL
	SELECT 'by_ab_nsk', 'a = :a AND b = :b AND n = :n AND sk < :sk', jsonb_build_object(':a', jsonb_build_object('S', a),
			':b', jsonb_build_object('S', b), ':n', jsonb_build_object('N', n::text), ':sk', '{"N": "20"}'::jsonb),
		jsonb_agg(jsonb_build_array(pk, sk::text) ORDER BY sk, pk COLLATE "C")
	FROM item WHERE a IS NOT NULL AND b IS NOT NULL AND n IS NOT NULL AND sk < 20 GROUP BY a, b, n
	UNION ALL
	SELECT 'local_n', 'pk = :pk AND n BETWEEN :n AND :m', jsonb_build_object(':pk', jsonb_build_object('S', pk),
			':n', '{"N": "1"}'::jsonb, ':m', '{"N": "3"}'::jsonb),
		jsonb_agg(jsonb_build_array(pk, sk::text) ORDER BY n, sk)
	FROM item WHERE n BETWEEN 1 AND 3 GROUP BY pk;
SELECT index_name, count(*) > 3 AS several_keys, max(jsonb_array_length(keys)) > 3 AS several_pages,
	bool_and(pg_temp.pages(index_name, condition, bound, true) = keys) AS forward,
	bool_and(pg_temp.pages(index_name, condition, bound, false) = pg_temp.reversed(keys)) AS backward
FROM expected GROUP BY index_name ORDER BY index_name COLLATE "C";
-- a Scan of the index has each of them once
SELECT index_name, (SELECT count(*) = count(DISTINCT i) AND count(*) = (SELECT sum(jsonb_array_length(keys)) FROM expected e
		WHERE e.index_name = x.index_name AND e.condition = x.condition)
	FROM dynamo.scan('random', index_name => x.index_name) i) AS scanned
FROM (VALUES ('by_a', 'a = :a'), ('by_a_n', 'a = :a'), ('by_n_b', 'n = :n AND begins_with(b, :b)'), ('by_ab_nsk', 'a = :a AND b = :b')) x(index_name, condition);
DROP TABLE ddb.random;
