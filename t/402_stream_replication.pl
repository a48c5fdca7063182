# A subscriber of logical replication captures each change once, in its own
# stream; the publisher's records do not reach it, even if their tables are
# published.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $create = q{
	CREATE EXTENSION dynamo;
	SET dynamo.stream_shards = 1;
	SELECT dynamo.create_table('{"TableName": "Both", "BillingMode": "PAY_PER_REQUEST",
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
		"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"}}');
	ALTER TABLE ddb."Both" REPLICA IDENTITY FULL;
};

# The publisher's clock begins with one of the four hours for which a table is
# in use, so that they have not passed before it is set to the day after.
my $hour = 3600;
my $first_offset = 4 * $hour - time() % (4 * $hour);
my $next_day = $first_offset + 28 * $hour;

my $publisher = PostgreSQL::Test::Cluster->new('publisher');
$publisher->init(allows_streaming => 'logical');
$publisher->append_conf('postgresql.conf', "dynamo.clock_offset = $first_offset\n");
$publisher->start;
$publisher->safe_psql('postgres', $create);
my $subscriber = PostgreSQL::Test::Cluster->new('subscriber');
$subscriber->init;
$subscriber->start;
$subscriber->safe_psql('postgres', $create);

my $tables = join(', ', 'ddb."Both"', map { ("dynamo.stream_records_$_", "dynamo.stream_commits_$_") } 0 .. 7);
$publisher->safe_psql('postgres', q{INSERT INTO ddb."Both"(item) VALUES ('{"pk": "copied"}')});
$publisher->safe_psql('postgres', "CREATE PUBLICATION items FOR TABLE $tables");
my $connection = $publisher->connstr . ' dbname=postgres';
$subscriber->safe_psql('postgres', "CREATE SUBSCRIPTION items CONNECTION '$connection' PUBLICATION items");
$subscriber->wait_for_subscription_sync($publisher, 'items');

$publisher->safe_psql('postgres', q{
	INSERT INTO ddb."Both"(item) VALUES ('{"pk": "a", "v": 1}'), ('{"pk": "b", "v": 1}');
	UPDATE ddb."Both" SET item = item || '{"v": 2}' WHERE pk = 'a';
	UPDATE ddb."Both" SET item = item;
	DELETE FROM ddb."Both" WHERE pk = 'b';
	BEGIN; INSERT INTO ddb."Both"(item) VALUES ('{"pk": "undone"}'); ROLLBACK;
});
$publisher->wait_for_catchup('items');
my $records = q{SELECT event_name, keys->>'pk', old_image->>'v', new_image->>'v' FROM dynamo.stream_records('Both')};
my $expected = "INSERT|copied||\nINSERT|a||1\nINSERT|b||1\nMODIFY|a|1|2\nREMOVE|b|1|";
is($publisher->safe_psql('postgres', $records), $expected, 'the publisher has its records');
is($subscriber->safe_psql('postgres', $records), $expected, 'the subscriber has the same, once each');

# truncation of expired tables is the publisher's own affair
$publisher->safe_psql('postgres', qq{
	SET dynamo.clock_offset = $next_day;
	SELECT dynamo.trim_streams();
	RESET dynamo.clock_offset;
	INSERT INTO ddb."Both"(item) VALUES ('{"pk": "c", "v": 1}');
});
$publisher->wait_for_catchup('items');
is($publisher->safe_psql('postgres', $records), 'INSERT|c||1', 'the publisher has trimmed');
is($subscriber->safe_psql('postgres', $records), "$expected\nINSERT|c||1", 'the subscriber has not');

$subscriber->stop('fast');
$publisher->stop('fast');
done_testing();
