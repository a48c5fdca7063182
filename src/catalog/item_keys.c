/*
 * item_keys.c
 *		The keys of an item against the schema of its table.
 */
#include "postgres.h"

#include "catalog/item_keys.h"
#include "errors.h"
#include "item/key.h"

#define KEY_MISMATCH "The provided key element does not match the schema"

void
item_key_check_value(const KeyAttribute *attribute, const JsonbValue *value, bool partition)
{
	int64		size = key_value_size(value);

	if (size == 0)
		validation_error("One or more parameter values are not valid. "
						 "The AttributeValue for a key attribute cannot contain an empty %s value. Key: %s",
						 attribute->type == ATTRIBUTE_B ? "binary" : "string", attribute->name);
	if (partition && size > KEY_MAX_PARTITION_BYTES)
		validation_error("One or more parameter values were invalid: "
						 "Size of hashkey has exceeded the maximum size limit of%d bytes", KEY_MAX_PARTITION_BYTES);
	if (!partition && size > KEY_MAX_SORT_BYTES)
		validation_error("One or more parameter values were invalid: "
						 "Aggregated size of all range keys has exceeded the size limit of %d bytes", KEY_MAX_SORT_BYTES);
}

void
item_key_get(const TableDescription *table, const KeyAttribute *attribute, JsonbContainer *item,
			 JsonbValue *value)
{
	if (!attribute_get(item, attribute->name, attribute->name_length, value))
		validation_error("One or more parameter values were invalid: Missing the key %s in the item",
						 attribute->name);
	if (attribute_type(value) != attribute->type)
		validation_error("One or more parameter values were invalid: Type mismatch for key %s expected: %s actual: %s",
						 attribute->name, attribute_type_name(attribute->type),
						 attribute_type_name(attribute_type(value)));
	item_key_check_value(attribute, value, attribute == table->partition);
}

static Datum
column_of_item(const TableDescription *table, const KeyAttribute *attribute, JsonbContainer *item)
{
	JsonbValue	value;

	item_key_get(table, attribute, item, &value);
	return description_column_value(table, attribute, &value);
}

void
item_keys_of_item(const TableDescription *table, JsonbContainer *item, KeyColumns *keys)
{
	keys->count = 1;
	keys->values[0] = column_of_item(table, table->partition, item);
	if (table->sort != NULL)
		keys->values[keys->count++] = column_of_item(table, table->sort, item);
}

static Datum
column_of_key(const TableDescription *table, const KeyAttribute *attribute, JsonbContainer *key)
{
	JsonbValue	value;

	if (!attribute_get(key, attribute->name, attribute->name_length, &value) ||
		attribute_type(&value) != attribute->type)
		validation_error(KEY_MISMATCH);
	item_key_check_value(attribute, &value, attribute == table->partition);
	return description_column_value(table, attribute, &value);
}

void
item_keys_of_key(const TableDescription *table, JsonbContainer *key, KeyColumns *keys)
{
	if (JsonContainerSize(key) != (table->sort != NULL ? 2 : 1))
		validation_error(KEY_MISMATCH);

	keys->count = 1;
	keys->values[0] = column_of_key(table, table->partition, key);
	if (table->sort != NULL)
		keys->values[keys->count++] = column_of_key(table, table->sort, key);
}
