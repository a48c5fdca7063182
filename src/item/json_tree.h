/*
 * json_tree.h
 *		cJSON trees owned by a memory context.
 *
 * cJSON allocates with malloc; each tree is freed when the memory context that
 * was current when it was made is reset or deleted, so also after an error.
 */
#ifndef DYNAMO_JSON_TREE_H
#define DYNAMO_JSON_TREE_H

#include "postgres.h"
#include "utils/jsonb.h"

#include <cjson/cJSON.h>

/*
 * The jsonb as a tree.  Deeper than 200 levels: ValidationException, "Nesting
 * Levels have exceeded supported limits".
 */
extern cJSON *json_tree_from_jsonb(Jsonb *jb);

/* The same from text, whose strings are taken as they are; NULL if malformed. */
extern cJSON *json_tree_parse(const char *text, size_t length);

#endif							/* DYNAMO_JSON_TREE_H */
