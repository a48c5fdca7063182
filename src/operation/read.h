/*
 * read.h
 *		Reading items by their keys.
 */
#ifndef DYNAMO_READ_H
#define DYNAMO_READ_H

#include "postgres.h"
#include "utils/jsonb.h"

#include "catalog/item_keys.h"
#include "operation/statement.h"

/* The item with this key, or NULL. */
extern Jsonb *read_item(TableDescription *table, const KeyColumns *keys);

/* The same in the active snapshot; between statement_begin() and statement_end(). */
extern Jsonb *read_item_in_snapshot(TableDescription *table, const KeyColumns *keys);

/* The item that a plan with the keys as parameters returns, in the current memory context, or NULL. */
extern Jsonb *read_item_by_plan(SPIPlanPtr plan, const KeyColumns *keys);

#endif							/* DYNAMO_READ_H */
