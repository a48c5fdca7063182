-- partition keys as their columns hold them
SELECT dynamo.key_value('short'), dynamo.key_value('') = '' AS empty, dynamo.key_value('\x0102'::bytea);

-- up to 600 bytes as they are, then prefix and digest
SELECT n, length(dynamo.key_value(repeat('x', n))), length(dynamo.key_value(convert_to(repeat('x', n), 'UTF8')))
FROM unnest(ARRAY[600, 601, 2048]) AS n;

SELECT dynamo.key_value(value) = left(value, 600) || encode(sha256(convert_to(value, 'UTF8')), 'hex') AS text,
	dynamo.key_value(convert_to(value, 'UTF8')) = convert_to(left(value, 600), 'UTF8') || sha256(convert_to(value, 'UTF8')) AS bytea
FROM repeat('0123456789', 200) AS value;

-- the prefix ends between two characters, so that it is text
SELECT bytes, octet_length(dynamo.key_value(value)) - 64 AS prefix,
	starts_with(value, left(dynamo.key_value(value), -64)) AS is_prefix
FROM (VALUES (1, repeat('x', 700)), (2, 'x' || repeat('é', 400)), (3, 'x' || repeat('€', 300)),
	(4, 'x' || repeat('😀', 200)), (4, 'xyz' || repeat('😀', 200))) AS given (bytes, value);

-- values that differ after the prefix stay different
SELECT count(DISTINCT dynamo.key_value(repeat('x', 1000) || n)) FROM generate_series(1, 100) AS n;
