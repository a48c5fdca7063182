/*
 * size.c
 *		What items and values count for, by DynamoDB's rules.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "item/base64.h"
#include "item/container.h"
#include "item/item.h"
#include "item/number.h"
#include "item/stored_string.h"
#include "item/validate.h"

int64
item_string_size(const char *string, int length)
{
	int64		size = stored_string_measure(string, length);

	return size < 0 ? length : size;
}

/* Members of a set count for themselves, without overhead. */
static int64
set_size(JsonbContainer *set, bool binary)
{
	ElementWalk walk;
	JsonbValue	member;
	int64		size = 0;

	elements_begin(&walk, set);
	while (elements_next(&walk, &member))
	{
		if (binary && member.type == jbvString)
			size += base64_byte_count(member.val.string.val, member.val.string.len);
		else
			size += attribute_value_size(&member);
	}
	return size;
}

static int64
list_size(JsonbContainer *list)
{
	ElementWalk walk;
	JsonbValue	element;
	int64		size = DOCUMENT_OVERHEAD;

	elements_begin(&walk, list);
	while (elements_next(&walk, &element))
		size += MEMBER_OVERHEAD + attribute_value_size(&element);
	return size;
}

static int64
container_size(JsonbContainer *container)
{
	JsonbValue	content;

	check_stack_depth();
	if (JsonContainerIsArray(container))
		return list_size(container);
	switch (container_tag(container, &content))
	{
		case TAG_B:
			return base64_byte_count(content.val.string.val, content.val.string.len);
		case TAG_SS:
		case TAG_NS:
			return set_size(content.val.binary.data, false);
		case TAG_BS:
			return set_size(content.val.binary.data, true);
		case TAG_M:
			container = content.val.binary.data;
			break;
		case TAG_NONE:
		case TAG_UNKNOWN:
			break;
	}
	return DOCUMENT_OVERHEAD + (int64) JsonContainerSize(container) * MEMBER_OVERHEAD +
		item_size(container);
}

int64
attribute_value_size(const JsonbValue *value)
{
	switch (value->type)
	{
		case jbvString:
			return item_string_size(value->val.string.val, value->val.string.len);
		case jbvNumeric:
			return number_size(value->val.numeric);
		case jbvBool:
		case jbvNull:
			return 1;
		case jbvBinary:
			return container_size(value->val.binary.data);
		default:
			elog(ERROR, "unexpected jsonb value type %d", (int) value->type);
	}
	pg_unreachable();
}

int64
item_size(JsonbContainer *item)
{
	MemberWalk	walk;
	JsonbValue	name;
	JsonbValue	value;
	int64		size = 0;

	members_begin(&walk, item);
	while (members_next(&walk, &name, &value))
		size += item_string_size(name.val.string.val, name.val.string.len) +
			attribute_value_size(&value);
	return size;
}
