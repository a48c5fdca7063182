/*
 * json_tree.h
 *		cJSON trees that a memory context owns.
 *
 * A tree goes when the memory context that was current at the call is reset or
 * deleted, so that an error frees it.  Members and elements are looked at,
 * never taken out, added or deleted.
 */
#ifndef DYNAMO_JSON_TREE_H
#define DYNAMO_JSON_TREE_H

#include "postgres.h"
#include "utils/jsonb.h"

#include <cjson/cJSON.h>

/* Deepest nesting of a request; items nest far less. */
#define JSON_TREE_MAX_DEPTH 200

/*
 * The jsonb as a tree.  Raises ValidationException beyond
 * JSON_TREE_MAX_DEPTH.  Numbers are doubles, as cJSON has them.
 */
extern cJSON *json_tree_from_jsonb(Jsonb *jb);

/*
 * Parse text; NULL if it is malformed, has a zero byte or the escape for one.
 * Raises ValidationException as above.  The text need
 * not end in a zero byte; its strings are taken as they are, in stored form.
 */
extern cJSON *json_tree_parse(const char *text, size_t length);

#endif							/* DYNAMO_JSON_TREE_H */
