/*
 * connection.c
 *		Requests as they come in: the library's callbacks, which collect bytes.
 */
#include "postgres.h"

#include <sys/socket.h>

#include "utils/timestamp.h"

#include "http/connection.h"
#include "http/reply.h"
#include "http/tls.h"

#define CONNECTION_LIMIT	20000	/* of one process */
#define CONNECTION_MEMORY	(18 * 1024) /* headers, of 16 KB at most, and what is being read; idle connections keep it */
#define IDLE_SECONDS		300
#define FIRST_CAPACITY		1024
#define SMALL_CAPACITY		(16 * 1024) /* bodies up to this are always taken */
#define LARGE_BODIES_LIMIT	((size_t) 256 * 1024 * 1024)	/* bytes of all others, of one process */

dlist_head	connection_ready = DLIST_STATIC_INIT(connection_ready);

static int	open_connections = 0;
static size_t large_bodies = 0;

/* ---- collecting ---- */

/* What a body of this capacity takes of what large ones may take together. */
static size_t
large_share(size_t capacity)
{
	return capacity > SMALL_CAPACITY ? capacity : 0;
}

/*
 * Nobody has proved yet who sends the body, so all of them together are
 * bounded, whatever the number of connections.
 */
static bool
grow_body(HttpRequest *request, size_t needed)
{
	size_t		capacity = request->capacity ? request->capacity : FIRST_CAPACITY;
	size_t		others = large_bodies - large_share(request->capacity);
	char	   *body;

	while (capacity < needed)
		capacity *= 2;
	if (others + large_share(capacity) > LARGE_BODIES_LIMIT)
		return false;
	body = realloc(request->body, capacity);
	if (body == NULL)
		return false;
	request->body = body;
	request->capacity = capacity;
	large_bodies = others + large_share(capacity);
	return true;
}

static void
free_body(HttpRequest *request)
{
	free(request->body);
	large_bodies -= large_share(request->capacity);
	request->body = NULL;
	request->length = request->capacity = 0;
}

/*
 * What is too large is read and thrown away: a reply before the end of the
 * request would be lost with the connection's reset.
 */
static void
collect(HttpRequest *request, const char *data, size_t size)
{
	if (request->too_large || request->out_of_memory)
		return;

	if (request->length + size > HTTP_MAX_BODY)
		request->too_large = true;
	else if (request->length + size > request->capacity &&
			 !grow_body(request, request->length + size))
		request->out_of_memory = true;

	if (request->too_large || request->out_of_memory)
	{
		free_body(request);
		return;
	}
	memcpy(request->body + request->length, data, size);
	request->length += size;
}

/* A client that asks before it sends a body that is too large is told at once. */
static bool
announces_too_much(struct MHD_Connection *connection)
{
	const char *expect = MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
													 MHD_HTTP_HEADER_EXPECT);
	const char *length = MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
													 MHD_HTTP_HEADER_CONTENT_LENGTH);

	return expect != NULL && length != NULL && strtoull(length, NULL, 10) > HTTP_MAX_BODY;
}

/* What the headers say about where the request ends. */
typedef struct Framing
{
	const char *length;
	const char *coding;
	bool		ambiguous;
} Framing;

static enum MHD_Result
note_framing(void *argument, enum MHD_ValueKind kind, const char *name, const char *value)
{
	Framing    *framing = argument;

	if (pg_strcasecmp(name, MHD_HTTP_HEADER_CONTENT_LENGTH) == 0)
	{
		if (framing->length != NULL && strcmp(framing->length, value) != 0)
			framing->ambiguous = true;
		framing->length = value;
	}
	else if (pg_strcasecmp(name, MHD_HTTP_HEADER_TRANSFER_ENCODING) == 0)
	{
		if (framing->coding != NULL || pg_strcasecmp(value, "chunked") != 0)
			framing->ambiguous = true;
		framing->coding = value;
	}
	return MHD_YES;
}

/*
 * Could a proxy in front of us take another byte for the request's last?  Then
 * what is left of it would be answered as the request of somebody else.
 */
static bool
end_is_ambiguous(struct MHD_Connection *connection)
{
	Framing		framing = {0};

	(void) MHD_get_connection_values(connection, MHD_HEADER_KIND, note_framing, &framing);
	return framing.ambiguous || (framing.length != NULL && framing.coding != NULL);
}

