/*
 * gate.c
 *		What every row passes before heap stores it.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "executor/tuptable.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/memutils.h"

#include "catalog/item_keys.h"
#include "errors.h"
#include "item/item.h"
#include "item/key.h"
#include "item/number.h"
#include "tableam/tableam.h"

#define INVALID_PREFIX "One or more parameter values were invalid: "
#define EXPIRY_MAX INT64CONST(99999999999)	/* seconds since 1970 */
#define NOT_VALID_PREFIX "One or more parameter values are not valid. "

typedef enum ColumnMatch
{
	COLUMN_DIFFERS,
	COLUMN_EQUAL,				/* the same key in another form: 1.0 and 1 */
	COLUMN_SAME
} ColumnMatch;

/* The relation whose items of before an index are filled: what does not fit is left out. */
static Oid	filling = InvalidOid;

/* The attribute's role in an index: its size limit there, or 0 if it has none. */
static int
index_key_limit(const IndexDescription *index, const KeyAttribute *attribute)
{
	for (int i = 0; i < index->sort_count; i++)
		if (index->sort[i] == attribute)
			return KEY_MAX_SORT_BYTES;
	for (int i = 0; i < index->partition_count; i++)
		if (index->partition[i] == attribute)
			return KEY_MAX_PARTITION_BYTES;
	return 0;
}

static void
check_index_key_sizes(const TableDescription *description, const KeyAttribute *attribute,
					  int64 size)
{
	for (int i = 0; i < description->index_count; i++)
	{
		const IndexDescription *index = &description->indexes[i];
		int			limit = index_key_limit(index, attribute);

		if (limit == 0 || !index->active)
			continue;
		if (size == 0)
			validation_error(NOT_VALID_PREFIX
							 "A value specified for a secondary index key is not supported. "
							 "The AttributeValue for a key attribute cannot contain an empty %s value. "
							 "IndexName: %s, IndexKey: %s",
							 attribute->type == ATTRIBUTE_B ? "binary" : "string",
							 index->name, attribute->name);
		if (size > limit)
			validation_error(INVALID_PREFIX
							 "Size limit exceeded for Index Key %s Actual Size: " INT64_FORMAT
							 " bytes Max Size: %d bytes IndexName: %s",
							 attribute->name, size, limit, index->name);
	}
}

/* Returns if the attribute is no index's key, so that another type is allowed. */
static void
check_type(const TableDescription *description, const KeyAttribute *attribute,
		   AttributeType actual)
{
	for (int i = 0; i < description->index_count; i++)
		if (description->indexes[i].active &&
			index_key_limit(&description->indexes[i], attribute) > 0)
			validation_error(INVALID_PREFIX
							 "Type mismatch for Index Key %s Expected: %s Actual: %s IndexName: %s",
							 attribute->name, attribute_type_name(attribute->type),
							 attribute_type_name(actual), description->indexes[i].name);
}

/* Is a value of this size left out of all indexes that the attribute serves? */
static bool
fits_no_index(const TableDescription *description, const KeyAttribute *attribute, int64 size)
{
	int			limit = 0;

	if (size == 0)
		return true;
	for (int i = 0; i < description->index_count; i++)
		limit = Max(limit, index_key_limit(&description->indexes[i], attribute));
	return size > (limit > 0 ? limit : KEY_MAX_PARTITION_BYTES);
}

/* The key of several attributes: its bytes in the item; 0 if it lacks one. */
static int64
aggregated_size(KeyAttribute *const *attributes, int count, JsonbContainer *item)
{
	int64		size = 0;

	for (int i = 0; i < count; i++)
	{
		JsonbValue	value;

		if (!attribute_get(item, attributes[i]->name, attributes[i]->name_length, &value))
			return 0;
		size += key_value_size(&value);
	}
	return size;
}

bool
gate_key_sizes_fit(const IndexDescription *index, JsonbContainer *item)
{
	return aggregated_size(index->partition, index->partition_count, item) <= KEY_MAX_PARTITION_BYTES &&
		aggregated_size(index->sort, index->sort_count, item) <= KEY_MAX_SORT_BYTES;
}

