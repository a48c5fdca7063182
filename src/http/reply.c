/*
 * reply.c
 *		Replies: body, checksum and headers.
 */
#include "postgres.h"

#include <zlib.h>

#include "common/pg_prng.h"

#include "http/compression.h"
#include "http/reply.h"

#define REQUEST_ID_LENGTH 52
#define CORS_MAX_AGE "172800"

static const char request_id_characters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUV";

static void
add_request_id(struct MHD_Response *response)
{
	char		id[REQUEST_ID_LENGTH + 1];
	uint64		bits = 0;

	for (int i = 0; i < REQUEST_ID_LENGTH; i++)
	{
		if (i % 12 == 0)
			bits = pg_prng_uint64(&pg_global_prng_state);
		id[i] = request_id_characters[bits & 31];
		bits >>= 5;
	}
	id[REQUEST_ID_LENGTH] = '\0';
	MHD_add_response_header(response, "x-amzn-RequestId", id);
}

static void
add_checksum(struct MHD_Response *response, const void *body, size_t length)
{
	char		text[16];

	snprintf(text, sizeof(text), "%lu", crc32(crc32(0, NULL, 0), body, length));
	MHD_add_response_header(response, "x-amz-crc32", text);
}

/* What browsers want to see before they show a script the reply. */
static void
add_cors(const HttpRequest *request, struct MHD_Response *response)
{
	const char *value;

	if (connection_header(request, MHD_HTTP_HEADER_ORIGIN) == NULL)
		return;
	MHD_add_response_header(response, "Access-Control-Allow-Origin", "*");
	MHD_add_response_header(response, "Access-Control-Expose-Headers",
							"x-amzn-RequestId,x-amz-crc32,Date");
	if (strcmp(request->method, "OPTIONS") != 0)
		return;

	value = connection_header(request, "Access-Control-Request-Headers");
	if (value != NULL)
		MHD_add_response_header(response, "Access-Control-Allow-Headers", value);
	value = connection_header(request, "Access-Control-Request-Method");
	if (value != NULL)
		MHD_add_response_header(response, "Access-Control-Allow-Methods", value);
	MHD_add_response_header(response, "Access-Control-Max-Age", CORS_MAX_AGE);
}

void
reply_compose(HttpRequest *request, unsigned int status, const char *content_type,
			  const char *body, size_t length)
{
	const char *coding = NULL;
	void	   *compressed = NULL;
	struct MHD_Response *response;

	/* of several Accept-Encoding headers the first counts, as in DynamoDB */
	if (length >= COMPRESSION_MINIMUM)
		compressed = compression_deflate(connection_header(request, MHD_HTTP_HEADER_ACCEPT_ENCODING),
										 body, &length, &coding);
	if (compressed != NULL)
		response = MHD_create_response_from_buffer(length, compressed, MHD_RESPMEM_MUST_FREE);
	else
		response = MHD_create_response_from_buffer(length, unconstify(char *, body), MHD_RESPMEM_MUST_COPY);

	if (request->response != NULL)
		MHD_destroy_response(request->response);
	request->response = response;
	request->status = status;
	if (response == NULL)
	{
		free(compressed);
		return;
	}

	add_request_id(response);
	add_checksum(response, compressed ? compressed : body, length);
	if (content_type != NULL)
		MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, content_type);
	if (coding != NULL)
		MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_ENCODING, coding);
	MHD_add_response_header(response, MHD_HTTP_HEADER_SERVER, "dynamo");
	add_cors(request, response);
}

void
reply_compose_error(HttpRequest *request, unsigned int status, const char *type, const char *message)
{
	char		body[512];

	if (message != NULL)
		snprintf(body, sizeof(body), "{\"__type\":\"%s\",\"message\":\"%s\"}", type, message);
	else
		snprintf(body, sizeof(body), "{\"__type\":\"%s\"}", type);
	reply_compose(request, status, CONTENT_AMZ_JSON, body, strlen(body));
}

/*
 * The library copies what it needs and may end the request before this
 * returns: the request must not be touched afterwards.
 */
void
reply_send(HttpRequest *request)
{
	struct MHD_Connection *connection = request->connection;
	struct MHD_Response *response = request->response;
	bool		suspended = request->suspended;

	request->response = NULL;
	request->suspended = false;
	if (response == NULL)
	{
		/* out of memory: an empty reply with a status is all there is */
		response = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
		request->status = MHD_HTTP_SERVICE_UNAVAILABLE;
	}
	if (response != NULL)
	{
		(void) MHD_queue_response(connection, request->status, response);
		MHD_destroy_response(response);
	}
	if (suspended)
		MHD_resume_connection(connection);
}

/* The body is not read, so the connection ends with the reply. */
static bool
reply_early(struct MHD_Connection *connection, unsigned int status, char *body)
{
	size_t		length = strlen(body);
	struct MHD_Response *response = MHD_create_response_from_buffer(length, body, MHD_RESPMEM_PERSISTENT);
	bool		queued;

	if (response == NULL)
		return false;
	add_request_id(response);
	add_checksum(response, body, length);
	if (length > 0)
		MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, CONTENT_AMZ_JSON);
	MHD_add_response_header(response, MHD_HTTP_HEADER_SERVER, "dynamo");
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
	queued = MHD_queue_response(connection, status, response) == MHD_YES;
	MHD_destroy_response(response);
	return queued;
}

bool
reply_too_large_early(struct MHD_Connection *connection)
{
	static char body[] = "{\"__type\":\"com.amazon.coral.service#RequestEntityTooLargeException\"}";

	return reply_early(connection, MHD_HTTP_CONTENT_TOO_LARGE, body);
}

bool
reply_malformed_early(struct MHD_Connection *connection)
{
	static char body[] = "";

	return reply_early(connection, MHD_HTTP_BAD_REQUEST, body);
}
