/*
 * metrics.c
 *		Counters of the endpoint, in Prometheus's text format.
 *
 * Each worker writes its own counters, whoever asks adds them up: no locks.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "port/atomics.h"
#include "utils/timestamp.h"

#include "guc.h"
#include "http/metrics.h"
#include "http/reply.h"
#include "operation/capacity.h"
#include "operation/operation.h"
#include "worker/worker.h"

#define CONTENT_PROMETHEUS "text/plain; version=0.0.4"

/* Upper bounds of the latency histogram, in microseconds; what is longer has a bucket of its own. */
static const int64 bounds[] = {
	250, 500, 1000, 2500, 5000, 10000, 25000, 50000, 100000, 250000, 1000000, 5000000
};

#define BOUND_COUNT lengthof(bounds)

typedef struct OperationCounters
{
	uint64		requests;
	uint64		client_errors;	/* status 4xx */
	uint64		server_errors;	/* status 5xx */
	uint64		microseconds;
	uint64		buckets[BOUND_COUNT + 1];
} OperationCounters;

/* Consumed capacity of a table; what finds no place is added to the last one. */
#define MAX_TABLES 64
#define TABLE_NAME_SIZE 256
#define OTHER_TABLES ""

typedef struct TableCounters
{
	char		name[TABLE_NAME_SIZE];
	double		read_units;
	double		write_units;
} TableCounters;

/* of one worker, followed by one OperationCounters per operation */
typedef struct WorkerCounters
{
	uint64		connections;
	uint64		other_requests; /* that are no operation */
	uint32		table_count;	/* of tables[], written after the name is there */
	TableCounters tables[MAX_TABLES];
	OperationCounters operations[FLEXIBLE_ARRAY_MEMBER];
} WorkerCounters;

static char *all_counters = NULL;
static WorkerCounters *my_counters = NULL;
static bool counts_writes = false;	/* the running operation writes */

static Size
worker_size(void)
{
	return CACHELINEALIGN(offsetof(WorkerCounters, operations) +
						  sizeof(OperationCounters) * operation_count);
}

static WorkerCounters *
counters_of(int worker_number)
{
	return (WorkerCounters *) (all_counters + worker_size() * worker_number);
}

void
metrics_init(void)
{
	worker_reserve_memory("dynamo metrics", worker_size() * dynamo_workers,
						  (void **) &all_counters, NULL);
}

static TableCounters *
find_table(const char *name)
{
	uint32		count = my_counters->table_count;
	TableCounters *table;

	for (uint32 i = 0; i < count; i++)
	{
		if (strcmp(my_counters->tables[i].name, name) == 0)
			return &my_counters->tables[i];
	}
	if (count == MAX_TABLES)
		return &my_counters->tables[MAX_TABLES - 1];

	table = &my_counters->tables[count];
	strlcpy(table->name, count == MAX_TABLES - 1 ? OTHER_TABLES : name, TABLE_NAME_SIZE);
	pg_write_barrier();
	my_counters->table_count = count + 1;
	return table;
}

static void
count_capacity(const char *table_name, double units)
{
	TableCounters *table = find_table(table_name);

	if (counts_writes)
		table->write_units += units;
	else
		table->read_units += units;
}

void
metrics_start(int worker_number)
{
	my_counters = counters_of(worker_number);
	my_counters->connections = 0;
	capacity_observer = count_capacity;
}

void
metrics_operation(const HttpRequest *request)
{
	const char *name = request->operation->name;

	counts_writes = strstr(name, "Write") != NULL || strcmp(name, "PutItem") == 0 ||
		strcmp(name, "UpdateItem") == 0 || strcmp(name, "DeleteItem") == 0;
}

void
metrics_connections(int count)
{
	my_counters->connections = count;
}

void
metrics_count(const HttpRequest *request)
{
	OperationCounters *counters;
	int64		elapsed;
	int			bucket = 0;

	if (request->operation == NULL)
	{
		my_counters->other_requests++;
		return;
	}
	counters = &my_counters->operations[request->operation - operations];
	elapsed = Max(GetCurrentTimestamp() - request->received, 0);
	while (bucket < BOUND_COUNT && elapsed > bounds[bucket])
		bucket++;

	counters->requests++;
	counters->microseconds += elapsed;
	counters->buckets[bucket]++;
	if (request->status >= 500)
		counters->server_errors++;
	else if (request->status >= 400)
		counters->client_errors++;
}

/* ---- the page ---- */

