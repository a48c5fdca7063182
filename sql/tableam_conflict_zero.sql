-- ON CONFLICT looks for the item's own key, not for a placeholder
CREATE TABLE ddb."Zero" (pk numeric PRIMARY KEY, item jsonb NOT NULL) USING dynamo;
SELECT dynamo.adopt('ddb."Zero"');
INSERT INTO ddb."Zero"(item) VALUES ('{"pk": 0, "first": true}');
INSERT INTO ddb."Zero"(item) VALUES ('{"pk": 5}') ON CONFLICT (pk) DO UPDATE SET item = EXCLUDED.item RETURNING *;
INSERT INTO ddb."Zero"(item) VALUES ('{"pk": 6}') ON CONFLICT DO NOTHING RETURNING *;
INSERT INTO ddb."Zero"(item) VALUES ('{"pk": 5, "second": true}') ON CONFLICT (pk) DO UPDATE SET item = EXCLUDED.item;
SELECT * FROM ddb."Zero" ORDER BY pk;
DROP TABLE ddb."Zero";
