/*
 * write.c
 *		Writing one item.
 *
 * The loop: change or delete what is there, under its row's lock; if nothing
 * is there, evaluate on the absent item and insert; if somebody else inserted
 * meanwhile, start over.  An insert locks the key first: a transaction may have
 * relied on the item's absence.
 */
#include "postgres.h"

#include "catalog/pg_trigger.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/rel.h"
#include "utils/relcache.h"
#include "utils/rls.h"

#include "item/item.h"
#include "item/key.h"
#include "operation/evaluation.h"
#include "operation/key_lock.h"
#include "operation/operation.h"
#include "operation/read.h"
#include "operation/response.h"
#include "operation/statement.h"
#include "operation/write.h"
#include "tableam/tableam.h"

/*
 * Rounds that concurrent writers may make necessary.  A row that is hidden
 * from the role, or a trigger that swallows the write, would go on for ever.
 */
#define WRITE_MAX_ROUNDS 100

/* A replacement that needs to know nothing of what it replaces. */
static bool
is_plain_replacement(const WriteSpec *spec)
{
	return spec->kind == WRITE_PUT && spec->condition == NULL && !spec->want_old;
}

/* ---- statements ---- */

static void
append_key_condition(StatementText *text, const TableDescription *table)
{
	appendStringInfo(&text->sql, " WHERE %s OPERATOR(pg_catalog.=) ", table->partition->quoted);
	statement_add_parameter(text, key_column_type(table->partition->type));
	if (table->sort != NULL)
	{
		appendStringInfo(&text->sql, " AND %s OPERATOR(pg_catalog.=) ", table->sort->quoted);
		statement_add_parameter(text, key_column_type(table->sort->type));
	}
}

/* The evaluation is the parameter after the keys. */
static int
evaluation_parameter(const TableDescription *table)
{
	return table->sort != NULL ? 3 : 2;
}

/*
 * What is stored is what the table's triggers made of the new item: whoever
 * wants it gets it from the statement.
 */
static void
append_returning(StatementText *text, const WriteSpec *spec)
{
	if (spec->want_new)
		appendStringInfoString(&text->sql, " RETURNING item");
}

/* The row of the key, if the evaluation lets it. */
static void
append_evaluated_condition(StatementText *text, const TableDescription *table)
{
	append_key_condition(text, table);
	appendStringInfoString(&text->sql, " AND dynamo.evaluate(item, ");
	statement_add_parameter(text, INT8OID);
	appendStringInfoChar(&text->sql, ')');
}

static void
compose_change(StatementText *text, const TableDescription *table, void *argument)
{
	appendStringInfo(&text->sql, "UPDATE %s SET item = dynamo.evaluated($%d)",
					 table->quoted, evaluation_parameter(table));
	append_evaluated_condition(text, table);
	append_returning(text, argument);
}

static void
compose_delete(StatementText *text, const TableDescription *table, void *argument)
{
	appendStringInfo(&text->sql, "DELETE FROM %s", table->quoted);
	append_evaluated_condition(text, table);
}

static void
compose_insert(StatementText *text, const TableDescription *table, void *argument)
{
	const WriteSpec *spec = argument;
	bool		upsert = is_plain_replacement(spec);

	appendStringInfo(&text->sql, "INSERT INTO %s (%s", table->quoted, table->partition->quoted);
	if (table->sort != NULL)
		appendStringInfo(&text->sql, ", %s", table->sort->quoted);
	appendStringInfoString(&text->sql, ", item) VALUES (");
	statement_add_parameter(text, key_column_type(table->partition->type));
	appendStringInfoString(&text->sql, ", ");
	if (table->sort != NULL)
	{
		statement_add_parameter(text, key_column_type(table->sort->type));
		appendStringInfoString(&text->sql, ", ");
	}
	statement_add_parameter(text, JSONBOID);

	appendStringInfo(&text->sql, ") ON CONFLICT (%s", table->partition->quoted);
	if (table->sort != NULL)
		appendStringInfo(&text->sql, ", %s", table->sort->quoted);
	appendStringInfoString(&text->sql, upsert ? ") DO UPDATE SET item = EXCLUDED.item" : ") DO NOTHING");
	append_returning(text, spec);
}

static void
compose_lock(StatementText *text, const TableDescription *table, void *argument)
{
	appendStringInfo(&text->sql, "SELECT item FROM %s", table->quoted);
	append_key_condition(text, table);
	appendStringInfoString(&text->sql, " FOR NO KEY UPDATE");
}

static void
compose_replace(StatementText *text, const TableDescription *table, void *argument)
{
	appendStringInfo(&text->sql, "UPDATE %s SET item = $%d", table->quoted, evaluation_parameter(table));
	append_key_condition(text, table);
	text->parameter_types[text->parameter_count++] = JSONBOID;
}

