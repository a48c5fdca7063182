/*
 * attribute.c
 *		Types, members, equality and order of attribute values.
 */
#include "postgres.h"

#include "item/attribute.h"
#include "item/base64.h"
#include "item/build.h"
#include "item/container.h"
#include "item/number.h"
#include "item/stored_string.h"

static const struct
{
	const char *name;
	const char *word;
}			type_names[ATTRIBUTE_TYPE_COUNT] = {
	[ATTRIBUTE_S] = {"S", "STRING"},
	[ATTRIBUTE_N] = {"N", "NUMBER"},
	[ATTRIBUTE_B] = {"B", "BINARY"},
	[ATTRIBUTE_SS] = {"SS", "STRING_SET"},
	[ATTRIBUTE_NS] = {"NS", "NUMBER_SET"},
	[ATTRIBUTE_BS] = {"BS", "BINARY_SET"},
	[ATTRIBUTE_BOOL] = {"BOOL", "BOOLEAN"},
	[ATTRIBUTE_NULL] = {"NULL", "NULL"},
	[ATTRIBUTE_L] = {"L", "LIST"},
	[ATTRIBUTE_M] = {"M", "MAP"}
};

static AttributeType
container_type(JsonbContainer *container)
{
	JsonbValue	content;

	if (JsonContainerIsArray(container))
		return ATTRIBUTE_L;
	switch (container_tag(container, &content))
	{
		case TAG_B:
			return ATTRIBUTE_B;
		case TAG_SS:
			return ATTRIBUTE_SS;
		case TAG_NS:
			return ATTRIBUTE_NS;
		case TAG_BS:
			return ATTRIBUTE_BS;
		case TAG_NONE:
		case TAG_M:
		case TAG_UNKNOWN:
			break;
	}
	return ATTRIBUTE_M;
}

AttributeType
attribute_type(const JsonbValue *value)
{
	switch (value->type)
	{
		case jbvString:
			return ATTRIBUTE_S;
		case jbvNumeric:
			return ATTRIBUTE_N;
		case jbvBool:
			return ATTRIBUTE_BOOL;
		case jbvNull:
			return ATTRIBUTE_NULL;
		case jbvBinary:
			return container_type(value->val.binary.data);
		default:
			elog(ERROR, "unexpected jsonb value type %d", (int) value->type);
	}
	pg_unreachable();
}

const char *
attribute_type_name(AttributeType type)
{
	return type_names[type].name;
}

const char *
attribute_type_word(AttributeType type)
{
	return type_names[type].word;
}

bool
attribute_type_from_name(const char *name, int length, AttributeType *type)
{
	if (length == 0)
		return false;
	for (int i = 0; i < ATTRIBUTE_TYPE_COUNT; i++)
	{
		const char *candidate = type_names[i].name;

		if (candidate[0] == name[0] &&
			strlen(candidate) == length && memcmp(candidate, name, length) == 0)
		{
			*type = i;
			return true;
		}
	}
	return false;
}

JsonbContainer *
attribute_members(const JsonbValue *map)
{
	JsonbValue	content;

	if (container_tag(map->val.binary.data, &content) == TAG_M)
		return content.val.binary.data;
	return map->val.binary.data;
}

JsonbContainer *
attribute_elements(const JsonbValue *list_or_set)
{
	JsonbContainer *container = list_or_set->val.binary.data;
	JsonbValue	content;

	if (JsonContainerIsArray(container))
		return container;
	if (container_tag(container, &content) == TAG_NONE || content.type != jbvBinary)
		elog(ERROR, "attribute value is neither list nor set");
	return content.val.binary.data;
}

bool
attribute_get(JsonbContainer *map, const char *name, int length, JsonbValue *value)
{
	return JsonContainerIsObject(map) &&
		getKeyJsonValueFromContainer(map, name, length, value) != NULL;
}

void
attribute_from_jsonb(Jsonb *jb, JsonbValue *value)
{
	if (JB_ROOT_IS_SCALAR(jb))
		JsonbExtractScalar(&jb->root, value);
	else
	{
		value->type = jbvBinary;
		value->val.binary.data = &jb->root;
		value->val.binary.len = VARSIZE(jb) - VARHDRSZ;
	}
}

/* The base64 text of a B value or of a member of a BS. */
static void
binary_text(const JsonbValue *value, const char **text, int *length)
{
	JsonbValue	content = *value;

	if (value->type == jbvBinary && container_tag(value->val.binary.data, &content) != TAG_B)
		elog(ERROR, "attribute value is not binary");
	*text = content.val.string.val;
	*length = content.val.string.len;
}

bytea *
attribute_bytes(const JsonbValue *value)
{
	const char *text;
	int			length;
	int			count;
	bytea	   *result;

	binary_text(value, &text, &length);
	count = base64_byte_count(text, length);
	result = palloc(VARHDRSZ + count);
	SET_VARSIZE(result, VARHDRSZ + count);
	base64_decode(text, length, (uint8 *) VARDATA(result));
	return result;
}

char *
attribute_key_to_text(const JsonbValue *value)
{
	const char *text;
	int			length;

	if (value->type == jbvNumeric)
		return psprintf("{N:%s}", number_to_text(value->val.numeric));
	if (value->type == jbvString)
		return psprintf("{S:%.*s}", value->val.string.len, value->val.string.val);
	binary_text(value, &text, &length);
	return psprintf("{B:%.*s}", length, text);
}

/*
 * Stored forms are canonical, so DynamoDB's equality is jsonb's; identical
 * bytes are the usual case of equality.
 */
