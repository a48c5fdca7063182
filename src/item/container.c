/*
 * container.c
 *		Reading jsonb containers in place.
 */
#include "postgres.h"

#include "item/container.h"

/* The value of entry index, whose data begins at base + offset. */
static void
entry_value(JsonbContainer *container, char *base, uint32 offset, int index, JsonbValue *value)
{
	JEntry		entry = container->children[index];
	uint32		length = JBE_HAS_OFF(entry) ? JBE_OFFLENFLD(entry) - offset : JBE_OFFLENFLD(entry);

	if (JBE_ISSTRING(entry))
	{
		value->type = jbvString;
		value->val.string.val = base + offset;
		value->val.string.len = length;
	}
	else if (JBE_ISNUMERIC(entry))
	{
		value->type = jbvNumeric;
		value->val.numeric = (Numeric) (base + INTALIGN(offset));
	}
	else if (JBE_ISBOOL(entry))
	{
		value->type = jbvBool;
		value->val.boolean = JBE_ISBOOL_TRUE(entry);
	}
	else if (JBE_ISNULL(entry))
		value->type = jbvNull;
	else
	{
		/* containers begin aligned; the padding before them is in their length */
		value->type = jbvBinary;
		value->val.binary.data = (JsonbContainer *) (base + INTALIGN(offset));
		value->val.binary.len = length - (INTALIGN(offset) - offset);
	}
}

void
elements_begin(ElementWalk *walk, JsonbContainer *array)
{
	walk->container = array;
	walk->count = JsonContainerIsArray(array) ? JsonContainerSize(array) : 0;
	walk->base = (char *) &array->children[walk->count];
	walk->offset = 0;
	walk->next = 0;
}

bool
elements_next(ElementWalk *walk, JsonbValue *element)
{
	if (walk->next >= walk->count)
		return false;

	entry_value(walk->container, walk->base, walk->offset, walk->next, element);
	JBE_ADVANCE_OFFSET(walk->offset, walk->container->children[walk->next]);
	walk->next++;
	return true;
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

bool
members_next(MemberWalk *walk, JsonbValue *name, JsonbValue *value)
{
	if (walk->next >= walk->count)
		return false;

	entry_value(walk->container, walk->base, walk->name_offset, walk->next, name);
	entry_value(walk->container, walk->base, walk->value_offset, walk->next + walk->count, value);
	JBE_ADVANCE_OFFSET(walk->name_offset, walk->container->children[walk->next]);
	JBE_ADVANCE_OFFSET(walk->value_offset, walk->container->children[walk->next + walk->count]);
	walk->next++;
	return true;
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
	members_next(&walk, &name, content);
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
