/*
 * capacity.c
 *		ConsumedCapacity, by DynamoDB's rules.
 *
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
#include "postgres.h"

#include "item/item.h"
#include "operation/capacity.h"
#include "operation/index_projection.h"
#include "operation/response.h"

#define READ_UNIT_BYTES	 4096
#define WRITE_UNIT_BYTES 1024

void		(*capacity_observer) (const char *table_name, double units) = NULL;

static void
observe(const TableDescription *table, double units)
{
	if (capacity_observer != NULL)
		capacity_observer(table->name, units);
}

double
capacity_of_read(int64 bytes, bool consistent)
{
	int64		units = Max(1, (bytes + READ_UNIT_BYTES - 1) / READ_UNIT_BYTES);

	return consistent ? units : units * 0.5;
}

static double
capacity_of_write(int64 old_bytes, int64 new_bytes)
{
	int64		bytes = Max(old_bytes, new_bytes);

	return Max(1, (bytes + WRITE_UNIT_BYTES - 1) / WRITE_UNIT_BYTES);
}

/* One decimal at most, since units are halves; JSON numbers as the service prints them. */
static void
append_units(JsonWriter *response, const char *name, double units)
{
	response_open(response, name, '{');
	response_decimal(response, "CapacityUnits", units);
	response_close(response, '}');
}

static void
append_head(JsonWriter *response, const TableDescription *table, double total)
{
	response_open(response, "ConsumedCapacity", '{');
	response_string(response, "TableName", table->name);
	response_decimal(response, "CapacityUnits", total);
}

static const char *
index_group(IndexKind kind)
{
	return kind == INDEX_GLOBAL ? "GlobalSecondaryIndexes" : "LocalSecondaryIndexes";
}

void
capacity_append_read(JsonWriter *response, ReturnCapacity wanted, const TableDescription *table,
					 const IndexDescription *index, double units, double table_units)
{
	observe(table, units + table_units);
	if (wanted == CAPACITY_NONE)
		return;

	append_head(response, table, units + table_units);
	if (wanted == CAPACITY_INDEXES)
	{
		append_units(response, "Table", index == NULL ? units : table_units);
		if (index != NULL)
		{
			response_open(response, index_group(index->kind), '{');
			append_units(response, index->name, units);
			response_close(response, '}');
		}
	}
	response_close(response, '}');
}

/* ---- shares of indexes in a write ---- */

/* Is the item in the index, that is, does it have all its keys? */
static bool
in_index(const IndexDescription *index, JsonbContainer *item)
{
	JsonbValue	value;

	if (item == NULL)
		return false;
	for (int i = 0; i < index->partition_count; i++)
	{
		if (!attribute_get(item, index->partition[i]->name, index->partition[i]->name_length, &value))
			return false;
	}
	for (int i = 0; i < index->sort_count; i++)
	{
		if (!attribute_get(item, index->sort[i]->name, index->sort[i]->name_length, &value))
			return false;
	}
	return true;
}

static bool
same_attribute(JsonbContainer *old_item, JsonbContainer *new_item, const char *name, int length)
{
	JsonbValue	old_value;
	JsonbValue	new_value;
	bool		has_old = attribute_get(old_item, name, length, &old_value);
	bool		has_new = attribute_get(new_item, name, length, &new_value);

	return has_old == has_new && (!has_old || attribute_equal(&old_value, &new_value));
}

static bool
same_keys(const IndexDescription *index, JsonbContainer *old_item, JsonbContainer *new_item)
{
	for (int i = 0; i < index->partition_count; i++)
	{
		if (!same_attribute(old_item, new_item, index->partition[i]->name, index->partition[i]->name_length))
			return false;
	}
	for (int i = 0; i < index->sort_count; i++)
	{
		if (!same_attribute(old_item, new_item, index->sort[i]->name, index->sort[i]->name_length))
			return false;
	}
	return true;
}

/* What the index stores of an item, as jsonb. */
static Jsonb *
index_view(const TableDescription *table, const IndexDescription *index, JsonbContainer *item)
{
	Projection *projection = index_projection(table, index);

	return projection == NULL ? NULL : projection_apply(projection, item);
}

static int64
view_size(const TableDescription *table, const IndexDescription *index, JsonbContainer *item)
{
	Jsonb	   *view;

	if (!in_index(index, item))
		return 0;
	view = index_view(table, index, item);
	return item_size(view != NULL ? &view->root : item);
}

