-- comparators: = and <> of any types, order of S, N and B only, and nothing but <> is true of a missing operand
CREATE TEMP TABLE item AS SELECT dynamo.to_item('{
	"n": {"N": "5"}, "big": {"N": "40"}, "s": {"S": "Zebra"}, "small": {"S": "apple"}, "b": {"B": "gA=="}, "b2": {"B": "fw=="},
	"t": {"BOOL": true}, "z": {"NULL": true}, "l": {"L": [{"N": "1"}, {"S": "x"}]}, "m": {"M": {"x": {"N": "1"}}},
	"ss": {"SS": ["a", "b"]}, "ns": {"NS": ["1", "2"]}, "bs": {"BS": ["AQ=="]}, "digits": {"S": "5"}}') AS item;
CREATE TEMP TABLE v AS SELECT key, value FROM jsonb_each(dynamo.to_item('{
	":n": {"N": "5.0"}, ":s": {"S": "Zebra"}, ":b": {"B": "gA=="}, ":t": {"BOOL": true}, ":z": {"NULL": true},
	":l": {"L": [{"N": "1"}, {"S": "x"}]}, ":l2": {"L": [{"S": "x"}, {"N": "1"}]}, ":m": {"M": {"x": {"N": "1.0"}}},
	":ss": {"SS": ["b", "a"]}, ":ns": {"NS": ["2", "1"]}, ":bs": {"BS": ["AQ=="]}}'));
-- the values that an expression names
CREATE FUNCTION pg_temp.matches(condition text) RETURNS boolean LANGUAGE sql AS
	$$ SELECT dynamo.matches(item, $1, (SELECT jsonb_object_agg(key, value) FROM v WHERE $1 ~ (key || '\M'))) FROM item $$;

SELECT c AS "true" FROM unnest(ARRAY[
	'n = :n', 's = :s', 'b = :b', 't = :t', 'z = :z', 'l = :l', 'm = :m', 'ss = :ss', 'ns = :ns', 'bs = :bs',
	'n <> :s', 'digits <> :n', 'l <> :l2', 'ss <> :ns', 'gone <> :n', 'gone <> lost',
	'n < big', 'big > n', 'n <= :n', 'n >= :n', 's < small', 'b > b2', 'b2 < b', ':n < big',
	'n BETWEEN :n AND big', 's BETWEEN s2 AND small OR s BETWEEN :s AND small', 'n IN (:s, :t, :n)', 'l IN (:l2, :l)']) c
WHERE NOT pg_temp.matches(c);

SELECT c AS "false" FROM unnest(ARRAY[
	'n = :s', 'digits = :n', 'l = :l2', 'ss = :ns', 't = :z', 'gone = :n', 'gone = lost', 'n <> :n', 'ss <> :ss', 'm <> :m',
	'n < :n', 'n > :n', 'n < :s', 'n > :s', 's < :n', 'n < gone', 'gone < n', 'gone >= n', 'gone < lost', 't < n', 'l < n',
	'n BETWEEN :s AND small', 'n BETWEEN gone AND big', 'gone BETWEEN :n AND big', 'n IN (:s, gone)', 'gone IN (:n)',
	'gone IN (lost)']) c
WHERE pg_temp.matches(c);
