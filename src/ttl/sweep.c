/*
 * sweep.c
 *		Deleting expired items of one relation, and dynamo.sweep().
 */
#include "postgres.h"

#include "access/relation.h"
#include "access/table.h"
#include "catalog/pg_type_d.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "tcop/utility.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#include "catalog/rows.h"
#include "catalog/ttl.h"
#include "clock.h"
#include "index/backfill.h"
#include "index/index_build.h"
#include "operation/statement.h"
#include "operation/table_description.h"
#include "stream/capture.h"
#include "ttl/sweep.h"

#define EXPIRY_YEARS		5
#define SECONDS_PER_YEAR	INT64CONST(31557600)	/* of 365.25 days */
#define BACKLOG_MAX			100000	/* items counted for a status */

SweepSpan
sweep_span_now(void)
{
	SweepSpan	span;

	span.until = clock_microseconds() / USECS_PER_SEC;
	span.from = span.until - EXPIRY_YEARS * SECONDS_PER_YEAR;
	return span;
}

bool
sweep_ready(const TableDescription *table)
{
	TtlRow		ttl;
	BuildRow   *build = catalog_read_ttl_build(table->root);

	return table->ttl != NULL && table->ttl->attnum != InvalidAttrNumber &&
		build != NULL && build->phase == BUILD_DONE &&
		catalog_read_ttl(table->root, &ttl) && ttl.state == TTL_ENABLED;
}

/* ---- statements ---- */

/* The relation itself: a description's name is that of the partitioned table. */
static const char *
quoted_relation(const TableDescription *table)
{
	return quote_qualified_identifier(get_namespace_name(get_rel_namespace(table->relid)),
									  get_rel_name(table->relid));
}

static void
compose_span(StatementText *text, const TableDescription *table)
{
	appendStringInfo(&text->sql, "%s OPERATOR(pg_catalog.>=) ", table->ttl->quoted);
	statement_add_parameter(text, INT8OID);
	appendStringInfo(&text->sql, " AND %s OPERATOR(pg_catalog.<=) ", table->ttl->quoted);
	statement_add_parameter(text, INT8OID);
}

static void
compose_find(StatementText *text, const TableDescription *table, void *argument)
{
	appendStringInfo(&text->sql, "SELECT ctid, %s FROM ONLY %s WHERE ",
					 table->ttl->quoted, quoted_relation(table));
	compose_span(text, table);
	appendStringInfo(&text->sql, " ORDER BY %s LIMIT ", table->ttl->quoted);
	statement_add_parameter(text, INT8OID);
}

static void
compose_delete(StatementText *text, const TableDescription *table, void *argument)
{
	const char *quoted = quoted_relation(table);

	appendStringInfo(&text->sql, "DELETE FROM ONLY %s WHERE ctid OPERATOR(pg_catalog.=) ANY"
					 " (ARRAY(SELECT ctid FROM ONLY %s WHERE ", quoted, quoted);
	compose_span(text, table);
	appendStringInfoString(&text->sql, " AND ctid OPERATOR(pg_catalog.=) ANY (");
	statement_add_parameter(text, TIDARRAYOID);
	appendStringInfoString(&text->sql, ") FOR UPDATE SKIP LOCKED))");
}

/* ---- finding ---- */

typedef struct Found
{
	ItemPointerData *places;
	int			count;
	int64		last;
} Found;

static bool
receive_place(TupleTableSlot *slot, void *argument)
{
	Found	   *found = argument;
	bool		isnull;

	found->places[found->count++] = *(ItemPointer) DatumGetPointer(slot_getattr(slot, 1, &isnull));
	found->last = DatumGetInt64(slot_getattr(slot, 2, &isnull));
	return true;
}

static int
compare_places(const void *a, const void *b)
{
	return ItemPointerCompare(unconstify(void *, a), unconstify(void *, b));
}

int
sweep_find(Relation relation, TableDescription *table, SweepSpan span,
		   ItemPointerData *places, int limit, int64 *last)
{
	Found		found = {.places = places};
	Datum		values[3];
	SPIPlanPtr	plan;

	values[0] = Int64GetDatum(span.from);
	values[1] = Int64GetDatum(span.until);
	values[2] = Int64GetDatum(limit);
	statement_begin();
	plan = statement_plan(table, STATEMENT_EXPIRED, 0, NULL, compose_find, NULL);
	(void) statement_run(plan, lengthof(values), values, receive_place, &found);
	statement_end();
	qsort(places, found.count, sizeof(ItemPointerData), compare_places);
	*last = found.last;
	return found.count;
}

/* ---- deleting ---- */

/* The stream's records of what the statement deletes name the service. */
static int64
run_as_service(SPIPlanPtr plan, int count, const Datum *values)
{
	volatile int64 deleted = 0;
	bool		before = capture_service_deletes(true);

	PG_TRY();
	{
		deleted = statement_run(plan, count, values, NULL, NULL);
	}
	PG_FINALLY();
	{
		(void) capture_service_deletes(before);
	}
	PG_END_TRY();
	return deleted;
}

