-- A stream begins, ends and begins anew; shards are split; what ended stays readable
SELECT dynamo.create_table('{"TableName": "Life", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "N"}]}')#>'{TableDescription,LatestStreamArn}' AS arn;
SELECT dynamo.list_streams('{"TableName": "Life"}');
INSERT INTO ddb."Life"(item) VALUES ('{"pk": 0}');
SELECT dynamo.update_table('{"TableName": "Life", "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"}}')#>>'{TableDescription,LatestStreamArn}' AS arn \gset
SELECT :'arn' ~ '^arn:aws:dynamodb:us-east-1:000000000000:table/Life/stream/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$' AS arn;
SELECT jsonb_array_length(dynamo.list_streams('{"TableName": "Life"}')->'Streams') AS streams;
SELECT dynamo.describe_table('{"TableName": "Life"}')#>'{Table,StreamSpecification}' AS specification;
SELECT dynamo.update_table('{"TableName": "Life", "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "OLD_IMAGE"}}');
INSERT INTO ddb."Life"(item) SELECT jsonb_build_object('pk', n) FROM generate_series(1, 40) n;

CREATE FUNCTION shards(arn text) RETURNS TABLE (n int8, id text, parent int8, closed bool, spans bool) LANGUAGE sql AS $$
	WITH s AS (SELECT n, s->>'ShardId' AS id, s->>'ParentShardId' AS parent, s->'SequenceNumberRange' AS range
		FROM jsonb_array_elements(dynamo.describe_stream(jsonb_build_object('StreamArn', arn))#>'{StreamDescription,Shards}') WITH ORDINALITY AS s(s, n))
	SELECT s.n, s.id, p.n, s.range ? 'EndingSequenceNumber',
		(p.range->>'EndingSequenceNumber')::numeric < (s.range->>'StartingSequenceNumber')::numeric
	FROM s LEFT JOIN s p ON p.id = s.parent
$$;
CREATE FUNCTION records(arn text, shard text, first text DEFAULT 'TRIM_HORIZON') RETURNS jsonb LANGUAGE sql AS $$
	SELECT dynamo.get_records(jsonb_build_object('ShardIterator', dynamo.get_shard_iterator(jsonb_build_object('StreamArn', arn, 'ShardId', shard, 'ShardIteratorType', first))->'ShardIterator'))
$$;
SELECT n, parent, closed, spans, records(:'arn', id) ? 'NextShardIterator' AS goes_on FROM shards(:'arn');
SELECT sum(jsonb_array_length(records(:'arn', id)->'Records')) AS records, bool_and(jsonb_array_length(records(:'arn', id)->'Records') > 0) AS all_used FROM shards(:'arn');
SELECT sum(jsonb_array_length(records(:'arn', id, 'LATEST')->'Records')) AS records FROM shards(:'arn');
-- equal numbers are one key, in one shard
INSERT INTO ddb."Life"(item) SELECT jsonb_build_object('pk', n) FROM generate_series(1, 40) n ON CONFLICT (pk) DO UPDATE SET item = ddb."Life".item || '{"v": 1}';
SELECT count(*) FROM (SELECT keys FROM dynamo.stream_records('Life') GROUP BY keys HAVING count(DISTINCT shard_id) > 1) s;

SELECT dynamo.split_shards('Life', 6);
SELECT n, parent, closed, spans, records(:'arn', id) ? 'NextShardIterator' AS goes_on FROM shards(:'arn');
SELECT jsonb_array_length(dynamo.describe_stream(jsonb_build_object('StreamArn', :'arn', 'ShardFilter', jsonb_build_object('Type', 'CHILD_SHARDS', 'ShardId', id)))#>'{StreamDescription,Shards}') AS children
	FROM shards(:'arn') WHERE n IN (1, 4);
INSERT INTO ddb."Life"(item) SELECT jsonb_build_object('pk', n) FROM generate_series(1, 40) n ON CONFLICT (pk) DO UPDATE SET item = ddb."Life".item || '{"v": 2}';
SELECT n, jsonb_array_length(records(:'arn', id)->'Records') > 0 AS used FROM shards(:'arn');
-- parents before children: each item's images are in order
SELECT v, count(*) FROM (SELECT keys, string_agg(coalesce(new_image->>'v', '-'), ' ' ORDER BY ordinality) AS v FROM dynamo.stream_records('Life') WITH ORDINALITY GROUP BY keys) s GROUP BY v;
-- page by page it is the same
WITH RECURSIVE page AS (
	(SELECT array_agg("position") AS positions, array_agg(keys || new_image) AS all_records FROM (SELECT * FROM dynamo.stream_records('Life', NULL, 7)) r)
	UNION ALL
	SELECT n.positions, n.all_records FROM page, LATERAL (SELECT array_agg("position") AS positions, array_agg(keys || new_image) AS all_records FROM dynamo.stream_records('Life', page.positions[array_length(page.positions, 1)], 7)) n WHERE n.positions IS NOT NULL)
SELECT sum(array_length(positions, 1)) FROM page;
SELECT dynamo.split_shards('Life', 3);
SELECT dynamo.split_shards('Life', 6);
SELECT dynamo.split_shards('Life', 65);
SELECT dynamo.split_shards('No', 5);
SELECT dynamo.stream_records('Life', 'x');
SELECT dynamo.stream_records('Life', '1:2:-3');
SELECT dynamo.stream_records('No');

SELECT dynamo.update_table('{"TableName": "Life", "StreamSpecification": {"StreamEnabled": false}}')#>'{TableDescription,LatestStreamArn}' = to_jsonb(:'arn'::text) AS keeps_arn;
SELECT dynamo.update_table('{"TableName": "Life", "StreamSpecification": {"StreamEnabled": false}}');
UPDATE ddb."Life" SET item = item || '{"v": 3}';
SELECT dynamo.describe_stream(jsonb_build_object('StreamArn', :'arn'))#>'{StreamDescription,StreamStatus}' AS status,
	bool_and(closed) AS all_closed, sum(jsonb_array_length(records(:'arn', id)->'Records')) AS records, bool_or(records(:'arn', id) ? 'NextShardIterator') AS goes_on FROM shards(:'arn');
TRUNCATE ddb."Life";
SELECT dynamo.split_shards('Life', 6);
-- provisioned throughput that needs two partitions
SELECT dynamo.update_table('{"TableName": "Life", "BillingMode": "PROVISIONED", "ProvisionedThroughput": {"ReadCapacityUnits": 3000, "WriteCapacityUnits": 1}}') IS NOT NULL AS updated;
SELECT dynamo.update_table('{"TableName": "Life", "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"}}')#>>'{TableDescription,LatestStreamArn}' AS second \gset
SELECT count(*) FROM shards(:'second');
SELECT :'second' > :'arn' AS later, jsonb_array_length(dynamo.list_streams('{"TableName": "Life"}')->'Streams') AS streams;
SELECT dynamo.list_streams('{"TableName": "Life", "Limit": 1}')->>'LastEvaluatedStreamArn' = :'arn' AS first_page;
SELECT dynamo.list_streams(jsonb_build_object('TableName', 'Life', 'ExclusiveStartStreamArn', :'arn'))#>>'{Streams,0,StreamArn}' = :'second' AS second_page;
INSERT INTO ddb."Life"(item) VALUES ('{"pk": 1}');
SELECT dynamo.delete_table('{"TableName": "Life"}') IS NOT NULL AS deleted;
SELECT dynamo.describe_stream(jsonb_build_object('StreamArn', :'second'))#>'{StreamDescription,StreamStatus}' AS status;
SELECT jsonb_array_length(records(:'second', id)->'Records') AS records, records(:'second', id) ? 'NextShardIterator' AS goes_on FROM shards(:'second');
DROP FUNCTION shards, records;
