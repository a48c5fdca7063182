-- Words of enumerations, and how a wrong one is reported
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.outcome(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, request);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;

CREATE FUNCTION pg_temp.wrong(operation text, members jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.outcome(operation, '{"TableName": "some", "Key": {"pk": {"S": "k"}}, "Item": {"pk": {"S": "k"}}}' || members);
$$;
SELECT operation, member, pg_temp.wrong(operation, jsonb_build_object(member, 'WRONG'))
	FROM unnest('{PutItem,UpdateItem,DeleteItem}'::text[]) operation,
		unnest('{ReturnValues,ReturnConsumedCapacity,ReturnItemCollectionMetrics,ReturnValuesOnConditionCheckFailure,ConditionalOperator}'::text[]) member;
SELECT operation, member, pg_temp.wrong(operation, jsonb_build_object(member, 'WRONG'))
	FROM (VALUES ('GetItem', 'ReturnConsumedCapacity'), ('Query', 'ReturnConsumedCapacity'), ('Query', 'Select'), ('Query', 'ConditionalOperator'),
		('Scan', 'ReturnConsumedCapacity'), ('Scan', 'Select'), ('Scan', 'ConditionalOperator')) v(operation, member);
-- words are case-sensitive
SELECT pg_temp.wrong('Scan', '{"Select": "count"}');
-- several in one request
SELECT pg_temp.wrong('PutItem', '{"ReturnValues": "A", "ReturnConsumedCapacity": "B", "ReturnItemCollectionMetrics": "C"}');
SELECT pg_temp.wrong('UpdateItem', '{"ReturnValues": "A", "ReturnConsumedCapacity": "B"}');
SELECT pg_temp.wrong('UpdateItem', '{"ReturnItemCollectionMetrics": "A", "ReturnConsumedCapacity": "B"}');
SELECT pg_temp.wrong('DeleteItem', '{"ReturnValues": "A", "ReturnConsumedCapacity": "B"}');
SELECT pg_temp.wrong('Query', '{"Select": "A", "ReturnConsumedCapacity": "B", "Limit": 0, "IndexName": "!"}');
SELECT pg_temp.wrong('Query', '{"Select": "A", "ConditionalOperator": "B"}');
SELECT pg_temp.wrong('Scan', '{"Select": "A", "ConditionalOperator": "B", "Limit": -1, "Segment": -1, "TotalSegments": 1000001}');
-- the condition and comparison words
SELECT pg_temp.wrong('DeleteItem', '{"Expected": {"a": {"ComparisonOperator": "LIKE", "AttributeValueList": [{"S": "x"}]}}}');
SELECT pg_temp.wrong('UpdateItem', '{"AttributeUpdates": {"a": {"Action": "SET", "Value": {"S": "x"}}}}');
SELECT pg_temp.wrong('Scan', '{"ScanFilter": {"a": {"AttributeValueList": [{"S": "x"}]}}}');
SELECT pg_temp.wrong('Query', '{"KeyConditions": {"a": {"ComparisonOperator": "", "AttributeValueList": [{"S": "x"}]}}}');
-- all the legal ones
SELECT operation, word, pg_temp.wrong(operation, jsonb_build_object(member, word))
	FROM (VALUES ('PutItem', 'ReturnValues', '{NONE,ALL_OLD}'::text[]), ('UpdateItem', 'ReturnValues', '{NONE,ALL_OLD,UPDATED_OLD,ALL_NEW,UPDATED_NEW}'),
		('DeleteItem', 'ReturnItemCollectionMetrics', '{SIZE,NONE}'), ('GetItem', 'ReturnConsumedCapacity', '{INDEXES,TOTAL,NONE}'),
		('Scan', 'Select', '{COUNT,ALL_ATTRIBUTES}')) v(operation, member, words), unnest(words) word;
