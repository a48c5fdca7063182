-- DescribeLimits, DescribeEndpoints
SELECT dynamo.describe_limits('{}');
SELECT dynamo.describe_endpoints('{}');
