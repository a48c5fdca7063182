/*
 * jsonb_text.c
 *		Our own JSON text to jsonb, in two passes without a tree.
 *
 * The first pass notes every value in an array, in the order of the text, and
 * unescapes strings where they stand.  It knows then how many entries each
 * container has and how long the result can be, so that the second pass writes
 * it straight into one buffer: headers, entries, the names of an object, its
 * values.
 */
#include "postgres.h"

#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"

#include "item/json_plain.h"
#include "item/jsonb_text.h"

typedef enum TokenKind
{
	TOKEN_STRING,
	TOKEN_NUMBER,
	TOKEN_TRUE,
	TOKEN_FALSE,
	TOKEN_NULL,
	TOKEN_ARRAY,
	TOKEN_OBJECT				/* members follow: name, value, name, value, .. */
} TokenKind;

typedef struct Token
{
	uint32		start;			/* of a string or number, in the text */
	uint32		length;			/* its bytes; elements or members */
	uint32		next;			/* token after this value and all in it */
	uint8		kind;
	bool		sorted;			/* names of an object: in jsonb's order, each once */
} Token;

typedef struct Reader
{
	char	   *text;
	char	   *at;
	char	   *end;			/* a zero byte stands there */
	Token	   *tokens;
	uint32		count;
	uint32		allocated;
	Size		size;			/* no result is longer */
} Reader;

/* What a value adds besides its bytes: its entry, its header, padding. */
#define TOKEN_OVERHEAD (2 * sizeof(uint32) + ALIGNOF_INT)

/* A numeric's header, and a group of two bytes for each four digits or part of them. */
#define NUMERIC_OVERHEAD 16

/* ---- first pass ---- */

static void pg_attribute_noreturn()
refuse(const Reader *reader)
{
	elog(ERROR, "malformed response at byte %zd", reader->at - reader->text);
}

/* The new token; good until the next one. */
static Token *
add_token(Reader *reader, TokenKind kind)
{
	Token	   *token;

	if (reader->count == reader->allocated)
	{
		reader->allocated *= 2;
		reader->tokens = repalloc_huge(reader->tokens, reader->allocated * sizeof(Token));
	}
	token = &reader->tokens[reader->count];
	token->kind = kind;
	token->sorted = true;
	token->start = reader->at - reader->text;
	token->length = 0;
	reader->size += TOKEN_OVERHEAD;
	reader->count++;
	return token;
}

static void
skip_space(Reader *reader)
{
	while (*reader->at == ' ' || *reader->at == '\t' || *reader->at == '\n' || *reader->at == '\r')
		reader->at++;
}

static void
expect(Reader *reader, char character)
{
	if (*reader->at != character)
		refuse(reader);
	reader->at++;
}

/* The four digits after "\u". */
static pg_wchar
read_code_unit(Reader *reader)
{
	pg_wchar	unit = 0;

	for (int i = 0; i < 4; i++)
	{
		char		digit = *reader->at;

		if (digit >= '0' && digit <= '9')
			unit = unit * 16 + (digit - '0');
		else if (digit >= 'a' && digit <= 'f')
			unit = unit * 16 + (digit - 'a' + 10);
		else if (digit >= 'A' && digit <= 'F')
			unit = unit * 16 + (digit - 'A' + 10);
		else
			refuse(reader);
		reader->at++;
	}
	return unit;
}

static char *
unescape_unicode(Reader *reader, char *to)
{
	pg_wchar	character = read_code_unit(reader);

	if (is_utf16_surrogate_first(character))
	{
		pg_wchar	second;

		expect(reader, '\\');
		expect(reader, 'u');
		second = read_code_unit(reader);
		if (!is_utf16_surrogate_second(second))
			refuse(reader);
		character = surrogate_pair_to_codepoint(character, second);
	}
	else if (is_utf16_surrogate_second(character) || character == 0)
		refuse(reader);

	unicode_to_utf8(character, (unsigned char *) to);
	return to + pg_utf_mblen((unsigned char *) to);
}

