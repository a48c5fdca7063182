/*
 * account.c
 *		DescribeLimits, DescribeEndpoints.
 */
#include "postgres.h"

#include "operation/account.h"
#include "operation/operation.h"
#include "operation/response.h"

#define ENDPOINT_CACHE_MINUTES 1440

const char *account_endpoint = NULL;

/*
 * DynamoDB's own defaults: nothing is limited here, but programs compute with
 * the figures.
 */
void
describe_limits(const cJSON *request, JsonWriter *response)
{
	response_open(response, NULL, '{');
	response_integer(response, "AccountMaxReadCapacityUnits", 80000);
	response_integer(response, "AccountMaxWriteCapacityUnits", 80000);
	response_integer(response, "TableMaxReadCapacityUnits", 40000);
	response_integer(response, "TableMaxWriteCapacityUnits", 40000);
	response_close(response, '}');
}

void
describe_endpoints(const cJSON *request, JsonWriter *response)
{
	response_open(response, NULL, '{');
	response_open(response, "Endpoints", '[');
	response_open(response, NULL, '{');
	response_string(response, "Address", account_endpoint ? account_endpoint : "localhost");
	response_integer(response, "CachePeriodInMinutes", ENDPOINT_CACHE_MINUTES);
	response_close(response, '}');
	response_close(response, ']');
	response_close(response, '}');
}
