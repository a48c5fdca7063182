/*
 * key_schema.c
 *		Attribute definitions, key schemas and secondary indexes of requests.
 */
#include "postgres.h"

#include "operation/constraint.h"
#include "operation/key_schema.h"

#define LOCAL_INDEXES_MAX	5
#define GLOBAL_INDEXES_MAX	20
#define INCLUDED_MAX		20	/* NonKeyAttributes of one index */
#define PROJECTED_MAX		100 /* NonKeyAttributes of all indexes */

#define UNMATCHED_DEFINITIONS \
	"Number of attributes in KeySchema does not exactly match number of attributes " \
	"defined in AttributeDefinitions"

/* ---- constraints ---- */

/* in the order of DynamoDB's messages */
static const char *const attribute_types[] = {"B", "N", "S", NULL};
static const char *const key_types[] = {"HASH", "RANGE", NULL};
static const char *const projection_types[] = {"ALL", "INCLUDE", "KEYS_ONLY", NULL};

/* AttributeName, and the member that says what the attribute is or is for. */
static void
attribute_constraints(const cJSON *element, const char *member, const char *name_path,
					  const char *member_path, const char *const *words, ConstraintFaults *faults)
{
	if (constraint_required(faults, element, "AttributeName", name_path))
		constraint_attribute_name(faults, request_string(element, "AttributeName"), name_path);
	constraint_required(faults, element, member, member_path);
	constraint_enumeration(faults, element, member, member_path, words);
}

void
attribute_definitions_constraints(const cJSON *request, ConstraintFaults *faults)
{
	const cJSON *list = request_array(request, "AttributeDefinitions");
	const cJSON *element;
	int			position = 0;

	cJSON_ArrayForEach(element, list)
	{
		char	   *path = constraint_element_path("attributeDefinitions", ++position);

		if (constraint_enough(faults, position))
			break;
		attribute_constraints(element, "AttributeType", constraint_path(path, "attributeName"),
							  constraint_path(path, "attributeType"), attribute_types, faults);
	}
}

/*
 * The member KeySchema of object.
 */
static void
key_schema_constraints(const cJSON *object, const char *prefix, int maximum,
					   ConstraintFaults *faults)
{
	char	   *path = constraint_path(prefix, "keySchema");
	const cJSON *element;
	int			position = 0;

	if (!constraint_required(faults, object, "KeySchema", path))
		return;
	constraint_count(faults, object, "KeySchema", path, 1, maximum);
	cJSON_ArrayForEach(element, request_array(object, "KeySchema"))
	{
		char	   *element_path = constraint_element_path(path, ++position);

		if (constraint_enough(faults, position))
			break;
		attribute_constraints(element, "KeyType", constraint_path(element_path, "attributeName"),
							  constraint_path(element_path, "keyType"), key_types, faults);
	}
}

static void
projection_constraints(const cJSON *index, const char *prefix, ConstraintFaults *faults)
{
	char	   *path = constraint_path(prefix, "projection");
	char	   *included = constraint_path(path, "nonKeyAttributes");
	const cJSON *projection;
	const cJSON *element;
	int			position = 0;

	if (!constraint_required(faults, index, "Projection", path))
		return;
	projection = request_object(index, "Projection");
	constraint_enumeration(faults, projection, "ProjectionType",
						   constraint_path(path, "projectionType"), projection_types);
	constraint_count(faults, projection, "NonKeyAttributes", included, 1, INCLUDED_MAX);
	cJSON_ArrayForEach(element, request_array(projection, "NonKeyAttributes"))
	{
		if (constraint_enough(faults, ++position))
			break;
		if (cJSON_IsString(element))
			constraint_attribute_name(faults, element->valuestring,
									  constraint_element_path(included, position));
	}
}

void
index_constraints(const cJSON *index, IndexKind kind, const char *path, ConstraintFaults *faults)
{
	char	   *name = constraint_path(path, "indexName");

	if (constraint_required(faults, index, "IndexName", name))
		constraint_name(faults, request_string(index, "IndexName"), name);
	key_schema_constraints(index, path, kind == INDEX_LOCAL ? 2 : 2 * INDEX_KEY_ATTRIBUTES, faults);
	projection_constraints(index, path, faults);
	if (kind == INDEX_GLOBAL)
		throughput_constraints(index, path, faults);
}

