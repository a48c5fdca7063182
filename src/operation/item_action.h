/*
 * item_action.h
 *		One action of a request on several items.
 */
#ifndef DYNAMO_ITEM_ACTION_H
#define DYNAMO_ITEM_ACTION_H

#include "postgres.h"

#include "catalog/item_keys.h"
#include "expression/expression.h"
#include "operation/capacity.h"
#include "operation/item_request.h"
#include "operation/write.h"

typedef enum ActionKind
{
	ACTION_CHECK,
	ACTION_PUT,
	ACTION_UPDATE,
	ACTION_DELETE
} ActionKind;

typedef struct ItemAction
{
	/* given */
	ActionKind	kind;
	char	   *table_name;
	Jsonb	   *item;			/* put: the new item; else the key attributes */
	const Condition *condition;
	const Update *update;		/* update; NULL writes the bare key if absent */
	bool		want_failed;	/* the item that fails the condition belongs in the reason */

	/* found */
	TableDescription *table;
	KeyColumns	keys;
	ItemPresence presence;
	Jsonb	   *old_item;		/* if it was read */
	Jsonb	   *new_item;		/* NULL: none afterwards */
} ItemAction;

/*
 * The positions of the actions by table and key, the order in which every
 * request on several items locks rows.  Raises ValidationException with this
 * text if two actions have the same key.
 */
extern int *item_action_order(ItemAction *actions, int count, const char *duplicate_text);

/*
 * ConsumedCapacity of the tables in the order of the request: of writes, whose
 * old and new items are there, or of so many units of reading each.  The kind
 * of units tells whether the transactional factor applies.
 */
extern void item_action_append_capacity(JsonWriter *response, ReturnCapacity wanted, CapacityUnits kind,
										const ItemAction *actions, int count);
extern void item_action_append_read_capacity(JsonWriter *response, ReturnCapacity wanted, CapacityUnits kind,
											 const ItemAction *actions, const double *units, int count);

/* ItemCollectionMetrics of the tables that have any. */
extern void item_action_append_metrics(JsonWriter *response, const ItemAction *actions, int count);

#endif							/* DYNAMO_ITEM_ACTION_H */
