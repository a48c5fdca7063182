/*
 * transaction.h
 *		A transaction over items: all of its actions, or none.
 *
 * Whatever reads the request (TransactWriteItems, the SQL function for plain
 * JSON, PartiQL) makes an array of actions of it; the rest is here.
 */
#ifndef DYNAMO_TRANSACTION_H
#define DYNAMO_TRANSACTION_H

#include "postgres.h"

#include "operation/item_action.h"
#include "operation/operation.h"
#include "operation/transaction_reasons.h"

#define TRANSACTION_MAX_ACTIONS 100
#define TRANSACTION_MAX_BYTES	(4 * 1024 * 1024)

/*
 * Is TransactItems a list of 1 to TRANSACTION_MAX_ACTIONS elements?  Faults are
 * added; false if its elements should not be looked at.
 */
extern bool transaction_check_items(const cJSON *items, ConstraintFaults *faults);

/*
 * Open the tables (ResourceNotFoundException if there is none) and find the
 * keys.  Raises ValidationException for empty keys and for two actions on one
 * item, TransactionCanceledException for the first other fault of a key.  Returns
 * the actions' positions by table and key, the order in which all lock.
 */
extern int *transaction_open(ItemAction *actions, int count);

/*
 * Run opened actions in the current transaction.  Raises
 * TransactionCanceledException if a condition does not hold or an update
 * cannot be applied; nothing has been written then.  want_old: the old items
 * are needed (consumed capacity).
 */
extern void transaction_run(ItemAction *actions, const int *order, int count, bool want_old);

/*
 * Opening for TransactGetItems, whose actions are keys by themselves: here
 * every fault of a key is a reason.
 */
extern void transaction_open_for_reading(ItemAction *actions, int count);

#endif							/* DYNAMO_TRANSACTION_H */
