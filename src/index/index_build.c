/*
 * index_build.c
 *		Adding and dropping secondary indexes of a table in use.
 *
 * No step waits for a lock that would make others wait behind it for long: the
 * columns are added under a lock that is asked for over and over, for a moment
 * each; everything else lets readers and writers pass.
 */
#include "postgres.h"

#include "access/table.h"
#include "access/xact.h"
#include "catalog/namespace.h"
#include "catalog/pg_namespace.h"
#include "commands/trigger.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "parser/analyze.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "storage/lock.h"
#include "tcop/pquery.h"
#include "tcop/tcopprot.h"
#include "tcop/utility.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/portal.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "index/backfill.h"
#include "index/index_build.h"
#include "index/index_sql.h"
#include "index/index_worker.h"
#include "index/ttl_index.h"

/* Tables up to this size are done at once, if nobody uses them. */
#define SMALL_TABLE_BLOCKS	64

/* How long one attempt to get the lock for ADD COLUMN may hold others up. */
#define ADD_COLUMN_TIMEOUT	"50ms"

/* A batch is to keep its row locks for about this long. */
#define BATCH_MILLISECONDS	20
#define BATCH_MAX_BLOCKS	256

/* Rows that others had locked are looked for again after this. */
#define LOCKED_ROWS_PAUSE_MILLISECONDS 100

static bool
lock_changes(Oid relid, bool wait)
{
	LOCKTAG		tag;

	SET_LOCKTAG_OBJECT(tag, MyDatabaseId, catalog_table_oid("indexes", false), relid, 0);
	if (LockAcquire(&tag, ExclusiveLock, false, !wait) == LOCKACQUIRE_NOT_AVAIL)
		return false;
	AcceptInvalidationMessages();
	return true;
}

void
index_lock_changes(Oid relid)
{
	(void) lock_changes(relid, true);
}

bool
index_try_lock_changes(Oid relid)
{
	return lock_changes(relid, false);
}

BuildRow *
index_build_of(List *builds, const char *index_name)
{
	ListCell   *cell;

	foreach(cell, builds)
	{
		BuildRow   *row = lfirst(cell);

		if (strcmp(row->index_name, index_name) == 0)
			return row;
	}
	return NULL;
}

bool
index_builds_unfinished(List *builds)
{
	ListCell   *cell;

	foreach(cell, builds)
	{
		if (((BuildRow *) lfirst(cell))->phase != BUILD_DONE)
			return true;
	}
	return false;
}

/* ---- statements ---- */

