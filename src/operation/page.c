/*
 * page.c
 *		Reading items in key order.
 *
 * The statement is SELECT item FROM t WHERE <bounds> ORDER BY <key columns>,
 * whose plan walks the index from its first matching entry; the receiver stops
 * it when the page is full.  Nothing is read twice, and what a page costs does
 * not depend on where in the table it stands.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "catalog/item_keys.h"
#include "errors.h"
#include "index/index_sql.h"
#include "item/item.h"
#include "item/key.h"
#include "item/tie_break.h"
#include "operation/page.h"
#include "operation/response.h"
#include "tableam/tableam.h"

static bool
is_among(const KeyAttribute *attribute, KeyAttribute *const *attributes, int count)
{
	for (int i = 0; i < count; i++)
	{
		if (attributes[i] == attribute)
			return true;
	}
	return false;
}

/*
 * May an item of before the index be in it with keys over its limits?  Not if
 * the gate leaves the column null for them: it does not where several
 * attributes count together, nor where another index lets a sort key of this
 * one be longer.
 */
static bool
may_hold_long_keys(const TableDescription *table, const IndexDescription *index)
{
	if (index->partition_count > 1 || index->sort_count > 1)
		return true;
	for (int i = 0; i < table->index_count; i++)
	{
		const IndexDescription *other = &table->indexes[i];

		if (index->sort_count > 0 &&
			is_among(index->sort[0], other->partition, other->partition_count))
			return true;
	}
	return false;
}

void
page_init(PageSpec *spec, TableDescription *table, const IndexDescription *index)
{
	int			count = 0;

	memset(spec, 0, sizeof(*spec));
	spec->table = table;
	spec->index = index;

	if (index != NULL)
	{
		for (int i = 0; i < index->partition_count; i++)
		{
			spec->columns[count].attribute = index->partition[i];
			spec->columns[count].digested = index_digests_partition(index->partition_count);
			spec->columns[count++].partition = true;
		}
		for (int i = 0; i < index->sort_count; i++)
			spec->columns[count++].attribute = index->sort[i];
	}
	/* a local index begins with the table's partition key already */
	if (index == NULL || index->kind == INDEX_GLOBAL)
	{
		spec->columns[count].attribute = table->partition;
		spec->columns[count].tie_break = index != NULL;
		spec->columns[count++].partition = true;
	}
	if (table->sort != NULL)
	{
		spec->columns[count].tie_break = index != NULL;
		spec->columns[count++].attribute = table->sort;
	}
	spec->column_count = count;
	spec->recheck_sizes = index != NULL && may_hold_long_keys(table, index);
}

/* ---- bounds ---- */

/*
 * The least string above all strings with this prefix: the last character that
 * can be increased, increased; false if there is none.
 */
static bool
text_prefix_end(const char *prefix, int length, Datum *end)
{
	char	   *bytes = pnstrdup(prefix, length);

	while (length > 0)
	{
		int			start = length - 1;
		pg_wchar	character;

		while (start > 0 && ((unsigned char) bytes[start] & 0xC0) == 0x80)
			start--;
		character = utf8_to_unicode((unsigned char *) bytes + start);
		if (character == 0xD7FF)
			character = 0xDFFF;	/* over the surrogates */
		if (character < 0x10FFFF)
		{
			unsigned char next[MAX_MULTIBYTE_CHAR_LEN + 1];
			StringInfoData result;

			unicode_to_utf8(character + 1, next);
			initStringInfo(&result);
			appendBinaryStringInfo(&result, bytes, start);
			appendBinaryStringInfo(&result, (char *) next, pg_utf_mblen(next));
			*end = PointerGetDatum(cstring_to_text_with_len(result.data, result.len));
			return true;
		}
		length = start;
	}
	return false;
}

static bool
bytea_prefix_end(bytea *prefix, Datum *end)
{
	int			length = VARSIZE_ANY_EXHDR(prefix);
	unsigned char *bytes = (unsigned char *) VARDATA_ANY(prefix);
	bytea	   *result;

	while (length > 0 && bytes[length - 1] == 0xFF)
		length--;
	if (length == 0)
		return false;

	result = palloc(VARHDRSZ + length);
	SET_VARSIZE(result, VARHDRSZ + length);
	memcpy(VARDATA(result), bytes, length);
	((unsigned char *) VARDATA(result))[length - 1]++;
	*end = PointerGetDatum(result);
	return true;
}

