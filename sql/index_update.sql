-- UpdateTable adds and drops global indexes; a small table that nobody else
-- uses is done with when the call ends.
SELECT dynamo.create_table('{"TableName": "changing", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"},
		{"AttributeName": "l", "AttributeType": "S"}],
	"LocalSecondaryIndexes": [{"IndexName": "local", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [
		{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "l", "KeyType": "RANGE"}]}]}')
	-> 'TableDescription' ->> 'TableStatus' AS status;
CREATE FUNCTION pg_temp.index(name text, hash text, range text, attributes text, projection text DEFAULT 'ALL') RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('TableName', 'changing', 'AttributeDefinitions',
		(SELECT jsonb_agg(jsonb_build_object('AttributeName', left(a, -1), 'AttributeType', right(a, 1))) FROM unnest(string_to_array(attributes, ' ')) a),
		'GlobalSecondaryIndexUpdates', jsonb_build_array(jsonb_build_object('Create', jsonb_build_object('IndexName', name,
			'KeySchema', jsonb_build_array(jsonb_build_object('AttributeName', hash, 'KeyType', 'HASH')) ||
				CASE WHEN range IS NULL THEN '[]'::jsonb ELSE jsonb_build_array(jsonb_build_object('AttributeName', range, 'KeyType', 'RANGE')) END,
			'Projection', jsonb_build_object('ProjectionType', projection)))))
$$;
CREATE FUNCTION pg_temp.without(name text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_build_object('TableName', 'changing', 'GlobalSecondaryIndexUpdates',
		jsonb_build_array(jsonb_build_object('Delete', jsonb_build_object('IndexName', name))))
$$;
CREATE FUNCTION pg_temp.indexes(description jsonb) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT concat_ws(' ', i->>'IndexName', i->>'IndexStatus', 'backfilling ' || (i->>'Backfilling'), i->>'ItemCount', i->>'IndexArn')
	FROM jsonb_array_elements(description->'GlobalSecondaryIndexes') i
$$;

-- items of before: of all kinds that the index skips, and counts
INSERT INTO ddb.changing(item) SELECT jsonb_build_object('pk', 'p', 'sk', i::text, 'g', 'g' || i % 2, 'n', i) FROM generate_series(1, 6) i;
INSERT INTO ddb.changing(item) VALUES
	('{"pk": "p", "sk": "type", "g": 1, "n": 1}'),
	('{"pk": "p", "sk": "empty", "g": "", "n": 1}'),
	('{"pk": "p", "sk": "sort type", "g": "g1", "n": "1"}'),
	(jsonb_build_object('pk', 'p', 'sk', 'long', 'g', repeat('g', 2049), 'n', 1)),
	('{"pk": "p", "sk": "no sort key", "g": "g1"}');
SELECT 'answer ' || (r->>'TableStatus'), pg_temp.indexes(r) FROM dynamo.update_table(pg_temp.index('g_n', 'g', 'n', 'gS nN spareS')) u(x), LATERAL (SELECT x->'TableDescription' AS r) d;
SELECT 'later ' || (r->>'TableStatus'), pg_temp.indexes(r) FROM dynamo.describe_table('{"TableName": "changing"}') u(x), LATERAL (SELECT x->'Table' AS r) d;
SELECT index_name, index_status, phase, rows_done, rows_total, rows_skipped, last_error FROM dynamo.index_builds;
SELECT item->>'sk' AS sk FROM dynamo.query('changing', 'g = :g', '{":g": "g1"}', index_name => 'g_n') item;
-- from now on such items are refused, those of before too when they are written again
SELECT dynamo.put('changing', '{"pk": "p", "sk": "type", "g": 1, "n": 2}');
SELECT dynamo.put('changing', '{"pk": "p", "sk": "empty", "g": "", "n": 2}');
SELECT dynamo.update('changing', '{"pk": "p", "sk": "long"}', 'SET extra = :o', attribute_values => '{":o": 1}');
SELECT dynamo.update('changing', '{"pk": "p", "sk": "long"}', 'SET g = :o', attribute_values => '{":o": "g1"}')->>'g' AS g;
SELECT count(*) FROM dynamo.query('changing', 'g = :g', '{":g": "g1"}', index_name => 'g_n') item;

-- what is refused
SELECT dynamo.update_table(pg_temp.index('g_n', 'h', NULL, 'hS'));
SELECT dynamo.update_table(pg_temp.index('local', 'h', NULL, 'hS'));
SELECT dynamo.update_table(pg_temp.index('other', 'g', NULL, 'gN'));
SELECT dynamo.update_table(pg_temp.index('other', 'h', NULL, 'gS'));
SELECT dynamo.update_table(pg_temp.without('local'));
SELECT dynamo.update_table(pg_temp.without('none'));
SELECT dynamo.update_table(jsonb_set(a, '{GlobalSecondaryIndexUpdates}', a->'GlobalSecondaryIndexUpdates' || (pg_temp.without('g_n')->'GlobalSecondaryIndexUpdates')))
FROM pg_temp.index('other', 'h', NULL, 'hS') a;
SELECT dynamo.update_table(jsonb_set(pg_temp.index('other', 'h', NULL, 'hS'), '{GlobalSecondaryIndexUpdates,0,Create,ProvisionedThroughput}', '{"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}'));

-- an index on keys of the table, and one that shares an attribute: its column is there already
SELECT count(*) FROM (SELECT dynamo.update_table(pg_temp.index('inverted', 'sk', 'pk', 'skS pkS', 'KEYS_ONLY'))) u;
SELECT count(*) FROM (SELECT dynamo.update_table(pg_temp.index('by_n', 'n', NULL, 'nN'))) u;
SELECT item->>'pk' AS pk FROM dynamo.query('changing', 'sk = :s', '{":s": "3"}', index_name => 'inverted') item;
SELECT item->>'sk' AS sk FROM dynamo.query('changing', 'n = :n', '{":n": 1}', index_name => 'by_n') item;

-- dropped: the definitions go with it, the columns stay for the next index
SELECT 'answer ' || (r->>'TableStatus'), pg_temp.indexes(r) FROM dynamo.update_table(pg_temp.without('g_n')) u(x), LATERAL (SELECT x->'TableDescription' AS r) d;
SELECT r->'AttributeDefinitions' AS definitions, pg_temp.indexes(r) FROM dynamo.describe_table('{"TableName": "changing"}') u(x), LATERAL (SELECT x->'Table' AS r) d;
SELECT dynamo.query('changing', 'g = :g', '{":g": "g1"}', index_name => 'g_n');
SELECT dynamo.put('changing', '{"pk": "p", "sk": "type again", "g": 5, "n": 2}') IS NULL AS absent;
-- the same attribute as a number: another column
SELECT count(*) FROM (SELECT dynamo.update_table(pg_temp.index('g_number', 'g', NULL, 'gN'))) u;
SELECT item->>'sk' AS sk FROM dynamo.query('changing', 'g = :g', '{":g": 1}', index_name => 'g_number') item;
SELECT index_name, rows_skipped FROM dynamo.index_builds ORDER BY index_name COLLATE "C";
\d ddb.changing
SELECT count(*) FROM (SELECT dynamo.delete_table('{"TableName": "changing"}')) d;
SELECT count(*) FROM dynamo.builds;
