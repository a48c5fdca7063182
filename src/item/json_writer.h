/*
 * json_writer.h
 *		JSON written value by value, as text or as jsonb: whoever writes does
 *		not know which.
 *
 * In an object every value follows its name.  Commas are put where they
 * belong.  Strings and names are in stored form and are copied.
 */
#ifndef DYNAMO_JSON_WRITER_H
#define DYNAMO_JSON_WRITER_H

#include "postgres.h"
#include "lib/stringinfo.h"
#include "utils/jsonb.h"
#include "utils/numeric.h"

#include <cjson/cJSON.h>

struct JsonToken;

typedef struct JsonWriter
{
	StringInfoData text;		/* the JSON text; of jsonb the bytes of strings and numbers */
	struct JsonToken *tokens;	/* of jsonb: its values in order; NULL: text */
	uint32		count;
	uint32		allocated;
	uint32		container;		/* token of the innermost open container */
	Size		size;			/* no jsonb of the tokens is longer */
} JsonWriter;

extern void json_writer_begin_text(JsonWriter *writer);
extern void json_writer_begin_jsonb(JsonWriter *writer);

/* The one value that has been written to a writer of jsonb, an object or array. */
extern Jsonb *json_writer_jsonb(JsonWriter *writer);

extern void json_write_open(JsonWriter *writer, char bracket);
extern void json_write_close(JsonWriter *writer, char bracket);
extern void json_write_name(JsonWriter *writer, const char *name, int length);
extern void json_write_string(JsonWriter *writer, const char *string, int length);
extern void json_write_bool(JsonWriter *writer, bool value);

/* A JSON number of this text. */
extern void json_write_number(JsonWriter *writer, const char *text);

/* A number as DynamoDB JSON has it, a string. */
extern void json_write_number_string(JsonWriter *writer, Numeric number);

/* An object of one member that is a string: {"S":".."}, {"N":".."}. */
extern void json_write_tagged_string(JsonWriter *writer, char tag, const char *string, int length);
extern void json_write_tagged_number(JsonWriter *writer, char tag, Numeric number);

/* A value of another jsonb as it is, a scalar or jbvBinary: for jsonb only. */
extern void json_write_stored(JsonWriter *writer, const JsonbValue *value);

/* A place in what is written, and taking back all that was written after it in the same container. */
typedef struct JsonMark
{
	int			bytes;
	uint32		count;
	uint32		members;
	Size		size;
} JsonMark;

extern JsonMark json_write_mark(const JsonWriter *writer);
extern void json_write_take_back(JsonWriter *writer, JsonMark mark);

/*
 * A JSON string with quotes and escapes, appended to text.  The pairs of the
 * stored form come out as \u0001\u0001 and \u0001\u0002: jsonb can take them,
 * and whoever speaks to other programs turns them into \u0000 and \u0001.
 */
extern void json_append_string(StringInfo out, const char *string, int length);

#endif							/* DYNAMO_JSON_WRITER_H */
