/*
 * guc.c
 *		The extension's settings, each defined once, in alphabetical order.
 */
#include "postgres.h"

#include <limits.h>

#include "miscadmin.h"
#include "utils/guc.h"

#include "guc.h"

char	   *dynamo_account_id;
char	   *dynamo_anonymous_role;
bool		dynamo_authentication;
int			dynamo_clock_offset;
char	   *dynamo_database;
int			dynamo_item_collection_limit;
char	   *dynamo_listen_addresses;
int			dynamo_lock_timeout;
int			dynamo_port;
char	   *dynamo_region;
char	   *dynamo_schema;
char	   *dynamo_ssl_cert_file;
char	   *dynamo_ssl_key_file;
int			dynamo_statement_timeout;
int			dynamo_stream_shards;
int			dynamo_ttl_interval;
int			dynamo_workers;

static bool
check_account_id(char **newval, void **extra, GucSource source)
{
	if (strlen(*newval) == 12 && strspn(*newval, "0123456789") == 12)
		return true;
	GUC_check_errdetail("An AWS account id has 12 digits.");
	return false;
}

static bool
check_region(char **newval, void **extra, GucSource source)
{
	size_t		length = strlen(*newval);

	if (length > 0 && length < 64 &&
		strspn(*newval, "abcdefghijklmnopqrstuvwxyz0123456789-") == length)
		return true;
	GUC_check_errdetail("A Region's name consists of lower-case letters, digits and hyphens.");
	return false;
}

/*
 * Settings of the server's start can be defined only then.  A session that loads
 * the library by itself defines them all the same, so that they are known.
 */
static GucContext
start_context(void)
{
	return process_shared_preload_libraries_in_progress ? PGC_POSTMASTER : PGC_SIGHUP;
}

static void
define_http_settings(void)
{
	DefineCustomStringVariable("dynamo.anonymous_role",
							   "Role of all HTTP requests when dynamo.authentication is off.",
							   NULL,
							   &dynamo_anonymous_role,
							   "",
							   PGC_SIGHUP, 0,
							   NULL, NULL, NULL);

	DefineCustomBoolVariable("dynamo.authentication",
							 "Checks the signature of HTTP requests.",
							 "May be off only while all of dynamo.listen_addresses are loopback addresses.",
							 &dynamo_authentication,
							 true,
							 start_context(), 0,
							 NULL, NULL, NULL);

	DefineCustomStringVariable("dynamo.listen_addresses",
							   "Host names or IP addresses the HTTP endpoint listens on.",
							   "Separated by commas; * stands for all.",
							   &dynamo_listen_addresses,
							   "localhost",
							   start_context(), 0,
							   NULL, NULL, NULL);

	DefineCustomIntVariable("dynamo.lock_timeout",
							"How long an HTTP request may wait for locks.",
							NULL,
							&dynamo_lock_timeout,
							5000, 1, INT_MAX / 2,
							PGC_SIGHUP, GUC_UNIT_MS,
							NULL, NULL, NULL);

	DefineCustomIntVariable("dynamo.port",
							"TCP port of the HTTP endpoint.",
							"0 switches it off.",
							&dynamo_port,
							8000, 0, 65535,
							start_context(), 0,
							NULL, NULL, NULL);

	DefineCustomStringVariable("dynamo.ssl_cert_file",
							   "Certificate of the HTTP endpoint, which then speaks https.",
							   "Relative to the data directory.",
							   &dynamo_ssl_cert_file,
							   "",
							   PGC_SIGHUP, 0,
							   NULL, NULL, NULL);

	DefineCustomStringVariable("dynamo.ssl_key_file",
							   "Private key of the HTTP endpoint.",
							   "Relative to the data directory.",
							   &dynamo_ssl_key_file,
							   "",
							   PGC_SIGHUP, 0,
							   NULL, NULL, NULL);

	DefineCustomIntVariable("dynamo.statement_timeout",
							"How long an HTTP request may run.",
							NULL,
							&dynamo_statement_timeout,
							20000, 1, INT_MAX / 2,
							PGC_SIGHUP, GUC_UNIT_MS,
							NULL, NULL, NULL);

	DefineCustomIntVariable("dynamo.workers",
							"Processes of the HTTP endpoint.",
							"They count against max_worker_processes, as the other workers do.",
							&dynamo_workers,
							2, 1, 64,
							start_context(), 0,
							NULL, NULL, NULL);
}

static void
define_table_settings(void)
{
	DefineCustomStringVariable("dynamo.account_id",
							   "Account id in the ARNs of tables.",
							   NULL,
							   &dynamo_account_id,
							   "000000000000",
							   PGC_USERSET, 0,
							   check_account_id, NULL, NULL);

	DefineCustomIntVariable("dynamo.item_collection_limit",
							"Largest size of an item collection of a table with local secondary indexes.",
							"All items of one partition key, with their entries in local indexes.",
							&dynamo_item_collection_limit,
							10 * 1024 * 1024, 1, INT_MAX,
							PGC_USERSET, GUC_UNIT_KB,
							NULL, NULL, NULL);

	DefineCustomStringVariable("dynamo.region",
							   "Region in the ARNs of tables.",
							   NULL,
							   &dynamo_region,
							   "us-east-1",
							   PGC_USERSET, 0,
							   check_region, NULL, NULL);

	DefineCustomStringVariable("dynamo.schema",
							   "Schema of the item tables.",
							   NULL,
							   &dynamo_schema,
							   "ddb",
							   PGC_USERSET, 0,
							   NULL, NULL, NULL);

	DefineCustomIntVariable("dynamo.stream_shards",
							"Shards of a new stream.",
							"A stream of a table with provisioned throughput has as many as that throughput needs partitions, if these are fewer.",
							&dynamo_stream_shards,
							4, 1, STREAM_SHARDS_MAX,
							PGC_USERSET, 0,
							NULL, NULL, NULL);
}

void
guc_init(void)
{
	define_http_settings();
	define_table_settings();

	DefineCustomIntVariable("dynamo.clock_offset",
							"Shifts the time by which streams are trimmed and items expire.",
							"For tests.",
							&dynamo_clock_offset,
							0, 0, PG_INT32_MAX,
							PGC_SUSET, GUC_UNIT_S | GUC_NO_SHOW_ALL | GUC_NOT_IN_SAMPLE,
							NULL, NULL, NULL);

	DefineCustomStringVariable("dynamo.database",
							   "Database that background workers and the HTTP endpoint use.",
							   NULL,
							   &dynamo_database,
							   "postgres",
							   start_context(), 0,
							   NULL, NULL, NULL);

	DefineCustomIntVariable("dynamo.ttl_interval",
							"How often expired items are deleted.",
							NULL,
							&dynamo_ttl_interval,
							60, 1, INT_MAX / 1000,
							PGC_SIGHUP, GUC_UNIT_S,
							NULL, NULL, NULL);

	MarkGUCPrefixReserved("dynamo");
}
