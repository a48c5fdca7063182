/*
 * zero_escape.c
 *		U+0000 and U+0001 at the JSON boundary.
 */
#include "postgres.h"

#include "http/zero_escape.h"

#define ESCAPE_LENGTH 6			/* of \u0000 */

static bool
is_escape(const char *at, const char *end, char digit)
{
	return end - at >= ESCAPE_LENGTH && memcmp(at, "\\u000", 5) == 0 && at[5] == digit;
}

/*
 * Every backslash in JSON begins an escape of two characters (of which \u is
 * the start), so that walking by them never takes the second half of \\ for a
 * first.
 */
const char *
zero_escape(const char *text, size_t *length)
{
	const char *end = text + *length;
	const char *at = text;
	StringInfoData out;

	if (memchr(text, '\001', *length) == NULL && memmem(text, *length, "\\u000", 5) == NULL)
		return text;

	initStringInfo(&out);
	while (at < end)
	{
		if (is_escape(at, end, '0'))
		{
			appendStringInfoString(&out, "\\u0001\\u0001");
			at += ESCAPE_LENGTH;
		}
		else if (is_escape(at, end, '1'))
		{
			appendStringInfoString(&out, "\\u0001\\u0002");
			at += ESCAPE_LENGTH;
		}
		else if (*at == '\001')
		{
			appendStringInfoString(&out, "\001\002");
			at++;
		}
		else if (*at == '\\' && at + 1 < end)
		{
			appendBinaryStringInfo(&out, at, 2);
			at += 2;
		}
		else
			appendStringInfoChar(&out, *at++);
	}
	*length = out.len;
	return out.data;
}

void
zero_unescape(StringInfo text)
{
	const char *end = text->data + text->len;
	const char *at = text->data;
	char	   *to;

	at = memmem(text->data, text->len, "\\u0001\\u000", 11);
	if (at == NULL)
		return;

	at = to = text->data;
	while (at < end)
	{
		if (is_escape(at, end, '1') &&
			(is_escape(at + ESCAPE_LENGTH, end, '1') || is_escape(at + ESCAPE_LENGTH, end, '2')))
		{
			memcpy(to, at[2 * ESCAPE_LENGTH - 1] == '1' ? "\\u0000" : "\\u0001", ESCAPE_LENGTH);
			to += ESCAPE_LENGTH;
			at += 2 * ESCAPE_LENGTH;
		}
		else if (*at == '\\' && at + 1 < end)
		{
			*to++ = *at++;
			*to++ = *at++;
		}
		else
			*to++ = *at++;
	}
	text->len = to - text->data;
	text->data[text->len] = '\0';
}
