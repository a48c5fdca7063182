/*
 * stream_wake.c
 *		Waking the stream worker, from whichever process commits.
 *
 * NOTIFY in the writing transaction would make all commits queue up behind its
 * database-wide lock; a flag and a latch cost next to nothing.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port/atomics.h"
#include "storage/ipc.h"
#include "storage/proc.h"
#include "storage/spin.h"

#include "stream/capture.h"
#include "stream/stream_wake.h"
#include "worker/worker.h"

typedef struct WakeState
{
	slock_t		mutex;			/* of worker and database */
	PGPROC	   *worker;			/* NULL: none */
	Oid			database;
	pg_atomic_uint32 pending;
} WakeState;

static WakeState *state = NULL;

static void
initialize(void *memory)
{
	WakeState *initial = memory;

	SpinLockInit(&initial->mutex);
	pg_atomic_init_u32(&initial->pending, 0);
}

/*
 * PGPROC structures are never freed, so setting the latch of one that has just
 * changed hands does no harm.
 */
static void
wake_worker(void)
{
	PGPROC	   *worker = NULL;

	if (state == NULL || pg_atomic_read_u32(&state->pending) != 0)
		return;
	SpinLockAcquire(&state->mutex);
	if (state->database == MyDatabaseId)
		worker = state->worker;
	SpinLockRelease(&state->mutex);
	if (worker == NULL)
		return;
	if (pg_atomic_exchange_u32(&state->pending, 1) == 0)
		SetLatch(&worker->procLatch);
}

static void
unregister(int code, Datum argument)
{
	SpinLockAcquire(&state->mutex);
	if (state->worker == MyProc)
		state->worker = NULL;
	SpinLockRelease(&state->mutex);
}

void
stream_wake_register(void)
{
	if (state == NULL)
		return;
	SpinLockAcquire(&state->mutex);
	state->worker = MyProc;
	state->database = MyDatabaseId;
	SpinLockRelease(&state->mutex);
	before_shmem_exit(unregister, (Datum) 0);
}

bool
stream_wake_pending(void)
{
	return state != NULL && pg_atomic_exchange_u32(&state->pending, 0) != 0;
}

void
stream_wake_init(void)
{
	worker_reserve_memory("dynamo streams", sizeof(WakeState), (void **) &state, initialize);
	capture_committed = wake_worker;
}
