-- A member of the wrong JSON type is a SerializationException before anything else is looked at
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.outcome(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, request);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;

CREATE TABLE members(operation text, member text, kind text);
INSERT INTO members SELECT operation, member, kind FROM (VALUES
	('{PutItem,GetItem,UpdateItem,DeleteItem,Query,Scan}'::text[], '{TableName,ReturnConsumedCapacity}'::text[], 'string'),
	('{PutItem,UpdateItem,DeleteItem}', '{ReturnValues,ReturnItemCollectionMetrics,ReturnValuesOnConditionCheckFailure,ConditionalOperator,ConditionExpression}', 'string'),
	('{UpdateItem}', '{UpdateExpression}', 'string'),
	('{GetItem,Query,Scan}', '{ProjectionExpression}', 'string'),
	('{Query,Scan}', '{IndexName,Select,ConditionalOperator,FilterExpression}', 'string'),
	('{Query}', '{KeyConditionExpression}', 'string'),
	('{GetItem,Query,Scan}', '{ConsistentRead}', 'boolean'), ('{Query}', '{ScanIndexForward}', 'boolean'),
	('{Query,Scan}', '{Limit}', 'integer'), ('{Scan}', '{Segment,TotalSegments}', 'integer'),
	('{GetItem,Query,Scan}', '{AttributesToGet}', 'strings'),
	('{PutItem}', '{Item}', 'values'), ('{GetItem,UpdateItem,DeleteItem}', '{Key}', 'values'), ('{Query,Scan}', '{ExclusiveStartKey}', 'values'),
	('{PutItem,UpdateItem,DeleteItem,Query,Scan}', '{ExpressionAttributeValues}', 'values'),
	('{PutItem,GetItem,UpdateItem,DeleteItem,Query,Scan}', '{ExpressionAttributeNames}', 'names'),
	('{PutItem,UpdateItem,DeleteItem}', '{Expected}', 'expected'), ('{UpdateItem}', '{AttributeUpdates}', 'updates'),
	('{Query}', '{KeyConditions,QueryFilter}', 'conditions'), ('{Scan}', '{ScanFilter}', 'conditions')) v(operations, members, kind),
	unnest(operations) operation, unnest(members) member;
SELECT kind, wrong, min(message) AS message, count(DISTINCT message) AS different, count(*) AS members
FROM members, unnest(ARRAY['true', '"x"', '1', '1.5', '[]', '{}']::jsonb[]) wrong,
	LATERAL pg_temp.outcome(operation, '{"TableName": ""}' || jsonb_build_object(member, wrong)) message
WHERE (kind, wrong) NOT IN (('string', '"x"'), ('boolean', 'true'), ('integer', '1'), ('integer', '1.5'), ('strings', '[]')) AND NOT (wrong = '{}' AND kind NOT IN ('string', 'boolean', 'integer', 'strings'))
GROUP BY 1, 2 ORDER BY 1, 2;
-- null is absent
SELECT count(*) FROM members, LATERAL pg_temp.outcome(operation, '{"TableName": ""}' || jsonb_build_object(member, NULL)) message WHERE message LIKE 'Serialization%';
DROP TABLE members;

-- inside of values
CREATE FUNCTION pg_temp.value(value jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.outcome('PutItem', jsonb_build_object('TableName', '', 'Item', jsonb_build_object('a', value)));
$$;
SELECT value, pg_temp.value(value) FROM unnest(ARRAY['1', '"x"', '[]', '{"S": 1}', '{"S": true}', '{"S": []}', '{"S": {}}', '{"N": 1}', '{"N": 1.5}', '{"B": 1}', '{"B": []}', '{"B": {}}', '{"B": "a"}', '{"B": "a==="}',
	'{"B": "YR=="}', '{"B": "Y*=="}', '{"BOOL": 1}', '{"BOOL": "maybe"}', '{"BOOL": []}', '{"NULL": {}}', '{"SS": "x"}', '{"SS": {}}', '{"SS": [1]}', '{"SS": [[]]}', '{"NS": [1]}', '{"BS": ["a"]}', '{"L": {}}', '{"L": 1}',
	'{"L": [1]}', '{"L": [[]]}', '{"M": []}', '{"M": "x"}', '{"M": {"a": 1}}', '{"L": [{"M": {"a": {"L": [{"S": 1}]}}}]}']::jsonb[]) value;
-- inside of the older parameters
SELECT members, pg_temp.outcome(operation, '{"TableName": ""}' || members) FROM (VALUES
	('PutItem', '{"Expected": {"a": 1}}'::jsonb), ('PutItem', '{"Expected": {"a": []}}'), ('PutItem', '{"Expected": {"a": {"Value": 1}}}'), ('PutItem', '{"Expected": {"a": {"Value": []}}}'),
	('PutItem', '{"Expected": {"a": {"Exists": "perhaps"}}}'), ('PutItem', '{"Expected": {"a": {"ComparisonOperator": 1}}}'), ('PutItem', '{"Expected": {"a": {"AttributeValueList": {}}}}'),
	('UpdateItem', '{"AttributeUpdates": {"a": {"Action": 1}}}'), ('UpdateItem', '{"AttributeUpdates": {"a": {"Value": "x"}}}'), ('Scan', '{"ScanFilter": {"a": {"AttributeValueList": [1]}}}'),
	('Scan', '{"AttributesToGet": [1]}'), ('Scan', '{"ExpressionAttributeNames": {"#a": 1}}'), ('Scan', '{"ExpressionAttributeNames": {"#a": {}}}')) v(operation, members);
-- what is taken all the same: truth as text, fractions of integers, unknown members
SELECT members, pg_temp.outcome('Query', '{"TableName": "x"}' || members) FROM unnest(ARRAY['{"ConsistentRead": "yes"}', '{"ConsistentRead": "FALSE"}', '{"ScanIndexForward": "0"}', '{"Limit": 1.9}', '{"Unknown": {"a": [1]}}', '{"limit": "x"}']::jsonb[]) members;
-- a request is an object
SELECT pg_temp.outcome('GetItem', '[]'), pg_temp.outcome('GetItem', '1'), pg_temp.outcome('GetItem', 'null');
SELECT pg_temp.outcome('getItem', '{}');
