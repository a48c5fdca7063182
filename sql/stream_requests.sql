-- What the streams' operations refuse, and iterators through a day
CREATE FUNCTION try(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, request);
EXCEPTION WHEN OTHERS THEN
	RETURN regexp_replace(SQLERRM, '[0-9]{4}-[-0-9T:.]+|[0-9]{20,}(-[0-9a-f]+)?', '*', 'g');
END
$$;
SELECT dynamo.create_table('{"TableName": "Requests", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1},
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
	"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"}}')#>>'{TableDescription,LatestStreamArn}' AS arn \gset
SELECT dynamo.describe_stream(jsonb_build_object('StreamArn', :'arn'))#>>'{StreamDescription,Shards,0,ShardId}' AS shard \gset
SELECT dynamo.describe_stream(jsonb_build_object('StreamArn', :'arn'))#>>'{StreamDescription,Shards,0,SequenceNumberRange,StartingSequenceNumber}' AS start \gset

SELECT try('ListStreams', '{"Limit": 0}');
SELECT try('ListStreams', '{"Limit": 101}');
SELECT try('ListStreams', '{"TableName": "x"}');
SELECT try('ListStreams', '{"ExclusiveStartStreamArn": "kossaapaaasdafsdaasdasdasdasasdasfadfadfasdasdas"}');
SELECT try('ListStreams', '{"Limit": "1"}');
SELECT try('DescribeStream', '{}');
SELECT try('DescribeStream', '{"StreamArn": "short"}');
SELECT try('DescribeStream', '{"StreamArn": "sdfadfsdfnlfkajakfgjalksfgklasjklasdjfklasdfasdfgasf"}');
SELECT try('DescribeStream', jsonb_build_object('StreamArn', replace(:'arn', 'Requests', 'Nothing')));
SELECT try('DescribeStream', jsonb_build_object('StreamArn', :'arn' || '0'));
SELECT try('DescribeStream', jsonb_build_object('StreamArn', :'arn', 'Limit', 101));
SELECT try('DescribeStream', jsonb_build_object('StreamArn', :'arn', 'ShardFilter', '{"Type": "foo"}'::jsonb));
SELECT try('DescribeStream', jsonb_build_object('StreamArn', :'arn', 'ShardFilter', '{"Type": "CHILD_SHARDS", "ShardId": "qwerty"}'::jsonb));
SELECT try('DescribeStream', jsonb_build_object('StreamArn', :'arn', 'ShardFilter', jsonb_build_object('Type', 'CHILD_SHARDS', 'ShardId', repeat('x', 30))));
SELECT jsonb_array_length(dynamo.describe_stream(jsonb_build_object('StreamArn', :'arn', 'ExclusiveStartShardId', :'shard'))#>'{StreamDescription,Shards}') AS behind_the_last;
SELECT (dynamo.describe_stream(jsonb_build_object('StreamArn', :'arn'))->'StreamDescription') - 'Shards' - 'CreationRequestDateTime' - 'StreamArn' - 'StreamLabel' AS rest;

CREATE FUNCTION iterator(arn text, shard text, type text, number text DEFAULT NULL) RETURNS text LANGUAGE sql AS $$
	SELECT try('GetShardIterator', jsonb_strip_nulls(jsonb_build_object('StreamArn', arn, 'ShardId', shard, 'ShardIteratorType', type, 'SequenceNumber', number)))
$$;
SELECT try('GetShardIterator', '{}');
SELECT iterator(:'arn', :'shard', 'bulle');
SELECT iterator(:'arn', 'short', 'LATEST');
SELECT iterator(:'arn', repeat('x', 30), 'LATEST');
SELECT iterator(:'arn', :'shard', 'AT_SEQUENCE_NUMBER');
SELECT iterator(:'arn', :'shard', 'LATEST', :'start');
SELECT iterator(:'arn', :'shard', 'AFTER_SEQUENCE_NUMBER', repeat('x', 30));
SELECT iterator(:'arn', :'shard', 'AFTER_SEQUENCE_NUMBER', '1');
SELECT try('GetRecords', '{}');
SELECT try('GetRecords', '{"ShardIterator": ""}');
SELECT try('GetRecords', '{"ShardIterator": "nonsense"}');
SELECT try('GetRecords', jsonb_build_object('ShardIterator', :'arn' || '|1|nonsense'));
SELECT try('GetRecords', jsonb_build_object('ShardIterator', :'arn' || '|1|MTox'));
SELECT try('GetRecords', jsonb_build_object('ShardIterator', iterator(:'arn', :'shard', 'LATEST')::jsonb->>'ShardIterator', 'Limit', 1001));
SELECT right(try('GetRecords', jsonb_build_object('ShardIterator', repeat('x', 2049))), 80);

-- pages, and numbers
INSERT INTO ddb."Requests"(item) SELECT jsonb_build_object('pk', n::text) FROM generate_series(1, 5) n;
CREATE FUNCTION keys(it text, records int DEFAULT 1000) RETURNS text LANGUAGE sql AS $$
	SELECT coalesce((SELECT string_agg(r#>>'{dynamodb,Keys,pk,S}', ' ') FROM jsonb_array_elements(a::jsonb->'Records') r), '-')
	FROM try('GetRecords', jsonb_build_object('ShardIterator', it::jsonb->'ShardIterator', 'Limit', records)) a WHERE a LIKE '{%'
	UNION ALL SELECT a FROM try('GetRecords', jsonb_build_object('ShardIterator', it::jsonb->'ShardIterator', 'Limit', records)) a WHERE a NOT LIKE '{%'
$$;
SELECT keys(iterator(:'arn', :'shard', 'TRIM_HORIZON')), keys(iterator(:'arn', :'shard', 'LATEST')),
	keys(iterator(:'arn', :'shard', 'AT_SEQUENCE_NUMBER', :'start')), keys(iterator(:'arn', :'shard', 'AFTER_SEQUENCE_NUMBER', :'start'));
SELECT sequence_number AS third FROM dynamo.stream_records('Requests') OFFSET 2 LIMIT 1 \gset
SELECT keys(iterator(:'arn', :'shard', 'AT_SEQUENCE_NUMBER', :'third')), keys(iterator(:'arn', :'shard', 'AFTER_SEQUENCE_NUMBER', :'third'));
WITH RECURSIVE pages AS (
	SELECT dynamo.get_records(jsonb_build_object('ShardIterator', iterator(:'arn', :'shard', 'TRIM_HORIZON')::jsonb->'ShardIterator', 'Limit', 2)) AS page
	UNION ALL SELECT dynamo.get_records(jsonb_build_object('ShardIterator', page->'NextShardIterator', 'Limit', 2)) FROM pages WHERE page->'Records' <> '[]')
SELECT jsonb_array_length(page->'Records') AS records, page ? 'NextShardIterator' AS goes_on FROM pages;

INSERT INTO ddb."Requests"(item) SELECT jsonb_build_object('pk', repeat(chr(64 + n), 2048)) FROM generate_series(1, 20) n;
-- fifteen minutes later
SELECT iterator(:'arn', :'shard', 'AFTER_SEQUENCE_NUMBER', :'third') AS after_third \gset
SELECT iterator(:'arn', :'shard', 'LATEST') AS latest \gset
SET dynamo.clock_offset = 899;
SELECT length(keys(:'latest')), length(keys(:'after_third')) > 20 AS found;
SET dynamo.clock_offset = 901;
SELECT keys(:'latest');
-- nearly a day later
SET dynamo.clock_offset = '86000 s';
SELECT keys(iterator(:'arn', :'shard', 'TRIM_HORIZON'), 5);
SELECT iterator(:'arn', :'shard', 'AFTER_SEQUENCE_NUMBER', :'third') AS after_third \gset
SELECT iterator(:'arn', :'shard', 'LATEST') AS latest \gset
SELECT iterator(:'arn', :'shard', 'TRIM_HORIZON') AS horizon \gset
-- and more than a day
SET dynamo.clock_offset = '86500 s';
SELECT keys(iterator(:'arn', :'shard', 'TRIM_HORIZON')) AS horizon, keys(:'horizon') AS horizon_before, keys(:'latest') AS latest;
SELECT keys(:'after_third');
SELECT iterator(:'arn', :'shard', 'AFTER_SEQUENCE_NUMBER', :'third');
SELECT count(*) FROM dynamo.stream_records('Requests');
SELECT dynamo.describe_stream(jsonb_build_object('StreamArn', :'arn'))#>>'{StreamDescription,Shards,0,SequenceNumberRange,StartingSequenceNumber}' > :'start' AS start_moves;
SET dynamo.clock_offset = '5 d';
SELECT iterator(:'arn', :'shard', 'AFTER_SEQUENCE_NUMBER', :'third');
RESET dynamo.clock_offset;
SELECT dynamo.delete_table('{"TableName": "Requests"}') IS NOT NULL AS deleted;
SET dynamo.clock_offset = 86300;
SELECT jsonb_array_length(dynamo.list_streams('{"TableName": "Requests"}')->'Streams') AS still;
BEGIN;
SET dynamo.clock_offset = 86500;
SELECT dynamo.trim_streams() >= 0 AS trimmed;
SELECT dynamo.list_streams('{"TableName": "Requests"}') AS gone;
SELECT count(*) FROM dynamo.stream_shards WHERE closed_at < now();
ROLLBACK;
RESET dynamo.clock_offset;
DROP FUNCTION keys, iterator, try;