static void
indexes_constraints(const cJSON *request, const char *member, const char *path, IndexKind kind,
					ConstraintFaults *faults)
{
	const cJSON *index;
	int			position = 0;

	cJSON_ArrayForEach(index, request_array(request, member))
	{
		if (constraint_enough(faults, ++position))
			break;
		index_constraints(index, kind, constraint_element_path(path, position), faults);
	}
}

void
table_definition_constraints(const cJSON *request, ConstraintFaults *faults)
{
	constraint_required(faults, request, "AttributeDefinitions", "attributeDefinitions");
	attribute_definitions_constraints(request, faults);
	key_schema_constraints(request, NULL, 2, faults);
	indexes_constraints(request, "GlobalSecondaryIndexes", "globalSecondaryIndexes",
						INDEX_GLOBAL, faults);
	indexes_constraints(request, "LocalSecondaryIndexes", "localSecondaryIndexes",
						INDEX_LOCAL, faults);
}

/* ---- parsing ---- */

static void
parse_attribute_definitions(TableDefinition *definition, const cJSON *request)
{
	const cJSON *list = request_array(request, "AttributeDefinitions");
	const cJSON *element;
	int			count = cJSON_GetArraySize(list);

	if (count > ELEMENTS_MAX)
		validation_error(INVALID_PARAMETERS UNMATCHED_DEFINITIONS);
	definition->attributes = palloc(sizeof(AttributeDefinition) * (count + 1));
	cJSON_ArrayForEach(element, list)
	{
		AttributeDefinition *attribute = &definition->attributes[definition->attribute_count];
		const char *type = request_string(element, "AttributeType");

		attribute->name = request_string(element, "AttributeName");
		if (!attribute_type_from_name(type, strlen(type), &attribute->type))
			elog(ERROR, "unexpected attribute type");
		if (definition_of_attribute(definition, attribute->name) != NULL)
			validation_error("Attribute Name is duplicated: %s", attribute->name);
		definition->attribute_count++;
	}
}

static void
parse_key_schema(KeySchema *keys, const cJSON *object)
{
	const cJSON *list = request_array(object, "KeySchema");
	const cJSON *element;

	keys->count = 0;
	keys->elements = palloc(sizeof(KeyElement) * (cJSON_GetArraySize(list) + 1));
	cJSON_ArrayForEach(element, list)
	{
		KeyElement *key = &keys->elements[keys->count++];

		key->name = request_string(element, "AttributeName");
		key->range = strcmp(request_string(element, "KeyType"), "RANGE") == 0;
	}
}

static IndexDefinition *
parse_index(const cJSON *index, IndexKind kind)
{
	IndexDefinition *definition = palloc0(sizeof(IndexDefinition));

	definition->name = request_string(index, "IndexName");
	definition->request = index;
	definition->kind = kind;
	parse_key_schema(&definition->keys, index);
	return definition;
}

const AttributeDefinition *
definition_of_attribute(const TableDefinition *definition, const char *name)
{
	for (int i = 0; i < definition->attribute_count; i++)
	{
		if (strcmp(definition->attributes[i].name, name) == 0)
			return &definition->attributes[i];
	}
	return NULL;
}

List *
key_schema_names(const KeySchema *keys, bool range)
{
	List	   *names = NIL;

	for (int i = 0; i < keys->count; i++)
	{
		if (keys->elements[i].range == range)
			names = lappend(names, unconstify(char *, keys->elements[i].name));
	}
	return names;
}

/* ---- checks of key schemas ---- */

static void
append_name(StringInfo out, const char *name)
{
	if (out->data[out->len - 1] != '[')
		appendStringInfoString(out, ", ");
	appendStringInfoString(out, name);
}

/*
 * "[a, b]", of the key elements or, with keys NULL, of the definitions.
 */
