/*
 * legacy.c
 *		The parameters that came before expressions: Expected, filters,
 *		KeyConditions and AttributeUpdates, made into the same parsed forms.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "errors.h"
#include "expression/update.h"
#include "item/item.h"

typedef enum Comparison
{
	COMPARISON_EQ,
	COMPARISON_NE,
	COMPARISON_LE,
	COMPARISON_LT,
	COMPARISON_GE,
	COMPARISON_GT,
	COMPARISON_BETWEEN,
	COMPARISON_IN,
	COMPARISON_BEGINS_WITH,
	COMPARISON_CONTAINS,
	COMPARISON_NOT_CONTAINS,
	COMPARISON_NULL,
	COMPARISON_NOT_NULL
} Comparison;

#define TYPE_BIT(type) (1 << (type))
#define ALL_TYPES (~0)
#define SCALAR_TYPES (TYPE_BIT(ATTRIBUTE_S) | TYPE_BIT(ATTRIBUTE_N) | TYPE_BIT(ATTRIBUTE_B))
#define STRING_TYPES (TYPE_BIT(ATTRIBUTE_S) | TYPE_BIT(ATTRIBUTE_B))
#define MEMBER_TYPES (SCALAR_TYPES | TYPE_BIT(ATTRIBUTE_BOOL) | TYPE_BIT(ATTRIBUTE_NULL))

#define ANY_NUMBER (-1)			/* one or more values */
#define NOT_FOR_KEYS (-1)

typedef struct ComparisonRule
{
	const char *name;
	int			values;			/* how many, or ANY_NUMBER */
	int			types;			/* of the values */
	NodeKind	node;
	Function	function;		/* of NODE_CALL */
	int			key_operator;	/* KeyOperator, or NOT_FOR_KEYS */
} ComparisonRule;

static const ComparisonRule rules[] = {
	[COMPARISON_EQ] = {"EQ", 1, ALL_TYPES, NODE_EQUAL, 0, KEY_EQUAL},
	[COMPARISON_NE] = {"NE", 1, ALL_TYPES, NODE_NOT_EQUAL, 0, NOT_FOR_KEYS},
	[COMPARISON_LE] = {"LE", 1, SCALAR_TYPES, NODE_LESS_OR_EQUAL, 0, KEY_LESS_OR_EQUAL},
	[COMPARISON_LT] = {"LT", 1, SCALAR_TYPES, NODE_LESS, 0, KEY_LESS},
	[COMPARISON_GE] = {"GE", 1, SCALAR_TYPES, NODE_GREATER_OR_EQUAL, 0, KEY_GREATER_OR_EQUAL},
	[COMPARISON_GT] = {"GT", 1, SCALAR_TYPES, NODE_GREATER, 0, KEY_GREATER},
	[COMPARISON_BETWEEN] = {"BETWEEN", 2, SCALAR_TYPES, NODE_BETWEEN, 0, KEY_BETWEEN},
	[COMPARISON_IN] = {"IN", ANY_NUMBER, SCALAR_TYPES, NODE_IN, 0, NOT_FOR_KEYS},
	[COMPARISON_BEGINS_WITH] = {"BEGINS_WITH", 1, STRING_TYPES, NODE_CALL, FUNCTION_BEGINS_WITH, KEY_BEGINS_WITH},
	[COMPARISON_CONTAINS] = {"CONTAINS", 1, MEMBER_TYPES, NODE_CALL, FUNCTION_CONTAINS, NOT_FOR_KEYS},
	[COMPARISON_NOT_CONTAINS] = {"NOT_CONTAINS", 1, MEMBER_TYPES, NODE_CALL, FUNCTION_NOT_CONTAINS, NOT_FOR_KEYS},
	[COMPARISON_NULL] = {"NULL", 0, ALL_TYPES, NODE_CALL, FUNCTION_ATTRIBUTE_NOT_EXISTS, NOT_FOR_KEYS},
	[COMPARISON_NOT_NULL] = {"NOT_NULL", 0, ALL_TYPES, NODE_CALL, FUNCTION_ATTRIBUTE_EXISTS, NOT_FOR_KEYS}
};

/* One condition on one attribute, its comparison checked. */
typedef struct LegacyCondition
{
	const char *attribute;
	const ComparisonRule *rule;
	List	   *values;			/* of JsonbValue * */
} LegacyCondition;

/* ---- members of the request ---- */

/* A member by its exact name; NULL if it is absent or null. */
static const cJSON *
get_member(const cJSON *object, const char *name)
{
	const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, name);

	return cJSON_IsNull(member) ? NULL : member;
}

static const char *
get_string(const cJSON *object, const char *name)
{
	const cJSON *member = get_member(object, name);

	if (member == NULL)
		return NULL;
	if (!cJSON_IsString(member))
		serialization_error("Unexpected value type in payload");
	return member->valuestring;
}

static const char *
attribute_name(const cJSON *member)
{
	const char *fault = attribute_name_fault(member->string, (int) strlen(member->string));

	if (fault != NULL)
		request_error("%s", fault);
	if (!cJSON_IsObject(member))
		serialization_error("Unexpected value type in payload");
	return pstrdup(member->string);
}

