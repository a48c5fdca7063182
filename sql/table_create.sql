-- CreateTable's answer and DescribeTable's, with the fields each of them has
CREATE FUNCTION pg_temp.shown(answer jsonb) RETURNS text LANGUAGE sql AS $$
	SELECT regexp_replace(regexp_replace(jsonb_pretty(answer),
		'("(TableId|LatestStreamLabel)": )"[-0-9a-fT:.]+"', '\1"(masked)"', 'g'),
		'("\w+DateTime": )\d+\.\d{3}', '\1(masked)', 'g')
$$;
SELECT pg_temp.shown(dynamo.create_table('{
	"TableName": "Music",
	"KeySchema": [{"AttributeName": "Artist", "KeyType": "HASH"}, {"AttributeName": "SongTitle", "KeyType": "RANGE"}],
	"AttributeDefinitions": [
		{"AttributeName": "Year", "AttributeType": "N"},
		{"AttributeName": "SongTitle", "AttributeType": "S"},
		{"AttributeName": "Artist", "AttributeType": "S"},
		{"AttributeName": "Genre", "AttributeType": "S"}],
	"LocalSecondaryIndexes": [
		{"IndexName": "by-year", "KeySchema": [{"AttributeName": "Artist", "KeyType": "HASH"}, {"AttributeName": "Year", "KeyType": "RANGE"}],
		 "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["Label", "Awards"]}}],
	"GlobalSecondaryIndexes": [
		{"IndexName": "genre", "KeySchema": [{"AttributeName": "Genre", "KeyType": "HASH"}, {"AttributeName": "Year", "KeyType": "RANGE"}],
		 "Projection": {"ProjectionType": "ALL"}},
		{"IndexName": "all-keys", "KeySchema": [{"AttributeName": "Genre", "KeyType": "HASH"}, {"AttributeName": "Year", "KeyType": "HASH"}],
		 "Projection": {"ProjectionType": "KEYS_ONLY"}}],
	"BillingMode": "PAY_PER_REQUEST"}'));
SELECT pg_temp.shown(dynamo.describe_table('{"TableName": "Music"}'));
-- the item relation
\d ddb."Music"
SELECT relation, table_name, partition_key, sort_key FROM dynamo.tables WHERE relation = 'ddb."Music"'::regclass;
SELECT * FROM dynamo.attributes WHERE relation = 'ddb."Music"'::regclass ORDER BY attribute;
SELECT index_name, index_relation, kind, partition_keys, sort_keys, projection, included, status
FROM dynamo.indexes WHERE relation = 'ddb."Music"'::regclass ORDER BY index_name;
SELECT 'ddb."Music"'::regclass::oid AS music \gset
-- DeleteTable's answer has fewer fields
SELECT pg_temp.shown(dynamo.delete_table('{"TableName": "Music"}'));
SELECT count(*) FROM dynamo.tables WHERE relation = :music;
SELECT count(*) FROM dynamo.attributes WHERE relation = :music;
SELECT count(*) FROM dynamo.indexes WHERE relation = :music;
