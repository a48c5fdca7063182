/* dynamo--1.0.sql: read from top to bottom: catalog, access method, operations, functions for people */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION dynamo" to load this file. \quit

DO $$
BEGIN
	IF pg_catalog.getdatabaseencoding() <> 'UTF8' THEN
		RAISE EXCEPTION 'extension dynamo needs a database in encoding UTF8, not %', pg_catalog.getdatabaseencoding()
			USING ERRCODE = 'feature_not_supported',
				HINT = 'Create a database with ENCODING ''UTF8'' TEMPLATE template0.';
	END IF;
END
$$;

-- ---------------------------------------------------------------------------
-- Schemas: "dynamo" for functions and catalog, "ddb" for item tables
-- ---------------------------------------------------------------------------

CREATE SCHEMA dynamo;
COMMENT ON SCHEMA dynamo IS 'DynamoDB operations as functions, and the catalog of DynamoDB tables';
GRANT USAGE ON SCHEMA dynamo TO PUBLIC;		-- what the functions touch is guarded by the privileges on the item tables

CREATE SCHEMA ddb;
COMMENT ON SCHEMA ddb IS 'item tables of DynamoDB tables (setting dynamo.schema)';

-- ---------------------------------------------------------------------------
-- Catalog: written by the operations only, after they have checked the caller
-- ---------------------------------------------------------------------------

CREATE TABLE dynamo.tables (
	relation		pg_catalog.regclass PRIMARY KEY,
	table_name		pg_catalog.text NOT NULL,
	table_id		pg_catalog.uuid NOT NULL,
	created_at		pg_catalog.timestamptz NOT NULL,
	partition_key	pg_catalog.text NOT NULL,
	sort_key		pg_catalog.text,
	settings		pg_catalog.jsonb NOT NULL		-- members of CreateTable's request that are only kept and described
);
COMMENT ON TABLE dynamo.tables IS 'DynamoDB tables: one row per item relation';

CREATE TABLE dynamo.attributes (
	relation		pg_catalog.regclass NOT NULL,
	attribute		pg_catalog.text NOT NULL,
	type			"char" NOT NULL,				-- S, N or B
	column_name		pg_catalog.name NOT NULL,
	PRIMARY KEY (relation, attribute)
);
COMMENT ON TABLE dynamo.attributes IS 'attributes that have a column of their own: keys of tables and indexes';

CREATE TABLE dynamo.indexes (
	relation		pg_catalog.regclass NOT NULL,
	index_name		pg_catalog.text NOT NULL,
	index_relation	pg_catalog.name NOT NULL,
	kind			"char" NOT NULL,				-- G global, L local
	partition_keys	pg_catalog.text[] NOT NULL,
	sort_keys		pg_catalog.text[] NOT NULL,
	projection		"char" NOT NULL,				-- A all, K keys only, I include
	included		pg_catalog.text[] NOT NULL,		-- NonKeyAttributes
	status			pg_catalog.text NOT NULL,		-- CREATING, ACTIVE, DELETING
	settings		pg_catalog.jsonb NOT NULL,
	PRIMARY KEY (relation, index_name)
);
COMMENT ON TABLE dynamo.indexes IS 'secondary indexes of DynamoDB tables';

CREATE TABLE dynamo.builds (
	relation		pg_catalog.regclass NOT NULL,
	index_name		pg_catalog.text NOT NULL,
	phase			pg_catalog.text NOT NULL,		-- PENDING, BACKFILL, INDEX, DONE; DROP
	rows_done		pg_catalog.int8 NOT NULL,
	rows_total		pg_catalog.int8 NOT NULL,
	rows_skipped	pg_catalog.int8 NOT NULL,
	started_at		pg_catalog.timestamptz NOT NULL,
	finished_at		pg_catalog.timestamptz,
	last_error		pg_catalog.text,
	PRIMARY KEY (relation, index_name)
);
COMMENT ON TABLE dynamo.builds IS 'indexes that UpdateTable builds or drops, or has built: one row per index until it is dropped';

CREATE TABLE dynamo.tags (
	relation		pg_catalog.regclass NOT NULL,
	key				pg_catalog.text NOT NULL,
	value			pg_catalog.text NOT NULL,
	PRIMARY KEY (relation, key)
);
COMMENT ON TABLE dynamo.tags IS 'tags of DynamoDB tables';

CREATE TABLE dynamo.ttl (
	relation		pg_catalog.regclass PRIMARY KEY,
	attribute		pg_catalog.text NOT NULL,
	column_name		pg_catalog.name NOT NULL,		-- when items expire: seconds since 1970, filled by the access method
	state			pg_catalog.text NOT NULL,		-- ENABLING, ENABLED, DISABLING, DISABLED
	since			pg_catalog.timestamptz NOT NULL,
	last_sweep		pg_catalog.timestamptz,
	expired			pg_catalog.int8 NOT NULL,		-- items deleted so far
	last_error		pg_catalog.text					-- of the last sweep
);
COMMENT ON TABLE dynamo.ttl IS 'tables whose items expire, and how far they have been swept';

CREATE TABLE dynamo.scan_splits (
	relation		pg_catalog.regclass NOT NULL,
	column_name		pg_catalog.name NOT NULL,
	splits			pg_catalog.text[] NOT NULL,		-- key values, ascending
	used_at			pg_catalog.timestamptz NOT NULL,
	PRIMARY KEY (relation, column_name)
);
COMMENT ON TABLE dynamo.scan_splits IS 'where parallel scans cut the key order of a table';

-- Streams.  None of it is dumped: a restored table has no stream until one is
-- enabled.  Relations are plain OIDs, since a stream outlives its table.

CREATE SEQUENCE dynamo.stream_ids AS pg_catalog.int4;	-- of streams and of shards

CREATE TABLE dynamo.streams (
	relation		pg_catalog.oid NOT NULL,		-- 0: dropped
	stream_id		pg_catalog.int4 NOT NULL,
	table_name		pg_catalog.text NOT NULL,
	schema_name		pg_catalog.name NOT NULL,
	label			pg_catalog.text NOT NULL,
	view_type		pg_catalog.text NOT NULL,
	partition_key	pg_catalog.text NOT NULL,
	sort_key		pg_catalog.text,
	owner			pg_catalog.oid NOT NULL,		-- who may read it when the table is gone
	created_at		pg_catalog.timestamptz NOT NULL,
	disabled_at		pg_catalog.timestamptz,
	PRIMARY KEY (relation, stream_id)
);
COMMENT ON TABLE dynamo.streams IS 'streams of DynamoDB tables, disabled ones for 24 hours';