/* The escape after a backslash; its character is never longer. */
static char *
unescape(Reader *reader, char *to)
{
	char		escape = *reader->at++;

	switch (escape)
	{
		case '"':
		case '\\':
		case '/':
			*to++ = escape;
			return to;
		case 'b':
			*to++ = '\b';
			return to;
		case 'f':
			*to++ = '\f';
			return to;
		case 'n':
			*to++ = '\n';
			return to;
		case 'r':
			*to++ = '\r';
			return to;
		case 't':
			*to++ = '\t';
			return to;
		case 'u':
			return unescape_unicode(reader, to);
		default:
			refuse(reader);
	}
}

/* The zero byte at the end is a control character, so no string runs past it. */
static void
read_string(Reader *reader)
{
	Token	   *token;
	char	   *to;

	expect(reader, '"');
	token = add_token(reader, TOKEN_STRING);
	reader->at += json_plain_length(reader->at, reader->end - reader->at);
	to = reader->at;
	while (*reader->at != '"')
	{
		if ((unsigned char) *reader->at < ' ')
			refuse(reader);
		if (*reader->at == '\\')
		{
			reader->at++;
			to = unescape(reader, to);
		}
		else
			*to++ = *reader->at++;
	}
	reader->at++;
	token->length = to - reader->text - token->start;
	token->next = reader->count;
	reader->size += token->length;
}

static void
skip_digits(Reader *reader)
{
	if (*reader->at < '0' || *reader->at > '9')
		refuse(reader);
	while (*reader->at >= '0' && *reader->at <= '9')
		reader->at++;
}

static void
read_number(Reader *reader)
{
	Token	   *token = add_token(reader, TOKEN_NUMBER);

	if (*reader->at == '-')
		reader->at++;
	if (*reader->at == '0')
		reader->at++;
	else
		skip_digits(reader);
	if (*reader->at == '.')
	{
		reader->at++;
		skip_digits(reader);
	}
	if (*reader->at == 'e' || *reader->at == 'E')
	{
		reader->at++;
		if (*reader->at == '+' || *reader->at == '-')
			reader->at++;
		skip_digits(reader);
	}
	token->length = reader->at - reader->text - token->start;
	token->next = reader->count;
	reader->size += token->length + NUMERIC_OVERHEAD;
}

static void
read_word(Reader *reader, const char *word, TokenKind kind)
{
	Token	   *token = add_token(reader, kind);

	token->next = reader->count;
	if (strncmp(reader->at, word, strlen(word)) != 0)
		refuse(reader);
	reader->at += strlen(word);
}

/* jsonb's order of names: by length, then by bytes. */
static int
compare_names(const char *text, const Token *a, const Token *b)
{
	if (a->length != b->length)
		return a->length < b->length ? -1 : 1;
	return memcmp(text + a->start, text + b->start, a->length);
}

static void read_value(Reader *reader);

/* The members or elements up to the closing bracket. */
static void
read_container(Reader *reader, TokenKind kind, char closing)
{
	uint32		token = reader->count;
	uint32		previous = 0;
	uint32		length = 0;
	bool		sorted = true;

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	(void) add_token(reader, kind);
	reader->at++;
	skip_space(reader);
	while (*reader->at != closing)
	{
		if (length++ > 0)
		{
			expect(reader, ',');
			skip_space(reader);
		}
		if (kind == TOKEN_OBJECT)
		{
			uint32		name = reader->count;

			read_string(reader);
			skip_space(reader);
			expect(reader, ':');
			if (length > 1 &&
				compare_names(reader->text, &reader->tokens[previous], &reader->tokens[name]) >= 0)
				sorted = false;
			previous = name;
		}
		read_value(reader);
		skip_space(reader);
	}
	reader->at++;
	reader->tokens[token].length = length;
	reader->tokens[token].sorted = sorted;
	reader->tokens[token].next = reader->count;
}

