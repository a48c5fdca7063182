# The build of an index goes on after a crash or a fast shutdown in its midst:
# by the launcher where the library is preloaded, else by the next DescribeTable.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "fsync = off\nautovacuum = off\n");
$node->start;
$node->safe_psql('postgres', q{
	CREATE EXTENSION dynamo;
	SELECT dynamo.create_table('{"TableName": "crashed", "BillingMode": "PAY_PER_REQUEST",
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}');
	INSERT INTO ddb.crashed(item)
		SELECT jsonb_build_object('pk', i::text, 'g', 'g' || i % 100, 'pad', repeat('x', 300)) FROM generate_series(1, 40000) i;
});

my $add = q{
	SELECT dynamo.update_table('{"TableName": "crashed",
		"AttributeDefinitions": [{"AttributeName": "g", "AttributeType": "S"}],
		"GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "by_g", "Projection": {"ProjectionType": "ALL"},
			"KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}]}}]}')
};
my $drop = q{
	SELECT dynamo.update_table('{"TableName": "crashed", "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "by_g"}}]}')
};

sub is_whole
{
	my ($name) = @_;

	$node->poll_query_until('postgres', q{SELECT index_status = 'ACTIVE' AND phase = 'DONE' FROM dynamo.index_builds})
	  or die "the index is not built";
	is( $node->safe_psql('postgres', q{SET enable_seqscan = off; SET enable_bitmapscan = off;
		SELECT count(*) FROM ddb.crashed WHERE g IS NOT NULL;
		SELECT dynamo.query('{"TableName": "crashed", "IndexName": "by_g", "KeyConditionExpression": "g = :g", "Select": "COUNT",
			"ExpressionAttributeValues": {":g": {"S": "g7"}}}'::jsonb)->'Count'}),
		"40000\n400", "$name: every item is in the index");
	is($node->safe_psql('postgres', q{SELECT count(*) FROM pg_index WHERE NOT indisvalid}), '0', "$name: no index is left half built");
}

sub interrupted_in_backfill
{
	my ($mode) = @_;

	$node->safe_psql('postgres', $add);
	$node->poll_query_until('postgres', q{SELECT phase = 'BACKFILL' AND rows_done > 0 OR phase IN ('INDEX', 'DONE') FROM dynamo.index_builds});
	my $phase = $node->safe_psql('postgres', 'SELECT phase FROM dynamo.index_builds');
	$node->stop($mode);
	return $phase;
}

is(interrupted_in_backfill('immediate'), 'BACKFILL', 'crash in the midst of the backfill');
$node->start;
is( $node->safe_psql('postgres', q{SELECT index_status FROM dynamo.index_builds}), 'CREATING', 'the index is not there yet');
is($node->safe_psql('postgres', q{SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'dynamo index build'}), '0', 'nobody builds it');
$node->safe_psql('postgres', q{SELECT dynamo.describe_table('{"TableName": "crashed"}')});
is_whole('taken up by DescribeTable');

# in the midst of CREATE INDEX CONCURRENTLY, which waits for an older snapshot
$node->safe_psql('postgres', $drop);
$node->poll_query_until('postgres', q{SELECT count(*) = 0 FROM dynamo.builds});
my ($in, $out, $err) = ("BEGIN ISOLATION LEVEL REPEATABLE READ;\nSELECT 'open' FROM pg_class LIMIT 1;\n", '', '');
my $open = IPC::Run::start([ 'psql', '-X', '-q', '-A', '-t', '-d', $node->connstr('postgres') ],
	'<', \$in, '>', \$out, '2>', \$err);
$open->pump until $out =~ /open/ || !$open->pumpable;
$node->safe_psql('postgres', $add);
$node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_index WHERE NOT indisvalid});
$node->stop('fast');
$open->finish;
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'dynamo'\ndynamo.port = 0\n");
$node->start;
is_whole('taken up by the launcher');

# no process is free: the owner does it in the session
$node->safe_psql('postgres', $drop);
$node->poll_query_until('postgres', q{SELECT count(*) = 0 FROM dynamo.builds});
$node->append_conf('postgresql.conf', "shared_preload_libraries = ''\nmax_worker_processes = 0\n");
$node->restart;
my ($status, $stdout, $stderr) = $node->psql('postgres', $add);
is($status, 0, 'UpdateTable succeeds without a free process');
like($stderr, qr/WARNING:.*no background worker.*HINT:.*dynamo\.build_indexes/s, 'and says what to do');
is( $node->safe_psql('postgres', q{SELECT dynamo.resume_index_builds()}), '1', 'the build waits');
$node->safe_psql('postgres', q{CALL dynamo.build_indexes('ddb.crashed')});
is_whole('built in the session');
$node->safe_psql('postgres', $drop);
$node->safe_psql('postgres', q{CALL dynamo.build_indexes('ddb.crashed')});
is($node->safe_psql('postgres', q{SELECT count(*) FROM dynamo.builds}), '0', 'dropped in the session');

$node->stop;
done_testing();
