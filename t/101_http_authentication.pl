# Signatures, access keys, and what a key's role and schema decide.
use strict;
use warnings;

use Digest::SHA qw(sha256_hex hmac_sha256 hmac_sha256_hex);
use File::Basename;
use JSON::PP;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib dirname(__FILE__);
use DynamoHttp;

my $node = PostgreSQL::Test::Cluster->new('http_authentication');
my $port = start_endpoint($node, "dynamo.authentication = on\n");
my $service = 'com.amazon.coral.service#';
my $reply;

$node->safe_psql('postgres', <<'END');
CREATE EXTENSION dynamo;
CREATE ROLE shop LOGIN;
CREATE ROLE reader;
CREATE ROLE tenant_a;
CREATE ROLE tenant_b;
CREATE SCHEMA warehouse AUTHORIZATION shop;
GRANT CREATE, USAGE ON SCHEMA ddb TO shop;
GRANT USAGE ON SCHEMA ddb TO reader, tenant_a, tenant_b;
SELECT dynamo.create_access_key('shop', id => 'test', secret => 'test');
SELECT dynamo.create_access_key('shop', 'warehouse', id => 'house', secret => 'test');
SELECT dynamo.create_access_key('reader', id => 'reader', secret => 'test');
SELECT dynamo.create_access_key('tenant_a', id => 'a', secret => 'test');
SELECT dynamo.create_access_key('tenant_b', id => 'b', secret => 'test');
END

# headers of a good request, changed by the code, as the body is if it is given
sub changed
{
	my ($change, %option) = @_;
	my $body = '{}';
	my $headers = signed_headers('ListTables', $body, id => 'test', %option);
	my $connection = connect_http($port);

	$change->($headers) if $change;
	send_request($connection, 'POST', $option{path} || '/', $headers, defined $option{body} ? $option{body} : $body);
	return read_reply($connection);
}

sub refused
{
	my ($answer, $type, $message, $name) = @_;
	is($answer->{status}, 400, "$name: refused");
	is($answer->{json}{__type}, "$service$type", "$name: $type");
	like($answer->{json}{message}, $message, "$name: message");
}

# made-up keys
my ($id, $secret) = split /\|/, $node->safe_psql('postgres', q{SELECT * FROM dynamo.create_access_key('shop')});
like($id, qr/^[A-Z2-7]{20}$/, 'an id of 20 characters');
is(length $secret, 40, 'a secret of 40');
is(call($port, 'ListTables', '{}', id => $id, secret => $secret)->{status}, 200, 'made-up key');
is(call($port, 'ListTables', '{}', id => 'test')->{status}, 200, 'given key');

