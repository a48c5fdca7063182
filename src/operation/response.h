/*
 * response.h
 *		Composing a response object in a StringInfo.
 */
#ifndef DYNAMO_RESPONSE_H
#define DYNAMO_RESPONSE_H

#include "postgres.h"
#include "lib/stringinfo.h"

/*
 * Start a member: a comma unless it is the object's first, then "name": .
 * name needs no escaping.
 */
static inline void
response_member(StringInfo response, const char *name)
{
	if (response->len > 0 && response->data[response->len - 1] != '{')
		appendStringInfoChar(response, ',');
	appendStringInfoChar(response, '"');
	appendStringInfoString(response, name);
	appendStringInfoString(response, "\":");
}

#endif							/* DYNAMO_RESPONSE_H */
