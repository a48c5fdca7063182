-- no table inherits from an item table: its rows would be items past the gate
SELECT dynamo.create_table('{"TableName": "Parent", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}')
	->'TableDescription'->>'TableName' AS created;
CREATE TABLE heir () INHERITS (ddb."Parent");
CREATE TABLE heir (pk text COLLATE "C" NOT NULL, item jsonb NOT NULL);
ALTER TABLE heir INHERIT ddb."Parent";
-- the other way round it may, and a copy of its columns is no heir
CREATE TABLE ancestor (item jsonb NOT NULL);
ALTER TABLE ddb."Parent" INHERIT ancestor;
CREATE TABLE copied (LIKE ddb."Parent");
SELECT dynamo.put('Parent', '{"pk": "a"}');
SELECT * FROM ancestor;
ALTER TABLE ancestor RENAME item TO thing;

CREATE TABLE ddb.adopted (pk text COLLATE "C" PRIMARY KEY, item jsonb NOT NULL) USING dynamo;
ALTER TABLE heir INHERIT ddb.adopted;
SELECT dynamo.adopt('ddb.adopted');
ALTER TABLE heir NO INHERIT ddb.adopted;
SELECT dynamo.adopt('ddb.adopted');

DROP TABLE ddb."Parent", ddb.adopted, ancestor, heir, copied;
