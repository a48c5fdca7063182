-- Consumers: batches, retries, splitting, batchItemFailures, filters, rights
SELECT dynamo.create_table('{"TableName": "Orders", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1},
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
	"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"}}') IS NOT NULL AS created;
CREATE TABLE totals (kind text PRIMARY KEY, n int, sum numeric);
CREATE TABLE calls (id serial, n int, role name);
CREATE FUNCTION public.consume(event jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	r jsonb;
	k text;
BEGIN
	INSERT INTO public.calls(n, role) VALUES (jsonb_array_length(event->'Records'), current_user);
	FOR r IN SELECT * FROM jsonb_array_elements(event->'Records') LOOP
		k := r#>>'{dynamodb,NewImage,kind,S}';
		IF k = 'poison' THEN
			RAISE EXCEPTION 'cannot take %', r#>>'{dynamodb,Keys,pk,S}';
		ELSIF k = 'report' THEN
			RETURN jsonb_build_object('batchItemFailures', jsonb_build_array(jsonb_build_object('itemIdentifier', r#>'{dynamodb,SequenceNumber}')));
		END IF;
		INSERT INTO public.totals VALUES (k, 1, (r#>>'{dynamodb,NewImage,v,N}')::numeric)
			ON CONFLICT (kind) DO UPDATE SET n = totals.n + 1, sum = totals.sum + excluded.sum;
	END LOOP;
	RETURN NULL;
END
$$;
-- by hand: the worker of this server must not take part
CREATE FUNCTION consumer(batch_size int, retries int, start text DEFAULT 'LATEST', filter jsonb DEFAULT NULL, age interval DEFAULT NULL) RETURNS uuid LANGUAGE sql AS $$
	SELECT dynamo.create_event_source_mapping('Orders', 'public.consume(jsonb)', batch_size, retries, start, filter, '0', age)
$$;
CREATE FUNCTION fill(first int, last int) RETURNS void LANGUAGE sql AS $$
	INSERT INTO ddb."Orders"(item) SELECT jsonb_build_object('pk', 'p' || i, 'v', i,
		'kind', CASE WHEN i IN (5, 13) THEN 'poison' WHEN i = 17 THEN 'report' WHEN i % 2 = 0 THEN 'even' ELSE 'odd' END)
	FROM generate_series(first, last) i
$$;

-- poison records are split off and put aside, what is before and behind them is taken
BEGIN;
SELECT consumer(8, 0, 'TRIM_HORIZON') AS m \gset
COMMIT;
SELECT dynamo.pause_event_source_mapping(:'m');
SELECT fill(1, 20);
SELECT dynamo.run_event_source_mapping(:'m') AS paused;
BEGIN;
SELECT dynamo.resume_event_source_mapping(:'m');
SELECT dynamo.run_event_source_mapping(:'m') AS taken;
SELECT * FROM totals ORDER BY kind;
SELECT array_agg(n ORDER BY id) AS calls FROM calls;
SELECT event#>>'{dynamodb,NewImage,pk,S}' AS item, event->>'eventSourceARN' ~ ':table/Orders/stream/' AS arn, reason, attempts, function FROM dynamo.failed_events WHERE mapping = :'m' ORDER BY id;
SELECT last_result, enabled, batch_size FROM dynamo.list_event_source_mappings('Orders');
SELECT dynamo.run_event_source_mapping(:'m') AS nothing_left;
ROLLBACK;
SELECT count(*) FROM totals;
SELECT count(*) FROM dynamo.failed_events WHERE mapping = :'m';
-- the checkpoint has gone back, too
BEGIN;
UPDATE dynamo.event_source_mappings SET enabled = true, maximum_retry_attempts = 1 WHERE uuid = :'m';
SELECT dynamo.run_event_source_mapping(:'m') AS taken_before_the_retry;
SELECT last_result FROM dynamo.list_event_source_mappings('Orders');
SELECT attempts, batch_limit, retry_at > now() AS waits FROM dynamo.event_source_checkpoints WHERE mapping = :'m';
SELECT dynamo.resume_event_source_mapping(:'m');
SELECT dynamo.run_event_source_mapping(:'m') AS taken;
SELECT event#>>'{dynamodb,NewImage,pk,S}' AS item, attempts FROM dynamo.failed_events WHERE mapping = :'m' ORDER BY id;
ROLLBACK;
SELECT dynamo.delete_event_source_mapping(:'m');
SELECT count(*) FROM dynamo.event_source_checkpoints WHERE mapping = :'m';

-- from now on; filters
BEGIN;
SELECT consumer(100, 0, 'LATEST', '{"eventName": ["INSERT"], "dynamodb": {"NewImage": {"v": {"N": [{"numeric": [">", 24, "<=", 27]}]}}}}') AS m \gset
SELECT consumer(100, 0, 'LATEST', '[{"dynamodb": {"Keys": {"pk": {"S": [{"prefix": "p3"}]}}}}, {"eventName": ["REMOVE"]}]') AS n \gset
COMMIT;
SELECT dynamo.pause_event_source_mapping(:'m'), dynamo.pause_event_source_mapping(:'n');
SELECT fill(20 + 1, 32);
DELETE FROM ddb."Orders" WHERE pk = 'p21';
BEGIN;
UPDATE dynamo.event_source_mappings SET enabled = true;
SELECT dynamo.run_event_source_mapping(:'m') AS taken;
SELECT sum FROM totals ORDER BY kind;
SELECT dynamo.run_event_source_mapping(:'n') AS taken;
ROLLBACK;
SELECT dynamo.delete_event_source_mapping(:'m'), dynamo.delete_event_source_mapping(:'n');

-- records that are too old
BEGIN;
SELECT consumer(100, -1, 'TRIM_HORIZON', '{"dynamodb": {"Keys": {"pk": {"S": ["p1", "p2"]}}}}', '1 hour') AS m \gset
SET LOCAL dynamo.clock_offset = 3700;
SELECT dynamo.run_event_source_mapping(:'m') AS taken;
SELECT event#>>'{dynamodb,Keys,pk,S}' AS item, reason FROM dynamo.failed_events WHERE mapping = :'m' ORDER BY id;
ROLLBACK;

-- a batch window waits for more
BEGIN;
SELECT dynamo.create_event_source_mapping('Orders', 'public.consume(jsonb)', 100, 0, 'TRIM_HORIZON', '{"dynamodb": {"Keys": {"pk": {"S": ["p1", "p2"]}}}}', '1 hour') AS m \gset
SELECT dynamo.run_event_source_mapping(:'m') AS taken;
SET LOCAL dynamo.clock_offset = 3700;
SELECT dynamo.run_event_source_mapping(:'m') AS taken_after_an_hour;
ROLLBACK;

-- refused
SELECT dynamo.create_event_source_mapping('Orders', 'public.consume(jsonb)', 0);
SELECT dynamo.create_event_source_mapping('Orders', 'now()');
SELECT dynamo.create_event_source_mapping('No', 'public.consume(jsonb)');
SELECT dynamo.create_event_source_mapping('Orders', 'public.consume(jsonb)', starting_position => 'AT_TIMESTAMP');
SELECT dynamo.create_event_source_mapping('Orders', 'public.consume(jsonb)', filter => '{"eventName": "INSERT"}');
SELECT dynamo.create_event_source_mapping('Orders', 'public.consume(jsonb)', filter => '{"eventName": [{"like": "I"}]}');
SELECT dynamo.pause_event_source_mapping('00000000-0000-0000-0000-000000000000');

-- the function runs as the role that made the mapping, which may not even see the table later
CREATE ROLE regress_dynamo_consumer;
GRANT USAGE ON SCHEMA ddb TO regress_dynamo_consumer;
GRANT ALL ON totals, calls TO regress_dynamo_consumer;
GRANT USAGE ON SEQUENCE calls_id_seq TO regress_dynamo_consumer;
SET ROLE regress_dynamo_consumer;
SELECT dynamo.create_event_source_mapping('Orders', 'public.consume(jsonb)');
RESET ROLE;
GRANT SELECT ON ddb."Orders" TO regress_dynamo_consumer;
BEGIN;
SET LOCAL ROLE regress_dynamo_consumer;
SELECT consumer(100, 0, 'TRIM_HORIZON', '{"dynamodb": {"Keys": {"pk": {"S": ["p1", "p2"]}}}}') AS m \gset
SELECT consumer(100, 0, 'TRIM_HORIZON', '{"dynamodb": {"Keys": {"pk": {"S": ["p1"]}}}}') AS n \gset
RESET ROLE;
SELECT dynamo.run_event_source_mapping(:'m') AS taken;
SELECT DISTINCT role FROM calls;
REVOKE SELECT ON ddb."Orders" FROM regress_dynamo_consumer;
SELECT dynamo.run_event_source_mapping(:'n') AS taken;
SET LOCAL ROLE regress_dynamo_consumer;
SELECT reason FROM dynamo.failed_events;
ROLLBACK;
SELECT dynamo.create_event_source_mapping('Orders', 'public.consume(jsonb)') AS m \gset
SELECT dynamo.pause_event_source_mapping(:'m');
SET ROLE regress_dynamo_consumer;
SELECT dynamo.run_event_source_mapping(:'m');
SELECT dynamo.delete_event_source_mapping(:'m');
RESET ROLE;
SELECT dynamo.delete_event_source_mapping(:'m');
REVOKE ALL ON SCHEMA ddb FROM regress_dynamo_consumer;
REVOKE ALL ON totals, calls FROM regress_dynamo_consumer;
REVOKE ALL ON SEQUENCE calls_id_seq FROM regress_dynamo_consumer;
REVOKE ALL ON ddb."Orders" FROM regress_dynamo_consumer;
DROP ROLE regress_dynamo_consumer;
DROP FUNCTION consumer, fill, consume;
DROP TABLE totals, calls;
SELECT dynamo.delete_table('{"TableName": "Orders"}') IS NOT NULL AS deleted;
