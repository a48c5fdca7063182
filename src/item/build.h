/*
 * build.h
 *		Building attribute values with pushJsonbValue().
 */
#ifndef DYNAMO_BUILD_H
#define DYNAMO_BUILD_H

#include "postgres.h"
#include "utils/jsonb.h"

#include "item/attribute.h"

/*
 * Order of two members of a set of this type, the order in which they are
 * stored: strings and binaries by bytes, numbers by value.
 */
extern int	set_member_compare(AttributeType set_type, const JsonbValue *a, const JsonbValue *b);

/*
 * Sort the members in place; false if two are equal.
 */
extern bool set_sort(AttributeType set_type, JsonbValue *members, int count);

/* Push the name of a member. */
extern void name_push(JsonbParseState **state, const char *name);

/* Push a set with its tag; members are sorted and unique. */
extern void set_push(JsonbParseState **state, AttributeType set_type,
					 const JsonbValue *members, int count);

/* Push a B value of canonical base64 text. */
extern void binary_push(JsonbParseState **state, const JsonbValue *base64);

/*
 * Push the beginning and the end of a map inside an item.  wrap, the same in
 * both: the map has exactly one key and that begins with '$'.
 */
extern void map_push_begin(JsonbParseState **state, bool wrap);
extern JsonbValue *map_push_end(JsonbParseState **state, bool wrap);

#endif							/* DYNAMO_BUILD_H */