static char *
name_list(const TableDefinition *definition, const KeySchema *keys)
{
	StringInfoData out;
	int			count = keys ? keys->count : definition->attribute_count;

	initStringInfo(&out);
	appendStringInfoChar(&out, '[');
	for (int i = 0; i < count; i++)
		append_name(&out, keys ? keys->elements[i].name : definition->attributes[i].name);
	appendStringInfoChar(&out, ']');
	return out.data;
}

static void
check_keys_defined(const TableDefinition *definition, const KeySchema *keys)
{
	for (int i = 0; i < keys->count; i++)
	{
		if (definition_of_attribute(definition, keys->elements[i].name) == NULL)
			validation_error(INVALID_PARAMETERS
							 "Some index key attributes are not defined in AttributeDefinitions. "
							 "Keys: %s, AttributeDefinitions: %s",
							 name_list(definition, keys), name_list(definition, NULL));
	}
}

/*
 * One HASH element and at most one RANGE element, in this order.
 */
static void
check_simple_schema(const KeySchema *keys)
{
	if (keys->count == 2 && strcmp(keys->elements[0].name, keys->elements[1].name) == 0)
		validation_error("Both the Hash Key and the Range Key element in the KeySchema have the same name");
	if (keys->elements[0].range)
		validation_error("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
	if (keys->count == 2 && !keys->elements[1].range)
		validation_error("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
}

/*
 * Keys of a global index: up to four HASH elements, then up to four RANGE
 * elements, no attribute twice.
 */
static void
check_global_schema(const KeySchema *keys)
{
	int			count[2] = {0, 0};

	if (keys->elements[0].range)
		validation_error("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
	for (int i = 0; i < keys->count; i++)
		count[keys->elements[i].range]++;
	if (count[false] > INDEX_KEY_ATTRIBUTES || count[true] > INDEX_KEY_ATTRIBUTES)
		validation_error(INVALID_PARAMETERS
						 "The KeySchema exceeds the maximum allowed number of %s key attributes",
						 count[false] > INDEX_KEY_ATTRIBUTES ? "HASH" : "RANGE");
	for (int i = 1; i < keys->count; i++)
	{
		if (keys->elements[i - 1].range && !keys->elements[i].range)
			validation_error(INVALID_PARAMETERS
							 "All HASH key attributes must precede RANGE key attributes in the KeySchema");
	}
	if (keys->count == 2 && keys->elements[1].range &&
		strcmp(keys->elements[0].name, keys->elements[1].name) == 0)
		validation_error("Both the Hash Key and the Range Key element in the KeySchema have the same name");
	for (int i = 0; i < keys->count; i++)
	{
		for (int j = 0; j < i; j++)
		{
			if (strcmp(keys->elements[i].name, keys->elements[j].name) == 0)
				validation_error("The KeySchema contains multiple key attributes with the same name");
		}
	}
}

static void
check_local_schema(const TableDefinition *table, const IndexDefinition *index)
{
	const char *table_hash = table->keys.elements[0].name;
	const char *index_hash = index->keys.elements[0].name;

	check_simple_schema(&index->keys);
	if (index->keys.count < 2)
		validation_error(INVALID_PARAMETERS
						 "Index KeySchema does not have a range key for index: %s", index->name);
	if (strcmp(index_hash, table_hash) != 0)
		validation_error(INVALID_PARAMETERS
						 "Index KeySchema does not have the same leading hash key as table KeySchema for index: "
						 "%s. index hash key: %s, table hash key: %s",
						 index->name, index_hash, table_hash);
}

/* ---- checks of projections ---- */

static int
compare_names(const ListCell *a, const ListCell *b)
{
	return strcmp(lfirst(a), lfirst(b));
}

/*
 * NonKeyAttributes, sorted as they are described.
 */
static List *
parse_included(const cJSON *list)
{
	List	   *included = NIL;
	const cJSON *element;

	cJSON_ArrayForEach(element, list)
	{
		if (!cJSON_IsString(element))
			continue;			/* null, as if it were not there */
		included = lappend(included, element->valuestring);
	}
	list_sort(included, compare_names);
	for (int i = 1; i < list_length(included); i++)
	{
		if (strcmp(list_nth(included, i - 1), list_nth(included, i)) == 0)
			validation_error(INVALID_PARAMETERS "Duplicate element in NonKeyAttributes: %s",
							 (char *) list_nth(included, i));
	}
	return included;
}

static void
parse_projection(IndexDefinition *definition)
{
	const cJSON *projection = request_object(definition->request, "Projection");
	const char *type = request_string(projection, "ProjectionType");
	const cJSON *included = request_array(projection, "NonKeyAttributes");
	bool		include;

	if (type == NULL)
		validation_error(INVALID_PARAMETERS "Unknown ProjectionType: null");
	include = strcmp(type, "INCLUDE") == 0;
	if (!include && included != NULL)
		validation_error(INVALID_PARAMETERS
						 "ProjectionType is %s, but NonKeyAttributes is specified", type);
	if (include && included == NULL)
		validation_error(INVALID_PARAMETERS
						 "ProjectionType is %s, but NonKeyAttributes is not specified", type);
	definition->projection = include ? PROJECT_INCLUDE :
		strcmp(type, "ALL") == 0 ? PROJECT_ALL : PROJECT_KEYS_ONLY;
	definition->included = parse_included(included);
}

/* ---- checks of a whole table ---- */

static void
check_table_schema(const TableDefinition *definition)
{
	if (definition->attribute_count < definition->keys.count)
		validation_error("Invalid KeySchema: Some index key attribute have no definition");
	check_keys_defined(definition, &definition->keys);
	check_simple_schema(&definition->keys);
}

/*
 * Lists of indexes, empty only if they are not there.
 */
static void
check_index_lists(const TableDefinition *definition, const cJSON *locals, const cJSON *globals)
{
	if (locals == NULL && globals == NULL && definition->attribute_count > definition->keys.count)
		validation_error(INVALID_PARAMETERS UNMATCHED_DEFINITIONS);
	if (locals != NULL && cJSON_GetArraySize(locals) == 0)
		validation_error(INVALID_PARAMETERS "List of LocalSecondaryIndexes is empty");
	if (globals != NULL && cJSON_GetArraySize(globals) == 0)
		validation_error(INVALID_PARAMETERS "List of GlobalSecondaryIndexes is empty");
	if (locals != NULL && definition->keys.count < 2)
		validation_error(INVALID_PARAMETERS
						 "Table KeySchema does not have a range key, "
						 "which is required when specifying a LocalSecondaryIndex");
}

static void
add_used_names(List **used, const KeySchema *keys)
{
	for (int i = 0; i < keys->count; i++)
	{
		char	   *name = unconstify(char *, keys->elements[i].name);
		ListCell   *cell;

		foreach(cell, *used)
		{
			if (strcmp(lfirst(cell), name) == 0)
				break;
		}
		if (cell == NULL)
			*used = lappend(*used, name);
	}
}

/*
 * Every definition serves some key.
 */
static void
check_definitions_used(const TableDefinition *definition)
{
	List	   *used = NIL;
	StringInfoData names;
	ListCell   *cell;

	add_used_names(&used, &definition->keys);
	foreach(cell, definition->indexes)
		add_used_names(&used, &((IndexDefinition *) lfirst(cell))->keys);
	if (list_length(used) == definition->attribute_count)
		return;

	list_sort(used, compare_names);
	initStringInfo(&names);
	appendStringInfoChar(&names, '[');
	foreach(cell, used)
		append_name(&names, lfirst(cell));
	validation_error(INVALID_PARAMETERS
					 "Some AttributeDefinitions are not used. AttributeDefinitions: %s, keys used: %s]",
					 name_list(definition, NULL), names.data);
}

static void
check_index_names(const TableDefinition *definition)
{
	for (int i = 0; i < list_length(definition->indexes); i++)
	{
		IndexDefinition *index = list_nth(definition->indexes, i);

		for (int j = 0; j < i; j++)
		{
			if (strcmp(((IndexDefinition *) list_nth(definition->indexes, j))->name, index->name) == 0)
				validation_error(INVALID_PARAMETERS "Duplicate index name: %s", index->name);
		}
	}
}

static void
check_projected_count(int projected)
{
	if (projected > PROJECTED_MAX)
		validation_error(INVALID_PARAMETERS
						 "Number of projected attributes exceeds the per-table limit of %d",
						 PROJECTED_MAX);
}

static void
check_index_counts(const cJSON *locals, const cJSON *globals)
{
	if (cJSON_GetArraySize(locals) > LOCAL_INDEXES_MAX)
		validation_error(INVALID_PARAMETERS
						 "Number of LocalSecondaryIndexes exceeds per-table limit of %d",
						 LOCAL_INDEXES_MAX);
	if (cJSON_GetArraySize(globals) > GLOBAL_INDEXES_MAX)
		validation_error(INVALID_PARAMETERS
						 "GlobalSecondaryIndex count exceeds the per-table limit of %d",
						 GLOBAL_INDEXES_MAX);
}

static void
check_projected(const TableDefinition *definition)
{
	int			projected = 0;
	ListCell   *cell;

	foreach(cell, definition->indexes)
		projected += list_length(((IndexDefinition *) lfirst(cell))->included);
	check_projected_count(projected);
}

/*
 * Parse the keys of all indexes of one list, and see that they are defined; a
 * fault of a global index's keys comes before definitions without use.
 */
static void
parse_indexes(TableDefinition *definition, const cJSON *list, IndexKind kind)
{
	const cJSON *element;

	cJSON_ArrayForEach(element, list)
	{
		IndexDefinition *index = parse_index(element, kind);

		check_keys_defined(definition, &index->keys);
		if (kind == INDEX_GLOBAL)
			check_global_schema(&index->keys);
		index->settings.position = list_length(definition->indexes) + 1;
		definition->indexes = lappend(definition->indexes, index);
	}
}

TableDefinition *
table_definition_from_request(const cJSON *request, bool on_demand)
{
	TableDefinition *definition = palloc0(sizeof(TableDefinition));
	const cJSON *locals = request_array(request, "LocalSecondaryIndexes");
	const cJSON *globals = request_array(request, "GlobalSecondaryIndexes");
	ListCell   *cell;

	parse_attribute_definitions(definition, request);
	parse_key_schema(&definition->keys, request);
	check_table_schema(definition);
	check_index_lists(definition, locals, globals);
	if (cJSON_GetArraySize(locals) > ELEMENTS_MAX || cJSON_GetArraySize(globals) > ELEMENTS_MAX)
		check_index_counts(locals, globals);	/* their constraints are not known to hold */
	parse_indexes(definition, locals, INDEX_LOCAL);
	parse_indexes(definition, globals, INDEX_GLOBAL);
	check_definitions_used(definition);

	foreach(cell, definition->indexes)
	{
		IndexDefinition *index = lfirst(cell);

		if (index->kind == INDEX_LOCAL)
			check_local_schema(definition, index);
		parse_projection(index);
		if (index->kind == INDEX_GLOBAL)
			throughput_of_new_index(&index->settings.throughput, index->request, index->name,
									on_demand);
	}
	check_index_names(definition);
	check_index_counts(locals, globals);
	check_projected(definition);
	return definition;
}

IndexDefinition *
index_addition_from_request(const cJSON *request, const cJSON *json, TableDefinition **table)
{
	TableDefinition *definition = palloc0(sizeof(TableDefinition));
	IndexDefinition *index = parse_index(json, INDEX_GLOBAL);

	if (request_member(request, "AttributeDefinitions") == NULL)
		validation_error(INVALID_PARAMETERS
						 "AttributeDefinitions is not specified for index: %s", index->name);
	parse_attribute_definitions(definition, request);
	check_keys_defined(definition, &index->keys);
	check_global_schema(&index->keys);
	parse_projection(index);
	*table = definition;
	return index;
}

void
index_addition_check_counts(int globals, int projected)
{
	if (globals > GLOBAL_INDEXES_MAX)
		dynamo_error(LIMIT_EXCEEDED,
					 "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of %d",
					 GLOBAL_INDEXES_MAX);
	check_projected_count(projected);
}
