# Time to live survives a dump and restore, and a standby does not sweep.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(allows_streaming => 1);
$node->append_conf('postgresql.conf', q{
shared_preload_libraries = 'dynamo'
dynamo.port = 0
dynamo.ttl_interval = 1
dynamo.database = 'source'
});
$node->start;
$node->safe_psql('postgres', 'CREATE DATABASE source');
$node->safe_psql('source', q{
	CREATE EXTENSION dynamo;
	SELECT dynamo.create_table('{"TableName": "Kept", "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}], "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}');
});
$node->safe_psql('source', q{SELECT dynamo.enable_ttl('Kept', 'until_when')});
$node->safe_psql('source', q{
	INSERT INTO ddb."Kept" (item) SELECT jsonb_build_object('id', i::text, 'until_when', extract(epoch from now())::int8 - 10) FROM generate_series(1, 5) i});
ok($node->poll_query_until('source', q{SELECT expired = 5 AND last_sweep > since FROM dynamo.ttl_status}), 'swept');
$node->safe_psql('source', q{
	INSERT INTO ddb."Kept" (item) SELECT jsonb_build_object('id', i::text, 'until_when', 4000000000 + i) FROM generate_series(1, 3) i});

my $dump = $node->basedir . '/dump';
for my $format ('plain', 'custom')
{
	my $name = "restored_$format";

	$node->command_ok([ 'pg_dump', '-F', $format, '-f', "$dump.$format", $node->connstr('source') ], "$format dump");
	$node->safe_psql('postgres', "CREATE DATABASE $name");
	$node->command_ok(
		$format eq 'plain'
		? [ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', "$dump.$format", $node->connstr($name) ]
		: [ 'pg_restore', '-e', '-d', $node->connstr($name), "$dump.$format" ],
		"$format restore");
	is( $node->safe_psql($name, q{
			SELECT dynamo.describe_time_to_live('{"TableName": "Kept"}') #>> '{TimeToLiveDescription,TimeToLiveStatus}',
				attribute, build, expired FROM dynamo.ttl_status}),
		'ENABLED|until_when|DONE|5', 'what was known is known');
	$node->safe_psql($name, q{
		UPDATE ddb."Kept" SET item = item || jsonb_build_object('until_when', extract(epoch from now())::int8 - 10) WHERE id = '2'});
	is($node->safe_psql($name, q{SELECT dynamo.sweep('Kept'), dynamo.sweep('Kept')}), '1|0', 'and works');
	is($node->safe_psql($name, q{SELECT string_agg(id, ',' ORDER BY id) FROM ddb."Kept" WHERE ":ttl" = (item->>'until_when')::int8}), '1,3',
		'items are whole');
}

# the standby has the worker only when it is promoted
$node->backup('base');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'base', has_streaming => 1);
$standby->start;
is($standby->safe_psql('source', q{SELECT count(*) FROM pg_stat_activity WHERE backend_type LIKE 'dynamo%'}), '0', 'no worker in a standby');
my ($status, $out, $err) = $standby->psql('source', q{SELECT dynamo.sweep('Kept')});
like($err, qr/cannot execute dynamo.sweep\(\) in a read-only transaction/, 'nor by hand');
is($standby->safe_psql('source', q{SELECT state, backlog FROM dynamo.ttl_status}), 'ENABLED|0', 'the status can be read');
$node->stop('fast');
$standby->promote;
$standby->safe_psql('source', q{
	UPDATE ddb."Kept" SET item = item || jsonb_build_object('until_when', extract(epoch from now())::int8 - 10) WHERE id = '3'});
ok($standby->poll_query_until('source', q{SELECT count(*) = 2 FROM ddb."Kept"}), 'promoted, it sweeps');

# an administrator who wants nothing to be written is heard
$standby->append_conf('postgresql.conf', q{default_transaction_read_only = on});
$standby->restart;
$standby->safe_psql('source', q{
	SET default_transaction_read_only = off;
	UPDATE ddb."Kept" SET item = item || jsonb_build_object('until_when', extract(epoch from now())::int8 - 10) WHERE id = '1'});
$standby->append_conf('postgresql.conf', q{default_transaction_read_only = off});
my $running = q{SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = 'dynamo ttl' AND state = 'idle' AND state_change > backend_start + interval '2 s'};
ok($standby->poll_query_until('source', $running), 'the worker has had rounds');
is($standby->safe_psql('source', q{SELECT count(*) FROM ddb."Kept"}), '2', 'without a sweep');
$standby->reload;
ok($standby->poll_query_until('source', q{SELECT count(*) = 1 FROM ddb."Kept"}), 'until it may');

$standby->stop('fast');
done_testing();
