/*
 * dynamodb_json_read.c
 *		From DynamoDB JSON to the stored form, in one pass over the tree.
 *
 * Strings are pushed as pointers into the tree and copied once, when the jsonb
 * is made.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "errors.h"
#include "item/base64.h"
#include "item/build.h"
#include "item/item.h"
#include "item/number.h"
#include "item/stored_string.h"
#include "item/validate.h"

static void push_attribute(JsonbParseState **state, JsonbIteratorToken token,
						   const cJSON *json, int depth);

/* ---- wrong JSON types: SerializationException ---- */

/* What the service calls a scalar that cannot become a String or Boolean. */
static const char *
scalar_word(const cJSON *json)
{
	if (cJSON_IsTrue(json))
		return "TRUE_VALUE";
	if (cJSON_IsFalse(json))
		return "FALSE_VALUE";
	if (cJSON_IsString(json))
		return "STRING_VALUE";
	/* a double outside int64's range has no fraction */
	if (json->valuedouble > -9e18 && json->valuedouble < 9e18 &&
		json->valuedouble != (double) (int64) json->valuedouble)
		return "DECIMAL_VALUE";
	return "NUMBER_VALUE";
}

pg_noreturn static void
refuse_structure(void)
{
	serialization_error("Start of structure or map found where not expected");
}

static void
require_string(const cJSON *json)
{
	if (cJSON_IsString(json))
		return;
	if (cJSON_IsArray(json))
		serialization_error("Unrecognized collection type class java.lang.String");
	if (cJSON_IsObject(json))
		refuse_structure();
	serialization_error("%s cannot be converted to String", scalar_word(json));
}

static void
require_list(const cJSON *json)
{
	if (cJSON_IsArray(json))
		return;
	if (cJSON_IsObject(json))
		refuse_structure();
	serialization_error("Unexpected field type");
}

static void
require_map(const cJSON *json)
{
	if (cJSON_IsObject(json))
		return;
	if (cJSON_IsArray(json))
		serialization_error("Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>");
	serialization_error("Unexpected field type");
}

static void
require_attribute_value(const cJSON *json)
{
	if (cJSON_IsObject(json))
		return;
	if (cJSON_IsArray(json))
		serialization_error("Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue");
	serialization_error("Unexpected value type in payload");
}

/* The service takes some strings for booleans. */
static bool
boolean_from_json(const cJSON *json)
{
	static const char *const yes[] = {"true", "yes", "1"};
	static const char *const no[] = {"false", "no", "0"};

	if (cJSON_IsBool(json))
		return cJSON_IsTrue(json);
	if (cJSON_IsArray(json))
		serialization_error("Unrecognized collection type class java.lang.Boolean");
	if (cJSON_IsObject(json))
		refuse_structure();
	if (!cJSON_IsString(json))
		serialization_error("%s cannot be converted to Boolean", scalar_word(json));
	for (int i = 0; i < lengthof(yes); i++)
	{
		if (pg_strcasecmp(json->valuestring, yes[i]) == 0)
			return true;
		if (pg_strcasecmp(json->valuestring, no[i]) == 0)
			return false;
	}
	serialization_error("Unexpected token received from parser");
}

/* ---- scalars ---- */

static void
string_from_json(const cJSON *json, JsonbValue *value)
{
	require_string(json);
	value->type = jbvString;
	value->val.string.val = json->valuestring;
	value->val.string.len = strlen(json->valuestring);
	string_check(value->val.string.val, value->val.string.len);
}

static void
number_from_json(const cJSON *json, JsonbValue *value)
{
	require_string(json);
	value->type = jbvNumeric;
	value->val.numeric = number_from_text(json->valuestring, strlen(json->valuestring));
}

void
attribute_check_binary_json(const cJSON *json)
{
	size_t		length;

	if (cJSON_IsArray(json))
		serialization_error("Unrecognized collection type class java.nio.ByteBuffer");
	if (cJSON_IsObject(json))
		refuse_structure();
	if (!cJSON_IsString(json))
		serialization_error("only base-64-encoded strings are convertible to bytes");

	length = strlen(json->valuestring);
	if (length % 4 != 0)
		serialization_error("Base64 encoded length is expected a multiple of 4 bytes but found: %zu", length);
	if (!base64_is_canonical(json->valuestring, length))
		serialization_error("Invalid last non-pad Base64 character dectected");
}

static void
binary_from_json(const cJSON *json, JsonbValue *value)
{
	attribute_check_binary_json(json);
	value->type = jbvString;
	value->val.string.val = json->valuestring;
	value->val.string.len = strlen(json->valuestring);
}

/* ---- sets ---- */

static int
compare_members(const void *a, const void *b)
{
	return strcmp((*(const cJSON *const *) a)->valuestring, (*(const cJSON *const *) b)->valuestring);
}

