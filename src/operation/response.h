/*
 * response.h
 *		Composing a response: members one after another, with a JsonWriter.
 *
 * HTTP asks for text, SQL for jsonb: operations do not know which.  A NULL name
 * stands for the next element of an array; strings are in stored form.
 */
#ifndef DYNAMO_RESPONSE_H
#define DYNAMO_RESPONSE_H

#include "postgres.h"

#include "item/json_writer.h"

/* Start a member; its value follows. */
static inline void
response_member(JsonWriter *response, const char *name)
{
	if (name != NULL)
		json_write_name(response, name, strlen(name));
}

/* A member that is an object or array; the caller closes it. */
static inline void
response_open(JsonWriter *response, const char *name, char bracket)
{
	response_member(response, name);
	json_write_open(response, bracket);
}

static inline void
response_close(JsonWriter *response, char bracket)
{
	json_write_close(response, bracket);
}

extern void response_string(JsonWriter *response, const char *name, const char *value);
extern void response_integer(JsonWriter *response, const char *name, int64 value);
extern void response_bool(JsonWriter *response, const char *name, bool value);

/* With one digit after the point. */
extern void response_decimal(JsonWriter *response, const char *name, double value);

/* A point in time, given in milliseconds since the epoch, as seconds. */
extern void response_time(JsonWriter *response, const char *name, int64 milliseconds);

#endif							/* DYNAMO_RESPONSE_H */