# what is wrong
refused(call($port, 'ListTables', '{}'), 'MissingAuthenticationTokenException', qr/missing/i, 'no signature');
refused(changed(undef, secret => 'wrong'), 'InvalidSignatureException',
	qr/does not match.*canonical string.*'POST/si, 'wrong secret');
refused(changed(undef, id => 'nobody'), 'UnrecognizedClientException', qr/security token/, 'unknown key');
refused(changed(undef, body => '{ }'), 'InvalidSignatureException', qr/does not match/, 'another body');
refused(changed(undef, path => '/?a=b'), 'InvalidSignatureException', qr/does not match/, 'another query');
refused(changed(sub { $_[0]{'X-Amz-Target'} = 'DynamoDB_20120810.DescribeLimits' }),
	'InvalidSignatureException', qr/does not match/, 'another signed header');
refused(changed(undef, id => 'nobody', date => amz_date(time - 1000)),
	'InvalidSignatureException', qr/^Signature expired/, 'old date before unknown key');
refused(changed(undef, id => 'nobody', date => amz_date(time + 1000)),
	'InvalidSignatureException', qr/^Signature not yet current/, 'future date');
is(changed(undef, date => amz_date(time - 800))->{status}, 200, 'fourteen minutes of skew');
is(changed(undef, date => amz_date(time + 800))->{status}, 200, 'in both directions');
refused(changed(undef, date => '2017'), 'IncompleteSignatureException', qr/ISO-8601/, 'no date');
refused(changed(undef, region => 'eu-west-1'), 'InvalidSignatureException', qr/valid region/, 'another Region');
refused(changed(undef, service => 's3'), 'InvalidSignatureException', qr/correct service/, 'another service');
refused(changed(sub { $_[0]{Authorization} = 'AWS4-HMAC-SHA256 Credential=a' }),
	'IncompleteSignatureException', qr/'Signature' parameter.*'SignedHeaders'/, 'parts missing');
refused(changed(sub { $_[0]{Authorization} = 'AWS4-HMAC-SHA256 Credential' }),
	'IncompleteSignatureException', qr/key=value/, 'no pairs');
refused(changed(sub { $_[0]{Authorization} = 'Bearer x' }),
	'MissingAuthenticationTokenException', qr/missing/i, 'another scheme');
refused(changed(sub { $_[0]{Authorization} =~ s/SHA256/SHA512/ }),
	'IncompleteSignatureException', qr/algorithm/, 'another algorithm');
refused(changed(sub { $_[0]{Authorization} =~ s{/aws4_request}{} }),
	'IncompleteSignatureException', qr/5 slash-delimited/, 'short credential');
refused(changed(sub { $_[0]{Authorization} =~ s/host;// }),
	'InvalidSignatureException', qr/'Host' must be/, 'host not signed');
refused(changed(sub { $_[0]{'X-Amz-Security-Token'} = 'x' }),
	'InvalidSignatureException', qr/X-Amz-Security-Token/, 'token not signed');
is(changed(undef, headers => { 'X-Amz-Security-Token' => 'x' })->{status}, 200, 'token signed');
refused(changed(undef, headers => { 'X-Amz-Content-Sha256' => 'UNSIGNED-PAYLOAD' }, body => '{ }'),
	'InvalidSignatureException', qr/does not match/, 'UNSIGNED-PAYLOAD does not exempt the body');

# what proxies may change
is(changed(sub { $_[0]{'Content-Type'} .= '   ' })->{status}, 200, 'blanks after a value');
is(changed(sub { $_[0]{'Content-Type'} = '   ' . $_[0]{'Content-Type'} })->{status}, 200, 'blanks before');
is(changed(sub { $_[0]{'X-Note'} = 'a    b' }, headers => { 'X-Note' => 'a b' })->{status}, 200, 'blanks inside');
is(changed(sub { $_[0]{'cOnTeNt-TyPe'} = delete $_[0]{'Content-Type'} })->{status}, 200, 'case of names');
is(changed(sub { $_[0]{Authorization} =~ s/, /,/g })->{status}, 200, 'no blanks in Authorization');

# the query form
sub presigned
{
	my (%option) = @_;
	my $date = amz_date($option{time});
	my $scope = substr($date, 0, 8) . '/us-east-1/dynamodb/aws4_request';
	my $query = join '&', 'X-Amz-Algorithm=AWS4-HMAC-SHA256', 'X-Amz-Credential=test%2F' . $scope =~ s{/}{%2F}gr,
	  "X-Amz-Date=$date", 'X-Amz-Expires=60', 'X-Amz-SignedHeaders=host';
	my $to_sign = join "\n", 'AWS4-HMAC-SHA256', $date, $scope,
	  sha256_hex(join "\n", 'POST', '/', $query, 'host:localhost', '', 'host', sha256_hex('{}'));
	my $key = 'AWS4test';
	my $connection = connect_http($port);

	$key = hmac_sha256($_, $key) for split m{/}, $scope;
	$query .= '&X-Amz-Signature=' . hmac_sha256_hex($to_sign, $key);
	send_request($connection, 'POST', "/?$query", {
			'Content-Type' => 'application/x-amz-json-1.0',
			'X-Amz-Target' => 'DynamoDB_20120810.ListTables',
			%{ $option{headers} || {} } }, defined $option{body} ? $option{body} : '{}');
	return read_reply($connection);
}
is(presigned()->{status}, 200, 'presigned');
refused(presigned(body => '{ }'), 'InvalidSignatureException', qr/does not match/, 'presigned, another body');
refused(presigned(time => time - 70), 'InvalidSignatureException', qr/^Signature expired/, 'presigned, expired');
refused(presigned(headers => { Authorization => 'AWS4-HMAC-SHA256 x' }),
	'InvalidSignatureException', qr/both/, 'both forms');

# roles
my $create = {
	TableName => 'Orders',
	KeySchema => [ { AttributeName => 'p', KeyType => 'HASH' } ],
	AttributeDefinitions => [ { AttributeName => 'p', AttributeType => 'S' } ],
	BillingMode => 'PAY_PER_REQUEST' };
my $get = { TableName => 'Orders', Key => { p => { S => 'a#1' } } };
is(call($port, 'CreateTable', $create, id => 'test')->{status}, 200, 'the role creates a table');
is($node->safe_psql('postgres', q{SELECT tableowner FROM pg_tables WHERE tablename = 'Orders'}),
	'shop', 'and owns it');
is(call($port, 'CreateTable', { %$create, TableName => 'Other' }, id => 'reader')->{json}{__type}, "${service}AccessDeniedException",
	'no right to create');
refused(call($port, 'GetItem', $get, id => 'reader'), 'AccessDeniedException', qr/permission denied/, 'no right to read');
$node->safe_psql('postgres', 'GRANT SELECT ON ddb."Orders" TO reader');
is(call($port, 'GetItem', $get, id => 'reader')->{status}, 200, 'GRANT gives it');
refused(call($port, 'PutItem', { TableName => 'Orders', Item => { p => { S => 'x' } } }, id => 'reader'),
	'AccessDeniedException', qr/permission denied/, 'but not to write');

# row-level security: the leading part of the key is the tenant
$node->safe_psql('postgres', <<'END');
GRANT SELECT, INSERT, UPDATE, DELETE ON ddb."Orders" TO tenant_a, tenant_b;
ALTER TABLE ddb."Orders" ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON ddb."Orders" USING (p LIKE substr(current_user, 8) || '#%');
END
is(call($port, 'PutItem', { TableName => 'Orders', Item => { p => { S => 'a#1' } } }, id => 'a')->{status}, 200, 'a writes');
ok(call($port, 'GetItem', $get, id => 'a')->{json}{Item}, 'a reads');
is_deeply(call($port, 'GetItem', $get, id => 'b')->{json}, {}, 'b sees nothing');
is_deeply(call($port, 'Scan', { TableName => 'Orders' }, id => 'b')->{json}{Items}, [], 'nor by Scan');
refused(call($port, 'PutItem', { TableName => 'Orders', Item => { p => { S => 'a#2' } } }, id => 'b'),
	'AccessDeniedException', qr/row-level security/, 'b cannot write there');

# schemas
is(call($port, 'CreateTable', { %$create, TableName => 'Stock' }, id => 'house')->{status}, 200, 'a table in a schema of its own');
is($node->safe_psql('postgres', q{SELECT schemaname FROM pg_tables WHERE tablename = 'Stock'}), 'warehouse', 'is there');
is_deeply(call($port, 'ListTables', '{}', id => 'house')->{json}{TableNames}, ['Stock'], 'and only it');
is_deeply(call($port, 'ListTables', '{}', id => 'test')->{json}{TableNames}, ['Orders'], 'the other schema does not show it');
my $arn = call($port, 'DescribeTable', { TableName => 'Stock' }, id => 'house')->{json}{Table}{TableArn};
like($arn, qr/:(?!000000000000)\d{12}:table/, 'the schema has an account id of its own');

# who may make and see keys
my ($ret, $out, $err) = $node->psql('postgres', q{SELECT dynamo.create_access_key('reader')}, extra_params => [ '-U', 'shop' ]);
like($err, qr/must be (member of role|able to SET ROLE)/, 'no key for a role one is no member of');
($ret, $out, $err) = $node->psql('postgres', 'TABLE dynamo.credentials', extra_params => [ '-U', 'shop' ]);
like($err, qr/permission denied/, 'secrets are not for everyone');
is($node->safe_psql('postgres', q{SELECT string_agg(access_key_id, ' ' ORDER BY access_key_id) FROM dynamo.access_keys WHERE length(access_key_id) < 20},
		extra_params => [ '-U', 'shop' ]), 'house test', 'one sees the keys of roles one is member of');
($ret, $out, $err) = $node->psql('postgres', q{SELECT dynamo.create_access_key('shop', id => 'test', secret => 'x')});
like($err, qr/already exists/, 'an id is given once');
($ret, $out, $err) = $node->psql('postgres', q{SELECT dynamo.drop_access_key('reader')}, extra_params => [ '-U', 'shop' ]);
like($err, qr/must be (member of role|able to SET ROLE)/, 'nor may one drop it');

# keys go
$node->safe_psql('postgres', q{SELECT dynamo.drop_access_key('reader')});
refused(call($port, 'GetItem', $get, id => 'reader'), 'UnrecognizedClientException', qr/security token/, 'dropped key');
$node->safe_psql('postgres', q{DELETE FROM dynamo.credentials WHERE access_key_id = 'a'});
refused(call($port, 'GetItem', $get, id => 'a'), 'UnrecognizedClientException', qr/security token/, 'deleted key');
$node->safe_psql('postgres', q{DROP OWNED BY tenant_b; DROP ROLE tenant_b});
refused(call($port, 'GetItem', $get, id => 'b'), 'UnrecognizedClientException', qr/security token/, 'dropped role');

# without authentication
$node->stop('fast');
$node->append_conf('postgresql.conf', "dynamo.authentication = off\ndynamo.listen_addresses = '127.0.0.1,0.0.0.0'\n");
is($node->start(fail_ok => 1), 0, 'no start without authentication for everyone');
like(slurp_file($node->logfile), qr/FATAL:.*dynamo.authentication may be off only/, 'and the log says why');
$node->append_conf('postgresql.conf', "dynamo.listen_addresses = 'localhost'\ndynamo.anonymous_role = 'shop'\n");
$node->start;
wait_for_endpoint($port);
is(call($port, 'ListTables', '{}', id => 'any', secret => 'any', region => 'ddblocal')->{status}, 200, 'any key in any Region');
is(call($port, 'ListTables', '{}')->{status}, 200, 'or none');
$node->append_conf('postgresql.conf', "dynamo.anonymous_role = 'nobody at all'\n");
$node->reload;
ok(wait_until(sub { (call($port, 'ListTables', '{}')->{json}{__type} || '') eq "${service}AccessDeniedException" }),
	'a role that does not exist');
$node->stop('fast');
done_testing();
