-- attribute values that DynamoDB refuses, with its words
CREATE FUNCTION pg_temp.refusal(value text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN 'accepted: ' || dynamo.to_item(('{"a": ' || value || '}')::jsonb)::text;
EXCEPTION WHEN SQLSTATE 'DY001' OR SQLSTATE 'DY002' THEN
	RETURN SQLERRM;
END
$$;

-- type and content
SELECT value, pg_temp.refusal(value) FROM unnest(ARRAY[
	'{}', '{"X": "a"}', '{"S": null}', 'null', '{"S": "a", "N": "1"}', '{"S": "a", "N": "b"}', '{"NULL": false}',
	'{"L": [{}]}', '{"L": [null]}', '{"M": {"": {"S": "a"}}}', '{"s": "lower case"}']) AS value;

-- sets
SELECT value, pg_temp.refusal(value) FROM unnest(ARRAY[
	'{"SS": []}', '{"NS": []}', '{"BS": []}', '{"M": {"x": {"L": [{"BS": []}]}}}',
	'{"SS": ["x", "y", "x"]}', '{"NS": ["1", "1.0"]}', '{"BS": ["QUE=", "QkI=", "QUE="]}',
	'{"SS": [null]}', '{"NS": [""]}', '{"NS": ["1", "x"]}']) AS value;

-- wrong JSON types
SELECT value, pg_temp.refusal(value) FROM unnest(ARRAY[
	'1', '"a"', '[]', '{"S": 1}', '{"S": 1.5}', '{"S": true}', '{"S": []}', '{"S": {}}', '{"N": 1}',
	'{"BOOL": 1}', '{"BOOL": "maybe"}', '{"BOOL": []}', '{"NULL": {}}',
	'{"B": 1}', '{"B": []}', '{"B": {}}', '{"SS": "a"}', '{"SS": {}}', '{"SS": [1]}',
	'{"L": {}}', '{"L": "a"}', '{"L": [1]}', '{"L": [[]]}', '{"M": []}', '{"M": "a"}', '{"M": {"a": 1}}']) AS value;

-- base64: alphabet, padding, unused bits
SELECT value, pg_temp.refusal('{"B": "' || value || '"}') FROM unnest(ARRAY[
	'YWJjZGVmZ2g', 'YWJj??!!', 'YQ=a', 'Y===', '====', 'YR==', 'YWJ=', 'YQ', 'YQ==YQ==', 'YQ==', 'YWI=', '']) AS value;

-- a lone U+0001
SELECT pg_temp.refusal('{"S": "a\u0001b"}');
SELECT pg_temp.refusal('{"M": {"\u0001": {"S": "x"}}}');

-- 32 levels
SELECT depth, left(pg_temp.refusal(repeat('{"L": [', depth) || '{"S": "x"}' || repeat(']}', depth)), 80)
FROM unnest(ARRAY[31, 32, 90, 1000]) AS depth;

-- names
SELECT left(pg_temp.refusal('{"M": {"' || repeat('n', length) || '": {"S": "x"}}}'), 130)
FROM unnest(ARRAY[65535, 65536]) AS length;

-- the item itself
SELECT dynamo.to_item('[]');
SELECT dynamo.to_item('1');
