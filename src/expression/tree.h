/*
 * tree.h
 *		What an expression is parsed to: one kind of node for conditions and for
 *		the values of updates.
 */
#ifndef DYNAMO_TREE_H
#define DYNAMO_TREE_H

#include "expression/expression.h"
#include "expression/lexer.h"

typedef enum Function
{
	FUNCTION_ATTRIBUTE_EXISTS,
	FUNCTION_ATTRIBUTE_NOT_EXISTS,
	FUNCTION_ATTRIBUTE_TYPE,
	FUNCTION_BEGINS_WITH,
	FUNCTION_CONTAINS,
	FUNCTION_SIZE,
	FUNCTION_IF_NOT_EXISTS,
	FUNCTION_LIST_APPEND,
	FUNCTION_NOT_CONTAINS,		/* of the older parameters only */
	FUNCTION_UNKNOWN
} Function;

typedef enum NodeKind
{
	/* operands */
	NODE_PATH,
	NODE_VALUE,
	NODE_CALL,
	NODE_PLUS,
	NODE_MINUS,
	/* conditions; a call may be one, too */
	NODE_EQUAL,
	NODE_NOT_EQUAL,
	NODE_LESS,
	NODE_LESS_OR_EQUAL,
	NODE_GREATER,
	NODE_GREATER_OR_EQUAL,
	NODE_BETWEEN,
	NODE_IN,
	NODE_NOT,
	NODE_AND,
	NODE_OR
} NodeKind;

typedef struct ExpressionNode
{
	NodeKind	kind;
	bool		parenthesized;	/* stands in parentheses of its own */
	List	   *arguments;		/* of ExpressionNode * */
	const char *text;			/* as written: function, or value placeholder */
	Function	function;
	int			negations;		/* of NODE_NOT: how many in a row */
	AttributeType type;			/* that attribute_type() asks for */
	Path		path;
	JsonbValue	value;
} ExpressionNode;

/* The i-th argument. */
static inline ExpressionNode *
node_argument(const ExpressionNode *node, int i)
{
	return (ExpressionNode *) list_nth(node->arguments, i);
}

/* ---- parser.c: syntax only ---- */

/* The largest index DynamoDB takes, and what stands for a larger one. */
#define LIST_INDEX_MAX (PG_UINT32_MAX - 1)
#define LIST_INDEX_OUT_OF_RANGE PG_UINT32_MAX

extern ExpressionNode *make_node(NodeKind kind, List *arguments);

/* Names are as written; placeholders in a path are resolved by check.c. */
extern Path parse_path(Lexer *lexer);
extern ExpressionNode *parse_operand(Lexer *lexer);

/* An operand that does not begin with a parenthesis. */
extern ExpressionNode *parse_plain_operand(Lexer *lexer);

extern ExpressionNode *parse_condition(Lexer *lexer);

/* Parentheses around what was parsed: refused if it has some already. */
extern void parse_close_parenthesis(Lexer *lexer, ExpressionNode *inner);
extern void parse_open_parenthesis(Lexer *lexer);

/* ---- check.c: meaning ---- */

typedef struct Checker
{
	ExpressionKind kind;
	Placeholders *placeholders;
	int			operators;
	bool		resolved;		/* placeholders have been looked up */
} Checker;

/* Reserved words and list indexes in a path. */
extern void check_path_words(const Checker *checker, const Path *path);

/*
 * Reserved words and functions of a tree, in text order.  position: where the
 * node stands.
 */
typedef enum NodePosition
{
	POSITION_CONDITION,			/* a truth value is wanted */
	POSITION_OPERAND,
	POSITION_ASSIGNED			/* the whole value of a SET action */
} NodePosition;

extern void check_words(const Checker *checker, const ExpressionNode *node, NodePosition position);

/* Put the names behind placeholders into a path; checks its depth. */
extern void check_path(Checker *checker, Path *path);

/* Resolve placeholders, check numbers and types of operands, left to right. */
extern void check_operands(Checker *checker, ExpressionNode *node);

/* Only look up the placeholders of one kind of operand, NODE_PATH or NODE_VALUE. */
extern void resolve_operands(Checker *checker, ExpressionNode *node, NodeKind kind);

/* After all trees of the expression. */
extern void check_operator_count(const Checker *checker);

/* All of the above for a condition. */
extern ExpressionNode *parse_and_check_condition(ExpressionKind kind, const char *text,
									   Placeholders *placeholders);

/* ---- path.c ---- */

extern bool path_equal(const Path *a, const Path *b);

/* "[a, [0], b]" */
extern char *path_to_text(const Path *path);

/* The path of a top-level attribute. */
extern Path *path_from_name(const char *name);

/* ---- placeholders.c ---- */

/* Both raise the error of an undefined placeholder; text has its '#' or ':'. */
extern const char *placeholder_name(Placeholders *placeholders, ExpressionKind kind,
									const char *text);
extern void placeholder_value(Placeholders *placeholders, ExpressionKind kind,
							  const char *text, JsonbValue *value);

/* ---- reserved_words.c ---- */

extern bool is_reserved_word(const char *word);

/* ---- evaluate.c ---- */

extern bool node_matches(const ExpressionNode *node, JsonbContainer *item);

/* ---- condition.c ---- */

extern Condition *condition_make(ExpressionNode *root);

/* Does a path below the node lead into the attribute? */
extern bool node_reaches_into(const ExpressionNode *node, const char *attribute);

#endif							/* DYNAMO_TREE_H */
