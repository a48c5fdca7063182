/*
 * json_writer.c
 *		JSON written value by value, as text or as jsonb.
 *
 * Of jsonb the values are noted in an array first: an object's names stand
 * before its values there, sorted, so that no part of it can be written before
 * all of it is known.
 */
#include "postgres.h"

#include "item/json_plain.h"
#include "item/json_tokens.h"
#include "item/json_writer.h"
#include "item/number.h"

#define FIRST_TOKENS 64

/* Room for so many bytes and a zero byte. */
static inline void
reserve(StringInfo out, int bytes)
{
	if (unlikely(out->len + bytes >= out->maxlen))
		enlargeStringInfo(out, bytes);
}

static inline void
put(StringInfo out, const char *bytes, int length)
{
	memcpy(out->data + out->len, bytes, length);
	out->len += length;
}

/* ---- text ---- */

static void
append_escaped(StringInfo out, unsigned char character)
{
	switch (character)
	{
		case '"':
			appendStringInfoString(out, "\\\"");
			break;
		case '\\':
			appendStringInfoString(out, "\\\\");
			break;
		case '\n':
			appendStringInfoString(out, "\\n");
			break;
		case '\r':
			appendStringInfoString(out, "\\r");
			break;
		case '\t':
			appendStringInfoString(out, "\\t");
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

	reserve(out, length + 2);
	out->data[out->len++] = '"';
	for (;;)
	{
		int			plain = json_plain_length(string, end - string);

		reserve(out, plain + 1);
		put(out, string, plain);
		string += plain;
		if (string == end)
			break;
		append_escaped(out, (unsigned char) *string++);
	}
	out->data[out->len++] = '"';
	out->data[out->len] = '\0';
}

/* A comma, unless this is a container's first or the value of a name. */
static inline void
separate(StringInfo out)
{
	char		last = out->len > 0 ? out->data[out->len - 1] : '[';

	if (last == '{' || last == '[' || last == ':')
		return;
	reserve(out, 1);
	out->data[out->len++] = ',';
}

static inline void
append_character(StringInfo out, char character)
{
	reserve(out, 1);
	out->data[out->len++] = character;
	out->data[out->len] = '\0';
}

/* ---- jsonb ---- */

/* The new token, good until the next one. */
static inline JsonToken *
new_token(JsonWriter *writer, JsonTokenKind kind)
{
	JsonToken  *token;

	if (unlikely(writer->count == writer->allocated))
	{
		writer->allocated *= 2;
		writer->tokens = repalloc_huge(writer->tokens, writer->allocated * sizeof(JsonToken));
	}
	token = &writer->tokens[writer->count++];
	token->kind = kind;
	token->start = writer->text.len;
	token->length = 0;
	token->next = writer->count;
	writer->size += JSON_TOKEN_OVERHEAD;
	return token;
}

/* In an object names are counted, in an array values. */
static inline JsonToken *
add_value(JsonWriter *writer, JsonTokenKind kind)
{
	JsonToken  *container = &writer->tokens[writer->container];

	if (container->kind == JSON_ARRAY)
		container->length++;
	return new_token(writer, kind);
}

static inline void
add_bytes(JsonWriter *writer, JsonToken *token, const char *bytes, int length)
{
	token->length = length;
	writer->size += length;
	reserve(&writer->text, length);
	put(&writer->text, bytes, length);
}

/* ---- the writer ---- */

void
json_writer_begin_text(JsonWriter *writer)
{
	initStringInfo(&writer->text);
	writer->tokens = NULL;
}

/* The first token is an array around all, so that everything has a container. */
void
json_writer_begin_jsonb(JsonWriter *writer)
{
	initStringInfo(&writer->text);
	writer->allocated = FIRST_TOKENS;
	writer->tokens = palloc(FIRST_TOKENS * sizeof(JsonToken));
	writer->count = 0;
	writer->container = 0;
	(void) new_token(writer, JSON_ARRAY);
	writer->size = VARHDRSZ;
}

Jsonb *
json_writer_jsonb(JsonWriter *writer)
{
	if (writer->container != 0 || writer->tokens[0].length != 1 || writer->tokens[1].kind < JSON_ARRAY)
		elog(ERROR, "unfinished JSON");
	return jsonb_from_tokens(writer->tokens, 1, writer->text.data, writer->size);
}

/* While a container is open, its token's next is the one around it. */
void
json_write_open(JsonWriter *writer, char bracket)
{
	JsonToken  *token;

	if (writer->tokens == NULL)
	{
		separate(&writer->text);
		append_character(&writer->text, bracket);
		return;
	}
	token = add_value(writer, bracket == '{' ? JSON_OBJECT : JSON_ARRAY);
	token->next = writer->container;
	writer->container = writer->count - 1;
}

void
json_write_close(JsonWriter *writer, char bracket)
{
	JsonToken  *token;

	if (writer->tokens == NULL)
	{
		append_character(&writer->text, bracket);
		return;
	}
	token = &writer->tokens[writer->container];
	writer->container = token->next;
	token->next = writer->count;
}

void
json_write_name(JsonWriter *writer, const char *name, int length)
{
	if (writer->tokens == NULL)
	{
		separate(&writer->text);
		json_append_string(&writer->text, name, length);
		append_character(&writer->text, ':');
		return;
	}
	writer->tokens[writer->container].length++;
	add_bytes(writer, new_token(writer, JSON_STRING), name, length);
}

void
json_write_string(JsonWriter *writer, const char *string, int length)
{
	if (writer->tokens == NULL)
	{
		separate(&writer->text);
		json_append_string(&writer->text, string, length);
		return;
	}
	add_bytes(writer, add_value(writer, JSON_STRING), string, length);
}

void
json_write_bool(JsonWriter *writer, bool value)
{
	if (writer->tokens == NULL)
	{
		separate(&writer->text);
		appendStringInfoString(&writer->text, value ? "true" : "false");
		return;
	}
	(void) add_value(writer, value ? JSON_TRUE : JSON_FALSE);
}

void
json_write_number(JsonWriter *writer, const char *text)
{
	if (writer->tokens == NULL)
	{
		separate(&writer->text);
		appendStringInfoString(&writer->text, text);
		return;
	}
	writer->size += JSON_NUMBER_OVERHEAD;
	add_bytes(writer, add_value(writer, JSON_NUMBER), text, strlen(text));
}

static void
append_number_string(StringInfo out, Numeric number)
{
	append_character(out, '"');
	number_append_text(out, number);
	append_character(out, '"');
}

static void
add_number(JsonWriter *writer, JsonToken *token, Numeric number)
{
	int			start = writer->text.len;

	number_append_text(&writer->text, number);
	token->length = writer->text.len - start;
	writer->size += token->length;
}

void
json_write_number_string(JsonWriter *writer, Numeric number)
{
	if (writer->tokens == NULL)
	{
		separate(&writer->text);
		append_number_string(&writer->text, number);
		return;
	}
	add_number(writer, add_value(writer, JSON_STRING), number);
}

/* Text: {"tag": */
static void
begin_tagged_text(StringInfo out, char tag)
{
	char		head[] = {'{', '"', tag, '"', ':'};

	separate(out);
	reserve(out, sizeof(head));
	put(out, head, sizeof(head));
}

static JsonToken *
add_tagged(JsonWriter *writer, char tag)
{
	JsonToken  *token = add_value(writer, JSON_TAGGED);

	token->tag_length = sizeof(tag);
	writer->size += JSON_TAGGED_OVERHEAD + sizeof(tag);
	append_character(&writer->text, tag);
	return token;
}

void
json_write_tagged_string(JsonWriter *writer, char tag, const char *string, int length)
{
	if (writer->tokens == NULL)
	{
		begin_tagged_text(&writer->text, tag);
		json_append_string(&writer->text, string, length);
		append_character(&writer->text, '}');
		return;
	}
	add_bytes(writer, add_tagged(writer, tag), string, length);
}

void
json_write_tagged_number(JsonWriter *writer, char tag, Numeric number)
{
	if (writer->tokens == NULL)
	{
		begin_tagged_text(&writer->text, tag);
		append_number_string(&writer->text, number);
		append_character(&writer->text, '}');
		return;
	}
	add_number(writer, add_tagged(writer, tag), number);
}

void
json_write_stored(JsonWriter *writer, const JsonbValue *value)
{
	Assert(writer->tokens != NULL);
	switch (value->type)
	{
		case jbvString:
			json_write_string(writer, value->val.string.val, value->val.string.len);
			break;
		case jbvNumeric:
			add_bytes(writer, add_value(writer, JSON_NUMERIC),
					  (char *) value->val.numeric, VARSIZE_ANY(value->val.numeric));
			break;
		case jbvBool:
			json_write_bool(writer, value->val.boolean);
			break;
		case jbvNull:
			(void) add_value(writer, JSON_NULL);
			break;
		case jbvBinary:
			add_bytes(writer, add_value(writer, JSON_CONTAINER),
					  (char *) value->val.binary.data, value->val.binary.len);
			break;
		default:
			elog(ERROR, "unexpected jsonb value type %d", (int) value->type);
	}
}

JsonMark
json_write_mark(const JsonWriter *writer)
{
	JsonMark	mark = {writer->text.len};

	if (writer->tokens != NULL)
	{
		mark.count = writer->count;
		mark.members = writer->tokens[writer->container].length;
		mark.size = writer->size;
	}
	return mark;
}

void
json_write_take_back(JsonWriter *writer, JsonMark mark)
{
	writer->text.len = mark.bytes;
	writer->text.data[mark.bytes] = '\0';
	if (writer->tokens != NULL)
	{
		writer->count = mark.count;
		writer->tokens[writer->container].length = mark.members;
		writer->size = mark.size;
	}
}
