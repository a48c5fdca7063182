# The protocol: routes, headers, checksums, codings, limits, pipelining.
use strict;
use warnings;

use Compress::Zlib;
use File::Basename;
use JSON::PP;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__);
use DynamoHttp;

my $node = PostgreSQL::Test::Cluster->new('http_protocol');
my $port = start_endpoint($node);
my $json_type = 'application/x-amz-json-1.0';
my %put = ('Content-Type' => $json_type, 'X-Amz-Target' => 'DynamoDB_20120810.PutItem');
my $reply;

# one exchange of any kind
sub exchange
{
	my $connection = connect_http($port);
	send_request($connection, @_);
	return read_reply($connection);
}

sub crc_is_right
{
	my ($answer, $name) = @_;
	is($answer->{headers}{'x-amz-crc32'}, crc32($answer->{body}), $name);
}

# before the extension is there
$reply = call($port, 'ListTables', '{}');
is($reply->{status}, 503, 'without the extension: unavailable');
like($reply->{json}{message}, qr/not installed/, 'and says why');
is(exchange('GET', '/', {})->{status}, 200, 'the endpoint itself is healthy');

$node->safe_psql('postgres', 'CREATE EXTENSION dynamo');
$reply = call($port, 'CreateTable',
	{
		TableName => 'Music',
		KeySchema => [ { AttributeName => 'p', KeyType => 'HASH' } ],
		AttributeDefinitions => [ { AttributeName => 'p', AttributeType => 'S' } ],
		BillingMode => 'PAY_PER_REQUEST' });
is($reply->{status}, 200, 'CreateTable');

# replies
$reply = call($port, 'PutItem', '{"TableName":"Music","Item":{"p":{"S":"a"},"n":{"N":"1"}}}');
is($reply->{body}, '{}', 'PutItem answers an object');
is($reply->{headers}{'content-type'}, $json_type, 'content type');
like($reply->{headers}{'x-amzn-requestid'}, qr/^[0-9A-Z]{52}$/, 'request id');
ok($reply->{headers}{date}, 'Date');
ok($reply->{headers}{server}, 'Server');
crc_is_right($reply, 'checksum');
$reply = call($port, 'GetItem', '{"TableName":"Music","Key":{"p":{"S":"a"}}}');
is_deeply($reply->{json}, { Item => { p => { S => 'a' }, n => { N => '1' } } }, 'GetItem');

