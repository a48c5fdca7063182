/*
 * validate.c
 *		The gate's check of a stored item: one pass, nothing allocated.
 *
 * What is stored is canonical (numbers normal, sets sorted, wrappers only
 * where needed), because equality, index keys and sizes rely on it.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "errors.h"
#include "item/base64.h"
#include "item/build.h"
#include "item/container.h"
#include "item/item.h"
#include "item/number.h"
#include "item/stored_string.h"
#include "item/validate.h"

#define NAME_MAX_BYTES 65535

static int64 check_value(const JsonbValue *value, int depth);

const char *
set_empty_text(AttributeType type)
{
	switch (type)
	{
		case ATTRIBUTE_SS:
			return "One or more parameter values were invalid: An string set  may not be empty";
		case ATTRIBUTE_NS:
			return "One or more parameter values were invalid: An number set  may not be empty";
		default:
			return "One or more parameter values were invalid: Binary sets should not be empty";
	}
}

int64
string_check(const char *string, int length)
{
	int64		size = stored_string_measure(string, length);

	if (size < 0)
		validation_error("One or more parameter values were invalid: "
					  "U+0001 in a string must be written as U+0001 U+0002, and U+0000 as U+0001 U+0001");
	return size;
}

const char *
attribute_name_fault(const char *name, int length)
{
	if (length == 0)
		return "Empty attribute name";
	if (length > NAME_MAX_BYTES && item_string_size(name, length) > NAME_MAX_BYTES)
		return "Attribute name is too large, must be less than 65536 bytes";
	return NULL;
}

int64
name_check(const char *name, int length)
{
	const char *fault = attribute_name_fault(name, length);

	if (fault != NULL)
		validation_error("%s", fault);
	return string_check(name, length);
}

static int64
check_number(Numeric number)
{
	if (!number_is_normal(number))
	{
		/* raises what DynamoDB would say of the number, if anything */
		Numeric		normal = number_normalize(number);

		validation_error("One or more parameter values were invalid: "
						 "a stored number has no trailing zeros, write %s", number_to_text(normal));
	}
	return number_size(number);
}

static int64
check_binary(const JsonbValue *base64)
{
	if (base64->type != jbvString ||
		!base64_is_canonical(base64->val.string.val, base64->val.string.len))
		validation_error("One or more parameter values were invalid: a binary value is not valid base64");
	return base64_byte_count(base64->val.string.val, base64->val.string.len);
}

static int64
check_set_member(AttributeType type, const JsonbValue *member)
{
	if (type == ATTRIBUTE_BS)
		return check_binary(member);
	if (member->type != (type == ATTRIBUTE_NS ? jbvNumeric : jbvString))
		validation_error("%s", BAD_SET_TEXT);
	if (type == ATTRIBUTE_NS)
		return check_number(member->val.numeric);
	return string_check(member->val.string.val, member->val.string.len);
}

static int64
check_set(AttributeType type, JsonbContainer *set)
{
	ElementWalk walk;
	JsonbValue	member;
	JsonbValue	previous;
	int64		size = 0;

	if (JsonContainerSize(set) == 0)
		validation_error("%s", set_empty_text(type));

	elements_begin(&walk, set);
	while (elements_next(&walk, &member))
	{
		size += check_set_member(type, &member);
		if (walk.next > 1)
		{
			int			order = set_member_compare(type, &previous, &member);

			if (order == 0)
				validation_error("One or more parameter values were invalid: Input collection contains duplicates");
			if (order > 0)
				validation_error("One or more parameter values were invalid: the members of a stored set are sorted");
		}
		previous = member;
	}
	return size;
}

static int64
check_members(JsonbContainer *map, int depth)
{
	MemberWalk	walk;
	JsonbValue	name;
	JsonbValue	value;
	int64		size = 0;

	members_begin(&walk, map);
	while (members_next(&walk, &name, &value))
		size += name_check(name.val.string.val, name.val.string.len) + check_value(&value, depth);
	return size;
}

static int64
check_list(JsonbContainer *list, int depth)
{
	ElementWalk walk;
	JsonbValue	element;
	int64		size = DOCUMENT_OVERHEAD;

	elements_begin(&walk, list);
	while (elements_next(&walk, &element))
		size += MEMBER_OVERHEAD + check_value(&element, depth);
	return size;
}

/* A wrapper around a map that needs none would be a second form of that map. */
static void
check_wrapper(JsonbContainer *wrapped)
{
	JsonbValue	content;

	if (container_tag(wrapped, &content) == TAG_NONE)
		validation_error("One or more parameter values were invalid: "
						 "{\"$m\": ..} stands around a map only if its one key begins with \"$\"");
}

void
refuse_tag(JsonbContainer *tagged)
{
	MemberWalk	walk;
	JsonbValue	name;
	JsonbValue	value;

	members_begin(&walk, tagged);
	members_take(&walk, &name, &value);
	validation_error("One or more parameter values were invalid: {\"%.*s\": ..} is no value of a known type; "
					 "a map whose one key begins with \"$\" is written {\"$m\": {\"%.*s\": ..}}",
					 name.val.string.len, name.val.string.val,
					 name.val.string.len, name.val.string.val);
}

static int64
check_container(JsonbContainer *container, int depth)
{
	JsonbValue	content;

	CHECK_FOR_INTERRUPTS();
	if (JsonContainerIsArray(container))
		return check_list(container, depth + 1);
	switch (container_tag(container, &content))
	{
		case TAG_B:
			return check_binary(&content);
		case TAG_SS:
			return check_set(ATTRIBUTE_SS, content.val.binary.data);
		case TAG_NS:
			return check_set(ATTRIBUTE_NS, content.val.binary.data);
		case TAG_BS:
			return check_set(ATTRIBUTE_BS, content.val.binary.data);
		case TAG_M:
			container = content.val.binary.data;
			check_wrapper(container);
			break;
		case TAG_NONE:
			break;
		case TAG_UNKNOWN:
			refuse_tag(container);
	}
	return DOCUMENT_OVERHEAD + (int64) JsonContainerSize(container) * MEMBER_OVERHEAD +
		check_members(container, depth + 1);
}

/* Returns the value's size.  The limit of nesting bounds the recursion. */
static int64
check_value(const JsonbValue *value, int depth)
{
	if (depth >= ATTRIBUTE_MAX_NESTING)
		validation_error("%s", NESTING_TEXT);
	switch (value->type)
	{
		case jbvString:
			return string_check(value->val.string.val, value->val.string.len);
		case jbvNumeric:
			return check_number(value->val.numeric);
		case jbvBool:
		case jbvNull:
			return 1;
		case jbvBinary:
			return check_container(value->val.binary.data, depth);
		default:
			elog(ERROR, "unexpected jsonb value type %d", (int) value->type);
	}
	pg_unreachable();
}

void
attribute_check(const JsonbValue *value)
{
	if (check_value(value, 0) > ITEM_MAX_SIZE)
		validation_error("%s", ITEM_SIZE_TEXT);
}

void
item_check(Jsonb *item)
{
	if (!JB_ROOT_IS_OBJECT(item))
		validation_error("%s", NOT_AN_ITEM_TEXT);
	if (check_members(&item->root, 0) > ITEM_MAX_SIZE)
		validation_error("%s", ITEM_SIZE_TEXT);
}