static void
bound_by_prefix(const PageSpec *spec, PageColumn *column, const JsonbValue *prefix)
{
	column->lower = description_column_value(spec->table, column->attribute, prefix);
	column->has_lower = column->lower_inclusive = true;
	if (column->attribute->type == ATTRIBUTE_S)
		column->has_upper = text_prefix_end(prefix->val.string.val, prefix->val.string.len, &column->upper);
	else
		column->has_upper = bytea_prefix_end(DatumGetByteaPP(column->lower), &column->upper);
}

static void
bound_column(const PageSpec *spec, PageColumn *column, const KeyClause *clause)
{
	Datum		value;

	if (clause->operator == KEY_BEGINS_WITH)
	{
		bound_by_prefix(spec, column, &clause->operand[0]);
		return;
	}

	value = description_column_value(spec->table, column->attribute, &clause->operand[0]);
	switch (clause->operator)
	{
		case KEY_EQUAL:
			column->equal = true;
			column->lower = value;
			/* a longer value's digest may be this value, or this one's digest a shorter value */
			if (spec->index != NULL && key_value_size(&clause->operand[0]) > KEY_PREFIX_BYTES)
				column->exact = &clause->operand[0];
			break;
		case KEY_LESS:
		case KEY_LESS_OR_EQUAL:
			column->has_upper = true;
			column->upper_inclusive = clause->operator == KEY_LESS_OR_EQUAL;
			column->upper = value;
			break;
		case KEY_GREATER:
		case KEY_GREATER_OR_EQUAL:
			column->has_lower = true;
			column->lower_inclusive = clause->operator == KEY_GREATER_OR_EQUAL;
			column->lower = value;
			break;
		case KEY_BETWEEN:
			column->has_lower = column->lower_inclusive = true;
			column->has_upper = column->upper_inclusive = true;
			column->lower = value;
			column->upper = description_column_value(spec->table, column->attribute, &clause->operand[1]);
			break;
		case KEY_BEGINS_WITH:
			break;
	}
}

static const KeyClause *
clause_of(const KeyCondition *condition, const KeyAttribute *attribute)
{
	for (int i = 0; i < condition->count; i++)
	{
		const KeyClause *clause = &condition->clauses[i];

		if (clause->attribute_length == attribute->name_length &&
			memcmp(clause->attribute, attribute->name, attribute->name_length) == 0)
			return clause;
	}
	return NULL;
}

/* Operands of another type, empty or too long. */
static void
check_clause(const KeyClause *clause, const KeyAttribute *attribute, bool partition)
{
	int			operands = clause->operator == KEY_BETWEEN ? 2 : 1;

	for (int i = 0; i < operands; i++)
	{
		if (attribute_type(&clause->operand[i]) != attribute->type)
			validation_error("One or more parameter values were invalid: "
							 "Condition parameter type does not match schema type");
	}
	if (clause->operator == KEY_BEGINS_WITH && attribute->type == ATTRIBUTE_N)
		validation_error("One or more parameter values were invalid: "
						 "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type");
	for (int i = 0; i < operands; i++)
		item_key_check_value(attribute, &clause->operand[i], partition);
}

/*
 * Where several attributes make the partition key the service says what they
 * need; of a single one it has its older texts.
 */
pg_noreturn static void
refuse_partition_clause(const PageSpec *spec, const KeyAttribute *attribute, bool missing)
{
	if (spec->index != NULL && spec->index->partition_count > 1)
		validation_error("HASH key attributes %s must have equality conditions specified in the query",
						 attribute->name);
	if (missing)
		validation_error("Query condition missed key schema element: %s", attribute->name);
	validation_error("Query key condition not supported");
}

/*
 * All partition key attributes need equality; sort key attributes follow left
 * to right without a gap, and only the last may be a range.
 */
void
page_bound(PageSpec *spec, const KeyCondition *condition)
{
	const KeyClause *ranged = NULL;
	int			used = 0;
	const KeyAttribute *unbound = NULL;

	for (int i = 0; i < spec->column_count && !spec->columns[i].tie_break; i++)
	{
		PageColumn *column = &spec->columns[i];
		const KeyClause *clause = clause_of(condition, column->attribute);

		if (clause == NULL)
		{
			if (column->partition)
				refuse_partition_clause(spec, column->attribute, true);
			if (unbound == NULL)
				unbound = column->attribute;
			continue;
		}
		used++;
		check_clause(clause, column->attribute, column->partition);
		if (column->partition && clause->operator != KEY_EQUAL)
			refuse_partition_clause(spec, column->attribute, false);
		if (unbound != NULL || ranged != NULL)
			validation_error("RANGE key attributes %s must have equality conditions specified in the query "
							 "because a condition is present on key attribute %s",
							 unbound ? unbound->name : pnstrdup(ranged->attribute, ranged->attribute_length),
							 column->attribute->name);
		if (clause->operator != KEY_EQUAL)
			ranged = clause;
		bound_column(spec, column, clause);
	}

	if (used < condition->count)
	{
		if (unbound != NULL)
			validation_error("Query condition missed key schema element: %s", unbound->name);
		validation_error("Query key condition not supported");
	}
}

