-- Lists longer than any that could be right are refused without being read to the end
\set VERBOSITY terse
\set base '{"TableName": "long_lists", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST"}'
SELECT jsonb_agg('{}'::jsonb) AS empty FROM generate_series(1, 2000) \gset
SELECT jsonb_agg(jsonb_build_object('AttributeName', 'a' || n, 'AttributeType', 'S')) AS attributes FROM generate_series(1, 2000) n \gset
SELECT jsonb_agg(jsonb_build_object('AttributeName', 'a' || n, 'KeyType', 'HASH')) AS keys FROM generate_series(1, 2000) n \gset
SELECT jsonb_agg('{"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}'::jsonb || jsonb_build_object('IndexName', 'index' || n)) AS indexes FROM generate_series(1, 2000) n \gset
SELECT jsonb_agg(jsonb_build_object('Delete', jsonb_build_object('IndexName', 'index' || n))) AS deletes FROM generate_series(1, 2000) n \gset
SELECT dynamo.create_table(:'base'::jsonb || jsonb_build_object('AttributeDefinitions', :'attributes'::jsonb));
SELECT dynamo.create_table(:'base'::jsonb || jsonb_build_object('KeySchema', :'keys'::jsonb));
SELECT dynamo.create_table(:'base'::jsonb || jsonb_build_object('GlobalSecondaryIndexes', :'indexes'::jsonb));
SELECT dynamo.update_table('{"TableName": "long_lists"}'::jsonb || jsonb_build_object('GlobalSecondaryIndexUpdates', :'deletes'::jsonb));
SELECT dynamo.create_table(:'base'::jsonb || jsonb_build_object('GlobalSecondaryIndexes', :'empty'::jsonb));
