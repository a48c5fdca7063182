-- The extension goes without a trace and comes back; it wants a UTF8 database
\set SHOW_CONTEXT never
SELECT :'DBNAME' AS home \gset
CREATE DATABASE dynamo_lifecycle TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C';
\c dynamo_lifecycle
CREATE EXTENSION dynamo;
DROP EXTENSION dynamo;
SELECT nspname FROM pg_namespace WHERE nspname IN ('dynamo', 'ddb');
SELECT amname FROM pg_am WHERE amname = 'dynamo';
SELECT evtname FROM pg_event_trigger;
SELECT proname FROM pg_proc WHERE probin LIKE '%dynamo';
CREATE EXTENSION dynamo;
SELECT extname FROM pg_extension WHERE extname = 'dynamo';
\c :home
DROP DATABASE dynamo_lifecycle;
CREATE DATABASE dynamo_latin1 TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C';
\c dynamo_latin1
CREATE EXTENSION dynamo;
\c :home
DROP DATABASE dynamo_latin1;
