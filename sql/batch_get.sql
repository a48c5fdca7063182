-- BatchGetItem: items of several tables, each with its own projection; what is beyond 16 MB stays for the next request
SELECT dynamo.create_table('{"TableName": "batch_a", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}') IS NOT NULL AS created;
SELECT dynamo.create_table('{"TableName": "batch_b", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "B"}, {"AttributeName": "sk", "AttributeType": "N"}]}') IS NOT NULL AS created;
SELECT dynamo.put('batch_a', '{"pk": "x", "v": 1, "w": 2}'), dynamo.put('batch_a', jsonb_build_object('pk', repeat('k', 2000))),
	dynamo.put('batch_b', '{"pk": {"$b": "AA=="}, "sk": 1.5, "v": [1, 2]}'), dynamo.put('batch_b', '{"pk": {"$b": "AA=="}, "sk": 2}');
\pset format unaligned
SELECT dynamo.batch_get_item('{"RequestItems": {
	"batch_a": {"Keys": [{"pk": {"S": "missing"}}, {"pk": {"S": "x"}}], "ProjectionExpression": "#w", "ExpressionAttributeNames": {"#w": "w"}},
	"arn:aws:dynamodb:us-east-1:000000000000:table/batch_b": {"Keys": [{"pk": {"B": "AA=="}, "sk": {"N": "1.50"}}, {"sk": {"N": "2"}, "pk": {"B": "AA=="}}], "ConsistentRead": true}}}');
SELECT dynamo.batch_get_item('{"RequestItems": {"batch_a": {"Keys": [{"pk": {"S": "x"}}], "AttributesToGet": ["v", "nothing"]}}}');
SELECT jsonb_array_length(dynamo.batch_get_item(jsonb_build_object('RequestItems', jsonb_build_object('batch_a', jsonb_build_object('Keys',
	jsonb_build_array(jsonb_build_object('pk', jsonb_build_object('S', repeat('k', 2000))), jsonb_build_object('pk', jsonb_build_object('S', repeat('k', 2001)))))))) #> '{Responses,batch_a}');

-- 60 items of 300 KB: 55 of them are 16 MB
SELECT count(dynamo.put('batch_a', jsonb_build_object('pk', 'l' || n, 'v', repeat('x', 300000)))) FROM generate_series(10, 69) n;
CREATE TEMPORARY TABLE answer AS SELECT dynamo.batch_get_item(jsonb_build_object('ReturnConsumedCapacity', 'TOTAL', 'RequestItems', jsonb_build_object(
	'batch_a', jsonb_build_object('Keys', jsonb_agg(jsonb_build_object('pk', jsonb_build_object('S', 'l' || n))), 'ProjectionExpression', 'pk', 'ConsistentRead', true),
	'batch_b', '{"Keys": [{"pk": {"B": "AA=="}, "sk": {"N": "2"}}], "AttributesToGet": null}'::jsonb))) AS response FROM generate_series(10, 69) n;
SELECT jsonb_array_length(response #> '{Responses,batch_a}'), response #> '{Responses,batch_b}' FROM answer;
SELECT response #> '{UnprocessedKeys}' FROM answer;
SELECT response #> '{ConsumedCapacity}' FROM answer;
SELECT jsonb_array_length(next #> '{Responses,batch_a}') + jsonb_array_length(next #> '{Responses,batch_b}') AS the_rest, next #> '{UnprocessedKeys}' AS unprocessed
	FROM answer, dynamo.batch_get_item(jsonb_build_object('RequestItems', response #> '{UnprocessedKeys}')) AS next;

DROP TABLE ddb.batch_a, ddb.batch_b, answer;
