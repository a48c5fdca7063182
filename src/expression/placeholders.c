/*
 * placeholders.c
 *		ExpressionAttributeNames and ExpressionAttributeValues.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/builtins.h"

#include "errors.h"
#include "expression/tree.h"
#include "item/item.h"

#define MAX_KEY_BYTES	 255
#define MAX_TOTAL_BYTES	 (2 * 1024 * 1024)

typedef struct Placeholder
{
	const char *key;			/* with its '#' or ':' */
	int			position;		/* in the request */
	bool		used;
	const char *name;			/* of a name placeholder */
	JsonbValue	value;			/* of a value placeholder */
} Placeholder;

typedef struct PlaceholderMap
{
	const char *parameter;		/* as messages call the map */
	char		sign;			/* '#' or ':' */
	int			count;
	Placeholder *entries;		/* by key; unique */
} PlaceholderMap;

struct Placeholders
{
	PlaceholderMap names;
	PlaceholderMap values;
};

/* ---- building the maps ---- */

static void
check_key(const PlaceholderMap *map, const char *key)
{
	size_t		length = strlen(key);

	if (length == 0)
		request_error("%s contains invalid key: The expression attribute map contains an empty key;",
					  map->parameter);
	if (length > MAX_KEY_BYTES)
		request_error("%s contains invalid key: The expression attribute map contains a key that is too long; size of key: %zu",
					  map->parameter, length);
	if (!placeholder_is_well_formed(key, map->sign))
		request_error("%s contains invalid key: Syntax error; key: \"%s\"", map->parameter, key);
}

static const char *
checked_name(const PlaceholderMap *map, const char *key, const char *name)
{
	const char *fault = attribute_name_fault(name, (int) strlen(name));

	if (fault != NULL)
		request_error("%s contains invalid value: %s for key %s", map->parameter, fault, key);
	return pstrdup(name);
}

static int
compare_placeholders(const void *a, const void *b)
{
	const Placeholder *left = a;
	const Placeholder *right = b;
	int			order = strcmp(left->key, right->key);

	return order != 0 ? order : left->position - right->position;
}

/* Of a key that a request repeats, the last one counts, as with any JSON member. */
static void
sort_placeholders(PlaceholderMap *map)
{
	int			kept = 0;

	qsort(map->entries, map->count, sizeof(Placeholder), compare_placeholders);
	for (int i = 0; i < map->count; i++)
	{
		if (i + 1 < map->count && strcmp(map->entries[i].key, map->entries[i + 1].key) == 0)
			continue;
		map->entries[kept++] = map->entries[i];
	}
	map->count = kept;
}

static void
check_total_size(const PlaceholderMap *map)
{
	int64		size = 0;

	for (int i = 0; i < map->count; i++)
	{
		const Placeholder *entry = &map->entries[i];

		size += strlen(entry->key);
		size += entry->name ? strlen(entry->name) : attribute_value_size(&entry->value);
	}
	if (size > MAX_TOTAL_BYTES)
		request_error("%s exceeds max size", map->parameter);
}

static Placeholder *
add_placeholder(PlaceholderMap *map, const char *key)
{
	Placeholder *entry = &map->entries[map->count];

	memset(entry, 0, sizeof(Placeholder));
	entry->key = pstrdup(key);
	entry->position = map->count++;
	return entry;
}

static Placeholders *
make_placeholders(void)
{
	Placeholders *placeholders = palloc0(sizeof(Placeholders));

	placeholders->names.parameter = "ExpressionAttributeNames";
	placeholders->names.sign = '#';
	placeholders->values.parameter = "ExpressionAttributeValues";
	placeholders->values.sign = ':';
	return placeholders;
}

static void
begin_map(PlaceholderMap *map, int count)
{
	if (count == 0)
		request_error("%s must not be empty", map->parameter);
	map->entries = palloc_extended(sizeof(Placeholder) * count, MCXT_ALLOC_HUGE);
}

/* ---- from a request ---- */

/*
 * The older validation layer shows a fault of a value as what is wrong with
 * its placeholder; only the text on nesting stands alone.
 */
static void
convert_value(const PlaceholderMap *map, const cJSON *json, Placeholder *entry)
{
	char	   *fault;

	if (errors_validation_form() != VALIDATION_FORM_OLDER)
	{
		attribute_from_dynamodb_json(json, &entry->value);
		return;
	}

	fault = attribute_fault_of_dynamodb_json(json, &entry->value);
	if (fault == NULL)
		return;
	if (strncmp(fault, "Nesting Levels", strlen("Nesting Levels")) == 0)
		request_error("%s", fault);
	request_error("%s contains invalid value: %s for key %s", map->parameter, fault, entry->key);
}

