-- A page ends with the item that takes it past a megabyte, counted before the filter
SELECT dynamo.create_table('{"TableName": "mega", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"}]}'::jsonb) IS NOT NULL AS created;
\pset format unaligned
\pset tuples_only on
-- items of 104,858 bytes: ten make 1,048,580, more than a megabyte; of 104,857 it takes eleven
CREATE FUNCTION pg_temp.fill(pk text, size int, items int) RETURNS bigint LANGUAGE sql AS $$
	SELECT count(*) FROM (SELECT dynamo.put('mega', jsonb_build_object('pk', pk, 'sk', i, 'a', repeat('x', size - 11)))
		FROM generate_series(1, items) i) puts;
$$;
SELECT pg_temp.fill('more', 104858, 12), pg_temp.fill('less', 104857, 12);
SELECT pk, min(dynamo.item_size(item)), max(dynamo.item_size(item)) FROM ddb.mega GROUP BY 1 ORDER BY 1;
CREATE FUNCTION pg_temp.pages(pk text, members jsonb) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	response jsonb;
	start jsonb;
BEGIN
	LOOP
		response := dynamo.query(jsonb_build_object('TableName', 'mega', 'KeyConditionExpression', 'pk = :pk', 'ExclusiveStartKey', start,
			'ExpressionAttributeValues', jsonb_build_object(':pk', jsonb_build_object('S', pk))) || members);
		start := response->'LastEvaluatedKey';
		RETURN NEXT concat_ws(' ', response->'Count', 'of', response->'ScannedCount', 'then', start->'sk'->>'N');
		EXIT WHEN start IS NULL;
	END LOOP;
END $$;
SELECT pg_temp.pages('more', '{}');
SELECT pg_temp.pages('less', '{}');
SELECT pg_temp.pages('more', '{"ScanIndexForward": false}');
SELECT pg_temp.pages('more', '{"FilterExpression": "attribute_exists(nowhere)", "Select": "COUNT"}');
SELECT pg_temp.pages('more', '{"ProjectionExpression": "pk"}');
SELECT pg_temp.pages('more', '{"Limit": 9, "ProjectionExpression": "pk"}');
SELECT dynamo.scan('{"TableName": "mega", "Select": "COUNT", "ReturnConsumedCapacity": "TOTAL"}'::jsonb);
SELECT dynamo.delete_table('{"TableName": "mega"}') IS NOT NULL AS deleted;