static bool
same_view(const TableDescription *table, const IndexDescription *index,
		  JsonbContainer *old_item, JsonbContainer *new_item)
{
	Jsonb	   *old_view = index_view(table, index, old_item);
	Jsonb	   *new_view = index_view(table, index, new_item);

	if (old_view == NULL)
		return compareJsonbContainers(old_item, new_item) == 0;
	return compareJsonbContainers(&old_view->root, &new_view->root) == 0;
}

/*
 * Nothing if the index's view is unchanged; one write for an entry that comes,
 * goes or changes in place; two for one that moves.
 */
static double
index_units(const TableDescription *table, const IndexDescription *index,
			JsonbContainer *old_item, JsonbContainer *new_item)
{
	int64		old_size = view_size(table, index, old_item);
	int64		new_size = view_size(table, index, new_item);

	if (old_size == 0 && new_size == 0)
		return 0;
	if (old_size == 0 || new_size == 0)
		return capacity_of_write(old_size, new_size);
	if (!same_keys(index, old_item, new_item))
		return capacity_of_write(old_size, 0) + capacity_of_write(0, new_size);
	if (same_view(table, index, old_item, new_item))
		return 0;
	return capacity_of_write(old_size, new_size);
}

static void
append_unit_members(JsonWriter *response, CapacityUnits kind, double units)
{
	response_decimal(response, "CapacityUnits", units);
	if (kind == CAPACITY_UNITS_READ)
		response_decimal(response, "ReadCapacityUnits", units);
	else if (kind == CAPACITY_UNITS_WRITE)
		response_decimal(response, "WriteCapacityUnits", units);
}

static void
append_index_shares(JsonWriter *response, const TableDescription *table, IndexKind kind,
					CapacityUnits unit_kind, const double *units)
{
	bool		first = true;

	for (int i = 0; i < table->index_count; i++)
	{
		const IndexDescription *index = &table->indexes[i];

		if (index->kind != kind || units[i] == 0)
			continue;
		if (first)
			response_open(response, index_group(kind), '{');
		first = false;
		response_open(response, index->name, '{');
		append_unit_members(response, unit_kind, units[i]);
		response_close(response, '}');
	}
	if (!first)
		response_close(response, '}');
}

void
capacity_add_write(TableCapacity *capacity, JsonbContainer *old_item, JsonbContainer *new_item,
				   double factor)
{
	const TableDescription *table = capacity->table;

	capacity->table_units += factor * capacity_of_write(old_item ? item_size(old_item) : 0,
														new_item ? item_size(new_item) : 0);
	if (old_item == new_item || table->index_count == 0)
		return;
	if (capacity->index_units == NULL)
		capacity->index_units = palloc0(sizeof(double) * table->index_count);
	for (int i = 0; i < table->index_count; i++)
	{
		if (table->indexes[i].active)
			capacity->index_units[i] += index_units(table, &table->indexes[i], old_item, new_item);
	}
}

/* {"TableName":..}, with the shares if they are wanted. */
static void
append_object(JsonWriter *response, const char *name, ReturnCapacity wanted, CapacityUnits units,
			  const TableCapacity *capacity)
{
	const TableDescription *table = capacity->table;
	double		total = capacity->table_units;

	for (int i = 0; capacity->index_units != NULL && i < table->index_count; i++)
		total += capacity->index_units[i];

	response_open(response, name, '{');
	response_string(response, "TableName", table->name);
	append_unit_members(response, units, total);
	if (wanted == CAPACITY_INDEXES)
	{
		response_open(response, "Table", '{');
		append_unit_members(response, units, capacity->table_units);
		response_close(response, '}');
		if (capacity->index_units != NULL)
		{
			append_index_shares(response, table, INDEX_LOCAL, units, capacity->index_units);
			append_index_shares(response, table, INDEX_GLOBAL, units, capacity->index_units);
		}
	}
	response_close(response, '}');
}

void
capacity_append_table(JsonWriter *response, ReturnCapacity wanted, CapacityUnits units,
					  const TableCapacity *capacity)
{
	observe(capacity->table, capacity->table_units);
	append_object(response, NULL, wanted, units, capacity);
}

void
capacity_append_write(JsonWriter *response, ReturnCapacity wanted, const TableDescription *table,
					  JsonbContainer *old_item, JsonbContainer *new_item)
{
	TableCapacity capacity = {.table = table};

	if (capacity_observer != NULL)
		observe(table, capacity_of_write(old_item ? item_size(old_item) : 0,
										 new_item ? item_size(new_item) : 0));
	if (wanted == CAPACITY_NONE)
		return;
	capacity_add_write(&capacity, old_item, new_item, 1);
	append_object(response, "ConsumedCapacity", wanted, CAPACITY_UNITS_PLAIN, &capacity);
}
