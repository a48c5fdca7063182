# A bank over HTTP: clients move money between accounts by TransactWriteItems
# while readers sum all accounts by TransactGetItems.  Then the same while
# backends are killed and the server is stopped at once: every acknowledged
# transfer is there, each once, none half.
use strict;
use warnings;

use File::Basename;
use JSON::PP;
use POSIX ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep time);

use lib dirname(__FILE__);
use DynamoHttp;

my $ACCOUNTS = 100;
my $BALANCE = 100;
my $CLIENTS = 16;
my $READERS = 2;
my $QUIET_SECONDS = 3;
my $KILLS = 10;

my $node = PostgreSQL::Test::Cluster->new('bank');
my $port = configure_endpoint($node, "restart_after_crash = on\nfsync = on\n");
my $directory = PostgreSQL::Test::Utils::tempdir;
my $round = 0;

sub create_table
{
	my ($name) = @_;
	call($port, 'CreateTable', {
		TableName => $name,
		KeySchema => [ { AttributeName => 'id', KeyType => 'HASH' } ],
		AttributeDefinitions => [ { AttributeName => 'id', AttributeType => 'S' } ],
		BillingMode => 'PAY_PER_REQUEST' })->{status} == 200 or die "could not create $name";
}

# Repeats the request until it is answered: its token makes that safe.
sub persist
{
	my ($connection, $operation, $request) = @_;
	my $body = encode_json($request);

	while (1)
	{
		my $reply = eval {
			$$connection ||= connect_http($port);
			send_request($$connection, 'POST', '/',
				{ 'Content-Type' => 'application/x-amz-json-1.0', 'X-Amz-Target' => "DynamoDB_20120810.$operation" }, $body);
			read_reply($$connection, 20);
		};
		if ($reply && $reply->{status} < 500)
		{
			return $reply unless ($reply->{json}{__type} || '') =~ /Throttling/;
		}
		$$connection = undef unless $reply;
		sleep 0.02;
	}
}

sub transfer
{
	my ($id, $from, $to, $amount) = @_;
	my %amount = (':a' => { N => "$amount" });

	return {
		ClientRequestToken => $id,
		TransactItems => [
			{ Put => { TableName => 'transfers', ConditionExpression => 'attribute_not_exists(id)',
				Item => { id => { S => $id }, from => { S => $from }, to => { S => $to }, amount => { N => "$amount" } } } },
			{ Update => { TableName => 'accounts', Key => { id => { S => $from } }, UpdateExpression => 'SET n = n - :a',
				ConditionExpression => 'n >= :a', ExpressionAttributeValues => \%amount } },
			{ Update => { TableName => 'accounts', Key => { id => { S => $to } }, UpdateExpression => 'SET n = n + :a',
				ExpressionAttributeValues => \%amount } } ] };
}

# Writes the acknowledged transfers, one a line, then what went wrong.
sub run_client
{
	my ($client) = @_;
	my ($connection, $number) = (undef, 0);

	open(my $log, '>', "$directory/client$round.$client") or die $!;
	srand($client);
	while (!-e "$directory/stop$round")
	{
		my ($from, $to) = map { 'account' . int(rand($ACCOUNTS)) } 1 .. 2;
		next if $from eq $to;
		my $id = "$round-$client-" . $number++;
		my $reply = persist(\$connection, 'TransactWriteItems', transfer($id, $from, $to, 1 + int(rand(60))));
		my $reasons = join ' ', map { $_->{Code} } @{ $reply->{json}{CancellationReasons} || [] };

		print $log "$id\n" if $reply->{status} == 200;
		print $log "! $reply->{body}\n"
		  if $reply->{status} != 200 && $reasons !~ /^None ConditionalCheckFailed None$|TransactionConflict/;
	}
	close $log;
}

sub run_reader
{
	my ($reader) = @_;
	my ($connection, $sums) = (undef, 0);
	my $request = { TransactItems => [ map { { Get => { TableName => 'accounts', Key => { id => { S => "account$_" } } } } } 0 .. $ACCOUNTS - 1 ] };

	open(my $log, '>', "$directory/reader$round.$reader") or die $!;
	while (!-e "$directory/stop$round")
	{
		my $reply = persist(\$connection, 'TransactGetItems', $request);
		my $sum = 0;

		$sum += $_->{Item}{n}{N} for @{ $reply->{json}{Responses} };
		print $log $sum == $ACCOUNTS * $BALANCE ? "sum\n" : "! $sum\n";
	}
	close $log;
}

