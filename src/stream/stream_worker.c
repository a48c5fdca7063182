/*
 * stream_worker.c
 *		The process "dynamo streams": it tells listeners, calls consumers, trims.
 *
 * There is one, for the database dynamo.database.  Writers wake it after their
 * commits; it looks by itself about once a second, too, since COMMIT PREPARED
 * and a standby's promotion wake nobody.  It keeps nothing that a new process
 * would need: a NOTIFY too many does no harm, checkpoints are in a table.
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "commands/async.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "postmaster/interrupt.h"
#include "storage/latch.h"
#include "tcop/tcopprot.h"
#include "utils/guc.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

#include "catalog/description.h"
#include "catalog/streams.h"
#include "clock.h"
#include "stream/consume.h"
#include "stream/mapping.h"
#include "stream/shard_reader.h"
#include "stream/stream_wake.h"
#include "stream/stream_worker.h"
#include "stream/trim.h"
#include "worker/worker.h"

#define ROUND 1000				/* ms between two looks without a call */
#define SHORTEST_ROUND 10		/* ms, so that busy writers do not keep the process busy */
#define LOOK_BACK (INT64CONST(60) * 1000000)	/* microseconds before its start that a process announces */
#define TRIM_INTERVAL (INT64CONST(60) * 1000000)	/* microseconds, by the streams' clock */
#define STEPS_IN_A_ROW 20		/* batches of a shard before the next has its turn */

PGDLLEXPORT void dynamo_streams_main(Datum argument);

/* How far a shard has been announced. */
typedef struct Announced
{
	int32		shard;			/* hash key */
	int64		number;
} Announced;

static HTAB *announced = NULL;
static MemoryContext round_context = NULL;

/* What is in progress, for the log line of an error. */
static const char *activity = "";

void
stream_worker_init(void)
{
	static const WorkerKind kind = {"streams", "dynamo_streams_main", 1, NULL};

	worker_register(&kind);
}

static void
begin(const char *what)
{
	activity = what;
	SetCurrentStatementStartTimestamp();
	StartTransactionCommand();
	PushActiveSnapshot(GetTransactionSnapshot());
	pgstat_report_activity(STATE_RUNNING, what);
	MemoryContextSwitchTo(round_context);
}

static void
finish(void)
{
	if (ActiveSnapshotSet())
		PopActiveSnapshot();
	CommitTransactionCommand();
	worker_clean_session();
	pgstat_report_stat(false);
	pgstat_report_activity(STATE_IDLE, NULL);
	MemoryContextSwitchTo(round_context);
}

/* Log the error and go on with something else. */
static void
recover(void)
{
	HOLD_INTERRUPTS();
	EmitErrorReport();
	AbortCurrentTransaction();
	FlushErrorState();
	RESUME_INTERRUPTS();
	worker_clean_session();
	MemoryContextSwitchTo(round_context);
	ereport(LOG, (errmsg("stream worker could not finish: %s", activity)));
}

/* ---- listeners ---- */

/*
 * Has the shard got records since it was last announced?  What came shortly
 * before this process may have been announced by none.
 */
static bool
shard_has_news(int32 shard)
{
	bool		found;
	Announced  *entry = hash_search(announced, &shard, HASH_ENTER, &found);

	if (!found)
		entry->number = clock_microseconds() - LOOK_BACK;
	return stream_advance(shard, &entry->number);
}

/*
 * The channel of a table is "relation:stream", the payload the stream's label.
 */
static void
announce(void)
{
	ListCell   *cell;

	begin("announcing changes");
	foreach(cell, catalog_read_streams())
	{
		StreamRow  *stream = lfirst(cell);
		bool		news = false;
		ListCell   *shard;

		CHECK_FOR_INTERRUPTS();
		if (stream->disabled_at != 0)
			continue;
		foreach(shard, catalog_read_shards(stream->id))
			news |= shard_has_news(((ShardRow *) lfirst(shard))->id);
		if (news)
			Async_Notify(catalog_derived_name(catalog_relation_name(stream->table_name), "stream"),
						 stream->label);
	}
	finish();
}

/* ---- consumers ---- */