static JsonbValue *
get_value(const cJSON *json)
{
	JsonbValue *value = palloc(sizeof(JsonbValue));

	attribute_from_dynamodb_json(json, value);
	return value;
}

static List *
get_values(const cJSON *list)
{
	List	   *values = NIL;
	const cJSON *element;

	if (list == NULL)
		return NIL;
	if (!cJSON_IsArray(list))
		serialization_error("Unexpected field type");
	cJSON_ArrayForEach(element, list)
	{
		CHECK_FOR_INTERRUPTS();
		values = lappend(values, get_value(element));
	}
	return values;
}

/* ---- comparisons ---- */

static const ComparisonRule *
comparison_rule(const char *parameter, const char *attribute, const char *name)
{
	for (int i = 0; i < lengthof(rules); i++)
	{
		if (name && strcmp(rules[i].name, name) == 0)
			return &rules[i];
	}
	if (name == NULL)
		validation_error("1 validation error detected: Value null at '%s.%s.member.comparisonOperator' failed to satisfy constraint: Member must not be null",
						 parameter, attribute);
	validation_error("1 validation error detected: Value '%s' at '%s.%s.member.comparisonOperator' failed to satisfy constraint: Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]",
					 name, parameter, attribute);
}

static void
check_values(const LegacyCondition *condition)
{
	const ComparisonRule *rule = condition->rule;
	int			count = list_length(condition->values);
	AttributeType type;
	ListCell   *cell;

	if (rule->values == ANY_NUMBER ? count == 0 : count != rule->values)
		request_error("One or more parameter values were invalid: Invalid number of argument(s) for the %s ComparisonOperator",
					  rule->name);
	if (count == 0)
		return;
	type = attribute_type(linitial(condition->values));
	foreach(cell, condition->values)
	{
		if (attribute_type(lfirst(cell)) != type)
			request_error("One or more parameter values were invalid: AttributeValues inside AttributeValueList must be of same type");
	}
	if (!(rule->types & TYPE_BIT(type)))
		request_error("One or more parameter values were invalid: ComparisonOperator %s is not valid for %s AttributeValue type",
					  rule->name, attribute_type_name(type));
	if (rule->node == NODE_BETWEEN &&
		attribute_compare(linitial(condition->values), lsecond(condition->values)) > 0)
		request_error("The BETWEEN condition was provided a range where the lower bound is greater than the upper bound");
}

static ExpressionNode *
path_node(const char *attribute)
{
	ExpressionNode	   *node = make_node(NODE_PATH, NIL);

	node->path = *path_from_name(attribute);
	return node;
}

static ExpressionNode *
value_node(const JsonbValue *value)
{
	ExpressionNode	   *node = make_node(NODE_VALUE, NIL);

	node->value = *value;
	return node;
}

static ExpressionNode *
condition_node(const LegacyCondition *condition)
{
	ExpressionNode	   *node = make_node(condition->rule->node, list_make1(path_node(condition->attribute)));
	ListCell   *cell;

	node->function = condition->rule->function;
	foreach(cell, condition->values)
		node->arguments = lappend(node->arguments, value_node(lfirst(cell)));
	return node;
}

/* ---- filters ---- */

static LegacyCondition
read_condition(const char *parameter, const cJSON *member)
{
	LegacyCondition condition = {attribute_name(member)};

	condition.rule = comparison_rule(parameter, condition.attribute,
									 get_string(member, "ComparisonOperator"));
	condition.values = get_values(get_member(member, "AttributeValueList"));
	check_values(&condition);
	return condition;
}

static Condition *
combine(List *nodes, bool or_operator)
{
	if (list_length(nodes) == 1)
		return condition_make(linitial(nodes));
	return condition_make(make_node(or_operator && nodes != NIL ? NODE_OR : NODE_AND, nodes));
}

/* "queryFilter" of "QueryFilter" */
static char *
member_path(const char *parameter)
{
	char	   *path = pstrdup(parameter);

	path[0] = pg_ascii_tolower((unsigned char) path[0]);
	return path;
}

Condition *
legacy_filter(const char *parameter, const cJSON *filter, bool or_operator)
{
	List	   *nodes = NIL;
	const cJSON *member;

	cJSON_ArrayForEach(member, filter)
	{
		LegacyCondition condition = read_condition(member_path(parameter), member);

		nodes = lappend(nodes, condition_node(&condition));
	}
	return combine(nodes, or_operator);
}

/* ---- Expected ---- */

typedef struct ExpectedMembers
{
	const char *attribute;
	const cJSON *value;
	const cJSON *exists;
	const cJSON *list;
	const char *comparison;
} ExpectedMembers;

static void
check_expected_members(const ExpectedMembers *expected)
{
	const char *fault = NULL;

	if (expected->exists && expected->comparison)
		fault = "Exists and ComparisonOperator cannot be used together";
	else if (expected->value && expected->list)
		fault = "Value and AttributeValueList cannot be used together";
	else if (expected->list && !expected->comparison)
		fault = "AttributeValueList can only be used with a ComparisonOperator";
	else if (expected->comparison)
		fault = NULL;
	else if (expected->exists == NULL && !expected->value)
		fault = "Value must be provided when Exists is null";
	else if (cJSON_IsTrue(expected->exists) && !expected->value)
		fault = "Value must be provided when Exists is true";
	else if (cJSON_IsFalse(expected->exists) && expected->value)
		fault = "Value cannot be used when Exists is false";
	if (fault)
		request_error("One or more parameter values were invalid: %s for Attribute: %s",
					  fault, expected->attribute);
}

