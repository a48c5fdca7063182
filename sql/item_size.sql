-- what an item counts for
SELECT item, dynamo.item_size(item) FROM unnest(ARRAY[
	'{}', '{"a": "xyz"}', '{"é": "é"}', '{"a": true}', '{"a": null}', '{"a": {"$b": "YWI="}}', '{"a": {"$b": ""}}',
	'{"a": {"$ss": ["a", "bcd"]}}', '{"a": {"$ns": [1, 100]}}', '{"a": {"$bs": ["AQ==", "AQI="]}}',
	'{"a": []}', '{"a": {}}', '{"a": ["x", 1]}', '{"a": {"bc": "x"}}', '{"a": {"$m": {"$b": "x"}}}', '{"$b": "x"}',
	'{"a": "\u0001\u0001\u0001\u0002"}']::jsonb[]) AS item;

-- numbers: one byte, a byte for two digits on either side of the point, one for a sign
SELECT number, dynamo.item_size(jsonb_build_object('', number)) FROM unnest(ARRAY[
	0, 1, 12, 123, -42, 100, 1000000, 0.1, 0.01, 0.001, 1.5, 100.5, -12345.678,
	12345678901234567890123456789012345678, 1e125, 1e-130]) AS number;

SELECT dynamo.item_size('[]');
