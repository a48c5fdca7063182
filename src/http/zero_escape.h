/*
 * zero_escape.h
 *		U+0000 and U+0001 at the JSON boundary.
 *
 * Neither cJSON nor jsonb can hold U+0000, so the strings of a request are put
 * into stored form (item/stored_string.h) in the text, before it is parsed,
 * and those of a reply are taken out of it in the text.  Texts without either
 * character, nearly all, pass as they are.
 */
#ifndef DYNAMO_ZERO_ESCAPE_H
#define DYNAMO_ZERO_ESCAPE_H

#include "postgres.h"
#include "lib/stringinfo.h"

/* The text with strings in stored form: itself, or palloc'd. */
extern const char *zero_escape(const char *text, size_t *length);

/* Composed JSON with strings as clients know them. */
extern void zero_unescape(StringInfo text);

#endif							/* DYNAMO_ZERO_ESCAPE_H */