bool
attribute_equal(const JsonbValue *a, const JsonbValue *b)
{
	if (a->type != b->type)
		return false;
	switch (a->type)
	{
		case jbvString:
			return a->val.string.len == b->val.string.len &&
				memcmp(a->val.string.val, b->val.string.val, a->val.string.len) == 0;
		case jbvNumeric:
			return number_compare(a->val.numeric, b->val.numeric) == 0;
		case jbvBool:
			return a->val.boolean == b->val.boolean;
		case jbvNull:
			return true;
		case jbvBinary:
			if (a->val.binary.len == b->val.binary.len &&
				memcmp(a->val.binary.data, b->val.binary.data, a->val.binary.len) == 0)
				return true;
			return compareJsonbContainers(a->val.binary.data, b->val.binary.data) == 0;
		default:
			elog(ERROR, "unexpected jsonb value type %d", (int) a->type);
	}
	pg_unreachable();
}

int
attribute_compare(const JsonbValue *a, const JsonbValue *b)
{
	if (a->type == jbvString)
		return stored_string_compare(a->val.string.val, a->val.string.len,
									 b->val.string.val, b->val.string.len);
	if (a->type == jbvNumeric)
		return number_compare(a->val.numeric, b->val.numeric);
	return set_member_compare(ATTRIBUTE_BS, a, b);
}

/* Members of a set and values outside compare alike: B as base64 text. */
int
set_member_compare(AttributeType set_type, const JsonbValue *a, const JsonbValue *b)
{
	const char *a_text;
	const char *b_text;
	int			a_length;
	int			b_length;

	if (set_type != ATTRIBUTE_BS)
		return attribute_compare(a, b);
	binary_text(a, &a_text, &a_length);
	binary_text(b, &b_text, &b_length);
	return base64_compare(a_text, a_length, b_text, b_length);
}

static bool
bytes_contain(const JsonbValue *container, const JsonbValue *operand)
{
	bytea	   *whole = attribute_bytes(container);
	bytea	   *part = attribute_bytes(operand);
	bool		found = memmem(VARDATA(whole), VARSIZE(whole) - VARHDRSZ,
							   VARDATA(part), VARSIZE(part) - VARHDRSZ) != NULL;

	pfree(whole);
	pfree(part);
	return found;
}

static bool
set_contains(const JsonbValue *set, AttributeType set_type, const JsonbValue *operand)
{
	enum jbvType member_type = set_type == ATTRIBUTE_NS ? jbvNumeric : jbvString;
	ElementWalk walk;
	JsonbValue	member;

	elements_begin(&walk, attribute_elements(set));
	while (elements_next(&walk, &member))
	{
		int			order;

		if (member.type != member_type)
			return false;		/* not a stored item: evaluators get any jsonb */
		order = set_member_compare(set_type, &member, operand);
		if (order == 0)
			return true;
		if (order > 0)
			break;				/* members are sorted */
	}
	return false;
}

static bool
list_contains(const JsonbValue *list, const JsonbValue *operand)
{
	ElementWalk walk;
	JsonbValue	element;

	elements_begin(&walk, attribute_elements(list));
	while (elements_next(&walk, &element))
	{
		if (attribute_equal(&element, operand))
			return true;
	}
	return false;
}

bool
attribute_contains(const JsonbValue *container, const JsonbValue *operand)
{
	AttributeType type = attribute_type(container);
	AttributeType operand_type = attribute_type(operand);

	switch (type)
	{
		case ATTRIBUTE_S:
			return operand_type == ATTRIBUTE_S &&
				stored_string_contains(container->val.string.val, container->val.string.len,
									   operand->val.string.val, operand->val.string.len);
		case ATTRIBUTE_B:
			return operand_type == ATTRIBUTE_B && bytes_contain(container, operand);
		case ATTRIBUTE_SS:
			return operand_type == ATTRIBUTE_S && set_contains(container, type, operand);
		case ATTRIBUTE_NS:
			return operand_type == ATTRIBUTE_N && set_contains(container, type, operand);
		case ATTRIBUTE_BS:
			return operand_type == ATTRIBUTE_B && set_contains(container, type, operand);
		case ATTRIBUTE_L:
			return list_contains(container, operand);
		default:
			return false;
	}
}

bool
attribute_begins_with(const JsonbValue *value, const JsonbValue *prefix)
{
	AttributeType type = attribute_type(value);
	const char *text;
	const char *prefix_text;
	int			length;
	int			prefix_length;

	if (type != attribute_type(prefix))
		return false;
	if (type == ATTRIBUTE_S)
		return value->val.string.len >= prefix->val.string.len &&
			memcmp(value->val.string.val, prefix->val.string.val, prefix->val.string.len) == 0;
	if (type != ATTRIBUTE_B)
		return false;

	binary_text(value, &text, &length);
	binary_text(prefix, &prefix_text, &prefix_length);
	return base64_begins_with(text, length, prefix_text, prefix_length);
}

bool
attribute_size_function(const JsonbValue *value, int64 *size)
{
	const char *text;
	int			length;

	switch (attribute_type(value))
	{
		case ATTRIBUTE_S:
			*size = stored_string_utf16_length(value->val.string.val, value->val.string.len);
			return true;
		case ATTRIBUTE_B:
			binary_text(value, &text, &length);
			*size = base64_byte_count(text, length);
			return true;
		case ATTRIBUTE_SS:
		case ATTRIBUTE_NS:
		case ATTRIBUTE_BS:
		case ATTRIBUTE_L:
			*size = JsonContainerSize(attribute_elements(value));
			return true;
		case ATTRIBUTE_M:
			*size = JsonContainerSize(attribute_members(value));
			return true;
		default:
			return false;
	}
}
