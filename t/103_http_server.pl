# The endpoint and the server around it: ports, databases, https, standbys,
# the end of the server.
use strict;
use warnings;

use File::Basename;
use IO::Socket::INET;
use PostgreSQL::Test::BackgroundPsql;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time sleep);

use lib dirname(__FILE__);
use DynamoHttp;

my $node = PostgreSQL::Test::Cluster->new('http_server');
my $port = configure_endpoint($node, "dynamo.database = 'shop'\n");
my $table = {
	TableName => 'Music',
	KeySchema => [ { AttributeName => 'p', KeyType => 'HASH' } ],
	AttributeDefinitions => [ { AttributeName => 'p', AttributeType => 'S' } ],
	BillingMode => 'PAY_PER_REQUEST' };
my $put = { TableName => 'Music', Item => { p => { S => 'a' } } };

sub serves
{
	my ($status) = @_;
	return wait_until(sub { call($port, 'ListTables', '{}')->{status} == $status });
}

sub occurrences
{
	my ($pattern) = @_;
	return scalar(() = slurp_file($node->logfile) =~ /$pattern/g);
}


$node->start;

# a database that comes, goes and comes
$node->safe_psql('postgres', 'CREATE DATABASE shop TEMPLATE template0');
ok(serves(503), 'a database made after the start is found');
$node->safe_psql('shop', 'CREATE EXTENSION dynamo');
is(call($port, 'CreateTable', $table)->{status}, 200, 'and served');
my $keep_alive = connect_http($port);
my $start = time;
$node->safe_psql('postgres', 'DROP DATABASE shop');
cmp_ok(time - $start, '<', 10, 'DROP DATABASE is not blocked');
$node->safe_psql('postgres', 'CREATE DATABASE other TEMPLATE template0');
$node->safe_psql('postgres', 'DROP DATABASE other');
$node->safe_psql('postgres', 'CREATE DATABASE shop TEMPLATE template0');
ok(serves(503), 'the new one is found as well');
$node->safe_psql('postgres', 'CREATE DATABASE copy TEMPLATE shop');
$node->safe_psql('postgres', 'DROP DATABASE shop WITH (FORCE)');
$node->safe_psql('postgres', 'ALTER DATABASE copy RENAME TO shop');
$node->safe_psql('shop', 'CREATE EXTENSION dynamo');
ok(serves(200), 'after a copy and a forced drop too');
call($port, 'CreateTable', $table);

# two clusters, one port
my $second = PostgreSQL::Test::Cluster->new('http_second');
$second->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
$second->append_conf('postgresql.conf',
	"shared_preload_libraries = 'dynamo'\ndynamo.port = $port\ndynamo.listen_addresses = '127.0.0.1'\n");
$second->start;
ok(wait_until(sub { slurp_file($second->logfile) =~ /could not listen on 127.0.0.1:$port/ }), 'the second cluster says that the port is in use');
is($second->safe_psql('postgres', q{SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'dynamo http'}),
	'0', 'and does not share it');
$second->append_conf('postgresql.conf', "log_min_messages = warning\n");
is(call($port, 'ListTables', '{}')->{status}, 200, 'all requests go to the first') for 1 .. 10;
sleep 3;
is(scalar(() = slurp_file($second->logfile) =~ /could not listen/g), 1, 'it says so once');
$node->stop('fast');
ok(wait_until(sub { $second->safe_psql('postgres', q{SELECT count(*) > 0 FROM pg_stat_activity WHERE backend_type = 'dynamo http'}) eq 't' }),
	'it serves when the port is free');
$second->stop('fast');

# someone else has the port
my $squatter = IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1', LocalPort => $port, ReuseAddr => 1);
$node->start;
ok(wait_until(sub { occurrences("could not listen on 127.0.0.1:$port") == 1 }), 'a port in use is reported');
$node->safe_psql('shop', 'SELECT 1');
close $squatter;
ok(serves(200), 'and taken when it is free');