static void
compose_remove(StatementText *text, const TableDescription *table, void *argument)
{
	appendStringInfo(&text->sql, "DELETE FROM %s", table->quoted);
	append_key_condition(text, table);
}

/*
 * Run a statement whose parameters are the keys and one more.  True if it
 * changed the row; new_item becomes what is stored now, if it is wanted.
 */
static bool
run_with_keys(WriteSpec *spec, SPIPlanPtr plan, Datum last, Jsonb **new_item)
{
	StatementItem stored = {CurrentMemoryContext, NULL};
	Datum		values[3];
	int			count = 0;
	uint64		rows;

	for (int i = 0; i < spec->keys.count; i++)
		values[count++] = spec->keys.values[i];
	values[count++] = last;
	rows = statement_run(plan, count, values, spec->want_new ? statement_receive_item : NULL, &stored);
	if (stored.item != NULL)
		*new_item = stored.item;
	return rows > 0;
}

static bool
insert_item(WriteSpec *spec, Jsonb *item, Jsonb **new_item)
{
	SPIPlanPtr	plan = statement_plan(spec->table,
									  is_plain_replacement(spec) ? STATEMENT_UPSERT : STATEMENT_INSERT,
									  spec->want_new, NULL, compose_insert, spec);

	return run_with_keys(spec, plan, JsonbPGetDatum(item), new_item);
}

static bool
change_existing(WriteSpec *spec, Datum evaluation, Jsonb **new_item)
{
	SPIPlanPtr	plan = spec->kind == WRITE_DELETE
	? statement_plan(spec->table, STATEMENT_DELETE, 0, NULL, compose_delete, spec)
	: statement_plan(spec->table, STATEMENT_CHANGE, spec->want_new, NULL, compose_change, spec);

	return run_with_keys(spec, plan, evaluation, new_item);
}

/* ---- pieces for transactions ---- */

Jsonb *
write_lock_item(TableDescription *table, const KeyColumns *keys)
{
	return read_item_by_plan(statement_plan(table, STATEMENT_LOCK, 0, NULL, compose_lock, NULL), keys);
}

bool
write_store_item(TableDescription *table, const KeyColumns *keys, Jsonb *item, ItemPresence presence)
{
	WriteSpec	spec = {.kind = WRITE_PUT,.table = table,.keys = *keys};
	Jsonb	   *unused;
	bool		stored;

	/* an item that is known to be absent is not replaced */
	spec.want_old = presence == ITEM_ABSENT;
	if (presence == ITEM_PRESENT)
		stored = run_with_keys(&spec,
							   statement_plan(table, STATEMENT_REPLACE, 0, NULL, compose_replace, NULL),
							   JsonbPGetDatum(item), &unused);
	else
		stored = insert_item(&spec, item, &unused);

	if (stored)
		return true;
	if (presence == ITEM_ABSENT && write_lock_item(table, keys) != NULL)
		return false;
	write_raise_swallowed(table, presence != ITEM_ABSENT);
}

void
write_remove_item(TableDescription *table, const KeyColumns *keys, ItemPresence presence)
{
	uint64		rows = statement_run(statement_plan(table, STATEMENT_REMOVE, 0, NULL, compose_remove, NULL),
									 keys->count, keys->values, NULL, NULL);

	if (rows == 0 && presence == ITEM_PRESENT)
		write_raise_swallowed(table, true);
}

void
write_check_index_keys(const TableDescription *table, JsonbContainer *item)
{
	for (int i = 0; i < table->attribute_count; i++)
	{
		Datum		unused;

		if (!table->attributes[i].table_key)
			gate_column_value(table, &table->attributes[i], item, &unused);
	}
}

void
write_check_update(const WriteSpec *spec)
{
	ListCell   *cell;

	if (spec->update == NULL)
		return;
	foreach(cell, update_attributes(spec->update))
	{
		const char *name = lfirst(cell);

		if (strcmp(name, spec->table->partition->name) == 0 ||
			(spec->table->sort != NULL && strcmp(name, spec->table->sort->name) == 0))
			validation_error("One or more parameter values were invalid: Cannot update attribute %s. "
							 "This attribute is part of the key", name);
	}
}

void
write_check_assigned_index_keys(const TableDescription *table, const Update *update)
{
	for (int i = 0; i < table->attribute_count; i++)
	{
		const KeyAttribute *attribute = &table->attributes[i];
		JsonbParseState *state = NULL;
		JsonbValue	name = {.type = jbvString};
		JsonbValue	value;
		Jsonb	   *item;
		Datum		unused;

		if (attribute->table_key || !update_assigns(update, attribute->name, &value))
			continue;
		if (attribute_type(&value) == attribute->type && key_value_size(&value) == 0)
			validation_error("One or more parameter values are not valid. "
							 "The update expression attempted to update a secondary index key to a value that is not supported. "
							 "The AttributeValue for a key attribute cannot contain an empty %s value.",
							 attribute->type == ATTRIBUTE_B ? "binary" : "string");
		name.val.string.val = attribute->name;
		name.val.string.len = attribute->name_length;
		pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
		pushJsonbValue(&state, WJB_KEY, &name);
		pushJsonbValue(&state, WJB_VALUE, &value);
		item = JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_OBJECT, NULL));
		gate_column_value(table, attribute, &item->root, &unused);
	}
}

