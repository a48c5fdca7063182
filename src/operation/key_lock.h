/*
 * key_lock.h
 *		Locks on keys, whether an item is there or not.
 *
 * A row's lock cannot protect the absence of a row.  Keys are therefore hashed
 * to 1,024 stripes per database, each a heavyweight lock of a class of its own
 * (pg_locks shows it as an object of dynamo.transaction_tokens).  A transaction
 * holds the stripes of all its keys exclusively; a single write holds the
 * stripe of an item it creates in a mode that such writes share with each
 * other.  Locks end with the transaction.
 */
#ifndef DYNAMO_KEY_LOCK_H
#define DYNAMO_KEY_LOCK_H

#include "postgres.h"

#include "catalog/item_keys.h"

#define KEY_LOCK_STRIPES 1024

/* Creations of one transaction that lock their own stripes; further ones lock all of them at once. */
#define KEY_LOCK_MAX_CREATIONS 64

extern int	key_lock_stripe(const TableDescription *table, const KeyColumns *keys);

/*
 * Lock the stripes of a transaction's keys, in ascending order so that two
 * transactions cannot wait for each other.  Reorders the array.
 */
extern void key_lock_transaction(int *stripes, int count);

/* Lock the key of an item that is about to be created by a single write. */
extern void key_lock_creation(const TableDescription *table, const KeyColumns *keys);

/* The same for several items, before any of them is created.  Reorders the array. */
extern void key_lock_creations(int *stripes, int count);

#endif							/* DYNAMO_KEY_LOCK_H */
