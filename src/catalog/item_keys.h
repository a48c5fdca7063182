/*
 * item_keys.h
 *		The keys of an item against the schema of its table.
 */
#ifndef DYNAMO_ITEM_KEYS_H
#define DYNAMO_ITEM_KEYS_H

#include "postgres.h"

#include "catalog/description.h"

/* The table's key as column values: partition key, then sort key if there is one. */
typedef struct KeyColumns
{
	int			count;
	Datum		values[2];
} KeyColumns;

/*
 * The key of a whole item, as PutItem checks it: "Missing the key", "Type
 * mismatch for key", empty and oversized values.
 */
extern void item_keys_of_item(const TableDescription *table, JsonbContainer *item, KeyColumns *keys);

/* One key attribute of a whole item, checked likewise. */
extern void item_key_get(const TableDescription *table, const KeyAttribute *attribute,
						 JsonbContainer *item, JsonbValue *value);

/*
 * The key given by itself, as GetItem, UpdateItem and DeleteItem check it:
 * "The provided key element does not match the schema" for anything missing,
 * surplus or of another type; empty and oversized values.
 */
extern void item_keys_of_key(const TableDescription *table, JsonbContainer *key, KeyColumns *keys);

/*
 * Checks a value for a key attribute: not empty, not too long.  partition
 * tells which limit applies.
 */
extern void item_key_check_value(const KeyAttribute *attribute, const JsonbValue *value, bool partition);

#endif							/* DYNAMO_ITEM_KEYS_H */