/* As a client would send it: outside of any transaction. */
static void
run_at_top_level(const char *sql)
{
	MemoryContext context = AllocSetContextCreate(TopMemoryContext, "dynamo utility statement",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = CurrentMemoryContext;
	List	   *trees;
	Portal		portal;

	StartTransactionCommand();
	PushActiveSnapshot(GetTransactionSnapshot());
	MemoryContextSwitchTo(context);
	trees = pg_parse_query(sql);
	trees = pg_analyze_and_rewrite_fixedparams(linitial_node(RawStmt, trees), sql, NULL, 0, NULL);
	trees = pg_plan_queries(trees, sql, 0, NULL);
	PopActiveSnapshot();

	portal = CreateNewPortal();	/* a procedure may stand in the unnamed one */
	portal->visible = false;
	PortalDefineQuery(portal, NULL, sql, CreateCommandTag((Node *) linitial(trees)), trees, NULL);
	PortalStart(portal, NULL, 0, InvalidSnapshot);
	(void) compat_portal_run(portal, None_Receiver);
	PortalDrop(portal, false);
	CommitTransactionCommand();
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
}

static void
run_utility(const char *sql)
{
	int			result;

	SPI_connect();
	result = SPI_execute(sql, false, 0);
	if (result != SPI_OK_UTILITY)
		elog(ERROR, "%s gave %s", sql, SPI_result_code_string(result));
	SPI_finish();
}

/*
 * ALTER TABLE .. ADD COLUMN for the attributes that have none yet; NULL if there
 * is none.  It is run under AccessExclusiveLock, with the relation closed.
 */
static char *
add_columns_sql(const TableDescription *description)
{
	StringInfoData sql;
	bool		any = false;

	initStringInfo(&sql);
	appendStringInfo(&sql, "ALTER TABLE %s", description->quoted);
	for (int i = 0; i < description->attribute_count; i++)
	{
		const KeyAttribute *attribute = &description->attributes[i];

		if (attribute->attnum != InvalidAttrNumber)
			continue;
		appendStringInfo(&sql, "%s ADD COLUMN ", any ? "," : "");
		index_append_column(&sql, attribute->type, attribute->quoted);
		any = true;
	}
	return any ? sql.data : NULL;
}

static char *
create_index_sql(const TableDescription *table, const IndexDescription *index, bool concurrently)
{
	IndexColumn keys[2];
	IndexShape	shape;
	int			count = 0;

	keys[count].type = table->partition->type;
	keys[count++].quoted = table->partition->quoted;
	if (table->sort != NULL)
	{
		keys[count].type = table->sort->type;
		keys[count++].quoted = table->sort->quoted;
	}
	index_shape(&shape, index);
	return index_create_sql(quote_identifier(index->relation_name), table->quoted, concurrently,
							&shape, keys, count);
}

static char *
quoted_index(const TableDescription *table, const IndexDescription *index)
{
	return quote_qualified_identifier(get_namespace_name(get_rel_namespace(table->root)),
									  index->relation_name);
}

/* ---- time to live ---- */

static bool
is_ttl(const char *index_name)
{
	return strcmp(index_name, TTL_BUILD) == 0;
}

static void
put_ttl_state(TtlRow *ttl, TtlState state)
{
	ttl->state = state;
	ttl->since = GetCurrentTimestamp();
	catalog_put_ttl(ttl);
}

/* The column stays, for the next time. */
static void
put_ttl_disabled(TtlRow *ttl)
{
	catalog_delete_build(ttl->relation, TTL_BUILD);
	put_ttl_state(ttl, TTL_DISABLED);
}

/* ---- the rows ---- */

/* Names of the attributes of an index's keys; none without one. */
static List *
key_names(const IndexDescription *index)
{
	List	   *names = NIL;

	if (index == NULL)
		return NIL;
	for (int i = 0; i < index->partition_count; i++)
		names = lappend(names, index->partition[i]->name);
	for (int i = 0; i < index->sort_count; i++)
		names = lappend(names, index->sort[i]->name);
	return names;
}

static void
put_done(Oid relid, BuildRow *row)
{
	row->phase = BUILD_DONE;
	row->finished_at = GetCurrentTimestamp();
	row->last_error = NULL;
	catalog_put_build(relid, row);
	if (!is_ttl(row->index_name))
		catalog_set_index_status(relid, row->index_name, INDEX_ACTIVE);
}

/* An attribute of nothing but the index, without a column, goes with it. */
static void
forget_index(Oid relid, const TableDescription *table, const IndexDescription *index)
{
	ListCell   *cell;

	foreach(cell, key_names(index))
	{
		KeyAttribute *attribute = description_attribute(table, lfirst(cell), strlen(lfirst(cell)));

		if (attribute != NULL && attribute->attnum == InvalidAttrNumber)
			catalog_delete_attribute(relid, attribute->name);
	}
	catalog_delete_build(relid, index->name);
	catalog_delete_index(relid, index->name);
}

typedef struct OpenBuild
{
	Relation	relation;
	TableDescription *table;
	IndexDescription *index;	/* NULL: the build serves time to live */
	BuildRow   *row;
	TtlRow		ttl;
} OpenBuild;

static bool
find_build(OpenBuild *build, Oid relid, const char *index_name)
{
	if (is_ttl(index_name))
	{
		build->index = NULL;
		build->row = catalog_read_ttl_build(relid);
		return build->row != NULL && catalog_read_ttl(relid, &build->ttl);
	}
	build->index = description_index(build->table, index_name);
	build->row = index_build_of(catalog_read_builds(relid), index_name);
	return build->index != NULL && build->row != NULL;
}

/*
 * Open the table in the current transaction and find the build anew, under the
 * lock of changes.  False if somebody else has changed or ended it.
 */
static bool
open_build(OpenBuild *build, Oid relid, LOCKMODE lockmode, const char *index_name, BuildPhase phase)
{
	build->relation = try_table_open(relid, lockmode);
	if (build->relation == NULL)
		return false;
	index_lock_changes(relid);
	build->table = catalog_description(build->relation);
	if (build->table != NULL && find_build(build, relid, index_name) && build->row->phase == phase)
		return true;
	table_close(build->relation, NoLock);
	return false;
}

static void
close_build(OpenBuild *build)
{
	table_close(build->relation, NoLock);
}

/* ---- the steps ---- */

static void
set_local(const char *name, const char *value)
{
	(void) set_config_option(name, value, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_LOCAL, true, 0, false);
}

/* Columns that indexes of before have left need no lock. */
static bool
lacks_columns(Oid relid, const char *index_name)
{
	OpenBuild	build;
	bool		lacks = true;

	StartTransactionCommand();
	if (open_build(&build, relid, AccessShareLock, index_name, BUILD_PENDING))
	{
		lacks = add_columns_sql(build.table) != NULL;
		close_build(&build);
	}
	CommitTransactionCommand();
	return lacks;
}

static void
add_columns(Oid relid, const char *index_name)
{
	LOCKMODE	lockmode = lacks_columns(relid, index_name) ? AccessExclusiveLock : AccessShareLock;
	OpenBuild	build;

	StartTransactionCommand();
	PushActiveSnapshot(GetTransactionSnapshot());
	set_local("lock_timeout", ADD_COLUMN_TIMEOUT);
	LockRelationOid(relid, lockmode);
	if (open_build(&build, relid, NoLock, index_name, BUILD_PENDING))
	{
		char	   *sql = build.index ? add_columns_sql(build.table) :
		ttl_index_column_sql(build.table, &build.ttl);

		close_build(&build);
		if (sql != NULL)
			run_utility(sql);
		if (build.index == NULL)
			put_ttl_state(&build.ttl, TTL_ENABLED);
		build.row->phase = BUILD_BACKFILL;
		build.row->last_error = NULL;
		catalog_put_build(relid, build.row);
	}
	PopActiveSnapshot();
	CommitTransactionCommand();
}

static int64
count_rows(const TableDescription *table)
{
	int64		count;
	bool		isnull;

	SPI_connect();
	if (SPI_execute(psprintf("SELECT pg_catalog.count(*) FROM %s", table->quoted), true, 0) != SPI_OK_SELECT)
		elog(ERROR, "could not count the rows of %s", table->quoted);
	count = DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull));
	SPI_finish();
	return count;
}