/* Is this member of a set of strings or binaries among the first count? */
static bool
is_repeated(const cJSON *member, const cJSON **before, int count)
{
	for (int i = 0; i < count; i++)
	{
		if (strcmp(before[i]->valuestring, member->valuestring) == 0)
			return true;
	}
	return false;
}

/*
 * The newer layer collects members in order of bytes until one repeats, and
 * shows them so: those before the repeat sorted, the rest as sent.
 */
pg_noreturn static void
refuse_duplicates(AttributeType type, const cJSON *set)
{
	bool		newer = errors_validation_form() != VALIDATION_FORM_OLDER;
	const char *separator = newer && type == ATTRIBUTE_BS ? "," : ", ";
	int			count = cJSON_GetArraySize(set);
	const cJSON **members = palloc(sizeof(cJSON *) * Max(1, count));
	StringInfoData text;
	const cJSON *member;
	int			sorted = 0;

	if (type == ATTRIBUTE_NS)
		request_error("One or more parameter values were invalid: Input collection contains duplicates%s",
					  newer ? "." : "");

	count = 0;
	cJSON_ArrayForEach(member, set)
	{
		CHECK_FOR_INTERRUPTS();
		if (sorted == count && !is_repeated(member, members, count))
			sorted++;
		members[count++] = member;
	}
	if (newer)
		qsort(members, sorted, sizeof(cJSON *), compare_members);

	initStringInfo(&text);
	for (int i = 0; i < count; i++)
	{
		if (i > 0)
			appendStringInfoString(&text, separator);
		if (newer)
			json_append_string(&text, members[i]->valuestring, strlen(members[i]->valuestring));
		else
			appendStringInfoString(&text, members[i]->valuestring);
	}
	request_error("One or more parameter values were invalid: Input collection [%s]%s contains duplicates.",
				  text.data, type == ATTRIBUTE_BS ? "of type BS" : "");
}

static void
push_set(JsonbParseState **state, AttributeType type, const cJSON *set)
{
	JsonbValue *members;
	const cJSON *member;
	int			count;
	int			done = 0;

	require_list(set);
	count = cJSON_GetArraySize(set);
	if (count == 0)
		request_error("%s", set_empty_text(type));

	members = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(JsonbValue) * (Size) count);
	cJSON_ArrayForEach(member, set)
	{
		if (cJSON_IsNull(member))
			request_error("One or more parameter values were invalid: %s set may not have a null string as a member",
						  type == ATTRIBUTE_SS ? "An string" : type == ATTRIBUTE_NS ? "An number" : "An binary");
		if (type == ATTRIBUTE_SS)
			string_from_json(member, &members[done++]);
		else if (type == ATTRIBUTE_NS)
			number_from_json(member, &members[done++]);
		else
			binary_from_json(member, &members[done++]);
	}
	if (!set_sort(type, members, count))
		refuse_duplicates(type, set);
	set_push(state, type, members, count);
	pfree(members);
}

/* ---- documents ---- */

/*
 * Will the map have exactly one key, and that beginning with '$'?  A request
 * may name a key twice; the map then has it once.
 */
static bool
needs_wrapper(const cJSON *object)
{
	const cJSON *first = object->child;

	if (first == NULL || first->string[0] != '$')
		return false;
	for (const cJSON *member = first->next; member; member = member->next)
	{
		if (strcmp(member->string, first->string) != 0)
			return false;
	}
	return true;
}

static void
push_members(JsonbParseState **state, const cJSON *object, int depth)
{
	const cJSON *member;

	cJSON_ArrayForEach(member, object)
	{
		JsonbValue	name;

		name.type = jbvString;
		name.val.string.val = member->string;
		name.val.string.len = strlen(member->string);
		name_check(name.val.string.val, name.val.string.len);
		pushJsonbValue(state, WJB_KEY, &name);
		push_attribute(state, WJB_VALUE, member, depth);
	}
}

static void
push_list(JsonbParseState **state, const cJSON *list, int depth)
{
	const cJSON *element;

	require_list(list);
	pushJsonbValue(state, WJB_BEGIN_ARRAY, NULL);
	cJSON_ArrayForEach(element, list)
		push_attribute(state, WJB_ELEM, element, depth);
	pushJsonbValue(state, WJB_END_ARRAY, NULL);
}

static void
push_map(JsonbParseState **state, const cJSON *map, int depth)
{
	bool		wrap;

	require_map(map);
	wrap = needs_wrapper(map);
	map_push_begin(state, wrap);
	push_members(state, map, depth);
	map_push_end(state, wrap);
}

/* ---- attribute values ---- */

