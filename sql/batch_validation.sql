-- BatchWriteItem and BatchGetItem: what refuses a request
SELECT dynamo.create_table('{"TableName": "batch", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "N"}, {"AttributeName": "g", "AttributeType": "S"}],
	"GlobalSecondaryIndexes": [{"IndexName": "gix", "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}]}') IS NOT NULL AS created;
CREATE FUNCTION refusal(operation text, request_items text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dynamo.api(operation, pg_catalog.format('{"RequestItems": %s}', request_items)::jsonb);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END
$$;
\pset format unaligned
\pset tuples_only
SELECT refusal('BatchWriteItem', 'null');
SELECT refusal('BatchWriteItem', '{}');
SELECT refusal('BatchWriteItem', '[]');
SELECT refusal('BatchWriteItem', '{"batch": []}');
SELECT refusal('BatchWriteItem', '{"batch": null}');
SELECT refusal('BatchWriteItem', '{"batch": {"PutRequest": {}}}');
SELECT refusal('BatchWriteItem', '{"batch": [{}]}');
SELECT refusal('BatchWriteItem', '{"batch": [null]}');
SELECT refusal('BatchWriteItem', '{"batch": [{"PutRequest": {}}, {"DeleteRequest": {}}]}');
SELECT refusal('BatchWriteItem', '{"batch": [{"PutRequest": {"Item": {"pk": {"N": "1"}}}, "DeleteRequest": {"Key": {"pk": {"N": "2"}}}}]}');
SELECT refusal('BatchWriteItem', '{"batch": [{"PutRequest": {"Item": {"pk": {"S": "1"}}}}]}');
SELECT refusal('BatchWriteItem', '{"batch": [{"PutRequest": {"Item": {"a": {"S": "1"}}}}]}');
SELECT refusal('BatchWriteItem', '{"batch": [{"PutRequest": {"Item": {"pk": {"N": "1"}, "g": {"S": ""}}}}]}');
SELECT refusal('BatchWriteItem', '{"batch": [{"PutRequest": {"Item": {"pk": {"N": "1"}, "g": {"N": "1"}}}}]}');
SELECT refusal('BatchWriteItem', '{"batch": [{"DeleteRequest": {"Key": {"pk": {"S": "1"}}}}]}');
SELECT refusal('BatchWriteItem', '{"batch": [{"DeleteRequest": {"Key": {"pk": {"N": "1"}, "g": {"S": "1"}}}}]}');
SELECT refusal('BatchWriteItem', '{"batch": [{"PutRequest": {"Item": {"pk": {"N": "1"}}}}], "missing": [{"PutRequest": {"Item": {"pk": {"N": "1"}}}}]}');
SELECT refusal('BatchWriteItem', '{"batch": [{"PutRequest": {"Item": {"pk": {"N": "1"}}}}, {"DeleteRequest": {"Key": {"pk": {"N": "1.0"}}}}]}');
SELECT refusal('BatchWriteItem', '{"batch": [{"PutRequest": {"Item": {"pk": {"N": "1"}}}}],
	"arn:aws:dynamodb:us-east-1:000000000000:table/batch": [{"PutRequest": {"Item": {"pk": {"N": "1"}}}}]}');
SELECT refusal('BatchWriteItem', jsonb_build_object('missing', jsonb_agg(jsonb_build_object('PutRequest', jsonb_build_object('Item',
	jsonb_build_object('pk', jsonb_build_object('N', n::text))))))::text) FROM generate_series(1, 26) n;
SELECT refusal('BatchWriteItem', jsonb_build_object('missing', jsonb_agg(w), 'batch', jsonb_agg(w))::text)
	FROM (SELECT jsonb_build_object('PutRequest', jsonb_build_object('Item', jsonb_build_object('pk', jsonb_build_object('N', n::text)))) AS w FROM generate_series(1, 13) n) s;
SELECT refusal('BatchWriteItem', pg_catalog.format('{"missing": [{"PutRequest": {"Item": {"pk": {"N": "1"}, "v": {"S": "%s"}}}}]}', pg_catalog.repeat('x', 409600)));
SELECT count(*) FROM ddb.batch;

SELECT refusal('BatchGetItem', 'null');
SELECT refusal('BatchGetItem', '{}');
SELECT refusal('BatchGetItem', '{"batch": {}}');
SELECT refusal('BatchGetItem', '{"batch": []}');
SELECT refusal('BatchGetItem', '{"batch": {"Keys": []}}');
SELECT refusal('BatchGetItem', '{"batch": {"Keys": [null]}}');
SELECT refusal('BatchGetItem', '{"batch": {"Keys": [{"pk": {"N": "1"}}], "AttributesToGet": ["a"]}, "other": {"Keys": [{"pk": {"N": "1"}}], "ProjectionExpression": "a"}}');
SELECT refusal('BatchGetItem', '{"batch": {"Keys": [{"pk": {"N": "1"}}], "AttributesToGet": []}}');
SELECT refusal('BatchGetItem', '{"batch": {"Keys": [{"pk": {"N": "1"}}], "AttributesToGet": ["a", "a"]}}');
SELECT refusal('BatchGetItem', '{"batch": {"Keys": [{"pk": {"N": "1"}}], "ExpressionAttributeNames": {"#a": "a"}}}');
SELECT refusal('BatchGetItem', '{"batch": {"Keys": [{"pk": {"N": "1"}}], "ProjectionExpression": "a", "ExpressionAttributeNames": {"#a": "a"}}}');
SELECT refusal('BatchGetItem', '{"missing": {"Keys": [{"pk": {"N": "1"}}, {"pk": {"N": "1.0"}}]}}');
SELECT refusal('BatchGetItem', '{"missing": {"Keys": [{"pk": {"N": "1"}}]}}');
SELECT refusal('BatchGetItem', '{"batch": {"Keys": [{"pk": {"S": "1"}}]}}');
SELECT refusal('BatchGetItem', '{"batch": {"Keys": [{"g": {"S": "1"}}]}}');
SELECT refusal('BatchGetItem', jsonb_build_object('missing', jsonb_build_object('Keys', jsonb_agg(jsonb_build_object('pk', jsonb_build_object('N', n::text)))))::text) FROM generate_series(1, 101) n;
SELECT refusal('BatchGetItem', jsonb_build_object('missing', k, 'batch', k)::text)
	FROM (SELECT jsonb_build_object('Keys', jsonb_agg(jsonb_build_object('pk', jsonb_build_object('N', n::text)))) AS k FROM generate_series(1, 51) n) s;

DROP TABLE ddb.batch;
DROP FUNCTION refusal;
