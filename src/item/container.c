/*
 * container.c
 *		Reading jsonb containers in place.
 */
#include "postgres.h"

#include "item/container.h"

void
elements_begin(ElementWalk *walk, JsonbContainer *array)
{
	walk->container = array;
	walk->count = JsonContainerIsArray(array) ? JsonContainerSize(array) : 0;
	walk->base = (char *) &array->children[walk->count];
	walk->offset = 0;
	walk->next = 0;
}

void
members_begin(MemberWalk *walk, JsonbContainer *object)
{
	walk->container = object;
	walk->count = JsonContainerIsObject(object) ? JsonContainerSize(object) : 0;
	walk->base = (char *) &object->children[walk->count * 2];
	walk->name_offset = 0;
	walk->value_offset = walk->count > 0 ? getJsonbOffset(object, walk->count) : 0;
	walk->next = 0;
}

ContainerTag
container_tag(JsonbContainer *object, JsonbValue *content)
{
	MemberWalk	walk;
	JsonbValue	name;
	const char *tag;
	bool		is_array;

	if (!JsonContainerIsObject(object) || JsonContainerSize(object) != 1)
		return TAG_NONE;

	members_begin(&walk, object);
	members_take(&walk, &name, content);
	if (name.val.string.len == 0 || name.val.string.val[0] != '$')
		return TAG_NONE;

	tag = name.val.string.val + 1;
	is_array = content->type == jbvBinary && JsonContainerIsArray(content->val.binary.data);
	if (name.val.string.len == 2)
	{
		if (tag[0] == 'b' && content->type == jbvString)
			return TAG_B;
		if (tag[0] == 'm' && content->type == jbvBinary && !is_array)
			return TAG_M;
	}
	else if (name.val.string.len == 3 && tag[1] == 's' && is_array)
	{
		if (tag[0] == 's')
			return TAG_SS;
		if (tag[0] == 'n')
			return TAG_NS;
		if (tag[0] == 'b')
			return TAG_BS;
	}
	return TAG_UNKNOWN;
}
