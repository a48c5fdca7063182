/*
 * reply.h
 *		Replies: body, checksum and headers.
 */
#ifndef DYNAMO_REPLY_H
#define DYNAMO_REPLY_H

#include "postgres.h"
#include "lib/stringinfo.h"

#include "http/connection.h"

/*
 * Compose the request's reply, to be sent by reply_send().  The body is copied
 * (and compressed if the client takes that).  Cannot raise; when memory is
 * out, reply_send() closes the connection.
 */
extern void reply_compose(HttpRequest *request, unsigned int status, const char *content_type,
						  const char *body, size_t length);

/* An error body of DynamoDB's form, without message if that is NULL; for what no operation raised. */
extern void reply_compose_error(HttpRequest *request, unsigned int status, const char *type,
								const char *message);

/* Hand the reply to the library. */
extern void reply_send(HttpRequest *request);

/* From a callback: refuse a body before it is sent. */
extern bool reply_too_large_early(struct MHD_Connection *connection);

/* The same for a request whose end its headers do not tell for certain. */
extern bool reply_malformed_early(struct MHD_Connection *connection);

/* Content types of DynamoDB's protocol. */
#define CONTENT_AMZ_JSON "application/x-amz-json-1.0"
#define CONTENT_TEXT	 "text/plain"
#define CONTENT_XML		 "application/xml"

#endif							/* DYNAMO_REPLY_H */
