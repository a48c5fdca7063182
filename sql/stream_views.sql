-- Each view type shows its images, in records of the API and of SQL
SET dynamo.stream_shards = 1;
SET dynamo.region = 'eu-central-1';
CREATE FUNCTION records(name text) RETURNS SETOF jsonb LANGUAGE sql AS $$
	SELECT r #- '{eventID}' #- '{dynamodb,SequenceNumber}' #- '{dynamodb,ApproximateCreationDateTime}'
	FROM (SELECT dynamo.describe_table(jsonb_build_object('TableName', name))#>>'{Table,LatestStreamArn}' AS arn) a,
		dynamo.describe_stream(jsonb_build_object('StreamArn', arn)) d,
		dynamo.get_shard_iterator(jsonb_build_object('StreamArn', arn, 'ShardId', d#>'{StreamDescription,Shards,0,ShardId}', 'ShardIteratorType', 'TRIM_HORIZON')) i,
		dynamo.get_records(jsonb_build_object('ShardIterator', i->'ShardIterator')) p,
		jsonb_array_elements(p->'Records') r
$$;
CREATE FUNCTION try(view text) RETURNS SETOF jsonb LANGUAGE plpgsql AS $$
BEGIN
	PERFORM dynamo.create_table(jsonb_build_object('TableName', view, 'BillingMode', 'PAY_PER_REQUEST',
		'KeySchema', '[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]'::jsonb,
		'AttributeDefinitions', '[{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "B"}]'::jsonb,
		'StreamSpecification', jsonb_build_object('StreamEnabled', true, 'StreamViewType', view)));
END
$$;
SELECT view, try(view) FROM unnest(ARRAY['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES']) view;
SELECT dynamo.put(view, '{"pk": "a", "sk": {"$b": "AAE="}, "s": {"$ss": ["x", "y"]}}') FROM unnest(ARRAY['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES']) view;
SELECT dynamo.update(view, '{"pk": "a", "sk": {"$b": "AAE="}}', 'SET n = :n', attribute_values => '{":n": 1.50}') FROM unnest(ARRAY['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES']) view;
SELECT dynamo.delete(view, '{"pk": "a", "sk": {"$b": "AAE="}}') FROM unnest(ARRAY['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES']) view;
SELECT records('KEYS_ONLY');
SELECT records('NEW_IMAGE');
SELECT records('OLD_IMAGE');
SELECT records('NEW_AND_OLD_IMAGES');
SELECT view, event_name, keys, old_image, new_image FROM unnest(ARRAY['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE']) view, dynamo.stream_records(view);
SELECT sequence_number ~ '^\d{21,40}$' AS digits, shard_id ~ '^shardId-\d{20}-[0-9a-f]{8}$' AS shard, abs(extract(epoch FROM created_at - now())) < 60 AS recent
	FROM dynamo.stream_records('KEYS_ONLY', NULL, 1);
SELECT dynamo.delete_table(jsonb_build_object('TableName', view)) IS NOT NULL AS deleted FROM unnest(ARRAY['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES']) view;
DROP FUNCTION records, try;
