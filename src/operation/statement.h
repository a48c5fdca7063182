/*
 * statement.h
 *		The one way to run a statement on an item table: kept plans.
 *
 * Every access to items is a statement, so that privileges, row-level
 * security, triggers and partitions hold.  Plans hang on the table's
 * description and go with it; a plan over a table with row-level security
 * belongs to one role.
 */
#ifndef DYNAMO_STATEMENT_H
#define DYNAMO_STATEMENT_H

#include "postgres.h"
#include "executor/execdesc.h"
#include "executor/spi.h"
#include "executor/tuptable.h"
#include "lib/stringinfo.h"
#include "utils/jsonb.h"
#include "utils/plancache.h"
#include "utils/resowner.h"

#include "catalog/description.h"

/* What a statement does; with the variant it names a statement of a table. */
typedef enum StatementKind
{
	STATEMENT_GET,
	STATEMENT_UPSERT,
	STATEMENT_INSERT,
	STATEMENT_CHANGE,			/* update the row if the evaluation says so */
	STATEMENT_DELETE,
	STATEMENT_LOCK,				/* the item, its row locked */
	STATEMENT_REPLACE,			/* the item of a row that is there */
	STATEMENT_REMOVE,
	STATEMENT_BATCH_GET,		/* of arrays of keys */
	STATEMENT_BATCH_LOCK,
	STATEMENT_BATCH_PUT,
	STATEMENT_BATCH_DELETE,
	STATEMENT_EXPIRED,			/* places of expired items */
	STATEMENT_EXPIRE,			/* delete expired items at places */
	STATEMENT_BACKLOG,			/* count expired items */
	STATEMENT_PAGE				/* Query and Scan; the variant is the shape of the bounds */
} StatementKind;

#define STATEMENT_MAX_PARAMETERS 24

/* A statement's text and parameter types, while it is composed. */
typedef struct StatementText
{
	StringInfoData sql;
	int			parameter_count;
	Oid			parameter_types[STATEMENT_MAX_PARAMETERS];
} StatementText;

/* Appends "$n" for a new parameter of this type. */
extern void statement_add_parameter(StatementText *text, Oid type);

/* Composes the statement; argument is the caller's. */
typedef void (*StatementComposer) (StatementText *text, const TableDescription *table, void *argument);

/* Called per row; returns false to stop.  The slot's memory lasts for the call. */
typedef bool (*StatementReceiver) (TupleTableSlot *slot, void *argument);

/*
 * A receiver for statements on one row whose first column is the item: keeps a
 * copy, in the given memory context; NULL if there is none.
 */
typedef struct StatementItem
{
	MemoryContext context;
	Jsonb	   *item;
} StatementItem;

extern bool statement_receive_item(TupleTableSlot *slot, void *argument);

/* Connect for a series of statements; nests.  Pairs with statement_end(). */
extern void statement_begin(void);
extern void statement_end(void);

/*
 * The kept plan of a statement, composed and prepared at first use.  variant
 * distinguishes statements of one kind; index_name those of its indexes (or NULL).
 */
extern SPIPlanPtr statement_plan(TableDescription *table, StatementKind kind, uint64 variant,
								 const char *index_name,
								 StatementComposer composer, void *argument);

/*
 * Run a kept plan.  Returns the number of rows processed.  nulls may be NULL.
 * With a receiver the rows go there.
 */
extern uint64 statement_run(SPIPlanPtr plan, int count, const Datum *values,
							StatementReceiver receiver, void *argument);

/*
 * The same in the active snapshot, for statements that only read: several of
 * them see one state.
 */
extern uint64 statement_read(SPIPlanPtr plan, int count, const Datum *values,
							 StatementReceiver receiver, void *argument);

/*
 * A kept plan whose rows are fetched little by little, by a set-returning
 * function between its calls.  No portal, which CLOSE ALL would close and
 * ROLLBACK TO would take away: what it holds belongs to the resource owner of
 * its opening, that of the statement that calls the function.
 */
typedef struct StatementCursor
{
	QueryDesc  *query;
	CachedPlan *plan;
	ResourceOwner owner;
} StatementCursor;

/*
 * Open a cursor, in the current memory context; between statement_begin() and
 * statement_end().
 */
extern StatementCursor *statement_cursor_open(SPIPlanPtr plan, int count, const Datum *values);

/* Send up to limit rows, at least one, to the receiver; how many came. */
extern uint64 statement_cursor_fetch(StatementCursor *cursor, uint64 limit, DestReceiver *receiver);

/* Unless an error has ended the statement, which closes it by itself. */
extern void statement_cursor_close(StatementCursor *cursor);

/* The text of the plan's statement, for dynamo.explain(). */
extern const char *statement_sql(SPIPlanPtr plan);

extern void statement_init(void);

#endif							/* DYNAMO_STATEMENT_H */
