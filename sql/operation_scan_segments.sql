-- Segments of a scan cover each item once, while others come and go between the pages
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.outcome(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, request);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;

CREATE FUNCTION pg_temp.segment(name text, segment int, total int, page int) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	response jsonb;
	start jsonb;
BEGIN
	LOOP
		response := dynamo.scan(jsonb_build_object('TableName', name, 'Segment', segment, 'TotalSegments', total, 'Limit', page, 'ExclusiveStartKey', start));
		RETURN QUERY SELECT item->'id'->>'S' FROM jsonb_array_elements(response->'Items') item;
		start := response->'LastEvaluatedKey';
		EXIT WHEN start IS NULL;
		-- the item the page ended with, and its neighbours, may be changed, deleted, or joined by others
		PERFORM dynamo.update_item(jsonb_build_object('TableName', name, 'Key', start, 'UpdateExpression', 'ADD visits :one', 'ExpressionAttributeValues', '{":one": {"N": "1"}}'::jsonb));
		PERFORM dynamo.delete_item(jsonb_build_object('TableName', name, 'Key', start)) WHERE random() < 0.5;
		EXECUTE format('INSERT INTO ddb.%I (item) VALUES ($1)', name) USING CASE name WHEN 'segS' THEN jsonb_build_object('pk', 'new' || gen_random_uuid(), 'id', '-')
			WHEN 'segN' THEN jsonb_build_object('pk', trunc(random() * 1e15), 'sk', trunc(random() * 1e15), 'id', '-')
			ELSE jsonb_build_object('pk', jsonb_build_object('$b', encode(decode(md5(random()::text), 'hex'), 'base64')), 'id', '-') END;
	END LOOP;
END $$;
SELECT dynamo.create_table('{"TableName": "segS", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}'::jsonb) IS NOT NULL AS created;
SELECT dynamo.create_table('{"TableName": "segN", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "N"}, {"AttributeName": "sk", "AttributeType": "N"}]}'::jsonb) IS NOT NULL AS created;
SELECT dynamo.create_table('{"TableName": "segB", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "B"}]}'::jsonb) IS NOT NULL AS created;

-- several items with one partition key, and runs of neighbouring keys
SELECT count(*) FROM (SELECT dynamo.put('segS', jsonb_build_object('pk', 'user#' || i, 'id', i::text)) FROM generate_series(1, 300) i) puts;
SELECT count(*) FROM (SELECT dynamo.put('segN', jsonb_build_object('pk', i / 5 - 20, 'sk', i, 'id', i::text)) FROM generate_series(1, 300) i) puts;
SELECT count(*) FROM (SELECT dynamo.put('segB', jsonb_build_object('pk', jsonb_build_object('$b', encode(int4send(i), 'base64')), 'id', i::text)) FROM generate_series(1, 300) i) puts;
SELECT name, total, count(id) AS seen, count(DISTINCT id) AS different
FROM (VALUES ('segS'), ('segN'), ('segB')) tables(name), unnest('{1,3,16}'::int[]) total, LATERAL (
	SELECT pg_temp.segment(name, segment, total, 7) AS id FROM generate_series(0, total - 1) segment) pages
WHERE id <> '-' AND total = 3 GROUP BY 1, 2 ORDER BY 1, 2;

-- an undisturbed table, in many segments: the whole of it
CREATE FUNCTION pg_temp.covered(name text, total int) RETURNS text LANGUAGE sql AS $$
	SELECT concat_ws(' ', count(*) = (dynamo.scan(jsonb_build_object('TableName', name, 'Select', 'COUNT'))->>'Count')::int, count(*) = count(DISTINCT key))
	FROM generate_series(0, total - 1) segment, LATERAL (SELECT jsonb_path_query(dynamo.scan(jsonb_build_object('TableName', name, 'Segment', segment, 'TotalSegments', total)), '$.Items[*]') - 'visits' AS key) items;
$$;
SELECT name, total, pg_temp.covered(name, total) FROM (VALUES ('segS'), ('segN'), ('segB')) tables(name), unnest('{1,2,16,1000}'::int[]) total ORDER BY 1, 2;
SELECT pg_temp.outcome('Scan', '{"TableName": "segS", "Segment": 999999, "TotalSegments": 1000000, "Select": "COUNT"}')::jsonb ? 'Count' AS a_million_segments;

-- a start key of another segment
SELECT count(*) FILTER (WHERE message LIKE '{%') AS own, min(message) FILTER (WHERE message NOT LIKE '{%')
FROM generate_series(0, 3) segment, LATERAL pg_temp.outcome('Scan', jsonb_build_object('TableName', 'segS', 'Segment', segment, 'TotalSegments', 4, 'Select', 'COUNT', 'ExclusiveStartKey', '{"pk": {"S": "user#77"}}'::jsonb)) message;
SELECT pg_temp.outcome('Scan', '{"TableName": "segS", "Segment": 4}');
SELECT pg_temp.outcome('Scan', '{"TableName": "segS", "TotalSegments": 4}');
SELECT pg_temp.outcome('Scan', '{"TableName": "segS", "Segment": 4, "TotalSegments": 4}');
SELECT pg_temp.outcome('Scan', '{"TableName": "segS", "Segment": -1, "TotalSegments": 0}');
SELECT dynamo.delete_table('{"TableName": "segS"}') IS NOT NULL AS deleted;
SELECT dynamo.delete_table('{"TableName": "segN"}') IS NOT NULL AS deleted;
SELECT dynamo.delete_table('{"TableName": "segB"}') IS NOT NULL AS deleted;
