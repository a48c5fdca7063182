/*
 * list_streams.c
 *		ListStreams.
 */
#include "postgres.h"

#include "operation/constraint.h"
#include "operation/response.h"
#include "operation/stream_request.h"

#define LIST_LIMIT_MAX 100

static void
append_stream(JsonWriter *response, const StreamRow *stream)
{
	response_open(response, NULL, '{');
	response_string(response, "StreamArn", stream_arn(stream));
	response_string(response, "StreamLabel", stream->label);
	response_string(response, "TableName", stream->table_name);
	response_close(response, '}');
}

/*
 * A page begins behind an ARN, whether its stream is still there or not.
 */
void
list_streams(const cJSON *request, JsonWriter *response)
{
	ConstraintFaults faults = {0};
	const char *start = request_string(request, "ExclusiveStartStreamArn");
	const char *name = NULL;
	const StreamRow *last = NULL;
	int64		limit = LIST_LIMIT_MAX;
	int64		listed = 0;
	bool		more = false;
	ListCell   *cell;

	if (request_member(request, "TableName") != NULL)
		name = request_table_name(request, &faults);
	constraint_range(&faults, request, "Limit", "limit", 1, LIST_LIMIT_MAX);
	stream_arn_constraints(request, "ExclusiveStartStreamArn", "exclusiveStartStreamArn",
						   false, &faults);
	constraint_raise(&faults);
	if (start != NULL && strstr(start, "/stream/") == NULL)
		validation_error("Invalid StreamArn: %s", start);
	request_integer(request, "Limit", &limit);

	response_open(response, NULL, '{');
	response_open(response, "Streams", '[');
	foreach(cell, streams_listed())
	{
		const StreamRow *stream = lfirst(cell);

		if ((name != NULL && strcmp(name, stream->table_name) != 0) ||
			(start != NULL && strcmp(stream_arn(stream), start) <= 0))
			continue;
		more = listed == limit;
		if (more)
			break;
		append_stream(response, stream);
		last = stream;
		listed++;
	}
	response_close(response, ']');
	if (more)
		response_string(response, "LastEvaluatedStreamArn", stream_arn(last));
	response_close(response, '}');
}
