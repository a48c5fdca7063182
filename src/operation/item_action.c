/*
 * item_action.c
 *		One action of a request on several items.
 */
#include "postgres.h"

#include "errors.h"
#include "item/key.h"
#include "operation/collection_metrics.h"
#include "operation/item_action.h"
#include "operation/response.h"

static int
compare_actions(const void *a, const void *b, void *argument)
{
	const ItemAction *actions = argument;
	const ItemAction *left = &actions[*(const int *) a];
	const ItemAction *right = &actions[*(const int *) b];
	const TableDescription *table = left->table;
	int			order;

	if (table->root != right->table->root)
		return table->root < right->table->root ? -1 : 1;
	order = key_compare(left->keys.values[0], right->keys.values[0], table->partition->type);
	if (order == 0 && table->sort != NULL)
		order = key_compare(left->keys.values[1], right->keys.values[1], table->sort->type);
	return order;
}

int *
item_action_order(ItemAction *actions, int count, const char *duplicate_text)
{
	int		   *order = palloc(sizeof(int) * count);

	for (int i = 0; i < count; i++)
		order[i] = i;
	qsort_arg(order, count, sizeof(int), compare_actions, actions);
	for (int i = 1; i < count; i++)
	{
		if (compare_actions(&order[i - 1], &order[i], actions) == 0)
			validation_error("%s", duplicate_text);
	}
	return order;
}

/* ---- what the answer tells of tables ---- */

static double
capacity_factor(CapacityUnits kind)
{
	return kind == CAPACITY_UNITS_PLAIN ? 1 : CAPACITY_TRANSACTION_FACTOR;
}

/* The tables of the actions, in the order of the request. */
static TableCapacity *
list_tables_of(const ItemAction *actions, int count, int *table_count)
{
	TableCapacity *tables = palloc0(sizeof(TableCapacity) * count);

	*table_count = 0;
	for (int i = 0; i < count; i++)
	{
		int			at = 0;

		while (at < *table_count && tables[at].table->root != actions[i].table->root)
			at++;
		if (at == *table_count)
			tables[(*table_count)++].table = actions[i].table;
	}
	return tables;
}

static TableCapacity *
table_of(TableCapacity *tables, const ItemAction *action)
{
	while (tables->table->root != action->table->root)
		tables++;
	return tables;
}

static void
append_tables(JsonWriter *response, ReturnCapacity wanted, CapacityUnits units,
			  const TableCapacity *tables, int table_count)
{
	response_open(response, "ConsumedCapacity", '[');
	for (int i = 0; i < table_count; i++)
		capacity_append_table(response, wanted, units, &tables[i]);
	response_close(response, ']');
}

void
item_action_append_capacity(JsonWriter *response, ReturnCapacity wanted, CapacityUnits kind,
							const ItemAction *actions, int count)
{
	TableCapacity *tables;
	int			table_count;

	if (wanted == CAPACITY_NONE)
		return;
	tables = list_tables_of(actions, count, &table_count);
	for (int i = 0; i < count; i++)
		capacity_add_write(table_of(tables, &actions[i]),
						   actions[i].old_item ? &actions[i].old_item->root : NULL,
						   actions[i].new_item ? &actions[i].new_item->root : NULL,
						   capacity_factor(kind));
	append_tables(response, wanted, kind, tables, table_count);
}

void
item_action_append_read_capacity(JsonWriter *response, ReturnCapacity wanted, CapacityUnits kind,
								 const ItemAction *actions, const double *units, int count)
{
	TableCapacity *tables;
	int			table_count;

	if (wanted == CAPACITY_NONE)
		return;
	tables = list_tables_of(actions, count, &table_count);
	for (int i = 0; i < count; i++)
		table_of(tables, &actions[i])->table_units += capacity_factor(kind) * units[i];
	append_tables(response, wanted, kind, tables, table_count);
}

/* Has an action before this one touched the same item collection? */
static bool
is_repeated_collection(const ItemAction *actions, int position)
{
	const ItemAction *action = &actions[position];

	for (int i = 0; i < position; i++)
	{
		if (actions[i].table->root == action->table->root &&
			key_compare(actions[i].keys.values[0], action->keys.values[0],
						action->table->partition->type) == 0)
			return true;
	}
	return false;
}

void
item_action_append_metrics(JsonWriter *response, const ItemAction *actions, int count)
{
	int			table_count;
	TableCapacity *tables = list_tables_of(actions, count, &table_count);
	bool		any = false;

	for (int i = 0; i < table_count; i++)
	{
		const TableDescription *table = tables[i].table;

		if (!collection_metrics_apply(table))
			continue;
		if (!any)
			response_open(response, "ItemCollectionMetrics", '{');
		any = true;
		response_open(response, table->name, '[');
		for (int j = 0; j < count; j++)
		{
			if (actions[j].table->root == table->root && !is_repeated_collection(actions, j))
				collection_metrics_append(response, NULL, table, &actions[j].item->root);
		}
		response_close(response, ']');
	}
	if (any)
		response_close(response, '}');
}