static void
read_value(Reader *reader)
{
	skip_space(reader);
	switch (*reader->at)
	{
		case '"':
			read_string(reader);
			break;
		case '{':
			read_container(reader, TOKEN_OBJECT, '}');
			break;
		case '[':
			read_container(reader, TOKEN_ARRAY, ']');
			break;
		case 't':
			read_word(reader, "true", TOKEN_TRUE);
			break;
		case 'f':
			read_word(reader, "false", TOKEN_FALSE);
			break;
		case 'n':
			read_word(reader, "null", TOKEN_NULL);
			break;
		default:
			read_number(reader);
			break;
	}
}

/* ---- second pass ---- */

typedef struct Writer
{
	const char *text;
	const Token *tokens;
	char	   *start;
	char	   *at;
} Writer;

/* The entries of a container, while they are written. */
typedef struct Entries
{
	JEntry	   *entries;
	int			count;
	uint32		total;			/* bytes of the data so far */
} Entries;

static JEntry write_value(Writer *writer, uint32 token);

/* Alignment counts from the beginning of the datum. */
static int
pad(Writer *writer)
{
	char	   *aligned = writer->start + INTALIGN(writer->at - writer->start);
	int			padding = aligned - writer->at;

	while (writer->at < aligned)
		*writer->at++ = '\0';
	return padding;
}

/* Most entries have their length, every JB_OFFSET_STRIDE-th its end's offset. */
static void
add_entry(Entries *entries, JEntry entry)
{
	entries->total += JBE_OFFLENFLD(entry);
	if (entries->count % JB_OFFSET_STRIDE == 0)
		entry = (entry & JENTRY_TYPEMASK) | JENTRY_HAS_OFF | entries->total;
	entries->entries[entries->count++] = entry;
}

static void
begin_container(Writer *writer, Entries *entries, uint32 header, uint32 count)
{
	pad(writer);
	memcpy(writer->at, &header, sizeof(header));
	writer->at += sizeof(header);
	entries->entries = (JEntry *) writer->at;
	entries->count = 0;
	entries->total = 0;
	writer->at += sizeof(JEntry) * count;
}

static JEntry
write_array(Writer *writer, uint32 array)
{
	uint32		count = writer->tokens[array].length;
	uint32		element = array + 1;
	char	   *base = writer->at;
	Entries		entries;

	begin_container(writer, &entries, JB_FARRAY | count, count);
	for (uint32 i = 0; i < count; i++)
	{
		add_entry(&entries, write_value(writer, element));
		element = writer->tokens[element].next;
	}
	return JENTRY_ISCONTAINER | (uint32) (writer->at - base);
}

/* Of equal names the last in the text comes first. */
static int
compare_members(const void *a, const void *b, void *argument)
{
	const Writer *writer = argument;
	uint32		first = *(const uint32 *) a;
	uint32		second = *(const uint32 *) b;
	int			order = compare_names(writer->text, &writer->tokens[first], &writer->tokens[second]);

	return order != 0 ? order : first < second ? 1 : -1;
}

/* The names' tokens in jsonb's order, of equal names the last; sets count. */
static uint32 *
sort_members(Writer *writer, uint32 object, uint32 *count)
{
	const Token *tokens = writer->tokens;
	uint32		length = tokens[object].length;
	uint32	   *members = palloc(sizeof(uint32) * length);
	uint32		member = object + 1;
	uint32		kept = 0;

	for (uint32 i = 0; i < length; i++)
	{
		members[i] = member;
		member = tokens[member + 1].next;
	}
	qsort_arg(members, length, sizeof(uint32), compare_members, writer);
	for (uint32 i = 0; i < length; i++)
	{
		if (kept == 0 ||
			compare_names(writer->text, &tokens[members[kept - 1]], &tokens[members[i]]) != 0)
			members[kept++] = members[i];
	}
	*count = kept;
	return members;
}

