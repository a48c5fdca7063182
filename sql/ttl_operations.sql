-- UpdateTimeToLive and DescribeTimeToLive: shape, states and answers
\set VERBOSITY terse
SELECT dynamo.create_table('{"TableName": "lives", "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}], "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}') IS NOT NULL AS created;
SELECT dynamo.describe_time_to_live('{"TableName": "lives"}');

-- shape, all faults together
SELECT dynamo.update_time_to_live('{"TableName": "lives"}');
SELECT dynamo.update_time_to_live('{"TableName": "lives", "TimeToLiveSpecification": {}}');
SELECT dynamo.update_time_to_live('{"TableName": "lives", "TimeToLiveSpecification": {"AttributeName": "", "Enabled": true}}');
SELECT dynamo.update_time_to_live(jsonb_build_object('TableName', 'lives', 'TimeToLiveSpecification', jsonb_build_object('AttributeName', repeat('a', 256), 'Enabled', true)));
SELECT dynamo.update_time_to_live('{"TableName": "lives", "TimeToLiveSpecification": {"AttributeName": "x", "Enabled": 1}}');
SELECT dynamo.update_time_to_live('{"TableName": "lives", "TimeToLiveSpecification": {"AttributeName": 1, "Enabled": true}}');
SELECT dynamo.update_time_to_live('{"TableName": "no", "TimeToLiveSpecification": {"AttributeName": "x", "Enabled": true}}');
SELECT dynamo.update_time_to_live('{"TimeToLiveSpecification": {"AttributeName": "x", "Enabled": true}}');

-- existence comes after shape, state after existence
SELECT dynamo.update_time_to_live('{"TableName": "absent", "TimeToLiveSpecification": {"AttributeName": "x", "Enabled": true}}');
SELECT dynamo.describe_time_to_live('{"TableName": "absent"}');
SELECT dynamo.update_time_to_live('{"TableName": "lives", "TimeToLiveSpecification": {"AttributeName": "x", "Enabled": false}}');

SELECT dynamo.update_time_to_live('{"TableName": "lives", "TimeToLiveSpecification": {"AttributeName": "x", "Enabled": true}}');
SELECT dynamo.describe_time_to_live('{"TableName": "lives"}');
SELECT dynamo.update_time_to_live('{"TableName": "lives", "TimeToLiveSpecification": {"AttributeName": "x", "Enabled": true}}');
SELECT dynamo.update_time_to_live('{"TableName": "lives", "TimeToLiveSpecification": {"AttributeName": "y", "Enabled": true}}');
SELECT dynamo.update_time_to_live('{"TableName": "lives", "TimeToLiveSpecification": {"AttributeName": "y", "Enabled": false}}');
SELECT dynamo.update_time_to_live('{"TableName": "lives", "TimeToLiveSpecification": {"AttributeName": "x", "Enabled": false}}');
SELECT dynamo.describe_time_to_live('{"TableName": "lives"}');

-- by ARN, and a key attribute
SELECT dynamo.update_time_to_live('{"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/lives", "TimeToLiveSpecification": {"AttributeName": "id", "Enabled": true}}');
SELECT dynamo.describe_time_to_live('{"TableName": "lives"}');

-- for people
SELECT dynamo.disable_ttl('lives');
SELECT dynamo.disable_ttl('lives');
SELECT dynamo.enable_ttl('lives', 'x');
SELECT dynamo.enable_ttl('lives', 'x');
SELECT dynamo.enable_ttl('absent', 'x');
SELECT table_name, attribute, state, build, expired, backlog FROM dynamo.ttl_status;

-- rolled back with its transaction; ENABLING until the commit lets the column be added
BEGIN;
SELECT dynamo.disable_ttl('lives');
SELECT dynamo.describe_time_to_live('{"TableName": "lives"}');
SELECT dynamo.enable_ttl('lives', 'y');
SELECT dynamo.describe_time_to_live('{"TableName": "lives"}');
ROLLBACK;
SELECT dynamo.describe_time_to_live('{"TableName": "lives"}');

-- it is no key of the table, and no change of indexes
SELECT dynamo.describe_table('{"TableName": "lives"}') #> '{Table,AttributeDefinitions}' AS attributes,
	dynamo.describe_table('{"TableName": "lives"}') #> '{Table,TableStatus}' AS status;
SELECT count(*) FROM dynamo.index_builds;

-- the owner may, in a transaction that writes
CREATE ROLE regress_ttl_other;
GRANT USAGE ON SCHEMA ddb TO regress_ttl_other;
SET ROLE regress_ttl_other;
SELECT dynamo.disable_ttl('lives');
SELECT dynamo.describe_time_to_live('{"TableName": "lives"}');
RESET ROLE;
BEGIN READ ONLY;
SELECT dynamo.disable_ttl('lives');
ROLLBACK;
DROP OWNED BY regress_ttl_other;
DROP ROLE regress_ttl_other;

DROP TABLE ddb.lives;
SELECT count(*) FROM dynamo.ttl;
SELECT count(*) FROM dynamo.builds;
