# Many sessions at once: one token each pair, a hundred keys each session,
# batches that put and delete each other's keys.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('crowd');
$node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
$node->append_conf('postgresql.conf', "max_connections = 120\nmax_locks_per_transaction = 64\nlog_statement = none\n");
$node->start;
$node->safe_psql('postgres', <<'END');
CREATE EXTENSION dynamo;
SELECT dynamo.create_table(jsonb_build_object('TableName', 'crowd', 'BillingMode', 'PAY_PER_REQUEST',
	'KeySchema', '[{"AttributeName": "pk", "KeyType": "HASH"}]'::jsonb,
	'AttributeDefinitions', '[{"AttributeName": "pk", "AttributeType": "S"}]'::jsonb));
CREATE FUNCTION add_once(token text) RETURNS jsonb LANGUAGE sql AS $$
	SELECT dynamo.transact_write_items(jsonb_build_object('ClientRequestToken', token, 'TransactItems', jsonb_build_array(
		jsonb_build_object('Update', jsonb_build_object('TableName', 'crowd', 'Key', jsonb_build_object('pk', jsonb_build_object('S', token)),
			'UpdateExpression', 'ADD n :one', 'ExpressionAttributeValues', '{":one": {"N": "1"}}'::jsonb))))) $$;
CREATE FUNCTION transact_hundred(session int) RETURNS void LANGUAGE sql AS $$
	SELECT dynamo.transact(jsonb_agg(jsonb_build_object('put', jsonb_build_object('table_name', 'crowd',
		'item', jsonb_build_object('pk', 'hundred-' || session || '-' || n), 'condition', 'attribute_not_exists(pk)')))) FROM generate_series(1, 100) n $$;
CREATE FUNCTION put_hundred(session int) RETURNS bigint LANGUAGE sql AS $$
	SELECT count(dynamo.put('crowd', jsonb_build_object('pk', 'single-' || session || '-' || n))) FROM generate_series(1, 100) n $$;
CREATE FUNCTION mixed_batch() RETURNS jsonb LANGUAGE sql AS $$
	SELECT dynamo.batch_write_item(jsonb_build_object('RequestItems', jsonb_build_object('crowd', jsonb_agg(CASE WHEN random() < 0.5
		THEN jsonb_build_object('PutRequest', jsonb_build_object('Item', jsonb_build_object('pk', jsonb_build_object('S', 'mixed-' || n))))
		ELSE jsonb_build_object('DeleteRequest', jsonb_build_object('Key', jsonb_build_object('pk', jsonb_build_object('S', 'mixed-' || n)))) END))))
	FROM (SELECT n FROM generate_series(1, 40) n ORDER BY random() LIMIT 20) keys $$;
END

# Clients run the script once each, or as often as told.
sub crowd
{
	my ($name, $clients, $times, $script) = @_;
	my $file = PostgreSQL::Test::Utils::tempdir . "/$name.sql";

	append_to_file($file, $script);
	$node->command_ok([ 'pgbench', '--no-vacuum', '--client', $clients, '--jobs', 2, '--transactions', $times,
		'--file', $file, 'postgres' ], $name);
}

# fifty pairs: a client and its neighbour have one token
crowd('pairs with one token', 100, 1, "\\set pair :client_id / 2\nSELECT add_once('pair-' || :pair);\n");
is($node->safe_psql('postgres', "SELECT count(*), sum((item->>'n')::int) FROM ddb.crowd WHERE pk LIKE 'pair-%'"),
	'50|50', 'each is done once');

crowd('a hundred transactions of a hundred keys', 100, 1, "SELECT transact_hundred(:client_id);\n");
is($node->safe_psql('postgres', "SELECT count(*) FROM ddb.crowd WHERE pk LIKE 'hundred-%'"), '10000', 'all are there');

# they hold their locks for a while, so that most of them do so at once
crowd('a hundred sessions that create a hundred items', 100, 1, <<'END');
BEGIN;
SELECT put_hundred(:client_id);
SELECT pg_sleep(1);
END;
END
is($node->safe_psql('postgres', "SELECT count(*) FROM ddb.crowd WHERE pk LIKE 'single-%'"), '10000', 'all are there');

crowd('batches of puts and deletes', 8, 30, "SELECT mixed_batch();\n");
is(scalar(() = slurp_file($node->logfile) =~ /deadlock detected|out of shared memory/g), 0, 'without deadlock, within the lock table');

done_testing();
