-- ListTables: in the order of bytes, page by page
CREATE SCHEMA regress_list;
SET dynamo.schema = 'regress_list';
SELECT count(dynamo.create_table('{"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST"}'
	|| jsonb_build_object('TableName', name)))
FROM unnest('{list-b,list.a,List,list_1,list1}'::text[]) name;
SELECT dynamo.list_tables('{}');
SELECT dynamo.list_tables('{"Limit": 5}');
SELECT dynamo.list_tables('{"Limit": 2}');
SELECT dynamo.list_tables('{"Limit": 2, "ExclusiveStartTableName": "list-b"}');
SELECT dynamo.list_tables('{"Limit": 2, "ExclusiveStartTableName": "list1"}');
-- the start need not exist
SELECT dynamo.list_tables('{"ExclusiveStartTableName": "list0"}');
SELECT dynamo.list_tables('{"ExclusiveStartTableName": "zzz"}');
SELECT dynamo.list_tables('{"ExclusiveStartTableName": null, "Limit": null}');
SELECT dynamo.list_tables('{"ExclusiveStartTableName": "", "Limit": 0}');
SELECT dynamo.list_tables('{"ExclusiveStartTableName": "arn:aws:dynamodb:us-east-1:000000000000:table/list1", "Limit": 101}');
SELECT count(dynamo.delete_table(jsonb_build_object('TableName', name)))
FROM unnest('{list-b,list.a,List,list_1,list1}'::text[]) name;
SELECT dynamo.list_tables('{}');
DROP SCHEMA regress_list;