/* In a transaction of its own: a long one, so without the lock of changes. */
static int64
count_rows_of(Oid relid)
{
	Relation	relation;
	int64		count = 0;

	StartTransactionCommand();
	PushActiveSnapshot(GetTransactionSnapshot());
	relation = try_table_open(relid, AccessShareLock);
	if (relation != NULL)
	{
		TableDescription *table = catalog_description(relation);

		if (table != NULL)
			count = count_rows(table);
		table_close(relation, NoLock);
	}
	PopActiveSnapshot();
	CommitTransactionCommand();
	return count;
}

/* What a pass over the items knows, from batch to batch. */
typedef struct Pass
{
	Oid			relid;
	const char *index_name;
	bool		first;			/* it counts, the others look for what it had to leave */
	int64		total;
	BackfillCounts counts;
	int			batch_blocks;
} Pass;

/*
 * Fill the blocks from begin on, and commit; the block to go on from.
 * InvalidBlockNumber if the build is not to be gone on with.  The lock of
 * changes is taken before any row's, so that nothing waits while it holds rows.
 */
static BlockNumber
fill_batch(Pass *pass, Oid leaf, BlockNumber begin, BlockNumber blocks)
{
	OpenBuild	build;
	Relation	relation;
	BlockNumber end = begin + Min(pass->batch_blocks, blocks - begin);
	TimestampTz started = GetCurrentTimestamp();
	long		milliseconds;

	StartTransactionCommand();
	PushActiveSnapshot(GetTransactionSnapshot());
	if (!open_build(&build, pass->relid, RowExclusiveLock, pass->index_name, BUILD_BACKFILL))
	{
		PopActiveSnapshot();
		CommitTransactionCommand();
		return InvalidBlockNumber;
	}
	relation = try_table_open(leaf, RowExclusiveLock);
	if (relation != NULL)
	{
		backfill_blocks(relation, key_names(build.index), build.index ? pass->index_name : NULL,
						begin, end, &pass->counts);
		table_close(relation, NoLock);
	}
	if (pass->first)
	{
		build.row->rows_done = pass->counts.rows;
		build.row->rows_skipped = pass->counts.skipped;
		build.row->rows_total = Max(pass->total, pass->counts.rows);
		build.row->last_error = NULL;
		catalog_put_build(pass->relid, build.row);
	}
	close_build(&build);
	PopActiveSnapshot();
	CommitTransactionCommand();

	milliseconds = TimestampDifferenceMilliseconds(started, GetCurrentTimestamp());
	if (milliseconds < BATCH_MILLISECONDS / 2)
		pass->batch_blocks = Min(pass->batch_blocks * 2, BATCH_MAX_BLOCKS);
	else if (milliseconds > BATCH_MILLISECONDS * 2)
		pass->batch_blocks = Max(pass->batch_blocks / 2, 1);
	return end;
}

