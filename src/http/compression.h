/*
 * compression.h
 *		gzip and deflate of bodies.
 */
#ifndef DYNAMO_COMPRESSION_H
#define DYNAMO_COMPRESSION_H

#include "postgres.h"

/* Shorter replies go as they are, as DynamoDB's do. */
#define COMPRESSION_MINIMUM 4096

/*
 * The body in the coding that the Accept-Encoding header (or NULL) prefers,
 * malloc'd; *length and *coding are set.  NULL if it is to be sent as it is.
 * Cannot raise.
 */
extern void *compression_deflate(const char *accept_encoding, const char *body, size_t *length,
								 const char **coding);

typedef enum CompressionResult
{
	COMPRESSION_DONE,
	COMPRESSION_UNKNOWN,		/* no such coding */
	COMPRESSION_BROKEN,			/* not a whole stream of that coding, or bytes after it */
	COMPRESSION_TOO_LARGE		/* more than HTTP_MAX_BODY */
} CompressionResult;

/*
 * Decode a body by its Content-Encoding.  *text is palloc'd; identity leaves
 * text and *text_length pointing at the body itself.
 */
extern CompressionResult compression_inflate(const char *content_encoding, const char *body, size_t length,
											 const char **text, size_t *text_length);

#endif							/* DYNAMO_COMPRESSION_H */
