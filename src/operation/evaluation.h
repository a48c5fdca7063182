/*
 * evaluation.h
 *		Conditions and updates evaluated beside the row.
 *
 * A write is a statement of the form
 *
 *		UPDATE t SET item = dynamo.evaluated($n)
 *		WHERE <key> AND dynamo.evaluate(item, $n)
 *
 * so that condition and new value are computed under the row's lock, on its
 * newest version (READ COMMITTED evaluates again when the row changed
 * meanwhile).  $n names an Evaluation of the running operation.  The last
 * evaluation is the one that counts: it keeps what the statement cannot return
 * (the old item), and tells a failed condition from an absent row.
 */
#ifndef DYNAMO_EVALUATION_H
#define DYNAMO_EVALUATION_H

#include "postgres.h"
#include "utils/jsonb.h"
#include "utils/palloc.h"

#include "expression/expression.h"

typedef struct Evaluation
{
	/* given */
	const Condition *condition; /* NULL: always true */
	const Update *update;		/* NULL: the new item is replacement */
	Jsonb	   *replacement;
	bool		unchanged;		/* an item that is there stays as it is */
	bool		keep_old;		/* copy the old item even if the condition holds */
	bool		keep_failed;	/* copy the item that failed the condition */

	/* found by the last evaluation */
	int			evaluations;	/* 0: no row was seen */
	bool		passed;
	Jsonb	   *old_item;
	int64		old_size;		/* with keep_old */
	Jsonb	   *new_item;

	/* private */
	bool		may_be_too_large;	/* the update's charge depends on the item */
	int64		id;
	MemoryContext context;
	struct ErrorContextCallback *error_context;
	struct Evaluation *outer;
	MemoryContextCallback unregister;
} Evaluation;

/*
 * Make the evaluation known to SQL until the current memory context goes or
 * evaluation_end() is called; returns its parameter value.  The struct must be
 * allocated in the current memory context and stay there.
 */
extern Datum evaluation_begin(Evaluation *evaluation);
extern void evaluation_end(Evaluation *evaluation);

/*
 * Evaluate on an item (NULL: absent).  base is the item an update of an absent
 * item starts from, its key attributes.  Sets the found members.
 */
extern void evaluation_run(Evaluation *evaluation, Jsonb *item, Jsonb *base);

#endif							/* DYNAMO_EVALUATION_H */
