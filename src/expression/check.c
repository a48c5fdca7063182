/*
 * check.c
 *		Checks what an expression means, in the order in which DynamoDB reports.
 *
 * First the words of the whole expression in text order (functions, reserved
 * words), then each comparison or function with all its operands: undefined
 * placeholders, number of operands, their identity, their types.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "errors.h"
#include "expression/tree.h"
#include "item/number.h"

#define MAX_PATH_ELEMENTS ATTRIBUTE_MAX_NESTING

/* Where a function may be used. */
typedef enum FunctionUse
{
	USE_CONDITION,				/* is a condition */
	USE_SIZE,					/* is an operand in a condition */
	USE_UPDATE,					/* is an operand in an update */
	USE_ASSIGNED				/* is the whole value of a SET action */
} FunctionUse;

typedef struct FunctionRule
{
	const char *name;
	FunctionUse use;
	int			operands;
	bool		path_first;		/* the first operand must be a path */
	bool		distinct;		/* no other operand may be the first one's path */
} FunctionRule;

static const FunctionRule rules[] = {
	[FUNCTION_ATTRIBUTE_EXISTS] = {"attribute_exists", USE_CONDITION, 1, true, false},
	[FUNCTION_ATTRIBUTE_NOT_EXISTS] = {"attribute_not_exists", USE_CONDITION, 1, true, false},
	[FUNCTION_ATTRIBUTE_TYPE] = {"attribute_type", USE_CONDITION, 2, false, true},
	[FUNCTION_BEGINS_WITH] = {"begins_with", USE_CONDITION, 2, false, true},
	[FUNCTION_CONTAINS] = {"contains", USE_CONDITION, 2, false, true},
	[FUNCTION_SIZE] = {"size", USE_SIZE, 1, false, false},
	[FUNCTION_IF_NOT_EXISTS] = {"if_not_exists", USE_UPDATE, 2, true, true},
	[FUNCTION_LIST_APPEND] = {"list_append", USE_ASSIGNED, 2, false, false}
};

static Function
function_by_name(const char *name)
{
	for (int i = 0; i < lengthof(rules); i++)
	{
		if (strcmp(rules[i].name, name) == 0)
			return (Function) i;
	}
	return FUNCTION_UNKNOWN;
}

static const char *
operator_name(const ExpressionNode *node)
{
	switch (node->kind)
	{
		case NODE_PLUS:
			return "+";
		case NODE_MINUS:
			return "-";
		case NODE_EQUAL:
			return "=";
		case NODE_NOT_EQUAL:
			return "<>";
		case NODE_LESS:
			return "<";
		case NODE_LESS_OR_EQUAL:
			return "<=";
		case NODE_GREATER:
			return ">";
		case NODE_GREATER_OR_EQUAL:
			return ">=";
		case NODE_BETWEEN:
			return "BETWEEN";
		case NODE_IN:
			return "IN";
		default:
			return rules[node->function].name;
	}
}

/* ---- words ---- */

void
check_path_words(const Checker *checker, const Path *path)
{
	for (int i = 0; i < path->length; i++)
	{
		const PathElement *element = &path->elements[i];

		if (element->is_index && element->index == LIST_INDEX_OUT_OF_RANGE)
			request_error("Invalid %s: List index is not within the allowable range; index: [%s]",
						  expression_kind_name(checker->kind), element->name);
		if (!element->is_index && element->name[0] != '#' && is_reserved_word(element->name))
			request_error("Invalid %s: Attribute name is a reserved keyword; reserved keyword: %s",
						  expression_kind_name(checker->kind), element->name);
	}
}

static bool
is_use_allowed(FunctionUse use, NodePosition position)
{
	switch (use)
	{
		case USE_CONDITION:
			return position == POSITION_CONDITION;
		case USE_SIZE:
			return position == POSITION_OPERAND;
		case USE_UPDATE:
			return position != POSITION_CONDITION;
		case USE_ASSIGNED:
			return position == POSITION_ASSIGNED;
	}
	pg_unreachable();
}

static void
check_function_word(const Checker *checker, const ExpressionNode *node, NodePosition position)
{
	const char *kind = expression_kind_name(checker->kind);
	bool		in_update = checker->kind == UPDATE_EXPRESSION;
	Function	function = function_by_name(node->text);
	FunctionUse use;

	if (function == FUNCTION_UNKNOWN)
		request_error("Invalid %s: Invalid function name; function: %s", kind, node->text);
	use = rules[function].use;
	if ((use == USE_UPDATE || use == USE_ASSIGNED) != in_update)
		request_error("Invalid %s: The function is not allowed in %s expression; function: %s",
					  kind, in_update ? "an update" : "a condition", node->text);
	if (!is_use_allowed(use, position))
		request_error("Invalid %s: The function is not allowed to be used this way in an expression; function: %s",
					  kind, node->text);
}

