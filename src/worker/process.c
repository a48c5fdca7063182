/*
 * process.c
 *		What is the same in every worker process.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/namespace.h"
#include "catalog/pg_database.h"
#include "commands/prepare.h"
#include "commands/trigger.h"
#include "miscadmin.h"
#include "postmaster/bgworker.h"
#include "postmaster/interrupt.h"
#include "storage/ipc.h"
#include "storage/lock.h"
#include "tcop/tcopprot.h"
#include "utils/guc.h"
#include "utils/portal.h"
#include "utils/snapmgr.h"

#include "guc.h"
#include "worker/launcher.h"
#include "worker/worker.h"

int
worker_start(Datum argument)
{
	int			number;

	pqsignal(SIGHUP, SignalHandlerForConfigReload);
	pqsignal(SIGTERM, die);
	BackgroundWorkerUnblockSignals();

	number = launcher_take_slot(argument);
	BackgroundWorkerInitializeConnection(dynamo_database, NULL, 0);

	/* nothing here is resolved through search_path, and users' code shall not be either */
	SetConfigOption("search_path", "pg_catalog, pg_temp", PGC_USERSET, PGC_S_SESSION);
	SetConfigOption("idle_in_transaction_session_timeout", "0", PGC_USERSET, PGC_S_SESSION);
	SetConfigOption("default_transaction_isolation", "read committed", PGC_USERSET, PGC_S_SESSION);
	SetConfigOption("default_transaction_read_only", "off", PGC_USERSET, PGC_S_SESSION);
	return number;
}

/*
 * DROP DATABASE and CREATE DATABASE with it as template hold a lock on the
 * database and wait five seconds for its sessions to go.
 */
void
worker_yield_database(void)
{
	LOCKTAG		tag;
	LockAcquireResult result;

	StartTransactionCommand();
	SET_LOCKTAG_OBJECT(tag, InvalidOid, DatabaseRelationId, MyDatabaseId, 0);
	result = LockAcquire(&tag, RowExclusiveLock, false, true);
	CommitTransactionCommand();

	if (result == LOCKACQUIRE_NOT_AVAIL)
	{
		ereport(LOG, (errmsg("background worker leaves database \"%s\", which is about to be dropped or copied",
							 dynamo_database)));
		proc_exit(0);
	}
}

void
worker_finish_users_code(void)
{
	AfterTriggerFireDeferred();
	PortalHashTableDeleteAll();
}

/* Temporary tables would be in the way of the next code that makes one. */
static void
drop_temporary_tables(void)
{
	Oid			schema;
	Oid			toast_schema;

	GetTempNamespaceState(&schema, &toast_schema);
	if (!OidIsValid(schema))
		return;
	StartTransactionCommand();
	PushActiveSnapshot(GetTransactionSnapshot());	/* for rows of catalogs that may be toasted */
	ResetTempTableNamespace();
	PopActiveSnapshot();
	CommitTransactionCommand();
}

/*
 * Cursors, prepared statements, temporary tables, and advisory locks of the
 * session outlive a transaction.  (LISTEN is refused in a worker.)
 */
void
worker_clean_session(void)
{
	PortalHashTableDeleteAll();
	DropAllPreparedStatements();
	drop_temporary_tables();
	LockReleaseAll(USER_LOCKMETHOD, true);
}
