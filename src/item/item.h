/*
 * item.h
 *		Whole items: between DynamoDB JSON and the stored form, their size, their
 *		validity.
 */
#ifndef DYNAMO_ITEM_H
#define DYNAMO_ITEM_H

#include "postgres.h"
#include "utils/jsonb.h"

#include <cjson/cJSON.h>

#include "item/attribute.h"
#include "item/json_writer.h"

#define ITEM_MAX_SIZE 409600	/* bytes, by DynamoDB's count */

/* ---- DynamoDB JSON to stored form ---- */

/*
 * {"name": {"S": ".."}, ...} to an item.  Raises SerializationException for
 * wrong JSON types and malformed base64, ValidationException for everything
 * else DynamoDB refuses (empty and duplicate sets, numbers, nesting, two types
 * in one value, ...).  Strings in the tree are in stored form already.
 */
extern Jsonb *item_from_dynamodb_json(const cJSON *attributes);

/*
 * One attribute value, {"S": ".."}.  The value points into a palloc'd jsonb.
 */
extern void attribute_from_dynamodb_json(const cJSON *json, JsonbValue *value);

/*
 * The same, but a ValidationException is returned as its bare text instead of
 * raised, for messages that stand it in another; NULL if the value is good.
 */
extern char *attribute_fault_of_dynamodb_json(const cJSON *json, JsonbValue *value);

/* A B value by itself: SerializationException unless it is canonical base64. */
extern void attribute_check_binary_json(const cJSON *json);

/* ---- stored form to DynamoDB JSON: strings stay in stored form ---- */

extern void item_to_dynamodb_json(JsonWriter *out, JsonbContainer *item);
extern void attribute_to_dynamodb_json(JsonWriter *out, const JsonbValue *value);

/* ---- size: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html ---- */

extern int64 item_size(JsonbContainer *item);
extern int64 attribute_value_size(const JsonbValue *value);

/* Bytes of a stored-form string as DynamoDB counts them (an escape pair is one). */
extern int64 item_string_size(const char *string, int length);

/*
 * What DynamoDB says of an attribute name (in stored form) that is empty or
 * too long; NULL if nothing is wrong with it.
 */
extern const char *attribute_name_fault(const char *name, int length);

/* ---- validity of a stored item (for raw SQL; the gate of the access method) ---- */

/*
 * Raises DynamoDB's ValidationException unless the jsonb is a valid item in
 * stored form: an object, tags well formed, sets sorted, unique and not empty,
 * numbers normal, nesting, size, names, escapes.
 */
extern void item_check(Jsonb *item);

/*
 * The stored form nearest to arbitrary jsonb: numbers normalised, sets sorted;
 * what cannot be an item is refused as by item_check().  For people who type
 * items as plain JSON (the document functions).
 */
extern Jsonb *item_normalize(Jsonb *item);
extern void attribute_normalize(Jsonb *jb, JsonbValue *value);

#endif							/* DYNAMO_ITEM_H */
