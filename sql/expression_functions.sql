-- functions of conditions
CREATE TEMP TABLE item AS SELECT dynamo.to_item('{
	"s": {"S": "hé_llo"}, "n": {"N": "5"}, "b": {"B": "AQIDBA=="}, "ss": {"SS": ["a", "b"]}, "ns": {"NS": ["1", "2", "3"]},
	"bs": {"BS": ["AQ=="]}, "t": {"BOOL": false}, "z": {"NULL": true}, "l": {"L": [{"N": "1"}, {"L": []}, {"SS": ["a"]}]},
	"m": {"M": {"x": {"S": "y"}}}, "tagged": {"M": {"$b": {"S": "AQ=="}}}}') AS item;
CREATE FUNCTION pg_temp.matches(condition text, v jsonb DEFAULT NULL) RETURNS boolean LANGUAGE sql AS
	$$ SELECT dynamo.matches(item, $1, dynamo.to_item(v)) FROM item $$;

-- attribute_type names one type of each attribute
SELECT name, string_agg(type, ', ') AS type
FROM unnest('{s,n,b,ss,ns,bs,t,z,l,m,tagged,gone}'::text[]) WITH ORDINALITY a(name, i),
	unnest('{S,N,B,SS,NS,BS,BOOL,"NULL",L,M}'::text[]) type
WHERE pg_temp.matches(format('attribute_type(%s, :t)', name), jsonb_build_object(':t', jsonb_build_object('S', type)))
GROUP BY name, i ORDER BY i;

-- an attribute of type NULL exists
SELECT name, pg_temp.matches(format('attribute_exists(%s)', name)) AS "exists",
	pg_temp.matches(format('attribute_not_exists(%s)', name)) AS not_exists
FROM unnest('{s,z,gone,m.x,m.y,l[0],l[7],s.x,gone.x}'::text[]) name;

-- size() of all types; N, BOOL and NULL have none
SELECT name, (SELECT string_agg(i::text, ',') FROM generate_series(0, 9) i
	WHERE pg_temp.matches(format('size(%s) = :i', name), jsonb_build_object(':i', jsonb_build_object('N', i::text)))) AS size
FROM unnest('{s,n,b,ss,ns,bs,t,z,l,m,tagged,l[1],gone}'::text[]) name;
SELECT pg_temp.matches('size(n) <> :v', '{":v": {"N": "1"}}') AS "<> is true of a missing size",
	pg_temp.matches('size(n) < :v', '{":v": {"N": "1"}}') AS "< is not";

-- begins_with() compares bytes and has no wildcards
SELECT value, pg_temp.matches('begins_with(s, :v)', jsonb_build_object(':v', value)) AS s,
	pg_temp.matches('begins_with(b, :v)', jsonb_build_object(':v', value)) AS b
FROM unnest(ARRAY['{"S": "hé_"}', '{"S": ""}', '{"S": "h%"}', '{"S": "h_"}', '{"S": "hé_llo!"}', '{"B": "AQI="}', '{"B": "Ag=="}']::jsonb[]) value;

-- contains(): substring, bytes, member of a set, element of a list
SELECT value, string_agg(name, ' ' ORDER BY name) AS "contained in"
FROM unnest(ARRAY['{"S": "é_l"}', '{"S": "a"}', '{"S": ""}', '{"N": "2.0"}', '{"N": "1"}', '{"B": "AgM="}', '{"B": "AQ=="}', '{"L": []}',
	'{"SS": ["a"]}', '{"S": "x"}']::jsonb[]) value, unnest('{s,n,b,ss,ns,bs,t,z,l,m}'::text[]) name
WHERE pg_temp.matches(format('contains(%s, :v)', name), jsonb_build_object(':v', value))
GROUP BY value ORDER BY value;
