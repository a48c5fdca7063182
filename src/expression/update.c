/*
 * update.c
 *		Parses update expressions.
 *
 *		update := { section }
 *		section := SET path = value {, ..} | REMOVE path {, ..}
 *			| ADD path :value {, ..} | DELETE path :value {, ..}
 *		value := operand | operand + operand | operand - operand | ( value )
 */
#include "postgres.h"

#include "miscadmin.h"

#include "errors.h"
#include "expression/update.h"

static const char *const section_names[ACTION_KIND_COUNT] = {
	[ACTION_SET] = "SET",
	[ACTION_REMOVE] = "REMOVE",
	[ACTION_ADD] = "ADD",
	[ACTION_DELETE] = "DELETE"
};

/* An update as written: its actions, and the first section that came again. */
typedef struct ParsedUpdate
{
	List	   *actions;
	bool		seen[ACTION_KIND_COUNT];
	const char *repeated;
} ParsedUpdate;

UpdateAction *
make_action(ActionKind kind, Path *target, ExpressionNode *value)
{
	UpdateAction *action = palloc(sizeof(UpdateAction));

	action->kind = kind;
	action->target = target;
	action->value = value;
	return action;
}

Update *
make_update(List *actions, bool legacy)
{
	Update	   *update = palloc0(sizeof(Update));
	ListCell   *cell;

	update->legacy = legacy;
	update->actions = actions;
	foreach(cell, actions)
	{
		UpdateAction *action = lfirst(cell);

		path_tree_insert(&update->tree, UPDATE_EXPRESSION, action->target);
	}
	path_tree_check(&update->tree, UPDATE_EXPRESSION);
	return update;
}

/* ---- syntax ---- */

static ExpressionNode *
parse_value(Lexer *lexer)
{
	ExpressionNode	   *node;
	NodeKind	kind;

	check_stack_depth();
	if (lexer_peek(lexer) == TOKEN_LEFT_PARENTHESIS)
	{
		parse_open_parenthesis(lexer);
		node = parse_value(lexer);
		parse_close_parenthesis(lexer, node);
	}
	else
		node = parse_plain_operand(lexer);

	if (node->kind == NODE_PLUS || node->kind == NODE_MINUS)
		return node;
	if (lexer_accept(lexer, TOKEN_PLUS))
		kind = NODE_PLUS;
	else if (lexer_accept(lexer, TOKEN_MINUS))
		kind = NODE_MINUS;
	else
		return node;
	return make_node(kind, list_make2(node, parse_operand(lexer)));
}

static ExpressionNode *
parse_value_placeholder(Lexer *lexer)
{
	if (lexer_peek(lexer) != TOKEN_VALUE_PLACEHOLDER)
		lexer_syntax_error(lexer);
	return parse_plain_operand(lexer);
}

static UpdateAction *
parse_action(Lexer *lexer, ActionKind kind)
{
	Path	   *target = palloc(sizeof(Path));
	ExpressionNode	   *value = NULL;

	*target = parse_path(lexer);
	if (kind == ACTION_SET)
	{
		lexer_expect(lexer, TOKEN_EQUAL);
		value = parse_value(lexer);
	}
	else if (kind != ACTION_REMOVE)
		value = parse_value_placeholder(lexer);
	return make_action(kind, target, value);
}

static ActionKind
parse_section_name(Lexer *lexer)
{
	switch (lexer_peek(lexer))
	{
		case TOKEN_SET:
			lexer_next(lexer);
			return ACTION_SET;
		case TOKEN_REMOVE:
			lexer_next(lexer);
			return ACTION_REMOVE;
		case TOKEN_ADD:
			lexer_next(lexer);
			return ACTION_ADD;
		case TOKEN_DELETE:
			lexer_next(lexer);
			return ACTION_DELETE;
		default:
			lexer_syntax_error(lexer);
	}
}

static void
parse_section(Lexer *lexer, ParsedUpdate *parsed)
{
	ActionKind	kind = parse_section_name(lexer);

	if (parsed->seen[kind] && parsed->repeated == NULL)
		parsed->repeated = section_names[kind];
	parsed->seen[kind] = true;
	do
		parsed->actions = lappend(parsed->actions, parse_action(lexer, kind));
	while (lexer_accept(lexer, TOKEN_COMMA));
}

/* ---- meaning ---- */

