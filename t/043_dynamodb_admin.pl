# dynamodb-admin, a web interface for DynamoDB, in a browser.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/clients";

use Endpoint;
use PostgreSQL::Test::Cluster;
use Test::More;

my ($browser) = grep { -x } map { ("$_/chromium", "$_/chromium-browser") } split /:/, $ENV{PATH};
plan skip_all => 'Chromium is missing' unless $browser;

my $endpoint = Endpoint->new;

local $ENV{BROWSER} = $browser;
local $ENV{ADMIN_PORT} = DynamoHttp::free_port();
$endpoint->run_tests('node', '--test-reporter=tap', $endpoint->script('browser.js'));
$endpoint->node->stop;
done_testing();
