/*
 * evaluation.c
 *		The SQL functions that evaluate a write beside its row.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "errors.h"
#include "item/item.h"
#include "operation/evaluation.h"

/* The bytes that UpdateItem's own measure adds to the item without its keys. */
#define UPDATE_BASE_BYTES	  3
#define UPDATE_WRITING_BYTES  19
#define UPDATE_CLEARING_BYTES 2

/* Innermost first: a trigger of a write may run operations of its own. */
static Evaluation *running = NULL;
static int64 last_id = 0;

static void
unregister(void *argument)
{
	Evaluation *evaluation = argument;
	Evaluation **link;

	for (link = &running; *link != NULL; link = &(*link)->outer)
	{
		if (*link == evaluation)
		{
			*link = evaluation->outer;
			return;
		}
	}
}

Datum
evaluation_begin(Evaluation *evaluation)
{
	evaluation->id = ++last_id;
	evaluation->context = CurrentMemoryContext;
	evaluation->error_context = error_context_stack;
	evaluation->outer = running;
	running = evaluation;

	/* an error leaves by way of the context's end */
	evaluation->unregister.func = unregister;
	evaluation->unregister.arg = evaluation;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, &evaluation->unregister);
	return Int64GetDatum(evaluation->id);
}

void
evaluation_end(Evaluation *evaluation)
{
	unregister(evaluation);
}

static Evaluation *
evaluation_by_id(int64 id)
{
	for (Evaluation *evaluation = running; evaluation != NULL; evaluation = evaluation->outer)
	{
		if (evaluation->id == id)
			return evaluation;
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("no evaluation %lld is running in this session", (long long) id),
			 errhint("This function serves the statements of DynamoDB operations only.")));
}

static Jsonb *
copy_item(Jsonb *item)
{
	Jsonb	   *copy = palloc(VARSIZE(item));

	memcpy(copy, item, VARSIZE(item));
	return copy;
}

/*
 * UpdateItem measures an item with an allowance for its actions, so it refuses
 * some items that PutItem takes.
 */
static void
check_updated_size(const Evaluation *evaluation, Jsonb *item)
{
	int64		size = item_size(&item->root);
	int			writing;
	int			clearing;

	update_count_actions(evaluation->update, &writing, &clearing);
	size = Max(size,
			   size - evaluation->key_size + UPDATE_BASE_BYTES +
			   writing * UPDATE_WRITING_BYTES + clearing * UPDATE_CLEARING_BYTES);
	if (size > ITEM_MAX_SIZE)
		validation_error("Item size to update has exceeded the maximum allowed size");
}

void
evaluation_run(Evaluation *evaluation, Jsonb *item, Jsonb *base)
{
	MemoryContext caller = MemoryContextSwitchTo(evaluation->context);

	evaluation->evaluations++;
	evaluation->old_item = NULL;
	evaluation->new_item = NULL;
	evaluation->passed = evaluation->condition == NULL ||
		condition_matches(evaluation->condition, item ? &item->root : NULL);

	if (item != NULL &&
		(evaluation->passed ? evaluation->keep_old : evaluation->keep_failed))
		evaluation->old_item = copy_item(item);

	if (evaluation->passed)
	{
		if (evaluation->update != NULL)
		{
			evaluation->new_item = update_apply(evaluation->update,
												item ? &item->root : &base->root);
			check_updated_size(evaluation, evaluation->new_item);
		}
		else if (evaluation->unchanged && item != NULL)
			evaluation->new_item = copy_item(item);
		else
			evaluation->new_item = evaluation->replacement;
	}
	MemoryContextSwitchTo(caller);
}

/*
 * dynamo.evaluate(item jsonb, evaluation bigint) returns boolean
 *
 * Errors are the operation's, not the statement's: the statement's own context
 * line would only tell the caller how we are built.
 */
PG_FUNCTION_INFO_V1(dynamo_evaluate);
Datum
dynamo_evaluate(PG_FUNCTION_ARGS)
{
	Evaluation *evaluation = evaluation_by_id(PG_GETARG_INT64(1));
	ErrorContextCallback *statement_context = error_context_stack;

	error_context_stack = evaluation->error_context;
	evaluation_run(evaluation, PG_GETARG_JSONB_P(0), NULL);
	error_context_stack = statement_context;
	PG_RETURN_BOOL(evaluation->passed);
}

/*
 * dynamo.evaluated(evaluation bigint) returns jsonb: the new item of the row
 * that was evaluated last.
 */
PG_FUNCTION_INFO_V1(dynamo_evaluated);
Datum
dynamo_evaluated(PG_FUNCTION_ARGS)
{
	Evaluation *evaluation = evaluation_by_id(PG_GETARG_INT64(0));

	if (evaluation->new_item == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the evaluation has no new item")));
	PG_RETURN_JSONB_P(evaluation->new_item);
}
