# Eight writers and a reader at once: per item the stream is the exact sequence
# of images, over API and raw writes, savepoints, rollbacks and upserts.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $seconds = $ENV{DYNAMO_STREAM_SECONDS} || 4;
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "max_prepared_transactions = 20\nautovacuum = off\n");
$node->start;
$node->safe_psql('postgres', q{
	CREATE EXTENSION dynamo;
	SELECT dynamo.create_table('{"TableName": "Chain", "BillingMode": "PAY_PER_REQUEST",
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
		"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"}}');
	CREATE TABLE seen (n bigserial PRIMARY KEY, "position" text, event_name text, keys jsonb, old_image jsonb, new_image jsonb);
});

# what is rolled back carries "bad": none of it may be seen
my %scripts = (
	api => q{
		\set k random(1, 12)
		\set r random(1, 1000000000)
		SELECT dynamo.put('Chain', jsonb_build_object('pk', 'k' || :k, 'r', :r));
	},
	counter => q{
		\set k random(1, 12)
		SELECT dynamo.update('Chain', jsonb_build_object('pk', 'k' || :k), 'ADD c :one', attribute_values => '{":one": 1}');
	},
	removal => q{
		\set k random(1, 12)
		SELECT dynamo.delete('Chain', jsonb_build_object('pk', 'k' || :k));
	},
	raw => q{
		\set k random(1, 12)
		\set r random(1, 1000000000)
		INSERT INTO ddb."Chain"(item) VALUES (jsonb_build_object('pk', 'k' || :k, 'raw', :r))
			ON CONFLICT (pk) DO UPDATE SET item = excluded.item;
	},
	attempts => q{
		\set k random(1, 12)
		\set r random(1, 1000000000)
		INSERT INTO ddb."Chain"(item) VALUES (jsonb_build_object('pk', 'k' || :k, 'new', :r)) ON CONFLICT DO NOTHING;
		DELETE FROM ddb."Chain" WHERE pk = 'k' || :k AND random() < 0.5;
	},
	savepoints => q{
		\set k random(1, 12)
		\set r random(1, 1000000000)
		BEGIN;
		SAVEPOINT a;
		INSERT INTO ddb."Chain"(item) VALUES (jsonb_build_object('pk', 'k' || :k, 'bad', :r))
			ON CONFLICT (pk) DO UPDATE SET item = excluded.item;
		ROLLBACK TO a;
		UPDATE ddb."Chain" SET item = item || jsonb_build_object('s', :r) WHERE pk = 'k' || :k;
		SAVEPOINT b;
		UPDATE ddb."Chain" SET item = item || jsonb_build_object('t', :r) WHERE pk = 'k' || :k;
		RELEASE b;
		COMMIT;
	},
	rollback => q{
		\set k random(1, 12)
		BEGIN;
		INSERT INTO ddb."Chain"(item) VALUES (jsonb_build_object('pk', 'k' || :k, 'bad', 1))
			ON CONFLICT (pk) DO UPDATE SET item = excluded.item;
		ROLLBACK;
	},
	prepared => q{
		\set k random(1, 12)
		\set r random(1, 1000000000)
		BEGIN;
		UPDATE ddb."Chain" SET item = item || jsonb_build_object('p', :r) WHERE pk = 'k' || :k;
		PREPARE TRANSACTION 'g:client_id';
		COMMIT PREPARED 'g:client_id';
	});
my @files;
foreach my $name (sort keys %scripts)
{
	my $file = $node->basedir . "/$name.sql";
	append_to_file($file, $scripts{$name});
	push @files, '-f', $file;
}

my $writers = IPC::Run::start(
	[ 'pgbench', '-n', '-c', 8, '-T', $seconds, '-h', $node->host, '-p', $node->port, @files, 'postgres' ],
	'>', \my $out, '2>', \my $err);

# reads pages of 200 until the writers have ended and nothing is left
my $page = q{
	INSERT INTO seen("position", event_name, keys, old_image, new_image)
	SELECT "position", event_name, keys, old_image, new_image
	FROM dynamo.stream_records('Chain', (SELECT "position" FROM seen ORDER BY n DESC LIMIT 1), 200)};
my $during = 0;
my $session = $node->background_psql('postgres');
while ($writers->pumpable)
{
	$session->query_safe($page);
	$writers->pump_nb;
	$during++;
}
ok($writers->finish, 'writers ended without an error') or diag($err);
unlike($err, qr/ERROR/, 'and without a message of one');
my ($before, $after) = (-1, 0);
while ($before != $after)
{
	$before = $after;
	$session->query_safe($page);
	$after = $session->query_safe('SELECT count(*) FROM seen');
}
$session->quit;
note "$after records, $during pages while the writers ran; " . join(' ', grep { /tps|number of transactions act/ } split /\n/, $out);
cmp_ok($after, '>', 100, 'there are records');
cmp_ok($during, '>', 5, 'and they were read while others were written');

is($node->safe_psql('postgres', q{
	WITH links AS (
		SELECT keys, event_name, old_image, new_image,
			lag(new_image) OVER item AS before, lag(event_name) OVER item AS event_before
		FROM seen WINDOW item AS (PARTITION BY keys->>'pk' ORDER BY n))
	SELECT count(*) FROM links
	WHERE old_image IS DISTINCT FROM before
		OR old_image = new_image
		OR event_name <> CASE WHEN old_image IS NULL THEN 'INSERT' WHEN new_image IS NULL THEN 'REMOVE' ELSE 'MODIFY' END}),
	'0', 'each old image is the new image before it');
is($node->safe_psql('postgres', q{
	WITH last AS (SELECT DISTINCT ON (keys->>'pk') keys->>'pk' AS pk, new_image FROM seen ORDER BY keys->>'pk', n DESC)
	SELECT count(*) FROM last FULL JOIN ddb."Chain" t USING (pk) WHERE last.new_image IS DISTINCT FROM t.item}),
	'0', 'the last image is the item');
is($node->safe_psql('postgres', q{SELECT count(*) FROM seen WHERE old_image ? 'bad' OR new_image ? 'bad'}),
	'0', 'nothing that was rolled back is there');

# what GetRecords gives of all shards is the same, no more and no less
is($node->safe_psql('postgres', q{
	WITH RECURSIVE shards AS (
		SELECT arn, s->>'ShardId' AS id FROM (SELECT dynamo.describe_table('{"TableName": "Chain"}')#>>'{Table,LatestStreamArn}' AS arn) a,
			jsonb_array_elements(dynamo.describe_stream(jsonb_build_object('StreamArn', arn))#>'{StreamDescription,Shards}') s),
	pages AS (
		SELECT id, dynamo.get_records(jsonb_build_object('ShardIterator',
			dynamo.get_shard_iterator(jsonb_build_object('StreamArn', arn, 'ShardId', id, 'ShardIteratorType', 'TRIM_HORIZON'))->>'ShardIterator')) AS page
		FROM shards
		UNION ALL
		SELECT id, dynamo.get_records(jsonb_build_object('ShardIterator', page->>'NextShardIterator')) FROM pages
		WHERE jsonb_array_length(page->'Records') > 0)
	SELECT (SELECT count(*) FROM pages, jsonb_array_elements(page->'Records')) = (SELECT count(*) FROM seen)
		AND (SELECT count(DISTINCT r->>'eventID') FROM pages, jsonb_array_elements(page->'Records') r) = (SELECT count(*) FROM seen)}),
	't', 'GetRecords gives as many, all different');

$node->stop;
done_testing();
