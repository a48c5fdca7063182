/*
 * index_worker.c
 *		The processes that build and drop secondary indexes.
 *
 * A worker holds a lock of its table's builds while it works, so that there is
 * never more than one at work on a table: one that is started meanwhile waits
 * for the first to end and then looks whether anything is left.
 */
#include "postgres.h"

#include <signal.h>

#include "access/heapam.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_class.h"
#include "catalog/pg_database.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "postmaster/bgworker.h"
#include "postmaster/interrupt.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "storage/lock.h"
#include "storage/proc.h"
#include "storage/procarray.h"
#include "storage/sinvaladt.h"
#include "tcop/pquery.h"
#include "tcop/tcopprot.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/portal.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

#include "catalog/rows.h"
#include "compat.h"
#include "index/index_build.h"
#include "index/index_worker.h"

PGDLLEXPORT void index_worker_main(Datum argument);
PGDLLEXPORT void index_launcher_main(Datum argument);

#define LOCK_RETRY_MILLISECONDS		100
#define ERROR_PAUSE_MIN_MILLISECONDS 1000
#define ERROR_PAUSE_MAX_MILLISECONDS 60000

/* After a crash of another process, the server restarts workers this much later. */
#define RESTART_SECONDS 1

/* Workers to be started when the transaction commits; in TopTransactionContext. */
typedef struct PendingStart
{
	Oid			relid;
	bool		interrupt;
	LOCKTAG		builds;			/* catalogs cannot be read any more by then */
} PendingStart;

static List *pending_starts = NIL;

/* ---- starting ---- */

static void
builds_lock_tag(LOCKTAG *tag, Oid relid)
{
	SET_LOCKTAG_OBJECT(*tag, MyDatabaseId, catalog_table_oid("builds", false), relid, 0);
}

static void
describe_worker(BackgroundWorker *worker, const char *function, Oid database)
{
	memset(worker, 0, sizeof(BackgroundWorker));
	worker->bgw_flags = BGWORKER_SHMEM_ACCESS | BGWORKER_BACKEND_DATABASE_CONNECTION;
	worker->bgw_start_time = BgWorkerStart_RecoveryFinished;
	worker->bgw_restart_time = RESTART_SECONDS;
	snprintf(worker->bgw_library_name, BGW_MAXLEN, "dynamo");
	snprintf(worker->bgw_function_name, BGW_MAXLEN, "%s", function);
	memcpy(worker->bgw_extra, &database, sizeof(Oid));
}

static bool
start_worker(Oid relid)
{
	BackgroundWorker worker;

	describe_worker(&worker, "index_worker_main", MyDatabaseId);
	snprintf(worker.bgw_name, BGW_MAXLEN, "dynamo index build of relation %u", relid);
	snprintf(worker.bgw_type, BGW_MAXLEN, "dynamo index build");
	worker.bgw_main_arg = ObjectIdGetDatum(relid);
	return RegisterDynamicBackgroundWorker(&worker, NULL);
}

/* Cancel what the worker of the table is doing, so that it looks at its rows anew. */
static void
interrupt_worker(const LOCKTAG *tag)
{
	VirtualTransactionId *holder;

	for (holder = GetLockConflicts(tag, ExclusiveLock, NULL); VirtualTransactionIdIsValid(*holder); holder++)
	{
		PGPROC	   *process = compat_vxid_process(*holder);

		if (process != NULL && compat_is_background_worker(process) && process->pid != 0)
			kill(process->pid, SIGINT);
	}
}

/*
 * After the commit nothing may fail any more, so a table without a worker is
 * left to whoever takes up builds later.
 */
static void
start_pending(void)
{
	ListCell   *cell;

	foreach(cell, pending_starts)
	{
		PendingStart *start = lfirst(cell);

		if (start->interrupt)
			interrupt_worker(&start->builds);
		if (!start_worker(start->relid))
			ereport(WARNING,
					(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
					 errmsg("no background worker is free to build or drop the index"),
					 errdetail("It is taken up by the next DescribeTable of the table when one is."),
					 errhint("Increase max_worker_processes, or run CALL dynamo.build_indexes() for the table.")));
	}
}