static List *
relations_to_fill(Oid relid, MemoryContext context)
{
	MemoryContext caller;
	List	   *relations;

	StartTransactionCommand();
	caller = MemoryContextSwitchTo(context);
	relations = backfill_relations(relid, AccessShareLock);
	MemoryContextSwitchTo(caller);
	CommitTransactionCommand();
	MemoryContextSwitchTo(context);
	return relations;
}

static BlockNumber
blocks_of(Oid relid)
{
	Relation	relation;
	BlockNumber blocks = 0;

	StartTransactionCommand();
	relation = try_table_open(relid, AccessShareLock);
	if (relation != NULL)
	{
		blocks = RelationGetNumberOfBlocks(relation);
		table_close(relation, NoLock);
	}
	CommitTransactionCommand();
	return blocks;
}

/* False if the build is not to be gone on with. */
static bool
fill_all(Pass *pass, MemoryContext context)
{
	ListCell   *cell;

	foreach(cell, relations_to_fill(pass->relid, context))
	{
		BlockNumber blocks = blocks_of(lfirst_oid(cell));

		for (BlockNumber block = 0; block < blocks;)
		{
			index_worker_check_interrupts();
			block = fill_batch(pass, lfirst_oid(cell), block, blocks);
			if (block == InvalidBlockNumber)
				return false;
		}
	}
	return true;
}

static void
backfill(Oid relid, const char *index_name, MemoryContext context)
{
	Pass		pass = {.relid = relid,.index_name = index_name,.first = true,.batch_blocks = 8};
	OpenBuild	build;

	pass.total = count_rows_of(relid);
	for (;;)
	{
		if (!fill_all(&pass, context))
			return;
		if (!pass.first && pass.counts.left == 0)
			break;
		if (!pass.first || pass.counts.left > 0)
			index_worker_sleep(LOCKED_ROWS_PAUSE_MILLISECONDS);
		pass.first = false;
		memset(&pass.counts, 0, sizeof(pass.counts));
	}

	StartTransactionCommand();
	if (open_build(&build, relid, AccessShareLock, index_name, BUILD_BACKFILL))
	{
		build.row->phase = BUILD_INDEX;
		catalog_put_build(relid, build.row);
		close_build(&build);
	}
	CommitTransactionCommand();
}

/*
 * What is to be run outside of a transaction for the B-tree: its creation, or
 * the removal of what a crash has left of one.  NULL if it is whole.  In drop,
 * the other way about.
 */
static char *
next_statement(Oid relid, const char *index_name, BuildPhase phase, MemoryContext context)
{
	OpenBuild	build;
	char	   *sql = NULL;

	StartTransactionCommand();
	if (open_build(&build, relid, AccessShareLock, index_name, phase))
	{
		bool		valid = false;
		Oid			index_relid = InvalidOid;
		/* PostgreSQL has nothing concurrent for partitioned tables */
		bool		concurrently = build.relation->rd_rel->relkind == RELKIND_RELATION;

		if (build.index != NULL)
			index_relid = index_find(build.table->root, build.index->relation_name, &valid);
		if (build.index == NULL)
			sql = ttl_index_next_statement(relid, &build.ttl, phase == BUILD_DROP);
		else if (OidIsValid(index_relid) && (phase == BUILD_DROP || !valid))
			sql = psprintf("DROP INDEX %s%s", concurrently ? "CONCURRENTLY " : "",
						   quoted_index(build.table, build.index));
		else if (phase == BUILD_INDEX && !valid)
			sql = create_index_sql(build.table, build.index, concurrently);
		if (sql != NULL)
			sql = MemoryContextStrdup(context, sql);
		close_build(&build);
	}
	CommitTransactionCommand();
	MemoryContextSwitchTo(context);
	return sql;
}