static JEntry
write_object(Writer *writer, uint32 object)
{
	const Token *tokens = writer->tokens;
	uint32		count = tokens[object].length;
	uint32	   *members = tokens[object].sorted ? NULL : sort_members(writer, object, &count);
	char	   *base = writer->at;
	Entries		entries;
	uint32		member;

	begin_container(writer, &entries, JB_FOBJECT | count, 2 * count);
	member = object + 1;
	for (uint32 i = 0; i < count; i++)
	{
		add_entry(&entries, write_value(writer, members ? members[i] : member));
		member = tokens[member + 1].next;
	}
	member = object + 1;
	for (uint32 i = 0; i < count; i++)
	{
		add_entry(&entries, write_value(writer, (members ? members[i] : member) + 1));
		member = tokens[member + 1].next;
	}
	if (members)
		pfree(members);
	return JENTRY_ISCONTAINER | (uint32) (writer->at - base);
}

static JEntry
write_number(Writer *writer, const Token *token)
{
	char	   *text = pnstrdup(writer->text + token->start, token->length);
	Datum		number = DirectFunctionCall3(numeric_in, CStringGetDatum(text),
											 ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
	Size		size = VARSIZE(DatumGetPointer(number));
	int			padding = pad(writer);

	if (size > token->length + NUMERIC_OVERHEAD)
		elog(ERROR, "number \"%s\" takes %zu bytes", text, size);
	memcpy(writer->at, DatumGetPointer(number), size);
	writer->at += size;
	pfree(DatumGetPointer(number));
	pfree(text);
	return JENTRY_ISNUMERIC | (uint32) (padding + size);
}

static JEntry
write_value(Writer *writer, uint32 index)
{
	const Token *token = &writer->tokens[index];

	switch ((TokenKind) token->kind)
	{
		case TOKEN_STRING:
			memcpy(writer->at, writer->text + token->start, token->length);
			writer->at += token->length;
			return JENTRY_ISSTRING | token->length;
		case TOKEN_NUMBER:
			return write_number(writer, token);
		case TOKEN_TRUE:
			return JENTRY_ISBOOL_TRUE;
		case TOKEN_FALSE:
			return JENTRY_ISBOOL_FALSE;
		case TOKEN_NULL:
			return JENTRY_ISNULL;
		case TOKEN_ARRAY:
			return write_array(writer, index);
		case TOKEN_OBJECT:
			return write_object(writer, index);
	}
	pg_unreachable();
}

Jsonb *
jsonb_from_own_text(StringInfo text)
{
	Reader		reader = {.text = text->data,.at = text->data,.end = text->data + text->len};
	Writer		writer;
	Jsonb	   *result;

	reader.allocated = 64 + text->len / 32;
	reader.tokens = MemoryContextAllocHuge(CurrentMemoryContext, reader.allocated * sizeof(Token));
	reader.size = VARHDRSZ;
	read_value(&reader);
	skip_space(&reader);
	if (reader.at != reader.end || reader.tokens[0].kind < TOKEN_ARRAY)
		refuse(&reader);
	if (reader.size > JENTRY_OFFLENMASK)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the response exceeds the maximum size of jsonb")));

	result = palloc(reader.size);
	writer.text = reader.text;
	writer.tokens = reader.tokens;
	writer.start = (char *) result;
	writer.at = writer.start + VARHDRSZ;
	(void) write_value(&writer, 0);
	Assert(writer.at - writer.start <= reader.size);
	SET_VARSIZE(result, writer.at - writer.start);
	pfree(reader.tokens);
	return result;
}

/*
 * For the regression test, which creates an SQL function of its own for it:
 * people have the cast from text.
 */
PG_FUNCTION_INFO_V1(dynamo_jsonb_from_own_text);
Datum
dynamo_jsonb_from_own_text(PG_FUNCTION_ARGS)
{
	StringInfoData json;

	initStringInfo(&json);
	appendStringInfoString(&json, text_to_cstring(PG_GETARG_TEXT_PP(0)));
	PG_RETURN_JSONB_P(jsonb_from_own_text(&json));
}
