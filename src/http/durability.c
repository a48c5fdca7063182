/*
 * durability.c
 *		Answer after the flush: asynchronous commits, one flush for many replies.
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "access/xlog_internal.h"
#include "miscadmin.h"
#include "port/atomics.h"
#include "replication/syncrep.h"
#include "replication/walsender.h"
#include "replication/walsender_private.h"
#include "storage/latch.h"
#include "storage/lwlock.h"
#include "utils/guc.h"

#include "compat.h"
#include "guc.h"
#include "http/durability.h"
#include "worker/worker.h"

typedef union CommitSlot
{
	struct
	{
		Latch	   *latch;		/* of the worker */
		pg_atomic_uint32 committing;
		pg_atomic_uint32 gathering; /* has committed, and goes on before it flushes */
		pg_atomic_uint32 waiting;	/* for others to be ready to flush */
		pg_atomic_uint64 position;	/* end of the last commit record */
	};
	char		padding[PG_CACHE_LINE_SIZE];
} CommitSlot;

static CommitSlot *slots = NULL;
static CommitSlot *my_slot = NULL;

/* synchronous_commit as configured; the variable itself is off in workers. */
static int	configured_level = SYNCHRONOUS_COMMIT_ON;

static void
initialize_slots(void *memory)
{
	CommitSlot *all = memory;

	for (int i = 0; i < dynamo_workers; i++)
	{
		pg_atomic_init_u32(&all[i].committing, 0);
		pg_atomic_init_u32(&all[i].gathering, 0);
		pg_atomic_init_u32(&all[i].waiting, 0);
		pg_atomic_init_u64(&all[i].position, 0);
	}
}

void
durability_init(void)
{
	worker_reserve_memory("dynamo commits", sizeof(CommitSlot) * dynamo_workers,
						  (void **) &slots, initialize_slots);
}

/* The reset value is what files, database and role say, whatever the session says. */
void
durability_settings_changed(void)
{
	const char *name = GetConfigOptionResetString("synchronous_commit");

	configured_level =
		strcmp(name, "off") == 0 ? SYNCHRONOUS_COMMIT_OFF :
		strcmp(name, "local") == 0 ? SYNCHRONOUS_COMMIT_LOCAL_FLUSH :
		strcmp(name, "remote_write") == 0 ? SYNCHRONOUS_COMMIT_REMOTE_WRITE :
		strcmp(name, "remote_apply") == 0 ? SYNCHRONOUS_COMMIT_REMOTE_APPLY :
		SYNCHRONOUS_COMMIT_ON;
}

void
durability_start(int worker_number)
{
	my_slot = &slots[worker_number];
	pg_atomic_write_u32(&my_slot->committing, 0);
	pg_atomic_write_u32(&my_slot->gathering, 0);
	pg_atomic_write_u32(&my_slot->waiting, 0);
	my_slot->latch = MyLatch;
	durability_settings_changed();
	SetConfigOption("synchronous_commit", "off", PGC_USERSET, PGC_S_SESSION);
}

/* The exchange is a full barrier: the mark is seen before the commit is. */
void
durability_commit_begins(void)
{
	pg_atomic_exchange_u32(&my_slot->committing, 1);
}

void
durability_commit_ended(void)
{
	if (XactLastCommitEnd > pg_atomic_read_u64(&my_slot->position))
	{
		pg_atomic_write_u64(&my_slot->position, XactLastCommitEnd);
		pg_atomic_write_u32(&my_slot->gathering, 1);
	}
	pg_write_barrier();
	pg_atomic_write_u32(&my_slot->committing, 0);
}

/*
 * The end of all that has been inserted.  At a page's start the server gives
 * the position after the page header, which is beyond what can be flushed yet.
 */
static XLogRecPtr
insert_end(void)
{
	XLogRecPtr	position = GetXLogInsertRecPtr();
	uint32		offset = position % XLOG_BLCKSZ;

	if (offset == SizeOfXLogShortPHD || offset == SizeOfXLogLongPHD)
		position -= offset;
	return position;
}

/* What replies composed so far can have seen ends here. */
static XLogRecPtr
visible_end(void)
{
	XLogRecPtr	end = 0;

	pg_memory_barrier();
	for (int i = 0; i < dynamo_workers; i++)
	{
		if (pg_atomic_read_u32(&slots[i].committing) != 0)
			return insert_end();
		/* the mark is taken back after the position is there: read in the other order */
		pg_read_barrier();
		end = Max(end, pg_atomic_read_u64(&slots[i].position));
	}
	return end;
}

/* Has what SyncRepWaitForLSN() waited for come true?  It does not tell. */
static bool
is_replicated(XLogRecPtr position)
{
	int			mode = configured_level == SYNCHRONOUS_COMMIT_REMOTE_WRITE ? SYNC_REP_WAIT_WRITE :
	configured_level == SYNCHRONOUS_COMMIT_REMOTE_APPLY ? SYNC_REP_WAIT_APPLY : SYNC_REP_WAIT_FLUSH;
	bool		replicated;

	LWLockAcquire(SyncRepLock, LW_SHARED);
	replicated = !compat_sync_standbys_defined() || WalSndCtl->lsn[mode] >= position;
	LWLockRelease(SyncRepLock);
	return replicated;
}

/* The server's wait does nothing while synchronous_commit is off: raise it for the call. */
static bool
wait_for_standbys(XLogRecPtr position)
{
	int			level = synchronous_commit;

	if (configured_level <= SYNCHRONOUS_COMMIT_LOCAL_FLUSH || max_wal_senders == 0 ||
		is_replicated(position))
		return true;

	HOLD_INTERRUPTS();
	synchronous_commit = configured_level;
	assign_synchronous_commit(configured_level, NULL);
	SyncRepWaitForLSN(position, true);
	synchronous_commit = level;
	assign_synchronous_commit(level, NULL);
	RESUME_INTERRUPTS();
	return is_replicated(position);
}

/*
 * Who waits for others does not gather: of two that are ready neither waits for
 * the other.  The exchange is a full barrier between what each shows and what
 * it looks at.
 */
bool
durability_others_join(void)
{
	bool		others = false;

	pg_atomic_write_u32(&my_slot->waiting, 1);
	pg_atomic_exchange_u32(&my_slot->gathering, 0);
	for (int i = 0; i < dynamo_workers; i++)
	{
		if (&slots[i] == my_slot)
			continue;
		if (pg_atomic_read_u32(&slots[i].gathering) != 0)
			others = true;
		else if (pg_atomic_read_u32(&slots[i].waiting) != 0)
			SetLatch(slots[i].latch);
	}
	return others;
}

/* Nobody needs to wait for this worker any more. */
static void
stop_gathering(void)
{
	if (pg_atomic_read_u32(&my_slot->gathering) != 0)
		(void) durability_others_join();
	pg_atomic_write_u32(&my_slot->waiting, 0);
}

bool
durability_wait(void)
{
	XLogRecPtr	end;

	stop_gathering();
	if (configured_level == SYNCHRONOUS_COMMIT_OFF)
		return true;
	end = visible_end();
	if (end == 0)
		return true;
	XLogFlush(end);
	return wait_for_standbys(end);
}
