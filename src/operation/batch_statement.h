/*
 * batch_statement.h
 *		Statements on many items of one table at once.
 *
 * Each joins the table's key with arrays of keys by one look-up per key, in
 * the order given.  Keys are distinct.
 */
#ifndef DYNAMO_BATCH_STATEMENT_H
#define DYNAMO_BATCH_STATEMENT_H

#include "postgres.h"
#include "utils/jsonb.h"

#include "catalog/item_keys.h"

/* Called with the position of the key and its item, which lasts for the call; returns false to stop. */
typedef bool (*BatchReceiver) (int position, Jsonb *item, void *argument);

/* The items that are there. */
extern void batch_read(TableDescription *table, const KeyColumns *const *keys, int count,
					   BatchReceiver receiver, void *argument);

/* The same, their rows locked until the end of the transaction. */
extern void batch_lock(TableDescription *table, const KeyColumns *const *keys, int count,
					   BatchReceiver receiver, void *argument);

/* Create or replace items. */
extern void batch_put(TableDescription *table, const KeyColumns *const *keys, Jsonb *const *items, int count);

extern void batch_delete(TableDescription *table, const KeyColumns *const *keys, int count);

#endif							/* DYNAMO_BATCH_STATEMENT_H */