/* Batches of a shard, each in a transaction; time until it wants to go on. */
static int64
run_shard(const pg_uuid_t *uuid, int32 shard)
{
	for (int i = 0; i < STEPS_IN_A_ROW; i++)
	{
		Step		step;

		CHECK_FOR_INTERRUPTS();
		begin("calling a consumer");
		step = consumer_step(uuid, shard, true);
		finish();
		if (step.end == STEP_IDLE)
			return (int64) ROUND * 1000;
		if (step.end == STEP_WAIT)
			return step.wait;
	}
	return 0;
}

static int64
run_mapping(const pg_uuid_t *uuid)
{
	int64		wait = (int64) ROUND * 1000;
	List	   *shards;
	ListCell   *cell;

	begin("looking for shards of a consumer");
	shards = consumer_shards(uuid);
	finish();
	foreach(cell, shards)
		wait = Min(wait, run_shard(uuid, lfirst_int(cell)));
	return wait;
}

/* ---- one after the other, whatever fails ---- */

static void
try_announce(void)
{
	PG_TRY();
	{
		announce();
	}
	PG_CATCH();
	{
		recover();
	}
	PG_END_TRY();
}

static void
try_trim(void)
{
	static int64 last = 0;

	if (clock_microseconds() - last < TRIM_INTERVAL)
		return;
	last = clock_microseconds();
	PG_TRY();
	{
		begin("trimming streams");
		trim_streams();
		finish();
	}
	PG_CATCH();
	{
		recover();
	}
	PG_END_TRY();
}

static int64
try_mapping(const pg_uuid_t *uuid)
{
	volatile int64 wait = (int64) ROUND * 1000;

	PG_TRY();
	{
		wait = run_mapping(uuid);
	}
	PG_CATCH();
	{
		recover();
	}
	PG_END_TRY();
	return wait;
}

static List *
try_mappings(void)
{
	List	   *volatile uuids = NIL;

	PG_TRY();
	{
		begin("looking for consumers");
		uuids = mappings_enabled();
		finish();
	}
	PG_CATCH();
	{
		recover();
		uuids = NIL;
	}
	PG_END_TRY();
	return uuids;
}

static bool
extension_is_there(void)
{
	bool		there;

	begin("looking for the extension");
	there = OidIsValid(catalog_table_oid("event_source_mappings", true)) && !RecoveryInProgress();
	finish();
	return there;
}

/* Everything that is to do; milliseconds until there may be more. */
static long
do_round(void)
{
	int64		wait = (int64) ROUND * 1000;
	ListCell   *cell;

	if (!extension_is_there())
		return ROUND;
	try_announce();
	foreach(cell, try_mappings())
		wait = Min(wait, try_mapping(lfirst(cell)));
	try_trim();
	return Max(SHORTEST_ROUND, (long) (wait / 1000));
}

static void
create_announced(void)
{
	HASHCTL		control = {0};

	control.keysize = sizeof(int32);
	control.entrysize = sizeof(Announced);
	control.hcxt = TopMemoryContext;
	announced = hash_create("dynamo announced shards", 64, &control,
							HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

void
dynamo_streams_main(Datum argument)
{
	(void) worker_start(argument);
	stream_wake_register();
	create_announced();
	round_context = AllocSetContextCreate(TopMemoryContext, "dynamo stream worker",
										  ALLOCSET_DEFAULT_SIZES);
	for (;;)
	{
		TimestampTz started = GetCurrentTimestamp();
		long		wait;

		if (ConfigReloadPending)
		{
			ConfigReloadPending = false;
			ProcessConfigFile(PGC_SIGHUP);
		}
		worker_yield_database();
		MemoryContextSwitchTo(round_context);
		(void) stream_wake_pending();
		wait = do_round();
		MemoryContextReset(round_context);

		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, wait,
						 PG_WAIT_EXTENSION);
		ResetLatch(MyLatch);
		if (!TimestampDifferenceExceeds(started, GetCurrentTimestamp(), SHORTEST_ROUND))
			pg_usleep(SHORTEST_ROUND * 1000L);

		/* a query cancel between rounds has nothing to cancel */
		QueryCancelPending = false;
		CHECK_FOR_INTERRUPTS();
	}
}
