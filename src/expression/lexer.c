/*
 * lexer.c
 *		Divides an expression into tokens.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"

#include "errors.h"
#include "expression/lexer.h"

typedef struct Keyword
{
	const char *word;
	TokenKind	kind;
} Keyword;

/* Each kind of expression knows the words of all of them. */
static const Keyword keywords[] = {
	{"ADD", TOKEN_ADD},
	{"AND", TOKEN_AND},
	{"BETWEEN", TOKEN_BETWEEN},
	{"DELETE", TOKEN_DELETE},
	{"IN", TOKEN_IN},
	{"NOT", TOKEN_NOT},
	{"OR", TOKEN_OR},
	{"REMOVE", TOKEN_REMOVE},
	{"SET", TOKEN_SET}
};

const char *
expression_kind_name(ExpressionKind kind)
{
	switch (kind)
	{
		case CONDITION_EXPRESSION:
			return "ConditionExpression";
		case FILTER_EXPRESSION:
			return "FilterExpression";
		case KEY_CONDITION_EXPRESSION:
			return "KeyConditionExpression";
		case PROJECTION_EXPRESSION:
			return "ProjectionExpression";
		case UPDATE_EXPRESSION:
			return "UpdateExpression";
	}
	pg_unreachable();
}

static bool
is_letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_word_character(char c)
{
	return is_letter(c) || is_digit(c) || c == '_';
}

bool
placeholder_is_well_formed(const char *key, char sign)
{
	if (key[0] != sign || key[1] == '\0')
		return false;
	for (const char *c = key + 1; *c != '\0'; c++)
	{
		if (!is_word_character(*c))
			return false;
	}
	return true;
}

static int
skip_blanks(const char *text, int position)
{
	return position + (int) strspn(text + position, " \t\r\n");
}

static int
word_end(const char *text, int position)
{
	while (is_word_character(text[position]))
		position++;
	return position;
}

static TokenKind
word_kind(const char *word, int length)
{
	for (int i = 0; i < lengthof(keywords); i++)
	{
		if (strlen(keywords[i].word) == length &&
			pg_strncasecmp(keywords[i].word, word, length) == 0)
			return keywords[i].kind;
	}
	return TOKEN_NAME;
}

/* A list index has no leading zeros: "01" is two tokens. */
static int
list_index_end(const char *text, int position)
{
	if (text[position] == '0')
		return position + 1;
	while (is_digit(text[position]))
		position++;
	return position;
}

static TokenKind
sign_kind(const char *text, int *length)
{
	*length = 1;
	switch (text[0])
	{
		case '=':
			return TOKEN_EQUAL;
		case '<':
			if (text[1] != '>' && text[1] != '=')
				return TOKEN_LESS;
			*length = 2;
			return text[1] == '>' ? TOKEN_NOT_EQUAL : TOKEN_LESS_OR_EQUAL;
		case '>':
			if (text[1] != '=')
				return TOKEN_GREATER;
			*length = 2;
			return TOKEN_GREATER_OR_EQUAL;
		case '+':
			return TOKEN_PLUS;
		case '-':
			return TOKEN_MINUS;
		case '(':
			return TOKEN_LEFT_PARENTHESIS;
		case ')':
			return TOKEN_RIGHT_PARENTHESIS;
		case '[':
			return TOKEN_LEFT_BRACKET;
		case ']':
			return TOKEN_RIGHT_BRACKET;
		case '.':
			return TOKEN_DOT;
		case ',':
			return TOKEN_COMMA;
		default:
			return TOKEN_INVALID;
	}
}

/* The token that begins at position, which is not a blank. */
static Token
scan_token(const Lexer *lexer, int position)
{
	const char *text = lexer->text;
	char		first = text[position];
	Token		token = {TOKEN_END, position, position};
	int			length;

	if (first == '\0')
		return token;

	if (is_letter(first))
	{
		token.end = word_end(text, position);
		token.kind = word_kind(text + position, token.end - position);
	}
	else if (is_digit(first))
	{
		token.end = list_index_end(text, position);
		token.kind = TOKEN_LIST_INDEX;
	}
	else if ((first == '#' || first == ':') && is_word_character(text[position + 1]))
	{
		token.end = word_end(text, position + 1);
		token.kind = first == '#' ? TOKEN_NAME_PLACEHOLDER : TOKEN_VALUE_PLACEHOLDER;
	}
	else
	{
		token.kind = sign_kind(text + position, &length);
		if (token.kind == TOKEN_INVALID)
			length = pg_mblen(text + position);
		token.end = Min(position + length, lexer->length);
	}
	return token;
}

void
lexer_init(Lexer *lexer, ExpressionKind kind, const char *text)
{
	size_t		length = strlen(text);
	int			count = 0;
	int			position = 0;

	if (length == 0)
		request_error("Invalid %s: The expression can not be empty;", expression_kind_name(kind));
	if (length > EXPRESSION_MAX_BYTES)
		request_error("Invalid %s: Expression size has exceeded the maximum allowed size; expression size: %zu",
					  expression_kind_name(kind), length);

	lexer->kind = kind;
	lexer->text = text;
	lexer->length = (int) length;
	lexer->tokens = palloc(sizeof(Token) * (length + 1));
	lexer->position = 0;
	lexer->depth = 0;
	do
	{
		position = skip_blanks(text, position);
		lexer->tokens[count] = scan_token(lexer, position);
		position = lexer->tokens[count].end;
	} while (lexer->tokens[count++].kind != TOKEN_END);
}

TokenKind
lexer_peek(const Lexer *lexer)
{
	return lexer->tokens[lexer->position].kind;
}

Token
lexer_next(Lexer *lexer)
{
	Token		token = lexer->tokens[lexer->position];

	if (token.kind != TOKEN_END)
		lexer->position++;
	return token;
}

bool
lexer_accept(Lexer *lexer, TokenKind kind)
{
	if (lexer_peek(lexer) != kind)
		return false;
	lexer_next(lexer);
	return true;
}

Token
lexer_expect(Lexer *lexer, TokenKind kind)
{
	if (lexer_peek(lexer) != kind)
		lexer_syntax_error(lexer);
	return lexer_next(lexer);
}

char *
lexer_text(const Lexer *lexer, Token token)
{
	return pnstrdup(lexer->text + token.start, token.end - token.start);
}

/*
 * What stands near the token reaches from the token before it to the token
 * after it, or to the ends of the text where there is none.
 */
void
lexer_syntax_error(const Lexer *lexer)
{
	const Token *token = &lexer->tokens[lexer->position];
	int			start = lexer->position > 0 ? token[-1].start : 0;
	int			end = lexer->length;

	if (token->kind != TOKEN_END && token[1].kind != TOKEN_END)
		end = token[1].end;
	request_error("Invalid %s: Syntax error; token: \"%s\", near: \"%s\"",
				  expression_kind_name(lexer->kind),
				  token->kind == TOKEN_END ? "<EOF>" : lexer_text(lexer, *token),
				  pnstrdup(lexer->text + start, end - start));
}
