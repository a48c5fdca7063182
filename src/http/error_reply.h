/*
 * error_reply.h
 *		What an error becomes over HTTP.
 */
#ifndef DYNAMO_ERROR_REPLY_H
#define DYNAMO_ERROR_REPLY_H

#include "postgres.h"

#include <cjson/cJSON.h>

#include "http/connection.h"

/* Should the request be tried again before its error is reported? */
typedef enum ErrorRetry
{
	RETRY_NEVER,
	RETRY_SOON,					/* deadlock, serialization failure */
	RETRY_UNTIL_DEADLINE		/* a lock is held by someone else */
} ErrorRetry;

extern ErrorRetry error_retry(const ErrorData *error);

/* Is it a fault of the server, which belongs into its log? */
extern bool error_is_fault(const ErrorData *error);

/*
 * Compose the reply for an error.  tree is the request, NULL if it was not
 * parsed.  Allocates in the current context.
 */
extern void error_reply(HttpRequest *request, const ErrorData *error, const cJSON *tree);

#endif							/* DYNAMO_ERROR_REPLY_H */
