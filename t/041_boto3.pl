# The AWS SDK for Python.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::RealBin/clients";

use Endpoint;
use Test::More;

my $endpoint = Endpoint->new;
# Debian's boto3 belongs to Debian's Python
my $python = -x '/usr/bin/python3' ? '/usr/bin/python3' : 'python3';

$endpoint->run_tests($python, '-B', $endpoint->script('python_sdk.py'));
$endpoint->node->stop;
done_testing();
