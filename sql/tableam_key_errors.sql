-- what is no key is refused with DynamoDB's words
CREATE TABLE ddb."KeyErrors" (
	pk text COLLATE "C", sk bytea, item jsonb NOT NULL, PRIMARY KEY (pk, sk)
) USING dynamo;
SELECT dynamo.adopt('ddb."KeyErrors"');

INSERT INTO ddb."KeyErrors"(item) VALUES ('{"sk": {"$b": "AA=="}}');
INSERT INTO ddb."KeyErrors"(item) VALUES ('{"pk": "a"}');
INSERT INTO ddb."KeyErrors"(item) VALUES ('{"pk": 1, "sk": {"$b": "AA=="}}');
INSERT INTO ddb."KeyErrors"(item) VALUES ('{"pk": null, "sk": {"$b": "AA=="}}');
INSERT INTO ddb."KeyErrors"(item) VALUES ('{"pk": "a", "sk": "text"}');
INSERT INTO ddb."KeyErrors"(item) VALUES ('{"pk": "a", "sk": {"$ss": ["x"]}}');
INSERT INTO ddb."KeyErrors"(item) VALUES ('{"pk": "", "sk": {"$b": "AA=="}}');
INSERT INTO ddb."KeyErrors"(item) VALUES ('{"pk": "a", "sk": {"$b": ""}}');
INSERT INTO ddb."KeyErrors"(item)
	VALUES (jsonb_build_object('pk', repeat('a', 2049), 'sk', '{"$b": "AA=="}'::jsonb));
INSERT INTO ddb."KeyErrors"(item)
	SELECT jsonb_build_object('pk', 'a', 'sk', jsonb_build_object('$b', translate(encode(decode(repeat('ab', 1025), 'hex'), 'base64'), E'\n', '')));
INSERT INTO ddb."KeyErrors"(item) VALUES ('{"pk": "a", "sk": {"$b": "AAH/"}}') RETURNING pk, sk;
-- the size is counted in bytes
INSERT INTO ddb."KeyErrors"(item)
	VALUES (jsonb_build_object('pk', repeat('é', 1025), 'sk', '{"$b": "AA=="}'::jsonb));

\set VERBOSITY sqlstate
INSERT INTO ddb."KeyErrors"(item) VALUES ('{"pk": "a"}');

DROP TABLE ddb."KeyErrors";
