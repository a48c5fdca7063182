# TTL is enabled on a table in use: writers go on, old items are filled behind,
# nothing expires by the wrong attribute, and a crash in between is made good.
# An item whose time is moved on while the worker sweeps survives.
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
});
$node->start;
$node->safe_psql('postgres', q{
	CREATE EXTENSION dynamo;
	SELECT dynamo.create_table('{"TableName": "Live", "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "N"}], "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}');
	-- all of them expired by attribute "other", every fifth by "until_when"
	INSERT INTO ddb."Live" (item)
		SELECT jsonb_build_object('id', i, 'data', repeat('x', 200), 'other', now.s - 100,
			'until_when', now.s + CASE WHEN i % 5 = 0 THEN -100 ELSE 100000 END)
		FROM generate_series(1, 20000) i, (SELECT extract(epoch from now())::int8 AS s) now;
	CREATE TABLE saved (id numeric);
});

sub state
{
	return $node->safe_psql('postgres', q{
		SELECT dynamo.describe_time_to_live('{"TableName": "Live"}') #>> '{TimeToLiveDescription,TimeToLiveStatus}'});
}

# Move the times of some expired items on, and note which; and new items.
my $script = $node->basedir . '/writer.sql';
append_to_file($script, q{
\set id random(1, 20000)
\set new random(100000, 10000000)
BEGIN;
WITH moved AS (UPDATE ddb."Live" SET item = item || '{"until_when": 5000000000, "other": 5000000000}'
	WHERE id = :id AND (item->>'until_when')::numeric < 4000000000 RETURNING id)
	INSERT INTO saved SELECT id FROM moved;
SELECT dynamo.put('Live', jsonb_build_object('id', :new::int, 'until_when', 5000000000));
COMMIT;
});
my ($in, $out, $err) = ('', '', '');
my @pgbench = ('pgbench', '-n', '-c', '2', '-T', '60', '-f', $script, $node->connstr('postgres'));
my $writers = IPC::Run::start(\@pgbench, '<', \$in, '>', \$out, '2>', \$err);
ok($node->poll_query_until('postgres', q{SELECT count(*) > 5 FROM saved}), 'writers write');

# a reader that stays: the column has to wait, the writers have not
my $reader = $node->background_psql('postgres');
$reader->query_safe(q{BEGIN; SELECT count(*) FROM ddb."Live"});
$node->safe_psql('postgres', q{SELECT dynamo.update_time_to_live('{"TableName": "Live", "TimeToLiveSpecification": {"AttributeName": "other", "Enabled": true}}')});
is(state(), 'ENABLING', 'the column waits for a reader');
my $before = $node->safe_psql('postgres', q{SELECT count(*) FROM saved});
ok($node->poll_query_until('postgres', qq{SELECT count(*) > $before + 5 FROM saved}), 'the writers do not');

# given up for another attribute before anything has expired by it
$node->safe_psql('postgres', q{SELECT dynamo.disable_ttl('Live')});
is(state(), 'DISABLED', 'given up');
$node->safe_psql('postgres', q{SELECT dynamo.enable_ttl('Live', 'until_when')});
$reader->query_safe('COMMIT');
$reader->quit;
ok( $node->poll_query_until('postgres', q{
		SELECT dynamo.describe_time_to_live('{"TableName": "Live"}') #>> '{TimeToLiveDescription,TimeToLiveStatus}' = 'ENABLED'}),
	'enabled');
$node->stop('immediate');
$writers->finish;
$node->start;

$writers = IPC::Run::start(\@pgbench, '<', \$in, '>', \$out, '2>', \$err);
ok( $node->poll_query_until('postgres', q{SELECT build = 'DONE' AND last_sweep IS NOT NULL AND expired > 0 FROM dynamo.ttl_status}),
	'filled and swept after the crash');
ok( $node->poll_query_until('postgres', q{SELECT backlog = 0 FROM dynamo.ttl_status}), 'all that has expired goes');
$writers->kill_kill;
$writers->finish;

is( $node->safe_psql('postgres', q{SELECT count(*) FROM saved WHERE NOT EXISTS (SELECT FROM ddb."Live" l WHERE l.id = saved.id)}),
	'0', 'no item whose time was moved on has gone');
is( $node->safe_psql('postgres', q{SELECT count(*) FROM generate_series(1, 20000) i
		WHERE i % 5 <> 0 AND NOT EXISTS (SELECT FROM ddb."Live" l WHERE l.id = i)}),
	'0', 'nor one that had not expired');
is( $node->safe_psql('postgres', q{SELECT count(*) FROM ddb."Live" WHERE ":ttl" IS DISTINCT FROM (item->>'until_when')::int8}),
	'0', 'the column is filled');

$node->stop('fast');
done_testing();
