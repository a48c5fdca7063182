/*
 * transaction.c
 *		A transaction over items: all of its actions, or none.
 *
 * All keys are locked first, whether their items are there or not; then the
 * rows that matter are locked and read in key order, every condition and
 * update is evaluated, and only if all of them hold is anything written.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "tcop/utility.h"

#include "errors.h"
#include "item/item.h"
#include "item/key.h"
#include "operation/key_lock.h"
#include "operation/statement.h"
#include "operation/transaction.h"
#include "tableam/tableam.h"

bool
transaction_check_items(const cJSON *items, ConstraintFaults *faults)
{
	int			count;

	if (items == NULL)
	{
		constraint_fault(faults, NULL, "transactItems", "Member must not be null");
		return false;
	}
	count = cJSON_GetArraySize(items);
	if (count == 0)
		constraint_fault(faults, "[]", "transactItems", "Member must have length greater than or equal to 1");
	if (count > TRANSACTION_MAX_ACTIONS)
	{
		constraint_fault(faults, psprintf("[%d actions]", count), "transactItems",
						 "Member must have length less than or equal to %d", TRANSACTION_MAX_ACTIONS);
		return false;
	}
	return true;
}

#define DUPLICATE_TEXT "Transaction request cannot include multiple operations on one item"
#define NESTING_TEXT   "Nesting Levels have exceeded supported limits"

/* ---- tables and keys ---- */

static void
open_tables(ItemAction *actions, int count, LOCKMODE lockmode)
{
	for (int i = 0; i < count; i++)
	{
		if (i > 0 && strcmp(actions[i].table_name, actions[i - 1].table_name) == 0)
			actions[i].table = actions[i - 1].table;
		else
			actions[i].table = item_request_open_table(actions[i].table_name, lockmode);
	}
}

/*
 * Of all faults of keys, an empty value refuses the request as a whole, also
 * where it stands in an index key of an item.
 */
static void
refuse_empty_keys(const ItemAction *action)
{
	const TableDescription *table = action->table;

	for (int i = 0; i < table->attribute_count; i++)
	{
		const KeyAttribute *attribute = &table->attributes[i];
		JsonbValue	value;
		Datum		unused;

		if (!attribute->table_key && action->kind != ACTION_PUT)
			continue;
		if (!attribute_get(&action->item->root, attribute->name, attribute->name_length, &value) ||
			attribute_type(&value) != attribute->type || key_value_size(&value) > 0)
			continue;
		if (attribute->table_key)
			item_key_check_value(attribute, &value, attribute == table->partition);
		else
			gate_column_value(table, attribute, &action->item->root, &unused);
	}
}

static void
check_update(const ItemAction *action)
{
	WriteSpec	spec = {.table = action->table,.update = action->update};

	write_check_update(&spec);
}

/* Raises what is wrong with the keys of the action; a check for reason_try(). */
static void
find_keys(void *argument)
{
	ItemAction *action = argument;

	if (action->kind == ACTION_PUT)
	{
		item_keys_of_item(action->table, &action->item->root, &action->keys);
		write_check_index_keys(action->table, &action->item->root);
	}
	else
	{
		item_keys_of_key(action->table, &action->item->root, &action->keys);
		check_update(action);
	}
}

int *
transaction_open(ItemAction *actions, int count)
{
	CancellationReason *reasons = palloc0(sizeof(CancellationReason) * count);
	bool		valid = true;

	open_tables(actions, count, RowExclusiveLock);
	for (int i = 0; i < count; i++)
		refuse_empty_keys(&actions[i]);

	/* the service reports the first fault alone */
	for (int i = 0; i < count && valid; i++)
		valid = reason_try(find_keys, &actions[i], &reasons[i]);
	if (!valid)
		reasons_cancel(reasons, count);
	for (int i = 0; i < count; i++)
		item_request_check_key_paths(actions[i].table, actions[i].condition, NULL, actions[i].update);
	return item_action_order(actions, count, DUPLICATE_TEXT);
}

void
transaction_open_for_reading(ItemAction *actions, int count)
{
	CancellationReason *reasons = palloc0(sizeof(CancellationReason) * count);
	bool		valid = true;

	open_tables(actions, count, AccessShareLock);
	for (int i = 0; i < count; i++)
		refuse_empty_keys(&actions[i]);
	for (int i = 0; i < count; i++)
	{
		if (!reason_try(find_keys, &actions[i], &reasons[i]))
			valid = false;
	}
	if (!valid)
		reasons_cancel(reasons, count);
	item_action_order(actions, count, DUPLICATE_TEXT);
}

