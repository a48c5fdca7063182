/*
 * response.c
 *		Composing a response: members of the kinds that descriptions have.
 */
#include "postgres.h"

#include "item/item.h"
#include "operation/response.h"

void
response_open(StringInfo response, const char *name, char bracket)
{
	response_member(response, name);
	appendStringInfoChar(response, bracket);
}

void
response_string(StringInfo response, const char *name, const char *value)
{
	response_member(response, name);
	json_append_string(response, value, strlen(value));
}

void
response_integer(StringInfo response, const char *name, int64 value)
{
	response_member(response, name);
	appendStringInfo(response, INT64_FORMAT, value);
}

void
response_bool(StringInfo response, const char *name, bool value)
{
	response_member(response, name);
	appendStringInfoString(response, value ? "true" : "false");
}

void
response_time(StringInfo response, const char *name, int64 milliseconds)
{
	response_member(response, name);
	appendStringInfo(response, INT64_FORMAT ".%03d",
					 milliseconds / 1000, (int) (milliseconds % 1000));
}
