/*
 * parser.c
 *		The grammar of document paths, operands and conditions.
 *
 *		or := and { OR and }
 *		and := not { AND not }
 *		not := { NOT } primary
 *		primary := operand comparator operand | operand BETWEEN operand AND operand
 *			| operand IN ( operand {, operand} ) | function | ( or )
 *		operand := path | :value | function | ( operand )
 *		function := name ( operand {, operand} )
 *
 * A parenthesis may open an operand or a condition; which of them shows only
 * when it is closed.  So the functions here parse either, and a plain operand
 * is refused where a truth value is needed.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "errors.h"
#include "expression/tree.h"

/*
 * In 4096 bytes, parentheses that are not redundant nest less than this:
 * "(NOT " and its ")" take six.
 */
#define MAX_DEPTH (EXPRESSION_MAX_BYTES / 5)

static ExpressionNode *parse_or(Lexer *lexer, bool operand_allowed);

ExpressionNode *
make_node(NodeKind kind, List *arguments)
{
	ExpressionNode	   *node = palloc0(sizeof(ExpressionNode));

	node->kind = kind;
	node->arguments = arguments;
	return node;
}

static void
redundant_parentheses(const Lexer *lexer)
{
	request_error("Invalid %s: The expression has redundant parentheses;",
				  expression_kind_name(lexer->kind));
}

static void
enter(Lexer *lexer)
{
	/* deeper than this is either redundant or too many operators */
	if (++lexer->depth > MAX_DEPTH)
		redundant_parentheses(lexer);
}

static void
leave(Lexer *lexer)
{
	lexer->depth--;
}

void
parse_open_parenthesis(Lexer *lexer)
{
	lexer_expect(lexer, TOKEN_LEFT_PARENTHESIS);
	enter(lexer);
}

void
parse_close_parenthesis(Lexer *lexer, ExpressionNode *inner)
{
	lexer_expect(lexer, TOKEN_RIGHT_PARENTHESIS);
	if (inner->parenthesized)
		redundant_parentheses(lexer);
	inner->parenthesized = true;
	leave(lexer);
}

/* An index that is out of range is refused by check_path_words(). */
static PathElement
parse_list_index(Lexer *lexer)
{
	PathElement element = {.is_index = true, .index = LIST_INDEX_OUT_OF_RANGE};
	Token		token = lexer_expect(lexer, TOKEN_LIST_INDEX);

	element.name = lexer_text(lexer, token);
	element.name_length = token.end - token.start;
	if (element.name_length <= 10 && strtoull(element.name, NULL, 10) <= LIST_INDEX_MAX)
		element.index = (uint32) strtoull(element.name, NULL, 10);
	return element;
}

static PathElement
parse_name_element(Lexer *lexer)
{
	PathElement element = {.is_index = false};
	TokenKind	kind = lexer_peek(lexer);

	if (kind != TOKEN_NAME && kind != TOKEN_NAME_PLACEHOLDER)
		lexer_syntax_error(lexer);
	element.name = lexer_text(lexer, lexer_next(lexer));
	element.name_length = (int) strlen(element.name);
	return element;
}

/* Upper bound of the number of elements of the path that begins here. */
static int
count_path_elements(const Lexer *lexer)
{
	int			count = 0;

	for (const Token *token = &lexer->tokens[lexer->position];; token++)
	{
		switch (token->kind)
		{
			case TOKEN_NAME:
			case TOKEN_NAME_PLACEHOLDER:
			case TOKEN_LIST_INDEX:
				count++;
				break;
			case TOKEN_DOT:
			case TOKEN_LEFT_BRACKET:
			case TOKEN_RIGHT_BRACKET:
				break;
			default:
				return Max(count, 1);
		}
	}
}

Path
parse_path(Lexer *lexer)
{
	Path		path = {0};

	path.elements = palloc(sizeof(PathElement) * count_path_elements(lexer));
	path.elements[path.length++] = parse_name_element(lexer);
	for (;;)
	{
		if (lexer_accept(lexer, TOKEN_DOT))
			path.elements[path.length++] = parse_name_element(lexer);
		else if (lexer_accept(lexer, TOKEN_LEFT_BRACKET))
		{
			path.elements[path.length++] = parse_list_index(lexer);
			lexer_expect(lexer, TOKEN_RIGHT_BRACKET);
		}
		else
			return path;
	}
}

/* ( operand {, operand} ) */
static List *
parse_operand_list(Lexer *lexer)
{
	List	   *operands = NIL;

	parse_open_parenthesis(lexer);
	do
		operands = lappend(operands, parse_operand(lexer));
	while (lexer_accept(lexer, TOKEN_COMMA));
	lexer_expect(lexer, TOKEN_RIGHT_PARENTHESIS);
	leave(lexer);
	return operands;
}

static ExpressionNode *
parse_call(Lexer *lexer)
{
	ExpressionNode	   *node = make_node(NODE_CALL, NIL);

	node->text = lexer_text(lexer, lexer_next(lexer));
	node->arguments = parse_operand_list(lexer);
	return node;
}