/* ---- the statement ---- */

/*
 * Which bounds there are, as a number: with table and index it determines the
 * statement's text.
 */
static uint64
page_variant(const PageSpec *spec)
{
	uint64		variant = 1;

	variant = variant << 1 | spec->backward;
	variant = variant << 1 | (spec->start != NULL);
	for (int i = 0; i < spec->column_count; i++)
	{
		const PageColumn *column = &spec->columns[i];

		variant = variant << 5 |
			(column->equal << 4 | column->has_lower << 3 | column->lower_inclusive << 2 |
			 column->has_upper << 1 | column->upper_inclusive);
	}
	return variant;
}

static const char *
column_expression(const PageColumn *column)
{
	return column->tie_break || column->digested ? tie_break_sql(column->attribute->type, column->attribute->quoted)
		: column->attribute->quoted;
}

static void
append_bound(StatementText *text, bool *first, const PageColumn *column, const char *operator)
{
	appendStringInfo(&text->sql, " %s %s OPERATOR(pg_catalog.%s) ",
					 *first ? "WHERE" : "AND", column_expression(column), operator);
	statement_add_parameter(text, key_column_type(column->attribute->type));
	*first = false;
}

/* (a, b) > ($1, $2) over the columns that are not fixed */
static void
append_start(StatementText *text, bool *first, const PageSpec *spec)
{
	StringInfoData left;
	int			count = 0;

	initStringInfo(&left);
	for (int i = 0; i < spec->column_count; i++)
	{
		if (spec->columns[i].equal)
			continue;
		appendStringInfo(&left, "%s%s", count++ > 0 ? ", " : "", column_expression(&spec->columns[i]));
	}

	appendStringInfo(&text->sql, " %s ROW(%s) OPERATOR(pg_catalog.%s) ROW(",
					 *first ? "WHERE" : "AND", left.data, spec->backward ? "<" : ">");
	count = 0;
	for (int i = 0; i < spec->column_count; i++)
	{
		if (spec->columns[i].equal)
			continue;
		if (count++ > 0)
			appendStringInfoString(&text->sql, ", ");
		statement_add_parameter(text, key_column_type(spec->columns[i].attribute->type));
	}
	appendStringInfoChar(&text->sql, ')');
	*first = false;
}

static void
compose_page(StatementText *text, const TableDescription *table, void *argument)
{
	const PageSpec *spec = argument;
	bool		first = true;

	appendStringInfo(&text->sql, "SELECT item FROM %s", table->quoted);
	for (int i = 0; i < spec->column_count; i++)
	{
		const PageColumn *column = &spec->columns[i];

		if (column->equal)
			append_bound(text, &first, column, "=");
		if (column->has_lower)
			append_bound(text, &first, column, column->lower_inclusive ? ">=" : ">");
		if (column->has_upper)
			append_bound(text, &first, column, column->upper_inclusive ? "<=" : "<");
	}
	if (spec->start != NULL)
		append_start(text, &first, spec);

	/* the index is partial: its predicate must follow from the statement */
	for (int i = 0; spec->index != NULL && i < spec->column_count; i++)
	{
		const PageColumn *column = &spec->columns[i];

		if (column->tie_break)
			continue;
		appendStringInfo(&text->sql, " %s %s IS NOT NULL", first ? "WHERE" : "AND", column->attribute->quoted);
		first = false;
	}
	if (spec->index != NULL)
	{
		IndexShape	shape;

		index_shape(&shape, spec->index);
		index_append_size_predicate(&text->sql, &shape);
	}

	for (int i = 0; i < spec->column_count; i++)
		appendStringInfo(&text->sql, "%s %s%s", i == 0 ? " ORDER BY" : ",",
						 column_expression(&spec->columns[i]), spec->backward ? " DESC" : "");
}

SPIPlanPtr
page_plan(const PageSpec *spec)
{
	return statement_plan(spec->table, STATEMENT_PAGE, page_variant(spec),
						  spec->index ? spec->index->name : NULL, compose_page, (void *) spec);
}

Datum
page_position(const PageColumn *column, Datum column_value)
{
	return column->tie_break || column->digested
		? tie_break_value(column_value, column->attribute->type) : column_value;
}

