/*
 * container.h
 *		Reading jsonb containers in place, without allocation, and the tags that
 *		tell DynamoDB's types apart in them.
 *
 * Private to the item room, except for people who must look at every member of
 * an item.
 */
#ifndef DYNAMO_CONTAINER_H
#define DYNAMO_CONTAINER_H

#include "postgres.h"
#include "utils/jsonb.h"

/* The elements of an array, in order. */
typedef struct ElementWalk
{
	JsonbContainer *container;
	char	   *base;			/* where the elements' data begins */
	uint32		offset;			/* of the next element's data */
	int			next;
	int			count;
} ElementWalk;

/* The members of an object, in jsonb's order (length, then bytes of the name). */
typedef struct MemberWalk
{
	JsonbContainer *container;
	char	   *base;
	uint32		name_offset;
	uint32		value_offset;
	int			next;
	int			count;
} MemberWalk;

/* A container that is not an array (object) has no elements (members). */
extern void elements_begin(ElementWalk *walk, JsonbContainer *array);
extern void members_begin(MemberWalk *walk, JsonbContainer *object);

/* Bytes of an entry whose data begins at offset. */
static inline uint32
container_entry_length(JEntry entry, uint32 offset)
{
	return JBE_HAS_OFF(entry) ? JBE_OFFLENFLD(entry) - offset : JBE_OFFLENFLD(entry);
}

/* The value of entry index, whose data begins at base + offset. */
static inline void
container_entry(JsonbContainer *container, char *base, uint32 offset, int index, JsonbValue *value)
{
	JEntry		entry = container->children[index];
	uint32		length = container_entry_length(entry, offset);

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

/* What is next, where the caller knows that there is something. */
static inline void
elements_take(ElementWalk *walk, JsonbValue *element)
{
	container_entry(walk->container, walk->base, walk->offset, walk->next, element);
	JBE_ADVANCE_OFFSET(walk->offset, walk->container->children[walk->next]);
	walk->next++;
}

static inline void
members_take(MemberWalk *walk, JsonbValue *name, JsonbValue *value)
{
	name->type = jbvString;
	name->val.string.val = walk->base + walk->name_offset;
	name->val.string.len = container_entry_length(walk->container->children[walk->next], walk->name_offset);
	container_entry(walk->container, walk->base, walk->value_offset, walk->next + walk->count, value);
	JBE_ADVANCE_OFFSET(walk->name_offset, walk->container->children[walk->next]);
	JBE_ADVANCE_OFFSET(walk->value_offset, walk->container->children[walk->next + walk->count]);
	walk->next++;
}

static inline bool
elements_next(ElementWalk *walk, JsonbValue *element)
{
	if (walk->next >= walk->count)
		return false;
	elements_take(walk, element);
	return true;
}

static inline bool
members_next(MemberWalk *walk, JsonbValue *name, JsonbValue *value)
{
	if (walk->next >= walk->count)
		return false;
	members_take(walk, name, value);
	return true;
}

/* What an object with exactly one key, beginning with '$', stands for. */
typedef enum ContainerTag
{
	TAG_NONE,					/* any other object: a plain map */
	TAG_B,
	TAG_SS,
	TAG_NS,
	TAG_BS,
	TAG_M,
	TAG_UNKNOWN					/* no known tag, or content of another JSON type */
} ContainerTag;

/*
 * The tag of a nested object and, unless it is TAG_NONE, what stands behind
 * it.  Never ask this of the root of an item, which is a map whatever its keys.
 */
extern ContainerTag container_tag(JsonbContainer *object, JsonbValue *content);

#endif							/* DYNAMO_CONTAINER_H */