/* ---- locking and reading ---- */

static void
lock_keys(const ItemAction *actions, int count)
{
	int		   *stripes = palloc(sizeof(int) * count);

	for (int i = 0; i < count; i++)
		stripes[i] = key_lock_stripe(actions[i].table, &actions[i].keys);
	key_lock_transaction(stripes, count);
	pfree(stripes);
}

/* A plain put or delete need not know what is there. */
static void
read_items(ItemAction *actions, const int *order, int count, bool want_old)
{
	for (int i = 0; i < count; i++)
	{
		ItemAction *action = &actions[order[i]];

		action->presence = ITEM_UNKNOWN;
		if (!want_old && action->condition == NULL &&
			(action->kind == ACTION_PUT || action->kind == ACTION_DELETE))
			continue;
		action->old_item = write_lock_item(action->table, &action->keys);
		action->presence = action->old_item ? ITEM_PRESENT : ITEM_ABSENT;
	}
}

/* ---- evaluating ---- */

/*
 * Raises what is wrong with the update or with the item it makes, measured as
 * it is, unlike UpdateItem; a check for reason_try().
 */
static void
apply_update(void *argument)
{
	ItemAction *action = argument;

	if (action->update == NULL)
	{
		action->new_item = action->old_item ? action->old_item : action->item;
		return;
	}
	action->new_item = action->old_item ? update_apply(action->update, &action->old_item->root) :
		update_create(action->update, &action->item->root);
	if (action->new_item == NULL)
		return;
	if (item_size(&action->new_item->root) > ITEM_MAX_SIZE)
		validation_error("Item size to update has exceeded the maximum allowed size");
	item_check(action->new_item);
	write_check_index_keys(action->table, &action->new_item->root);
}

static bool
evaluate(ItemAction *action, CancellationReason *reason)
{
	if (action->condition != NULL &&
		!condition_matches(action->condition, action->old_item ? &action->old_item->root : NULL))
	{
		reason->code = REASON_CONDITION_FAILED;
		reason->message = MESSAGE_CONDITION_FAILED;
		reason->item = action->want_failed ? action->old_item : NULL;
		return false;
	}

	switch (action->kind)
	{
		case ACTION_CHECK:
			action->new_item = action->old_item;
			return true;
		case ACTION_PUT:
			action->new_item = action->item;
			return true;
		case ACTION_DELETE:
			action->new_item = NULL;
			return true;
		case ACTION_UPDATE:
			if (reason_try(apply_update, action, reason))
				return true;
			/* of an update the service gives the short form */
			if (strncmp(reason->message, NESTING_TEXT, strlen(NESTING_TEXT)) == 0)
				reason->message = NESTING_TEXT;
			return false;
	}
	pg_unreachable();
}

static void
evaluate_all(ItemAction *actions, int count)
{
	CancellationReason *reasons = palloc0(sizeof(CancellationReason) * count);
	bool		passed = true;

	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!evaluate(&actions[i], &reasons[i]))
			passed = false;
	}
	if (!passed)
		reasons_cancel(reasons, count);
}

/* ---- writing ---- */

/* A raw INSERT, which takes no key lock, has come between reading and writing. */
pg_noreturn static void
cancel_by_conflict(int position, int count)
{
	CancellationReason *reasons = palloc0(sizeof(CancellationReason) * count);

	reasons[position].code = REASON_CONFLICT;
	reasons[position].message = MESSAGE_CONFLICT;
	reasons_cancel(reasons, count);
}

static void
write_items(ItemAction *actions, const int *order, int count)
{
	for (int i = 0; i < count; i++)
	{
		ItemAction *action = &actions[order[i]];

		CHECK_FOR_INTERRUPTS();
		if (action->kind == ACTION_CHECK)
			continue;
		if (action->new_item != NULL)
		{
			if (!write_store_item(action->table, &action->keys, action->new_item, action->presence))
				cancel_by_conflict(order[i], count);
		}
		else if (action->presence != ITEM_ABSENT)
			write_remove_item(action->table, &action->keys, action->presence);
	}
}

void
transaction_run(ItemAction *actions, const int *order, int count, bool want_old)
{
	PreventCommandIfReadOnly("TransactWriteItems");
	lock_keys(actions, count);
	statement_begin();
	read_items(actions, order, count, want_old);
	evaluate_all(actions, count);
	write_items(actions, order, count);
	statement_end();
}
