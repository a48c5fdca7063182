/*
 * jsonb_text.h
 *		Our own JSON text to jsonb.
 *
 * jsonb_in() builds a tree of the whole text first, which costs a response of
 * a hundred items more than reading them.
 */
#ifndef DYNAMO_JSONB_TEXT_H
#define DYNAMO_JSONB_TEXT_H

#include "postgres.h"
#include "lib/stringinfo.h"
#include "utils/jsonb.h"

/*
 * The jsonb that jsonb_in() would make of the text, byte for byte.  The text
 * is JSON in UTF-8 that this extension wrote; strings are unescaped in place,
 * so it is of no use afterwards.  Malformed text is an internal error.
 */
extern Jsonb *jsonb_from_own_text(StringInfo text);

#endif							/* DYNAMO_JSONB_TEXT_H */
