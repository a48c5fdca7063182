/*
 * lexer.h
 *		Tokens of an expression and the errors of its syntax.
 */
#ifndef DYNAMO_LEXER_H
#define DYNAMO_LEXER_H

#include "compat.h"
#include "expression/expression.h"

typedef enum TokenKind
{
	TOKEN_END,
	TOKEN_INVALID,				/* a character that begins no token */
	TOKEN_NAME,
	TOKEN_NAME_PLACEHOLDER,		/* #name */
	TOKEN_VALUE_PLACEHOLDER,	/* :value */
	TOKEN_LIST_INDEX,
	TOKEN_ADD,
	TOKEN_AND,
	TOKEN_BETWEEN,
	TOKEN_DELETE,
	TOKEN_IN,
	TOKEN_NOT,
	TOKEN_OR,
	TOKEN_REMOVE,
	TOKEN_SET,
	TOKEN_EQUAL,
	TOKEN_NOT_EQUAL,
	TOKEN_LESS,
	TOKEN_LESS_OR_EQUAL,
	TOKEN_GREATER,
	TOKEN_GREATER_OR_EQUAL,
	TOKEN_PLUS,
	TOKEN_MINUS,
	TOKEN_LEFT_PARENTHESIS,
	TOKEN_RIGHT_PARENTHESIS,
	TOKEN_LEFT_BRACKET,
	TOKEN_RIGHT_BRACKET,
	TOKEN_DOT,
	TOKEN_COMMA
} TokenKind;

typedef struct Token
{
	TokenKind	kind;
	int			start;			/* offsets into the text */
	int			end;
} Token;

typedef struct Lexer
{
	ExpressionKind kind;
	const char *text;
	int			length;
	Token	   *tokens;			/* the last is TOKEN_END */
	int			position;		/* of the token to be read next */
	int			depth;			/* of parentheses and calls the parser is in */
} Lexer;

/* Checks the expression's size and divides it into tokens. */
extern void lexer_init(Lexer *lexer, ExpressionKind kind, const char *text);

/* The kind of the token to be read next. */
extern TokenKind lexer_peek(const Lexer *lexer);

/* Reads a token. */
extern Token lexer_next(Lexer *lexer);

/* Reads a token if it is of this kind. */
extern bool lexer_accept(Lexer *lexer, TokenKind kind);

/* Reads a token of this kind; anything else is a syntax error. */
extern Token lexer_expect(Lexer *lexer, TokenKind kind);

/* A copy of the token's text. */
extern char *lexer_text(const Lexer *lexer, Token token);

/* Raises the syntax error of the token to be read next. */
pg_noreturn extern void lexer_syntax_error(const Lexer *lexer);

/* Placeholder names in requests have the same form as in expressions. */
extern bool placeholder_is_well_formed(const char *key, char sign);

#endif							/* DYNAMO_LEXER_H */
