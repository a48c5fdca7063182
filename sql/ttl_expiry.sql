-- Which values expire, and when
SELECT dynamo.create_table('{"TableName": "expiry", "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}], "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}') IS NOT NULL AS created;
SELECT dynamo.enable_ttl('expiry', 'until');

-- by a clock that is an hour past the moment
SELECT 2000000000 AS moment \gset
SELECT (:moment - floor(extract(epoch FROM now())))::int8 + 3600 AS clock_offset \gset
SET dynamo.clock_offset = :clock_offset;

CREATE FUNCTION pg_temp.put(id text, value jsonb) RETURNS void LANGUAGE sql AS $$
	INSERT INTO ddb.expiry (item) VALUES (jsonb_build_object('id', id, 'until', value)) $$;
SELECT pg_temp.put('past', '2000000000');
SELECT pg_temp.put('fraction', '1999999999.5');
SELECT pg_temp.put('exponent', '2e9');
SELECT pg_temp.put('almost five years', (:moment - 157000000)::text::jsonb);
-- stay
SELECT pg_temp.put('tomorrow', (:moment + 86400)::text::jsonb);
SELECT pg_temp.put('over five years', (:moment - 158000000)::text::jsonb);
SELECT pg_temp.put('zero', '0');
SELECT pg_temp.put('negative', '-2000000000');
SELECT pg_temp.put('milliseconds', '1999999999000');
SELECT pg_temp.put('huge', '9e125');
SELECT pg_temp.put('tiny', '1e-130');
SELECT pg_temp.put('string', '"1999999999"');
SELECT pg_temp.put('null', 'null');
SELECT pg_temp.put('bool', 'true');
SELECT pg_temp.put('list', '[1999999999]');
SELECT pg_temp.put('set', '{"$ns": [1999999999]}');
SELECT pg_temp.put('binary', '{"$b": "MQ=="}');
SELECT pg_temp.put('map', '{"until": 1999999999}');
INSERT INTO ddb.expiry (item) VALUES ('{"id": "missing"}'), ('{"id": "nested", "a": {"until": 1999999999}}');

SELECT backlog FROM dynamo.ttl_status;
SELECT dynamo.sweep('expiry');
SELECT id, ":ttl" FROM ddb.expiry ORDER BY id;
SELECT expired, backlog FROM dynamo.ttl_status;

-- rounded up: not before its time
TRUNCATE ddb.expiry;
RESET dynamo.clock_offset;
INSERT INTO ddb.expiry (item) SELECT jsonb_build_object('id', i::text, 'until', trim_scale(round((random() * 4e11 - 1e11)::numeric, i % 4)))
	FROM generate_series(1, 2000) i;
SELECT count(*) FROM ddb.expiry WHERE ":ttl" IS DISTINCT FROM
	CASE WHEN (item->>'until')::numeric > 0 AND (item->>'until')::numeric <= 99999999999 THEN ceil((item->>'until')::numeric) END;
SELECT count(*) > 100 AS some_expire, count(*) < 1900 AS some_do_not FROM ddb.expiry WHERE ":ttl" IS NOT NULL;

SELECT dynamo.delete_table('{"TableName": "expiry"}') IS NOT NULL AS deleted;
