/*
 * json_tokens.h
 *		The values of a JSON document in an array, in the order of its text, and
 *		their way to jsonb.
 */
#ifndef DYNAMO_JSON_TOKENS_H
#define DYNAMO_JSON_TOKENS_H

#include "postgres.h"
#include "utils/jsonb.h"

typedef enum JsonTokenKind
{
	JSON_STRING,
	JSON_NUMBER,
	JSON_TRUE,
	JSON_FALSE,
	JSON_NULL,
	JSON_NUMERIC,				/* bytes as jsonb has them, of a numeric */
	JSON_CONTAINER,				/* and of a container */
	JSON_TAGGED,				/* an object of one member, a string: its name stands before it in the text */
	JSON_ARRAY,
	JSON_OBJECT					/* members follow: name, value, name, value, .. */
} JsonTokenKind;

typedef struct JsonToken
{
	uint32		start;			/* of a value's bytes or its tag, in the text */
	uint32		length;			/* bytes of a value; elements or members */
	uint32		next;			/* token after this value and all in it */
	uint8		kind;			/* JsonTokenKind */
	uint8		tag_length;
} JsonToken;

/* What a value adds to a jsonb besides its bytes: its entry, its header, padding. */
#define JSON_TOKEN_OVERHEAD (2 * sizeof(uint32) + ALIGNOF_INT)

/* The two entries of a tagged string. */
#define JSON_TAGGED_OVERHEAD (2 * sizeof(JEntry))

/* A numeric's header, and a group of two bytes for each four digits or part of them. */
#define JSON_NUMBER_OVERHEAD 16

/*
 * The jsonb of the container that token first begins.  size is the sum of
 * all tokens' bytes and overheads, over which no jsonb of them goes.
 */
extern Jsonb *jsonb_from_tokens(const JsonToken *tokens, uint32 first, const char *text, Size size);

#endif							/* DYNAMO_JSON_TOKENS_H */
