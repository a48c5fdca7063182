/*
 * dynamodb_json_write.c
 *		From the stored form to DynamoDB JSON, straight from the jsonb.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "errors.h"
#include "item/container.h"
#include "item/item.h"
#include "item/json_plain.h"
#include "item/number.h"
#include "item/validate.h"

#define append_literal(out, literal) appendBinaryStringInfo(out, literal, sizeof(literal) - 1)

static void
append_escaped(StringInfo out, unsigned char character)
{
	switch (character)
	{
		case '"':
			append_literal(out, "\\\"");
			break;
		case '\\':
			append_literal(out, "\\\\");
			break;
		case '\n':
			append_literal(out, "\\n");
			break;
		case '\r':
			append_literal(out, "\\r");
			break;
		case '\t':
			append_literal(out, "\\t");
			break;
		default:
			appendStringInfo(out, "\\u%04x", character);
			break;
	}
}

void
json_append_string(StringInfo out, const char *string, int length)
{
	const char *end = string + length;

	enlargeStringInfo(out, length + 2);
	out->data[out->len++] = '"';
	for (;;)
	{
		int			plain = json_plain_length(string, end - string);

		appendBinaryStringInfo(out, string, plain);
		string += plain;
		if (string == end)
			break;
		append_escaped(out, (unsigned char) *string++);
	}
	appendStringInfoCharMacro(out, '"');
}

/* A member of a set: numbers are strings in DynamoDB JSON. */
static void
write_set_member(StringInfo out, const JsonbValue *member)
{
	if (member->type == jbvString)
		json_append_string(out, member->val.string.val, member->val.string.len);
	else if (member->type == jbvNumeric)
	{
		appendStringInfoCharMacro(out, '"');
		number_append_text(out, member->val.numeric);
		appendStringInfoCharMacro(out, '"');
	}
	else
		validation_error("%s", BAD_SET_TEXT);
}

static void
write_set(StringInfo out, AttributeType type, JsonbContainer *set)
{
	ElementWalk walk;
	JsonbValue	member;
	const char *separator = "";

	append_literal(out, "{\"");
	appendStringInfoString(out, attribute_type_name(type));
	append_literal(out, "\":[");
	elements_begin(&walk, set);
	while (elements_next(&walk, &member))
	{
		appendStringInfoString(out, separator);
		write_set_member(out, &member);
		separator = ",";
	}
	append_literal(out, "]}");
}

static void
write_list(StringInfo out, JsonbContainer *list)
{
	ElementWalk walk;
	JsonbValue	element;
	bool		first = true;

	append_literal(out, "{\"L\":[");
	elements_begin(&walk, list);
	while (elements_next(&walk, &element))
	{
		if (!first)
			appendStringInfoCharMacro(out, ',');
		attribute_to_dynamodb_json(out, &element);
		first = false;
	}
	append_literal(out, "]}");
}

static void
write_binary(StringInfo out, const JsonbValue *base64)
{
	append_literal(out, "{\"B\":");
	json_append_string(out, base64->val.string.val, base64->val.string.len);
	appendStringInfoCharMacro(out, '}');
}

static void
write_container(StringInfo out, JsonbContainer *container)
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
			write_binary(out, &content);
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
	append_literal(out, "{\"M\":");
	item_to_dynamodb_json(out, container);
	appendStringInfoCharMacro(out, '}');
}

void
attribute_to_dynamodb_json(StringInfo out, const JsonbValue *value)
{
	switch (value->type)
	{
		case jbvString:
			append_literal(out, "{\"S\":");
			json_append_string(out, value->val.string.val, value->val.string.len);
			appendStringInfoCharMacro(out, '}');
			break;
		case jbvNumeric:
			append_literal(out, "{\"N\":\"");
			number_append_text(out, value->val.numeric);
			append_literal(out, "\"}");
			break;
		case jbvBool:
			if (value->val.boolean)
				append_literal(out, "{\"BOOL\":true}");
			else
				append_literal(out, "{\"BOOL\":false}");
			break;
		case jbvNull:
			append_literal(out, "{\"NULL\":true}");
			break;
		case jbvBinary:
			write_container(out, value->val.binary.data);
			break;
		default:
			elog(ERROR, "unexpected jsonb value type %d", (int) value->type);
	}
}

void
item_to_dynamodb_json(StringInfo out, JsonbContainer *item)
{
	MemberWalk	walk;
	JsonbValue	name;
	JsonbValue	value;
	bool		first = true;

	appendStringInfoCharMacro(out, '{');
	members_begin(&walk, item);
	while (members_next(&walk, &name, &value))
	{
		if (!first)
			appendStringInfoCharMacro(out, ',');
		json_append_string(out, name.val.string.val, name.val.string.len);
		appendStringInfoCharMacro(out, ':');
		attribute_to_dynamodb_json(out, &value);
		first = false;
	}
	appendStringInfoCharMacro(out, '}');
}
