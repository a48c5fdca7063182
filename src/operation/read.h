/*
 * read.h
 *		Reading one item.
 */
#ifndef DYNAMO_READ_H
#define DYNAMO_READ_H

#include "postgres.h"
#include "utils/jsonb.h"

#include "catalog/item_keys.h"

/* The item with this key, or NULL. */
extern Jsonb *read_item(TableDescription *table, const KeyColumns *keys);

#endif							/* DYNAMO_READ_H */
