/*
 * trim.c
 *		Taking away what is older than a day.
 *
 * A table of a ring is in use for a period, and can go when the period ended a
 * day ago.  A transaction that has records in a table holds a lock on it until
 * its end, so what is not yet committed is never taken away; records of a
 * transaction that committed in a later period stay until its number has
 * expired, too.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/table.h"
#include "access/tableam.h"
#include "commands/tablecmds.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "catalog/streams.h"
#include "clock.h"
#include "compat.h"
#include "stream/ring.h"
#include "stream/trim.h"

/* Of a commit that has not expired, with records in a table before its own? */
static bool
late_commits_exist(int records_slot, int64 horizon)
{
	bool		exist = false;

	SPI_connect();
	for (int slot = 0; slot < RING_SIZE && !exist; slot++)
	{
		char	   *query;

		if (slot == records_slot)
			continue;
		query = psprintf("SELECT FROM dynamo.stream_commits_%d"
						 " WHERE slot OPERATOR(pg_catalog.<>) %d AND slot OPERATOR(pg_catalog.=) %d"
						 " AND number OPERATOR(pg_catalog.>=) '" INT64_FORMAT "'::pg_catalog.int8",
						 slot, slot, records_slot, horizon);
		if (SPI_execute(query, false, 1) != SPI_OK_SELECT)
			elog(ERROR, "could not look for late commits");
		exist = SPI_processed > 0;
	}
	SPI_finish();
	return exist;
}

/*
 * Truncate a table unless it is empty or in use.  No one is told by way of
 * logical replication: a subscriber's streams are its own.
 */
static bool
truncate_table(RingKind kind, int slot, int64 horizon)
{
	Oid			relid = ring_table_oid(kind, slot);
	Relation	table = table_open(relid, AccessShareLock);
	bool		empty = RelationGetNumberOfBlocks(table) == 0;

	table_close(table, AccessShareLock);
	if (empty || !ConditionalLockRelationOid(relid, AccessExclusiveLock))
		return false;

	/* with the lock: who had records here has ended, so the look finds his commit */
	if (kind == RING_RECORDS && late_commits_exist(slot, horizon))
		return false;
	table = table_open(relid, NoLock);
	CheckTableNotInUse(table, "TRUNCATE");
	compat_truncate_unlogged(table, relid);
	table_close(table, NoLock);
	return true;
}

int
trim_streams(void)
{
	int64		now = clock_microseconds();
	int64		horizon = ring_horizon(now);
	int64		period = now / RING_PERIOD;
	int			truncated = 0;

	/* from the table that is next in use to the last whose period ended a day ago */
	for (int64 old = period - RING_SIZE + 1; (old + 1) * RING_PERIOD <= horizon; old++)
	{
		int			slot = (int) (old % RING_SIZE);

		CHECK_FOR_INTERRUPTS();
		truncated += truncate_table(RING_COMMITS, slot, horizon);
		truncated += truncate_table(RING_RECORDS, slot, horizon);
	}
	catalog_delete_old_streams(clock_from_epoch_microseconds(horizon));
	return truncated;
}

/*
 * dynamo.trim_streams() returns int
 */
PG_FUNCTION_INFO_V1(dynamo_trim_streams);
Datum
dynamo_trim_streams(PG_FUNCTION_ARGS)
{
	PreventCommandIfReadOnly("dynamo.trim_streams");
	PG_RETURN_INT32(trim_streams());
}
