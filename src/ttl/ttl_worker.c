/*
 * ttl_worker.c
 *		The process that deletes expired items.
 *
 * In rounds, one each dynamo.ttl_interval: every table whose items expire is
 * swept until nothing expired is left, in turns of limited time so that none
 * starves the others, beginning with the one swept longest ago.  Each batch is a
 * transaction with the rights of the relation's owner, whose triggers may run.
 *
 * Nothing here waits for a lock.  A table that somebody alters is left for the
 * next round; the extension itself is locked first in each transaction, so that
 * DROP EXTENSION can neither be held up for longer than a batch takes nor
 * deadlock with one.
 */
#include "postgres.h"

#include "access/table.h"
#include "access/xact.h"
#include "catalog/pg_extension.h"
#include "commands/extension.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "postmaster/bgworker.h"
#include "postmaster/interrupt.h"
#include "storage/latch.h"
#include "storage/lmgr.h"
#include "storage/lock.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timeout.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

#include "catalog/rows.h"
#include "catalog/ttl.h"
#include "guc.h"
#include "index/backfill.h"
#include "index/index_build.h"
#include "ttl/sweep.h"
#include "ttl/ttl_worker.h"
#include "worker/worker.h"

#define TICK			1000	/* ms between two looks at what has no event */
#define TURN			1000	/* ms for a table before it is the next one's turn */
#define REST_MAX		100		/* ms after a batch */
#define LOCK_LIMIT		"1s"	/* for locks that users' triggers and foreign keys want */
#define BATCH_LIMIT		60000	/* ms for a batch, for the same reason */
#define ISOLATED_MAX	100		/* items of a table, in a round, that are found to be the ones that fail */

/* How far a table has been swept in this round. */
typedef struct SweptTable
{
	Oid			relid;
	List	   *leaves;			/* relations with storage that are still to be swept */
	int64		from;			/* expiry times before this are done with, in the first of them */
	ItemPointerData *places;
	int			place_count;
	int			place_next;
	bool		last_places;	/* there are none behind these */
	int			isolated;
	int64		deleted;		/* since the places were looked up */
	char	   *error;			/* the first one; NULL: none */
} SweptTable;

/* The table in the current transaction. */
typedef struct OpenLeaf
{
	Relation	root;
	Relation	relation;		/* NULL if the partition is gone */
	TableDescription *table;
} OpenLeaf;

typedef enum TurnResult
{
	TURN_ON,					/* more to do in the next turn */
	TURN_DONE,					/* nothing is left */
	TURN_BUSY					/* somebody has the table locked, or it is to be swept no more */
} TurnResult;

static MemoryContext round_context;

PGDLLEXPORT void dynamo_ttl_main(Datum argument);

void
ttl_worker_init(void)
{
	WorkerKind	kind = {.name = "ttl",.function = "dynamo_ttl_main",.count = 1};

	worker_register(&kind);
}

/* ---- transactions ---- */

/* False if there is no extension, or somebody is about to drop it. */
static bool
lock_extension(void)
{
	Oid			extension = get_extension_oid("dynamo", true);
	LOCKTAG		tag;

	if (!OidIsValid(extension))
		return false;
	SET_LOCKTAG_OBJECT(tag, MyDatabaseId, ExtensionRelationId, extension, 0);
	return LockAcquire(&tag, AccessShareLock, false, true) != LOCKACQUIRE_NOT_AVAIL &&
		OidIsValid(catalog_table_oid("ttl", true));
}

static void
begin_transaction(void)
{
	SetCurrentStatementStartTimestamp();	/* now(), for triggers */
	StartTransactionCommand();
	PushActiveSnapshot(GetTransactionSnapshot());
}

static void
commit_transaction(void)
{
	PopActiveSnapshot();
	CommitTransactionCommand();
	worker_clean_session();
	MemoryContextSwitchTo(round_context);
	pgstat_report_stat(false);
}