/* Where the arguments of a node stand that stands at position itself. */
static NodePosition
argument_position(const ExpressionNode *node)
{
	if (node->kind == NODE_NOT || node->kind == NODE_AND || node->kind == NODE_OR)
		return POSITION_CONDITION;
	return POSITION_OPERAND;
}

void
check_words(const Checker *checker, const ExpressionNode *node, NodePosition position)
{
	ListCell   *cell;

	check_stack_depth();
	if (node->kind == NODE_PATH)
		check_path_words(checker, &node->path);
	else if (node->kind == NODE_CALL)
		check_function_word(checker, node, position);
	foreach(cell, node->arguments)
		check_words(checker, lfirst(cell), argument_position(node));
}

/* ---- operands ---- */

void
check_path(Checker *checker, Path *path)
{
	if (path->length > MAX_PATH_ELEMENTS)
		request_error("Invalid %s: The document path has too many nesting levels; nesting levels: %d",
					  expression_kind_name(checker->kind), path->length);
	for (int i = 0; i < path->length; i++)
	{
		PathElement *element = &path->elements[i];

		if (element->is_index || element->name[0] != '#')
			continue;
		element->name = placeholder_name(checker->placeholders, checker->kind, element->name);
		element->name_length = (int) strlen(element->name);
	}
}

/* The type an operand has whatever the item; false if the item decides. */
static bool
operand_type(const ExpressionNode *node, AttributeType *type)
{
	if (node->kind == NODE_VALUE)
		*type = attribute_type(&node->value);
	else if (node->kind == NODE_CALL && node->function == FUNCTION_SIZE)
		*type = ATTRIBUTE_N;
	else
		return false;
	return true;
}

#define TYPE_BIT(type) (1 << (type))
#define SCALAR_TYPES (TYPE_BIT(ATTRIBUTE_S) | TYPE_BIT(ATTRIBUTE_N) | TYPE_BIT(ATTRIBUTE_B))
#define STRING_TYPES (TYPE_BIT(ATTRIBUTE_S) | TYPE_BIT(ATTRIBUTE_B))
#define SIZELESS_TYPES (TYPE_BIT(ATTRIBUTE_N) | TYPE_BIT(ATTRIBUTE_BOOL) | TYPE_BIT(ATTRIBUTE_NULL))

static void
incorrect_type(const Checker *checker, const ExpressionNode *node, const char *type)
{
	request_error("Invalid %s: Incorrect operand type for operator or function; operator or function: %s, operand type: %s",
				  expression_kind_name(checker->kind), operator_name(node), type);
}

static void
check_types(const Checker *checker, const ExpressionNode *node, int allowed)
{
	ListCell   *cell;
	AttributeType type;

	foreach(cell, node->arguments)
	{
		if (operand_type(lfirst(cell), &type) && !(allowed & TYPE_BIT(type)))
			incorrect_type(checker, node, attribute_type_name(type));
	}
}

static void
check_distinct(const Checker *checker, const ExpressionNode *node)
{
	const ExpressionNode *first = node_argument(node, 0);
	ListCell   *cell;

	if (first->kind != NODE_PATH)
		return;
	for_each_from(cell, node->arguments, 1)
	{
		const ExpressionNode *other = lfirst(cell);

		if (other->kind == NODE_PATH && path_equal(&first->path, &other->path))
			request_error("Invalid %s: The first operand must be distinct from the remaining operands for this operator or function; operator: %s, first operand: %s",
						  expression_kind_name(checker->kind), operator_name(node),
						  path_to_text(&first->path));
	}
}

static void
check_attribute_type_operand(const Checker *checker, ExpressionNode *node)
{
	const ExpressionNode *operand = node_argument(node, 1);
	AttributeType type;

	if (!operand_type(operand, &type))
		incorrect_type(checker, node, "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}");
	if (type != ATTRIBUTE_S)
		incorrect_type(checker, node, attribute_type_name(type));
	if (!attribute_type_from_name(operand->value.val.string.val, operand->value.val.string.len,
								  &node->type))
		request_error("Invalid %s: Invalid attribute type name found; type: %s, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}",
					  expression_kind_name(checker->kind),
					  pnstrdup(operand->value.val.string.val, operand->value.val.string.len));
}

