-- policies see the true key: neither columns nor items can name another's
CREATE ROLE regress_dynamo_alice;
CREATE TABLE ddb."Secured" (pk text COLLATE "C" PRIMARY KEY, item jsonb NOT NULL) USING dynamo;
SELECT dynamo.adopt('ddb."Secured"');
INSERT INTO ddb."Secured"(item) VALUES ('{"pk": "regress_dynamo_bob", "secret": true}');
ALTER TABLE ddb."Secured" ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON ddb."Secured" USING (pk = current_user) WITH CHECK (pk = current_user);
GRANT USAGE ON SCHEMA ddb TO regress_dynamo_alice;
GRANT ALL ON ddb."Secured" TO regress_dynamo_alice;

SET ROLE regress_dynamo_alice;
SELECT * FROM ddb."Secured";
INSERT INTO ddb."Secured"(item) VALUES ('{"pk": "regress_dynamo_alice"}') RETURNING *;
INSERT INTO ddb."Secured"(item) VALUES ('{"pk": "regress_dynamo_carol"}');
INSERT INTO ddb."Secured" VALUES ('regress_dynamo_alice', '{"pk": "regress_dynamo_carol"}');
INSERT INTO ddb."Secured" VALUES ('regress_dynamo_carol', '{"pk": "regress_dynamo_alice"}');
INSERT INTO ddb."Secured"(item) VALUES ('{"pk": "regress_dynamo_bob"}')
	ON CONFLICT (pk) DO UPDATE SET item = EXCLUDED.item;
INSERT INTO ddb."Secured"(item) VALUES ('{"pk": "regress_dynamo_bob"}');
UPDATE ddb."Secured" SET item = '{"pk": "regress_dynamo_carol"}';
UPDATE ddb."Secured" SET pk = 'regress_dynamo_carol', item = '{"pk": "regress_dynamo_carol"}';
UPDATE ddb."Secured" SET item = item || '{"ok": true}' RETURNING *;
RESET ROLE;
SELECT * FROM ddb."Secured" ORDER BY pk;

DROP TABLE ddb."Secured";
REVOKE USAGE ON SCHEMA ddb FROM regress_dynamo_alice;
DROP ROLE regress_dynamo_alice;