static void
build_index(Oid relid, const char *index_name, MemoryContext context)
{
	OpenBuild	build;
	char	   *sql;

	while ((sql = next_statement(relid, index_name, BUILD_INDEX, context)) != NULL)
		run_at_top_level(sql);

	StartTransactionCommand();
	if (open_build(&build, relid, AccessShareLock, index_name, BUILD_INDEX))
	{
		put_done(relid, build.row);
		close_build(&build);
	}
	CommitTransactionCommand();
}

static void
drop_index(Oid relid, const char *index_name, MemoryContext context)
{
	OpenBuild	build;
	char	   *sql;

	while ((sql = next_statement(relid, index_name, BUILD_DROP, context)) != NULL)
		run_at_top_level(sql);

	StartTransactionCommand();
	if (open_build(&build, relid, AccessShareLock, index_name, BUILD_DROP))
	{
		if (build.index != NULL)
			forget_index(relid, build.table, build.index);
		else
			put_ttl_disabled(&build.ttl);
		close_build(&build);
	}
	CommitTransactionCommand();
}

/* Builds of indexes, then that of time to live. */
static List *
all_builds(Oid relid)
{
	List	   *builds = catalog_read_builds(relid);
	BuildRow   *ttl = catalog_read_ttl_build(relid);

	return ttl ? lappend(builds, ttl) : builds;
}

/* The first build that is not done, copied into context; NULL if there is none. */
static BuildRow *
next_build(Oid relid, MemoryContext context)
{
	BuildRow   *found = NULL;
	ListCell   *cell;

	StartTransactionCommand();
	foreach(cell, all_builds(relid))
	{
		BuildRow   *row = lfirst(cell);

		if (row->phase == BUILD_DONE)
			continue;
		found = MemoryContextAlloc(context, sizeof(BuildRow));
		*found = *row;
		found->index_name = MemoryContextStrdup(context, row->index_name);
		break;
	}
	CommitTransactionCommand();
	return found;
}

