# What locks, timeouts, hostile code and the server's life do to requests.
use strict;
use warnings;

use File::Basename;
use JSON::PP;
use PostgreSQL::Test::BackgroundPsql;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time sleep);

use lib dirname(__FILE__);
use DynamoHttp;

my $node = PostgreSQL::Test::Cluster->new('http_robustness');
my $port = start_endpoint($node, <<'END');
dynamo.lock_timeout = 2s
dynamo.statement_timeout = 2s
restart_after_crash = on
END
my $reply;

$node->safe_psql('postgres', <<'END');
CREATE EXTENSION dynamo;
CREATE ROLE tenant;
GRANT CREATE, USAGE ON SCHEMA ddb TO tenant;
END
$node->append_conf('postgresql.conf', "dynamo.anonymous_role = 'tenant'\n");
$node->restart;
wait_for_endpoint($port);
is(call($port, 'CreateTable',
		{
			TableName => 'Music',
			KeySchema => [ { AttributeName => 'p', KeyType => 'HASH' } ],
			AttributeDefinitions => [ { AttributeName => 'p', AttributeType => 'S' } ],
			BillingMode => 'PAY_PER_REQUEST' })->{status}, 200, 'CreateTable');
is($node->safe_psql('postgres', q{SELECT tableowner FROM pg_tables WHERE tablename = 'Music'}), 'tenant', 'as the tenant');

sub put
{
	my ($p, %more) = @_;
	return call($port, 'PutItem', { TableName => 'Music', Item => { p => { S => $p } }, %more });
}

sub workers
{
	return $node->safe_psql('postgres',
		q{SELECT string_agg(pid::text, ' ' ORDER BY pid) FROM pg_stat_activity WHERE backend_type = 'dynamo http'});
}

ok(wait_until(sub { workers() =~ / / }), 'both workers run');
my $first_workers = workers();
put($_) for qw(a b);

# a lock on one item
my $session = $node->background_psql('postgres');
$session->query_safe(q{BEGIN; SELECT FROM ddb."Music" WHERE p = 'a' FOR UPDATE});
my @stalled = map { my $c = connect_http($port); $c } 1 .. 6;
send_request($_, 'POST', '/',
	{ 'Content-Type' => 'application/x-amz-json-1.0', 'X-Amz-Target' => 'DynamoDB_20120810.PutItem' },
	'{"TableName":"Music","Item":{"p":{"S":"a"},"n":{"N":"1"}}}') for @stalled;
my $start = time;
is(put('b')->{status}, 200, 'another item is written') for 1 .. 20;
is(call($port, 'GetItem', { TableName => 'Music', Key => { p => { S => 'a' } } })->{status}, 200, 'the item itself is read');
cmp_ok(time - $start, '<', 20 * 2, 'without waiting for the lock');
for my $connection (@stalled)
{
	$reply = read_reply($connection);
	is($reply->{json}{__type}, 'com.amazon.coral.availability#ThrottlingException', 'past the lock timeout: a code that SDKs retry');
}
send_request($stalled[0], 'POST', '/',
	{ 'Content-Type' => 'application/x-amz-json-1.0', 'X-Amz-Target' => 'DynamoDB_20120810.PutItem' },
	'{"TableName":"Music","Item":{"p":{"S":"a"},"n":{"N":"1"}}}');
$session->query_safe('COMMIT');
is(read_reply($stalled[0])->{status}, 200, 'a lock released in time');

# the same for a client that goes away while it waits
$session->query_safe(q{BEGIN; SELECT FROM ddb."Music" WHERE p = 'a' FOR UPDATE});
for (1 .. 3)
{
	my $gone = connect_http($port);
	send_request($gone, 'POST', '/',
		{ 'Content-Type' => 'application/x-amz-json-1.0', 'X-Amz-Target' => 'DynamoDB_20120810.PutItem' },
		'{"TableName":"Music","Item":{"p":{"S":"a"}}}');
	close $gone->{socket};
}
$session->query_safe('COMMIT');
is(put('b')->{status}, 200, 'clients that go away hurt nobody');

