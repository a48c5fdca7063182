-- ClientRequestToken: a transaction that is sent again is not done again
SELECT dynamo.create_table('{"TableName": "tokens", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}') IS NOT NULL AS created;
CREATE FUNCTION add_one(token text, members text DEFAULT '{}', pk text DEFAULT 'a') RETURNS jsonb LANGUAGE sql
	RETURN dynamo.transact_write_items(jsonb_build_object('ClientRequestToken', token, 'TransactItems', jsonb_build_array(
		jsonb_build_object('Update', jsonb_build_object('TableName', 'tokens', 'Key', jsonb_build_object('pk', jsonb_build_object('S', pk)),
			'UpdateExpression', 'ADD n :one', 'ExpressionAttributeValues', jsonb_build_object(':one', jsonb_build_object('N', '1')))))) || members::jsonb);

SELECT add_one('t1');
SELECT add_one('t1');
SELECT dynamo.get('tokens', '{"pk": "a"}');

-- the answer to a repetition is charged as a read, also if the first did not ask
SELECT add_one('t1', '{"ReturnConsumedCapacity": "INDEXES"}');
SELECT add_one('t2', '{"ReturnConsumedCapacity": "INDEXES"}');
SELECT add_one('t2', '{"ReturnConsumedCapacity": "TOTAL"}');

-- of the item as it was then: a deleted one of 9 KB is three reads of 4 KB, twice
SELECT dynamo.put('tokens', jsonb_build_object('pk', 'large', 'v', repeat('x', 9000)));
CREATE FUNCTION delete_large() RETURNS jsonb LANGUAGE sql
	RETURN dynamo.transact_write_items('{"ClientRequestToken": "t3", "ReturnConsumedCapacity": "TOTAL",
		"TransactItems": [{"Delete": {"TableName": "tokens", "Key": {"pk": {"S": "large"}}}}]}');
SELECT delete_large();
SELECT delete_large();

-- another request
SELECT add_one('t1', pk => 'b');

-- the order of members is not another request
SELECT dynamo.transact_write_items('{"TransactItems": [{"Update": {"UpdateExpression": "ADD n :one", "ExpressionAttributeValues": {":one": {"N": "1"}},
	"Key": {"pk": {"S": "a"}}, "TableName": "tokens"}}], "ClientRequestToken": "t1"}');
SELECT dynamo.get('tokens', '{"pk": "a"}');

-- a cancelled transaction leaves its token free, so does one that is rolled back
SELECT dynamo.transact_write_items('{"ClientRequestToken": "t4", "TransactItems": [{"Put": {"TableName": "tokens", "Item": {"pk": {"S": "a"}}, "ConditionExpression": "attribute_not_exists(pk)"}}]}');
SELECT add_one('t4');
BEGIN;
SAVEPOINT s;
SELECT add_one('t5');
ROLLBACK TO s;
SELECT add_one('t5');
SELECT add_one('t5');
ROLLBACK;
SELECT add_one('t5');
SELECT dynamo.get('tokens', '{"pk": "a"}');

-- after ten minutes it is a new one
UPDATE dynamo.transaction_tokens SET completed_at = completed_at - interval '9 minutes 50 seconds' WHERE token = 't5';
SELECT add_one('t5');
UPDATE dynamo.transaction_tokens SET completed_at = completed_at - interval '10 seconds' WHERE token = 't5';
SELECT add_one('t5', pk => 'b');
SELECT add_one('t5', pk => 'b');
SELECT item FROM ddb.tokens ORDER BY pk;

-- the ten minutes begin when the transaction is done
CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_catalog.pg_sleep(1.1); RETURN NEW; END';
CREATE TRIGGER slow AFTER INSERT ON ddb.tokens FOR EACH ROW EXECUTE FUNCTION slow();
SELECT now() AS started \gset
SELECT add_one('t6', pk => 'c');
SELECT completed_at > :'started'::timestamptz + interval '1 second' AS at_the_end FROM dynamo.transaction_tokens WHERE token = 't6';

-- tokens belong to a role
CREATE ROLE regress_token_user;
GRANT USAGE ON SCHEMA ddb TO regress_token_user;
GRANT ALL ON ddb.tokens TO regress_token_user;
SET ROLE regress_token_user;
SELECT add_one('t1');
SELECT count(*) FROM dynamo.transaction_tokens;
RESET ROLE;
SELECT dynamo.get('tokens', '{"pk": "a"}');

-- the expired go in passing, a few at a time
UPDATE dynamo.transaction_tokens SET completed_at = completed_at - interval '1 hour';
INSERT INTO dynamo.transaction_tokens SELECT 1, 'x', 'x', 'old' || n, '', now() - interval '11 minutes' FROM generate_series(1, 100) n;
SELECT count(add_one('passing' || n)) FROM generate_series(1, 64) n;
SELECT count(*) FROM dynamo.transaction_tokens WHERE completed_at < now() - interval '10 minutes';

DROP TABLE ddb.tokens;
DELETE FROM dynamo.transaction_tokens;
DROP FUNCTION add_one, delete_large, slow;
REVOKE ALL ON SCHEMA ddb FROM regress_token_user;
DROP ROLE regress_token_user;