int64
sweep_delete(Relation relation, TableDescription *table, SweepSpan span,
			 ItemPointerData *places, int count)
{
	Datum	   *elements = palloc(sizeof(Datum) * Max(count, 1));
	Datum		values[3];
	SPIPlanPtr	plan;
	int64		deleted;

	for (int i = 0; i < count; i++)
		elements[i] = PointerGetDatum(&places[i]);
	values[0] = Int64GetDatum(span.from);
	values[1] = Int64GetDatum(span.until);
	values[2] = PointerGetDatum(construct_array(elements, count, TIDOID, sizeof(ItemPointerData),
												false, TYPALIGN_SHORT));
	statement_begin();
	plan = statement_plan(table, STATEMENT_EXPIRE, 0, NULL, compose_delete, NULL);
	deleted = run_as_service(plan, lengthof(values), values);
	statement_end();
	pfree(DatumGetPointer(values[2]));
	pfree(elements);
	return deleted;
}

/* ---- by hand ---- */

/* Sweep one relation with storage, of at most max_items. */
static int64
sweep_relation(Oid relid, SweepSpan span, int64 max_items)
{
	Relation	relation = table_open(relid, RowExclusiveLock);
	TableDescription *table = catalog_description(relation);
	ItemPointerData *places = palloc(sizeof(ItemPointerData) * SWEEP_PLACES);
	int64		deleted = 0;
	int			limit = 0;
	int			count = 0;

	while (table != NULL && count == limit && deleted < max_items)
	{
		int64		before = deleted;
		int64		last;

		limit = Min(SWEEP_PLACES, max_items - deleted);
		count = sweep_find(relation, table, span, places, limit, &last);
		for (int done = 0; done < count && deleted < max_items; done += SWEEP_BATCH)
		{
			CHECK_FOR_INTERRUPTS();
			deleted += sweep_delete(relation, table, span, places + done,
									Min(Min(SWEEP_BATCH, count - done), max_items - deleted));
		}

		/* what is left before the last one is locked, or will not go */
		if (deleted == before && last == span.from)
			break;
		span.from = last;
	}
	pfree(places);
	table_close(relation, NoLock);
	return deleted;
}

/*
 * dynamo.sweep(table_name text, max_items int8) returns int8
 */
PG_FUNCTION_INFO_V1(dynamo_sweep);
Datum
dynamo_sweep(PG_FUNCTION_ARGS)
{
	SweepSpan	span = sweep_span_now();
	int64		max_items = PG_ARGISNULL(1) ? PG_INT64_MAX : PG_GETARG_INT64(1);
	int64		deleted = 0;
	char	   *table_name;
	Relation	relation;
	TableDescription *table;
	TtlRow		ttl;
	ListCell   *cell;

	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("argument %s must not be null", "table_name")));
	PreventCommandIfReadOnly("dynamo.sweep()");
	table_name = text_to_cstring(PG_GETARG_TEXT_PP(0));
	relation = catalog_open_table(table_name, RowExclusiveLock, &table);
	if (relation == NULL)
		table_not_found(table_name);
	if (pg_class_aclcheck(table->relid, GetUserId(), ACL_DELETE) != ACLCHECK_OK)
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE, table_name);

	index_lock_changes(table->root);
	if (!sweep_ready(table))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("time to live of table \"%s\" is not enabled, or not yet for all of its items",
						table_name),
				 errhint("View dynamo.ttl_status tells how far it is.")));

	foreach(cell, backfill_relations(table->root, AccessShareLock))
		deleted += sweep_relation(lfirst_oid(cell), span, max_items - deleted);

	if (!catalog_read_ttl(table->root, &ttl))
		elog(ERROR, "catalog of dynamo has no time to live for table \"%s\"", table_name);
	ttl.last_sweep = GetCurrentTimestamp();
	ttl.expired += deleted;
	ttl.last_error = NULL;
	catalog_put_ttl(&ttl);
	table_close(relation, NoLock);
	PG_RETURN_INT64(deleted);
}

/* ---- the backlog ---- */

static void
compose_count(StatementText *text, const TableDescription *table, void *argument)
{
	appendStringInfo(&text->sql, "SELECT pg_catalog.count(*) FROM (SELECT FROM %s WHERE ", table->quoted);
	compose_span(text, table);
	appendStringInfo(&text->sql, " LIMIT %d) expired", BACKLOG_MAX);
}

static bool
receive_count(TupleTableSlot *slot, void *argument)
{
	bool		isnull;

	*(int64 *) argument = DatumGetInt64(slot_getattr(slot, 1, &isnull));
	return true;
}

/*
 * dynamo.ttl_backlog(relation regclass) returns int8
 */
PG_FUNCTION_INFO_V1(dynamo_ttl_backlog);
Datum
dynamo_ttl_backlog(PG_FUNCTION_ARGS)
{
	SweepSpan	span = sweep_span_now();
	Relation	relation = try_relation_open(PG_GETARG_OID(0), AccessShareLock);
	TableDescription *table;
	Datum		values[2];
	int64		count = 0;

	if (relation == NULL)
		PG_RETURN_NULL();
	table = catalog_description(relation);
	if (table == NULL || table->ttl == NULL || table->ttl->attnum == InvalidAttrNumber ||
		pg_class_aclcheck(RelationGetRelid(relation), GetUserId(), ACL_SELECT) != ACLCHECK_OK)
	{
		relation_close(relation, AccessShareLock);
		PG_RETURN_NULL();
	}

	values[0] = Int64GetDatum(span.from);
	values[1] = Int64GetDatum(span.until);
	statement_begin();
	(void) statement_run(statement_plan(table, STATEMENT_BACKLOG, 0, NULL, compose_count, NULL),
						 lengthof(values), values, receive_count, &count);
	statement_end();
	relation_close(relation, NoLock);
	PG_RETURN_INT64(count);
}