/* Of the request line and all headers. */
static size_t
head_size(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
	MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);

	return info != NULL ? info->header_size : 0;
}

/* ---- callbacks ---- */

/* The request line has come: what is returned is the request's state. */
static void *
begin_request(void *closure, const char *uri, struct MHD_Connection *connection)
{
	HttpRequest *request = calloc(1, sizeof(HttpRequest));

	if (request == NULL)
		return NULL;
	request->connection = connection;
	request->uri = strdup(uri);
	if (request->uri == NULL)
	{
		free(request);
		return NULL;
	}
	return request;
}

static enum MHD_Result
receive(void *closure, struct MHD_Connection *connection, const char *url, const char *method,
		const char *version, const char *data, size_t *size, void **state)
{
	HttpRequest *request = *state;

	if (request == NULL)
		return MHD_NO;			/* out of memory: close the connection */
	if (request->progress != HTTP_RECEIVING)
		return MHD_YES;			/* asked again while the request waits or runs */

	if (request->method == NULL)
	{
		request->method = method;
		request->head_too_large = head_size(connection) > HTTP_MAX_HEAD;
		if (end_is_ambiguous(connection))
			return reply_malformed_early(connection) ? MHD_YES : MHD_NO;
		if (announces_too_much(connection))
			return reply_too_large_early(connection) ? MHD_YES : MHD_NO;
		return MHD_YES;
	}
	if (*size > 0)
	{
		collect(request, data, *size);
		*size = 0;
		return MHD_YES;
	}

	request->progress = HTTP_READY;
	request->received = GetCurrentTimestamp();
	dlist_push_tail(&connection_ready, &request->node);
	return MHD_YES;
}

/* The reply was sent, or the connection is gone: whatever the request waits for. */
static void
end_request(void *closure, struct MHD_Connection *connection, void **state,
			enum MHD_RequestTerminationCode how)
{
	HttpRequest *request = *state;

	if (request == NULL)
		return;
	*state = NULL;
	if (request->progress == HTTP_READY || request->progress == HTTP_WAITING ||
		request->progress == HTTP_COMPOSED)
		dlist_delete(&request->node);
	if (request->response)
		MHD_destroy_response(request->response);
	free_body(request);
	free(request->uri);
	free(request);
}

static void
count_connection(void *closure, struct MHD_Connection *connection, void **socket_context,
				 enum MHD_ConnectionNotificationCode code)
{
	open_connections += code == MHD_CONNECTION_NOTIFY_STARTED ? 1 : -1;
}

/* Broken clients are nothing for the server's log. */
static void
discard_message(void *closure, const char *format, va_list arguments)
{
}

struct MHD_Daemon *
connection_serve(int socket, bool tls)
{
	unsigned int flags = MHD_USE_EPOLL | MHD_USE_TURBO | MHD_USE_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
	struct MHD_Daemon *daemon;

	daemon = MHD_start_daemon(flags | (tls ? MHD_USE_TLS : 0), 0, NULL, NULL, receive, NULL,
							  MHD_OPTION_EXTERNAL_LOGGER, discard_message, NULL,
							  MHD_OPTION_LISTEN_SOCKET, socket,
							  MHD_OPTION_CONNECTION_LIMIT, CONNECTION_LIMIT,
							  MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t) CONNECTION_MEMORY,
							  MHD_OPTION_CONNECTION_TIMEOUT, IDLE_SECONDS,
							  MHD_OPTION_NOTIFY_COMPLETED, end_request, NULL,
							  MHD_OPTION_NOTIFY_CONNECTION, count_connection, NULL,
							  MHD_OPTION_URI_LOG_CALLBACK, begin_request, NULL,
							  tls ? MHD_OPTION_HTTPS_CERT_CALLBACK : MHD_OPTION_END, tls_certificate,
							  MHD_OPTION_END);
	if (daemon == NULL)
		ereport(ERROR, (errmsg("could not start the HTTP library on a listening socket")));
	return daemon;
}

const char *
connection_header(const HttpRequest *request, const char *name)
{
	return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

int
connection_count(void)
{
	return open_connections;
}
