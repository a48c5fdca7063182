-- the 573 reserved words are refused in any case, at any place of a path; behind placeholders they are names
SELECT dynamo.matches('{}', 'Status = b');
SELECT dynamo.matches('{}', 'a.b[0].name = b');
SELECT dynamo.project('{}', 'a, ZONE');
SELECT dynamo.apply_update('{}', 'REMOVE abort');
SELECT dynamo.apply_update('{}', 'SET a = if_not_exists(year, b)');
SELECT dynamo.matches('{"status": 1}', '#s = :v AND days <> :v AND user_name <> :v', '{":v": 1}', '{"#s": "status"}');
