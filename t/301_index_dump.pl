# pg_dump and pg_restore keep secondary indexes, their state and their builds;
# a build that was under way goes on in the restored database.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "fsync = off\n");
$node->start;
$node->safe_psql('postgres', q{
	CREATE DATABASE original ENCODING 'UTF8' TEMPLATE template0;
	CREATE DATABASE restored ENCODING 'UTF8' TEMPLATE template0;
});
$node->safe_psql('original', q{
	CREATE EXTENSION dynamo;
	SELECT dynamo.create_table('{"TableName": "dumped", "BillingMode": "PAY_PER_REQUEST",
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"},
			{"AttributeName": "a", "AttributeType": "S"}, {"AttributeName": "b", "AttributeType": "N"}, {"AttributeName": "l", "AttributeType": "S"}],
		"LocalSecondaryIndexes": [{"IndexName": "local", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [
			{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "l", "KeyType": "RANGE"}]}],
		"GlobalSecondaryIndexes": [{"IndexName": "by_a_b", "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x"]}, "KeySchema": [
			{"AttributeName": "a", "KeyType": "HASH"}, {"AttributeName": "b", "KeyType": "RANGE"}]}]}');
	INSERT INTO ddb.dumped(item) SELECT jsonb_build_object('pk', 'p', 'sk', i::text, 'a', 'a', 'b', i, 'l', i::text, 'x', 1, 'y', 2, 'g', 'g')
		FROM generate_series(1, 20) i;
});

# a build that cannot get on: its table is locked, as by the dump itself
my ($in, $out, $err) = ("BEGIN;\nLOCK TABLE ddb.dumped IN ACCESS SHARE MODE;\nSELECT 'locked';\n", '', '');
my $holder = IPC::Run::start([ 'psql', '-X', '-q', '-A', '-t', '-d', $node->connstr('original') ],
	'<', \$in, '>', \$out, '2>', \$err, IPC::Run::timer(600));
$holder->pump until $out =~ /locked/ || !$holder->pumpable;
$node->safe_psql('original', q{
	SELECT dynamo.update_table('{"TableName": "dumped", "AttributeDefinitions": [{"AttributeName": "g", "AttributeType": "S"}],
		"GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "by_g", "Projection": {"ProjectionType": "ALL"},
			"KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}]}}]}'::jsonb)});

my $dump = $node->basedir . '/dump';
$node->command_ok([ 'pg_dump', '-Fc', '-f', $dump, '-d', $node->connstr('original') ], 'pg_dump');
$node->command_ok([ 'pg_restore', '-e', '-d', $node->connstr('restored'), $dump ], 'pg_restore');

my $indexes = q{
	SELECT index_name, kind, partition_keys, sort_keys, projection, included, status, index_relation FROM dynamo.indexes ORDER BY 1};
is($node->safe_psql('restored', $indexes), $node->safe_psql('original', $indexes), 'the catalog is the same');
is( $node->safe_psql('restored', q{
		SELECT dynamo.query('{"TableName": "dumped", "IndexName": "by_a_b", "KeyConditionExpression": "a = :a AND b > :b",
			"ExpressionAttributeValues": {":a": {"S": "a"}, ":b": {"N": "19"}}}'::jsonb)->'Items'}),
	'[{"a": {"S": "a"}, "b": {"N": "20"}, "x": {"N": "1"}, "pk": {"S": "p"}, "sk": {"S": "20"}}]', 'a global index answers');
is( $node->safe_psql('restored', q{
		SELECT dynamo.query('{"TableName": "dumped", "IndexName": "local", "KeyConditionExpression": "pk = :p AND l > :l", "Select": "COUNT",
			"ExpressionAttributeValues": {":p": {"S": "p"}, ":l": {"S": "8"}}}'::jsonb)->'Count'}),
	'1', 'a local index answers');
is($node->safe_psql('restored', q{SELECT phase FROM dynamo.index_builds}), 'PENDING', 'the build is to be done');
$node->safe_psql('restored', q{SELECT dynamo.describe_table('{"TableName": "dumped"}')});
$node->poll_query_until('restored', q{SELECT phase = 'DONE' FROM dynamo.index_builds});
is( $node->safe_psql('restored', q{
		SELECT dynamo.query('{"TableName": "dumped", "IndexName": "by_g", "KeyConditionExpression": "g = :g", "Select": "COUNT",
			"ExpressionAttributeValues": {":g": {"S": "g"}}}'::jsonb)->'Count'}), '20', 'and is done');

$holder->kill_kill;
$node->poll_query_until('original', q{SELECT phase = 'DONE' FROM dynamo.index_builds});
$node->stop;
done_testing();