bool
index_build_step(Oid relid)
{
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext context = AllocSetContextCreate(TopMemoryContext, "dynamo index build",
												  ALLOCSET_DEFAULT_SIZES);
	BuildRow   *row = next_build(relid, context);

	MemoryContextSwitchTo(context);
	if (row != NULL)
	{
		switch (row->phase)
		{
			case BUILD_PENDING:
				add_columns(relid, row->index_name);
				break;
			case BUILD_BACKFILL:
				backfill(relid, row->index_name, context);
				break;
			case BUILD_INDEX:
				build_index(relid, row->index_name, context);
				break;
			case BUILD_DROP:
				drop_index(relid, row->index_name, context);
				break;
			case BUILD_DONE:
				break;
		}
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	return row != NULL;
}

void
index_build_note_error(Oid relid, const char *message)
{
	ListCell   *cell;

	StartTransactionCommand();
	index_lock_changes(relid);
	foreach(cell, all_builds(relid))
	{
		BuildRow   *row = lfirst(cell);

		if (row->phase == BUILD_DONE)
			continue;
		row->last_error = message;
		catalog_put_build(relid, row);
		break;
	}
	CommitTransactionCommand();
}

/* ---- at once ---- */

/*
 * May the relation be changed here and now?  Its lock is taken if so: that of
 * a transaction block would be held for as long as the user likes.
 */
static bool
may_finish_now(Oid relid)
{
	Relation	relation;
	bool		may;

	if (IsTransactionBlock() || IsSubTransaction() || IsolationUsesXactSnapshot())
		return false;
	relation = table_open(relid, NoLock);
	may = relation->rd_rel->relkind == RELKIND_RELATION &&
		!relation->rd_rel->relforcerowsecurity &&
		relation->rd_refcnt == 1 &&
		!AfterTriggerPendingOnRel(relid) &&
		compat_may_create_in(RelationGetNamespace(relation), GetUserId()) &&
		RelationGetNumberOfBlocks(relation) <= SMALL_TABLE_BLOCKS;
	table_close(relation, NoLock);
	return may && ConditionalLockRelationOid(relid, AccessExclusiveLock);
}

static void
create_now(Oid relid, const char *index_name)
{
	Relation	relation = table_open(relid, NoLock);
	TableDescription *table = catalog_description(relation);
	BackfillCounts counts = {0};
	BuildRow	row = {0};
	char	   *sql;

	sql = add_columns_sql(table);
	table_close(relation, NoLock);
	if (sql != NULL)
		run_utility(sql);

	relation = table_open(relid, NoLock);
	table = catalog_description(relation);
	backfill_blocks(relation, key_names(description_index(table, index_name)), index_name,
					0, RelationGetNumberOfBlocks(relation), &counts);
	sql = create_index_sql(table, description_index(table, index_name), false);
	table_close(relation, NoLock);
	run_utility(sql);

	row.index_name = index_name;
	row.rows_done = row.rows_total = counts.rows;
	row.rows_skipped = counts.skipped;
	row.started_at = GetCurrentTransactionStartTimestamp();
	put_done(relid, &row);
}

static void
drop_now(Oid relid, const char *index_name)
{
	Relation	relation = table_open(relid, NoLock);
	TableDescription *table = catalog_description(relation);
	IndexDescription *index = description_index(table, index_name);
	bool		valid;
	char	   *sql = NULL;

	if (OidIsValid(index_find(table->root, index->relation_name, &valid)))
		sql = psprintf("DROP INDEX %s", quoted_index(table, index));
	forget_index(relid, table, index);
	table_close(relation, NoLock);
	if (sql != NULL)
		run_utility(sql);
}

/* Column, old items, index: the relation is locked against everybody. */
static void
enable_ttl_now(Oid relid)
{
	Relation	relation = table_open(relid, NoLock);
	BuildRow   *row = catalog_read_ttl_build(relid);
	BackfillCounts counts = {0};
	TtlRow		ttl;
	char	   *sql;
	bool		valid;

	if (row == NULL || !catalog_read_ttl(relid, &ttl))
		elog(ERROR, "catalog of dynamo has no time to live for relation %u", relid);
	sql = ttl_index_column_sql(catalog_description(relation), &ttl);
	table_close(relation, NoLock);
	if (sql != NULL)
		run_utility(sql);
	put_ttl_state(&ttl, TTL_ENABLED);

	relation = table_open(relid, NoLock);
	backfill_blocks(relation, NIL, NULL, 0, RelationGetNumberOfBlocks(relation), &counts);
	table_close(relation, NoLock);
	if (!OidIsValid(ttl_index_find(relid, &ttl, &valid)))
		run_utility(ttl_index_create_sql(relid, &ttl, false));

	row->rows_done = row->rows_total = counts.rows;
	put_done(relid, row);
}

static void
disable_ttl_now(Oid relid)
{
	TtlRow		ttl;
	Oid			index;
	bool		valid;

	if (!catalog_read_ttl(relid, &ttl))
		elog(ERROR, "catalog of dynamo has no time to live for relation %u", relid);
	put_ttl_disabled(&ttl);
	index = ttl_index_find(relid, &ttl, &valid);
	if (OidIsValid(index))
		run_utility(ttl_index_drop_sql(index, false));
}

void
index_build_register(Oid relid, const char *index_name, bool drop)
{
	BuildRow	row = {0};

	row.index_name = index_name;
	row.phase = drop ? BUILD_DROP : BUILD_PENDING;
	row.started_at = GetCurrentTransactionStartTimestamp();
	catalog_put_build(relid, &row);
	if (drop && !is_ttl(index_name))
		catalog_set_index_status(relid, index_name, INDEX_DELETING);
}

void
index_build_start(Oid relid, const char *index_name, bool drop)
{
	if (may_finish_now(relid))
	{
		if (is_ttl(index_name) && drop)
			disable_ttl_now(relid);
		else if (is_ttl(index_name))
			enable_ttl_now(relid);
		else if (drop)
			drop_now(relid, index_name);
		else
			create_now(relid, index_name);
	}
	else
		index_worker_start(relid, drop);
}
