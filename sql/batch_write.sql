-- BatchWriteItem: puts and deletes of several tables
SELECT dynamo.create_table('{"TableName": "batch_a", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}') IS NOT NULL AS created;
SELECT dynamo.create_table('{"TableName": "batch_b", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "B"}, {"AttributeName": "sk", "AttributeType": "N"}]}') IS NOT NULL AS created;
SELECT dynamo.put('batch_a', '{"pk": "old", "v": 1}'), dynamo.put('batch_a', '{"pk": "gone"}');
SELECT dynamo.batch_write_item('{"RequestItems": {
	"batch_a": [{"PutRequest": {"Item": {"pk": {"S": "old"}}}}, {"DeleteRequest": {"Key": {"pk": {"S": "gone"}}}},
		{"PutRequest": {"Item": {"pk": {"S": "new"}, "s": {"NS": ["2", "1"]}}}}, {"DeleteRequest": {"Key": {"pk": {"S": "missing"}}}}],
	"arn:aws:dynamodb:us-east-1:000000000000:table/batch_b": [{"PutRequest": {"Item": {"pk": {"B": "AA=="}, "sk": {"N": "1.5"}}}},
		{"PutRequest": {"Item": {"pk": {"B": "AA=="}, "sk": {"N": "-2"}}}}]}}');
SELECT item FROM ddb.batch_a ORDER BY pk;
SELECT item FROM ddb.batch_b ORDER BY pk, sk;

-- 25 writes, and keys longer than a column holds as they are
SELECT dynamo.batch_write_item(jsonb_build_object('RequestItems', jsonb_build_object('batch_a',
	jsonb_agg(jsonb_build_object('PutRequest', jsonb_build_object('Item', jsonb_build_object('pk', jsonb_build_object('S', repeat('k', 2000) || n)))))))) FROM generate_series(10, 34) n;
SELECT count(*) FROM ddb.batch_a WHERE length(item->>'pk') > 2000;
SELECT dynamo.batch_write_item(jsonb_build_object('RequestItems', jsonb_build_object('batch_a',
	jsonb_agg(jsonb_build_object('DeleteRequest', jsonb_build_object('Key', jsonb_build_object('pk', jsonb_build_object('S', repeat('k', 2000) || n)))))))) FROM generate_series(10, 33) n;
SELECT count(*) FROM ddb.batch_a WHERE length(item->>'pk') > 2000;

-- what the table's own rules refuse is refused as a whole, and says why
ALTER TABLE ddb.batch_a ADD CONSTRAINT positive CHECK ((item->>'n')::numeric > 0);
SELECT dynamo.batch_write_item('{"RequestItems": {"batch_a": [{"PutRequest": {"Item": {"pk": {"S": "ok"}, "n": {"N": "1"}}}}, {"PutRequest": {"Item": {"pk": {"S": "bad"}, "n": {"N": "0"}}}}]}}');
CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TRIGGER swallow BEFORE INSERT ON ddb.batch_a FOR EACH ROW WHEN (NEW.pk = 'swallowed') EXECUTE FUNCTION swallow();
SELECT dynamo.batch_write_item('{"RequestItems": {"batch_a": [{"PutRequest": {"Item": {"pk": {"S": "ok"}}}}, {"PutRequest": {"Item": {"pk": {"S": "swallowed"}}}}]}}');
SELECT pk FROM ddb.batch_a WHERE length(pk) < 100 ORDER BY pk;

DROP TABLE ddb.batch_a, ddb.batch_b;
DROP FUNCTION swallow;
