-- dynamo.sweep(): what it deletes, for whom, and what of it shows
SELECT dynamo.create_table('{"TableName": "swept", "BillingMode": "PAY_PER_REQUEST", "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "OLD_IMAGE"},
	"AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "N"}, {"AttributeName": "kind", "AttributeType": "S"}], "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
	"GlobalSecondaryIndexes": [{"IndexName": "by_kind", "KeySchema": [{"AttributeName": "kind", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}]}') IS NOT NULL AS created;
SELECT dynamo.sweep('absent');
SELECT dynamo.sweep('swept');
SELECT dynamo.enable_ttl('swept', 'until');
SELECT dynamo.sweep('swept');

SELECT extract(epoch FROM now())::int8 - 1000 AS past, extract(epoch FROM now())::int8 + 100000 AS future \gset
INSERT INTO ddb.swept (item) SELECT jsonb_build_object('id', i, 'kind', 'a', 'until', CASE WHEN i <= 2500 THEN :past ELSE :future END)
	FROM generate_series(1, 2510) i;
SELECT dynamo.sweep('swept', 100), dynamo.sweep('swept', 1100), dynamo.sweep('swept', 0);
SELECT backlog, expired, last_error FROM dynamo.ttl_status;
SELECT dynamo.sweep('swept');
SELECT count(*), min(id) FROM ddb.swept;
SELECT count(*) FROM dynamo.query('swept', 'kind = :k', '{":k": "a"}', index_name => 'by_kind');
SELECT event_name, service, count(*) FROM dynamo.stream_records('swept', max_records => 10000) GROUP BY 1, 2 ORDER BY 1, 2;

-- deletions by others are theirs, after an error too
CREATE TABLE public.refers (id numeric REFERENCES ddb.swept);
UPDATE ddb.swept SET item = item || jsonb_build_object('until', :past) WHERE id = 2501;
INSERT INTO public.refers VALUES (2501);
\set VERBOSITY terse
SELECT dynamo.sweep('swept');
DROP TABLE public.refers;
DELETE FROM ddb.swept WHERE id = 2502;
SELECT event_name, service, count(*) FROM dynamo.stream_records('swept', max_records => 10000) WHERE event_name = 'REMOVE' GROUP BY 1, 2 ORDER BY 1, 2;

-- a rolled-back sweep has not been
BEGIN;
SELECT dynamo.sweep('swept');
ROLLBACK;
SELECT backlog, expired FROM dynamo.ttl_status;

-- with the caller's rights
CREATE ROLE regress_ttl_sweeper;
GRANT USAGE ON SCHEMA ddb TO regress_ttl_sweeper;
SET ROLE regress_ttl_sweeper;
SELECT dynamo.sweep('swept');
SELECT table_name, backlog FROM dynamo.ttl_status;
RESET ROLE;
GRANT SELECT, UPDATE, DELETE ON ddb.swept TO regress_ttl_sweeper;
ALTER TABLE ddb.swept ENABLE ROW LEVEL SECURITY;
CREATE POLICY others ON ddb.swept TO regress_ttl_sweeper USING (id <> 2501);
SET ROLE regress_ttl_sweeper;
SELECT backlog FROM dynamo.ttl_status;
SELECT dynamo.sweep('swept');
RESET ROLE;
SELECT backlog FROM dynamo.ttl_status;
SELECT dynamo.sweep('swept');
DROP OWNED BY regress_ttl_sweeper;
DROP ROLE regress_ttl_sweeper;

BEGIN READ ONLY;
SELECT dynamo.sweep('swept');
ROLLBACK;
SELECT dynamo.sweep(NULL);

SELECT dynamo.delete_table('{"TableName": "swept"}') IS NOT NULL AS deleted;
