-- dynamo.explain tells what serves a request, what bounds it and what is filtered afterwards
SELECT dynamo.create_table('{"TableName": "expl", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"}, {"AttributeName": "ix", "AttributeType": "S"}],
	"GlobalSecondaryIndexes": [{"IndexName": "index", "KeySchema": [{"AttributeName": "ix", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}]}'::jsonb) IS NOT NULL AS created;
\pset format unaligned
\pset tuples_only on
SELECT jsonb_pretty(dynamo.explain('Query', '{"TableName": "expl", "KeyConditionExpression": "pk = :p AND sk BETWEEN :a AND :b", "FilterExpression": "c = :a OR d.e = :b", "ScanIndexForward": false, "ExpressionAttributeValues": {":p": {"S": "k"}, ":a": {"N": "1"}, ":b": {"N": "2"}}}'));
SELECT jsonb_pretty(dynamo.explain('Query', '{"TableName": "expl", "IndexName": "index", "KeyConditionExpression": "ix = :p", "ExpressionAttributeValues": {":p": {"S": "k"}}, "ExclusiveStartKey": {"pk": {"S": "a"}, "sk": {"N": "1"}, "ix": {"S": "k"}}}') - 'Statement');
SELECT jsonb_pretty(dynamo.explain('Scan', '{"TableName": "expl", "FilterExpression": "begins_with(a, b)"}') - 'Statement');
SELECT jsonb_pretty(dynamo.explain('UpdateItem', '{"TableName": "expl", "Key": {"pk": {"S": "k"}, "sk": {"N": "1"}}, "UpdateExpression": "SET a = b", "ConditionExpression": "attribute_exists(c)"}'));
-- a query that can yield one item only, started behind it
SELECT dynamo.explain('Query', '{"TableName": "expl", "KeyConditionExpression": "pk = :p AND sk = :a", "ExpressionAttributeValues": {":p": {"S": "k"}, ":a": {"N": "1"}}, "ExclusiveStartKey": {"pk": {"S": "k"}, "sk": {"N": "1"}}}')->'BoundedBy';
-- the statement is the one that runs: the planner can read the key's index in its order and sort nothing
SELECT count(*) FROM (SELECT dynamo.put('expl', jsonb_build_object('pk', i % 10 || '', 'sk', i)) FROM generate_series(1, 500) i) puts;
ANALYZE ddb.expl;
CREATE FUNCTION pg_temp.nodes(request jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	statement text := dynamo.explain('Query', request)->>'Statement';
	plan jsonb;
BEGIN
	EXECUTE 'PREPARE explained AS ' || statement;
	SET LOCAL plan_cache_mode = force_generic_plan;
	SET LOCAL enable_sort = off;
	SET LOCAL enable_bitmapscan = off;
	EXECUTE 'EXPLAIN (FORMAT JSON) EXECUTE explained' || CASE WHEN statement LIKE '%$2%' THEN '(''1'', 5)' ELSE '(''1'')' END INTO plan;
	DEALLOCATE explained;
	RETURN concat_ws(' ', plan->0->'Plan'->>'Node Type', plan->0->'Plan'->>'Index Name', plan->0->'Plan'->>'Scan Direction');
END $$;
SELECT pg_temp.nodes('{"TableName": "expl", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "1"}}}');
SELECT pg_temp.nodes('{"TableName": "expl", "KeyConditionExpression": "pk = :p AND sk > :s", "ScanIndexForward": false, "ExpressionAttributeValues": {":p": {"S": "1"}, ":s": {"N": "5"}}}');
-- faults are the operation's
SELECT dynamo.explain('Query', '{"TableName": "expl", "KeyConditionExpression": "pk > :p", "ExpressionAttributeValues": {":p": {"S": "1"}}}');
SELECT dynamo.explain('GetItem', '{"TableName": "nowhere"}');
SELECT dynamo.explain('ListTables', '{}');
SELECT dynamo.explain('Query', '[]');
SELECT dynamo.delete_table('{"TableName": "expl"}') IS NOT NULL AS deleted;
