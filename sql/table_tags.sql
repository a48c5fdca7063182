-- Tags: at creation, by TagResource and UntagResource, fifty at most
\pset format unaligned
\pset tuples_only on
\set arn 'arn:aws:dynamodb:us-east-1:000000000000:table/tagged'
\set resource '{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/tagged"}'
SELECT dynamo.create_table('{"TableName": "tagged", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}], "BillingMode": "PAY_PER_REQUEST",
	"Tags": [{"Key": "stage", "Value": "test"}, {"Key": "Owner", "Value": ""}]}') #>> '{TableDescription,Tags}';
SELECT dynamo.list_tags_of_resource(:'resource');
SELECT dynamo.tag_resource(:'resource'::jsonb || '{"Tags": [{"Key": "stage", "Value": "live"}, {"Key": "größe/α_1", "Value": "+ - = . _ : / @"}]}');
SELECT dynamo.list_tags_of_resource(:'resource');
SELECT dynamo.untag_resource(:'resource'::jsonb || '{"TagKeys": ["stage", "absent"]}');
SELECT dynamo.list_tags_of_resource(:'resource'::jsonb || '{"NextToken": "any"}');
-- which table
SELECT dynamo.list_tags_of_resource('{}');
SELECT dynamo.list_tags_of_resource('{"ResourceArn": "tagged"}');
SELECT dynamo.list_tags_of_resource('{"ResourceArn": "arn:aws:s3:::bucket"}');
SELECT dynamo.list_tags_of_resource('{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/tagged/index/gsi"}');
SELECT dynamo.list_tags_of_resource('{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/ab"}');
SELECT dynamo.list_tags_of_resource('{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/absent"}');
SELECT dynamo.tag_resource('{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/absent", "Tags": [{"Key": "a", "Value": "b"}]}');
SELECT dynamo.untag_resource('{"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/absent", "TagKeys": ["a"]}');
-- which tags
SELECT dynamo.tag_resource(:'resource');
SELECT dynamo.untag_resource(:'resource');
SELECT dynamo.tag_resource(:'resource'::jsonb || '{"Tags": []}');
SELECT dynamo.untag_resource(:'resource'::jsonb || '{"TagKeys": []}');
SELECT dynamo.tag_resource(:'resource'::jsonb || '{"Tags": [{"Value": "v"}]}');
SELECT dynamo.tag_resource(:'resource'::jsonb || '{"Tags": [{"Key": "k"}]}');
SELECT dynamo.tag_resource(:'resource'::jsonb || '{"Tags": [{"Key": "a;b", "Value": "v"}]}');
SELECT dynamo.tag_resource(:'resource'::jsonb || '{"Tags": [{"Key": "AWS:k", "Value": "v"}]}');
SELECT dynamo.tag_resource(:'resource'::jsonb || '{"Tags": [{"Key": "k", "Value": "1"}, {"Key": "k", "Value": "2"}]}');
SELECT dynamo.tag_resource(:'resource'::jsonb || jsonb_build_object('Tags', jsonb_build_array(jsonb_build_object('Key', repeat('ä', 129), 'Value', 'v'))));
SELECT dynamo.tag_resource(:'resource'::jsonb || jsonb_build_object('Tags', jsonb_build_array(jsonb_build_object('Key', repeat('ä', 128), 'Value', repeat('ä', 256)))));
SELECT dynamo.untag_resource(:'resource'::jsonb || jsonb_build_object('TagKeys', jsonb_build_array(repeat('ä', 128))));
SELECT dynamo.tag_resource(:'resource'::jsonb || jsonb_build_object('Tags', (SELECT jsonb_agg(jsonb_build_object('Key', n::text, 'Value', '')) FROM generate_series(1, 48) n)));
SELECT dynamo.tag_resource(:'resource'::jsonb || '{"Tags": [{"Key": "1", "Value": "kept"}, {"Key": "one more", "Value": ""}]}');
SELECT jsonb_array_length(dynamo.list_tags_of_resource(:'resource')->'Tags'), dynamo.list_tags_of_resource(:'resource') #>> '{Tags,0,Value}';
SELECT dynamo.delete_table('{"TableName": "tagged"}') #>> '{TableDescription,TableStatus}';
SELECT count(*) FROM dynamo.tags WHERE key = 'Owner';
