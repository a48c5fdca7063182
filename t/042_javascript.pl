# The AWS SDK for JavaScript, version 3.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/clients";

use Endpoint;
use Test::More;

# a request gives up on a lock soon, so that the SDK's own retries are seen
my $endpoint = Endpoint->new('dynamo.lock_timeout' => '100ms');

$endpoint->run_tests('node', '--test-reporter=tap', $endpoint->script('javascript_sdk.js'));
$endpoint->node->stop;
done_testing();