# Clients and readers run while the code runs.
sub run_bank
{
	my ($code) = @_;
	my @children;

	$round++;
	for my $number (1 .. $CLIENTS + $READERS)
	{
		my $pid = fork();
		die "fork: $!" unless defined $pid;
		if ($pid == 0)
		{
			eval { $number <= $CLIENTS ? run_client($number) : run_reader($number) };
			warn $@ if $@;
			POSIX::_exit($@ ? 1 : 0);
		}
		push @children, $pid;
	}
	$code->();
	append_to_file("$directory/stop$round", '');
	my $failures = 0;
	for my $pid (@children)
	{
		waitpid $pid, 0;
		$failures++ if $?;
	}
	is($failures, 0, "round $round: all clients came to their end");
}

sub lines
{
	my ($kind) = @_;
	return map { split /\n/, slurp_file($_) } glob "$directory/$kind$round.*";
}

sub check_bank
{
	my @clients = lines('client');
	my @readers = lines('reader');
	my %there = map { $_ => 1 } split /\n/, $node->safe_psql('postgres', 'SELECT id FROM ddb.transfers');
	my @lost = grep { !/^!/ && !$there{$_} } @clients;

	note "round $round: " . scalar(@clients) . " transfers, " . scalar(@readers) . " sums";
	cmp_ok(scalar(@clients), '>', 10, "round $round: money was moved");
	cmp_ok(scalar(@readers), '>', 0, "round $round: and looked at");
	is(join("\n", grep { /^!/ } @clients), '', "round $round: no client saw an unexpected answer");
	is(join("\n", grep { /^!/ } @readers), '', "round $round: no reader saw another sum");
	is("@lost", '', "round $round: every acknowledged transfer is there");
	is( $node->safe_psql('postgres', <<"END"), "$ACCOUNTS|0", "round $round: balances are what the transfers make of them");
SELECT count(*), count(*) FILTER (WHERE n <> $BALANCE + moved)
FROM (SELECT id, (item->>'n')::numeric AS n FROM ddb.accounts) accounts
LEFT JOIN LATERAL (SELECT coalesce(sum((item->>'amount')::numeric *
		((item->>'to' = accounts.id)::int - (item->>'from' = accounts.id)::int)), 0) AS moved
	FROM ddb.transfers WHERE accounts.id IN (item->>'from', item->>'to')) transfers ON true
END
}

$node->start;
wait_for_endpoint($port);
$node->safe_psql('postgres', 'CREATE EXTENSION dynamo');
create_table($_) for 'accounts', 'transfers';
for my $first (map { $_ * 25 } 0 .. $ACCOUNTS / 25 - 1)
{
	call($port, 'BatchWriteItem', { RequestItems => { accounts => [
		map { { PutRequest => { Item => { id => { S => "account$_" }, n => { N => "$BALANCE" } } } } } $first .. $first + 24 ] } });
}

run_bank(sub { sleep $QUIET_SECONDS });
check_bank();

# a killed child makes the postmaster start all of them anew
run_bank(sub {
	for my $kill (1 .. $KILLS)
	{
		wait_for_endpoint($port);
		sleep 0.3;
		if ($kill % 2)
		{
			my $pid = $node->safe_psql('postgres',
				"SELECT pid FROM pg_stat_activity WHERE backend_type LIKE 'dynamo%' AND query <> '' OR backend_type = 'checkpointer' ORDER BY backend_type DESC LIMIT 1");
			my $logged = -s $node->logfile;
			kill 'KILL', $pid;
			wait_until(sub { slurp_file($node->logfile, $logged) =~ /terminated by signal 9.*?ready to accept connections/s });
			$node->poll_query_until('postgres', 'SELECT true');
		}
		else
		{
			$node->stop('immediate');
			$node->start;
		}
	}
	wait_for_endpoint($port);
	sleep 0.5;
});
check_bank();

done_testing();