static void
append_head(StringInfo page, const char *name, const char *type, const char *help)
{
	appendStringInfo(page, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void
sum_operation(OperationCounters *sum, int operation)
{
	memset(sum, 0, sizeof(*sum));
	for (int worker = 0; worker < dynamo_workers; worker++)
	{
		OperationCounters *one = &counters_of(worker)->operations[operation];

		sum->requests += one->requests;
		sum->client_errors += one->client_errors;
		sum->server_errors += one->server_errors;
		sum->microseconds += one->microseconds;
		for (int bucket = 0; bucket <= BOUND_COUNT; bucket++)
			sum->buckets[bucket] += one->buckets[bucket];
	}
}

static void
append_histogram(StringInfo page, const char *operation, const OperationCounters *sum)
{
	uint64		below = 0;

	for (int bucket = 0; bucket < BOUND_COUNT; bucket++)
	{
		below += sum->buckets[bucket];
		appendStringInfo(page, "dynamo_request_seconds_bucket{operation=\"%s\",le=\"%g\"} " UINT64_FORMAT "\n",
						 operation, bounds[bucket] / 1e6, below);
	}
	below += sum->buckets[BOUND_COUNT];
	appendStringInfo(page, "dynamo_request_seconds_bucket{operation=\"%s\",le=\"+Inf\"} " UINT64_FORMAT "\n",
					 operation, below);
	appendStringInfo(page, "dynamo_request_seconds_sum{operation=\"%s\"} %.6f\n",
					 operation, sum->microseconds / 1e6);
	appendStringInfo(page, "dynamo_request_seconds_count{operation=\"%s\"} " UINT64_FORMAT "\n",
					 operation, below);
}

static void
append_operations(StringInfo page)
{
	OperationCounters *sums = palloc(sizeof(OperationCounters) * operation_count);

	for (int i = 0; i < operation_count; i++)
		sum_operation(&sums[i], i);

	append_head(page, "dynamo_requests_total", "counter", "Requests answered.");
	for (int i = 0; i < operation_count; i++)
		appendStringInfo(page, "dynamo_requests_total{operation=\"%s\"} " UINT64_FORMAT "\n",
						 operations[i].name, sums[i].requests);

	append_head(page, "dynamo_errors_total", "counter", "Requests answered with an error.");
	for (int i = 0; i < operation_count; i++)
	{
		appendStringInfo(page, "dynamo_errors_total{operation=\"%s\",fault=\"client\"} " UINT64_FORMAT "\n",
						 operations[i].name, sums[i].client_errors);
		appendStringInfo(page, "dynamo_errors_total{operation=\"%s\",fault=\"server\"} " UINT64_FORMAT "\n",
						 operations[i].name, sums[i].server_errors);
	}

	append_head(page, "dynamo_request_seconds", "histogram",
				"Time from the last byte of a request to its reply.");
	for (int i = 0; i < operation_count; i++)
	{
		if (sums[i].requests > 0)
			append_histogram(page, operations[i].name, &sums[i]);
	}
}

/* A series per worker, for whoever reads them to add up; table names need no escaping. */
static void
append_capacity(StringInfo page)
{
	append_head(page, "dynamo_consumed_capacity_units_total", "counter",
				"Capacity units consumed of a table.");
	for (int worker = 0; worker < dynamo_workers; worker++)
	{
		WorkerCounters *counters = counters_of(worker);
		uint32		count = counters->table_count;

		pg_read_barrier();
		for (uint32 i = 0; i < count; i++)
		{
			TableCounters *table = &counters->tables[i];

			appendStringInfo(page, "dynamo_consumed_capacity_units_total{table=\"%s\",kind=\"read\",worker=\"%d\"} %.1f\n",
							 table->name, worker, table->read_units);
			appendStringInfo(page, "dynamo_consumed_capacity_units_total{table=\"%s\",kind=\"write\",worker=\"%d\"} %.1f\n",
							 table->name, worker, table->write_units);
		}
	}
}

void
metrics_reply(HttpRequest *request)
{
	StringInfoData page;
	uint64		connections = 0;
	uint64		other = 0;

	for (int worker = 0; worker < dynamo_workers; worker++)
	{
		connections += counters_of(worker)->connections;
		other += counters_of(worker)->other_requests;
	}

	initStringInfo(&page);
	append_head(&page, "dynamo_connections", "gauge", "Open HTTP connections.");
	appendStringInfo(&page, "dynamo_connections " UINT64_FORMAT "\n", connections);
	append_head(&page, "dynamo_other_requests_total", "counter", "Requests that are no operation.");
	appendStringInfo(&page, "dynamo_other_requests_total " UINT64_FORMAT "\n", other);
	append_operations(&page);
	append_capacity(&page);
	reply_compose(request, MHD_HTTP_OK, CONTENT_PROMETHEUS, page.data, page.len);
}