static void
names_from_cjson(PlaceholderMap *map, const cJSON *names)
{
	const cJSON *member;

	begin_map(map, cJSON_GetArraySize(names));
	cJSON_ArrayForEach(member, names)
	{
		CHECK_FOR_INTERRUPTS();
		check_key(map, member->string);
		if (!cJSON_IsString(member))
			serialization_error("Unexpected value type in payload");
		add_placeholder(map, member->string)->name =
			checked_name(map, member->string, member->valuestring);
	}
	sort_placeholders(map);
	check_total_size(map);
}

/* All keys are checked before the first value. */
static void
values_from_cjson(PlaceholderMap *map, const cJSON *values)
{
	const cJSON *member;

	begin_map(map, cJSON_GetArraySize(values));
	cJSON_ArrayForEach(member, values)
		check_key(map, member->string);
	cJSON_ArrayForEach(member, values)
	{
		CHECK_FOR_INTERRUPTS();
		convert_value(map, member, add_placeholder(map, member->string));
	}
	sort_placeholders(map);
	check_total_size(map);
}

Placeholders *
placeholders_from_dynamodb_json(const cJSON *names, const cJSON *values, bool has_expressions)
{
	Placeholders *placeholders = make_placeholders();

	if (!has_expressions && (names || values))
		request_error("%s can only be specified when using expressions",
					  names ? placeholders->names.parameter : placeholders->values.parameter);
	if (names)
		names_from_cjson(&placeholders->names, names);
	if (values)
		values_from_cjson(&placeholders->values, values);
	return placeholders;
}

/* ---- from arguments of SQL functions ---- */

static void
check_is_object(const PlaceholderMap *map, Jsonb *jb)
{
	if (!JB_ROOT_IS_OBJECT(jb))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be a JSON object",
						map->sign == '#' ? "attribute_names" : "attribute_values"),
				 map->sign == '#' ?
				 errhint("Give names as {\"#name\": \"attribute\"}.") :
				 errhint("Give values as {\":value\": 1}.")));
}

static void
map_from_jsonb(PlaceholderMap *map, Jsonb *jb)
{
	JsonbIterator *iterator;
	JsonbValue	member;
	JsonbIteratorToken token;
	char	   *key = NULL;

	check_is_object(map, jb);
	begin_map(map, JB_ROOT_COUNT(jb));
	iterator = JsonbIteratorInit(&jb->root);
	while ((token = JsonbIteratorNext(&iterator, &member, true)) != WJB_DONE)
	{
		if (token == WJB_KEY)
		{
			key = pnstrdup(member.val.string.val, member.val.string.len);
			check_key(map, key);
		}
		else if (token == WJB_VALUE && map->sign == ':')
			attribute_normalize(JsonbValueToJsonb(&member), &add_placeholder(map, key)->value);
		else if (token == WJB_VALUE)
		{
			if (member.type != jbvString)
				ereport(ERROR,
						(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						 errmsg("the attribute name of %s must be a string", key)));
			add_placeholder(map, key)->name =
				checked_name(map, key, pnstrdup(member.val.string.val, member.val.string.len));
		}
	}
	sort_placeholders(map);
}

Placeholders *
placeholders_from_jsonb(Jsonb *names, Jsonb *values)
{
	Placeholders *placeholders = make_placeholders();

	if (names)
		map_from_jsonb(&placeholders->names, names);
	if (values)
		map_from_jsonb(&placeholders->values, values);
	return placeholders;
}

/* ---- use ---- */

static Placeholder *
find_placeholder(PlaceholderMap *map, const char *key)
{
	int			low = 0;
	int			high = map->count;

	while (low < high)
	{
		int			middle = low + (high - low) / 2;
		int			order = strcmp(map->entries[middle].key, key);

		if (order == 0)
		{
			map->entries[middle].used = true;
			return &map->entries[middle];
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const char *
placeholder_name(Placeholders *placeholders, ExpressionKind kind, const char *text)
{
	Placeholder *entry = find_placeholder(&placeholders->names, text);

	if (entry == NULL)
		request_error("Invalid %s: An expression attribute name used in the document path is not defined; attribute name: %s",
					  expression_kind_name(kind), text);
	return entry->name;
}

void
placeholder_value(Placeholders *placeholders, ExpressionKind kind, const char *text,
				  JsonbValue *value)
{
	Placeholder *entry = find_placeholder(&placeholders->values, text);

	if (entry == NULL)
		request_error("Invalid %s: An expression attribute value used in expression is not defined; attribute value: %s",
					  expression_kind_name(kind), text);
	*value = entry->value;
}

static void
check_map_used(const PlaceholderMap *map)
{
	StringInfoData unused;

	initStringInfo(&unused);
	for (int i = 0; i < map->count; i++)
	{
		if (!map->entries[i].used)
			appendStringInfo(&unused, "%s%s", unused.len > 0 ? ", " : "", map->entries[i].key);
	}
	if (unused.len > 0)
		request_error("Value provided in %s unused in expressions: keys: {%s}",
					  map->parameter, unused.data);
	pfree(unused.data);
}

void
placeholders_check_used(const Placeholders *placeholders)
{
	check_map_used(&placeholders->names);
	check_map_used(&placeholders->values);
}
