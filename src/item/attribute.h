/*
 * attribute.h
 *		Attribute values: DynamoDB's ten types in jsonb's clothes.
 *
 * In memory an attribute value is a JsonbValue that is a scalar or jbvBinary
 * (a container inside an existing jsonb), never jbvArray or jbvObject.  How
 * the types are stored:
 *
 *		S, N, BOOL, NULL, L, M	string, numeric, boolean, null, array, object
 *		B						{"$b": "<base64>"}
 *		SS, NS, BS				{"$ss": [..]}, {"$ns": [..]}, {"$bs": [..]},
 *								members unique and sorted: strings and binaries
 *								by bytes, numbers by value (item/build.h)
 *		a map with exactly one key that begins with '$'		{"$m": {..}}
 *
 * Strings and names are in stored form: U+0000 is U+0001 U+0001 and U+0001 is
 * U+0001 U+0002.  Functions here count and compare with that in mind.
 */
#ifndef DYNAMO_ATTRIBUTE_H
#define DYNAMO_ATTRIBUTE_H

#include "postgres.h"
#include "utils/jsonb.h"

/* In the order in which DynamoDB lists them in messages. */
typedef enum AttributeType
{
	ATTRIBUTE_S,
	ATTRIBUTE_N,
	ATTRIBUTE_B,
	ATTRIBUTE_SS,
	ATTRIBUTE_NS,
	ATTRIBUTE_BS,
	ATTRIBUTE_BOOL,
	ATTRIBUTE_NULL,
	ATTRIBUTE_L,
	ATTRIBUTE_M
} AttributeType;

#define ATTRIBUTE_TYPE_COUNT (ATTRIBUTE_M + 1)

/* Deepest nesting of lists and maps DynamoDB stores. */
#define ATTRIBUTE_MAX_NESTING 32

extern AttributeType attribute_type(const JsonbValue *value);

/* "S", "SS", "BOOL", ... and the long words of some messages: "STRING", "LIST", ... */
extern const char *attribute_type_name(AttributeType type);
extern const char *attribute_type_word(AttributeType type);
extern bool attribute_type_from_name(const char *name, int length, AttributeType *type);

/*
 * The root of an item is a map whatever its keys are: attribute_type() and
 * attribute_members() are for what is inside it, attribute_get() for both.
 *
 * The members of a map (with a "$m" wrapper taken off) or the elements of a
 * list or set.  The caller has looked at the type.
 */
extern JsonbContainer *attribute_members(const JsonbValue *map);
extern JsonbContainer *attribute_elements(const JsonbValue *list_or_set);

/* A member of an item or map container; false if there is none. */
extern bool attribute_get(JsonbContainer *map, const char *name, int length, JsonbValue *value);

/* Wrap a whole jsonb datum as an attribute value (scalar or jbvBinary). */
extern void attribute_from_jsonb(Jsonb *jb, JsonbValue *value);

/* The bytes of a B value or of one member of a BS (a base64 jbvString). Palloc'd. */
extern bytea *attribute_bytes(const JsonbValue *value);

/* An S, N or B value as messages show it: "{S:text}", binaries in base64. */
extern char *attribute_key_to_text(const JsonbValue *value);

/*
 * DynamoDB's equality: same type and same content; sets and maps without
 * order, lists in order, numbers by value.
 */
extern bool attribute_equal(const JsonbValue *a, const JsonbValue *b);

/*
 * Order of two values of the same type S, N or B: <0, 0, >0.  Strings by
 * UTF-8 bytes, binaries by unsigned bytes, numbers by value.
 */
extern int	attribute_compare(const JsonbValue *a, const JsonbValue *b);

/* contains(): substring, subsequence of bytes, member of a set or list. */
extern bool attribute_contains(const JsonbValue *container, const JsonbValue *operand);

/* begins_with() on S or B of equal type; false otherwise. */
extern bool attribute_begins_with(const JsonbValue *value, const JsonbValue *prefix);

/* size(): false if the type has none. */
extern bool attribute_size_function(const JsonbValue *value, int64 *size);

#endif							/* DYNAMO_ATTRIBUTE_H */
