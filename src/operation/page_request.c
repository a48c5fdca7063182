/*
 * page_request.c
 *		What the requests of Query and Scan share.
 */
#include "postgres.h"

#include "catalog/item_keys.h"
#include "item/item.h"
#include "item/key.h"
#include "operation/capacity.h"
#include "operation/index_projection.h"
#include "operation/page.h"
#include "operation/response.h"

#define START_KEY_INVALID "The provided starting key is invalid"
#define KEY_MISMATCH "The provided key element does not match the schema"
#define INDEX_NAME_CHARACTERS \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"

Select
page_request_select(const cJSON *request, ConstraintFaults *faults)
{
	static const char *const words[] = {
		"SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", NULL
	};
	static const Select values[] = {
		SELECT_SPECIFIC, SELECT_COUNT, SELECT_ALL_ATTRIBUTES, SELECT_ALL_PROJECTED
	};
	int			index = constraint_enumeration(faults, request, "Select", "select", words);

	return index < 0 ? SELECT_DEFAULT : values[index];
}

const char *
page_request_index_name(const cJSON *request, ConstraintFaults *faults)
{
	const char *name = request_string(request, "IndexName");

	if (name == NULL)
		return NULL;
	if (strspn(name, INDEX_NAME_CHARACTERS) != strlen(name) || *name == '\0')
		constraint_fault(faults, name, "indexName",
						 "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
	if (strlen(name) < 3)
		constraint_fault(faults, name, "indexName",
						 "Member must have length greater than or equal to 3");
	if (strlen(name) > 255)
		constraint_fault(faults, name, "indexName",
						 "Member must have length less than or equal to 255");
	return name;
}

void
page_request_check_select(const PageRequest *page, bool query)
{
	const char *chosen = page->projection != NULL && page->attributes_to_get == NULL
	? "ProjectionExpression" : "AttributesToGet";
	bool		specific = page->projection != NULL || page->attributes_to_get != NULL;

	switch (page->select)
	{
		case SELECT_ALL_ATTRIBUTES:
			if (specific)
				validation_error("Cannot specify the %s when choosing to get ALL_ATTRIBUTES", chosen);
			break;
		case SELECT_ALL_PROJECTED:
			if (specific)
				validation_error("Cannot specify the %s when choosing to get ALL_PROJECTED_ATTRIBUTES", chosen);
			if (page->index_name == NULL)
				validation_error("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
			break;
		case SELECT_COUNT:
			if (specific)
				validation_error("Cannot specify the %s when choosing to get only the Count", chosen);
			break;
		case SELECT_SPECIFIC:
			if (!specific)
				validation_error("%sMust specify the AttributesToGet or ProjectionExpression "
								 "when choosing to get SPECIFIC_ATTRIBUTES",
								 query ? "1 validation error detected: " : "");
			break;
		case SELECT_DEFAULT:
			break;
	}
}

/* Texts about numbers and duplicates stand alone even in a start key. */
static bool
is_bare_fault(const char *fault)
{
	static const char *const bare[] = {
		"contains duplicates", "number set", "numeric value", "significant digits",
		"Number overflow", "Number underflow"
	};

	for (int i = 0; i < lengthof(bare); i++)
	{
		if (strstr(fault, bare[i]) != NULL)
			return true;
	}
	return false;
}

Jsonb *
page_request_start_key(const cJSON *request)
{
	const cJSON *start = request_object(request, "ExclusiveStartKey");
	const cJSON *member;

	if (start == NULL || start->child == NULL)
		return NULL;
	cJSON_ArrayForEach(member, start)
	{
		JsonbValue	value;
		char	   *fault = attribute_fault_of_dynamodb_json(member, &value);

		if (fault != NULL && !is_bare_fault(fault))
			validation_error(START_KEY_INVALID ": %s", fault);
	}
	return item_from_dynamodb_json(start);
}

/* Names of attributes that the index does not have, as "[a, b]"; NULL if it has all. */
static char *
unprojected(const PageSpec *spec, List *attributes)
{
	StringInfoData list;
	ListCell   *cell;
	int			count = 0;

	initStringInfo(&list);
	foreach(cell, attributes)
	{
		if (!index_projects(spec->table, spec->index, lfirst(cell)))
			appendStringInfo(&list, "%s%s", count++ > 0 ? ", " : "[", (char *) lfirst(cell));
	}
	if (count == 0)
		return NULL;
	appendStringInfoChar(&list, ']');
	return list.data;
}

/*
 * A global index gives what it projects; a local one fetches the rest from the
 * table.
 */
static void
check_projected(const PageSpec *spec, bool query)
{
	char	   *missing;

	if (spec->index == NULL || spec->index->kind == INDEX_LOCAL)
		return;

	if (spec->projection != NULL &&
		(missing = unprojected(spec, projection_attributes(spec->projection))) != NULL)
		validation_error("One or more parameter values were invalid: "
						 "Global secondary index %s does not project %s", spec->index->name, missing);
	if (spec->filter != NULL && query &&
		(missing = unprojected(spec, condition_attributes(spec->filter))) != NULL)
		validation_error("One or more parameter values were invalid: "
						 "Secondary index %s does not project one or more filter attributes: %s",
						 spec->index->name, missing);
}

/* The filter of a Query may not name keys of what it queries. */
static void
check_filter_keys(const PageSpec *spec, bool legacy)
{
	ListCell   *cell;

	if (spec->filter == NULL)
		return;
	foreach(cell, condition_attributes(spec->filter))
	{
		for (int i = 0; i < spec->column_count && !spec->columns[i].tie_break; i++)
		{
			if (strcmp(spec->columns[i].attribute->name, lfirst(cell)) == 0)
				validation_error("%s can only contain non-primary key attributes: Primary key attribute: %s",
								 legacy ? "QueryFilter" : "Filter Expression", (char *) lfirst(cell));
		}
	}
}

void
page_open(PageSpec *spec, const PageRequest *page, bool query)
{
	TableDescription *table = page->table;
	const IndexDescription *index = NULL;

	if (page->index_name != NULL)
	{
		index = description_index(table, page->index_name);
		if (index == NULL || index->status == INDEX_DELETING)
			validation_error("The table does not have the specified index: %s", page->index_name);
		if (!index->active)
			validation_error("Cannot read from backfilling global secondary index: %s", index->name);
		if (page->consistent && index->kind == INDEX_GLOBAL)
			validation_error("Consistent reads are not supported on global secondary indexes");
	}

	page_init(spec, table, index);
	spec->filter = page->filter;
	spec->projection = page->attributes_to_get ? page->attributes_to_get : page->projection;
	spec->count_only = page->select == SELECT_COUNT;
	spec->has_limit = page->has_limit;
	spec->limit = page->limit;
	spec->backward = page->backward;
	check_projected(spec, query);
	if (index != NULL && page->select != SELECT_ALL_ATTRIBUTES && spec->projection == NULL)
		spec->projection = index_projection(table, index);
}

static void
check_all_attributes(const PageSpec *spec, const PageRequest *page)
{
	if (page->select == SELECT_ALL_ATTRIBUTES && spec->index != NULL &&
		spec->index->kind == INDEX_GLOBAL && spec->index->projection != PROJECT_ALL)
		validation_error("One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not "
						 "supported for global secondary index %s because its projection type is not ALL",
						 spec->index->name);
}

void
page_check_attributes(const PageSpec *spec, const PageRequest *page, bool query)
{
	if (!query)
		check_all_attributes(spec, page);
	item_request_check_key_paths(spec->table, NULL, page->projection, NULL);
	if (query)
	{
		check_filter_keys(spec, page->legacy_filter);
		check_all_attributes(spec, page);
	}
	item_request_check_key_paths(spec->table, spec->filter, NULL, NULL);
}

/* ---- the start key ---- */

static bool
start_has(JsonbContainer *start, const KeyAttribute *attribute, JsonbValue *value)
{
	return attribute_get(start, attribute->name, attribute->name_length, value);
}

/* The key attributes of table and index together, each once. */
static int
count_key_attributes(const PageSpec *spec)
{
	int			count = 0;

	for (int i = 0; i < spec->column_count; i++)
	{
		bool		repeated = false;

		for (int j = 0; j < i; j++)
			repeated |= spec->columns[j].attribute == spec->columns[i].attribute;
		count += !repeated;
	}
	return count;
}

void
page_request_check_start_key(const PageRequest *page, const PageSpec *spec, bool query)
{
	JsonbContainer *start;

	if (page->start == NULL)
		return;
	start = &page->start->root;
	if (JsonContainerSize(start) != count_key_attributes(spec))
		validation_error(query || spec->index != NULL
						 ? START_KEY_INVALID : START_KEY_INVALID ": " KEY_MISMATCH);

	for (int i = 0; i < spec->column_count; i++)
	{
		const PageColumn *column = &spec->columns[i];
		JsonbValue	value;

		if (!start_has(start, column->attribute, &value))
			validation_error(column->tie_break || !query
							 ? START_KEY_INVALID ": " KEY_MISMATCH : START_KEY_INVALID);
		if (attribute_type(&value) != column->attribute->type)
			validation_error(query && !column->tie_break
							 ? KEY_MISMATCH : START_KEY_INVALID ": " KEY_MISMATCH);
		item_key_check_value(column->attribute, &value, column->partition);
	}
}

static bool
within(const PageSpec *spec, const PageColumn *column, const JsonbValue *value)
{
	AttributeType type = column->attribute->type;
	Datum		position = description_column_value(spec->table, column->attribute, value);

	if (column->equal && key_compare(position, column->lower, type) != 0)
		return false;
	if (column->has_lower)
	{
		int			order = key_compare(position, column->lower, type);

		if (order < 0 || (order == 0 && !column->lower_inclusive))
			return false;
	}
	if (column->has_upper)
	{
		int			order = key_compare(position, column->upper, type);

		if (order > 0 || (order == 0 && !column->upper_inclusive))
			return false;
	}
	return true;
}

/* A table without sort key has one item per query: there is nothing to go on with. */
static void
refuse_start_of_single_item(const PageSpec *spec, JsonbContainer *start)
{
	const KeyAttribute *attribute = spec->columns[0].attribute;
	JsonbValue	value;

	if (start_has(start, attribute, &value))
		validation_error("The provided exclusive start key is invalid: ExclusiveStartKey: {%s=AttributeValue: %s}",
						 attribute->name, attribute_key_to_text(&value));
}

/*
 * A page of this very query can only have ended within its bounds.
 */
static void
check_start_bounds(const PageSpec *spec, JsonbContainer *start)
{
	bool		has_range = false;
	bool		other_partition = false;

	if (page_is_single_item(spec))
		refuse_start_of_single_item(spec, start);

	for (int i = 0; i < spec->column_count && !spec->columns[i].tie_break; i++)
	{
		const PageColumn *column = &spec->columns[i];
		JsonbValue	value;
		bool		inside = !start_has(start, column->attribute, &value) || within(spec, column, &value);

		if (column->partition)
		{
			other_partition |= !inside;
			continue;
		}
		has_range |= column->equal || column->has_lower || column->has_upper;
		if (!inside)
			validation_error("The provided starting key does not match the range key predicate");
	}
	if (other_partition)
		validation_error(has_range
						 ? "The query can return at most one row and cannot be restarted"
						 : "The provided starting key is outside query boundaries based on provided conditions");
}

void
page_request_use_start_key(const PageRequest *page, PageSpec *spec, bool query)
{
	bool		all_equal = true;

	if (page->start == NULL)
		return;
	if (query)
		check_start_bounds(spec, &page->start->root);

	/* behind the only item that the bounds allow there is nothing */
	for (int i = 0; i < spec->column_count; i++)
		all_equal &= spec->columns[i].equal;
	if (all_equal)
		spec->nothing = true;
	else
		spec->start = &page->start->root;
}

/* ---- the response ---- */

/*
 * Reading what a local index does not project costs a read of the table per
 * item; it is charged as the difference to what the index holds.
 */
void
page_request_respond(const PageRequest *page, const PageSpec *spec, JsonWriter *response)
{
	PageResult	result;

	response_open(response, NULL, '{');
	if (!spec->count_only)
		response_open(response, "Items", '[');
	page_read(spec, response, &result);
	if (!spec->count_only)
		response_close(response, ']');
	response_integer(response, "Count", result.count);
	response_integer(response, "ScannedCount", result.scanned);
	if (result.last_item != NULL)
	{
		response_member(response, "LastEvaluatedKey");
		page_append_key(response, spec, &result.last_item->root);
	}
	capacity_append_read(response, page->capacity, spec->table, spec->index,
						 capacity_of_read(result.bytes, page->consistent), 0);
	response_close(response, '}');
}