static void
check_action_words(const Checker *checker, const UpdateAction *action)
{
	check_path_words(checker, action->target);
	if (action->value)
		check_words(checker, action->value, POSITION_ASSIGNED);
}

/* ADD and DELETE name types in their own way. */
static void
check_action_type(const UpdateAction *action)
{
	AttributeType type = attribute_type(&action->value->value);

	if (type == ATTRIBUTE_SS || type == ATTRIBUTE_NS || type == ATTRIBUTE_BS ||
		(type == ATTRIBUTE_N && action->kind == ACTION_ADD))
		return;
	request_error("Invalid UpdateExpression: Incorrect operand type for operator or function; operator: %s, operand type: %s, typeSet: ALLOWED_FOR_%s_OPERAND",
				  section_names[action->kind], attribute_type_word(type),
				  section_names[action->kind]);
}

/* Names are looked up in all actions before the first value is. */
static void
resolve_placeholders(Checker *checker, List *actions)
{
	ListCell   *cell;

	foreach(cell, actions)
	{
		UpdateAction *action = lfirst(cell);

		check_path(checker, action->target);
		if (action->value)
			resolve_operands(checker, action->value, NODE_PATH);
	}
	foreach(cell, actions)
	{
		UpdateAction *action = lfirst(cell);

		if (action->value)
			resolve_operands(checker, action->value, NODE_VALUE);
	}
	checker->resolved = true;
}

static void
check_action_value(Checker *checker, const UpdateAction *action)
{
	if (action->value == NULL)
		return;
	check_operands(checker, action->value);
	if (action->kind != ACTION_SET)
		check_action_type(action);
}

Update *
update_parse(const char *text, Placeholders *placeholders)
{
	Lexer		lexer;
	ParsedUpdate parsed = {NIL};
	Checker		checker = {UPDATE_EXPRESSION, placeholders};
	Update	   *update;
	ListCell   *cell;

	lexer_init(&lexer, UPDATE_EXPRESSION, text);
	do
		parse_section(&lexer, &parsed);
	while (!lexer_accept(&lexer, TOKEN_END));

	foreach(cell, parsed.actions)
		check_action_words(&checker, lfirst(cell));
	if (parsed.repeated)
		request_error("Invalid UpdateExpression: The \"%s\" section can only be used once in an update expression;",
					  parsed.repeated);
	resolve_placeholders(&checker, parsed.actions);
	update = make_update(parsed.actions, false);
	foreach(cell, parsed.actions)
		check_action_value(&checker, lfirst(cell));
	check_operator_count(&checker);
	return update;
}

/* ---- what is known of an update without an item ---- */

List *
update_attributes(const Update *update)
{
	return path_tree_attributes(&update->tree);
}

bool
update_reaches_into(const Update *update, const char *attribute)
{
	ListCell   *cell;

	if (path_tree_reaches_into(&update->tree, attribute))
		return true;
	foreach(cell, update->actions)
	{
		UpdateAction *action = lfirst(cell);

		if (action->value && node_reaches_into(action->value, attribute))
			return true;
	}
	return false;
}

bool
update_assigns(const Update *update, const char *attribute, JsonbValue *value)
{
	ListCell   *cell;

	foreach(cell, update->actions)
	{
		const UpdateAction *action = lfirst(cell);

		if (action->kind == ACTION_SET && action->target->length == 1 &&
			action->value->kind == NODE_VALUE &&
			strcmp(action->target->elements[0].name, attribute) == 0)
		{
			*value = action->value->value;
			return true;
		}
	}
	return false;
}

static bool
has_action(const Update *update, ActionKind kind)
{
	ListCell   *cell;

	foreach(cell, update->actions)
	{
		if (((UpdateAction *) lfirst(cell))->kind == kind)
			return true;
	}
	return false;
}

/* An update without any action creates the item. */
bool
update_creates_nothing(const Update *update)
{
	return update->actions != NIL && !has_action(update, ACTION_SET) && !has_action(update, ACTION_ADD);
}

/* REMOVE alone does nothing to an absent item, wherever its paths lead. */
Jsonb *
update_create(const Update *update, JsonbContainer *key)
{
	bool		nothing = update_creates_nothing(update);
	Jsonb	   *item;

	if (nothing && !has_action(update, ACTION_DELETE))
		return NULL;
	item = update_apply(update, key);
	return nothing ? NULL : item;
}

Jsonb *
update_project(const Update *update, JsonbContainer *item)
{
	return path_tree_project(&update->tree, item);
}
