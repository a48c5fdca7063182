-- errors of others' code and data are not for everybody
CREATE ROLE regress_dynamo_owner;
CREATE ROLE regress_dynamo_other;
GRANT USAGE, CREATE ON SCHEMA ddb TO regress_dynamo_owner;
SET ROLE regress_dynamo_owner;
SELECT dynamo.create_table('{"TableName": "Failing", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
	"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"}}')
	->'TableDescription'->>'TableName' AS created;
SELECT dynamo.enable_ttl('Failing', 'until');
SELECT dynamo.create_event_source_mapping('Failing', 'dynamo.to_item(jsonb)') IS NULL AS failed;
RESET ROLE;
UPDATE dynamo.event_source_mappings SET last_result = 'about an item', enabled = false;
UPDATE dynamo.ttl SET last_error = 'about an item' WHERE relation = 'ddb."Failing"'::regclass;
UPDATE dynamo.builds SET last_error = 'about an item' WHERE relation = 'ddb."Failing"'::regclass;

SET ROLE regress_dynamo_owner;
SELECT last_result FROM dynamo.list_event_source_mappings();
SELECT last_error FROM dynamo.ttl_status WHERE table_name = 'Failing';
SET ROLE regress_dynamo_other;
SELECT last_result FROM dynamo.list_event_source_mappings();
SELECT last_result FROM dynamo.event_source_mappings;
SELECT state, last_error FROM dynamo.ttl_status WHERE table_name = 'Failing';
SELECT state FROM dynamo.ttl WHERE relation::text LIKE '%Failing%';
SELECT last_error FROM dynamo.ttl;
SELECT last_error FROM dynamo.builds;
RESET ROLE;

SELECT dynamo.delete_event_source_mapping(uuid) FROM dynamo.event_source_mappings;
DROP TABLE ddb."Failing";
REVOKE USAGE, CREATE ON SCHEMA ddb FROM regress_dynamo_owner;
DROP ROLE regress_dynamo_owner, regress_dynamo_other;
