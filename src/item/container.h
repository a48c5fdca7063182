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
extern bool elements_next(ElementWalk *walk, JsonbValue *element);
extern void members_begin(MemberWalk *walk, JsonbContainer *object);
extern bool members_next(MemberWalk *walk, JsonbValue *name, JsonbValue *value);

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
