-- Event filters: which records pass a pattern
\set SHOW_CONTEXT never
SET dynamo.stream_shards = 1;
SELECT dynamo.create_table('{"TableName": "Filter", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
	"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"}}') IS NOT NULL AS created;
INSERT INTO ddb."Filter"(item) VALUES ('{"pk": "a", "n": 5, "s": "Apple", "set": {"$ss": ["x", "y"]}}'), ('{"pk": "b", "n": -1.5, "s": "Pear", "flag": true}'),
	('{"pk": "c", "none": null}');
CREATE TABLE passed (pk text);
CREATE FUNCTION public.pass(event jsonb) RETURNS void LANGUAGE sql
	AS $$ INSERT INTO public.passed SELECT r#>>'{dynamodb,Keys,pk,S}' FROM jsonb_array_elements(event->'Records') r $$;
CREATE FUNCTION passing(filter jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	m uuid;
	result text;
BEGIN
	m := dynamo.create_event_source_mapping('Filter', 'public.pass(jsonb)', filter => filter);
	PERFORM dynamo.run_event_source_mapping(m);
	PERFORM dynamo.delete_event_source_mapping(m);
	SELECT string_agg(pk, '' ORDER BY pk) INTO result FROM passed;
	DELETE FROM passed;
	RETURN result;
END
$$;
SELECT filter, passing(filter::jsonb) FROM unnest(ARRAY[
	'{}',
	'[]',
	'{"eventName": ["INSERT", "MODIFY"]}',
	'{"eventName": ["REMOVE"]}',
	'{"dynamodb": {"NewImage": {"n": {"N": ["5"]}}}}',
	'{"dynamodb": {"NewImage": {"n": {"N": [5]}}}}',
	'{"dynamodb": {"NewImage": {"n": {"N": [{"numeric": ["<", 0]}]}}}}',
	'{"dynamodb": {"NewImage": {"n": {"N": [{"numeric": [">=", -1.5, "<", 5]}]}}}}',
	'{"dynamodb": {"NewImage": {"s": {"S": [{"prefix": "A"}]}}}}',
	'{"dynamodb": {"NewImage": {"s": {"S": [{"suffix": "r"}]}}}}',
	'{"dynamodb": {"NewImage": {"s": {"S": [{"equals-ignore-case": "aPPLE"}]}}}}',
	'{"dynamodb": {"NewImage": {"s": {"S": [{"anything-but": ["Apple"]}]}}}}',
	'{"dynamodb": {"NewImage": {"s": {"S": [{"exists": false}]}}}}',
	'{"dynamodb": {"NewImage": {"n": {"N": [{"exists": true}]}}}}',
	'{"dynamodb": {"NewImage": {"flag": {"BOOL": [true]}}}}',
	'{"dynamodb": {"NewImage": {"set": {"SS": ["y"]}}}}',
	'{"$or": [{"dynamodb": {"Keys": {"pk": {"S": ["a"]}}}}, {"dynamodb": {"NewImage": {"flag": {"BOOL": [true]}}}}]}',
	'{"Filters": [{"Pattern": "{\"dynamodb\": {\"Keys\": {\"pk\": {\"S\": [\"c\"]}}}}"}, {"Pattern": "{\"dynamodb\": {\"Keys\": {\"pk\": {\"S\": [\"a\"]}}}}"}]}']) filter;
SELECT passing('{"a": 1}');
SELECT passing('{"a": [[1]]}');
SELECT passing('{"a": [{"numeric": [">"]}]}');
SELECT passing('{"a": [{"exists": "yes"}]}');
SELECT passing('{"a": [{"prefix": "x", "suffix": "y"}]}');
SELECT passing('"text"');
SELECT passing('{"Filters": [{}]}');
DROP FUNCTION passing, pass;
DROP TABLE passed;
SELECT dynamo.delete_table('{"TableName": "Filter"}') IS NOT NULL AS deleted;
