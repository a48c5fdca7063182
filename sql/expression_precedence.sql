-- NOT binds more tightly than AND, AND more tightly than OR; keywords in any case
SELECT text, dynamo.matches('{"yea": 1, "nay": 0}', text, '{":v": 1}') AS result
FROM (VALUES
	('yea = :v OR yea = :v AND nay = :v'),
	('(yea = :v OR yea = :v) AND nay = :v'),
	('nay = :v AND nay = :v OR yea = :v'),
	('nay = :v AND (nay = :v OR yea = :v)'),
	('NOT nay = :v AND nay = :v'),
	('NOT (nay = :v AND nay = :v)'),
	('NOT yea = :v OR yea = :v'),
	('NOT (yea = :v OR yea = :v)'),
	('NOT NOT yea = :v'),
	('not not not yea = :v'),
	('yea = :v and not nay = :v Or nay = :v'),
	('yea BETWEEN :v AND :v AND nay = :v'),
	('((yea = :v) AND (NOT (nay = :v)))'),
	('(yea) = (:v)'),
	('yea IN ((:v))')) t(text);
