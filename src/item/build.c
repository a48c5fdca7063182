/*
 * build.c
 *		Building attribute values with pushJsonbValue().
 */
#include "postgres.h"

#include "item/build.h"

typedef struct SortContext
{
	AttributeType set_type;
	bool		duplicate;
} SortContext;

static int
compare_members(const void *a, const void *b, void *argument)
{
	SortContext *context = argument;
	int			order = set_member_compare(context->set_type, a, b);

	if (order == 0)
		context->duplicate = true;
	return order;
}

bool
set_sort(AttributeType set_type, JsonbValue *members, int count)
{
	SortContext context = {set_type, false};

	/* a sort compares all equal neighbours of its result */
	qsort_arg(members, count, sizeof(JsonbValue), compare_members, &context);
	return !context.duplicate;
}

void
name_push(JsonbParseState **state, const char *name)
{
	JsonbValue	key;

	key.type = jbvString;
	key.val.string.val = unconstify(char *, name);
	key.val.string.len = strlen(name);
	pushJsonbValue(state, WJB_KEY, &key);
}

void
set_push(JsonbParseState **state, AttributeType set_type, const JsonbValue *members, int count)
{
	pushJsonbValue(state, WJB_BEGIN_OBJECT, NULL);
	name_push(state, set_type == ATTRIBUTE_SS ? "$ss" : set_type == ATTRIBUTE_NS ? "$ns" : "$bs");
	pushJsonbValue(state, WJB_BEGIN_ARRAY, NULL);
	for (int i = 0; i < count; i++)
		pushJsonbValue(state, WJB_ELEM, unconstify(JsonbValue *, &members[i]));
	pushJsonbValue(state, WJB_END_ARRAY, NULL);
	pushJsonbValue(state, WJB_END_OBJECT, NULL);
}

void
binary_push(JsonbParseState **state, const JsonbValue *base64)
{
	pushJsonbValue(state, WJB_BEGIN_OBJECT, NULL);
	name_push(state, "$b");
	pushJsonbValue(state, WJB_VALUE, unconstify(JsonbValue *, base64));
	pushJsonbValue(state, WJB_END_OBJECT, NULL);
}

void
map_push_begin(JsonbParseState **state, bool wrap)
{
	pushJsonbValue(state, WJB_BEGIN_OBJECT, NULL);
	if (wrap)
	{
		name_push(state, "$m");
		pushJsonbValue(state, WJB_BEGIN_OBJECT, NULL);
	}
}

JsonbValue *
map_push_end(JsonbParseState **state, bool wrap)
{
	JsonbValue *result = pushJsonbValue(state, WJB_END_OBJECT, NULL);

	if (wrap)
		result = pushJsonbValue(state, WJB_END_OBJECT, NULL);
	return result;
}