static void
transaction_ends(XactEvent event, void *argument)
{
	if (event == XACT_EVENT_COMMIT)
		start_pending();
	if (event == XACT_EVENT_COMMIT || event == XACT_EVENT_ABORT || event == XACT_EVENT_PREPARE)
		pending_starts = NIL;
}

void
index_worker_start(Oid relid, bool interrupt)
{
	MemoryContext caller = MemoryContextSwitchTo(TopTransactionContext);
	PendingStart *start = palloc(sizeof(PendingStart));

	start->relid = relid;
	start->interrupt = interrupt;
	builds_lock_tag(&start->builds, relid);
	pending_starts = lappend(pending_starts, start);
	MemoryContextSwitchTo(caller);
}

void
index_worker_resume(Oid relid)
{
	LOCKTAG		tag;

	if (RecoveryInProgress())
		return;
	builds_lock_tag(&tag, relid);
	if (LockAcquire(&tag, ExclusiveLock, false, true) == LOCKACQUIRE_NOT_AVAIL)
		return;
	LockRelease(&tag, ExclusiveLock, false);
	index_worker_start(relid, false);
}

/* ---- in the steps of a build ---- */

void
index_worker_check_interrupts(void)
{
	CHECK_FOR_INTERRUPTS();
	if (ConfigReloadPending && MyBackendType == B_BG_WORKER)
	{
		ConfigReloadPending = false;
		ProcessConfigFile(PGC_SIGHUP);
	}
}

void
index_worker_sleep(long milliseconds)
{
	TimestampTz end = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), milliseconds);

	do
	{
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, milliseconds,
						 PG_WAIT_EXTENSION);
		ResetLatch(MyLatch);
		index_worker_check_interrupts();
		milliseconds = TimestampDifferenceMilliseconds(GetCurrentTimestamp(), end);
	} while (milliseconds > 0);
}

/* ---- the worker ---- */

static void
set_session(const char *name, const char *value)
{
	SetConfigOption(name, value, PGC_SUSET, PGC_S_OVERRIDE);
}

/*
 * What users have set for sessions of theirs is not for this one.  A step that
 * a crash takes back is done again, so nothing waits for the disk.
 */
static void
prepare_session(void)
{
	set_session("search_path", "pg_catalog, pg_temp");
	set_session("default_transaction_isolation", "read committed");
	set_session("default_transaction_read_only", "off");
	set_session("statement_timeout", "0");
	set_session("lock_timeout", "0");
	/* a DROP TABLE that waits for a concurrent build, which waits for it, shall win */
	set_session("deadlock_timeout", "50ms");
	set_session("idle_in_transaction_session_timeout", "0");
	set_session("synchronous_commit", "off");
}

static void
lock_builds(Oid relid)
{
	LOCKTAG		tag;

	StartTransactionCommand();
	builds_lock_tag(&tag, relid);
	(void) LockAcquire(&tag, ExclusiveLock, true, false);
	CommitTransactionCommand();
}

static void
unlock_builds(Oid relid)
{
	LOCKTAG		tag;

	StartTransactionCommand();
	builds_lock_tag(&tag, relid);
	(void) LockRelease(&tag, ExclusiveLock, true);
	CommitTransactionCommand();
}

/* Is the extension here? */
static bool
extension_exists(void)
{
	bool		exists;

	StartTransactionCommand();
	exists = OidIsValid(catalog_table_oid("builds", true));
	CommitTransactionCommand();
	return exists;
}

typedef enum StepResult
{
	STEP_DONE,
	STEP_NOTHING_LEFT,
	STEP_LOCKED,				/* somebody holds a lock that the step needs */
	STEP_FAILED
} StepResult;

/*
 * An abort gives all locks back, that of the builds too.
 */
