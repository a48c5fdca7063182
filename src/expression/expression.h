/*
 * expression.h
 *		DynamoDB's five expressions: parsed once, evaluated on stored items.
 *
 * Everything here is a pure function of its arguments; nothing reads tables.
 * Parsed forms live in the memory context that was current when parsing.
 * Errors of parsing are request_error(), those that need the item are
 * validation_error().
 *
 * An item is a JsonbContainer (the root of its jsonb); NULL is the absent item.
 */
#ifndef DYNAMO_EXPRESSION_H
#define DYNAMO_EXPRESSION_H

#include "postgres.h"
#include "nodes/pg_list.h"
#include "utils/jsonb.h"

#include <cjson/cJSON.h>

#include "item/attribute.h"
#include "item/json_writer.h"

typedef enum ExpressionKind
{
	CONDITION_EXPRESSION,
	FILTER_EXPRESSION,
	KEY_CONDITION_EXPRESSION,
	PROJECTION_EXPRESSION,
	UPDATE_EXPRESSION
} ExpressionKind;

#define EXPRESSION_MAX_BYTES	 4096
#define EXPRESSION_MAX_OPERATORS 300
#define EXPRESSION_MAX_IN		 100

/* "ConditionExpression", ... as messages and requests name them */
extern const char *expression_kind_name(ExpressionKind kind);

/* ---- document paths ---- */

typedef struct PathElement
{
	bool		is_index;
	uint32		index;			/* list index, if is_index */
	const char *name;			/* attribute or member name, stored form */
	int			name_length;
} PathElement;

typedef struct Path
{
	int			length;
	PathElement *elements;		/* the first is a name */
} Path;

/* What is at the path; false if nothing is. */
extern bool path_get(const Path *path, JsonbContainer *item, JsonbValue *value);

/* ---- placeholders: ExpressionAttributeNames and -Values ---- */

typedef struct Placeholders Placeholders;

/*
 * Either may be NULL (not given).  Checks their shapes: empty maps, malformed
 * keys ("ExpressionAttributeNames contains invalid key: Syntax error; key:
 * ..."), values.  has_expressions tells whether the request has an expression
 * at all; if not and one of the maps is given: "ExpressionAttributeNames can
 * only be specified when using expressions", or the longer texts for
 * UpdateExpression / KeyConditionExpression that DynamoDB has for values.
 */
extern Placeholders *placeholders_from_dynamodb_json(const cJSON *names, const cJSON *values,
													 bool has_expressions);

/*
 * For the document functions: names {"#n": "name"}, values {":v": plain value
 * in (or near) stored form}.  Leading '#' and ':' are required as in DynamoDB.
 */
extern Placeholders *placeholders_from_jsonb(Jsonb *names, Jsonb *values);

/* After all expressions of the request are parsed: "... unused in expressions: keys: {..}". */
extern void placeholders_check_used(const Placeholders *placeholders);

/* ---- conditions and filters ---- */

typedef struct Condition Condition;

/* kind is CONDITION_EXPRESSION or FILTER_EXPRESSION and only names it in errors. */
extern Condition *condition_parse(ExpressionKind kind, const char *text, Placeholders *placeholders);

/* Evaluate; the absent item is NULL.  Raises nothing on type mismatches: false. */
extern bool condition_matches(const Condition *condition, JsonbContainer *item);

/* Top-level attribute names a condition speaks of: list of char *, unique. */
extern List *condition_attributes(const Condition *condition);

/*
 * Does a path lead into this top-level attribute (stored form)?  Key attributes
 * are scalars, and DynamoDB refuses paths into them.  Of an update, the paths
 * that are read are looked at, not those that are written.
 */
extern bool condition_reaches_into(const Condition *condition, const char *attribute);

/* ---- key conditions ---- */

typedef enum KeyOperator
{
	KEY_EQUAL,
	KEY_LESS,
	KEY_LESS_OR_EQUAL,
	KEY_GREATER,
	KEY_GREATER_OR_EQUAL,
	KEY_BETWEEN,
	KEY_BEGINS_WITH
} KeyOperator;