/* Keys of several attributes: the limits hold for all of them together. */
static void
check_aggregated_sizes(const TableDescription *description, JsonbContainer *item)
{
	for (int i = 0; i < description->index_count; i++)
	{
		const IndexDescription *index = &description->indexes[i];

		if (!index->active)
			continue;
		if (index->partition_count > 1 &&
			aggregated_size(index->partition, index->partition_count, item) > KEY_MAX_PARTITION_BYTES)
			validation_error(INVALID_PREFIX
							 "Aggregated size of all hash keys has exceeded the size limit of %d bytes IndexName: %s",
							 KEY_MAX_PARTITION_BYTES, index->name);
		if (index->sort_count > 1 &&
			aggregated_size(index->sort, index->sort_count, item) > KEY_MAX_SORT_BYTES)
			validation_error(INVALID_PREFIX
							 "Aggregated size of all range keys has exceeded the size limit of %d bytes IndexName: %s",
							 KEY_MAX_SORT_BYTES, index->name);
	}
}

void
gate_set_filling(Oid relid)
{
	filling = relid;
}

bool
gate_column_value(const TableDescription *description, const KeyAttribute *attribute,
				  JsonbContainer *item, Datum *column_value)
{
	JsonbValue	value;
	AttributeType type;
	int64		size;

	if (attribute->table_key)
		item_key_get(description, attribute, item, &value);
	else if (!attribute_get(item, attribute->name, attribute->name_length, &value))
		return false;

	type = attribute_type(&value);
	if (type != attribute->type)
	{
		if (description->relid != filling)
			check_type(description, attribute, type);
		return false;
	}

	size = key_value_size(&value);
	if (size == 0 || size > KEY_MAX_SORT_BYTES)
	{
		if (description->relid != filling)
			check_index_key_sizes(description, attribute, size);
		if (!attribute->table_key && fits_no_index(description, attribute, size))
			return false;
	}

	*column_value = description_column_value(description, attribute, &value);
	return true;
}

static ColumnMatch
compare_columns(AttributeType type, Datum a, Datum b)
{
	struct varlena *left = PG_DETOAST_DATUM_PACKED(a);
	struct varlena *right = PG_DETOAST_DATUM_PACKED(b);
	Size		length = VARSIZE_ANY_EXHDR(left);

	if (VARSIZE_ANY_EXHDR(right) == length &&
		memcmp(VARDATA_ANY(left), VARDATA_ANY(right), length) == 0)
		return COLUMN_SAME;
	if (type == ATTRIBUTE_N && DatumGetBool(DirectFunctionCall2(numeric_eq, a, b)))
		return COLUMN_EQUAL;
	return COLUMN_DIFFERS;
}

/*
 * Put other values into some columns of the slot.  The tuple belongs to the
 * slot from then on, so it is made in the slot's context.
 */
static void
replace_columns(TupleTableSlot *slot, int count, const AttrNumber *columns,
				const Datum *new_values, const bool *new_nulls)
{
	TupleDesc	tupdesc = slot->tts_tupleDescriptor;
	Datum	   *values = palloc(tupdesc->natts * sizeof(Datum));
	bool	   *nulls = palloc(tupdesc->natts * sizeof(bool));
	MemoryContext scratch;
	HeapTuple	tuple;

	slot_getallattrs(slot);
	memcpy(values, slot->tts_values, tupdesc->natts * sizeof(Datum));
	memcpy(nulls, slot->tts_isnull, tupdesc->natts * sizeof(bool));
	for (int i = 0; i < count; i++)
	{
		values[columns[i] - 1] = new_values[i];
		nulls[columns[i] - 1] = new_nulls[i];
	}

	scratch = MemoryContextSwitchTo(slot->tts_mcxt);
	tuple = heap_form_tuple(tupdesc, values, nulls);
	tuple->t_tableOid = slot->tts_tableOid;
	ExecForceStoreHeapTuple(tuple, slot, true);
	MemoryContextSwitchTo(scratch);
}

bool
gate_column_filled(const TableDescription *description, const KeyAttribute *attribute,
				   JsonbContainer *item, Datum given, bool isnull)
{
	Datum		wanted = (Datum) 0;
	bool		present = gate_column_value(description, attribute, item, &wanted);

	if (!present || isnull)
		return present == !isnull;
	return compare_columns(attribute->type, given, wanted) == COLUMN_SAME;
}

/*
 * Milliseconds, a common mistake, are beyond the limit, so that they do not even
 * fill the index.
 */
