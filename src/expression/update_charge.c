/*
 * update_charge.c
 *		What UpdateItem charges an update expression for.
 *
 * Beside the size of the finished item, UpdateItem limits the size of the
 * statement: each clause has an overhead, names and values count as often as
 * they stand in it, what a path reads is free.  The figures were measured on the
 * service.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "expression/update.h"
#include "item/base64.h"
#include "item/build.h"
#include "item/item.h"

#define STATEMENT_CHARGE	 3
#define WRITE_CHARGE		 19 /* SET, ADD */
#define CLEAR_CHARGE		 1	/* REMOVE, DELETE */
#define TARGET_STEP_CHARGE	 4	/* per element after the first */
#define PATH_CHARGE			 1	/* a path that is read */
#define PATH_STEP_CHARGE	 14 /* per element, the first too */
#define PLUS_CHARGE			 34
#define MINUS_CHARGE		 37
#define IF_NOT_EXISTS_CHARGE 39
#define LIST_APPEND_CHARGE	 37

static int64
element_size(const PathElement *element)
{
	return element->is_index ? element->name_length :
		item_string_size(element->name, element->name_length);
}

static int64
target_charge(const Path *target)
{
	int64		charge = element_size(&target->elements[0]);

	for (int i = 1; i < target->length; i++)
		charge += TARGET_STEP_CHARGE + element_size(&target->elements[i]);
	return charge;
}

static int64
path_charge(const Path *path)
{
	int64		charge = PATH_CHARGE;

	for (int i = 0; i < path->length; i++)
		charge += PATH_STEP_CHARGE + element_size(&path->elements[i]);
	return charge;
}

static int64
operator_charge(const ExpressionNode *node)
{
	switch (node->kind)
	{
		case NODE_PLUS:
			return PLUS_CHARGE;
		case NODE_MINUS:
			return MINUS_CHARGE;
		default:
			return node->function == FUNCTION_IF_NOT_EXISTS ?
				IF_NOT_EXISTS_CHARGE : LIST_APPEND_CHARGE;
	}
}

static int64
operand_charge(const ExpressionNode *node)
{
	int64		charge;
	ListCell   *cell;

	check_stack_depth();
	if (node->kind == NODE_PATH)
		return path_charge(&node->path);
	if (node->kind == NODE_VALUE)
		return attribute_value_size(&node->value);

	charge = operator_charge(node);
	foreach(cell, node->arguments)
		charge += operand_charge(lfirst(cell));
	return charge;
}

/* The size of the members that a set does not have yet; both are sorted. */
static int64
new_members_size(AttributeType type, JsonbContainer *added, JsonbContainer *present)
{
	uint32		present_count = JsonContainerSize(present);
	uint32		next = 0;
	int64		size = 0;

	for (uint32 i = 0; i < JsonContainerSize(added); i++)
	{
		JsonbValue *member = getIthJsonbValueFromContainer(added, i);
		int			order = 1;

		while (next < present_count &&
			   (order = set_member_compare(type, getIthJsonbValueFromContainer(present, next), member)) < 0)
			next++;
		if (next < present_count && order == 0)
			continue;
		size += type == ATTRIBUTE_BS ?
			base64_byte_count(member->val.string.val, member->val.string.len) :
			attribute_value_size(member);
	}
	return size;
}

static int64
added_charge(const UpdateAction *action, JsonbContainer *old)
{
	const JsonbValue *operand = &action->value->value;
	AttributeType type = attribute_type(operand);
	JsonbValue	present;

	if (type == ATTRIBUTE_N || !path_get(action->target, old, &present) ||
		attribute_type(&present) != type)
		return attribute_value_size(operand);
	return new_members_size(type, attribute_elements(operand), attribute_elements(&present));
}

int64
update_charge(const Update *update, JsonbContainer *old)
{
	int64		charge = STATEMENT_CHARGE;
	ListCell   *cell;

	if (update->legacy)
		return 0;
	foreach(cell, update->actions)
	{
		const UpdateAction *action = lfirst(cell);

		charge += target_charge(action->target);
		switch (action->kind)
		{
			case ACTION_SET:
				charge += WRITE_CHARGE + operand_charge(action->value);
				break;
			case ACTION_ADD:
				charge += WRITE_CHARGE + added_charge(action, old);
				break;
			case ACTION_REMOVE:
			case ACTION_DELETE:
				charge += CLEAR_CHARGE;
				break;
		}
	}
	return charge;
}
