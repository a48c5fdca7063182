/*
 * write.h
 *		Writing one item: what PutItem, UpdateItem and DeleteItem share.
 */
#ifndef DYNAMO_WRITE_H
#define DYNAMO_WRITE_H

#include "postgres.h"

#include "catalog/item_keys.h"
#include "compat.h"
#include "expression/expression.h"

typedef enum WriteKind
{
	WRITE_PUT,
	WRITE_UPDATE,
	WRITE_DELETE
} WriteKind;

typedef struct WriteSpec
{
	WriteKind	kind;
	TableDescription *table;
	KeyColumns	keys;
	Jsonb	   *item;			/* put: the new item; else the key attributes */
	const Condition *condition; /* NULL: none */
	const Update *update;		/* update; NULL writes the bare key if absent */
	bool		want_old;		/* the old item is needed even if the write succeeds */
	bool		want_new;		/* the new item as it is stored, after triggers */
	bool		want_failed;	/* the item that failed the condition is needed */
} WriteSpec;

typedef struct WriteResult
{
	bool		condition_failed;	/* then nothing was written */
	Jsonb	   *old_item;		/* if wanted and there was one */
	Jsonb	   *new_item;		/* the new item; NULL: absent, or a plain put without want_new */
} WriteResult;

/* ---- pieces, for transactions that have locked their keys ---- */

typedef enum ItemPresence
{
	ITEM_UNKNOWN,
	ITEM_PRESENT,
	ITEM_ABSENT
} ItemPresence;

/* Lock the item's row until the end of the transaction; the item, or NULL if it is absent. */
extern Jsonb *write_lock_item(TableDescription *table, const KeyColumns *keys);

/*
 * Store the item.  False if it was said to be absent and somebody who takes no
 * key locks has inserted it meanwhile.
 */
extern bool write_store_item(TableDescription *table, const KeyColumns *keys, Jsonb *item,
							 ItemPresence presence);

/* Delete the item. */
extern void write_remove_item(TableDescription *table, const KeyColumns *keys, ItemPresence presence);

/* ---- whole writes ---- */

/*
 * What the gate will refuse of index keys of a new item: the service says so
 * before it evaluates a condition.
 */
extern void write_check_index_keys(const TableDescription *table, JsonbContainer *item);

/* The same of values that an update sets whatever the item is. */
extern void write_check_assigned_index_keys(const TableDescription *table, const Update *update);

/* "Cannot update attribute X. This attribute is part of the key" */
extern void write_check_update(const WriteSpec *spec);

/*
 * Write the item in the current transaction.  Under concurrency the outcome is
 * that of some order of the writes.  Raises what the table's privileges,
 * row-level security and triggers raise; a write that they swallow is
 * AccessDeniedException or names the trigger.
 */
extern void write_item(WriteSpec *spec, WriteResult *result);

/* ConditionalCheckFailedException, with the item in its body if it was wanted. */
pg_noreturn extern void write_raise_condition_failed(const WriteResult *result);

/*
 * A write that the table swallowed: names row-level security (row_seen is
 * false) or the trigger that may be the reason.
 */
pg_noreturn extern void write_raise_swallowed(const TableDescription *table, bool row_seen);

#endif							/* DYNAMO_WRITE_H */
