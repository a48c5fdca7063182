/*
 * json_tokens.c
 *		From the values of a JSON document to jsonb, without a tree.
 *
 * The tokens tell how many entries each container has and how long the result
 * can be, so that it is written straight into one buffer: headers, entries,
 * the names of an object, its values.
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"
#include "utils/fmgrprotos.h"

#include "item/json_tokens.h"

typedef struct Writer
{
	const char *text;
	const JsonToken *tokens;
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
	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
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

static JEntry
write_string(Writer *writer, const JsonToken *token)
{
	memcpy(writer->at, writer->text + token->start, token->length);
	writer->at += token->length;
	return JENTRY_ISSTRING | token->length;
}

/* jsonb's order of names: by length, then by bytes. */
static int
compare_names(const Writer *writer, uint32 first, uint32 second)
{
	const JsonToken *a = &writer->tokens[first];
	const JsonToken *b = &writer->tokens[second];

	if (a->length != b->length)
		return a->length < b->length ? -1 : 1;
	return memcmp(writer->text + a->start, writer->text + b->start, a->length);
}

/* Of equal names the last in the text comes first. */
static int
compare_members(const void *a, const void *b, void *argument)
{
	uint32		first = *(const uint32 *) a;
	uint32		second = *(const uint32 *) b;
	int			order = compare_names(argument, first, second);

	return order != 0 ? order : first < second ? 1 : -1;
}

/* Do the names stand in jsonb's order, each once? */
static bool
members_sorted(const Writer *writer, uint32 object)
{
	uint32		member = object + 1;

	for (uint32 i = 1; i < writer->tokens[object].length; i++)
	{
		uint32		next = writer->tokens[member + 1].next;

		if (compare_names(writer, member, next) >= 0)
			return false;
		member = next;
	}
	return true;
}

/* The names' tokens in jsonb's order, of equal names the last; sets count. */
static uint32 *
sort_members(Writer *writer, uint32 object, uint32 *count)
{
	const JsonToken *tokens = writer->tokens;
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
			compare_names(writer, members[kept - 1], members[i]) != 0)
			members[kept++] = members[i];
	}
	*count = kept;
	return members;
}

static JEntry
write_object(Writer *writer, uint32 object)
{
	const JsonToken *tokens = writer->tokens;
	uint32		count = tokens[object].length;
	uint32	   *members = members_sorted(writer, object) ? NULL : sort_members(writer, object, &count);
	char	   *base = writer->at;
	Entries		entries;
	uint32		member;

	begin_container(writer, &entries, JB_FOBJECT | count, 2 * count);
	member = object + 1;
	for (uint32 i = 0; i < count; i++)
	{
		add_entry(&entries, write_string(writer, &tokens[members ? members[i] : member]));
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

/* What jsonb has already, aligned as it was. */
static JEntry
write_stored(Writer *writer, const JsonToken *token)
{
	int			padding = pad(writer);

	memcpy(writer->at, writer->text + token->start, token->length);
	writer->at += token->length;
	return (token->kind == JSON_NUMERIC ? JENTRY_ISNUMERIC : JENTRY_ISCONTAINER) |
		(uint32) (padding + token->length);
}

/* Name and string stand one after the other here as there. */
static JEntry
write_tagged(Writer *writer, const JsonToken *token)
{
	uint32		head[] = {
		JB_FOBJECT | 1,
		JENTRY_ISSTRING | JENTRY_HAS_OFF | token->tag_length,
		JENTRY_ISSTRING | token->length
	};
	char	   *base = writer->at;

	pad(writer);
	memcpy(writer->at, head, sizeof(head));
	writer->at += sizeof(head);
	memcpy(writer->at, writer->text + token->start, token->tag_length + token->length);
	writer->at += token->tag_length + token->length;
	return JENTRY_ISCONTAINER | (uint32) (writer->at - base);
}

static JEntry
write_number(Writer *writer, const JsonToken *token)
{
	char	   *text = pnstrdup(writer->text + token->start, token->length);
	Datum		number = DirectFunctionCall3(numeric_in, CStringGetDatum(text),
											 ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
	Size		size = VARSIZE(DatumGetPointer(number));
	int			padding = pad(writer);

	if (size > token->length + JSON_NUMBER_OVERHEAD)
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
	const JsonToken *token = &writer->tokens[index];

	switch ((JsonTokenKind) token->kind)
	{
		case JSON_STRING:
			return write_string(writer, token);
		case JSON_NUMBER:
			return write_number(writer, token);
		case JSON_TRUE:
			return JENTRY_ISBOOL_TRUE;
		case JSON_FALSE:
			return JENTRY_ISBOOL_FALSE;
		case JSON_NULL:
			return JENTRY_ISNULL;
		case JSON_NUMERIC:
		case JSON_CONTAINER:
			return write_stored(writer, token);
		case JSON_TAGGED:
			return write_tagged(writer, token);
		case JSON_ARRAY:
			return write_array(writer, index);
		case JSON_OBJECT:
			return write_object(writer, index);
	}
	pg_unreachable();
}

Jsonb *
jsonb_from_tokens(const JsonToken *tokens, uint32 first, const char *text, Size size)
{
	Writer		writer = {.text = text,.tokens = tokens};
	Jsonb	   *result;

	if (size > JENTRY_OFFLENMASK)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the response exceeds the maximum size of jsonb")));

	result = palloc(size);
	writer.start = (char *) result;
	writer.at = writer.start + VARHDRSZ;
	(void) write_value(&writer, first);
	Assert(writer.at - writer.start <= size);
	SET_VARSIZE(result, writer.at - writer.start);
	return result;
}
