/*
 * route.c
 *		From method, path and headers to what is to be done.
 */
#include "postgres.h"

#include "errors.h"
#include "http/compression.h"
#include "http/metrics.h"
#include "http/reply.h"
#include "http/route.h"
#include "operation/operation.h"

#define CONTENT_JSON "application/json"
#define CONTENT_CBOR "application/x-amz-cbor"

/* Operations on single items or pages of them; all others are long. */
static const char *const short_operations[] = {
	"BatchGetItem", "BatchWriteItem", "DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem"
};

/* Operations that answer with no body at all. */
static const char *const silent_operations[] = {"TagResource", "UntagResource"};

static bool
is_among(const char *name, const char *const *names, int count)
{
	for (int i = 0; i < count; i++)
	{
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

/* ---- pages that are no operation ---- */

static void
reply_not_found(HttpRequest *request)
{
	static const char body[] = "<UnknownOperationException/>\n";

	reply_compose(request, MHD_HTTP_NOT_FOUND, NULL, body, sizeof(body) - 1);
}

/* As the service answers: the host, and a blank. */
static void
reply_healthy(HttpRequest *request)
{
	const char *host = connection_header(request, MHD_HTTP_HEADER_HOST);
	char	   *body = psprintf("healthy: %s ", host ? host : "localhost");

	reply_compose(request, MHD_HTTP_OK, CONTENT_TEXT, body, strlen(body));
}

static void
reply_page(HttpRequest *request)
{
	size_t		path_length = strcspn(request->uri, "?");

	if (path_length == 1)
		reply_healthy(request);
	else if (path_length == 8 && memcmp(request->uri, "/metrics", 8) == 0)
		metrics_reply(request);
	else
		reply_not_found(request);
}

/* ---- operations ---- */

/* The operation of an X-Amz-Target, "DynamoDB_20120810.GetItem", or NULL. */
static const Operation *
find_operation(const HttpRequest *request)
{
	const char *target = connection_header(request, "X-Amz-Target");
	const char *dot = target ? strchr(target, '.') : NULL;
	const Operation *operation = dot ? operation_by_name(dot + 1) : NULL;

	if (operation == NULL || strlen(operation->target) != dot - target ||
		strncmp(operation->target, target, dot - target) != 0)
		return NULL;
	return operation;
}

/* Is the media type, parameters aside, this one? */
static bool
media_type_is(const char *content_type, const char *type)
{
	size_t		length = strlen(type);

	return pg_strncasecmp(content_type, type, length) == 0 &&
		strchr("; \t", content_type[length]) != NULL;
}

static bool
content_type_accepted(HttpRequest *request)
{
	const char *content_type = connection_header(request, MHD_HTTP_HEADER_CONTENT_TYPE);

	if (content_type == NULL)
		content_type = "";
	content_type += strspn(content_type, " \t");
	if (request->length == 0 || media_type_is(content_type, CONTENT_AMZ_JSON) ||
		media_type_is(content_type, CONTENT_JSON))
		return true;

	if (pg_strncasecmp(content_type, CONTENT_CBOR, strlen(CONTENT_CBOR)) == 0)
		serialization_error("CBOR is not supported: send JSON with Content-Type %s", CONTENT_AMZ_JSON);
	reply_not_found(request);
	return false;
}

/* A coding that cannot be undone is the service's internal failure. */
static bool
decode_body(HttpRequest *request, const char **text, size_t *length)
{
	const char *coding = connection_header(request, MHD_HTTP_HEADER_CONTENT_ENCODING);

	switch (compression_inflate(coding, request->body ? request->body : "", request->length, text, length))
	{
		case COMPRESSION_DONE:
			return true;
		case COMPRESSION_TOO_LARGE:
			dynamo_error(REQUEST_TOO_LARGE, "Request exceeds %d bytes after decompression", HTTP_MAX_BODY);
		case COMPRESSION_UNKNOWN:
			reply_compose_error(request, MHD_HTTP_INTERNAL_SERVER_ERROR,
								"com.amazon.coral.service#InternalFailure",
								"Unknown Content-Encoding: gzip and deflate are supported");
			return false;
		case COMPRESSION_BROKEN:
			reply_compose_error(request, MHD_HTTP_INTERNAL_SERVER_ERROR,
								"com.amazon.coral.service#InternalFailure",
								"The body is not what its Content-Encoding says");
			return false;
	}
	return false;
}

bool
route_request(HttpRequest *request, const char **text, size_t *length)
{
	if (request->out_of_memory)
		dynamo_error(SERVICE_UNAVAILABLE, "The server is out of memory");
	if (request->head_too_large)
	{
		reply_compose(request, MHD_HTTP_BAD_REQUEST, NULL, "", 0);
		return false;
	}
	if (request->too_large)
		dynamo_error(REQUEST_TOO_LARGE, "Request exceeds %d bytes", HTTP_MAX_BODY);

	if (strcmp(request->method, MHD_HTTP_METHOD_OPTIONS) == 0 &&
		connection_header(request, MHD_HTTP_HEADER_ORIGIN) != NULL)
	{
		reply_compose(request, MHD_HTTP_OK, NULL, "", 0);
		return false;
	}
	if (strcmp(request->method, MHD_HTTP_METHOD_GET) == 0 ||
		strcmp(request->method, MHD_HTTP_METHOD_HEAD) == 0)
	{
		reply_page(request);
		return false;
	}
	if (strcmp(request->method, MHD_HTTP_METHOD_POST) != 0 || strcspn(request->uri, "?") != 1)
	{
		reply_not_found(request);
		return false;
	}
	if (!content_type_accepted(request))
		return false;

	request->operation = find_operation(request);
	if (request->operation == NULL)
	{
		reply_compose_error(request, MHD_HTTP_BAD_REQUEST,
							"com.amazon.coral.service#UnknownOperationException", NULL);
		return false;
	}
	return decode_body(request, text, length);
}

void
route_reply(HttpRequest *request, const StringInfo response)
{
	if (is_among(request->operation->name, silent_operations, lengthof(silent_operations)))
		reply_compose(request, MHD_HTTP_OK, CONTENT_AMZ_JSON, "", 0);
	else
		reply_compose(request, MHD_HTTP_OK, CONTENT_AMZ_JSON, response->data, response->len);
}

bool
route_is_long(const HttpRequest *request)
{
	const Operation *operation = find_operation(request);

	return operation != NULL &&
		!is_among(operation->name, short_operations, lengthof(short_operations));
}
