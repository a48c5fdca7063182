/*
 * connection.h
 *		Requests as they come in: the library's callbacks, which collect bytes.
 *
 * Callbacks run inside libmicrohttpd's frames, over which no error may jump:
 * they allocate with malloc, call nothing of PostgreSQL that can raise, and
 * put complete requests into a list.  Everything else happens after they have
 * returned.
 */
#ifndef DYNAMO_CONNECTION_H
#define DYNAMO_CONNECTION_H

#include "postgres.h"
#include "datatype/timestamp.h"
#include "lib/ilist.h"

#include <microhttpd.h>

struct Operation;

/* Largest body, before and after decompression. */
#define HTTP_MAX_BODY (16 * 1024 * 1024)

/* Largest request line and headers together. */
#define HTTP_MAX_HEAD (16 * 1024)

typedef enum HttpProgress
{
	HTTP_RECEIVING,
	HTTP_READY,					/* in the list of ready requests */
	HTTP_WAITING,				/* put back: connection suspended until next_attempt */
	HTTP_RUNNING,
	HTTP_COMPOSED,				/* in the list of composed replies */
	HTTP_ANSWERED				/* reply handed to the library */
} HttpProgress;

typedef struct HttpRequest
{
	dlist_node	node;			/* in the list of its progress, if that has one */
	HttpProgress progress;
	struct MHD_Connection *connection;
	char	   *uri;			/* as received, with the query */
	const char *method;
	char	   *body;			/* malloc'd */
	size_t		length;
	size_t		capacity;
	bool		head_too_large;
	bool		too_large;
	bool		out_of_memory;
	bool		suspended;

	/* while it runs */
	const struct Operation *operation;	/* NULL until it is known */
	TimestampTz received;
	TimestampTz next_attempt;
	int			attempts;
	bool		wrote;			/* its transaction has a commit record */

	/* the reply */
	struct MHD_Response *response;
	unsigned int status;
} HttpRequest;

/* Requests whose bytes are complete, oldest first. */
extern dlist_head connection_ready;

/* Start serving a listening socket. https if key and certificate are loaded (tls.h). */
extern struct MHD_Daemon *connection_serve(int socket, bool tls);

/* A header, or NULL. */
extern const char *connection_header(const HttpRequest *request, const char *name);

/* Open connections of all daemons of this process. */
extern int	connection_count(void);

#endif							/* DYNAMO_CONNECTION_H */
