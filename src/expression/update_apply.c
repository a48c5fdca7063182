/*
 * update_apply.c
 *		Applies an update to an item.
 *
 * The tree of the update's paths is walked beside the item, once; members
 * that no path leads to are taken over as they are.  What changes is built in
 * memory and becomes a jsonb at the end.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "errors.h"
#include "expression/update.h"
#include "item/build.h"
#include "item/container.h"
#include "item/item.h"
#include "item/number.h"

typedef struct ApplyState
{
	const Update *update;
	JsonbContainer *old;		/* all operands are read from it */
	int64		written;		/* size of the values written so far */
} ApplyState;

static void
invalid_path_error(void)
{
	validation_error("The document path provided in the update expression is invalid for update");
}

static void
type_error(const ApplyState *state)
{
	if (state->update->legacy)
		validation_error("Type mismatch for attribute to update");
	validation_error("An operand in the update expression has an incorrect data type");
}

/*
 * Paths do not overlap, so all written values are parts of the new item: it is
 * too large as soon as they are.  Without this, a short expression could copy
 * a large value hundreds of times.
 */
static void
charge(ApplyState *state, const JsonbValue *value)
{
	state->written += attribute_value_size(value);
	if (state->written > ITEM_MAX_SIZE)
		validation_error("Item size to update has exceeded the maximum allowed size");
}

/* ---- lists and sets ---- */

static void
make_list(JsonbValue *list, JsonbValue *elements, int count)
{
	list->type = jbvArray;
	list->val.array.rawScalar = false;
	list->val.array.nElems = count;
	list->val.array.elems = elements;
}

/* Copy the elements of a list or set to where elements points; returns their number. */
static int
copy_elements(const JsonbValue *list_or_set, JsonbValue *elements)
{
	JsonbContainer *container = attribute_elements(list_or_set);
	JsonbIterator *iterator = JsonbIteratorInit(container);
	JsonbIteratorToken token;
	JsonbValue	element;
	int			count = 0;

	while ((token = JsonbIteratorNext(&iterator, &element, true)) != WJB_DONE)
	{
		if (token == WJB_ELEM)
			elements[count++] = element;
	}
	return count;
}

static int
element_count(const JsonbValue *list_or_set)
{
	return JsonContainerSize(attribute_elements(list_or_set));
}

static void
append_lists(ApplyState *state, const JsonbValue *first, const JsonbValue *second,
			 JsonbValue *result)
{
	int			count = element_count(first) + element_count(second);
	JsonbValue *elements = palloc(sizeof(JsonbValue) * Max(count, 1));
	int			copied;

	charge(state, first);
	charge(state, second);
	copied = copy_elements(first, elements);
	copy_elements(second, elements + copied);
	make_list(result, elements, count);
}

static void
make_set(AttributeType type, JsonbValue *members, int count, JsonbValue *result)
{
	const char *tag = type == ATTRIBUTE_SS ? "$ss" : type == ATTRIBUTE_NS ? "$ns" : "$bs";
	JsonbPair  *pair = palloc0(sizeof(JsonbPair));

	pair->key.type = jbvString;
	pair->key.val.string.val = unconstify(char *, tag);
	pair->key.val.string.len = 3;
	make_list(&pair->value, members, count);
	result->type = jbvObject;
	result->val.object.nPairs = 1;
	result->val.object.pairs = pair;
}

/* The members of a set; an item that did not pass the gate may hold any JSON there. */
static JsonbValue *
set_members(ApplyState *state, const JsonbValue *set, int count)
{
	JsonbValue *members = palloc(sizeof(JsonbValue) * Max(count, 1));
	enum jbvType wanted = attribute_type(set) == ATTRIBUTE_NS ? jbvNumeric : jbvString;

	copy_elements(set, members);
	for (int i = 0; i < count; i++)
	{
		if (members[i].type != wanted)
			type_error(state);
	}
	return members;
}

/*
 * Merge two sets of the same type, both sorted and unique: their union, or
 * the first without the members of the second.  Returns the number of members.
 */
static int
merge_sets(ApplyState *state, const JsonbValue *first, const JsonbValue *second, bool is_union,
		   JsonbValue *result)
{
	AttributeType type = attribute_type(first);
	int			first_count = element_count(first);
	int			second_count = element_count(second);
	JsonbValue *a = set_members(state, first, first_count);
	JsonbValue *b = set_members(state, second, second_count);
	JsonbValue *merged = palloc(sizeof(JsonbValue) * Max(first_count + second_count, 1));
	int			i = 0;
	int			j = 0;
	int			count = 0;

	while (i < first_count || (is_union && j < second_count))
	{
		int			order = i == first_count ? 1 : j == second_count ? -1 :
			set_member_compare(type, &a[i], &b[j]);

		if (order < 0 || (order == 0 && is_union))
			merged[count++] = a[i];
		else if (order > 0 && is_union)
			merged[count++] = b[j];
		if (order <= 0)
			i++;
		if (order >= 0)
			j++;
	}
	make_set(type, merged, count, result);
	return count;
}

