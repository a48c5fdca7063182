# The AWS command line interface, as people type it.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/clients";

use Endpoint;
use JSON::PP;
use PostgreSQL::Test::Utils;
use Test::More;

my $endpoint = Endpoint->new;
# Debian's, if there are several
my $aws = -x '/usr/bin/aws' ? '/usr/bin/aws' : 'aws';

# Runs a command line of sh and returns status, parsed output, standard error.
sub aws
{
	my ($command) = @_;
	$command =~ s/\Aaws /$aws --endpoint-url \$ENDPOINT / or die;
	my ($status, $out, $err) = $endpoint->run('sh', '-c', $command);
	return ($status, $out =~ /\S/ ? decode_json($out) : {}, $err);
}

# The parsed output of a command that must succeed.
sub aws_ok
{
	my ($command, $name) = @_;
	my ($status, $answer, $err) = aws($command);
	is($status, 0, $name) or diag($err);
	return $answer;
}

my $answer = aws_ok(q{aws dynamodb create-table --table-name app
	--attribute-definitions AttributeName=PK,AttributeType=S AttributeName=SK,AttributeType=S
	--key-schema AttributeName=PK,KeyType=HASH AttributeName=SK,KeyType=RANGE
	--billing-mode PAY_PER_REQUEST} =~ s/\n\s*/ /gr, 'create-table');
is($answer->{TableDescription}{TableName}, 'app', 'the table is described');
is($answer->{TableDescription}{BillingModeSummary}{BillingMode}, 'PAY_PER_REQUEST', 'with its billing mode');

aws_ok(q{aws dynamodb wait table-exists --table-name app}, 'wait table-exists');

$answer = aws_ok(q{aws dynamodb describe-table --table-name app}, 'describe-table');
is($answer->{Table}{TableStatus}, 'ACTIVE', 'the table is active');
is_deeply($answer->{Table}{KeySchema},
	[ { AttributeName => 'PK', KeyType => 'HASH' }, { AttributeName => 'SK', KeyType => 'RANGE' } ],
	'with its keys');

is_deeply(aws_ok(q{aws dynamodb list-tables}, 'list-tables'), { TableNames => ['app'] }, 'the table is listed');

my $put = q{aws dynamodb put-item --table-name app }
  . q{--item '{"PK":{"S":"USER#1"},"SK":{"S":"POST#1"},"status":{"S":"draft"},"view_count":{"N":"0"}}' }
  . q{--condition-expression 'attribute_not_exists(PK)'};
aws_ok($put, 'put-item with attribute_not_exists');
my ($status, undef, $err) = aws($put);
is($status, 254, 'the second time it is refused');
like($err, qr/\(ConditionalCheckFailedException\) when calling the PutItem operation: The conditional request failed/,
	'as the service refuses it');
aws_ok(q{aws dynamodb put-item --table-name app }
	  . q{--item '{"PK":{"S":"USER#1"},"SK":{"S":"PROFILE"},"name":{"S":"Zo\u00eb"},"status":{"S":"active"}}'}, 'put-item');

$answer = aws_ok(q{aws dynamodb query --table-name app }
	  . q{--key-condition-expression 'PK = :pk AND begins_with(SK, :sk)' }
	  . q{--expression-attribute-values '{":pk":{"S":"USER#1"},":sk":{"S":"POST#"}}'}, 'query with begins_with');
is($answer->{Count}, 1, 'finds one item');
is($answer->{Items}[0]{SK}{S}, 'POST#1', 'the right one');

$answer = aws_ok(q{aws dynamodb scan --table-name app --filter-expression '#s = :s' }
	  . q{--expression-attribute-names '{"#s":"status"}' --expression-attribute-values '{":s":{"S":"active"}}'},
	'scan with a filter');
is("$answer->{Count} of $answer->{ScannedCount}", '1 of 2', 'finds one of two items');
is($answer->{Items}[0]{name}{S}, "Zo\x{eb}", 'with its name');

my $update = q{aws dynamodb update-item --table-name app }
  . q{--key '{"PK":{"S":"USER#1"},"SK":{"S":"POST#1"}}' }
  . q{--update-expression 'SET view_count = view_count + :inc' }
  . q{--expression-attribute-values '{":inc":{"N":"1"}}' --return-values UPDATED_NEW};
is_deeply(aws_ok($update, 'update-item'), { Attributes => { view_count => { N => '1' } } }, 'counts');
is($endpoint->node->safe_psql('postgres', q{SELECT item->'view_count' FROM ddb.app WHERE "SK" = 'POST#1'}),
	'1', 'and SQL sees it');

$answer = aws_ok(q{aws dynamodb get-item --table-name app --consistent-read --return-consumed-capacity TOTAL }
	  . q{--key '{"PK":{"S":"USER#1"},"SK":{"S":"POST#1"}}' --projection-expression view_count}, 'get-item');
is_deeply($answer, { Item => { view_count => { N => '1' } }, ConsumedCapacity => { TableName => 'app', CapacityUnits => 1 } },
	'reads it back');

if ($endpoint->has_operation('update_time_to_live'))
{
	$answer = aws_ok(q{aws dynamodb update-time-to-live --table-name app }
		  . q{--time-to-live-specification 'Enabled=true,AttributeName=expires_at'}, 'update-time-to-live');
	is($answer->{TimeToLiveSpecification}{AttributeName}, 'expires_at', 'on its attribute');
	$answer = aws_ok(q{aws dynamodb describe-time-to-live --table-name app}, 'describe-time-to-live');
	is($answer->{TimeToLiveDescription}{AttributeName}, 'expires_at', 'describes it');
}

($status, undef, $err) = aws(q{aws dynamodb get-item --table-name absent --key '{"PK":{"S":"1"}}'});
like($err, qr/\(ResourceNotFoundException\) when calling the GetItem operation: Requested resource not found/,
	'an absent table');

aws_ok(q{aws dynamodb delete-item --table-name app --key '{"PK":{"S":"USER#1"},"SK":{"S":"POST#1"}}'}, 'delete-item');
aws_ok(q{aws dynamodb delete-table --table-name app}, 'delete-table');
is_deeply(aws_ok(q{aws dynamodb list-tables}, 'list-tables'), { TableNames => [] }, 'the table is gone');

$endpoint->node->stop;
done_testing();
