/*
 * dynamodb_json_write.c
 *		From the stored form to DynamoDB JSON, straight from the jsonb.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "errors.h"
#include "item/container.h"
#include "item/item.h"
#include "item/validate.h"

/* {"tag":{ or {"tag":[ */
static void
open_tagged(JsonWriter *out, const char *tag, char bracket)
{
	json_write_open(out, '{');
	json_write_name(out, tag, strlen(tag));
	json_write_open(out, bracket);
}

static void
close_tagged(JsonWriter *out, char bracket)
{
	json_write_close(out, bracket);
	json_write_close(out, '}');
}

/* A member of a set: numbers are strings in DynamoDB JSON. */
static void
write_set_member(JsonWriter *out, const JsonbValue *member)
{
	if (member->type == jbvString)
		json_write_string(out, member->val.string.val, member->val.string.len);
	else if (member->type == jbvNumeric)
		json_write_number_string(out, member->val.numeric);
	else
		validation_error("%s", BAD_SET_TEXT);
}

static void
write_set(JsonWriter *out, AttributeType type, JsonbContainer *set)
{
	ElementWalk walk;
	JsonbValue	member;

	open_tagged(out, attribute_type_name(type), '[');
	elements_begin(&walk, set);
	while (elements_next(&walk, &member))
		write_set_member(out, &member);
	close_tagged(out, ']');
}

static void
write_list(JsonWriter *out, JsonbContainer *list)
{
	ElementWalk walk;
	JsonbValue	element;

	open_tagged(out, "L", '[');
	elements_begin(&walk, list);
	while (elements_next(&walk, &element))
		attribute_to_dynamodb_json(out, &element);
	close_tagged(out, ']');
}

static void
write_container(JsonWriter *out, JsonbContainer *container)
{
	JsonbValue	content;

	check_stack_depth();
	if (JsonContainerIsArray(container))
	{
		write_list(out, container);
		return;
	}
	switch (container_tag(container, &content))
	{
		case TAG_B:
			json_write_tagged_string(out, 'B', content.val.string.val, content.val.string.len);
			return;
		case TAG_SS:
			write_set(out, ATTRIBUTE_SS, content.val.binary.data);
			return;
		case TAG_NS:
			write_set(out, ATTRIBUTE_NS, content.val.binary.data);
			return;
		case TAG_BS:
			write_set(out, ATTRIBUTE_BS, content.val.binary.data);
			return;
		case TAG_M:
			container = content.val.binary.data;
			break;
		case TAG_NONE:
		case TAG_UNKNOWN:
			break;
	}
	json_write_open(out, '{');
	json_write_name(out, "M", 1);
	item_to_dynamodb_json(out, container);
	json_write_close(out, '}');
}

void
attribute_to_dynamodb_json(JsonWriter *out, const JsonbValue *value)
{
	switch (value->type)
	{
		case jbvString:
			json_write_tagged_string(out, 'S', value->val.string.val, value->val.string.len);
			break;
		case jbvNumeric:
			json_write_tagged_number(out, 'N', value->val.numeric);
			break;
		case jbvBool:
		case jbvNull:
			json_write_open(out, '{');
			json_write_name(out, value->type == jbvBool ? "BOOL" : "NULL", 4);
			json_write_bool(out, value->type == jbvNull || value->val.boolean);
			json_write_close(out, '}');
			break;
		case jbvBinary:
			write_container(out, value->val.binary.data);
			break;
		default:
			elog(ERROR, "unexpected jsonb value type %d", (int) value->type);
	}
}

void
item_to_dynamodb_json(JsonWriter *out, JsonbContainer *item)
{
	MemberWalk	walk;
	JsonbValue	name;
	JsonbValue	value;

	json_write_open(out, '{');
	members_begin(&walk, item);
	while (members_next(&walk, &name, &value))
	{
		json_write_name(out, name.val.string.val, name.val.string.len);
		attribute_to_dynamodb_json(out, &value);
	}
	json_write_close(out, '}');
}
