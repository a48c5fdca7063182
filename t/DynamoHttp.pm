# What the tests of the HTTP endpoint share: a client that sends exactly what
# it is told, and AWS signatures.
package DynamoHttp;

use strict;
use warnings;

use Digest::SHA qw(sha256_hex hmac_sha256 hmac_sha256_hex);
use Exporter 'import';
use IO::Select;
use IO::Socket::INET;
use JSON::PP;
use POSIX qw(strftime);
use PostgreSQL::Test::Cluster;
use Time::HiRes qw(sleep time);

our @EXPORT = qw(free_port configure_endpoint start_endpoint wait_for_endpoint connect_http send_request
  read_reply call amz_date signed_headers request_text wait_until);

# A port on which nobody listens, below those that the system takes for the
# clients' end of connections: such a connection could have it when the endpoint
# is to be started, or started again.
sub free_port
{
	for (1 .. 1000)
	{
		my $port = 20000 + int(rand(12000));
		return $port if IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1', LocalPort => $port, ReuseAddr => 1);
	}
	die 'no free port';
}

# Initializes a node with an endpoint; returns its port.
sub configure_endpoint
{
	my ($node, $settings) = @_;
	my $port = free_port();

	$node->init(extra => [ '--encoding=UTF8', '--locale=C' ], allows_streaming => 1);
	$node->append_conf('postgresql.conf', <<"END" . ($settings || ''));
shared_preload_libraries = 'dynamo'
max_worker_processes = 8
dynamo.port = $port
dynamo.listen_addresses = '127.0.0.1'
dynamo.workers = 2
dynamo.authentication = off
dynamo.anonymous_role = '@{[ (getpwuid $<)[0] ]}'
END
	return $port;
}

# The same, started and serving.
sub start_endpoint
{
	my ($node, $settings) = @_;
	my $port = configure_endpoint($node, $settings);

	$node->start;
	wait_for_endpoint($port);
	return $port;
}

# Calls the code until it returns true; false after too long a time.
sub wait_until
{
	my ($code, $seconds) = @_;
	my $end = time + ($seconds || 60);

	while (time < $end)
	{
		my $result = eval { $code->() };
		return $result if $result;
		sleep 0.05;
	}
	return 0;
}

sub wait_for_endpoint
{
	my ($port) = @_;
	wait_until(sub { connect_http($port) }) or die "nobody listens on port $port";
}

sub connect_http
{
	my ($port) = @_;
	my $socket = IO::Socket::INET->new(
		PeerAddr => '127.0.0.1',
		PeerPort => $port,
		Proto => 'tcp') or die "port $port: $@";
	$socket->autoflush(1);
	return { socket => $socket, buffer => '' };
}

# A request as text: headers are added to, or replace, those of an operation.
sub request_text
{
	my ($method, $path, $headers, $body) = @_;
	my %all = (Host => 'localhost', %$headers);

	$all{'Content-Length'} = length $body
	  if defined $body && !exists $all{'Transfer-Encoding'} && !exists $all{'Content-Length'};
	return join("\r\n", "$method $path HTTP/1.1",
		(map { "$_: $all{$_}" } grep { defined $all{$_} } sort keys %all), '', '')
	  . (defined $body ? $body : '');
}

sub send_request
{
	my ($connection, @request) = @_;
	my $socket = $connection->{socket};
	my $text = request_text(@request);

	print $socket $text or die "send: $!";
}

sub fill
{
	my ($connection, $end) = @_;
	my $left = $end - time;

	die "no reply in time" if $left <= 0 || !IO::Select->new($connection->{socket})->can_read($left);
	my $got = sysread($connection->{socket}, $connection->{buffer}, 65536, length $connection->{buffer});
	die "connection closed" unless $got;
}

# The next reply on the connection: status, headers (lower case), body, json.
sub read_reply
{
	my ($connection, $seconds) = @_;
	my $end = time + ($seconds || 60);
	my %reply;

	fill($connection, $end) while $connection->{buffer} !~ /\r\n\r\n/;
	$connection->{buffer} =~ s/^(.*?)\r\n\r\n//s;
	my ($line, @lines) = split /\r\n/, $1;
	($reply{status}) = $line =~ m{^HTTP/1\.1 (\d+)} or die "no status line: $line";
	$reply{headers} = { map { /^([^:]+):\s*(.*?)\s*$/ ? (lc $1, $2) : () } @lines };
	my $length = $reply{headers}{'content-length'} || 0;
	fill($connection, $end) while length $connection->{buffer} < $length;
	$reply{body} = substr $connection->{buffer}, 0, $length, '';
	$reply{json} = eval { decode_json($reply{body}) };
	return \%reply;
}

sub amz_date
{
	my ($seconds) = @_;
	return strftime('%Y%m%dT%H%M%SZ', gmtime(defined $seconds ? $seconds : CORE::time));
}

# Headers of an operation, signed: options id, secret, region, service, date,
# and headers to sign as well.
sub signed_headers
{
	my ($operation, $body, %option) = @_;
	my $date = $option{date} || amz_date();
	my $day = substr $date, 0, 8;
	my %headers = (
		Host => 'localhost',
		'Content-Type' => 'application/x-amz-json-1.0',
		'X-Amz-Target' => "DynamoDB_20120810.$operation",
		'X-Amz-Date' => $date,
		%{ $option{headers} || {} });
	my %lower = map { lc $_ => $headers{$_} } keys %headers;
	my $names = join ';', sort keys %lower;
	my $canonical = join "\n", 'POST', '/', '',
	  (map { "$_:$lower{$_}" } sort keys %lower), '', $names, sha256_hex($body);
	my @scope = ($day, $option{region} || 'us-east-1', $option{service} || 'dynamodb', 'aws4_request');
	my $to_sign = join "\n", 'AWS4-HMAC-SHA256', $date, join('/', @scope), sha256_hex($canonical);
	my $key = 'AWS4' . (defined $option{secret} ? $option{secret} : 'test');

	$key = hmac_sha256($_, $key) for @scope;
	$headers{Authorization} =
	  'AWS4-HMAC-SHA256 Credential=' . join('/', $option{id} || 'test', @scope)
	  . ", SignedHeaders=$names, Signature=" . hmac_sha256_hex($to_sign, $key);
	return \%headers;
}

# One operation on a connection of its own; unsigned unless an id is given.
sub call
{
	my ($port, $operation, $request, %option) = @_;
	my $body = ref $request ? encode_json($request) : $request;
	my $connection = connect_http($port);

	send_request($connection, 'POST', '/',
		$option{id}
		? signed_headers($operation, $body, %option)
		: {
			'Content-Type' => 'application/x-amz-json-1.0',
			'X-Amz-Target' => "DynamoDB_20120810.$operation",
			%{ $option{headers} || {} } },
		$body);
	return read_reply($connection, $option{seconds});
}

1;