# https, and back
my $certificate = $node->data_dir . '/http.crt';
my $key = $node->data_dir . '/http.key';
sub make_certificate
{
	my ($name) = @_;
	system_or_bail('openssl', 'req', '-new', '-x509', '-days', '2', '-nodes', '-newkey', 'ec',
		'-pkeyopt', 'ec_paramgen_curve:prime256v1', '-subj', "/CN=$name", '-keyout', $key, '-out', $certificate);
	chmod 0600, $key;
}
sub https_name
{
	my $seen = `curl -ksv https://127.0.0.1:$port/ 2>&1`;
	return $seen =~ /healthy/ && $seen =~ /subject: CN=(\w+)/ ? $1 : '';
}
make_certificate('first');
$node->append_conf('postgresql.conf', "dynamo.ssl_cert_file = 'http.crt'\ndynamo.ssl_key_file = 'http.key'\n");
$node->reload;
ok(wait_until(sub { https_name() eq 'first' }), 'https after a reload');
make_certificate('second');
$node->reload;
ok(wait_until(sub { https_name() eq 'second' }), 'a new certificate after another');
append_to_file($key, 'garbage');
open my $broken, '>', $certificate or die;
print $broken "no certificate\n";
close $broken;
$node->reload;
ok(wait_until(sub { occurrences('could not load certificate') > 0 }), 'a broken certificate is reported');
is(https_name(), 'second', 'the one before stays in use');
$node->append_conf('postgresql.conf', "dynamo.ssl_cert_file = ''\ndynamo.ssl_key_file = ''\n");
$node->reload;
ok(serves(200), 'http again');

# a synchronous standby that is missing: neither writes nor reads that could
# show them are answered, and cancelling the wait reports no success
$node->append_conf('postgresql.conf', "synchronous_standby_names = 'missing'\n");
$node->reload;
ok(wait_until(sub { $node->safe_psql('postgres', 'SHOW synchronous_standby_names') eq 'missing' }), 'a synchronous standby is wanted');
my $write = connect_http($port);
ok(wait_until(sub {
		send_request($write, 'POST', '/',
			{ 'Content-Type' => 'application/x-amz-json-1.0', 'X-Amz-Target' => 'DynamoDB_20120810.PutItem' },
			'{"TableName":"Music","Item":{"p":{"S":"sync"}}}');
		!eval { read_reply($write, 2) }
	}), 'a write is not answered');
is($node->safe_psql('postgres',
		q{SELECT DISTINCT wait_event FROM pg_stat_activity WHERE backend_type = 'dynamo http' AND wait_event = 'SyncRep'}),
	'SyncRep', 'but waits for the standby');
$node->safe_psql('postgres', q{SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'});
is(read_reply($write)->{status}, 500, 'a cancelled wait is no success');
send_request($write, 'POST', '/',
	{ 'Content-Type' => 'application/x-amz-json-1.0', 'X-Amz-Target' => 'DynamoDB_20120810.PutItem' },
	'{"TableName":"Music","Item":{"p":{"S":"sync"}}}');
ok(!eval { read_reply($write, 1) }, 'the next write waits again');
$node->append_conf('postgresql.conf', "synchronous_standby_names = ''\n");
$node->reload;
is(read_reply($write)->{status}, 200, 'and is answered when no standby is wanted any more');

# the database's own level is respected
$node->append_conf('postgresql.conf', "synchronous_standby_names = 'missing'\nsynchronous_commit = local\n");
$node->reload;
ok(wait_until(sub { $node->safe_psql('postgres', 'SHOW synchronous_commit') eq 'local' }), 'synchronous_commit = local');
ok(wait_until(sub { call($port, 'PutItem', $put, seconds => 2)->{status} == 200 }), 'does not wait for standbys');

# what was answered survives a crash
call($port, 'PutItem', { TableName => 'Music', Item => { p => { S => "crash $_" } } }) for 1 .. 20;
$node->stop('immediate');
$node->start;
is($node->safe_psql('shop', q{SELECT count(*) FROM ddb."Music" WHERE p LIKE 'crash%'}), '20', 'what was answered survives a crash');

# the end of the server
ok(serves(200), 'serving');
my $open = connect_http($port);
my @pids = split /\n/, $node->safe_psql('postgres', q{SELECT pid FROM pg_stat_activity WHERE backend_type LIKE 'dynamo%'});
cmp_ok(scalar @pids, '>=', 2, 'workers and launcher run');
my $postmaster = (split /\n/, slurp_file($node->data_dir . '/postmaster.pid'))[0];
kill 'KILL', $postmaster;
ok(wait_until(sub { !grep { kill 0, $_ } @pids }), 'workers do not outlive the server');
$node->{_pid} = undef;
done_testing();
