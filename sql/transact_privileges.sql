-- transactions and batches need the privileges of what they do
SELECT dynamo.create_table('{"TableName": "guarded", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}') IS NOT NULL AS created;
SELECT dynamo.put('guarded', '{"pk": "a", "owner": "regress_guarded"}'), dynamo.put('guarded', '{"pk": "hidden", "owner": "another"}');
CREATE ROLE regress_guarded;
GRANT USAGE ON SCHEMA ddb TO regress_guarded;
GRANT SELECT ON ddb.guarded TO regress_guarded;
SET ROLE regress_guarded;
SELECT dynamo.transact('[{"put": {"table_name": "guarded", "item": {"pk": "b"}}}]');
SELECT dynamo.transact_write_items('{"ClientRequestToken": "guarded", "TransactItems": [{"Delete": {"TableName": "guarded", "Key": {"pk": {"S": "a"}}}}]}');
SELECT dynamo.batch_write_item('{"RequestItems": {"guarded": [{"DeleteRequest": {"Key": {"pk": {"S": "a"}}}}]}}');
SELECT dynamo.batch_get_item('{"RequestItems": {"guarded": {"Keys": [{"pk": {"S": "a"}}, {"pk": {"S": "hidden"}}]}}}');
RESET ROLE;

-- row-level security hides items from all of them, and a hidden one cannot be replaced
ALTER TABLE ddb.guarded ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON ddb.guarded USING (item->>'owner' = current_user);
GRANT INSERT, UPDATE, DELETE ON ddb.guarded TO regress_guarded;
SET ROLE regress_guarded;
SELECT dynamo.batch_get_item('{"RequestItems": {"guarded": {"Keys": [{"pk": {"S": "a"}}, {"pk": {"S": "hidden"}}]}}}');
SELECT dynamo.transact_get_items('{"TransactItems": [{"Get": {"TableName": "guarded", "Key": {"pk": {"S": "hidden"}}}}]}');
SELECT dynamo.transact('[{"check": {"table_name": "guarded", "key": {"pk": "hidden"}, "condition": "attribute_exists(pk)"}}]');
SELECT dynamo.transact('[{"put": {"table_name": "guarded", "item": {"pk": "hidden", "owner": "regress_guarded"}, "condition": "attribute_not_exists(pk)"}}]');
SELECT dynamo.batch_write_item('{"RequestItems": {"guarded": [{"DeleteRequest": {"Key": {"pk": {"S": "hidden"}}}}]}}');
SELECT dynamo.batch_write_item('{"RequestItems": {"guarded": [{"PutRequest": {"Item": {"pk": {"S": "hidden"}, "owner": {"S": "regress_guarded"}}}}]}}');
RESET ROLE;
SELECT item FROM ddb.guarded ORDER BY pk;

DROP TABLE ddb.guarded;
REVOKE ALL ON SCHEMA ddb FROM regress_guarded;
DROP ROLE regress_guarded;
