# The worker deletes expired items by itself, whatever happens to it and to one
# of the tables.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', q{
shared_preload_libraries = 'dynamo'
dynamo.port = 0
dynamo.ttl_interval = 1
restart_after_crash = on
});
$node->start;
$node->safe_psql('postgres', q{
	CREATE EXTENSION dynamo;
	CREATE FUNCTION make(name text) RETURNS void LANGUAGE sql AS $$
		SELECT dynamo.create_table(jsonb_build_object('TableName', name, 'BillingMode', 'PAY_PER_REQUEST',
			'AttributeDefinitions', '[{"AttributeName": "id", "AttributeType": "N"}]'::jsonb,
			'KeySchema', '[{"AttributeName": "id", "KeyType": "HASH"}]'::jsonb));
	$$;
	-- items 1 to past are expired, 100 more are not
	CREATE FUNCTION fill(name text, past int) RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		EXECUTE format('INSERT INTO ddb.%I (item) SELECT jsonb_build_object(''id'', i, ''until'',
			extract(epoch from now())::int8 + CASE WHEN i <= $1 THEN -100 ELSE 100000 END)
			FROM generate_series(1, $1 + 100) i', name) USING past;
	END $$;
});

sub worker_pid
{
	return $node->safe_psql('postgres',
		q{SELECT coalesce(max(pid), 0) FROM pg_stat_activity WHERE backend_type = 'dynamo ttl'});
}

# only the 100 items that are not expired are left, and they are counted
sub swept
{
	my ($table, $name) = @_;
	ok( $node->poll_query_until('postgres', qq{
			SELECT count(*) = 100 AND min((item->>'until')::int8) > extract(epoch from now()) FROM ddb."$table"}), $name);
}

$node->safe_psql('postgres', q{SELECT make('First'); SELECT dynamo.enable_ttl('First', 'until'); SELECT fill('First', 2500)});
swept('First', 'expired items go');
is( $node->safe_psql('postgres', q{
		SELECT state, build, expired, backlog, last_sweep IS NOT NULL, last_error FROM dynamo.ttl_status}),
	'ENABLED|DONE|2500|0|t|', 'status');

# one table's trigger refuses some items: the others of it go, and those of the next table
my $log = -s $node->logfile;
$node->safe_psql('postgres', q{
	SELECT make('Bad');
	SELECT dynamo.enable_ttl('Bad', 'until');
	CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN RAISE 'item % stays', OLD.id; END $$;
	CREATE TRIGGER refuse BEFORE DELETE ON ddb."Bad" FOR EACH ROW WHEN (OLD.id = 7) EXECUTE FUNCTION refuse();
	SELECT fill('Bad', 1500);
	INSERT INTO ddb."First" (item) SELECT jsonb_build_object('id', i, 'until', extract(epoch from now())::int8 - 5)
		FROM generate_series(10001, 10010) i;
});
ok( $node->poll_query_until('postgres', q{SELECT count(*) = 101 FROM ddb."Bad"}), 'all but the item that a trigger refuses');
swept('First', 'another table is swept');
ok( $node->poll_query_until('postgres', q{SELECT last_error = 'item 7 stays' FROM dynamo.ttl_status WHERE table_name = 'Bad'}), 'the error is shown');
like(slurp_file($node->logfile, $log), qr/ERROR:  item 7 stays/, 'and logged');

# the owner's trigger runs with the owner's rights, not with the worker's
$node->safe_psql('postgres', q{
	CREATE ROLE owner;
	GRANT CREATE, USAGE ON SCHEMA ddb TO owner;
	GRANT CREATE ON SCHEMA public TO owner;
	SET ROLE owner;
	SELECT make('Owned');
	SELECT dynamo.enable_ttl('Owned', 'until');
	CREATE TABLE public.seen (who name, session name);
	CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN INSERT INTO public.seen VALUES (current_user, session_user); RETURN OLD; END $$;
	CREATE CONSTRAINT TRIGGER see AFTER DELETE ON ddb."Owned" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION see();
	SELECT fill('Owned', 3);
});
swept('Owned', 'a table of another role is swept');
is($node->safe_psql('postgres', q{SELECT DISTINCT who FROM seen}), 'owner', 'with the rights of its owner');

# killed, it comes back; so it does after a crash of the server
my $pid = worker_pid();
$node->safe_psql('postgres', qq{SELECT pg_terminate_backend($pid)});
$node->safe_psql('postgres', q{
	INSERT INTO ddb."First" (item) SELECT jsonb_build_object('id', i, 'until', extract(epoch from now())::int8 - 5)
		FROM generate_series(10001, 10010) i});
swept('First', 'the worker comes back');
$node->safe_psql('postgres', q{
	INSERT INTO ddb."First" (item) SELECT jsonb_build_object('id', i, 'until', extract(epoch from now())::int8 - 5)
		FROM generate_series(10001, 30000) i});
$node->stop('immediate');
$node->start;
swept('First', 'after a crash it goes on');

# DDL while it works
$node->safe_psql('postgres', q{
	SELECT make('Dropped');
	SELECT dynamo.enable_ttl('Dropped', 'until');
	SELECT fill('Dropped', 20000)});
$node->safe_psql('postgres', q{DROP TABLE ddb."Dropped"});
is($node->safe_psql('postgres', q{SELECT count(*) FROM dynamo.ttl WHERE relation::text LIKE '%Dropped%'}), '0', 'a table is dropped');
$node->safe_psql('postgres', q{
	INSERT INTO ddb."First" (item) SELECT jsonb_build_object('id', i, 'until', extract(epoch from now())::int8 - 5)
		FROM generate_series(10001, 30000) i});
$node->safe_psql('postgres', q{SET lock_timeout = '20s'; DROP EXTENSION dynamo CASCADE});
$node->safe_psql('postgres', q{
	CREATE EXTENSION dynamo;
	SELECT make('Anew');
	SELECT dynamo.enable_ttl('Anew', 'until');
	SELECT fill('Anew', 10)});
swept('Anew', 'the extension is dropped and created while the worker runs');
unlike(slurp_file($node->logfile, $log), qr/PANIC|TRAP|XX000|deadlock/, 'nothing bad in the log');

# DROP DATABASE of the worker's own
$node->safe_psql('postgres', q{CREATE DATABASE other});
$node->append_conf('postgresql.conf', q{dynamo.database = 'other'});
$node->restart;
$node->safe_psql('other', q{CREATE EXTENSION dynamo});
ok( $node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = 'dynamo ttl' AND datname = 'other'}),
	'the worker is in another database');
$node->safe_psql('postgres', q{DROP DATABASE other});
pass('which can be dropped');

$node->stop('fast');
done_testing();
