/*
 * idempotency_token.h
 *		ClientRequestToken: a transaction that is sent again is not done again.
 *
 * A token is a row of dynamo.transaction_tokens, written in the transaction
 * that it names: so it is there exactly if the transaction has committed, and
 * a second caller waits for the first on the row's unique index.
 */
#ifndef DYNAMO_IDEMPOTENCY_TOKEN_H
#define DYNAMO_IDEMPOTENCY_TOKEN_H

#include "postgres.h"
#include "datatype/timestamp.h"

#include <cjson/cJSON.h>

#define TOKEN_MAX_LENGTH 36

typedef struct IdempotencyToken
{
	const char *operation;		/* a token counts for one operation */
	const char *token;
	bytea	   *digest;			/* of the request */
	TimestampTz taken_at;
} IdempotencyToken;

/*
 * Take the token for a request of so many actions.  False if a request with it
 * has been done in the last ten minutes: then *read_units is what each action
 * would be charged as a read.  Raises IdempotentParameterMismatchException if
 * that was another request.
 */
extern bool token_take(IdempotencyToken *token, const char *operation, const char *text,
					   const cJSON *request, int count, int **read_units);

/* The request is done: the ten minutes begin. */
extern void token_complete(const IdempotencyToken *token, const int *read_units, int count);

#endif							/* DYNAMO_IDEMPOTENCY_TOKEN_H */