/* False if the table is gone, locked, or to be swept no more. */
static bool
open_leaf(OpenLeaf *leaf, const SweptTable *swept)
{
	Oid			leaf_relid = linitial_oid(swept->leaves);

	leaf->relation = NULL;
	if (!lock_extension() || !ConditionalLockRelationOid(swept->relid, RowExclusiveLock))
		return false;
	leaf->root = try_table_open(swept->relid, NoLock);
	if (leaf->root == NULL)
		return false;
	leaf->table = catalog_description(leaf->root);
	if (leaf->table != NULL && index_try_lock_changes(swept->relid) && sweep_ready(leaf->table) &&
		ConditionalLockRelationOid(leaf_relid, RowExclusiveLock))
	{
		leaf->relation = try_table_open(leaf_relid, NoLock);
		if (leaf->relation != NULL)
			leaf->table = catalog_description(leaf->relation);
		return true;
	}
	table_close(leaf->root, NoLock);
	return false;
}

static void
close_leaf(OpenLeaf *leaf)
{
	if (leaf->relation != NULL)
		table_close(leaf->relation, NoLock);
	table_close(leaf->root, NoLock);
}

/* ---- the owner's rights ---- */

typedef struct OwnRights
{
	Oid			role;
	int			security_context;
	int			settings;
} OwnRights;

