/*
 * statement.c
 *		Kept plans of the statements that read and write items.
 */
#include "postgres.h"

#include "access/xact.h"
#include "common/hashfn.h"
#include "executor/executor.h"
#include "jit/jit.h"
#include "miscadmin.h"
#include "nodes/params.h"
#include "optimizer/cost.h"
#include "tcop/dest.h"
#include "utils/memutils.h"
#include "utils/plancache.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

#include "compat.h"
#include "operation/statement.h"

/* Roles come and go; a table's cache starts afresh when it holds this many plans. */
#define STATEMENT_CACHE_LIMIT 256

typedef struct StatementKey
{
	uint64		variant;
	Oid			role;			/* InvalidOid unless row-level security applies to it */
	uint32		index_hash;		/* of the index name; 0 for the table */
	StatementKind kind;
} StatementKey;

typedef struct StatementEntry
{
	StatementKey key;
	uint32		status;			/* simplehash's */
	SPIPlanPtr	plan;
} StatementEntry;

#define SH_PREFIX		statements
#define SH_ELEMENT_TYPE StatementEntry
#define SH_KEY_TYPE		StatementKey
#define SH_KEY			key
#define SH_HASH_KEY(table, key)	 hash_bytes((const unsigned char *) &(key), sizeof(StatementKey))
#define SH_EQUAL(table, a, b)	 (memcmp(&(a), &(b), sizeof(StatementKey)) == 0)
#define SH_SCOPE		static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

struct StatementCache
{
	statements_hash *plans;
};

/*
 * Operations in progress: triggers nest them.  An error leaves the count too
 * high until the transaction ends, which only puts off the release of plans.
 */
static int	depth = 0;

static void
release_plans(TableDescription *table)
{
	statements_iterator iterator;
	StatementEntry *entry;

	if (table->statements == NULL)
		return;

	statements_start_iterate(table->statements->plans, &iterator);
	while ((entry = statements_iterate(table->statements->plans, &iterator)) != NULL)
	{
		if (entry->plan != NULL)
			SPI_freeplan(entry->plan);
	}
	statements_reset(table->statements->plans);
}

static void
forget_depth(XactEvent event, void *argument)
{
	if (event == XACT_EVENT_COMMIT || event == XACT_EVENT_ABORT || event == XACT_EVENT_PREPARE)
		depth = 0;
}

void
statement_init(void)
{
	catalog_release_hook = release_plans;
	RegisterXactCallback(forget_depth, NULL);
}

/*
 * SPI leaves its own memory context current; ours stays the caller's, so that
 * results outlive statement_end().
 */
void
statement_begin(void)
{
	MemoryContext caller = CurrentMemoryContext;

	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "could not connect to the SPI manager");
	depth++;
	MemoryContextSwitchTo(caller);
}

void
statement_end(void)
{
	depth--;
	if (SPI_finish() != SPI_OK_FINISH)
		elog(ERROR, "could not disconnect from the SPI manager");
}

void
statement_add_parameter(StatementText *text, Oid type)
{
	if (text->parameter_count >= STATEMENT_MAX_PARAMETERS)
		elog(ERROR, "too many parameters in a statement on items");
	text->parameter_types[text->parameter_count++] = type;
	appendStringInfo(&text->sql, "$%d", text->parameter_count);
}

/*
 * The key order of the primary key or of an index is part of what these
 * statements promise (pages stop in the middle), so the plan must come from
 * the index whatever the statistics say: a sort would read an item collection
 * of a million items for a page of ten.  Arrays of keys are joined by a look-up
 * per key, in the order given: the plan is kept while the table grows.
 */
static void
plan_by_index(SPIPlanPtr plan)
{
	bool		seqscan = enable_seqscan;
	bool		bitmapscan = enable_bitmapscan;
	bool		sort = enable_sort;
	bool		incremental_sort = enable_incremental_sort;
	bool		hashjoin = enable_hashjoin;
	bool		mergejoin = enable_mergejoin;
	bool		material = enable_material;
	bool		jit = jit_enabled;

	/* a page reads a few items of the many that the planner sees: no plan is worth compiling */
	jit_enabled = false;
	enable_seqscan = enable_bitmapscan = enable_sort = enable_incremental_sort = false;
	enable_hashjoin = enable_mergejoin = enable_material = false;
	PG_TRY();
	{
		CachedPlan *cached = SPI_plan_get_cached_plan(plan);

		if (cached != NULL)
			ReleaseCachedPlan(cached, CurrentResourceOwner);
	}
	PG_FINALLY();
	{
		enable_seqscan = seqscan;
		enable_bitmapscan = bitmapscan;
		enable_sort = sort;
		enable_incremental_sort = incremental_sort;
		jit_enabled = jit;
		enable_hashjoin = hashjoin;
		enable_mergejoin = mergejoin;
		enable_material = material;
	}
	PG_END_TRY();
}

