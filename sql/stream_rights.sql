-- Who may read a stream: whoever may read all items
CREATE ROLE regress_dynamo_reader;
CREATE ROLE regress_dynamo_writer;
SELECT dynamo.create_table('{"TableName": "Rights", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1},
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
	"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"}}')#>>'{TableDescription,LatestStreamArn}' AS arn \gset
GRANT USAGE ON SCHEMA ddb TO regress_dynamo_reader, regress_dynamo_writer;
GRANT INSERT ON ddb."Rights" TO regress_dynamo_writer;
GRANT SELECT ON ddb."Rights" TO regress_dynamo_reader;

-- a writer's change is recorded although he may not write to the stream's tables
SET ROLE regress_dynamo_writer;
INSERT INTO ddb."Rights"(item) VALUES ('{"pk": "a"}');
SELECT count(*) FROM dynamo.stream_records('Rights');
SELECT dynamo.describe_stream(jsonb_build_object('StreamArn', :'arn'));
INSERT INTO dynamo.stream_commits_0 VALUES (1, 1, '1', 1);
SELECT dynamo.split_shards('Rights', 2);
SELECT dynamo.trim_streams();
SET ROLE regress_dynamo_reader;
SELECT event_name, new_image FROM dynamo.stream_records('Rights');
SELECT dynamo.split_shards('Rights', 2);
SELECT count(*) FROM dynamo.stream_records_0;
RESET ROLE;

-- row-level security hides items that the stream would show
ALTER TABLE ddb."Rights" ENABLE ROW LEVEL SECURITY;
CREATE POLICY none ON ddb."Rights" USING (false);
SET ROLE regress_dynamo_reader;
SELECT count(*) FROM dynamo.stream_records('Rights');
RESET ROLE;
SELECT count(*) FROM dynamo.stream_records('Rights');

-- rows do not come by other ways: not even the owner inserts them
INSERT INTO dynamo.stream_commits_0 VALUES (1, 1, '1', 1);
SELECT count(*) FROM dynamo.stream_commits_0 WHERE xid = '1';

-- the table is gone: the stream is its owner's
DROP TABLE ddb."Rights";
SELECT count(*) FROM dynamo.stream_records('Rights');
SET ROLE regress_dynamo_reader;
SELECT count(*) FROM dynamo.stream_records('Rights');
RESET ROLE;
REVOKE USAGE ON SCHEMA ddb FROM regress_dynamo_reader, regress_dynamo_writer;
DROP ROLE regress_dynamo_reader, regress_dynamo_writer;
