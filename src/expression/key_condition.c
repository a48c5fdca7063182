/*
 * key_condition.c
 *		Key conditions: a condition of few forms, as clauses on attributes.
 */
#include "postgres.h"

#include "errors.h"
#include "expression/tree.h"

static void
operator_error(const char *name)
{
	request_error("Invalid operator used in KeyConditionExpression: %s", name);
}

static void
first_operand_error(const char *name)
{
	request_error("Invalid condition in KeyConditionExpression: %s operator must have the key attribute as its first operand",
				  name);
}

static void
set_attribute(KeyClause *clause, const Path *path)
{
	if (path->length > 1)
		request_error("Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes");
	clause->attribute = path->elements[0].name;
	clause->attribute_length = path->elements[0].name_length;
}

static void
check_operands_plain(const ExpressionNode *node)
{
	ListCell   *cell;
	int			paths = 0;

	foreach(cell, node->arguments)
	{
		const ExpressionNode *operand = lfirst(cell);

		if (operand->kind == NODE_CALL)
			request_error("KeyConditionExpressions cannot contain nested operations");
		if (operand->kind == NODE_PATH)
			paths++;
	}
	if (paths > 1)
		request_error("Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition");
	if (paths == 0)
		request_error("Invalid condition in KeyConditionExpression: No key attribute specified");
}

/* "a op b" read from the other side. */
static KeyOperator
mirrored_operator(KeyOperator operator)
{
	switch (operator)
	{
		case KEY_LESS:
			return KEY_GREATER;
		case KEY_LESS_OR_EQUAL:
			return KEY_GREATER_OR_EQUAL;
		case KEY_GREATER:
			return KEY_LESS;
		case KEY_GREATER_OR_EQUAL:
			return KEY_LESS_OR_EQUAL;
		default:
			return operator;
	}
}

static void
comparison_clause(KeyClause *clause, KeyOperator operator, const ExpressionNode *node)
{
	const ExpressionNode *left = node_argument(node, 0);
	const ExpressionNode *right = node_argument(node, 1);

	check_operands_plain(node);
	if (left->kind == NODE_PATH)
	{
		set_attribute(clause, &left->path);
		clause->operator = operator;
		clause->operand[0] = right->value;
	}
	else
	{
		set_attribute(clause, &right->path);
		clause->operator = mirrored_operator(operator);
		clause->operand[0] = left->value;
	}
}

static void
path_first_clause(KeyClause *clause, KeyOperator operator, const char *name, const ExpressionNode *node)
{
	const ExpressionNode *first = node_argument(node, 0);

	if (first->kind == NODE_VALUE)
		first_operand_error(name);
	check_operands_plain(node);
	set_attribute(clause, &first->path);
	clause->operator = operator;
	clause->operand[0] = node_argument(node, 1)->value;
	if (operator == KEY_BETWEEN)
		clause->operand[1] = node_argument(node, 2)->value;
}

static void
make_clause(KeyClause *clause, const ExpressionNode *node)
{
	switch (node->kind)
	{
		case NODE_EQUAL:
			comparison_clause(clause, KEY_EQUAL, node);
			break;
		case NODE_LESS:
			comparison_clause(clause, KEY_LESS, node);
			break;
		case NODE_LESS_OR_EQUAL:
			comparison_clause(clause, KEY_LESS_OR_EQUAL, node);
			break;
		case NODE_GREATER:
			comparison_clause(clause, KEY_GREATER, node);
			break;
		case NODE_GREATER_OR_EQUAL:
			comparison_clause(clause, KEY_GREATER_OR_EQUAL, node);
			break;
		case NODE_BETWEEN:
			path_first_clause(clause, KEY_BETWEEN, "BETWEEN", node);
			break;
		case NODE_CALL:
			if (node->function != FUNCTION_BEGINS_WITH)
				operator_error(node->text);
			path_first_clause(clause, KEY_BEGINS_WITH, "begins_with", node);
			break;
		case NODE_NOT_EQUAL:
			operator_error("<>");
			break;
		case NODE_IN:
			operator_error("IN");
			break;
		case NODE_NOT:
			operator_error("NOT");
			break;
		case NODE_OR:
			operator_error("OR");
			break;
		default:
			elog(ERROR, "unexpected key condition: %d", (int) node->kind);
	}
}

static void
check_one_clause_per_key(const KeyCondition *condition, const KeyClause *added)
{
	for (int i = 0; i < condition->count; i++)
	{
		const KeyClause *clause = &condition->clauses[i];

		if (clause->attribute_length == added->attribute_length &&
			memcmp(clause->attribute, added->attribute, added->attribute_length) == 0)
			request_error("KeyConditionExpressions must only contain one condition per key");
	}
}

/* The leaves of nested ANDs, in text order. */
static List *
flatten(List *conditions, ExpressionNode *node)
{
	ListCell   *cell;

	if (node->kind != NODE_AND)
		return lappend(conditions, node);
	foreach(cell, node->arguments)
		conditions = flatten(conditions, lfirst(cell));
	return conditions;
}

KeyCondition *
key_condition_parse(const char *text, Placeholders *placeholders)
{
	KeyCondition *condition = palloc0(sizeof(KeyCondition));

	condition->kind = KEY_CONDITION_EXPRESSION;
	condition->root = parse_and_check_condition(KEY_CONDITION_EXPRESSION, text, placeholders);
	return condition;
}

void
key_condition_make_clauses(KeyCondition *condition)
{
	List	   *leaves = flatten(NIL, condition->root);
	ListCell   *cell;

	condition->clauses = palloc0(sizeof(KeyClause) * list_length(leaves));
	foreach(cell, leaves)
	{
		KeyClause  *clause = &condition->clauses[condition->count];

		make_clause(clause, lfirst(cell));
		check_one_clause_per_key(condition, clause);
		condition->count++;
	}
}