/* The scalars that need no container; false for any other type. */
static bool
scalar_from_json(AttributeType type, const cJSON *content, JsonbValue *value)
{
	switch (type)
	{
		case ATTRIBUTE_S:
			string_from_json(content, value);
			return true;
		case ATTRIBUTE_N:
			number_from_json(content, value);
			return true;
		case ATTRIBUTE_BOOL:
			value->type = jbvBool;
			value->val.boolean = boolean_from_json(content);
			return true;
		case ATTRIBUTE_NULL:
			value->type = jbvNull;
			if (!boolean_from_json(content))
				request_error("One or more parameter values were invalid: Null attribute value types must have the value of true");
			return true;
		default:
			return false;
	}
}

static void
push_content(JsonbParseState **state, JsonbIteratorToken token,
			 AttributeType type, const cJSON *content, int depth)
{
	JsonbValue	value;

	if (scalar_from_json(type, content, &value))
	{
		pushJsonbValue(state, token, &value);
		return;
	}
	switch (type)
	{
		case ATTRIBUTE_B:
			binary_from_json(content, &value);
			binary_push(state, &value);
			break;
		case ATTRIBUTE_SS:
		case ATTRIBUTE_NS:
		case ATTRIBUTE_BS:
			push_set(state, type, content);
			break;
		case ATTRIBUTE_L:
			push_list(state, content, depth + 1);
			break;
		default:
			push_map(state, content, depth + 1);
			break;
	}
}

/* The content of each type is checked before their number is. */
pg_noreturn static void
refuse_several_types(const cJSON *json, int depth)
{
	JsonbParseState *scratch = NULL;
	const cJSON *member;
	AttributeType type;

	pushJsonbValue(&scratch, WJB_BEGIN_ARRAY, NULL);
	cJSON_ArrayForEach(member, json)
	{
		if (!cJSON_IsNull(member) &&
			attribute_type_from_name(member->string, strlen(member->string), &type))
			push_content(&scratch, WJB_ELEM, type, member, depth);
	}
	request_error("Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes");
}

/*
 * The one member of an attribute value that says type and content.  Unknown
 * members and nulls count for nothing; the last of a repeated name counts.
 */
static const cJSON *
attribute_content(const cJSON *json, AttributeType *type, int depth)
{
	const cJSON *content = NULL;
	const cJSON *member;

	if (depth >= ATTRIBUTE_MAX_NESTING)
		request_error("%s", NESTING_TEXT);
	if (cJSON_IsNull(json))
		request_error("%s", EMPTY_VALUE_TEXT);
	require_attribute_value(json);

	cJSON_ArrayForEach(member, json)
	{
		AttributeType member_type;

		if (cJSON_IsNull(member) ||
			!attribute_type_from_name(member->string, strlen(member->string), &member_type))
			continue;
		if (content && *type != member_type)
			refuse_several_types(json, depth);
		content = member;
		*type = member_type;
	}
	if (content == NULL)
		request_error("%s", EMPTY_VALUE_TEXT);
	return content;
}

static void
push_attribute(JsonbParseState **state, JsonbIteratorToken token, const cJSON *json, int depth)
{
	AttributeType type;
	const cJSON *content = attribute_content(json, &type, depth);

	CHECK_FOR_INTERRUPTS();
	push_content(state, token, type, content, depth);
}

Jsonb *
item_from_dynamodb_json(const cJSON *attributes)
{
	JsonbParseState *state = NULL;

	require_map(attributes);
	pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
	push_members(&state, attributes, 0);
	return JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_OBJECT, NULL));
}

void
attribute_from_dynamodb_json(const cJSON *json, JsonbValue *value)
{
	JsonbParseState *state = NULL;
	AttributeType type;
	const cJSON *content = attribute_content(json, &type, 0);
	JsonbContainer *array;

	if (scalar_from_json(type, content, value))
	{
		/* the tree may go before the value does */
		if (value->type == jbvString)
			value->val.string.val = pnstrdup(value->val.string.val, value->val.string.len);
		return;
	}

	/* an array of one keeps the pushing code to one shape */
	pushJsonbValue(&state, WJB_BEGIN_ARRAY, NULL);
	push_content(&state, WJB_ELEM, type, content, 0);
	array = &JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_ARRAY, NULL))->root;
	*value = *getIthJsonbValueFromContainer(array, 0);
}

/* Nothing but memory is touched inside, so the error can be dropped. */
char *
attribute_fault_of_dynamodb_json(const cJSON *json, JsonbValue *value)
{
	static const char prefix[] = "ValidationException: ";
	MemoryContext context = CurrentMemoryContext;
	ValidationForm form = errors_set_validation_form(VALIDATION_FORM_OLDER);
	char	   *volatile fault = NULL;

	PG_TRY();
	{
		attribute_from_dynamodb_json(json, value);
	}
	PG_CATCH();
	{
		ErrorData  *error;

		errors_set_validation_form(form);
		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		if (strncmp(error->message, prefix, strlen(prefix)) != 0)
			PG_RE_THROW();
		FlushErrorState();
		fault = error->message + strlen(prefix);
	}
	PG_END_TRY();
	errors_set_validation_form(form);
	return fault;
}