static void
check_call(const Checker *checker, ExpressionNode *node)
{
	const char *kind = expression_kind_name(checker->kind);
	const FunctionRule *rule;

	node->function = function_by_name(node->text);
	rule = &rules[node->function];
	if (list_length(node->arguments) != rule->operands)
		request_error("Invalid %s: Incorrect number of operands for operator or function; operator or function: %s, number of operands: %d",
					  kind, node->text, list_length(node->arguments));
	if (rule->path_first && node_argument(node, 0)->kind != NODE_PATH)
		request_error("Invalid %s: Operator or function requires a document path; operator or function: %s",
					  kind, node->text);
	if (rule->distinct)
		check_distinct(checker, node);

	if (node->function == FUNCTION_ATTRIBUTE_TYPE)
		check_attribute_type_operand(checker, node);
	else if (node->function == FUNCTION_BEGINS_WITH)
		check_types(checker, node, STRING_TYPES);
	else if (node->function == FUNCTION_SIZE)
		check_types(checker, node, ~SIZELESS_TYPES);
	else if (node->function == FUNCTION_LIST_APPEND)
		check_types(checker, node, TYPE_BIT(ATTRIBUTE_L));
}

static void
check_between(const Checker *checker, const ExpressionNode *node)
{
	const ExpressionNode *low = node_argument(node, 1);
	const ExpressionNode *high = node_argument(node, 2);
	const char *fault = NULL;

	check_types(checker, node, SCALAR_TYPES);
	if (low->kind != NODE_VALUE || high->kind != NODE_VALUE)
		return;
	if (attribute_type(&low->value) != attribute_type(&high->value))
		fault = "same data type for lower and upper bounds";
	else if (attribute_compare(&low->value, &high->value) > 0)
		fault = "upper bound to be greater than or equal to lower bound";
	if (fault)
		request_error("Invalid %s: The BETWEEN operator requires %s; lower bound operand: AttributeValue: %s, upper bound operand: AttributeValue: %s",
					  expression_kind_name(checker->kind), fault,
					  attribute_key_to_text(&low->value), attribute_key_to_text(&high->value));
}

static void
check_node(Checker *checker, ExpressionNode *node)
{
	int			count = list_length(node->arguments);

	switch (node->kind)
	{
		case NODE_PATH:
			check_path(checker, &node->path);
			return;
		case NODE_VALUE:
			placeholder_value(checker->placeholders, checker->kind, node->text, &node->value);
			return;
		case NODE_NOT:
			checker->operators += node->negations;
			return;
		case NODE_AND:
		case NODE_OR:
			checker->operators += count - 1;
			return;
		case NODE_CALL:
			check_call(checker, node);
			break;
		case NODE_PLUS:
		case NODE_MINUS:
			check_types(checker, node, TYPE_BIT(ATTRIBUTE_N));
			break;
		case NODE_LESS:
		case NODE_LESS_OR_EQUAL:
		case NODE_GREATER:
		case NODE_GREATER_OR_EQUAL:
			check_distinct(checker, node);
			check_types(checker, node, SCALAR_TYPES);
			break;
		case NODE_BETWEEN:
			check_distinct(checker, node);
			check_between(checker, node);
			break;
		case NODE_IN:
			check_distinct(checker, node);
			if (count - 1 > EXPRESSION_MAX_IN)
				request_error("Invalid %s: The IN operator is provided with too many operands; number of operands: %d",
							  expression_kind_name(checker->kind), count - 1);
			break;
		case NODE_EQUAL:
		case NODE_NOT_EQUAL:
			check_distinct(checker, node);
			break;
	}
	checker->operators++;
}

void
resolve_operands(Checker *checker, ExpressionNode *node, NodeKind kind)
{
	ListCell   *cell;

	check_stack_depth();
	if (node->kind == kind)
		check_node(checker, node);
	foreach(cell, node->arguments)
		resolve_operands(checker, lfirst(cell), kind);
}

void
check_operands(Checker *checker, ExpressionNode *node)
{
	ListCell   *cell;

	check_stack_depth();
	foreach(cell, node->arguments)
		check_operands(checker, lfirst(cell));
	if (checker->resolved && (node->kind == NODE_PATH || node->kind == NODE_VALUE))
		return;
	check_node(checker, node);
}

void
check_operator_count(const Checker *checker)
{
	/* DynamoDB stops counting at the first operator that is too many */
	if (checker->operators > EXPRESSION_MAX_OPERATORS)
		request_error("Invalid %s: The expression contains too many operators; operator count: %d",
					  expression_kind_name(checker->kind), EXPRESSION_MAX_OPERATORS + 1);
}

ExpressionNode *
parse_and_check_condition(ExpressionKind kind, const char *text, Placeholders *placeholders)
{
	Lexer		lexer;
	Checker		checker = {kind, placeholders, 0};
	ExpressionNode	   *root;

	lexer_init(&lexer, kind, text);
	root = parse_condition(&lexer);
	check_words(&checker, root, POSITION_CONDITION);
	check_operands(&checker, root);
	check_operator_count(&checker);
	return root;
}
