/*
 * normalize.c
 *		What people type as plain JSON, brought to the stored form.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "errors.h"
#include "item/build.h"
#include "item/container.h"
#include "item/item.h"
#include "item/number.h"
#include "item/validate.h"

static void push_normal(JsonbParseState **state, JsonbIteratorToken token,
						const JsonbValue *value, int depth);

/* What is wrong with a scalar is found by item_check() at the end. */
static JsonbValue
normal_scalar(const JsonbValue *value)
{
	JsonbValue	normal = *value;

	if (value->type == jbvNumeric)
		normal.val.numeric = number_normalize(value->val.numeric);
	return normal;
}

static void
push_normal_set(JsonbParseState **state, AttributeType type, JsonbContainer *set)
{
	enum jbvType member_type = type == ATTRIBUTE_NS ? jbvNumeric : jbvString;
	int			count = JsonContainerSize(set);
	JsonbValue *members;
	ElementWalk walk;
	JsonbValue	member;
	int			done = 0;

	if (count == 0)
		validation_error("%s", set_empty_text(type));

	members = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(JsonbValue) * (Size) count);
	elements_begin(&walk, set);
	while (elements_next(&walk, &member))
	{
		if (member.type != member_type)
			validation_error("%s", BAD_SET_TEXT);
		members[done++] = normal_scalar(&member);
	}
	if (!set_sort(type, members, count))
		validation_error("One or more parameter values were invalid: Input collection contains duplicates");
	set_push(state, type, members, count);
	pfree(members);
}

static void
push_normal_list(JsonbParseState **state, JsonbContainer *list, int depth)
{
	ElementWalk walk;
	JsonbValue	element;

	pushJsonbValue(state, WJB_BEGIN_ARRAY, NULL);
	elements_begin(&walk, list);
	while (elements_next(&walk, &element))
		push_normal(state, WJB_ELEM, &element, depth);
	pushJsonbValue(state, WJB_END_ARRAY, NULL);
}

static void
push_normal_members(JsonbParseState **state, JsonbContainer *map, int depth)
{
	MemberWalk	walk;
	JsonbValue	name;
	JsonbValue	value;

	members_begin(&walk, map);
	while (members_next(&walk, &name, &value))
	{
		pushJsonbValue(state, WJB_KEY, &name);
		push_normal(state, WJB_VALUE, &value, depth);
	}
}

static void
push_normal_map(JsonbParseState **state, JsonbContainer *map, int depth)
{
	JsonbValue	content;
	bool		wrap = container_tag(map, &content) != TAG_NONE;

	map_push_begin(state, wrap);
	push_normal_members(state, map, depth);
	map_push_end(state, wrap);
}

static void
push_normal_container(JsonbParseState **state, JsonbContainer *container, int depth)
{
	JsonbValue	content;

	/* more elements than an item has bytes: do not even begin to copy them */
	if (JsonContainerSize(container) > ITEM_MAX_SIZE)
		validation_error("%s", ITEM_SIZE_TEXT);
	if (JsonContainerIsArray(container))
	{
		push_normal_list(state, container, depth + 1);
		return;
	}
	switch (container_tag(container, &content))
	{
		case TAG_NONE:
			push_normal_map(state, container, depth + 1);
			break;
		case TAG_M:
			push_normal_map(state, content.val.binary.data, depth + 1);
			break;
		case TAG_B:
			binary_push(state, &content);
			break;
		case TAG_SS:
			push_normal_set(state, ATTRIBUTE_SS, content.val.binary.data);
			break;
		case TAG_NS:
			push_normal_set(state, ATTRIBUTE_NS, content.val.binary.data);
			break;
		case TAG_BS:
			push_normal_set(state, ATTRIBUTE_BS, content.val.binary.data);
			break;
		case TAG_UNKNOWN:
			refuse_tag(container);
	}
}

static void
push_normal(JsonbParseState **state, JsonbIteratorToken token, const JsonbValue *value, int depth)
{
	JsonbValue	normal;

	CHECK_FOR_INTERRUPTS();
	if (depth >= ATTRIBUTE_MAX_NESTING)
		validation_error("%s", NESTING_TEXT);
	if (value->type == jbvBinary)
	{
		push_normal_container(state, value->val.binary.data, depth);
		return;
	}
	normal = normal_scalar(value);
	pushJsonbValue(state, token, &normal);
}

Jsonb *
item_normalize(Jsonb *item)
{
	JsonbParseState *state = NULL;
	Jsonb	   *result;

	if (!JB_ROOT_IS_OBJECT(item))
		validation_error("%s", NOT_AN_ITEM_TEXT);
	pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
	push_normal_members(&state, &item->root, 0);
	result = JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_OBJECT, NULL));
	item_check(result);
	return result;
}

void
attribute_normalize(Jsonb *jb, JsonbValue *value)
{
	JsonbParseState *state = NULL;
	JsonbValue	given;
	JsonbContainer *array;

	attribute_from_jsonb(jb, &given);
	pushJsonbValue(&state, WJB_BEGIN_ARRAY, NULL);
	push_normal(&state, WJB_ELEM, &given, 0);
	array = &JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_ARRAY, NULL))->root;
	*value = *getIthJsonbValueFromContainer(array, 0);
	attribute_check(value);
}
