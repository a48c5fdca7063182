/*
 * validate.h
 *		Faults of attribute values that requests and stored items share.
 *
 * Private to the item room.
 */
#ifndef DYNAMO_VALIDATE_H
#define DYNAMO_VALIDATE_H

#include "postgres.h"

#include "compat.h"
#include "item/attribute.h"

/* What a list or map counts for besides its content, and each of its elements. */
#define DOCUMENT_OVERHEAD	3
#define MEMBER_OVERHEAD		1

#define NESTING_TEXT \
	"Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
#define EMPTY_VALUE_TEXT \
	"Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
#define ITEM_SIZE_TEXT "Item size has exceeded the maximum allowed size"
#define NOT_AN_ITEM_TEXT \
	"One or more parameter values were invalid: an item is a JSON object of attributes"
#define BAD_SET_TEXT "One or more parameter values were invalid: a set has a member of another type"

/* What DynamoDB says of an empty set of this type. */
extern const char *set_empty_text(AttributeType type);

/*
 * A string, or a name, in stored form.  Returns its size; raises
 * ValidationException for a misused U+0001, an empty or too long name.
 */
extern int64 string_check(const char *string, int length);
extern int64 name_check(const char *name, int length);

/* item_check() for one attribute value. */
extern void attribute_check(const JsonbValue *value);

/* An object that container_tag() calls TAG_UNKNOWN: say how to write it. */
pg_noreturn extern void refuse_tag(JsonbContainer *tagged);

#endif							/* DYNAMO_VALIDATE_H */