static SPIPlanPtr
prepare(TableDescription *table, StatementComposer composer, void *argument)
{
	MemoryContext caller = CurrentMemoryContext;
	StatementText text = {0};
	SPIPlanPtr	plan;

	initStringInfo(&text.sql);
	composer(&text, table, argument);

	plan = SPI_prepare_cursor(text.sql.data, text.parameter_count, text.parameter_types,
							  CURSOR_OPT_GENERIC_PLAN);
	if (plan == NULL)
		elog(ERROR, "could not prepare \"%s\": %s", text.sql.data,
			 SPI_result_code_string(SPI_result));
	if (SPI_keepplan(plan) != 0)
		elog(ERROR, "could not keep the plan of \"%s\"", text.sql.data);
	MemoryContextSwitchTo(caller);
	pfree(text.sql.data);
	return plan;
}

SPIPlanPtr
statement_plan(TableDescription *table, StatementKind kind, uint64 variant,
			   const char *index_name, StatementComposer composer, void *argument)
{
	StatementKey key;
	StatementEntry *entry;
	bool		found;

	memset(&key, 0, sizeof(key));
	key.kind = kind;
	key.variant = variant;
	if (index_name != NULL)
		key.index_hash = hash_bytes((const unsigned char *) index_name, strlen(index_name));
	if (table->row_security)
		key.role = GetUserId();

	if (table->statements == NULL)
	{
		struct StatementCache *cache = MemoryContextAllocZero(table->context, sizeof(*cache));

		cache->plans = statements_create(table->context, 16, NULL);
		table->statements = cache;
	}

	entry = statements_lookup(table->statements->plans, key);
	if (entry == NULL)
	{
		SPIPlanPtr	plan;

		/* an operation around this one may be running one of the plans */
		if (table->statements->plans->members >= STATEMENT_CACHE_LIMIT && depth <= 1)
			release_plans(table);
		plan = prepare(table, composer, argument);
		entry = statements_insert(table->statements->plans, key, &found);
		entry->plan = plan;
	}
	return entry->plan;
}

/* ---- running ---- */

typedef struct CallbackReceiver
{
	DestReceiver pub;
	StatementReceiver receiver;
	void	   *argument;
} CallbackReceiver;

static bool
callback_receive(TupleTableSlot *slot, DestReceiver *self)
{
	CallbackReceiver *callback = (CallbackReceiver *) self;

	return callback->receiver(slot, callback->argument);
}

static void
callback_startup(DestReceiver *self, int operation, TupleDesc typeinfo)
{
}

static void
callback_done(DestReceiver *self)
{
}

bool
statement_receive_item(TupleTableSlot *slot, void *argument)
{
	StatementItem *received = argument;
	MemoryContext caller = MemoryContextSwitchTo(received->context);
	bool		is_null;
	Datum		item = slot_getattr(slot, 1, &is_null);

	if (!is_null)
		received->item = (Jsonb *) PG_DETOAST_DATUM_COPY(item);
	MemoryContextSwitchTo(caller);
	return true;
}

/* Is there a generic plan that needs no planning? */
static bool
has_valid_plan(SPIPlanPtr plan)
{
	CachedPlanSource *source = linitial(SPI_plan_get_plan_sources(plan));

	return source->is_valid && source->gplan != NULL && source->gplan->is_valid;
}

static int
plan_generation(SPIPlanPtr plan)
{
	CachedPlanSource *source = linitial(SPI_plan_get_plan_sources(plan));

	return source->generation;
}

/*
 * An invalidation while the statement's locks were taken has had it planned
 * anew, by others' rules: the next run shall not find that plan.
 */
static void
forget_foreign_plan(SPIPlanPtr plan, int generation)
{
	CachedPlanSource *source = linitial(SPI_plan_get_plan_sources(plan));

	if (plan_generation(plan) != generation && source->gplan != NULL)
		source->gplan->is_valid = false;
}

