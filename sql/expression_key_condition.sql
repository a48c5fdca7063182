-- key conditions: what can be said without the table, and operands on either side
SELECT dynamo.api('CreateTable', '{"TableName": "expression_keys", "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}, {"AttributeName": "r", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}, {"AttributeName": "r", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST"}')
	#>> '{TableDescription,TableName}' AS created;
SELECT count(dynamo.api('PutItem', jsonb_build_object('TableName', 'expression_keys', 'Item', dynamo.from_item(jsonb_build_object('p', 'a', 'r', r)))))
FROM unnest('{s0,s1,s2,t}'::text[]) r;
CREATE FUNCTION pg_temp.query(condition text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	v jsonb := (SELECT jsonb_object_agg(key, jsonb_build_object(left(value, 1), right(value, -1)))
		FROM jsonb_each_text('{":p": "Sa", ":s1": "Ss1", ":s2": "Ss2", ":s": "Ss", ":n": "N1"}') WHERE condition ~ (key || '\M'));
BEGIN
	RETURN (SELECT coalesce(string_agg(i #>> '{r,S}', ' '), 'none')
		FROM jsonb_array_elements(dynamo.api('Query', jsonb_build_object('TableName', 'expression_keys', 'KeyConditionExpression', condition,
			'ExpressionAttributeValues', coalesce(v, '{":x": {"S": "x"}}'))) -> 'Items') i);
EXCEPTION WHEN SQLSTATE 'DY001' THEN
	RETURN replace(sqlerrm, 'ValidationException: ', '');
END $$;

SELECT condition, pg_temp.query(condition) AS result
FROM unnest(ARRAY['p = :p', ':p = p AND r > :s1', 'p = :p AND :s1 > r', 'p = :p AND :s1 <= r', ':s1 >= r AND p = :p', '(p = :p AND r = :s1)', '(p = :p) AND (begins_with(r, :s))',
	'p = :p AND r BETWEEN :s1 AND :s2',
	'', 'p = :p OR r = :s1', 'NOT p = :p', 'p <> :p', 'p IN (:p)', 'p = :p AND contains(r, :s)', 'attribute_exists(p)', 'attribute_exists(p) AND r = :s1', 'p = :p AND r = size(p)',
	'p = :p AND begins_with(:s, r)', 'p = :p AND :s1 BETWEEN r AND r', 'p = r', 'p = r AND r = :s1', 'p = :p AND begins_with(r, p)', ':p = :p', 'p.x = :p', 'p = :p AND r[0] = :s1',
	'p = :p AND p = :p', 'p = :p AND r > :s1 AND r < :s2', 'p = :p AND r BETWEEN :s2 AND :s1', 'p = :p AND begins_with(r, :n)', 'p = :p AND begins_with r :s',
	'hash = :p', '((p = :p))']) condition;
SELECT dynamo.api('DeleteTable', '{"TableName": "expression_keys"}') IS NOT NULL AS dropped;