CREATE TABLE dynamo.stream_shards (
	stream_id		pg_catalog.int4 NOT NULL,
	shard_id		pg_catalog.int4 NOT NULL,
	parent			pg_catalog.int4,
	low				pg_catalog.int8 NOT NULL,		-- hashes of partition keys: low <= hash < high
	high			pg_catalog.int8 NOT NULL,
	created_at		pg_catalog.timestamptz NOT NULL,
	start			pg_catalog.int8 NOT NULL,		-- all its numbers are greater
	closed_at		pg_catalog.timestamptz,
	PRIMARY KEY (stream_id, shard_id)
);
COMMENT ON TABLE dynamo.stream_shards IS 'shards of streams: each takes the keys of a range of hashes';

-- Consumers inside the database
CREATE TABLE dynamo.event_source_mappings (
	uuid			pg_catalog.uuid PRIMARY KEY,
	stream_id		pg_catalog.int4 NOT NULL,
	table_name		pg_catalog.text NOT NULL,
	function		pg_catalog.text NOT NULL,		-- with schema and argument types
	owner			pg_catalog.oid NOT NULL,		-- the role that the function runs as
	batch_size		pg_catalog.int4 NOT NULL,
	maximum_retry_attempts	pg_catalog.int4 NOT NULL,	-- -1: until the record expires
	filter			pg_catalog.jsonb,
	batch_window	pg_catalog.interval NOT NULL,
	maximum_record_age		pg_catalog.interval,	-- null: a day, as all records
	enabled			pg_catalog.bool NOT NULL,
	last_result		pg_catalog.text NOT NULL,		-- of the last batch: OK, No records processed, or the error
	created_at		pg_catalog.timestamptz NOT NULL
);
COMMENT ON TABLE dynamo.event_source_mappings IS 'functions that are called with the records of a stream: each role sees its own';

CREATE TABLE dynamo.event_source_checkpoints (
	mapping			pg_catalog.uuid NOT NULL,
	shard_id		pg_catalog.int4 NOT NULL,
	number			pg_catalog.int8 NOT NULL,		-- all records up to here are done
	counter			pg_catalog.int4 NOT NULL,
	finished		pg_catalog.bool NOT NULL,		-- closed and done to its end
	attempts		pg_catalog.int4 NOT NULL,		-- failed, of the next batch
	batch_limit		pg_catalog.int4,				-- a part of a batch that failed
	retry_at		pg_catalog.timestamptz,
	PRIMARY KEY (mapping, shard_id)
);
COMMENT ON TABLE dynamo.event_source_checkpoints IS 'how far the consumers of streams have come, by shard';

CREATE TABLE dynamo.failed_events (
	id				pg_catalog.int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	mapping			pg_catalog.uuid NOT NULL,
	owner			pg_catalog.oid NOT NULL,
	table_name		pg_catalog.text NOT NULL,
	function		pg_catalog.text NOT NULL,
	sequence_number	pg_catalog.text NOT NULL,
	event			pg_catalog.jsonb NOT NULL,		-- the record as the function got it
	reason			pg_catalog.text NOT NULL,
	attempts		pg_catalog.int4 NOT NULL,
	failed_at		pg_catalog.timestamptz NOT NULL
);
COMMENT ON TABLE dynamo.failed_events IS 'records that a consumer could not take: its owner may read and delete them';
ALTER TABLE dynamo.failed_events ENABLE ROW LEVEL SECURITY;
CREATE POLICY owner ON dynamo.failed_events USING (pg_catalog.pg_has_role(owner, 'USAGE'));
GRANT SELECT, DELETE ON dynamo.failed_events TO PUBLIC;	-- the policy shows each role its own

-- Rings of tables, one after another in use for four hours, then truncated in
-- turn.  Rows are inserted by the access method only, past triggers; the one
-- here keeps away copies of another server's rows (initial copy of a
-- publication FOR ALL TABLES).
CREATE FUNCTION dynamo.keep_away() RETURNS trigger
	AS 'MODULE_PATHNAME', 'stream_keep_away' LANGUAGE C;
COMMENT ON FUNCTION dynamo.keep_away() IS 'trigger of the tables of stream records: inserts nothing';
REVOKE EXECUTE ON FUNCTION dynamo.keep_away() FROM PUBLIC;	-- for the tables of stream records only

