/*
 * evaluate.c
 *		Evaluates conditions on the stored form of an item, in place.
 *
 * An operand that is missing makes every comparison false but <>; so does a
 * size() that is not defined for its operand's type.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/numeric.h"

#include "expression/tree.h"

static bool
size_value(const ExpressionNode *call, JsonbContainer *item, JsonbValue *value);

/* False if there is no value. */
static bool
operand_get(const ExpressionNode *node, JsonbContainer *item, JsonbValue *value)
{
	switch (node->kind)
	{
		case NODE_PATH:
			return path_get(&node->path, item, value);
		case NODE_VALUE:
			*value = node->value;
			return true;
		case NODE_CALL:
			return size_value(node, item, value);
		default:
			elog(ERROR, "unexpected operand of a condition: %d", (int) node->kind);
	}
}

static bool
argument_get(const ExpressionNode *node, int i, JsonbContainer *item, JsonbValue *value)
{
	return operand_get(node_argument(node, i), item, value);
}

static bool
size_value(const ExpressionNode *call, JsonbContainer *item, JsonbValue *value)
{
	JsonbValue	argument;
	int64		size;

	if (!argument_get(call, 0, item, &argument) || !attribute_size_function(&argument, &size))
		return false;
	value->type = jbvNumeric;
	value->val.numeric = int64_to_numeric(size);
	return true;
}

/* The order of two values that have one. */
static bool
values_compare(const JsonbValue *a, const JsonbValue *b, int *order)
{
	AttributeType type = attribute_type(a);

	if (type != attribute_type(b) ||
		(type != ATTRIBUTE_S && type != ATTRIBUTE_N && type != ATTRIBUTE_B))
		return false;
	*order = attribute_compare(a, b);
	return true;
}

static bool
equals(const ExpressionNode *node, JsonbContainer *item)
{
	JsonbValue	a;
	JsonbValue	b;

	return argument_get(node, 0, item, &a) && argument_get(node, 1, item, &b) &&
		attribute_equal(&a, &b);
}

static bool
is_ordered(const ExpressionNode *node, JsonbContainer *item)
{
	JsonbValue	a;
	JsonbValue	b;
	int			order;

	if (!argument_get(node, 0, item, &a) || !argument_get(node, 1, item, &b) ||
		!values_compare(&a, &b, &order))
		return false;
	switch (node->kind)
	{
		case NODE_LESS:
			return order < 0;
		case NODE_LESS_OR_EQUAL:
			return order <= 0;
		case NODE_GREATER:
			return order > 0;
		default:
			return order >= 0;
	}
}

static bool
is_between(const ExpressionNode *node, JsonbContainer *item)
{
	JsonbValue	value;
	JsonbValue	low;
	JsonbValue	high;
	int			from_low;
	int			from_high;

	return argument_get(node, 0, item, &value) &&
		argument_get(node, 1, item, &low) && argument_get(node, 2, item, &high) &&
		values_compare(&value, &low, &from_low) && from_low >= 0 &&
		values_compare(&value, &high, &from_high) && from_high <= 0;
}

static bool
is_in(const ExpressionNode *node, JsonbContainer *item)
{
	JsonbValue	value;
	JsonbValue	element;
	ListCell   *cell;

	if (!argument_get(node, 0, item, &value))
		return false;
	for_each_from(cell, node->arguments, 1)
	{
		if (operand_get(lfirst(cell), item, &element) && attribute_equal(&value, &element))
			return true;
	}
	return false;
}

static bool
call_matches(const ExpressionNode *node, JsonbContainer *item)
{
	JsonbValue	value;
	JsonbValue	operand;
	bool		exists = argument_get(node, 0, item, &value);

	if (node->function == FUNCTION_ATTRIBUTE_NOT_EXISTS)
		return !exists;
	if (!exists)
		return false;
	if (node->function == FUNCTION_ATTRIBUTE_EXISTS)
		return true;
	if (node->function == FUNCTION_ATTRIBUTE_TYPE)
		return attribute_type(&value) == node->type;

	if (!argument_get(node, 1, item, &operand))
		return false;
	switch (node->function)
	{
		case FUNCTION_BEGINS_WITH:
			return attribute_begins_with(&value, &operand);
		case FUNCTION_CONTAINS:
			return attribute_contains(&value, &operand);
		case FUNCTION_NOT_CONTAINS:
			return !attribute_contains(&value, &operand);
		default:
			elog(ERROR, "unexpected function in a condition: %d", (int) node->function);
	}
}

static bool
any_matches(List *conditions, JsonbContainer *item, bool wanted)
{
	ListCell   *cell;

	foreach(cell, conditions)
	{
		if (node_matches(lfirst(cell), item) == wanted)
			return true;
	}
	return false;
}

bool
node_matches(const ExpressionNode *node, JsonbContainer *item)
{
	check_stack_depth();
	switch (node->kind)
	{
		case NODE_CALL:
			return call_matches(node, item);
		case NODE_EQUAL:
			return equals(node, item);
		case NODE_NOT_EQUAL:
			return !equals(node, item);
		case NODE_LESS:
		case NODE_LESS_OR_EQUAL:
		case NODE_GREATER:
		case NODE_GREATER_OR_EQUAL:
			return is_ordered(node, item);
		case NODE_BETWEEN:
			return is_between(node, item);
		case NODE_IN:
			return is_in(node, item);
		case NODE_NOT:
			return node_matches(node_argument(node, 0), item) == (node->negations % 2 == 0);
		case NODE_AND:
			return !any_matches(node->arguments, item, false);
		case NODE_OR:
			return any_matches(node->arguments, item, true);
		default:
			elog(ERROR, "unexpected condition: %d", (int) node->kind);
	}
}
