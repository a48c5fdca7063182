-- A write that cannot take effect says why: an item hidden by row-level
-- security, a trigger that swallows the write.
SELECT dynamo.create_table('{"TableName": "hidden", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}'::jsonb) IS NOT NULL AS created;
SELECT dynamo.put('hidden', '{"pk": "theirs", "owner": "somebody"}');

CREATE ROLE regress_dynamo_tenant;
GRANT USAGE ON SCHEMA ddb TO regress_dynamo_tenant;
GRANT SELECT, INSERT, UPDATE, DELETE ON ddb.hidden TO regress_dynamo_tenant;
ALTER TABLE ddb.hidden ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON ddb.hidden USING (item->>'owner' = current_user);

SET ROLE regress_dynamo_tenant;
SELECT dynamo.put('hidden', '{"pk": "mine", "owner": "regress_dynamo_tenant"}');
SELECT dynamo.get('hidden', '{"pk": "theirs"}') IS NULL AS unseen;
SELECT * FROM dynamo.scan('hidden');
-- a row of another owner can be neither read, replaced, changed nor deleted
SELECT dynamo.put('hidden', '{"pk": "theirs", "owner": "regress_dynamo_tenant"}');
SELECT dynamo.put('hidden', '{"pk": "theirs", "owner": "regress_dynamo_tenant"}', 'attribute_not_exists(pk)');
SELECT dynamo.update('hidden', '{"pk": "theirs"}', 'SET #o = :o', attribute_values => '{":o": "regress_dynamo_tenant"}',
	attribute_names => '{"#o": "owner"}');
SELECT dynamo.delete('hidden', '{"pk": "theirs"}') IS NULL AS nothing_deleted;
-- nor can one be made for another
SELECT dynamo.put('hidden', '{"pk": "new", "owner": "somebody"}');
SELECT dynamo.update('hidden', '{"pk": "mine"}', 'SET #o = :o', attribute_values => '{":o": "somebody"}',
	attribute_names => '{"#o": "owner"}');
RESET ROLE;
SELECT * FROM dynamo.scan('hidden');

-- without a privilege nothing
CREATE ROLE regress_dynamo_stranger;
GRANT USAGE ON SCHEMA ddb TO regress_dynamo_stranger;
SET ROLE regress_dynamo_stranger;
SELECT dynamo.get('hidden', '{"pk": "mine"}');
SELECT dynamo.put('hidden', '{"pk": "mine"}');
RESET ROLE;
ALTER TABLE ddb.hidden DISABLE ROW LEVEL SECURITY;

-- triggers fire, and one that swallows a write is named
CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER swallow_writes BEFORE INSERT OR UPDATE OR DELETE ON ddb.hidden FOR EACH ROW EXECUTE FUNCTION swallow();
SELECT dynamo.put('hidden', '{"pk": "swallowed"}');
SELECT dynamo.put('hidden', '{"pk": "swallowed"}', 'attribute_not_exists(pk)');
SELECT dynamo.update('hidden', '{"pk": "mine"}', 'SET a = :a', attribute_values => '{":a": 1}');
SELECT dynamo.delete('hidden', '{"pk": "mine"}');
DROP TRIGGER swallow_writes ON ddb.hidden;
DROP FUNCTION swallow();

CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS
	$$ BEGIN NEW.item := NEW.item || '{"stamped": true}'; RETURN NEW; END $$;
CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON ddb.hidden FOR EACH ROW EXECUTE FUNCTION stamp();
SELECT dynamo.put('hidden', '{"pk": "mine"}');
SELECT dynamo.get('hidden', '{"pk": "mine"}');
-- what an update returns is what is stored
SELECT dynamo.update('hidden', '{"pk": "mine"}', 'REMOVE stamped');
SELECT dynamo.update('hidden', '{"pk": "created"}', 'SET a = :a', attribute_values => '{":a": 1}');

-- a trigger may run operations of its own
CREATE FUNCTION count_writes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.pk <> 'counter' THEN
		PERFORM dynamo.update('hidden', '{"pk": "counter"}', 'ADD writes :one', attribute_values => '{":one": 1}');
	END IF;
	RETURN NEW;
END $$;
CREATE TRIGGER count_writes AFTER INSERT OR UPDATE ON ddb.hidden FOR EACH ROW EXECUTE FUNCTION count_writes();
SELECT dynamo.put('hidden', '{"pk": "one"}', 'attribute_not_exists(pk)');
SELECT dynamo.update('hidden', '{"pk": "one"}', 'SET a = :a', 'attribute_exists(pk)', '{":a": 1}');
SELECT dynamo.get('hidden', '{"pk": "counter"}');

SELECT dynamo.delete_table('{"TableName": "hidden"}') IS NOT NULL AS deleted;
DROP FUNCTION stamp(), count_writes();
REVOKE USAGE ON SCHEMA ddb FROM regress_dynamo_tenant, regress_dynamo_stranger;
DROP ROLE regress_dynamo_tenant, regress_dynamo_stranger;
