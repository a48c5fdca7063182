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
	evaluation->may_be_too_large = evaluation->update != NULL &&
		update_charge(evaluation->update, NULL) > ITEM_MAX_SIZE;
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

static void
check_updated_size(int64 size)
{
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
	if (evaluation->may_be_too_large)
		check_updated_size(update_charge(evaluation->update, item ? &item->root : NULL));
	evaluation->passed = evaluation->condition == NULL ||
		condition_matches(evaluation->condition, item ? &item->root : NULL);

	if (item != NULL &&
		(evaluation->passed ? evaluation->keep_old : evaluation->keep_failed))
		evaluation->old_item = copy_item(item);

	if (evaluation->passed)
	{
		if (evaluation->update != NULL)
		{
			evaluation->new_item = item ? update_apply(evaluation->update, &item->root) :
				update_create(evaluation->update, &base->root);
			if (evaluation->new_item != NULL)
				check_updated_size(item_size(&evaluation->new_item->root));
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