/* Without a comparison operator it is EQ a value, or NULL. */
static LegacyCondition
read_expected(const cJSON *member)
{
	ExpectedMembers expected = {attribute_name(member)};
	LegacyCondition condition = {expected.attribute};

	expected.value = get_member(member, "Value");
	expected.exists = get_member(member, "Exists");
	expected.list = get_member(member, "AttributeValueList");
	expected.comparison = get_string(member, "ComparisonOperator");
	if (expected.comparison)
		condition.rule = comparison_rule("expected", expected.attribute, expected.comparison);
	else
		condition.rule = &rules[expected.value ? COMPARISON_EQ : COMPARISON_NULL];
	condition.values = expected.value ? list_make1(get_value(expected.value)) :
		get_values(expected.list);

	check_expected_members(&expected);
	if (condition.rule->values != 0 && !expected.value && !expected.list)
		request_error("One or more parameter values were invalid: Value or AttributeValueList must be used with ComparisonOperator: %s for Attribute: %s",
					  condition.rule->name, expected.attribute);
	check_values(&condition);
	return condition;
}

Condition *
legacy_expected(const cJSON *expected, bool or_operator)
{
	List	   *nodes = NIL;
	const cJSON *member;

	cJSON_ArrayForEach(member, expected)
	{
		LegacyCondition condition = read_expected(member);

		nodes = lappend(nodes, condition_node(&condition));
	}
	return combine(nodes, or_operator);
}

/* ---- KeyConditions ---- */

KeyCondition *
legacy_key_conditions(const cJSON *key_conditions)
{
	KeyCondition *result = palloc0(sizeof(KeyCondition));
	const cJSON *member;

	result->kind = KEY_CONDITION_EXPRESSION;
	result->legacy = true;
	result->clauses = palloc0(sizeof(KeyClause) * Max(cJSON_GetArraySize(key_conditions), 1));
	cJSON_ArrayForEach(member, key_conditions)
	{
		KeyClause  *clause = &result->clauses[result->count++];
		LegacyCondition condition = read_condition("keyConditions", member);

		if (condition.rule->key_operator == NOT_FOR_KEYS)
			request_error("Attempted conditional constraint is not an indexable operation");
		clause->attribute = condition.attribute;
		clause->attribute_length = (int) strlen(condition.attribute);
		clause->operator = (KeyOperator) condition.rule->key_operator;
		clause->operand[0] = *(JsonbValue *) linitial(condition.values);
		if (clause->operator == KEY_BETWEEN)
			clause->operand[1] = *(JsonbValue *) lsecond(condition.values);
	}
	return result;
}

/* ---- AttributeUpdates ---- */

static ActionKind
read_action_kind(const char *attribute, const char *name)
{
	if (name == NULL || strcmp(name, "PUT") == 0)
		return ACTION_SET;
	if (strcmp(name, "ADD") == 0)
		return ACTION_ADD;
	if (strcmp(name, "DELETE") == 0)
		return ACTION_DELETE;
	validation_error("1 validation error detected: Value '%s' at 'attributeUpdates.%s.member.action' failed to satisfy constraint: Member must satisfy enum value set: [ADD, DELETE, PUT]",
					 name, attribute);
}

static void
check_action_type(ActionKind kind, AttributeType type)
{
	bool		is_set = type == ATTRIBUTE_SS || type == ATTRIBUTE_NS || type == ATTRIBUTE_BS;

	if (kind == ACTION_DELETE && !is_set)
		request_error("One or more parameter values were invalid: DELETE action with value is not supported for the type %s",
					  attribute_type_name(type));
	if (kind == ACTION_ADD && !is_set && type != ATTRIBUTE_N && type != ATTRIBUTE_L)
		request_error("One or more parameter values were invalid: ADD action is not supported for the type %s",
					  attribute_type_name(type));
}

static UpdateAction *
read_action(const cJSON *member)
{
	const char *attribute = attribute_name(member);
	ActionKind	kind = read_action_kind(attribute, get_string(member, "Action"));
	const cJSON *json = get_member(member, "Value");
	JsonbValue *value;

	if (json == NULL)
	{
		if (kind != ACTION_DELETE)
			request_error("One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified");
		return make_action(ACTION_REMOVE, path_from_name(attribute), NULL);
	}
	value = get_value(json);
	check_action_type(kind, attribute_type(value));
	return make_action(kind, path_from_name(attribute), value_node(value));
}

Update *
legacy_attribute_updates(const cJSON *attribute_updates)
{
	List	   *actions = NIL;
	const cJSON *member;

	cJSON_ArrayForEach(member, attribute_updates)
		actions = lappend(actions, read_action(member));
	return make_update(actions, true);
}
