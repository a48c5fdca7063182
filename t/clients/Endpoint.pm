# A cluster with the HTTP endpoint on a free port, and client programs run
# against it.  They sign their requests with the key of role "tenant".
package Endpoint;

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename;
use IO::Socket::INET;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $clients;

BEGIN
{
	$clients = dirname(abs_path(__FILE__));
}
use lib dirname($clients);
use DynamoHttp qw(free_port);

# Starts the cluster; further settings go into postgresql.conf.
sub new
{
	my ($class, %settings) = @_;
	my $node = PostgreSQL::Test::Cluster->new('endpoint');
	my $port = free_port();
	my %all = (
		'shared_preload_libraries' => 'dynamo',
		'dynamo.port' => $port,
		'dynamo.workers' => 2,
		%settings);
	my $self = bless {
		node => $node,
		port => $port,
		url => "http://127.0.0.1:$port" }, $class;

	$node->init;
	$node->append_conf('postgresql.conf', join("\n", map { "$_ = '$all{$_}'" } sort keys %all));
	$node->start;
	$node->safe_psql('postgres', q{
		CREATE EXTENSION dynamo;
		CREATE ROLE tenant;
		GRANT USAGE, CREATE ON SCHEMA ddb TO tenant;
		SELECT dynamo.create_access_key('tenant', id => 'test', secret => 'test');
	});
	$self->await;
	return $self;
}

# Until somebody listens on the port.
sub await
{
	my ($self) = @_;

	for (1 .. 20 * $PostgreSQL::Test::Utils::timeout_default)
	{
		return if IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $self->{port}, Timeout => 5);
		usleep(50_000);
	}
	BAIL_OUT("nobody listens on port $self->{port}");
}

sub node { return $_[0]->{node}; }
sub url { return $_[0]->{url}; }

# The path of a client program in this folder.
sub script { return "$clients/$_[1]"; }

# Where npm has put the packages of package.json.
sub node_modules
{
	return $ENV{NODE_PATH} || dirname(dirname($clients)) . '/build/clients/node_modules';
}

# Does this build have the operation, named as its SQL function?
sub has_operation
{
	my ($self, $function) = @_;
	return $self->{node}->safe_psql('postgres',
		"SELECT count(*) > 0 FROM pg_proc WHERE proname = '$function' AND pronamespace = 'dynamo'::regnamespace") eq 't';
}

# What a client program finds in its environment: credentials and Region as an
# AWS program reads them, the endpoint, a way into the database, and no way out
# of the machine.
sub environment
{
	my ($self) = @_;
	my %own = (
		AWS_ACCESS_KEY_ID => 'test',
		AWS_SECRET_ACCESS_KEY => 'test',
		AWS_DEFAULT_REGION => 'us-east-1',
		AWS_REGION => 'us-east-1',
		AWS_EC2_METADATA_DISABLED => 'true',
		AWS_PAGER => '',
		CONNECTION => $self->{node}->connstr('postgres'),
		ENDPOINT => $self->{url},
		HOME => $PostgreSQL::Test::Utils::tmp_check,
		NODE_PATH => node_modules(),
		NO_COLOR => '1',
		no_proxy => '*');
	my %inherited = map { $_ => $ENV{$_} } grep { !/^(AWS_|https?_proxy$|all_proxy$|BOTO)/i } keys %ENV;

	return (%inherited, %own);
}

# Runs a command to its end; returns status, standard output and standard error.
sub run
{
	my ($self, @command) = @_;
	my ($out, $err) = ('', '');

	local %ENV = $self->environment;
	IPC::Run::run(\@command, '<', \undef, '>', \$out, '2>', \$err, IPC::Run::timeout(300));
	return ($? >> 8 || $?, $out, $err);
}

# Runs a client program that speaks TAP: each of its tests becomes one here.
sub run_tests
{
	my ($self, @command) = @_;
	my ($status, $out, $err) = $self->run(@command);
	my $count = 0;

	while ($out =~ /^(not )?ok\b(?: \d+)?(?: - )?(.*)$/mg)
	{
		my ($fine, $name) = (!$1, $2);
		$count++;
	  SKIP:
		{
			skip $name, 1 if $name =~ s/\s*# skip\s*/: left out /i;
			ok($fine, $name);
		}
	}
	cmp_ok($count, '>', 0, 'tests ran');
	is($status, 0, 'the client program ended well');
	diag($out, $err) if $status;
}

1;
