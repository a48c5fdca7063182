/*
 * route.h
 *		From method, path and headers to what is to be done.
 */
#ifndef DYNAMO_ROUTE_H
#define DYNAMO_ROUTE_H

#include "postgres.h"
#include "lib/stringinfo.h"

#include "http/connection.h"

/*
 * Find the operation and the text of its request.  False if the reply is
 * composed already: pages for people and monitors, refusals.  Allocates in the
 * current context; may raise.
 */
extern bool route_request(HttpRequest *request, const char **text, size_t *length);

/* Compose the reply of an operation that succeeded. */
extern void route_reply(HttpRequest *request, const StringInfo response);

/* May it take long enough that others' replies should be sent first?  Cannot raise. */
extern bool route_is_long(const HttpRequest *request);

#endif							/* DYNAMO_ROUTE_H */
