-- Continuous backups: the settings are kept and described
\pset format unaligned
\pset tuples_only on
SELECT dynamo.create_table('{"TableName": "backups", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST"}') #>> '{TableDescription,TableStatus}';
CREATE FUNCTION pg_temp.masked(answer jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT regexp_replace(answer::text, '("\w+DateTime": )\d+\.\d{3}', '\1(masked)', 'g')
$$;
SELECT dynamo.describe_continuous_backups('{"TableName": "backups"}');
SELECT pg_temp.masked(dynamo.update_continuous_backups('{"TableName": "backups", "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": true}}'));
SELECT dynamo.describe_continuous_backups('{"TableName": "backups"}') #>> '{ContinuousBackupsDescription,PointInTimeRecoveryDescription,EarliestRestorableDateTime}' AS earliest \gset
SELECT pg_temp.masked(dynamo.update_continuous_backups('{"TableName": "backups", "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": true, "RecoveryPeriodInDays": 7}}'));
-- enabling again keeps the beginning
SELECT dynamo.describe_continuous_backups('{"TableName": "backups"}') #>> '{ContinuousBackupsDescription,PointInTimeRecoveryDescription,EarliestRestorableDateTime}' = :'earliest';
SELECT dynamo.update_continuous_backups('{"TableName": "backups", "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": false}}');
SELECT pg_temp.masked(dynamo.update_continuous_backups('{"TableName": "backups", "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": true}}'));
SELECT dynamo.update_continuous_backups('{"TableName": "backups"}');
SELECT dynamo.update_continuous_backups('{"TableName": "backups", "PointInTimeRecoverySpecification": {"RecoveryPeriodInDays": 36}}');
SELECT dynamo.update_continuous_backups('{"TableName": "backups", "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": false, "RecoveryPeriodInDays": 1}}');
SELECT dynamo.update_continuous_backups('{"TableName": "absent", "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": false}}');
SELECT dynamo.describe_continuous_backups('{"TableName": "absent"}');
SELECT dynamo.delete_table('{"TableName": "backups"}') #>> '{TableDescription,TableStatus}';