/* ---- values of SET ---- */

static void evaluate(ApplyState *state, const ExpressionNode *node, JsonbValue *result);

/* Evaluate an argument that must be of a type. */
static void
evaluate_typed(ApplyState *state, const ExpressionNode *node, int argument, AttributeType type,
			   JsonbValue *result)
{
	evaluate(state, node_argument(node, argument), result);
	if (attribute_type(result) != type)
		type_error(state);
}

static void
evaluate_arithmetic(ApplyState *state, const ExpressionNode *node, JsonbValue *result)
{
	JsonbValue	a;
	JsonbValue	b;

	evaluate_typed(state, node, 0, ATTRIBUTE_N, &a);
	evaluate_typed(state, node, 1, ATTRIBUTE_N, &b);
	result->type = jbvNumeric;
	result->val.numeric = node->kind == NODE_PLUS ?
		number_add(a.val.numeric, b.val.numeric) :
		number_subtract(a.val.numeric, b.val.numeric);
}

/* The value for the missing attribute is wanted even if it is not missing. */
static void
evaluate_if_not_exists(ApplyState *state, const ExpressionNode *node, JsonbValue *result)
{
	JsonbValue	otherwise;

	evaluate(state, node_argument(node, 1), &otherwise);
	if (!path_get(&node_argument(node, 0)->path, state->old, result))
		*result = otherwise;
}

static void
evaluate(ApplyState *state, const ExpressionNode *node, JsonbValue *result)
{
	check_stack_depth();
	switch (node->kind)
	{
		case NODE_PATH:
			if (!path_get(&node->path, state->old, result))
				validation_error("The provided expression refers to an attribute that does not exist in the item");
			return;
		case NODE_VALUE:
			*result = node->value;
			return;
		case NODE_PLUS:
		case NODE_MINUS:
			evaluate_arithmetic(state, node, result);
			return;
		case NODE_CALL:
			if (node->function == FUNCTION_IF_NOT_EXISTS)
			{
				evaluate_if_not_exists(state, node, result);
				return;
			}
			/* FALLTHROUGH */
		default:
			elog(ERROR, "unexpected operand of an update: %d", (int) node->kind);
	}
}

/* list_append() is the whole value or nothing, so only here is a list built. */
static void
evaluate_assigned(ApplyState *state, const ExpressionNode *node, JsonbValue *result)
{
	JsonbValue	first;
	JsonbValue	second;

	if (node->kind == NODE_CALL && node->function == FUNCTION_LIST_APPEND)
	{
		evaluate_typed(state, node, 0, ATTRIBUTE_L, &first);
		evaluate_typed(state, node, 1, ATTRIBUTE_L, &second);
		append_lists(state, &first, &second, result);
		return;
	}
	evaluate(state, node, result);
	charge(state, result);
}

/* ---- actions ---- */

static void
apply_add(ApplyState *state, const JsonbValue *operand, const JsonbValue *old, JsonbValue *result)
{
	AttributeType type = attribute_type(operand);

	if (old == NULL)
	{
		*result = *operand;
		charge(state, operand);
		return;
	}
	if (attribute_type(old) != type)
		type_error(state);
	if (type == ATTRIBUTE_L)
	{
		append_lists(state, old, operand, result);
		return;
	}
	if (type == ATTRIBUTE_N)
	{
		result->type = jbvNumeric;
		result->val.numeric = number_add(old->val.numeric, operand->val.numeric);
		charge(state, result);
		return;
	}
	charge(state, operand);
	merge_sets(state, old, operand, true, result);
}

static bool
apply_delete(ApplyState *state, const JsonbValue *operand, const JsonbValue *old,
			 JsonbValue *result)
{
	if (old == NULL)
		return false;
	if (attribute_type(old) != attribute_type(operand))
		type_error(state);
	return merge_sets(state, old, operand, false, result) > 0;
}

/* Levels of nesting of a value: one, and those of the deepest member. */
static int
value_levels(const JsonbValue *value)
{
	AttributeType type;
	JsonbIterator *iterator;
	JsonbIteratorToken token;
	JsonbValue	member;
	int			deepest = 0;

	check_stack_depth();
	if (value->type == jbvArray)
	{
		for (int i = 0; i < value->val.array.nElems; i++)
		{
			/* Max() would evaluate the call twice */
			int			levels = value_levels(&value->val.array.elems[i]);

			deepest = Max(deepest, levels);
		}
		return deepest + 1;
	}
	type = attribute_type(value);
	if (type != ATTRIBUTE_L && type != ATTRIBUTE_M)
		return 1;
	iterator = JsonbIteratorInit(type == ATTRIBUTE_L ?
								 attribute_elements(value) : attribute_members(value));
	while ((token = JsonbIteratorNext(&iterator, &member, true)) != WJB_DONE)
	{
		int			levels;

		if (token != WJB_ELEM && token != WJB_VALUE)
			continue;
		levels = value_levels(&member);
		deepest = Max(deepest, levels);
	}
	return deepest + 1;
}