static ParamListInfo
make_parameters(SPIPlanPtr plan, int count, const Datum *values)
{
	CachedPlanSource *source = linitial(SPI_plan_get_plan_sources(plan));
	ParamListInfo parameters = makeParamList(count);

	for (int i = 0; i < count; i++)
	{
		parameters->params[i].value = values[i];
		parameters->params[i].isnull = false;
		parameters->params[i].pflags = PARAM_FLAG_CONST;
		parameters->params[i].ptype = source->param_types[i];
	}
	return parameters;
}

static uint64
run(SPIPlanPtr plan, bool read_only, int count, const Datum *values,
	StatementReceiver receiver, void *argument)
{
	SPIExecuteOptions options = {0};
	MemoryContext caller = CurrentMemoryContext;
	CallbackReceiver callback;
	ParamListInfo parameters = make_parameters(plan, count, values);
	int			generation;
	int			result;

	if (!has_valid_plan(plan))
		plan_by_index(plan);
	generation = plan_generation(plan);

	options.params = parameters;
	options.read_only = read_only;
	if (receiver != NULL)
	{
		memset(&callback, 0, sizeof(callback));
		callback.pub.receiveSlot = callback_receive;
		callback.pub.rStartup = callback_startup;
		callback.pub.rShutdown = callback_done;
		callback.pub.rDestroy = callback_done;
		callback.pub.mydest = DestTuplestore;
		callback.receiver = receiver;
		callback.argument = argument;
		options.dest = &callback.pub;
	}

	result = SPI_execute_plan_extended(plan, &options);
	if (result < 0)
		elog(ERROR, "could not run \"%s\": %s", statement_sql(plan),
			 SPI_result_code_string(result));
	forget_foreign_plan(plan, generation);
	MemoryContextSwitchTo(caller);
	pfree(parameters);
	return SPI_processed;
}

uint64
statement_run(SPIPlanPtr plan, int count, const Datum *values,
			  StatementReceiver receiver, void *argument)
{
	return run(plan, false, count, values, receiver, argument);
}

uint64
statement_read(SPIPlanPtr plan, int count, const Datum *values,
			   StatementReceiver receiver, void *argument)
{
	return run(plan, true, count, values, receiver, argument);
}

StatementCursor *
statement_cursor_open(SPIPlanPtr plan, int count, const Datum *values)
{
	StatementCursor *cursor = palloc(sizeof(StatementCursor));

	if (!has_valid_plan(plan))
		plan_by_index(plan);
	CommandCounterIncrement();
	PushActiveSnapshot(GetTransactionSnapshot());
	cursor->owner = CurrentResourceOwner;
	cursor->plan = SPI_plan_get_cached_plan(plan);
	cursor->query = CreateQueryDesc(linitial_node(PlannedStmt, cursor->plan->stmt_list),
									pstrdup(statement_sql(plan)), GetActiveSnapshot(), InvalidSnapshot,
									None_Receiver, make_parameters(plan, count, values), NULL, 0);
	ExecutorStart(cursor->query, 0);
	PopActiveSnapshot();
	return cursor;
}

uint64
statement_cursor_fetch(StatementCursor *cursor, uint64 limit, DestReceiver *receiver)
{
	ResourceOwner owner = CurrentResourceOwner;

	CurrentResourceOwner = cursor->owner;
	PushActiveSnapshot(cursor->query->snapshot);
	cursor->query->dest = receiver;
	compat_executor_run_part(cursor->query, limit);
	PopActiveSnapshot();
	CurrentResourceOwner = owner;
	return cursor->query->estate->es_processed;
}

void
statement_cursor_close(StatementCursor *cursor)
{
	ResourceOwner owner = CurrentResourceOwner;

	CurrentResourceOwner = cursor->owner;
	ExecutorFinish(cursor->query);
	ExecutorEnd(cursor->query);
	FreeQueryDesc(cursor->query);
	ReleaseCachedPlan(cursor->plan, cursor->owner);
	CurrentResourceOwner = owner;
	pfree(cursor);
}

const char *
statement_sql(SPIPlanPtr plan)
{
	CachedPlanSource *source = linitial(SPI_plan_get_plan_sources(plan));

	return source->query_string;
}
