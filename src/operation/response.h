/*
 * response.h
 *		Composing a response in a StringInfo: JSON members one after another.
 *
 * A comma is put where one is needed: before everything that does not follow
 * an opening bracket.  Names need no escaping, NULL stands for the next element
 * of an array; strings are in stored form.
 */
#ifndef DYNAMO_RESPONSE_H
#define DYNAMO_RESPONSE_H

#include "postgres.h"
#include "lib/stringinfo.h"

/*
 * Start a member: a comma unless it is the object's first, then "name": .
 */
static inline void
response_member(StringInfo response, const char *name)
{
	char		last = response->len > 0 ? response->data[response->len - 1] : '{';

	if (last != '{' && last != '[')
		appendStringInfoChar(response, ',');
	if (name == NULL)
		return;
	appendStringInfoChar(response, '"');
	appendStringInfoString(response, name);
	appendStringInfoString(response, "\":");
}

/* "name":{ or "name":[ ; the caller closes it. */
extern void response_open(StringInfo response, const char *name, char bracket);

extern void response_string(StringInfo response, const char *name, const char *value);
extern void response_integer(StringInfo response, const char *name, int64 value);
extern void response_bool(StringInfo response, const char *name, bool value);

/* A point in time, given in milliseconds since the epoch, as seconds. */
extern void response_time(StringInfo response, const char *name, int64 milliseconds);

#endif							/* DYNAMO_RESPONSE_H */