static StepResult
handle_error(Oid relid, MemoryContext context)
{
	ErrorData  *error;
	StepResult	result = STEP_FAILED;

	MemoryContextSwitchTo(context);
	error = CopyErrorData();
	HOLD_INTERRUPTS();
	if (error->sqlerrcode == ERRCODE_LOCK_NOT_AVAILABLE)
		result = STEP_LOCKED;
	else if (error->sqlerrcode == ERRCODE_QUERY_CANCELED)
		result = STEP_DONE;		/* to look anew */
	else
		EmitErrorReport();
	AbortCurrentTransaction();
	FlushErrorState();
	MemoryContextSwitchTo(context);
	RESUME_INTERRUPTS();

	lock_builds(relid);
	if (result == STEP_FAILED)
		index_build_note_error(relid, error->message);
	FreeErrorData(error);
	return result;
}

static StepResult
run_step(Oid relid)
{
	MemoryContext context = CurrentMemoryContext;
	volatile StepResult result;

	PG_TRY();
	{
		result = index_build_step(relid) ? STEP_DONE : STEP_NOTHING_LEFT;
	}
	PG_CATCH();
	{
		result = handle_error(relid, context);
	}
	PG_END_TRY();
	pgstat_report_stat(true);
	return result;
}

void
index_worker_main(Datum argument)
{
	Oid			relid = DatumGetObjectId(argument);
	Oid			database;
	long		pause = ERROR_PAUSE_MIN_MILLISECONDS;

	pqsignal(SIGHUP, SignalHandlerForConfigReload);
	pqsignal(SIGTERM, die);
	BackgroundWorkerUnblockSignals();
	memcpy(&database, MyBgworkerEntry->bgw_extra, sizeof(Oid));
	BackgroundWorkerInitializeConnectionByOid(database, InvalidOid, 0);
	prepare_session();
	CurrentMemoryContext = AllocSetContextCreate(TopMemoryContext, "dynamo index worker",
												 ALLOCSET_DEFAULT_SIZES);
	pgstat_report_activity(STATE_RUNNING, "building secondary indexes");

	if (!extension_exists())
		proc_exit(0);
	lock_builds(relid);
	for (;;)
	{
		index_worker_check_interrupts();
		switch (run_step(relid))
		{
			case STEP_DONE:
				pause = ERROR_PAUSE_MIN_MILLISECONDS;
				break;
			case STEP_NOTHING_LEFT:
				unlock_builds(relid);
				proc_exit(0);
			case STEP_LOCKED:
				index_worker_sleep(LOCK_RETRY_MILLISECONDS);
				break;
			case STEP_FAILED:
				index_worker_sleep(pause);
				pause = Min(pause * 2, ERROR_PAUSE_MAX_MILLISECONDS);
				break;
		}
	}
}

/* ---- after a start of the server ---- */

/*
 * Databases that may hold builds: all that one may connect to.
 */
static List *
databases(MemoryContext context)
{
	List	   *list = NIL;
	Relation	relation;
	TableScanDesc scan;
	HeapTuple	tuple;

	StartTransactionCommand();
	(void) GetTransactionSnapshot();
	relation = table_open(DatabaseRelationId, AccessShareLock);
	scan = table_beginscan_catalog(relation, 0, NULL);
	while ((tuple = heap_getnext(scan, ForwardScanDirection)) != NULL)
	{
		Form_pg_database form = (Form_pg_database) GETSTRUCT(tuple);
		MemoryContext caller;

		if (!form->datallowconn || form->datistemplate)
			continue;
		caller = MemoryContextSwitchTo(context);
		list = lappend_oid(list, form->oid);
		MemoryContextSwitchTo(caller);
	}
	table_endscan(scan);
	table_close(relation, AccessShareLock);
	CommitTransactionCommand();
	MemoryContextSwitchTo(context);
	return list;
}

/* In one database: a worker for each table with builds that are not done. */
static void
resume_database(void)
{
	ListCell   *cell;

	StartTransactionCommand();
	if (OidIsValid(catalog_table_oid("builds", true)))
	{
		foreach(cell, catalog_unfinished_builds())
			index_worker_start(lfirst_oid(cell), false);
	}
	CommitTransactionCommand();
}

/*
 * The launcher with no database goes through them, one process each, one after
 * the other: it needs two slots at most.
 */