# user code: constraints and triggers speak DynamoDB
$node->safe_psql('postgres', <<'END');
SET ROLE tenant;
CREATE UNIQUE INDEX mail ON ddb."Music" ((item->>'mail'));
ALTER TABLE ddb."Music" ADD CONSTRAINT positive CHECK ((item->>'n')::numeric > 0);
CREATE FUNCTION ddb.picky() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.p = 'slow' THEN PERFORM pg_catalog.pg_sleep(30); END IF;
	IF NEW.p = 'raise' THEN RAISE EXCEPTION 'not in my table'; END IF;
	IF NEW.p = 'bug' THEN PERFORM nonsense(); END IF;
	IF NEW.p = 'zero' THEN PERFORM 1 / 0; END IF;
	RETURN NEW;
END $$;
CREATE TRIGGER picky BEFORE INSERT ON ddb."Music" FOR EACH ROW EXECUTE FUNCTION ddb.picky();
END
put('m1', Item => { p => { S => 'm1' }, mail => { S => 'x' } });
$reply = put('m2', Item => { p => { S => 'm2' }, mail => { S => 'x' } });
like($reply->{json}{__type}, qr/#ConditionalCheckFailedException$/, 'unique index');
$reply = put('m3', Item => { p => { S => 'm3' }, n => { N => '-1' } });
like($reply->{json}{__type}, qr/#ValidationException$/, 'check constraint');
like($reply->{json}{message}, qr/"positive"/, 'is named');
$reply = put('raise');
like($reply->{json}{__type}, qr/#ValidationException$/, 'exception of a trigger');
like($reply->{json}{message}, qr/not in my table/, 'with its message');
like(put('bug')->{json}{__type}, qr/#ValidationException$/, 'broken trigger');
like(put('zero')->{json}{__type}, qr/#ValidationException$/, 'division by zero in a trigger');
$start = time;
like(put('slow')->{json}{__type}, qr/#ThrottlingException$/, 'statement timeout');
cmp_ok(time - $start, '<', 20, 'in time');

# hostile code, before the statement and deferred to the commit
$node->safe_psql('postgres', <<'END');
CREATE TABLE secret (x int);
CREATE TABLE tried (what text, who text, outcome text);
GRANT INSERT ON tried TO tenant;
GRANT USAGE, CREATE ON SCHEMA public TO tenant;
SET ROLE tenant;
CREATE FUNCTION ddb.try(what text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE what;
	INSERT INTO public.tried VALUES (what, current_user, 'done');
EXCEPTION WHEN OTHERS THEN
	INSERT INTO public.tried VALUES (what, current_user, SQLERRM);
END $$;
CREATE FUNCTION ddb.hostile() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.p <> 'hostile' THEN RETURN NULL; END IF;
	PERFORM ddb.try('RESET ROLE');
	PERFORM ddb.try('SET ROLE NONE');
	PERFORM ddb.try('SET SESSION AUTHORIZATION DEFAULT');
	PERFORM ddb.try('SELECT * FROM public.secret');
	PERFORM ddb.try($q$SELECT set_config('role', 'none', false)$q$);
	PERFORM ddb.try($q$SELECT set_config('search_path', 'public', false)$q$);
	PERFORM ddb.try($q$SELECT set_config('dynamo.schema', 'public', false)$q$);
	PERFORM ddb.try($q$SELECT set_config('lock_timeout', '0', false)$q$);
	PERFORM ddb.try($q$SELECT set_config('statement_timeout', '1', false)$q$);
	PERFORM ddb.try($q$SELECT set_config('synchronous_commit', 'on', false)$q$);
	PERFORM ddb.try($q$SELECT pg_catalog.pg_advisory_lock(4711)$q$);
	PERFORM ddb.try($q$PREPARE leak AS SELECT 1$q$);
	PERFORM ddb.try($q$LISTEN leak$q$);
	PERFORM ddb.try($q$CREATE TEMPORARY TABLE pg_temp.leak (x int)$q$);
	RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER hostile_deferred AFTER INSERT OR UPDATE ON ddb."Music" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION ddb.hostile();
CREATE TRIGGER hostile AFTER INSERT OR UPDATE ON ddb."Music" FOR EACH ROW EXECUTE FUNCTION ddb.hostile();
END
is(put('hostile')->{status}, 200, 'hostile triggers') for 1 .. 4;
is($node->safe_psql('postgres', q{SELECT DISTINCT who FROM tried}), 'tenant', 'run as the tenant throughout');
is($node->safe_psql('postgres',
		q{SELECT count(*) FROM tried WHERE outcome = 'done' AND what ~ 'ROLE|AUTHORIZATION|secret|''role''|LISTEN'}),
	'0', 'gain nothing');
is($node->safe_psql('postgres', q{SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711}),
	'0', 'keep no lock');
$node->safe_psql('postgres', <<'END');
DROP TRIGGER hostile ON ddb."Music";
DROP TRIGGER hostile_deferred ON ddb."Music";
TRUNCATE tried;
SET ROLE tenant;
CREATE OR REPLACE FUNCTION ddb.picky() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO public.tried SELECT 'state', current_user,
		concat_ws(' ', current_setting('search_path'), current_setting('dynamo.schema'), current_setting('lock_timeout'),
			current_setting('statement_timeout'), current_setting('synchronous_commit'),
			(SELECT count(*) FROM pg_catalog.pg_prepared_statements), to_regclass('pg_temp.leak'));
	RETURN NEW;
END $$;
END
is(put("after $_")->{status}, 200, 'the next request') for 1 .. 4;
is($node->safe_psql('postgres', q{SELECT DISTINCT outcome FROM tried}),
	'pg_catalog, pg_temp ddb 5ms 0 off 0', 'finds nothing of it');

# cancelling is no disaster
$node->safe_psql('postgres',
	q{SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE backend_type = 'dynamo http'}) for 1 .. 3;
is(put('b')->{status}, 200, 'idle workers survive a cancel');

# many connections, slow ones and half-open ones
my @idle = map { connect_http($port) } 1 .. 200;
print { $_->{socket} } "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{" for @idle[ 0 .. 99 ];
is(put('b')->{status}, 200, 'with slow clients about') for 1 .. 4;
@idle = ();

# large bodies of clients that nobody knows yet: 16 at a time have room in a
# worker, the others are sent away, and small ones are served meanwhile
my $large = ' ' x (8 * 1024 * 1024 + 1);
my @large = map { connect_http($port) } 1 .. 33;
for my $connection (@large)
{
	print { $connection->{socket} } request_text('POST', '/',
		{ 'X-Amz-Target' => 'DynamoDB_20120810.ListTables', 'Content-Type' => 'application/json',
			'Content-Length' => length($large) + 2 }, $large);
}
is(put('b')->{status}, 200, 'small requests are served beside large ones');
print { $_->{socket} } '{}' for @large;
my %large_replies;
$large_replies{ read_reply($_)->{status} }++ for @large;
cmp_ok($large_replies{503} || 0, '>', 0, 'large bodies are bounded together');
cmp_ok($large_replies{200} || 0, '>=', 16, 'as many as there is room for are taken');
is(put('b' x 100000)->{status}, 400, 'the room is free again');
@large = ();
is(workers(), $first_workers, 'the workers are those of the start');

# statistics reach the server
ok(wait_until(sub {
		put('b');
		$node->safe_psql('postgres', q{SELECT n_tup_ins > 3 FROM pg_stat_user_tables WHERE relname = 'Music'}) eq 't'
	}), 'autovacuum learns of writes');

# the extension goes and comes while clients go on
$node->safe_psql('postgres', 'DROP EXTENSION dynamo CASCADE');
is(put('x')->{status}, 503, 'without the extension');
$node->safe_psql('postgres', 'CREATE EXTENSION dynamo; GRANT USAGE ON SCHEMA ddb TO tenant');
like(put('x')->{json}{__type}, qr/ResourceNotFound/, 'with it again');

# one worker ends, the other serves, a new one comes
my ($victim) = split / /, workers();
$node->safe_psql('postgres', "SELECT pg_terminate_backend($victim, 10000)");
is(call($port, 'ListTables', '{}')->{status}, 200, 'the other one serves') for 1 .. 3;
ok(wait_until(sub { workers() =~ / / && workers() !~ /\b$victim\b/ }), 'a new one comes');

# a crash of one is a restart of all, and the endpoint comes back
($victim) = split / /, workers();
kill 'KILL', $victim;
ok(wait_until(sub { workers() =~ / / && workers() !~ /\b$victim\b/ }), 'after a crash too');
ok(wait_until(sub { call($port, 'ListTables', '{}')->{status} == 200 }), 'and serves');

# shutdown with open connections
my $open = connect_http($port);
$start = time;
$node->stop('fast');
cmp_ok(time - $start, '<', 5, 'fast shutdown is fast');
unlike(slurp_file($node->logfile), qr/PANIC|TRAP/, 'no panic');
done_testing();