# errors
$reply = call($port, 'GetItem', '{"TableName":"None","Key":{"p":{"S":"a"}}}');
is($reply->{status}, 400, 'unknown table: status');
is($reply->{json}{__type}, 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException', 'and type');
is($reply->{json}{message}, 'Requested resource not found', 'and message');
crc_is_right($reply, 'checksum of an error');
$reply = call($port, 'PutItem', '{"TableName":"Music","Item":{"p":{"S":1}}}');
is($reply->{json}{__type}, 'com.amazon.coral.service#SerializationException', 'wrong JSON type');
ok(exists $reply->{json}{Message}, 'its message has a capital');
for my $body ('', '{', '[]', '7', '{"a":"\\u0000', "{\"TableName\":\"\xff\"}", "{\"a\":\"\0\"}")
{
	$reply = call($port, 'PutItem', $body);
	is_deeply($reply->{json}, { __type => 'com.amazon.coral.service#SerializationException' },
		"no JSON object: " . encode_json([$body]));
}
$reply = call($port, 'PutItem',
	'{"TableName":"Music","Item":{"p":{"S":"a"}},"ConditionExpression":"attribute_not_exists(p)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}');
is($reply->{json}{__type}, 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException', 'condition');
is_deeply($reply->{json}{Item}, { p => { S => 'a' }, n => { N => '1' } }, 'further members of an error');
is(call($port, 'Nonsense', '{}')->{json}{__type},
	'com.amazon.coral.service#UnknownOperationException', 'unknown operation');
is(exchange('POST', '/', { %put, 'X-Amz-Target' => 'Other_20120810.PutItem' }, '{}')->{json}{__type},
	'com.amazon.coral.service#UnknownOperationException', 'unknown service');

# routes
is(exchange('POST', '/', { %put, 'Content-Type' => 'text/html' }, '{}')->{status}, 404, 'content type text/html');
is(exchange('POST', '/', { %put, 'Content-Type' => 'application/json; charset=utf-8' },
		'{"TableName":"Music","Item":{"p":{"S":"b"}}}')->{status}, 200, 'application/json is taken');
like(exchange('POST', '/', { %put, 'Content-Type' => 'application/x-amz-cbor-1.1' }, 'x')->{json}{Message},
	qr/CBOR/, 'CBOR gets a clear error');
is(exchange('PUT', '/', {}, '{}')->{status}, 404, 'PUT');
is(exchange('POST', '/path', \%put, '{}')->{status}, 404, 'POST to another path');
$reply = exchange('GET', '/', { Host => 'db.example:8000' });
is($reply->{body}, 'healthy: db.example:8000 ', 'health');
is(exchange('GET', '/abc', {})->{status}, 404, 'GET of another path');
is(exchange('POST', '/', { %put, 'X-Amz-Target' => 'DynamoDB_20120810.DescribeEndpoints', Host => 'db.example:8000' },
		'{}')->{json}{Endpoints}[0]{Address}, 'db.example:8000', 'DescribeEndpoints knows the host');

# CORS
$reply = exchange('OPTIONS', '/', { Origin => 'http://a', 'Access-Control-Request-Method' => 'POST',
		'Access-Control-Request-Headers' => 'x-amz-target' });
is($reply->{status}, 200, 'preflight');
is($reply->{headers}{'access-control-allow-origin'}, '*', 'any origin');
is($reply->{headers}{'access-control-allow-headers'}, 'x-amz-target', 'headers allowed');
is($reply->{headers}{'access-control-allow-methods'}, 'POST', 'method allowed');
ok(!exists call($port, 'ListTables', '{}')->{headers}{'access-control-allow-origin'}, 'no CORS without origin');
is(call($port, 'ListTables', '{}', headers => { Origin => 'http://a' })->{headers}{'access-control-allow-origin'},
	'*', 'CORS with origin');

# tags answer nothing at all
my $arn = call($port, 'DescribeTable', '{"TableName":"Music"}')->{json}{Table}{TableArn};
$reply = call($port, 'TagResource', { ResourceArn => $arn, Tags => [ { Key => 'k', Value => 'v' } ] });
is($reply->{status} . $reply->{body}, '200', 'TagResource answers an empty body');

# U+0000 and U+0001
my $text = "\\u0000a\\u0001\\\\u0000";
$reply = call($port, 'PutItem', qq({"TableName":"Music","Item":{"p":{"S":"zero"},"t":{"S":"$text"}}}));
is($reply->{status}, 200, 'strings with U+0000');
$reply = call($port, 'GetItem', '{"TableName":"Music","Key":{"p":{"S":"zero"}}}');
is($reply->{json}{Item}{t}{S}, "\0a\1\\u0000", 'come back');
is($node->safe_psql('postgres', q{SELECT length(item->>'t') FROM ddb."Music" WHERE p = 'zero'}),
	'11', 'and are stored as pairs');

# codings
my $item = '{"TableName":"Music","Item":{"p":{"S":"%s"},"t":{"S":"' . 'x' x 5000 . '"}}}';
my $zip = sub { Compress::Zlib::memGzip($_[0]) };
is(call($port, 'PutItem', $zip->(sprintf $item, 'gzip'), headers => { 'Content-Encoding' => 'gzip' })->{status},
	200, 'gzip request');
my $two = sprintf $item, 'two';
is(call($port, 'PutItem', $zip->(substr $two, 0, 9) . $zip->(substr $two, 9),
		headers => { 'Content-Encoding' => 'gzip' })->{status}, 200, 'two gzip members');
is(call($port, 'PutItem', compress(sprintf $item, 'deflate'), headers => { 'Content-Encoding' => 'deflate' })->{status},
	200, 'deflate request');
for my $bad (
	[ 'garbage', sprintf($item, 'x') ], [ 'gzip', sprintf($item, 'x') ], [ 'gzip', '' ], [ 'deflate', '' ],
	[ 'gzip', $zip->(sprintf $item, 'x') . 'junk' ], [ 'gzip', substr($zip->(sprintf $item, 'x'), 0, -1) ])
{
	$reply = call($port, 'PutItem', $bad->[1], headers => { 'Content-Encoding' => $bad->[0] });
	is($reply->{status}, 500, "broken $bad->[0], " . length($bad->[1]) . ' bytes');
}
my $get = '{"TableName":"Music","Key":{"p":{"S":"gzip"}}}';
for my $accept ([ 'gzip', 'gzip' ], [ 'deflate', 'deflate' ], [ 'gzip;q=0, deflate;q=0.5', 'deflate' ],
	[ 'identity', '' ], [ 'gzip;q=0', '' ], [ 'br, deflate, GZIP', 'deflate' ], [ '*', 'gzip' ], [ '*, deflate', 'deflate' ],
	[ '*;q=0.5, identity', 'gzip' ], [ '*;q=0', '' ], [ 'gzip ;q=0', '' ], [ 'gzip br', '' ], [ 'x-gzip', '' ],
	[ 'deflate;q=0.5, gzip;q=1;q=0.2', 'gzip' ], [ 'deflate;q=0.5, gzip;q=0.x', 'gzip' ], [ 'gzip;q=2, deflate;q=3', 'gzip' ])
{
	$reply = call($port, 'GetItem', $get, headers => { 'Accept-Encoding' => $accept->[0] });
	is($reply->{headers}{'content-encoding'} || '', $accept->[1], "accepts $accept->[0]");
	crc_is_right($reply, 'checksum over what is sent');
	my $plain = $accept->[1] eq 'gzip' ? Compress::Zlib::memGunzip($reply->{body})
	  : $accept->[1] eq 'deflate' ? uncompress($reply->{body}) : $reply->{body};
	is(decode_json($plain)->{Item}{p}{S}, 'gzip', 'readable');
}

# limits: the refusal is readable, and the connection goes on
my $large = '{"TableName":"Music"' . ' ' x (17 * 1024 * 1024) . '}';
my $connection = connect_http($port);
send_request($connection, 'POST', '/', \%put, $large);
is(read_reply($connection)->{status}, 413, 'more than 16 MB');
send_request($connection, 'POST', '/', \%put, '{"TableName":"Music","Item":{"p":{"S":"c"}}}');
is(read_reply($connection)->{status}, 200, 'the connection is still good');
my $chunk = sprintf("%x\r\n%s\r\n", length $large, $large) . "0\r\n\r\n";
is(exchange('POST', '/', { %put, 'Transfer-Encoding' => 'chunked' }, $chunk)->{status}, 413, 'the same in chunks');
is(call($port, 'PutItem', $zip->($large), headers => { 'Content-Encoding' => 'gzip' })->{status},
	413, 'the same after decompression');
$connection = connect_http($port);
print { $connection->{socket} } request_text('POST', '/', { %put, Expect => '100-continue', 'Content-Length' => length $large });
is(read_reply($connection)->{status}, 413, 'announced only');
my $small = '{"TableName":"Music","Item":{"p":{"S":"d"}}}';
is(exchange('POST', '/', { %put, 'Transfer-Encoding' => 'chunked' },
		sprintf("%x\r\n%s\r\n0\r\n\r\n", length $small, $small))->{status}, 200, 'chunks');

# a request whose end a proxy may see elsewhere: what follows is nobody's request
for my $headers (
	"Content-Length: 5\r\nTransfer-Encoding: chunked",
	"Content-Length: 5\r\nContent-Length: 0",
	'Transfer-Encoding: identity, chunked',
	"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked")
{
	$connection = connect_http($port);
	print { $connection->{socket} } "POST / HTTP/1.1\r\nHost: a\r\n$headers\r\n\r\n0\r\n\r\n"
	  . "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n";
	is(read_reply($connection)->{status}, 400, ($headers =~ s/\r\n/, /r) . ': refused');
	ok(!eval { read_reply($connection, 5) }, 'with the end of the connection');
}
$connection = connect_http($port);
print { $connection->{socket} } "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n";
is(read_reply($connection)->{status}, 200, 'one length told twice is no doubt');

# Expect: 100-continue, one byte after another
$connection = connect_http($port);
print { $connection->{socket} } request_text('POST', '/', { %put, Expect => '100-continue', 'Content-Length' => length $small });
is(read_reply($connection)->{status}, 100, 'continue');
print { $connection->{socket} } $_ for split //, $small;
is(read_reply($connection)->{status}, 200, 'then the reply');

# pipelining: replies in the order of requests
$connection = connect_http($port);
my $keys = join '', map {
	request_text('POST', '/', { %put, 'X-Amz-Target' => 'DynamoDB_20120810.PutItem' },
		qq({"TableName":"Music","Item":{"p":{"S":"pipe"},"n":{"N":"$_"}},"ReturnValues":"ALL_OLD"}))
} 0 .. 20;
print { $connection->{socket} } $keys;
my @seen = map { read_reply($connection)->{json} } 0 .. 20;
is(join(' ', map { $_->{Attributes} ? $_->{Attributes}{n}{N} : 'none' } @seen),
	join(' ', 'none', 0 .. 19), 'pipelined requests');

# what no client should send
for my $garbage ("\0" x 100, "GET\r\n\r\n", "POST / HTTP/9.9\r\n\r\n", "A" x 40000 . "\r\n\r\n",
	"POST / HTTP/1.1\r\nHost: a\r\nX: " . 'y' x 40000 . "\r\n\r\n",
	"POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n")
{
	my $wild = connect_http($port);
	print { $wild->{socket} } $garbage;
	shutdown $wild->{socket}, 1;
	eval { read_reply($wild, 10) };
}
is(call($port, 'ListTables', '{}')->{status}, 200, 'garbage hurts nobody');

# request line and headers: 16 KB together
for my $size ([ 14000, 200 ], [ 17000, 400 ])
{
	is(exchange('POST', '/', { %put, 'X-Padding' => 'y' x $size->[0] }, $small)->{status}, $size->[1], "headers of $size->[0] bytes");
}
is(exchange('POST', '/' . 'x' x 17000, \%put, $small)->{status}, 400, 'a request line of 17000 bytes');

# metrics
$reply = exchange('GET', '/metrics', {});
like($reply->{body}, qr/^dynamo_requests_total\{operation="PutItem"\} [1-9]/m, 'metrics: requests');
like($reply->{body}, qr/^dynamo_errors_total\{operation="PutItem",fault="client"\} [1-9]/m, 'errors');
like($reply->{body}, qr/^dynamo_request_seconds_bucket\{operation="GetItem",le="\+Inf"\} [1-9]/m, 'latency');

like($reply->{body}, qr/^dynamo_consumed_capacity_units_total\{table="Music",kind="write",worker="\d"\} [1-9]/m, 'capacity');

is($node->safe_psql('postgres', q{SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'dynamo http'}),
	'2', 'both workers live');
unlike(slurp_file($node->logfile), qr/terminated by signal|PANIC|exited with exit code/, 'none ever died');
$node->stop('fast');
done_testing();
