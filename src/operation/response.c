/*
 * response.c
 *		Composing a response: members of the kinds that descriptions have.
 */
#include "postgres.h"

#include "operation/response.h"

#define NUMBER_TEXT_SIZE 64

void
response_string(JsonWriter *response, const char *name, const char *value)
{
	response_member(response, name);
	json_write_string(response, value, strlen(value));
}

void
response_integer(JsonWriter *response, const char *name, int64 value)
{
	char		text[NUMBER_TEXT_SIZE];

	snprintf(text, sizeof(text), INT64_FORMAT, value);
	response_member(response, name);
	json_write_number(response, text);
}

void
response_decimal(JsonWriter *response, const char *name, double value)
{
	char		text[NUMBER_TEXT_SIZE];

	snprintf(text, sizeof(text), "%.1f", value);
	response_member(response, name);
	json_write_number(response, text);
}

void
response_bool(JsonWriter *response, const char *name, bool value)
{
	response_member(response, name);
	json_write_bool(response, value);
}

void
response_time(JsonWriter *response, const char *name, int64 milliseconds)
{
	char		text[NUMBER_TEXT_SIZE];

	snprintf(text, sizeof(text), INT64_FORMAT ".%03d",
			 milliseconds / 1000, (int) (milliseconds % 1000));
	response_member(response, name);
	json_write_number(response, text);
}