void
index_launcher_main(Datum argument)
{
	Oid			database;
	ListCell   *cell;

	pqsignal(SIGHUP, SignalHandlerForConfigReload);
	pqsignal(SIGTERM, die);
	BackgroundWorkerUnblockSignals();
	memcpy(&database, MyBgworkerEntry->bgw_extra, sizeof(Oid));
	if (OidIsValid(database))
	{
		BackgroundWorkerInitializeConnectionByOid(database, InvalidOid, 0);
		resume_database();
		proc_exit(0);
	}

	BackgroundWorkerInitializeConnection(NULL, NULL, 0);
	foreach(cell, databases(TopMemoryContext))
	{
		BackgroundWorker worker;
		BackgroundWorkerHandle *handle;

		index_worker_check_interrupts();
		describe_worker(&worker, "index_launcher_main", lfirst_oid(cell));
		snprintf(worker.bgw_name, BGW_MAXLEN, "dynamo index launcher for database %u", lfirst_oid(cell));
		snprintf(worker.bgw_type, BGW_MAXLEN, "dynamo index launcher");
		worker.bgw_restart_time = BGW_NEVER_RESTART;
		worker.bgw_notify_pid = MyProcPid;
		if (!RegisterDynamicBackgroundWorker(&worker, &handle))
		{
			ereport(LOG,
					(errmsg("no background worker is free to take up index builds of database %u", lfirst_oid(cell)),
					 errhint("Increase max_worker_processes.")));
			break;
		}
		(void) WaitForBackgroundWorkerShutdown(handle);
	}
	proc_exit(0);
}

/*
 * dynamo.resume_index_builds() returns int8: tables whose builds the commit
 * will take up
 */
PG_FUNCTION_INFO_V1(dynamo_resume_index_builds);
Datum
dynamo_resume_index_builds(PG_FUNCTION_ARGS)
{
	List	   *relations = catalog_unfinished_builds();
	ListCell   *cell;

	foreach(cell, relations)
		index_worker_resume(lfirst_oid(cell));
	PG_RETURN_INT64(list_length(relations));
}

/* ---- in the session ---- */

/*
 * dynamo.build_indexes(relation regclass)
 *
 * A procedure outside of a transaction block may end the transaction it is
 * called in, as COMMIT in PL/pgSQL does.
 */
PG_FUNCTION_INFO_V1(dynamo_build_indexes);
Datum
dynamo_build_indexes(PG_FUNCTION_ARGS)
{
	Oid			relid = PG_GETARG_OID(0);
	CallContext *call = castNode(CallContext, fcinfo->context);
	MemoryContext caller = CurrentMemoryContext;

	if (call->atomic || IsTransactionBlock())
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TRANSACTION_TERMINATION),
				 errmsg("dynamo.build_indexes() cannot run inside a transaction block")));
	/* the caller's connection to SPI would not outlive the end of the transaction */
	if (SPI_inside_nonatomic_context())
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TRANSACTION_TERMINATION),
				 errmsg("dynamo.build_indexes() cannot be called from a procedure or a DO block")));
	if (!compat_owns_relation(relid, GetUserId()))
		aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_TABLE, get_rel_name(relid));

	ForgetPortalSnapshots();
	CommitTransactionCommand();
	MemoryContextSwitchTo(caller);

	lock_builds(relid);
	MemoryContextSwitchTo(caller);
	while (index_build_step(relid))
		CHECK_FOR_INTERRUPTS();
	unlock_builds(relid);

	StartTransactionCommand();
	EnsurePortalSnapshotExists();
	MemoryContextSwitchTo(caller);
	PG_RETURN_VOID();
}

void
index_worker_init(void)
{
	RegisterXactCallback(transaction_ends, NULL);
	if (process_shared_preload_libraries_in_progress)
	{
		BackgroundWorker worker;

		describe_worker(&worker, "index_launcher_main", InvalidOid);
		snprintf(worker.bgw_name, BGW_MAXLEN, "dynamo index launcher");
		snprintf(worker.bgw_type, BGW_MAXLEN, "dynamo index launcher");
		RegisterBackgroundWorker(&worker);
	}
}
