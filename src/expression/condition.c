/*
 * condition.c
 *		Conditions and filters.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "expression/tree.h"

struct Condition
{
	ExpressionNode	   *root;
};

Condition *
condition_make(ExpressionNode *root)
{
	Condition  *condition = palloc(sizeof(Condition));

	condition->root = root;
	return condition;
}

Condition *
condition_parse(ExpressionKind kind, const char *text, Placeholders *placeholders)
{
	return condition_make(parse_and_check_condition(kind, text, placeholders));
}

bool
condition_matches(const Condition *condition, JsonbContainer *item)
{
	return node_matches(condition->root, item);
}

/* Add the attribute that a path begins with to a list of unique names. */
static List *
attributes_add(List *attributes, const Path *path)
{
	const PathElement *head = &path->elements[0];
	ListCell   *cell;

	foreach(cell, attributes)
	{
		if (strcmp(lfirst(cell), head->name) == 0)
			return attributes;
	}
	return lappend(attributes, pnstrdup(head->name, head->name_length));
}

static List *
node_attributes(List *attributes, const ExpressionNode *node)
{
	ListCell   *cell;

	check_stack_depth();
	if (node->kind == NODE_PATH)
		attributes = attributes_add(attributes, &node->path);
	foreach(cell, node->arguments)
		attributes = node_attributes(attributes, lfirst(cell));
	return attributes;
}

List *
condition_attributes(const Condition *condition)
{
	return node_attributes(NIL, condition->root);
}

bool
node_reaches_into(const ExpressionNode *node, const char *attribute)
{
	ListCell   *cell;

	check_stack_depth();
	if (node->kind == NODE_PATH && node->path.length > 1 &&
		strcmp(node->path.elements[0].name, attribute) == 0)
		return true;
	foreach(cell, node->arguments)
	{
		if (node_reaches_into(lfirst(cell), attribute))
			return true;
	}
	return false;
}

bool
condition_reaches_into(const Condition *condition, const char *attribute)
{
	return node_reaches_into(condition->root, attribute);
}
