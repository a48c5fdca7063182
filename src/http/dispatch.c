/*
 * dispatch.c
 *		The life of a request, from its last byte to its reply.
 *
 * A request is a transaction.  It runs, and commits, inside one try; its
 * memory is one context.  Requests that are ready are run one after another
 * with asynchronous commits, then one flush makes all of them durable, then
 * the replies go out.
 */
#include "postgres.h"

#include "access/xact.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/proc.h"
#include "tcop/tcopprot.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timeout.h"
#include "utils/timestamp.h"

#include "catalog/description.h"
#include "guc.h"
#include "http/compression.h"
#include "http/dispatch.h"
#include "http/durability.h"
#include "http/error_reply.h"
#include "http/identity.h"
#include "http/metrics.h"
#include "http/reply.h"
#include "http/route.h"
#include "http/zero_escape.h"
#include "item/json_tree.h"
#include "operation/account.h"
#include "operation/operation.h"
#include "worker/worker.h"

#define BATCH_MICROSECONDS	2000
#define FLUSH_DELAY_MICROSECONDS 1000
#define FIRST_LOCK_WAIT		5		/* ms in the lock manager before a request is put back */
#define SHORTEST_PAUSE		2		/* ms until it is tried again, doubled each time */
#define LONGEST_PAUSE		100
#define MAX_CONFLICTS		10		/* attempts after deadlocks and serialization failures */

/* Memory of the running request. */
static MemoryContext request_context = NULL;

/* Requests that were put back. */
static dlist_head waiting = DLIST_STATIC_INIT(waiting);

/* Replies composed, not sent. */
static dlist_head answered = DLIST_STATIC_INIT(answered);

/* The parsed request, in request_context. */
static const cJSON *request_tree = NULL;

void
dispatch_start(void)
{
	request_context = AllocSetContextCreate(TopMemoryContext, "dynamo request",
											ALLOCSET_DEFAULT_SIZES);
}

/* ---- one transaction ---- */

static const cJSON *
parse_body(const HttpRequest *request, const char *text, size_t length)
{
	cJSON	   *tree;

	text = zero_escape(text, &length);
	if (pg_encoding_verifymbstr(PG_UTF8, text, length) != length)
		serialization_error("%s", "");
	tree = json_tree_parse(text, length);
	if (tree == NULL || !cJSON_IsObject(tree))
		serialization_error("%s", "");
	return tree;
}

static void
check_extension(void)
{
	if (!OidIsValid(catalog_table_oid("tables", true)))
		dynamo_error(SERVICE_UNAVAILABLE, "Extension dynamo is not installed in database \"%s\"",
					 dynamo_database);
}

/*
 * The commit marks this worker's slot only if there is something to flush.
 */
static void
commit(HttpRequest *request)
{
	request->wrote = TransactionIdIsValid(GetTopTransactionIdIfAny());
	if (request->wrote)
		durability_commit_begins();
	CommitTransactionCommand();
	if (request->wrote)
		durability_commit_ended();
}

/* Everything of a request that touches the database. */
static void
run_transaction(HttpRequest *request, const char *text, size_t length)
{
	HttpIdentity identity;
	JsonWriter	response;

	SetCurrentStatementStartTimestamp();	/* now() */
	StartTransactionCommand();
	MemoryContextSwitchTo(request_context);
	LockTimeout = FIRST_LOCK_WAIT;
	enable_timeout_after(STATEMENT_TIMEOUT, dynamo_statement_timeout);

	check_extension();
	identity = identity_of_request(request);
	request_tree = parse_body(request, text, length);
	json_writer_begin_text(&response);

	identity_enter(&identity);
	PushActiveSnapshot(GetTransactionSnapshot());
	account_endpoint = connection_header(request, MHD_HTTP_HEADER_HOST);
	operation_run(request->operation, request_tree, &response);
	PopActiveSnapshot();
	identity_settle();
	disable_timeout(STATEMENT_TIMEOUT, false);
	commit(request);
	identity_leave();

	MemoryContextSwitchTo(request_context);
	zero_unescape(&response.text);
	route_reply(request, &response.text);
}

/*
 * After an error: whatever was begun is taken back.  The abort restores the
 * role and the settings.
 */
static ErrorData *
recover(void)
{
	ErrorData  *error;

	HOLD_INTERRUPTS();
	disable_timeout(STATEMENT_TIMEOUT, false);
	disable_timeout(LOCK_TIMEOUT, false);
	QueryCancelPending = false;
	MemoryContextSwitchTo(request_context);
	error = CopyErrorData();
	if (error_is_fault(error))
		EmitErrorReport();
	FlushErrorState();
	if (IsTransactionState())
		AbortCurrentTransaction();
	durability_commit_ended();
	MemoryContextSwitchTo(request_context);
	RESUME_INTERRUPTS();
	return error;
}

/* Try again later rather than report the error?  Then the request waits. */
static bool
put_back(HttpRequest *request, const ErrorData *error)
{
	ErrorRetry	retry = error_retry(error);
	TimestampTz now = GetCurrentTimestamp();
	long		pause;

	if (retry == RETRY_NEVER || (retry == RETRY_SOON && request->attempts >= MAX_CONFLICTS) ||
		TimestampDifferenceExceeds(request->received, now, dynamo_lock_timeout))
		return false;

	pause = Min(SHORTEST_PAUSE << Min(request->attempts, 10), LONGEST_PAUSE);
	request->next_attempt = TimestampTzPlusMilliseconds(now, pause);
	request->progress = HTTP_WAITING;
	dlist_push_tail(&waiting, &request->node);
	if (!request->suspended)
	{
		MHD_suspend_connection(request->connection);
		request->suspended = true;
	}
	return true;
}