/* In the order in which compose_page() adds them. */
int
page_parameters(const PageSpec *spec, Datum *values)
{
	int			count = 0;

	for (int i = 0; i < spec->column_count; i++)
	{
		const PageColumn *column = &spec->columns[i];

		if (column->equal || column->has_lower)
			values[count++] = column->equal ? page_position(column, column->lower) : column->lower;
		if (column->has_upper)
			values[count++] = column->upper;
	}
	if (spec->start == NULL)
		return count;

	for (int i = 0; i < spec->column_count; i++)
	{
		const PageColumn *column = &spec->columns[i];
		JsonbValue	value;

		if (column->equal)
			continue;
		if (!attribute_get(spec->start, column->attribute->name, column->attribute->name_length, &value))
			elog(ERROR, "start key lacks attribute \"%s\"", column->attribute->name);
		values[count++] = page_position(column, description_column_value(spec->table, column->attribute,
																	   &value));
	}
	return count;
}

/* ---- reading ---- */

typedef struct PageReader
{
	const PageSpec *spec;
	JsonWriter *items;
	PageResult *result;
	MemoryContext result_context;
	MemoryContext row_context;	/* reset for each row */
} PageReader;

bool
page_item_belongs(const PageSpec *spec, JsonbContainer *item)
{
	if (spec->index == NULL)
		return true;
	for (int i = 0; i < spec->column_count; i++)
	{
		const PageColumn *column = &spec->columns[i];
		JsonbValue	value;

		if (column->exact != NULL &&
			!(attribute_get(item, column->attribute->name, column->attribute->name_length, &value) &&
			  attribute_equal(&value, column->exact)))
			return false;
	}
	return !spec->recheck_sizes || gate_key_sizes_fit(spec->index, item);
}

static bool
receive_page_item(TupleTableSlot *slot, void *argument)
{
	PageReader *reader = argument;
	const PageSpec *spec = reader->spec;
	PageResult *result = reader->result;
	MemoryContext caller = MemoryContextSwitchTo(reader->row_context);
	bool		is_null;
	bool		full;
	Jsonb	   *item = DatumGetJsonbP(slot_getattr(slot, 1, &is_null));

	CHECK_FOR_INTERRUPTS();
	if (!page_item_belongs(spec, &item->root))
	{
		MemoryContextReset(reader->row_context);
		MemoryContextSwitchTo(caller);
		return true;
	}
	result->scanned++;
	result->bytes += item_size(&item->root);

	if (spec->filter == NULL || condition_matches(spec->filter, &item->root))
	{
		result->count++;
		if (!spec->count_only)
		{
			if (spec->projection != NULL)
				projection_to_dynamodb_json(reader->items, spec->projection, &item->root);
			else
				item_to_dynamodb_json(reader->items, &item->root);
		}
	}

	full = (spec->has_limit && result->scanned >= spec->limit) ||
		result->bytes >= PAGE_MAX_BYTES;
	if (full && !page_is_single_item(spec))
	{
		result->last_item = MemoryContextAlloc(reader->result_context, VARSIZE(item));
		memcpy(result->last_item, item, VARSIZE(item));
	}

	MemoryContextReset(reader->row_context);
	MemoryContextSwitchTo(caller);
	return !full;
}

void
page_read(const PageSpec *spec, JsonWriter *items, PageResult *result)
{
	Datum		values[STATEMENT_MAX_PARAMETERS];
	PageReader	reader = {.spec = spec, .items = items, .result = result};
	int			count;

	memset(result, 0, sizeof(*result));
	if (spec->nothing)
		return;

	reader.result_context = CurrentMemoryContext;
	reader.row_context = AllocSetContextCreate(CurrentMemoryContext, "dynamo page row",
											   ALLOCSET_DEFAULT_SIZES);
	count = page_parameters(spec, values);
	statement_begin();
	statement_run(page_plan(spec), count, values, receive_page_item, &reader);
	statement_end();
	MemoryContextDelete(reader.row_context);
}

void
page_append_key(JsonWriter *response, const PageSpec *spec, JsonbContainer *item)
{
	response_open(response, NULL, '{');
	for (int i = 0; i < spec->column_count; i++)
	{
		const KeyAttribute *attribute = spec->columns[i].attribute;
		bool		repeated = false;
		JsonbValue	value;

		for (int j = 0; j < i; j++)
			repeated |= spec->columns[j].attribute == attribute;
		if (repeated || !attribute_get(item, attribute->name, attribute->name_length, &value))
			continue;
		json_write_name(response, attribute->name, attribute->name_length);
		attribute_to_dynamodb_json(response, &value);
	}
	response_close(response, '}');
}