ExpressionNode *
parse_plain_operand(Lexer *lexer)
{
	ExpressionNode	   *node;

	if (lexer_peek(lexer) == TOKEN_VALUE_PLACEHOLDER)
	{
		node = make_node(NODE_VALUE, NIL);
		node->text = lexer_text(lexer, lexer_next(lexer));
		return node;
	}
	if (lexer_peek(lexer) == TOKEN_NAME &&
		lexer->tokens[lexer->position + 1].kind == TOKEN_LEFT_PARENTHESIS)
		return parse_call(lexer);
	node = make_node(NODE_PATH, NIL);
	node->path = parse_path(lexer);
	return node;
}

ExpressionNode *
parse_operand(Lexer *lexer)
{
	ExpressionNode	   *node;

	check_stack_depth();
	if (lexer_peek(lexer) != TOKEN_LEFT_PARENTHESIS)
		return parse_plain_operand(lexer);
	parse_open_parenthesis(lexer);
	node = parse_operand(lexer);
	parse_close_parenthesis(lexer, node);
	return node;
}

static bool
is_operand(const ExpressionNode *node)
{
	return node->kind == NODE_PATH || node->kind == NODE_VALUE || node->kind == NODE_CALL;
}

static bool
comparator_kind(TokenKind token, NodeKind *kind)
{
	switch (token)
	{
		case TOKEN_EQUAL:
			*kind = NODE_EQUAL;
			return true;
		case TOKEN_NOT_EQUAL:
			*kind = NODE_NOT_EQUAL;
			return true;
		case TOKEN_LESS:
			*kind = NODE_LESS;
			return true;
		case TOKEN_LESS_OR_EQUAL:
			*kind = NODE_LESS_OR_EQUAL;
			return true;
		case TOKEN_GREATER:
			*kind = NODE_GREATER;
			return true;
		case TOKEN_GREATER_OR_EQUAL:
			*kind = NODE_GREATER_OR_EQUAL;
			return true;
		default:
			return false;
	}
}

/* What follows the first operand of a comparison; the operand itself if nothing does. */
static ExpressionNode *
parse_comparison(Lexer *lexer, ExpressionNode *first)
{
	NodeKind	kind;

	if (comparator_kind(lexer_peek(lexer), &kind))
	{
		lexer_next(lexer);
		return make_node(kind, list_make2(first, parse_operand(lexer)));
	}
	if (lexer_accept(lexer, TOKEN_BETWEEN))
	{
		ExpressionNode	   *low = parse_operand(lexer);

		lexer_expect(lexer, TOKEN_AND);
		return make_node(NODE_BETWEEN, list_make3(first, low, parse_operand(lexer)));
	}
	if (lexer_accept(lexer, TOKEN_IN))
		return make_node(NODE_IN, lcons(first, parse_operand_list(lexer)));
	return first;
}

static ExpressionNode *
parse_primary(Lexer *lexer, bool operand_allowed)
{
	ExpressionNode	   *node;

	check_stack_depth();
	if (lexer_peek(lexer) == TOKEN_LEFT_PARENTHESIS)
	{
		parse_open_parenthesis(lexer);
		node = parse_or(lexer, true);
		parse_close_parenthesis(lexer, node);
	}
	else
		node = parse_plain_operand(lexer);

	if (is_operand(node))
		node = parse_comparison(lexer, node);

	/* a mere path or value is an operand in parentheses or nothing */
	if (node->kind == NODE_PATH || node->kind == NODE_VALUE)
	{
		if (!operand_allowed || lexer_peek(lexer) != TOKEN_RIGHT_PARENTHESIS)
			lexer_syntax_error(lexer);
	}
	return node;
}

static ExpressionNode *
parse_not(Lexer *lexer, bool operand_allowed)
{
	int			negations = 0;
	ExpressionNode	   *node;

	while (lexer_accept(lexer, TOKEN_NOT))
		negations++;
	if (negations == 0)
		return parse_primary(lexer, operand_allowed);
	node = make_node(NODE_NOT, list_make1(parse_primary(lexer, false)));
	node->negations = negations;
	return node;
}

static ExpressionNode *
parse_and(Lexer *lexer, bool operand_allowed)
{
	ExpressionNode	   *first = parse_not(lexer, operand_allowed);
	List	   *terms;

	if (lexer_peek(lexer) != TOKEN_AND)
		return first;
	terms = list_make1(first);
	while (lexer_accept(lexer, TOKEN_AND))
		terms = lappend(terms, parse_not(lexer, false));
	return make_node(NODE_AND, terms);
}

static ExpressionNode *
parse_or(Lexer *lexer, bool operand_allowed)
{
	ExpressionNode	   *first = parse_and(lexer, operand_allowed);
	List	   *terms;

	if (lexer_peek(lexer) != TOKEN_OR)
		return first;
	terms = list_make1(first);
	while (lexer_accept(lexer, TOKEN_OR))
		terms = lappend(terms, parse_and(lexer, false));
	return make_node(NODE_OR, terms);
}

ExpressionNode *
parse_condition(Lexer *lexer)
{
	ExpressionNode	   *node = parse_or(lexer, false);

	lexer_expect(lexer, TOKEN_END);
	return node;
}
