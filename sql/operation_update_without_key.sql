-- UpdateItem without Key: all faults of single members, in the older form
\pset format unaligned
\pset tuples_only on
CREATE FUNCTION pg_temp.outcome(operation text, request jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, request);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;

SELECT pg_temp.outcome('UpdateItem', '{"TableName": "some"}');
SELECT pg_temp.outcome('UpdateItem', '{}');
SELECT pg_temp.outcome('UpdateItem', '{"TableName": "", "Key": null}');
SELECT pg_temp.outcome('UpdateItem', '{"TableName": "some", "ReturnValues": "X", "ConditionalOperator": "XOR", "ReturnConsumedCapacity": "C", "UpdateExpression": "!"}');
