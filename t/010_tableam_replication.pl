# Logical replication applies through the gate: a subscriber with the extension
# fills the columns of its own indexes and refuses what is no item of its table.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $create = q{
	CREATE EXTENSION dynamo;
	CREATE TABLE ddb."Replicated" (pk text COLLATE "C" PRIMARY KEY, item jsonb NOT NULL, a text COLLATE "C") USING dynamo;
	SELECT dynamo.adopt('ddb."Replicated"');
};

my $publisher = PostgreSQL::Test::Cluster->new('publisher');
$publisher->init(allows_streaming => 'logical');
$publisher->start;
$publisher->safe_psql('postgres', $create);

my $subscriber = PostgreSQL::Test::Cluster->new('subscriber');
$subscriber->init;
$subscriber->start;
$subscriber->safe_psql('postgres', $create);
$subscriber->safe_psql('postgres',
	q{INSERT INTO dynamo.attributes VALUES ('ddb."Replicated"', 'a', 'S', 'a')});

$publisher->safe_psql('postgres', q{
	INSERT INTO ddb."Replicated"(item) VALUES ('{"pk": "1", "a": "copied"}');
	CREATE PUBLICATION items FOR TABLE ddb."Replicated";
});
my $connection = $publisher->connstr . ' dbname=postgres';
$subscriber->safe_psql('postgres',
	"CREATE SUBSCRIPTION items CONNECTION '$connection' PUBLICATION items");
$subscriber->wait_for_subscription_sync($publisher, 'items');

$publisher->safe_psql('postgres', q{
	INSERT INTO ddb."Replicated"(item) VALUES ('{"pk": "2", "a": "inserted"}'), ('{"pk": "3"}'), ('{"pk": "4"}');
	UPDATE ddb."Replicated" SET item = item || '{"a": "updated"}' WHERE pk = '3';
	DELETE FROM ddb."Replicated" WHERE pk = '4';
});
$publisher->wait_for_catchup('items');
is( $subscriber->safe_psql('postgres', q{SELECT pk, a, item->>'a' FROM ddb."Replicated" ORDER BY pk}),
	"1|copied|copied\n2|inserted|inserted\n3|updated|updated",
	'initial copy and apply fill the columns of index attributes');
is($publisher->safe_psql('postgres', q{SELECT count(a) FROM ddb."Replicated"}),
	'0', 'the publisher has no such index');

# an index key of the wrong type stops the apply worker with DynamoDB's error
$subscriber->safe_psql('postgres', q{
	INSERT INTO dynamo.indexes VALUES
		('ddb."Replicated"', 'index', 'Replicated:index', 'G', '{a}', '{}', 'A', '{}', 'ACTIVE', '{}')});
my $offset = -s $subscriber->logfile;
$publisher->safe_psql('postgres', q{INSERT INTO ddb."Replicated"(item) VALUES ('{"pk": "5", "a": 1}')});
$subscriber->wait_for_log(qr/ValidationException: .*Type mismatch for Index Key a Expected: S Actual: N IndexName: index/, $offset);
is($subscriber->safe_psql('postgres', q{SELECT count(*) FROM ddb."Replicated"}),
	'3', 'the subscriber did not take the item');

$subscriber->stop('fast');
$publisher->stop('fast');
done_testing();
