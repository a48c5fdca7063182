/*
 * transaction_reasons.h
 *		Why a transaction was cancelled: one reason per action, in request order.
 */
#ifndef DYNAMO_TRANSACTION_REASONS_H
#define DYNAMO_TRANSACTION_REASONS_H

#include "postgres.h"
#include "lib/stringinfo.h"
#include "utils/jsonb.h"

#include "compat.h"
#include "item/json_writer.h"

typedef struct CancellationReason
{
	const char *code;			/* NULL: the action had no error */
	const char *message;
	Jsonb	   *item;			/* ConditionalCheckFailed, if it was asked for */
} CancellationReason;

#define REASON_CONDITION_FAILED "ConditionalCheckFailed"
#define REASON_CONFLICT			"TransactionConflict"
#define REASON_VALIDATION		"ValidationError"

#define MESSAGE_CONDITION_FAILED "The conditional request failed"
#define MESSAGE_CONFLICT		 "Transaction is ongoing for the item"

/*
 * Run a check that touches nothing but memory.  A ValidationException of it
 * becomes the reason, and the result is false; other errors go through.
 */
extern bool reason_try(void (*check) (void *argument), void *argument, CancellationReason *reason);

/* TransactionCanceledException with the reasons, in the order of the actions. */
pg_noreturn extern void reasons_cancel(const CancellationReason *reasons, int count);

/*
 * The text and the body of that exception, by themselves, for a transaction
 * that was given up because of others: a conflict for each action.
 */
extern void reasons_conflict(int count, StringInfo text, JsonWriter *body);

#endif							/* DYNAMO_TRANSACTION_REASONS_H */