/* A policy that is forced on the owner would hide items: an error instead. */
static void
take_rights_of(Oid owner, OwnRights *own)
{
	GetUserIdAndSecContext(&own->role, &own->security_context);
	own->settings = NewGUCNestLevel();
	(void) set_config_option("row_security", "off", PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
	(void) set_config_option("lock_timeout", LOCK_LIMIT, PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
	SetUserIdAndSecContext(owner, own->security_context | SECURITY_LOCAL_USERID_CHANGE);
}

/* What triggers have put off, and the settings they have changed, ends here. */
static void
take_rights_back(const OwnRights *own)
{
	worker_finish_users_code();
	AtEOXact_GUC(false, own->settings);
	SetUserIdAndSecContext(own->role, own->security_context);
}

/* ---- steps of a turn ---- */

static void
note_error(SweptTable *swept, const ErrorData *error)
{
	if (swept->error == NULL)
		swept->error = MemoryContextStrdup(round_context, error->message);
}

/* Look up where expired items are. */
static bool
find_places(SweptTable *swept)
{
	SweepSpan	span = sweep_span_now();
	OpenLeaf	leaf;
	OwnRights	own;
	bool		open;

	begin_transaction();
	open = open_leaf(&leaf, swept);
	swept->place_count = swept->place_next = 0;
	swept->last_places = true;
	if (open && leaf.relation != NULL && leaf.table != NULL)
	{
		int64		last;

		span.from = Max(span.from, swept->from);
		take_rights_of(leaf.relation->rd_rel->relowner, &own);
		swept->place_count = sweep_find(leaf.relation, leaf.table, span, swept->places,
										SWEEP_PLACES, &last);
		take_rights_back(&own);
		swept->last_places = swept->place_count < SWEEP_PLACES ||
			(last == swept->from && swept->deleted == 0);
		if (swept->place_count > 0)
			swept->from = last;
		swept->deleted = 0;
	}
	if (open)
		close_leaf(&leaf);
	commit_transaction();
	return open;
}

static void
count_deleted(Oid relid, int64 deleted)
{
	TtlRow		ttl;

	if (deleted > 0 && catalog_read_ttl(relid, &ttl))
	{
		ttl.expired += deleted;
		catalog_put_ttl(&ttl);
	}
}

/* Delete what is at some of the places; false if the table is busy. */
static bool
delete_places(SweptTable *swept, int first, int count)
{
	OpenLeaf	leaf;
	OwnRights	own;
	bool		open;

	begin_transaction();
	open = open_leaf(&leaf, swept);
	if (open && leaf.relation != NULL && leaf.table != NULL)
	{
		int64		deleted;

		enable_timeout_after(STATEMENT_TIMEOUT, BATCH_LIMIT);
		take_rights_of(leaf.relation->rd_rel->relowner, &own);
		deleted = sweep_delete(leaf.relation, leaf.table, sweep_span_now(),
							   swept->places + first, count);
		take_rights_back(&own);
		disable_timeout(STATEMENT_TIMEOUT, false);
		count_deleted(swept->relid, deleted);
		swept->deleted += deleted;
	}
	if (open)
		close_leaf(&leaf);
	commit_transaction();
	return open;
}

/* The turn is over: note when, and what was wrong. */
static void
finish_table(SweptTable *swept)
{
	TtlRow		ttl;

	begin_transaction();
	if (lock_extension() && ConditionalLockRelationOid(swept->relid, AccessShareLock) &&
		index_try_lock_changes(swept->relid) && catalog_read_ttl(swept->relid, &ttl))
	{
		ttl.last_sweep = GetCurrentTimestamp();
		ttl.last_error = swept->error;
		catalog_put_ttl(&ttl);
	}
	commit_transaction();
}

/* ---- errors ---- */

/*
 * End a transaction that failed.  The first error of a table in a round is
 * logged.  The copy is in round_context.
 */
static ErrorData *
abort_transaction(const SweptTable *swept)
{
	ErrorData  *error;

	MemoryContextSwitchTo(round_context);
	error = CopyErrorData();
	HOLD_INTERRUPTS();
	disable_timeout(STATEMENT_TIMEOUT, false);
	QueryCancelPending = false;
	if (swept == NULL || swept->error == NULL)
		EmitErrorReport();
	AbortCurrentTransaction();
	FlushErrorState();
	RESUME_INTERRUPTS();
	worker_clean_session();
	MemoryContextSwitchTo(round_context);
	pgstat_report_stat(false);
	return error;
}

/* Could the error be one item's own, so that others can be deleted without it? */
static bool
is_of_an_item(const ErrorData *error)
{
	switch (ERRCODE_TO_CATEGORY(error->sqlerrcode))
	{
		case ERRCODE_TRANSACTION_ROLLBACK:
		case ERRCODE_INSUFFICIENT_RESOURCES:
		case ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE:	/* a lock that was not to be had */
		case ERRCODE_OPERATOR_INTERVENTION: /* cancelled */
		case ERRCODE_SYSTEM_ERROR:
		case ERRCODE_INTERNAL_ERROR:
			return false;
	}
	return error->sqlerrcode != ERRCODE_INSUFFICIENT_PRIVILEGE;
}

/*
 * Delete a batch.  If an item's trigger or foreign key refuses, the others of
 * the batch go nevertheless.
 */
static bool
delete_batch(SweptTable *swept, int first, int count)
{
	volatile bool open = true;
	ErrorData  *volatile error = NULL;

	CHECK_FOR_INTERRUPTS();
	PG_TRY();
	{
		open = delete_places(swept, first, count);
	}
	PG_CATCH();
	{
		error = abort_transaction(swept);
		note_error(swept, error);
	}
	PG_END_TRY();

	if (error == NULL)
		return open;
	if (count == 1)
		swept->isolated++;
	else if (is_of_an_item(error) && swept->isolated < ISOLATED_MAX)
	{
		int			half = count / 2;

		open = delete_batch(swept, first, half) &&
			delete_batch(swept, first + half, count - half);
	}
	FreeErrorData(error);
	return open;
}

/* ---- rounds ---- */

/* To the next partition. */
static void
next_leaf(SweptTable *swept)
{
	swept->leaves = list_delete_first(swept->leaves);
	swept->from = 0;
	swept->place_count = swept->place_next = 0;
	swept->last_places = false;
	swept->deleted = 0;
}

/* A relation whose places cannot be looked up is given up for this round. */
static bool
find_batch(SweptTable *swept)
{
	volatile bool open = true;

	PG_TRY();
	{
		open = find_places(swept);
	}
	PG_CATCH();
	{
		ErrorData  *error = abort_transaction(swept);

		note_error(swept, error);
		FreeErrorData(error);
		swept->place_count = swept->place_next = 0;
		swept->last_places = true;
	}
	PG_END_TRY();
	return open;
}

/*
 * After a batch, half as long as it took: writers wait less for the disk and
 * the processor, and where they are busy the batches take longer, and so do
 * the rests.
 */
static void
rest_after(TimestampTz started)
{
	long		milliseconds = TimestampDifferenceMilliseconds(started, GetCurrentTimestamp()) / 2;

	if (milliseconds <= 0)
		return;
	(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH,
					 Min(milliseconds, REST_MAX), PG_WAIT_EXTENSION);
	ResetLatch(MyLatch);
}

static TurnResult
take_turn(SweptTable *swept)
{
	TimestampTz started = GetCurrentTimestamp();

	while (swept->leaves != NIL)
	{
		int			count = Min(SWEEP_BATCH, swept->place_count - swept->place_next);

		if (TimestampDifferenceExceeds(started, GetCurrentTimestamp(), TURN))
			return TURN_ON;
		if (count > 0)
		{
			TimestampTz batch_started = GetCurrentTimestamp();

			if (!delete_batch(swept, swept->place_next, count))
				return TURN_BUSY;
			swept->place_next += count;
			rest_after(batch_started);
		}
		else if (swept->last_places)
			next_leaf(swept);
		else if (!find_batch(swept))
			return TURN_BUSY;
	}
	return TURN_DONE;
}

/* The tables of a round: SweptTable *, in the order of their turns. */
static List *
tables_to_sweep(void)
{
	List	   *tables = NIL;
	MemoryContext transaction;
	ListCell   *cell;

	begin_transaction();
	transaction = MemoryContextSwitchTo(round_context);
	if (lock_extension())
	{
		foreach(cell, catalog_read_all_ttl())
		{
			TtlRow	   *ttl = lfirst(cell);
			SweptTable *swept;

			if (ttl->state != TTL_ENABLED)
				continue;
			swept = palloc0(sizeof(SweptTable));
			swept->relid = ttl->relation;
			swept->leaves = backfill_relations(ttl->relation, NoLock);
			swept->places = palloc(sizeof(ItemPointerData) * SWEEP_PLACES);
			tables = lappend(tables, swept);
		}
	}
	MemoryContextSwitchTo(transaction);
	commit_transaction();
	return tables;
}

static void
reload_settings(void)
{
	if (!ConfigReloadPending)
		return;
	ConfigReloadPending = false;
	ProcessConfigFile(PGC_SIGHUP);
}

static void
sweep_all(void)
{
	List	   *tables = tables_to_sweep();

	while (tables != NIL)
	{
		List	   *others = NIL;
		ListCell   *cell;

		foreach(cell, tables)
		{
			SweptTable *swept = lfirst(cell);
			TurnResult	result = take_turn(swept);

			if (result == TURN_DONE)
				finish_table(swept);
			else if (result == TURN_ON)
				others = lappend(others, swept);
			CHECK_FOR_INTERRUPTS();
			reload_settings();
			worker_yield_database();
			MemoryContextSwitchTo(round_context);
		}
		tables = others;
	}
}

/* ---- the process ---- */

/*
 * Does the administrator want nothing to be written?  The session itself has
 * the setting off.
 */
static bool
read_only(void)
{
	const char *setting = GetConfigOptionResetString("default_transaction_read_only");

	return setting != NULL && strcmp(setting, "on") == 0;
}

/* Until the next round is due, by the setting as it is then. */
static void
sleep_since(TimestampTz started)
{
	while (!TimestampDifferenceExceeds(started, GetCurrentTimestamp(), dynamo_ttl_interval * 1000))
	{
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, TICK,
						 PG_WAIT_EXTENSION);
		ResetLatch(MyLatch);
		QueryCancelPending = false; /* there is nothing to cancel */
		CHECK_FOR_INTERRUPTS();
		reload_settings();
		worker_yield_database();
	}
}

void
dynamo_ttl_main(Datum argument)
{
	(void) worker_start(argument);
	round_context = AllocSetContextCreate(TopMemoryContext, "dynamo ttl round",
										  ALLOCSET_DEFAULT_SIZES);
	for (;;)
	{
		TimestampTz started = GetCurrentTimestamp();

		pgstat_report_activity(STATE_RUNNING, "deleting expired items");
		if (!read_only())
			sweep_all();
		MemoryContextReset(round_context);
		pgstat_report_activity(STATE_IDLE, NULL);
		sleep_since(started);
	}
}