typedef struct KeyClause
{
	const char *attribute;
	int			attribute_length;
	KeyOperator operator;
	JsonbValue	operand[2];		/* the second for BETWEEN only */
} KeyClause;

typedef struct KeyCondition
{
	ExpressionKind kind;		/* always KEY_CONDITION_EXPRESSION */
	bool		legacy;			/* came from KeyConditions */
	struct ExpressionNode *root;	/* what the clauses are made of; NULL if legacy */
	int			count;
	KeyClause  *clauses;		/* at most one per attribute: checked */
} KeyCondition;

/*
 * Parses and checks what any condition has to be; has no clauses yet.
 */
extern KeyCondition *key_condition_parse(const char *text, Placeholders *placeholders);

/*
 * Makes the clauses, once all expressions of the request are read.  Refuses
 * what no key condition can be (only =, <, <=, >, >=, BETWEEN, begins_with
 * joined by AND; no nested paths; one condition per key; operands that are
 * values).  The operation compares them with the key schema.
 */
extern void key_condition_make_clauses(KeyCondition *condition);

/* ---- projections ---- */

typedef struct Projection Projection;

extern Projection *projection_parse(const char *text, Placeholders *placeholders);

/* AttributesToGet: a list of char * of top-level names. */
extern Projection *projection_from_attributes(List *names);

/*
 * Append the projected item as DynamoDB JSON ({..}) to out; or build it as
 * jsonb in stored form.
 */
extern void projection_to_dynamodb_json(JsonWriter *out, const Projection *projection, JsonbContainer *item);
extern Jsonb *projection_apply(const Projection *projection, JsonbContainer *item);

extern List *projection_attributes(const Projection *projection);
extern bool projection_reaches_into(const Projection *projection, const char *attribute);

/* ---- updates ---- */

typedef struct Update Update;

extern Update *update_parse(const char *text, Placeholders *placeholders);

/* Top-level attributes that the update writes: list of char *, unique. */
extern List *update_attributes(const Update *update);
extern bool update_reaches_into(const Update *update, const char *attribute);

/* True if the top-level attribute is set to a value of the request. */
extern bool update_assigns(const Update *update, const char *attribute, JsonbValue *value);

/* True if there is no action but REMOVE and DELETE (then an absent item stays absent). */
extern bool update_creates_nothing(const Update *update);

/*
 * The new item, made of the old one, which all operands see.  Raises
 * validation_error() for operand types, invalid document paths, missing
 * attributes, number overflow.  Does not check the size of the result.
 */
extern Jsonb *update_apply(const Update *update, JsonbContainer *old);

/* The same where there is no item, but a key for a new one; NULL if it stays absent. */
extern Jsonb *update_create(const Update *update, JsonbContainer *key);

/*
 * What UPDATED_OLD (item = the old one) and UPDATED_NEW (the new one) return:
 * the values at the updated paths.  NULL if there is none.
 */
extern Jsonb *update_project(const Update *update, JsonbContainer *item);

/*
 * What UpdateItem charges an update expression for, in bytes, on the present
 * item.  Without one (NULL) it is the most that any item can make of it.
 * AttributeUpdates are not charged.
 */
extern int64 update_charge(const Update *update, JsonbContainer *old);

/* ---- the older parameters (legacy.c), to the same parsed forms ---- */

/*
 * Expected, QueryFilter and ScanFilter.  parameter is the request member's
 * name for messages.  or_operator: ConditionalOperator is OR.
 */
extern Condition *legacy_expected(const cJSON *expected, bool or_operator);
extern Condition *legacy_filter(const char *parameter, const cJSON *filter, bool or_operator);
extern KeyCondition *legacy_key_conditions(const cJSON *key_conditions);
extern Update *legacy_attribute_updates(const cJSON *attribute_updates);

#endif							/* DYNAMO_EXPRESSION_H */
