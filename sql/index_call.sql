-- dynamo.build_indexes() ends the transaction of its caller, so it must be the outermost
SELECT dynamo.create_table('{"TableName": "Called", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}')
	->'TableDescription'->>'TableName' AS created;
DO $$ BEGIN CALL dynamo.build_indexes('ddb."Called"'); END $$;
CREATE PROCEDURE call_it() LANGUAGE plpgsql AS $$ BEGIN CALL dynamo.build_indexes('ddb."Called"'); END $$;
CALL call_it();
BEGIN;
CALL dynamo.build_indexes('ddb."Called"');
ROLLBACK;
CALL dynamo.build_indexes('ddb."Called"');
DROP PROCEDURE call_it();
DROP TABLE ddb."Called";