/* A value moves deeper only if it is written below a list or map. */
static void
check_nesting(const UpdateAction *action, const JsonbValue *value)
{
	if (action->target->length > 1 &&
		action->target->length - 1 + value_levels(value) > ATTRIBUTE_MAX_NESTING)
		validation_error("Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit");
}

/* False if the action leaves nothing in its place. */
static bool
apply_action(ApplyState *state, const UpdateAction *action, const JsonbValue *old,
			 JsonbValue *result)
{
	switch (action->kind)
	{
		case ACTION_SET:
			evaluate_assigned(state, action->value, result);
			check_nesting(action, result);
			return true;
		case ACTION_REMOVE:
			return false;
		case ACTION_ADD:
			apply_add(state, &action->value->value, old, result);
			return true;
		case ACTION_DELETE:
			return apply_delete(state, &action->value->value, old, result);
	}
	pg_unreachable();
}

/* ---- the walk ---- */

static bool apply_node(ApplyState *state, const PathNode *node, const JsonbValue *old,
					   JsonbValue *result);

static void
apply_list(ApplyState *state, const PathNode *node, const JsonbValue *old, JsonbValue *result)
{
	int			old_count = element_count(old);
	JsonbValue *elements = palloc(sizeof(JsonbValue) * (old_count + node->count));
	JsonbValue *kept = elements + node->count;
	int			count = 0;
	int			next = 0;

	/* the old elements stand behind the room for new ones and move forward */
	copy_elements(old, kept);
	for (int i = 0; i < old_count; i++)
	{
		JsonbValue	element = kept[i];

		if (next == node->count || node->children[next]->element.index != i)
			elements[count++] = element;
		else if (apply_node(state, node->children[next++], &element, &elements[count]))
			count++;
	}
	for (; next < node->count; next++)
	{
		if (apply_node(state, node->children[next], NULL, &elements[count]))
			count++;
	}
	make_list(result, elements, count);
}

/* A child that leads to a member which is not there; its value is added if it has one. */
static void
apply_absent_member(ApplyState *state, const PathNode *child, JsonbValue *map)
{
	JsonbPair  *pair = &map->val.object.pairs[map->val.object.nPairs];

	if (!apply_node(state, child, NULL, &pair->value))
		return;
	pair->key.type = jbvString;
	pair->key.val.string.val = unconstify(char *, child->element.name);
	pair->key.val.string.len = child->element.name_length;
	map->val.object.nPairs++;
}

static int
compare_child_name(const PathNode *child, const JsonbValue *name)
{
	return compare_names(child->element.name, child->element.name_length,
						 name->val.string.val, name->val.string.len);
}

static void
apply_map(ApplyState *state, const PathNode *node, JsonbContainer *old, JsonbValue *result)
{
	MemberWalk	walk;
	JsonbValue	name;
	JsonbValue	value;
	int			next = 0;

	result->type = jbvObject;
	result->val.object.nPairs = 0;
	result->val.object.pairs =
		palloc0(sizeof(JsonbPair) * (JsonContainerSize(old) + node->count));
	members_begin(&walk, old);
	while (members_next(&walk, &name, &value))
	{
		JsonbPair  *pair;

		while (next < node->count && compare_child_name(node->children[next], &name) < 0)
			apply_absent_member(state, node->children[next++], result);
		pair = &result->val.object.pairs[result->val.object.nPairs];
		pair->key = name;
		if (next == node->count || compare_child_name(node->children[next], &name) != 0)
			pair->value = value;
		else if (!apply_node(state, node->children[next++], &value, &pair->value))
			continue;
		result->val.object.nPairs++;
	}
	while (next < node->count)
		apply_absent_member(state, node->children[next++], result);
}

/*
 * The new value of what the node stands for; false if it has none.  old is
 * NULL if it had none.
 */
static bool
apply_node(ApplyState *state, const PathNode *node, const JsonbValue *old, JsonbValue *result)
{
	if (node->count == 0)
		return apply_action(state, list_nth(state->update->actions, node->ordinal), old, result);

	if (old == NULL ||
		attribute_type(old) != (node_is_list(node) ? ATTRIBUTE_L : ATTRIBUTE_M))
		invalid_path_error();
	if (node_is_list(node))
		apply_list(state, node, old, result);
	else
	{
		apply_map(state, node, attribute_members(old), result);
		map_finish(result);
	}
	return true;
}

Jsonb *
update_apply(const Update *update, JsonbContainer *old)
{
	ApplyState	state = {update, old, 0};
	JsonbValue	result;

	apply_map(&state, &update->tree.root, old, &result);
	return built_value_to_jsonb(&result);
}
