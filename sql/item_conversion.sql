-- DynamoDB's ten types to the stored form and back
WITH given (attributes) AS (VALUES
	('{"s": {"S": "text"}, "n": {"N": "42"}, "b": {"B": "YWI="}}'::jsonb),
	('{"yes": {"BOOL": true}, "no": {"BOOL": false}, "nothing": {"NULL": true}}'),
	('{"ss": {"SS": ["b", "a", ""]}, "ns": {"NS": ["3", "1.0", "-2"]}, "bs": {"BS": ["Ag==", "AQ==", "/w=="]}}'),
	('{"l": {"L": [{"S": "x"}, {"L": []}, {"M": {"k": {"N": "1"}}}]}, "m": {"M": {}}}'),
	('{"empty": {"S": ""}, "emptyb": {"B": ""}}'))
SELECT stored, dynamo.from_item(stored) AS back
FROM given, dynamo.to_item(attributes) AS stored;

-- a map whose only key begins with '$' is wrapped, so that it cannot be taken for a type
SELECT stored, dynamo.from_item(stored) AS back
FROM (VALUES
	('{"m": {"M": {"$b": {"S": "no binary"}}}}'::jsonb),
	('{"m": {"M": {"$m": {"M": {"$ss": {"L": []}}}}}}'),
	('{"m": {"M": {"$b": {"S": "two"}, "c": {"S": "keys"}}}}'),
	('{"l": {"L": [{"M": {"$": {"N": "1"}}}]}}')) AS given (attributes),
	dynamo.to_item(attributes) AS stored;

-- the item itself never is: it is known to be a map
SELECT dynamo.to_item('{"$b": {"S": "x"}}') AS stored, dynamo.from_item('{"$b": "x"}') AS back;

-- U+0000 and U+0001 are written as pairs, which are kept
SELECT dynamo.to_item('{"s": {"S": "a\u0001\u0001b\u0001\u0002"}}') AS stored,
	dynamo.item_size('{"s": "a\u0001\u0001b\u0001\u0002"}') AS size;

-- unknown members and nulls of an attribute value count for nothing
SELECT dynamo.to_item('{"a": {"S": "x", "Comment": "y", "N": null}}');

-- truth values come as some strings too
SELECT dynamo.to_item('{"a": {"BOOL": "true"}, "b": {"BOOL": "No"}, "c": {"NULL": "1"}}');

-- characters that JSON escapes
SELECT dynamo.from_item('{"s": "\"\\/\b\f\n\r\t\u001f é 😀"}');

-- no item, no result
SELECT dynamo.to_item(NULL) IS NULL, dynamo.from_item(NULL) IS NULL;
