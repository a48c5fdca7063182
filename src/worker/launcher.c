/*
 * launcher.c
 *		One process that starts the other workers, and starts them again.
 *
 * Which workers run is told by their slots in shared memory, so that a
 * launcher that was itself ended and started again finds them.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "postmaster/bgworker.h"
#include "postmaster/interrupt.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "tcop/tcopprot.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

#include "worker/launcher.h"
#include "worker/shared_memory.h"
#include "worker/worker.h"

#define MAX_KINDS		8
#define MAX_WORKERS		128		/* of all kinds together */
#define FIRST_PAUSE		1000	/* ms before a start is tried again */
#define LONGEST_PAUSE	60000
#define PREPARE_PAUSE	2000	/* ms between two attempts to prepare a kind, which reports for itself */
#define GOOD_LIFE		30000	/* ms after which a worker's end is no sign of a lasting fault */
#define STARTING_LIMIT	10000	/* ms within which a started process takes its slot */
#define ROUND			1000	/* ms between two looks */

/* What the launcher itself remembers of a worker. */
typedef struct Memory
{
	TimestampTz started;		/* 0: not since the launcher began */
	TimestampTz next_start;
	int			pause;
	bool		running;		/* when last looked at */
} Memory;

static WorkerKind kinds[MAX_KINDS];
static int	kind_count = 0;
static int	worker_count = 0;

static pid_t *slots = NULL;		/* pid of each worker, 0 while it does not run */
static Memory memories[MAX_WORKERS];
static bool out_of_slots = false;

PGDLLEXPORT void dynamo_launcher_main(Datum argument);

void
worker_register(const WorkerKind *kind)
{
	if (kind_count >= MAX_KINDS || worker_count + kind->count > MAX_WORKERS)
		elog(FATAL, "too many background workers");
	kinds[kind_count++] = *kind;
	worker_count += kind->count;
}

void
worker_init(void)
{
	BackgroundWorker launcher = {0};

	shared_memory_init();
	worker_reserve_memory("dynamo workers", sizeof(pid_t) * MAX_WORKERS, (void **) &slots, NULL);
	if (worker_count == 0)
		return;

	launcher.bgw_flags = BGWORKER_SHMEM_ACCESS;
	launcher.bgw_start_time = BgWorkerStart_RecoveryFinished;
	launcher.bgw_restart_time = 5;
	snprintf(launcher.bgw_name, BGW_MAXLEN, "dynamo launcher");
	snprintf(launcher.bgw_type, BGW_MAXLEN, "dynamo launcher");
	snprintf(launcher.bgw_library_name, BGW_MAXLEN, "dynamo");
	snprintf(launcher.bgw_function_name, BGW_MAXLEN, "dynamo_launcher_main");
	RegisterBackgroundWorker(&launcher);
}

static void
release_slot(int code, Datum slot)
{
	slots[DatumGetInt32(slot)] = 0;
}

int
launcher_take_slot(Datum argument)
{
	int			slot = DatumGetInt32(argument);
	int			number = slot;

	slots[slot] = MyProcPid;
	before_shmem_exit(release_slot, Int32GetDatum(slot));
	for (int i = 0; i < kind_count && number >= kinds[i].count; i++)
		number -= kinds[i].count;
	return number;
}

static bool
start_worker(const WorkerKind *kind, int number, int slot)
{
	BackgroundWorker worker = {0};

	worker.bgw_flags = BGWORKER_SHMEM_ACCESS | BGWORKER_BACKEND_DATABASE_CONNECTION;
	worker.bgw_start_time = BgWorkerStart_RecoveryFinished;
	worker.bgw_restart_time = BGW_NEVER_RESTART;
	worker.bgw_notify_pid = MyProcPid;
	worker.bgw_main_arg = Int32GetDatum(slot);
	snprintf(worker.bgw_name, BGW_MAXLEN, "dynamo %s %d", kind->name, number);
	snprintf(worker.bgw_type, BGW_MAXLEN, "dynamo %s", kind->name);
	snprintf(worker.bgw_library_name, BGW_MAXLEN, "dynamo");
	snprintf(worker.bgw_function_name, BGW_MAXLEN, "%s", kind->function);

	if (RegisterDynamicBackgroundWorker(&worker, NULL))
	{
		out_of_slots = false;
		return true;
	}
	if (!out_of_slots)
		ereport(LOG,
				(errmsg("no free slot for background worker \"%s\"", worker.bgw_name),
				 errhint("Increase max_worker_processes (now %d), or lower dynamo.workers.",
						 max_worker_processes)));
	out_of_slots = true;
	return false;
}

/* After an end or a failed start: the next one, after a pause. */
static void
put_off(Memory *memory, TimestampTz now)
{
	if (memory->started != 0 && TimestampDifferenceExceeds(memory->started, now, GOOD_LIFE))
		memory->pause = 0;
	memory->pause = memory->pause == 0 ? FIRST_PAUSE : Min(memory->pause * 2, LONGEST_PAUSE);
	memory->next_start = TimestampTzPlusMilliseconds(now, memory->pause);
	memory->started = 0;
	memory->running = false;
}

/* A process that was started but has not taken its slot yet. */
static bool
is_starting(const Memory *memory, TimestampTz now)
{
	return memory->started != 0 && !memory->running &&
		!TimestampDifferenceExceeds(memory->started, now, STARTING_LIMIT);
}

static bool
kind_is_alive(int kind, int first)
{
	for (int i = 0; i < kinds[kind].count; i++)
	{
		if (slots[first + i] != 0)
			return true;
	}
	return false;
}

static void
look_after(int kind, int first, TimestampTz now)
{
	int			prepared = -1;

	for (int i = 0; i < kinds[kind].count; i++)
	{
		Memory	   *memory = &memories[first + i];

		if (slots[first + i] != 0)
		{
			memory->running = true;
			continue;
		}
		if (is_starting(memory, now))
			continue;
		if (memory->running || memory->started != 0)
			put_off(memory, now);
		if (now < memory->next_start)
			continue;

		/* what is prepared stays so while a worker of the kind lives */
		if (prepared < 0)
			prepared = kinds[kind].prepare == NULL || kind_is_alive(kind, first) ||
				kinds[kind].prepare();
		if (!prepared)
			memory->next_start = TimestampTzPlusMilliseconds(now, PREPARE_PAUSE);
		else if (start_worker(&kinds[kind], i, first + i))
			memory->started = now;
		else
			put_off(memory, now);
	}
}

void
dynamo_launcher_main(Datum argument)
{
	pqsignal(SIGHUP, SignalHandlerForConfigReload);
	pqsignal(SIGTERM, die);
	BackgroundWorkerUnblockSignals();

	for (;;)
	{
		TimestampTz now = GetCurrentTimestamp();
		int			first = 0;

		CHECK_FOR_INTERRUPTS();
		for (int i = 0; i < kind_count; i++)
		{
			look_after(i, first, now);
			first += kinds[i].count;
		}

		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH,
						 ROUND, PG_WAIT_EXTENSION);
		ResetLatch(MyLatch);
		if (ConfigReloadPending)
		{
			ConfigReloadPending = false;
			ProcessConfigFile(PGC_SIGHUP);
		}
	}
}
