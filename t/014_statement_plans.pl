# Statements of pages walk the key's index, in its order, and are never
# compiled, though the planner takes them for expensive: it does not know that a
# page stops early.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('plans');
$node->init;
$node->start;
$node->safe_psql('postgres', q{
	CREATE EXTENSION dynamo;
	SELECT dynamo.create_table('{"TableName": "plans", "BillingMode": "PAY_PER_REQUEST",
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"}]}');
	INSERT INTO ddb.plans (item) SELECT jsonb_build_object('pk', 'p', 'sk', 's' || i) FROM generate_series(1, 1000) i;
	ANALYZE ddb.plans;
});

sub plan_of
{
	my ($call) = @_;
	my ($stdout, $stderr) = ('', '');

	$node->psql('postgres', qq{
		LOAD 'auto_explain';
		SET auto_explain.log_nested_statements = on;
		SET auto_explain.log_min_duration = 0;
		SET auto_explain.log_analyze = on;
		SET auto_explain.log_level = notice;
		SET jit = on;
		SET jit_above_cost = 1;
		SELECT $call},
		stdout => \$stdout, stderr => \$stderr);
	# the outer statement may be compiled; ours comes first
	$stderr =~ s/Query Text: SELECT dynamo\..*//s;
	$stderr =~ s/Query Text: \s*SELECT dynamo\..*//s;
	return $stderr;
}

for my $call (
	q{dynamo.query('{"TableName": "plans", "KeyConditionExpression": "pk = :p AND sk > :s", "Limit": 2,
		"ExpressionAttributeValues": {":p": {"S": "p"}, ":s": {"S": "s5"}}}'::jsonb)},
	q{dynamo.scan('{"TableName": "plans", "Limit": 2}'::jsonb)},
	q{dynamo.query('plans', 'pk = :p', '{":p": "p"}', max_items => 2)})
{
	my $plan = plan_of($call);

	like($plan, qr/Index Scan using "plans:pk"/, "$call reads the index");
	unlike($plan, qr/Sort|Seq Scan|Bitmap/, '... in its order');
	unlike($plan, qr/JIT:/, '... and is not compiled');
}

done_testing();
