/*
 * canonical_request.h
 *		A request in the form that AWS signatures are made over.
 */
#ifndef DYNAMO_CANONICAL_REQUEST_H
#define DYNAMO_CANONICAL_REQUEST_H

#include "postgres.h"
#include "lib/stringinfo.h"
#include "nodes/pg_list.h"

#include "http/connection.h"

/* A parameter of the query string, decoded. */
typedef struct QueryParameter
{
	char	   *name;
	char	   *value;
} QueryParameter;

/* The query string's parameters, QueryParameter *, in the order they come. */
extern List *query_parameters(const HttpRequest *request);

/* The value of the first parameter of this name, or NULL. */
extern const char *query_parameter(List *parameters, const char *name);

/* Lower-case hexadecimal SHA-256, palloc'd. */
extern char *sha256_hex(const void *data, size_t length);

/*
 * Append the canonical request.  signed_headers is the list as the client gave
 * it: names with semicolons between them.
 */
extern void canonical_request(StringInfo out, const HttpRequest *request, List *parameters,
							  const char *signed_headers);

/* Is the header among the signed ones? */
extern bool is_signed_header(const char *signed_headers, const char *name);

#endif							/* DYNAMO_CANONICAL_REQUEST_H */