/* ---- the loop ---- */

/* Why does neither changing nor inserting do anything? */
void
write_raise_swallowed(const TableDescription *table, bool row_seen)
{
	Relation	relation = RelationIdGetRelation(table->root);
	TriggerDesc *triggers = relation->trigdesc;

	if (!row_seen && check_enable_rls(table->root, InvalidOid, true) == RLS_ENABLED)
		dynamo_error(ACCESS_DENIED, "an item with this key exists in table %s and row-level security hides it",
					 table->name);

	for (int i = 0; triggers != NULL && i < triggers->numtriggers; i++)
	{
		Trigger    *trigger = &triggers->triggers[i];

		if (!trigger->tgisinternal && TRIGGER_FOR_BEFORE(trigger->tgtype) &&
			TRIGGER_FOR_ROW(trigger->tgtype) && !trigger->tgisclone &&
			strcmp(trigger->tgname, TABLEAM_KEY_TRIGGER) != 0)
			validation_error("The write on table %s was suppressed, by trigger %s perhaps",
							 table->name, trigger->tgname);
	}
	RelationClose(relation);
	dynamo_error(TRANSACTION_CONFLICT, "The item of table %s was changed by others too often meanwhile",
				 table->name);
}

/*
 * The item is absent.  True if that settles the write: the condition fails,
 * there is nothing to do, or the item has been inserted.
 */
static bool
write_absent(WriteSpec *spec, Evaluation *evaluation, WriteResult *result)
{
	evaluation_run(evaluation, NULL, spec->item);
	if (!evaluation->passed)
	{
		result->condition_failed = true;
		return true;
	}
	if (spec->kind == WRITE_DELETE ||
		(spec->update != NULL && update_creates_nothing(spec->update)))
	{
		result->new_item = NULL;
		return true;
	}
	result->new_item = evaluation->new_item;
	key_lock_creation(spec->table, &spec->keys);
	return insert_item(spec, evaluation->new_item, &result->new_item);
}

static void
write_by_evaluation(WriteSpec *spec, WriteResult *result)
{
	Evaluation *evaluation = palloc0(sizeof(Evaluation));
	Datum		parameter;
	bool		row_seen = false;

	evaluation->condition = spec->condition;
	evaluation->update = spec->update;
	evaluation->replacement = spec->kind == WRITE_DELETE ? NULL : spec->item;
	evaluation->unchanged = spec->kind == WRITE_UPDATE && spec->update == NULL;
	evaluation->keep_old = spec->want_old;
	evaluation->keep_failed = spec->want_failed;
	parameter = evaluation_begin(evaluation);

	for (int round = 0;; round++)
	{
		if (round >= WRITE_MAX_ROUNDS)
			write_raise_swallowed(spec->table, row_seen);
		CHECK_FOR_INTERRUPTS();

		evaluation->evaluations = 0;
		if (change_existing(spec, parameter, &evaluation->new_item))
		{
			result->old_item = evaluation->old_item;
			result->new_item = evaluation->new_item;
			break;
		}
		if (evaluation->evaluations > 0)
		{
			row_seen = true;
			if (!evaluation->passed)
			{
				result->condition_failed = true;
				result->old_item = evaluation->old_item;
				break;
			}
			/* deleted by another transaction after it passed, or swallowed */
			continue;
		}
		if (write_absent(spec, evaluation, result))
			break;
	}
	evaluation_end(evaluation);
}

void
write_item(WriteSpec *spec, WriteResult *result)
{
	memset(result, 0, sizeof(*result));
	statement_begin();

	if (is_plain_replacement(spec))
	{
		key_lock_creation(spec->table, &spec->keys);
		if (!insert_item(spec, spec->item, &result->new_item))
			write_raise_swallowed(spec->table, true);
	}
	else
		write_by_evaluation(spec, result);

	statement_end();
}

void
write_raise_condition_failed(const WriteResult *result)
{
	JsonWriter	body;

	if (result->old_item == NULL)
		dynamo_error(CONDITIONAL_CHECK_FAILED, "The conditional request failed");

	json_writer_begin_text(&body);
	response_open(&body, NULL, '{');
	response_member(&body, "Item");
	item_to_dynamodb_json(&body, &result->old_item->root);
	response_close(&body, '}');
	dynamo_error_with_body(CONDITIONAL_CHECK_FAILED, body.text.data, "The conditional request failed");
}
