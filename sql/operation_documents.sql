-- The document functions: plain JSON, arguments by name
SELECT dynamo.create_table('{"TableName": "docs", "BillingMode": "PAY_PER_REQUEST",
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"}]}'::jsonb) IS NOT NULL AS created;
\pset format unaligned
\pset tuples_only on
\pset null '(null)'
-- put takes any JSON that is near the stored form
SELECT dynamo.put('docs', '{"pk": "k", "sk": 1, "set": {"$ns": [3, 1.0, 2]}, "n": 1.50}');
SELECT dynamo.put(table_name => 'docs', item => '{"pk": "k", "sk": 2}', condition => 'attribute_not_exists(pk)');
SELECT dynamo.put('docs', '{"pk": "k", "sk": 2}', condition => '#n = :v', attribute_values => '{":v": [1]}', attribute_names => '{"#n": "x"}');
SELECT dynamo.put('docs', '{"pk": "k", "sk": 1, "n": 2}', 'n = :v', '{":v": 1.5}');
SELECT dynamo.get('docs', '{"pk": "k", "sk": 1}');
SELECT dynamo.get('docs', '{"pk": "k", "sk": 3}');
SELECT dynamo.get('docs', key => '{"pk": "k", "sk": 1}', projection => '#n, nowhere', attribute_names => '{"#n": "n"}');
SELECT dynamo.update('docs', '{"pk": "k", "sk": 3}', 'SET a = :a, b = list_append(:b, :b)', attribute_values => '{":a": {"x": null}, ":b": [true]}');
SELECT dynamo.update('docs', '{"pk": "k", "sk": 3}', expression => 'REMOVE #a', condition => 'attribute_exists(#a.x)', attribute_names => '{"#a": "a"}');
SELECT dynamo.update('docs', '{"pk": "k", "sk": 9}', 'REMOVE a');
SELECT dynamo.update('docs', '{"pk": "k", "sk": 3}', 'REMOVE b', 'a = b');
SELECT dynamo.delete('docs', '{"pk": "k", "sk": 3}', condition => 'b[0] = :t', attribute_values => '{":t": true}');
SELECT dynamo.delete('docs', '{"pk": "k", "sk": 3}');
SELECT dynamo.delete('docs', '{"pk": "k", "sk": 1}', 'attribute_exists(#x)', attribute_names => '{"#x": "x"}');

-- query and scan page by themselves
SELECT count(*) FROM (SELECT dynamo.put('docs', jsonb_build_object('pk', 'q', 'sk', i, 'odd', i % 2)) FROM generate_series(1, 200) i) puts;
SELECT dynamo.query('docs', 'pk = :p AND sk BETWEEN :a AND :b', '{":p": "q", ":a": 99, ":b": 101}');
SELECT dynamo.query('docs', '#p = :p', attribute_values => '{":p": "q", ":o": 1}', attribute_names => '{"#p": "pk", "#o": "odd"}', filter => '#o = :o', projection => 'sk', forward => false, max_items => 2);
SELECT count(*), min((item->>'sk')::int), max((item->>'sk')::int), array_agg(item->>'sk') = array_agg(item->>'sk' ORDER BY (item->>'sk')::int DESC) AS ordered
	FROM dynamo.query('docs', 'pk = :p', '{":p": "q"}', forward => false) item;
SELECT count(*) FROM dynamo.query('docs', 'pk = :p', '{":p": "nobody"}');
SELECT count(*) FROM dynamo.query('docs', 'pk = :p', '{":p": "q"}', max_items => 0);
SELECT count(*) FROM dynamo.scan('docs');
SELECT count(*) FROM dynamo.scan('docs', 'odd = :o', attribute_values => '{":o": 1}', max_items => 70);
SELECT dynamo.scan('docs', filter => 'attribute_not_exists(odd)', projection => 'n, sk');

-- what they refuse
SELECT dynamo.put('docs', NULL);
SELECT dynamo.get(NULL, '{"pk": "k", "sk": 1}');
SELECT dynamo.update('docs', '{"pk": "k", "sk": 1}', NULL);
SELECT dynamo.query('docs', NULL);
SELECT dynamo.scan('docs', max_items => -1);
SELECT dynamo.put('docs', '[]');
SELECT dynamo.put('docs', '{"pk": "k"}');
SELECT dynamo.put('docs', '{"pk": 1, "sk": 1}');
SELECT dynamo.get('docs', '{"pk": "k", "sk": "1"}');
SELECT dynamo.get('docs', '{"pk": "k"}');
SELECT dynamo.put('docs', '{"pk": "k", "sk": 1, "n": 1e200}');
SELECT dynamo.put('docs', '{"pk": "k", "sk": 1, "s": {"$ss": []}}');
SELECT dynamo.put('docs', '{"pk": "k", "sk": 1, "b": {"$b": "no base64"}}');
SELECT dynamo.put('docs', jsonb_build_object('pk', 'k', 'sk', 1, 'big', repeat('x', 409600)));
SELECT dynamo.update('docs', '{"pk": "k", "sk": 1}', 'SET a = :v', attribute_values => '{"v": 1}');
SELECT dynamo.update('docs', '{"pk": "k", "sk": 1}', 'SET a = :v', attribute_values => '{":v": 1, ":w": 1}');
SELECT dynamo.update('docs', '{"pk": "k", "sk": 1}', 'SET a = :v', attribute_values => '[]');
SELECT dynamo.update('docs', '{"pk": "k", "sk": 1}', 'SET sk = :v', attribute_values => '{":v": 1}');
SELECT dynamo.query('docs', 'sk = :s', '{":s": 1}');
SELECT dynamo.query('docs', 'pk = :p', '{":p": 1}');
SELECT dynamo.scan('docs', index_name => 'nowhere');
SELECT dynamo.scan('nowhere');
SELECT dynamo.scan('no table');
-- a name may be an ARN
SELECT dynamo.get('arn:aws:dynamodb:us-east-1:123456789012:table/docs', '{"pk": "k", "sk": 2}');
SELECT dynamo.delete_table('{"TableName": "docs"}') IS NOT NULL AS deleted;