bool
gate_expiry(const TtlDescription *ttl, JsonbContainer *item, int64 *expiry)
{
	JsonbValue	value;
	Numeric		number;

	if (!attribute_get(item, ttl->name, ttl->name_length, &value) ||
		attribute_type(&value) != ATTRIBUTE_N)
		return false;
	number = value.val.numeric;
	if (number_compare(number, int64_to_numeric(0)) <= 0 ||
		number_compare(number, int64_to_numeric(EXPIRY_MAX)) > 0)
		return false;
	*expiry = DatumGetInt64(DirectFunctionCall1(numeric_int8,
												DirectFunctionCall1(numeric_ceil,
																	NumericGetDatum(number))));
	return true;
}

/* True if the slot's column has another value, which is returned. */
static bool
expiry_differs(const TtlDescription *ttl, JsonbContainer *item, TupleTableSlot *slot,
			   Datum *wanted, bool *wanted_null)
{
	int64		expiry;
	bool		isnull;
	Datum		given = slot_getattr(slot, ttl->attnum, &isnull);

	*wanted_null = !gate_expiry(ttl, item, &expiry);
	if (*wanted_null)
	{
		*wanted = (Datum) 0;
		return !isnull;
	}
	*wanted = Int64GetDatum(expiry);
	return isnull || DatumGetInt64(given) != expiry;
}

static void
pass_row(const TableDescription *description, Relation relation, TupleTableSlot *slot)
{
	int			replaced = 0;
	int			most = description->attribute_count + 1;
	AttrNumber *columns = palloc(most * sizeof(AttrNumber));
	Datum	   *values = palloc(most * sizeof(Datum));
	bool	   *nulls = palloc(most * sizeof(bool));
	bool		isnull;
	Datum		datum = slot_getattr(slot, description->item_attnum, &isnull);
	Jsonb	   *item;

	if (isnull)
		ereport(ERROR,
				(errcode(ERRCODE_NOT_NULL_VIOLATION),
				 errmsg("null item in DynamoDB table \"%s\"", description->name),
				 errtable(relation)));
	item = DatumGetJsonbP(datum);
	item_check(item);

	for (int i = 0; i < description->attribute_count; i++)
	{
		const KeyAttribute *attribute = &description->attributes[i];
		Datum		wanted = (Datum) 0;
		Datum		given;
		bool		present;
		ColumnMatch match;

		if (attribute->attnum == InvalidAttrNumber)
			continue;
		present = gate_column_value(description, attribute, &item->root, &wanted);
		given = slot_getattr(slot, attribute->attnum, &isnull);

		if (!present || isnull)
			match = present == !isnull ? COLUMN_SAME : COLUMN_DIFFERS;
		else
			match = compare_columns(attribute->type, given, wanted);
		if (match == COLUMN_SAME)
			continue;
		if (match == COLUMN_DIFFERS && attribute->table_key)
			validation_error("The value of column %s is not that of the key attribute %s in the item",
							 attribute->quoted, attribute->name);
		columns[replaced] = attribute->attnum;
		values[replaced] = wanted;
		nulls[replaced] = !present;
		replaced++;
	}

	if (description->ttl && description->ttl->attnum != InvalidAttrNumber &&
		expiry_differs(description->ttl, &item->root, slot, &values[replaced], &nulls[replaced]))
		columns[replaced++] = description->ttl->attnum;

	if (description->relid != filling)
		check_aggregated_sizes(description, &item->root);
	if (replaced > 0)
		replace_columns(slot, replaced, columns, values, nulls);
}

const TableDescription *
gate_pass(Relation relation, TupleTableSlot *slot)
{
	static MemoryContext scratch = NULL;
	TableDescription *description = catalog_description(relation);
	MemoryContext caller;

	if (description == NULL)
		return NULL;

	/*
	 * Reset for each row: the caller's context may live as long as the
	 * statement.  What an error leaves behind, the next row resets.
	 */
	if (scratch == NULL)
		scratch = AllocSetContextCreate(TopMemoryContext, "dynamo gate",
										ALLOCSET_DEFAULT_SIZES);
	MemoryContextReset(scratch);
	caller = MemoryContextSwitchTo(scratch);
	pass_row(description, relation, slot);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(scratch);
	return description;
}