/* Run a request up to its composed reply, or put it back. */
static void
run_request(HttpRequest *request)
{
	const char *text;
	size_t		length;

	MemoryContextSwitchTo(request_context);
	request->progress = HTTP_RUNNING;
	request->wrote = false;
	request_tree = NULL;

	PG_TRY();
	{
		if (route_request(request, &text, &length))
		{
			metrics_operation(request);
			debug_query_string = request->operation->name;
			pgstat_report_activity(STATE_RUNNING, request->operation->name);
			run_transaction(request, text, length);
			worker_clean_session();
		}
	}
	PG_CATCH();
	{
		ErrorData  *error = recover();

		request->attempts++;
		if (!put_back(request, error))
			error_reply(request, error, request_tree);
		worker_clean_session();
	}
	PG_END_TRY();

	debug_query_string = NULL;
	QueryCancelPending = false;
	account_endpoint = NULL;
	MemoryContextSwitchTo(TopMemoryContext);
	MemoryContextReset(request_context);
	if (request->progress == HTTP_RUNNING)
	{
		request->progress = HTTP_COMPOSED;
		dlist_push_tail(&answered, &request->node);
	}
}

/* ---- batches ---- */

/*
 * Success of a write that was not replicated as configured must not be
 * reported; it may well have happened.
 */
static void
withdraw_success(HttpRequest *request)
{
	if (request->status == MHD_HTTP_OK && request->operation != NULL)
		reply_compose_error(request, MHD_HTTP_INTERNAL_SERVER_ERROR,
							"com.amazonaws.dynamodb.v20120810#InternalServerError",
							"The wait for a synchronous standby was canceled");
}

/* Make durable what was answered, then send it. */
static void
answer(void)
{
	bool		durable;

	if (dlist_is_empty(&answered))
		return;
	durable = durability_wait();
	while (!dlist_is_empty(&answered))
	{
		HttpRequest *request = dlist_container(HttpRequest, node, dlist_pop_head_node(&answered));

		request->progress = HTTP_ANSWERED;
		if (!durable)
			withdraw_success(request);
		metrics_count(request);
		reply_send(request);
	}
}

static long
microseconds_since(instr_time start)
{
	instr_time	now;

	INSTR_TIME_SET_CURRENT(now);
	INSTR_TIME_SUBTRACT(now, start);
	return INSTR_TIME_GET_MICROSEC(now);
}

/* Replies that are composed; are there writes among them, which need a flush? */
static int
count_composed(bool *wrote)
{
	int			count = 0;
	dlist_iter	iterator;

	*wrote = false;
	dlist_foreach(iterator, &answered)
	{
		count++;
		*wrote = *wrote || dlist_container(HttpRequest, node, iterator.cur)->wrote;
	}
	return count;
}

/*
 * A flush takes far longer than a request: what comes in at once joins it.
 * Clients that have just been answered are expected back, as many as there
 * were; when all have come, nothing is waited for but another worker that is
 * about to flush as well.  Reads alone have nothing to flush.
 */
static bool
more_for_flush(void (*receive) (long timeout), int expected)
{
	instr_time	start;
	bool		wrote;
	int			count = count_composed(&wrote);

	if (!wrote)
		return false;
	INSTR_TIME_SET_CURRENT(start);
	receive(0);
	while (dlist_is_empty(&connection_ready) &&
		   (count < expected || durability_others_join()) &&
		   microseconds_since(start) < FLUSH_DELAY_MICROSECONDS)
		receive(1);
	return !dlist_is_empty(&connection_ready);
}

bool
dispatch_batch(void (*receive) (long timeout))
{
	/* how many were answered last, and when */
	static int	returning = 0;
	static instr_time answered_at;
	instr_time	start;
	bool		wrote;
	int			expected;

	if (dlist_is_empty(&connection_ready))
		return false;

	INSTR_TIME_SET_CURRENT(start);
	expected = microseconds_since(answered_at) < BATCH_MICROSECONDS ? returning : 0;
	do
	{
		HttpRequest *request = dlist_head_element(HttpRequest, node, &connection_ready);

		/* replies that are composed do not wait for a long operation */
		if (route_is_long(request))
			answer();
		dlist_delete(&request->node);
		run_request(request);
	} while (microseconds_since(start) < BATCH_MICROSECONDS &&
			 (!dlist_is_empty(&connection_ready) || more_for_flush(receive, expected)));

	returning = count_composed(&wrote);
	answer();
	INSTR_TIME_SET_CURRENT(answered_at);
	return true;
}

/* ---- requests that were put back ---- */

void
dispatch_wake_waiting(void)
{
	TimestampTz now;
	dlist_mutable_iter iterator;

	if (dlist_is_empty(&waiting))
		return;
	now = GetCurrentTimestamp();
	dlist_foreach_modify(iterator, &waiting)
	{
		HttpRequest *request = dlist_container(HttpRequest, node, iterator.cur);

		if (request->next_attempt > now)
			continue;
		dlist_delete(&request->node);
		request->progress = HTTP_READY;
		dlist_push_tail(&connection_ready, &request->node);
	}
}

long
dispatch_next_wake(void)
{
	TimestampTz next = DT_NOEND;
	dlist_iter	iterator;

	if (dlist_is_empty(&waiting))
		return -1;
	dlist_foreach(iterator, &waiting)
		next = Min(next, dlist_container(HttpRequest, node, iterator.cur)->next_attempt);
	return TimestampDifferenceMilliseconds(GetCurrentTimestamp(), next);
}
