/*
 * batch_statement.c
 *		Statements on many items of one table at once.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "item/key.h"
#include "operation/batch_statement.h"
#include "operation/statement.h"
#include "operation/write.h"

/* ---- statements ---- */

/* "ROWS FROM (unnest($1), unnest($2) ..)"; returns with the parameters added. */
static void
append_key_rows(StatementText *text, const TableDescription *table, bool items)
{
	appendStringInfoString(&text->sql, "ROWS FROM (pg_catalog.unnest(");
	statement_add_parameter(text, get_array_type(key_column_type(table->partition->type)));
	if (table->sort != NULL)
	{
		appendStringInfoString(&text->sql, "), pg_catalog.unnest(");
		statement_add_parameter(text, get_array_type(key_column_type(table->sort->type)));
	}
	if (items)
	{
		appendStringInfoString(&text->sql, "), pg_catalog.unnest(");
		statement_add_parameter(text, JSONBARRAYOID);
	}
	appendStringInfoString(&text->sql, "))");
}

/* The columns of these rows, after the alias. */
static void
append_key_columns(StatementText *text, const TableDescription *table, const char *last)
{
	appendStringInfo(&text->sql, " AS key(partition%s, %s)", table->sort ? ", sort" : "", last);
}

static void
append_key_join(StatementText *text, const TableDescription *table)
{
	appendStringInfo(&text->sql, "stored.%s OPERATOR(pg_catalog.=) key.partition", table->partition->quoted);
	if (table->sort != NULL)
		appendStringInfo(&text->sql, " AND stored.%s OPERATOR(pg_catalog.=) key.sort", table->sort->quoted);
}

static void
compose_read(StatementText *text, const TableDescription *table, void *argument)
{
	appendStringInfoString(&text->sql, "SELECT key.position, stored.item FROM ");
	append_key_rows(text, table, false);
	appendStringInfoString(&text->sql, " WITH ORDINALITY");
	append_key_columns(text, table, "position");
	appendStringInfo(&text->sql, " JOIN %s AS stored ON ", table->quoted);
	append_key_join(text, table);
}

static void
compose_lock(StatementText *text, const TableDescription *table, void *argument)
{
	compose_read(text, table, argument);
	appendStringInfoString(&text->sql, " FOR NO KEY UPDATE OF stored");
}

static void
compose_put(StatementText *text, const TableDescription *table, void *argument)
{
	const char *partition = table->partition->quoted;
	const char *separator = table->sort ? ", " : "";
	const char *sort = table->sort ? table->sort->quoted : "";

	appendStringInfo(&text->sql, "INSERT INTO %s (%s%s%s, item) SELECT key.partition, %skey.item FROM ",
					 table->quoted, partition, separator, sort, table->sort ? "key.sort, " : "");
	append_key_rows(text, table, true);
	append_key_columns(text, table, "item");
	appendStringInfo(&text->sql, " ON CONFLICT (%s%s%s) DO UPDATE SET item = EXCLUDED.item",
					 partition, separator, sort);
}

static void
compose_delete(StatementText *text, const TableDescription *table, void *argument)
{
	appendStringInfo(&text->sql, "DELETE FROM %s AS stored USING ", table->quoted);
	append_key_rows(text, table, false);
	appendStringInfo(&text->sql, " AS key(partition%s) WHERE ", table->sort ? ", sort" : "");
	append_key_join(text, table);
}

/* ---- parameters ---- */

static Datum
key_array(const TableDescription *table, const KeyColumns *const *keys, int count, int column)
{
	AttributeType type = column == 0 ? table->partition->type : table->sort->type;
	Datum	   *values = palloc(sizeof(Datum) * count);

	for (int i = 0; i < count; i++)
		values[i] = keys[i]->values[column];
	return PointerGetDatum(construct_array(values, count, key_column_type(type), -1, false, TYPALIGN_INT));
}

static int
key_parameters(const TableDescription *table, const KeyColumns *const *keys, int count, Datum *values)
{
	int			columns = table->sort ? 2 : 1;

	for (int column = 0; column < columns; column++)
		values[column] = key_array(table, keys, count, column);
	return columns;
}

/* ---- running ---- */

typedef struct RowReader
{
	BatchReceiver receiver;
	void	   *argument;
	MemoryContext row;
} RowReader;

static bool
receive_row(TupleTableSlot *slot, void *argument)
{
	RowReader  *reader = argument;
	MemoryContext caller = MemoryContextSwitchTo(reader->row);
	bool		is_null;
	int64		position = DatumGetInt64(slot_getattr(slot, 1, &is_null));
	Jsonb	   *item = DatumGetJsonbP(slot_getattr(slot, 2, &is_null));
	bool		more;

	CHECK_FOR_INTERRUPTS();
	more = reader->receiver((int) position - 1, item, reader->argument);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(reader->row);
	return more;
}

static void
read_rows(TableDescription *table, SPIPlanPtr plan, const KeyColumns *const *keys, int count,
		  BatchReceiver receiver, void *argument)
{
	RowReader	reader = {receiver, argument};
	Datum		values[2];
	int			columns = key_parameters(table, keys, count, values);

	reader.row = AllocSetContextCreate(CurrentMemoryContext, "dynamo batch row", ALLOCSET_DEFAULT_SIZES);
	statement_run(plan, columns, values, receive_row, &reader);
	MemoryContextDelete(reader.row);
}

void
batch_read(TableDescription *table, const KeyColumns *const *keys, int count,
		   BatchReceiver receiver, void *argument)
{
	read_rows(table, statement_plan(table, STATEMENT_BATCH_GET, 0, NULL, compose_read, NULL),
			  keys, count, receiver, argument);
}

void
batch_lock(TableDescription *table, const KeyColumns *const *keys, int count,
		   BatchReceiver receiver, void *argument)
{
	read_rows(table, statement_plan(table, STATEMENT_BATCH_LOCK, 0, NULL, compose_lock, NULL),
			  keys, count, receiver, argument);
}

void
batch_put(TableDescription *table, const KeyColumns *const *keys, Jsonb *const *items, int count)
{
	Datum		values[3];
	int			columns = key_parameters(table, keys, count, values);
	Datum	   *elements = palloc(sizeof(Datum) * count);

	for (int i = 0; i < count; i++)
		elements[i] = JsonbPGetDatum(items[i]);
	values[columns++] = PointerGetDatum(construct_array(elements, count, JSONBOID, -1, false, TYPALIGN_INT));

	if (statement_run(statement_plan(table, STATEMENT_BATCH_PUT, 0, NULL, compose_put, NULL),
					  columns, values, NULL, NULL) < count)
		write_raise_swallowed(table, true);
}

void
batch_delete(TableDescription *table, const KeyColumns *const *keys, int count)
{
	Datum		values[2];
	int			columns = key_parameters(table, keys, count, values);

	statement_run(statement_plan(table, STATEMENT_BATCH_DELETE, 0, NULL, compose_delete, NULL),
				  columns, values, NULL, NULL);
}