DO $$
BEGIN
	FOR slot IN 0 .. 7 LOOP
		-- a change, found by its transaction
		EXECUTE pg_catalog.format('CREATE TABLE dynamo.stream_records_%s (
			xid pg_catalog.xid8 NOT NULL,
			shard pg_catalog.int4 NOT NULL,
			counter pg_catalog.int4 NOT NULL,
			kind "char" NOT NULL,
			service pg_catalog.bool NOT NULL,
			keys pg_catalog.jsonb,
			old pg_catalog.jsonb,
			new pg_catalog.jsonb)', slot);
		EXECUTE pg_catalog.format('CREATE INDEX ON dynamo.stream_records_%s (xid, shard, counter)', slot);
		-- a transaction in the order of a shard: number is its time in microseconds
		EXECUTE pg_catalog.format('CREATE TABLE dynamo.stream_commits_%s (
			shard pg_catalog.int4 NOT NULL,
			number pg_catalog.int8 NOT NULL,
			xid pg_catalog.xid8 NOT NULL,
			slot pg_catalog.int2 NOT NULL)', slot);
		EXECUTE pg_catalog.format('CREATE INDEX ON dynamo.stream_commits_%s (shard, number)', slot);
		EXECUTE pg_catalog.format('CREATE INDEX ON dynamo.stream_commits_%s (slot, number) WHERE slot OPERATOR(pg_catalog.<>) %s', slot, slot);
		EXECUTE pg_catalog.format('COMMENT ON TABLE dynamo.stream_records_%s IS %L', slot, 'changes in streams');
		EXECUTE pg_catalog.format('COMMENT ON TABLE dynamo.stream_commits_%s IS %L', slot, 'transactions in the order of shards');
		EXECUTE pg_catalog.format('CREATE TRIGGER keep_away BEFORE INSERT ON dynamo.stream_records_%s
			FOR EACH ROW EXECUTE FUNCTION dynamo.keep_away()', slot);
		EXECUTE pg_catalog.format('CREATE TRIGGER keep_away BEFORE INSERT ON dynamo.stream_commits_%s
			FOR EACH ROW EXECUTE FUNCTION dynamo.keep_away()', slot);
		EXECUTE pg_catalog.format('ALTER TABLE dynamo.stream_records_%s ENABLE ALWAYS TRIGGER keep_away', slot);
		EXECUTE pg_catalog.format('ALTER TABLE dynamo.stream_commits_%s ENABLE ALWAYS TRIGGER keep_away', slot);
	END LOOP;
END
$$;
CREATE TABLE dynamo.transaction_tokens (
	role			pg_catalog.oid NOT NULL,		-- whose request; a token is an account's, not everybody's
	schema_name		pg_catalog.text COLLATE "C" NOT NULL,	-- setting dynamo.schema
	operation		pg_catalog.text COLLATE "C" NOT NULL,
	token			pg_catalog.text COLLATE "C" NOT NULL,
	digest			pg_catalog.bytea NOT NULL,		-- SHA-256 of the request
	completed_at	pg_catalog.timestamptz NOT NULL,
	read_units		pg_catalog.int4[],				-- what a repetition is charged, by action; NULL: one each
	PRIMARY KEY (token, role, schema_name, operation)
);
COMMENT ON TABLE dynamo.transaction_tokens IS 'ClientRequestTokens of the last ten minutes';
CREATE INDEX transaction_tokens_completed_at ON dynamo.transaction_tokens (completed_at);

CREATE TABLE dynamo.collection_sizes (
	relation		pg_catalog.regclass NOT NULL,
	collection		pg_catalog.int8 NOT NULL,		-- hash of the partition key
	id				pg_catalog.int8 NOT NULL,		-- a random number
	bytes			pg_catalog.int8 NOT NULL,
	PRIMARY KEY (relation, collection, id)
);
COMMENT ON TABLE dynamo.collection_sizes IS 'changes of the sizes of item collections, a sample: their sum estimates the size';

SELECT pg_catalog.pg_extension_config_dump('dynamo.tables', '');
SELECT pg_catalog.pg_extension_config_dump('dynamo.attributes', '');
SELECT pg_catalog.pg_extension_config_dump('dynamo.indexes', '');
SELECT pg_catalog.pg_extension_config_dump('dynamo.builds', '');
SELECT pg_catalog.pg_extension_config_dump('dynamo.tags', '');
SELECT pg_catalog.pg_extension_config_dump('dynamo.ttl', '');

-- everyone may see which tables there are, as with pg_class, but not the
-- errors of others' code and data
GRANT SELECT ON dynamo.tables, dynamo.attributes, dynamo.indexes, dynamo.tags, dynamo.streams, dynamo.stream_shards,
	dynamo.event_source_mappings, dynamo.event_source_checkpoints TO PUBLIC;
GRANT SELECT (relation, index_name, phase, rows_done, rows_total, rows_skipped, started_at, finished_at)
	ON dynamo.builds TO PUBLIC;
GRANT SELECT (relation, attribute, column_name, state, since, last_sweep, expired) ON dynamo.ttl TO PUBLIC;
ALTER TABLE dynamo.event_source_mappings ENABLE ROW LEVEL SECURITY;
CREATE POLICY owner ON dynamo.event_source_mappings USING (pg_catalog.pg_has_role(owner, 'USAGE'));

CREATE VIEW dynamo.index_builds AS
	SELECT t.table_name, b.index_name, i.status AS index_status, b.phase,
		b.rows_done, b.rows_total, b.rows_skipped, b.started_at, b.finished_at,
		CASE WHEN pg_catalog.has_table_privilege(b.relation, 'SELECT') THEN b.last_error END AS last_error, b.relation
	FROM dynamo.builds b
		JOIN dynamo.tables t ON t.relation OPERATOR(pg_catalog.=) b.relation
		JOIN dynamo.indexes i ON i.relation OPERATOR(pg_catalog.=) b.relation
			AND i.index_name OPERATOR(pg_catalog.=) b.index_name;
COMMENT ON VIEW dynamo.index_builds IS 'progress of indexes that UpdateTable adds and drops; finished ones stay with what they skipped; errors for who may read the table';
GRANT SELECT ON dynamo.index_builds TO PUBLIC;

-- ---------------------------------------------------------------------------
-- Access method
-- ---------------------------------------------------------------------------

CREATE FUNCTION dynamo.table_handler(internal) RETURNS table_am_handler
	AS 'MODULE_PATHNAME', 'tableam_handler' LANGUAGE C STRICT;
COMMENT ON FUNCTION dynamo.table_handler(internal) IS 'handler of access method dynamo';
REVOKE EXECUTE ON FUNCTION dynamo.table_handler(internal) FROM PUBLIC;	-- the server alone calls it, without a check

CREATE ACCESS METHOD dynamo TYPE TABLE HANDLER dynamo.table_handler;
COMMENT ON ACCESS METHOD dynamo IS 'heap whose rows are valid DynamoDB items';

CREATE FUNCTION dynamo.fill_key_columns() RETURNS trigger
	AS 'MODULE_PATHNAME', 'tableam_fill_key_columns' LANGUAGE C;
COMMENT ON FUNCTION dynamo.fill_key_columns() IS 'trigger of item tables: sets key columns that an INSERT leaves null from its item';

CREATE FUNCTION dynamo.adopt(relation pg_catalog.regclass, table_name pg_catalog.text DEFAULT NULL)
	RETURNS pg_catalog.void
	AS 'MODULE_PATHNAME', 'tableam_adopt' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.adopt(pg_catalog.regclass, pg_catalog.text) IS 'make an existing relation of access method dynamo a DynamoDB table; its owner may';

CREATE FUNCTION dynamo.recount_item_collections(relation pg_catalog.regclass) RETURNS pg_catalog.void
	AS 'MODULE_PATHNAME', 'dynamo_recount_item_collections' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.recount_item_collections(pg_catalog.regclass) IS
	'count the sizes of a table''s item collections anew, after a restore or TRUNCATE; its owner may, and writers wait';

-- rows restored by COPY must reach the caches of sessions that run already
CREATE FUNCTION dynamo.catalog_rows_changed() RETURNS trigger
	AS 'MODULE_PATHNAME', 'catalog_rows_changed' LANGUAGE C;
COMMENT ON FUNCTION dynamo.catalog_rows_changed() IS 'trigger of the catalog: invalidates cached descriptions';
REVOKE EXECUTE ON FUNCTION dynamo.catalog_rows_changed() FROM PUBLIC;	-- for the catalog's tables only

CREATE TRIGGER rows_changed AFTER INSERT OR UPDATE OR DELETE ON dynamo.tables
	FOR EACH ROW EXECUTE FUNCTION dynamo.catalog_rows_changed();
CREATE TRIGGER rows_changed AFTER INSERT OR UPDATE OR DELETE ON dynamo.attributes
	FOR EACH ROW EXECUTE FUNCTION dynamo.catalog_rows_changed();
CREATE TRIGGER rows_changed AFTER INSERT OR UPDATE OR DELETE ON dynamo.indexes
	FOR EACH ROW EXECUTE FUNCTION dynamo.catalog_rows_changed();
CREATE TRIGGER rows_changed AFTER INSERT OR UPDATE OR DELETE ON dynamo.ttl
	FOR EACH ROW EXECUTE FUNCTION dynamo.catalog_rows_changed();
ALTER TABLE dynamo.tables ENABLE ALWAYS TRIGGER rows_changed;
ALTER TABLE dynamo.attributes ENABLE ALWAYS TRIGGER rows_changed;
ALTER TABLE dynamo.indexes ENABLE ALWAYS TRIGGER rows_changed;
ALTER TABLE dynamo.ttl ENABLE ALWAYS TRIGGER rows_changed;

-- security definer: owners of item tables may drop and alter them without rights on the catalog
CREATE FUNCTION dynamo.on_drop() RETURNS event_trigger
	AS 'MODULE_PATHNAME', 'catalog_on_drop' LANGUAGE C
	SECURITY DEFINER SET search_path = pg_catalog, pg_temp;
COMMENT ON FUNCTION dynamo.on_drop() IS 'event trigger: deletes the catalog''s rows of dropped item tables';
REVOKE EXECUTE ON FUNCTION dynamo.on_drop() FROM PUBLIC;	-- runs with the extension owner's rights

-- with the user's search_path: it looks for the indexes of the command
CREATE FUNCTION dynamo.on_drop_index() RETURNS event_trigger
	AS 'MODULE_PATHNAME', 'catalog_on_drop_index' LANGUAGE C;
COMMENT ON FUNCTION dynamo.on_drop_index() IS 'event trigger: refuses to drop indexes that item tables are known to have';
REVOKE EXECUTE ON FUNCTION dynamo.on_drop_index() FROM PUBLIC;	-- for its event trigger only

CREATE FUNCTION dynamo.on_alter() RETURNS event_trigger
	AS 'MODULE_PATHNAME', 'catalog_on_alter' LANGUAGE C
	SECURITY DEFINER SET search_path = pg_catalog, pg_temp;
COMMENT ON FUNCTION dynamo.on_alter() IS 'event trigger: refuses changes of what item tables are known by';
REVOKE EXECUTE ON FUNCTION dynamo.on_alter() FROM PUBLIC;	-- runs with the extension owner's rights

CREATE FUNCTION dynamo.on_partition() RETURNS event_trigger
	AS 'MODULE_PATHNAME', 'index_on_partition' LANGUAGE C;
COMMENT ON FUNCTION dynamo.on_partition() IS 'event trigger: gives new partitions of item tables what the others have';
REVOKE EXECUTE ON FUNCTION dynamo.on_partition() FROM PUBLIC;	-- for its event trigger only

CREATE EVENT TRIGGER dynamo_on_drop ON sql_drop EXECUTE FUNCTION dynamo.on_drop();
CREATE EVENT TRIGGER dynamo_on_drop_index ON ddl_command_start
	WHEN TAG IN ('DROP INDEX')
	EXECUTE FUNCTION dynamo.on_drop_index();
CREATE EVENT TRIGGER dynamo_on_alter ON ddl_command_end
	WHEN TAG IN (
		'ALTER TABLE', 'CREATE TABLE', 'CREATE FOREIGN TABLE',
		-- which rename tables and their columns as well
		'ALTER FOREIGN TABLE', 'ALTER INDEX', 'ALTER MATERIALIZED VIEW', 'ALTER SEQUENCE', 'ALTER TYPE', 'ALTER VIEW')
	EXECUTE FUNCTION dynamo.on_alter();
CREATE EVENT TRIGGER dynamo_on_partition ON ddl_command_end
	WHEN TAG IN ('ALTER TABLE', 'CREATE TABLE')
	EXECUTE FUNCTION dynamo.on_partition();
ALTER EVENT TRIGGER dynamo_on_drop ENABLE ALWAYS;
ALTER EVENT TRIGGER dynamo_on_drop_index ENABLE ALWAYS;
ALTER EVENT TRIGGER dynamo_on_alter ENABLE ALWAYS;
ALTER EVENT TRIGGER dynamo_on_partition ENABLE ALWAYS;

-- ---------------------------------------------------------------------------
-- Operations: request and response exactly the API's JSON
-- ---------------------------------------------------------------------------

CREATE FUNCTION dynamo.api(operation pg_catalog.text, request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_api' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.api IS
	'any DynamoDB operation by its API name; errors are those of the API, as "Name: message" with SQLSTATE class DY';

CREATE FUNCTION dynamo.batch_get_item(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_batch_get_item' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.batch_get_item(pg_catalog.jsonb) IS
	'BatchGetItem: up to 100 items by their keys (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html)';

CREATE FUNCTION dynamo.batch_write_item(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_batch_write_item' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.batch_write_item(pg_catalog.jsonb) IS
	'BatchWriteItem: up to 25 puts and deletes (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html)';

CREATE FUNCTION dynamo.create_table(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_create_table' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.create_table(pg_catalog.jsonb) IS
	'CreateTable: create a table with its keys and indexes (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html)';

CREATE FUNCTION dynamo.delete_item(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_delete_item' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.delete_item(pg_catalog.jsonb) IS
	'DeleteItem: delete an item by its key (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteItem.html)';

CREATE FUNCTION dynamo.delete_table(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_delete_table' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.delete_table(pg_catalog.jsonb) IS
	'DeleteTable: delete a table and its items (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteTable.html)';

CREATE FUNCTION dynamo.describe_continuous_backups(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_describe_continuous_backups' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.describe_continuous_backups(pg_catalog.jsonb) IS
	'DescribeContinuousBackups: settings of continuous backups (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeContinuousBackups.html)';

CREATE FUNCTION dynamo.describe_endpoints(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_describe_endpoints' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.describe_endpoints(pg_catalog.jsonb) IS
	'DescribeEndpoints: endpoints of this service (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeEndpoints.html)';

CREATE FUNCTION dynamo.describe_limits(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_describe_limits' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.describe_limits(pg_catalog.jsonb) IS
	'DescribeLimits: capacity limits of the account (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeLimits.html)';

CREATE FUNCTION dynamo.describe_stream(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_describe_stream' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.describe_stream(pg_catalog.jsonb) IS
	'DescribeStream: state and shards of a stream (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_DescribeStream.html)';

CREATE FUNCTION dynamo.describe_table(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_describe_table' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.describe_table(pg_catalog.jsonb) IS
	'DescribeTable: keys, indexes, settings and state of a table (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeTable.html)';

CREATE FUNCTION dynamo.describe_time_to_live(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_describe_time_to_live' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.describe_time_to_live(pg_catalog.jsonb) IS
	'DescribeTimeToLive: do items of a table expire, and by which attribute? (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeTimeToLive.html)';

CREATE FUNCTION dynamo.get_item(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_get_item' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.get_item(pg_catalog.jsonb) IS
	'GetItem: an item by its key (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GetItem.html)';

CREATE FUNCTION dynamo.get_records(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_get_records' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.get_records(pg_catalog.jsonb) IS
	'GetRecords: records of a shard, in pages of 1,000 or 1 MB (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_GetRecords.html)';

CREATE FUNCTION dynamo.get_shard_iterator(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_get_shard_iterator' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.get_shard_iterator(pg_catalog.jsonb) IS
	'GetShardIterator: where to begin reading a shard (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_GetShardIterator.html)';

CREATE FUNCTION dynamo.list_streams(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_list_streams' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.list_streams(pg_catalog.jsonb) IS
	'ListStreams: streams of the tables, in pages of 100 (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_ListStreams.html)';

CREATE FUNCTION dynamo.list_tables(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_list_tables' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.list_tables(pg_catalog.jsonb) IS
	'ListTables: names of tables, in pages of 100 (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListTables.html)';

CREATE FUNCTION dynamo.list_tags_of_resource(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_list_tags_of_resource' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.list_tags_of_resource(pg_catalog.jsonb) IS
	'ListTagsOfResource: tags of a table (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListTagsOfResource.html)';

CREATE FUNCTION dynamo.put_item(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_put_item' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.put_item(pg_catalog.jsonb) IS
	'PutItem: create or replace an item (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutItem.html)';

CREATE FUNCTION dynamo.query(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_query' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.query(pg_catalog.jsonb) IS
	'Query: items of one partition key, in sort key order, in pages of 1 MB (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html)';

CREATE FUNCTION dynamo.scan(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_scan' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.scan(pg_catalog.jsonb) IS
	'Scan: all items, in pages of 1 MB (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html)';

CREATE FUNCTION dynamo.tag_resource(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_tag_resource' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.tag_resource(pg_catalog.jsonb) IS
	'TagResource: add tags to a table (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TagResource.html)';

CREATE FUNCTION dynamo.transact_get_items(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_transact_get_items' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.transact_get_items(pg_catalog.jsonb) IS
	'TransactGetItems: up to 100 items as they are at one moment (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactGetItems.html)';

CREATE FUNCTION dynamo.transact_write_items(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_transact_write_items' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.transact_write_items(pg_catalog.jsonb) IS
	'TransactWriteItems: up to 100 writes and checks, all or none (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html)';

CREATE FUNCTION dynamo.untag_resource(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_untag_resource' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.untag_resource(pg_catalog.jsonb) IS
	'UntagResource: remove tags from a table (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UntagResource.html)';

CREATE FUNCTION dynamo.update_continuous_backups(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_update_continuous_backups' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.update_continuous_backups(pg_catalog.jsonb) IS
	'UpdateContinuousBackups: change settings of continuous backups (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateContinuousBackups.html)';

CREATE FUNCTION dynamo.update_item(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_update_item' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.update_item(pg_catalog.jsonb) IS
	'UpdateItem: change attributes of an item, or create it (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateItem.html)';

CREATE FUNCTION dynamo.update_table(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_update_table' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.update_table(pg_catalog.jsonb) IS
	'UpdateTable: change settings of a table (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html)';

CREATE FUNCTION dynamo.update_time_to_live(request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_update_time_to_live' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.update_time_to_live(pg_catalog.jsonb) IS
	'UpdateTimeToLive: let items of a table expire, or no more (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html)';

-- What the statements of writes call beside the row.  They find nothing unless
-- an operation of the same session is running.

CREATE FUNCTION dynamo.evaluate(item pg_catalog.jsonb, evaluation pg_catalog.int8) RETURNS pg_catalog.bool
	AS 'MODULE_PATHNAME', 'dynamo_evaluate' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
	COST 100000;	-- whatever the plan, only a row with the key is evaluated: cheaper conditions come first
COMMENT ON FUNCTION dynamo.evaluate IS 'internal: does the condition of a running write hold for this item?';

CREATE FUNCTION dynamo.evaluated(evaluation pg_catalog.int8) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_evaluated' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.evaluated IS 'internal: the new item of a running write';

-- Part of indexes: the table''s key as tie-break among equal index keys.

CREATE FUNCTION dynamo.key_size(key pg_catalog.text) RETURNS pg_catalog.int4
	AS 'MODULE_PATHNAME', 'dynamo_key_size_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION dynamo.key_size(pg_catalog.text) IS
	'internal: bytes of a key value, for the predicate of indexes with several sort key attributes';

CREATE FUNCTION dynamo.key_size(key pg_catalog.bytea) RETURNS pg_catalog.int4
	AS 'MODULE_PATHNAME', 'dynamo_key_size_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION dynamo.key_size(pg_catalog.bytea) IS
	'internal: bytes of a key value, for the predicate of indexes with several sort key attributes';

CREATE FUNCTION dynamo.key_size(key pg_catalog.numeric) RETURNS pg_catalog.int4
	AS 'MODULE_PATHNAME', 'dynamo_key_size_numeric' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION dynamo.key_size(pg_catalog.numeric) IS
	'internal: bytes of a key value, for the predicate of indexes with several sort key attributes';

CREATE FUNCTION dynamo.key_tie_break(key pg_catalog.text) RETURNS pg_catalog.text
	AS 'MODULE_PATHNAME', 'dynamo_key_tie_break_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION dynamo.key_tie_break(pg_catalog.text) IS
	'a key column value itself up to 128 bytes, else a prefix and its SHA-256: the last columns of secondary indexes';

CREATE FUNCTION dynamo.key_tie_break(key pg_catalog.bytea) RETURNS pg_catalog.bytea
	AS 'MODULE_PATHNAME', 'dynamo_key_tie_break_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION dynamo.key_tie_break(pg_catalog.bytea) IS
	'a key column value itself up to 128 bytes, else a prefix and its SHA-256: the last columns of secondary indexes';

-- ---------------------------------------------------------------------------
-- Functions for people at psql: plain JSON, arguments by name
-- ---------------------------------------------------------------------------

CREATE FUNCTION dynamo.put(
	table_name pg_catalog.text,
	item pg_catalog.jsonb,
	condition pg_catalog.text DEFAULT NULL,
	attribute_values pg_catalog.jsonb DEFAULT NULL,
	attribute_names pg_catalog.jsonb DEFAULT NULL
) RETURNS pg_catalog.void
	AS 'MODULE_PATHNAME', 'dynamo_put' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.put IS
	'create or replace an item, if the condition expression holds; placeholders as in PutItem: {":v": 1}, {"#n": "name"}';

CREATE FUNCTION dynamo.get(
	table_name pg_catalog.text,
	key pg_catalog.jsonb,
	projection pg_catalog.text DEFAULT NULL,
	attribute_names pg_catalog.jsonb DEFAULT NULL
) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_get' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.get IS 'an item by its key, or NULL; a projection expression picks parts of it';

CREATE FUNCTION dynamo.update(
	table_name pg_catalog.text,
	key pg_catalog.jsonb,
	expression pg_catalog.text,
	condition pg_catalog.text DEFAULT NULL,
	attribute_values pg_catalog.jsonb DEFAULT NULL,
	attribute_names pg_catalog.jsonb DEFAULT NULL
) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_update' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.update IS
	'apply an update expression to an item, creating it if it is absent, if the condition holds; returns the new item';

CREATE FUNCTION dynamo.delete(
	table_name pg_catalog.text,
	key pg_catalog.jsonb,
	condition pg_catalog.text DEFAULT NULL,
	attribute_values pg_catalog.jsonb DEFAULT NULL,
	attribute_names pg_catalog.jsonb DEFAULT NULL
) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_delete' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.delete IS 'delete an item by its key, if the condition holds; returns what was deleted, or NULL';

CREATE FUNCTION dynamo.query(
	table_name pg_catalog.text,
	key_condition pg_catalog.text,
	attribute_values pg_catalog.jsonb DEFAULT NULL,
	attribute_names pg_catalog.jsonb DEFAULT NULL,
	index_name pg_catalog.text DEFAULT NULL,
	filter pg_catalog.text DEFAULT NULL,
	projection pg_catalog.text DEFAULT NULL,
	forward pg_catalog.bool DEFAULT true,
	max_items pg_catalog.int8 DEFAULT NULL
) RETURNS SETOF pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_query_items' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.query(pg_catalog.text, pg_catalog.text, pg_catalog.jsonb, pg_catalog.jsonb, pg_catalog.text,
	pg_catalog.text, pg_catalog.text, pg_catalog.bool, pg_catalog.int8) IS
	'items of one partition key in sort key order, without pages; in the select list they come one by one, in FROM all at once';

CREATE FUNCTION dynamo.scan(
	table_name pg_catalog.text,
	filter pg_catalog.text DEFAULT NULL,
	attribute_values pg_catalog.jsonb DEFAULT NULL,
	attribute_names pg_catalog.jsonb DEFAULT NULL,
	index_name pg_catalog.text DEFAULT NULL,
	projection pg_catalog.text DEFAULT NULL,
	max_items pg_catalog.int8 DEFAULT NULL
) RETURNS SETOF pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_scan_items' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.scan(pg_catalog.text, pg_catalog.text, pg_catalog.jsonb, pg_catalog.jsonb, pg_catalog.text,
	pg_catalog.text, pg_catalog.int8) IS
	'all items of a table or index in key order, without pages; in the select list they come one by one, in FROM all at once';

CREATE FUNCTION dynamo.transact(actions pg_catalog.jsonb) RETURNS pg_catalog.void
	AS 'MODULE_PATHNAME', 'dynamo_transact' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.transact IS
	'up to 100 actions, all or none: [{"put": {"table_name": ..., "item": ...}}, {"update": {"table_name": ..., "key": ..., "expression": ...}}, ...], also delete and check, with condition, attribute_values, attribute_names';

CREATE FUNCTION dynamo.explain(operation pg_catalog.text, request pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_explain' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.explain IS
	'how a GetItem, PutItem, UpdateItem, DeleteItem, Query or Scan would be served: index, columns that bound it, what is filtered afterwards';

CREATE FUNCTION dynamo.resume_index_builds() RETURNS pg_catalog.int8
	AS 'MODULE_PATHNAME', 'dynamo_resume_index_builds' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.resume_index_builds() IS
	'take up builds of indexes that a restart of the server has interrupted; how many tables have some';

CREATE PROCEDURE dynamo.build_indexes(relation pg_catalog.regclass)
	AS 'MODULE_PATHNAME', 'dynamo_build_indexes' LANGUAGE C;
COMMENT ON PROCEDURE dynamo.build_indexes(pg_catalog.regclass) IS
	'build and drop in this session what UpdateTable has left to a background worker; the owner of the table may';

CREATE FUNCTION dynamo.enable_ttl(table_name pg_catalog.text, attribute pg_catalog.text) RETURNS pg_catalog.void
	AS 'MODULE_PATHNAME', 'dynamo_enable_ttl' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.enable_ttl IS
	'let items expire when the time in this attribute, a number of seconds since 1970, has come';

CREATE FUNCTION dynamo.disable_ttl(table_name pg_catalog.text) RETURNS pg_catalog.void
	AS 'MODULE_PATHNAME', 'dynamo_disable_ttl' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.disable_ttl IS 'let items of a table expire no more';

CREATE FUNCTION dynamo.sweep(table_name pg_catalog.text, max_items pg_catalog.int8 DEFAULT NULL) RETURNS pg_catalog.int8
	AS 'MODULE_PATHNAME', 'dynamo_sweep' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.sweep IS
	'delete expired items of a table, in this transaction and with the caller''s rights, but for those that others have locked; how many';

CREATE FUNCTION dynamo.ttl_backlog(relation pg_catalog.regclass) RETURNS pg_catalog.int8
	AS 'MODULE_PATHNAME', 'dynamo_ttl_backlog' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.ttl_backlog IS
	'expired items that are still there, counted up to 100000; NULL for who may not read the table';

CREATE VIEW dynamo.ttl_status AS
	SELECT t.table_name, l.attribute, l.state, b.phase AS build, l.since, l.last_sweep, l.expired,
		CASE WHEN l.state OPERATOR(pg_catalog.=) 'ENABLED' THEN dynamo.ttl_backlog(l.relation) END AS backlog,
		CASE WHEN pg_catalog.has_table_privilege(l.relation, 'SELECT') THEN COALESCE(l.last_error, b.last_error) END AS last_error,
		l.relation
	FROM dynamo.ttl l
		JOIN dynamo.tables t ON t.relation OPERATOR(pg_catalog.=) l.relation
			AND l.state OPERATOR(pg_catalog.<>) 'DISABLED'
		LEFT JOIN dynamo.builds b ON b.relation OPERATOR(pg_catalog.=) l.relation
			AND b.index_name OPERATOR(pg_catalog.=) ':ttl';
COMMENT ON VIEW dynamo.ttl_status IS
	'tables whose items expire: how far enabling is (build), the last sweep, items expired so far and expired items still there; errors for who may read the table';
GRANT SELECT ON dynamo.ttl_status TO PUBLIC;

-- ---------------------------------------------------------------------------
-- Streams
-- ---------------------------------------------------------------------------

CREATE FUNCTION dynamo.split_shards(table_name pg_catalog.text, shards pg_catalog.int4) RETURNS pg_catalog.void
	AS 'MODULE_PATHNAME', 'stream_split_shards' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.split_shards IS
	'split shards of a table''s stream until it has so many; the table''s owner may';

CREATE FUNCTION dynamo.trim_streams() RETURNS pg_catalog.int4
	AS 'MODULE_PATHNAME', 'dynamo_trim_streams' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.trim_streams() IS
	'truncate tables of stream records that have all expired; the stream worker does so by itself. Returns how many';
REVOKE EXECUTE ON FUNCTION dynamo.trim_streams() FROM PUBLIC;	-- a matter of the whole database

CREATE FUNCTION dynamo.stream_records(
	table_name pg_catalog.text,
	after pg_catalog.text DEFAULT NULL,
	max_records pg_catalog.int4 DEFAULT 1000,
	OUT "position" pg_catalog.text,
	OUT event_name pg_catalog.text,
	OUT keys pg_catalog.jsonb,
	OUT old_image pg_catalog.jsonb,
	OUT new_image pg_catalog.jsonb,
	OUT created_at pg_catalog.timestamptz,
	OUT service pg_catalog.bool,
	OUT shard_id pg_catalog.text,
	OUT sequence_number pg_catalog.text
) RETURNS SETOF pg_catalog.record
	AS 'MODULE_PATHNAME', 'dynamo_stream_records' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.stream_records IS
	'records of a table''s latest stream, images as stored: all that are there, or those after the "position" of a row';

-- Consumers: a function gets {"Records": [..]}, as Lambda does, and returns
-- jsonb ({"batchItemFailures": [..]} or anything) or void.

CREATE FUNCTION dynamo.create_event_source_mapping(
	table_name pg_catalog.text,
	function pg_catalog.regprocedure,
	batch_size pg_catalog.int4 DEFAULT 100,
	maximum_retry_attempts pg_catalog.int4 DEFAULT -1,
	starting_position pg_catalog.text DEFAULT 'TRIM_HORIZON',
	filter pg_catalog.jsonb DEFAULT NULL,
	batch_window pg_catalog.interval DEFAULT '0',
	maximum_record_age pg_catalog.interval DEFAULT NULL
) RETURNS pg_catalog.uuid
	AS 'MODULE_PATHNAME', 'dynamo_create_event_source_mapping' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.create_event_source_mapping IS
	'call a function, as the current role, with the records of a table''s stream in batches, in the order of each shard';

CREATE FUNCTION dynamo.list_event_source_mappings(table_name pg_catalog.text DEFAULT NULL)
	RETURNS SETOF dynamo.event_source_mappings
	LANGUAGE SQL STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT m.* FROM dynamo.event_source_mappings m
	WHERE $1 IS NULL OR m.table_name OPERATOR(pg_catalog.=) $1
	ORDER BY m.created_at, m.uuid;
END;
COMMENT ON FUNCTION dynamo.list_event_source_mappings IS 'consumers of a table''s streams, or all: those of the current role';

CREATE FUNCTION dynamo.pause_event_source_mapping(mapping pg_catalog.uuid) RETURNS pg_catalog.void
	AS 'MODULE_PATHNAME', 'dynamo_pause_event_source_mapping' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.pause_event_source_mapping IS 'stop calling a consumer; its checkpoint stays';

CREATE FUNCTION dynamo.resume_event_source_mapping(mapping pg_catalog.uuid) RETURNS pg_catalog.void
	AS 'MODULE_PATHNAME', 'dynamo_resume_event_source_mapping' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.resume_event_source_mapping IS 'go on calling a consumer from its checkpoint, without waiting for a retry''s time';

CREATE FUNCTION dynamo.delete_event_source_mapping(mapping pg_catalog.uuid) RETURNS pg_catalog.void
	AS 'MODULE_PATHNAME', 'dynamo_delete_event_source_mapping' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.delete_event_source_mapping IS 'remove a consumer with its checkpoint; failed events stay';

CREATE FUNCTION dynamo.run_event_source_mapping(mapping pg_catalog.uuid) RETURNS pg_catalog.int8
	AS 'MODULE_PATHNAME', 'dynamo_run_event_source_mapping' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.run_event_source_mapping IS
	'call a consumer until there is nothing more to do now, in this transaction; returns the number of records taken. The stream worker does so by itself';

-- ---------------------------------------------------------------------------
-- Access keys: whom the HTTP endpoint knows
-- ---------------------------------------------------------------------------

CREATE TABLE dynamo.credentials (
	access_key_id		pg_catalog.text COLLATE "C" PRIMARY KEY,
	secret_access_key	pg_catalog.text NOT NULL,		-- in clear: signatures are made of it
	role				pg_catalog.regrole NOT NULL,
	schema_name			pg_catalog.name,				-- NULL: dynamo.schema
	created_at			pg_catalog.timestamptz NOT NULL
);
COMMENT ON TABLE dynamo.credentials IS 'access keys with their secrets: for superusers';
SELECT pg_catalog.pg_extension_config_dump('dynamo.credentials', '');

CREATE VIEW dynamo.access_keys WITH (security_barrier) AS
	SELECT access_key_id, role, schema_name, created_at
	FROM dynamo.credentials
	WHERE pg_catalog.pg_has_role(role, 'MEMBER');
COMMENT ON VIEW dynamo.access_keys IS 'access keys of roles that the current role is a member of, without secrets';
GRANT SELECT ON dynamo.access_keys TO PUBLIC;

CREATE FUNCTION dynamo.create_access_key(role pg_catalog.regrole, schema pg_catalog.name DEFAULT NULL,
	id pg_catalog.text DEFAULT NULL, secret pg_catalog.text DEFAULT NULL,
	OUT access_key_id pg_catalog.text, OUT secret_access_key pg_catalog.text)
	AS 'MODULE_PATHNAME', 'dynamo_create_access_key' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.create_access_key(pg_catalog.regrole, pg_catalog.name, pg_catalog.text, pg_catalog.text) IS
	'make an access key for a role, and its tables'' schema; id and secret are made up unless given, and shown this once';

CREATE FUNCTION dynamo.drop_access_key(id pg_catalog.text) RETURNS pg_catalog.void
	AS 'MODULE_PATHNAME', 'dynamo_drop_access_key' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION dynamo.drop_access_key(pg_catalog.text) IS 'drop an access key: requests signed with it are refused from then on';

CREATE FUNCTION dynamo.credentials_changed() RETURNS trigger
	AS 'MODULE_PATHNAME', 'dynamo_credentials_changed' LANGUAGE C;
COMMENT ON FUNCTION dynamo.credentials_changed() IS 'trigger of dynamo.credentials: invalidates what HTTP workers remember';
REVOKE EXECUTE ON FUNCTION dynamo.credentials_changed() FROM PUBLIC;	-- for that table only

CREATE TRIGGER credentials_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON dynamo.credentials
	FOR EACH STATEMENT EXECUTE FUNCTION dynamo.credentials_changed();
ALTER TABLE dynamo.credentials ENABLE ALWAYS TRIGGER credentials_changed;

-- ---------------------------------------------------------------------------
-- Items and expressions by themselves
-- ---------------------------------------------------------------------------

CREATE FUNCTION dynamo.to_item(attributes pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_to_item' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION dynamo.to_item(pg_catalog.jsonb) IS 'item, as stored, from DynamoDB JSON: {"name": {"S": "value"}} to {"name": "value"}';

CREATE FUNCTION dynamo.from_item(item pg_catalog.jsonb) RETURNS pg_catalog.jsonb
	AS 'MODULE_PATHNAME', 'dynamo_from_item' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION dynamo.from_item(pg_catalog.jsonb) IS 'DynamoDB JSON from an item: {"name": "value"} to {"name": {"S": "value"}}';

CREATE FUNCTION dynamo.item_size(item pg_catalog.jsonb) RETURNS pg_catalog.int8
	AS 'MODULE_PATHNAME', 'dynamo_item_size' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION dynamo.item_size(pg_catalog.jsonb) IS 'bytes an item counts for by DynamoDB''s rules (limit 409600)';

CREATE FUNCTION dynamo.key_value(value pg_catalog.text) RETURNS pg_catalog.text
	AS 'MODULE_PATHNAME', 'dynamo_key_value_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION dynamo.key_value(pg_catalog.text) IS 'a partition key as its column holds it: values over 600 bytes as prefix and digest';

CREATE FUNCTION dynamo.key_value(value pg_catalog.bytea) RETURNS pg_catalog.bytea
	AS 'MODULE_PATHNAME', 'dynamo_key_value_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION dynamo.key_value(pg_catalog.bytea) IS 'a partition key as its column holds it: values over 600 bytes as prefix and digest';

CREATE FUNCTION dynamo.matches(item pg_catalog.jsonb, condition pg_catalog.text,
	attribute_values pg_catalog.jsonb DEFAULT NULL, attribute_names pg_catalog.jsonb DEFAULT NULL)
RETURNS pg_catalog.bool
LANGUAGE C IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'dynamo_matches';
COMMENT ON FUNCTION dynamo.matches(pg_catalog.jsonb, pg_catalog.text, pg_catalog.jsonb, pg_catalog.jsonb)
	IS 'does an item meet a condition or filter expression? NULL is the absent item';

CREATE FUNCTION dynamo.apply_update(item pg_catalog.jsonb, expression pg_catalog.text,
	attribute_values pg_catalog.jsonb DEFAULT NULL, attribute_names pg_catalog.jsonb DEFAULT NULL)
RETURNS pg_catalog.jsonb
LANGUAGE C IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'dynamo_apply_update';
COMMENT ON FUNCTION dynamo.apply_update(pg_catalog.jsonb, pg_catalog.text, pg_catalog.jsonb, pg_catalog.jsonb)
	IS 'the item that an update expression makes of an item';

CREATE FUNCTION dynamo.project(item pg_catalog.jsonb, projection pg_catalog.text,
	attribute_names pg_catalog.jsonb DEFAULT NULL)
RETURNS pg_catalog.jsonb
LANGUAGE C IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'dynamo_project';
COMMENT ON FUNCTION dynamo.project(pg_catalog.jsonb, pg_catalog.text, pg_catalog.jsonb)
	IS 'what of an item a projection expression selects';
