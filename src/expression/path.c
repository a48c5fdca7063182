/*
 * path.c
 *		Document paths: walking them, comparing them, printing them.
 */
#include "postgres.h"

#include "lib/stringinfo.h"

#include "expression/tree.h"

static bool
path_element_equal(const PathElement *a, const PathElement *b)
{
	if (a->is_index || b->is_index)
		return a->is_index && b->is_index && a->index == b->index;
	return a->name_length == b->name_length && memcmp(a->name, b->name, a->name_length) == 0;
}

bool
path_equal(const Path *a, const Path *b)
{
	if (a->length != b->length)
		return false;
	for (int i = 0; i < a->length; i++)
	{
		if (!path_element_equal(&a->elements[i], &b->elements[i]))
			return false;
	}
	return true;
}

char *
path_to_text(const Path *path)
{
	StringInfoData text;

	initStringInfo(&text);
	appendStringInfoChar(&text, '[');
	for (int i = 0; i < path->length; i++)
	{
		const PathElement *element = &path->elements[i];

		if (i > 0)
			appendStringInfoString(&text, ", ");
		if (element->is_index)
			appendStringInfo(&text, "[%u]", element->index);
		else
			appendBinaryStringInfo(&text, element->name, element->name_length);
	}
	appendStringInfoChar(&text, ']');
	return text.data;
}

static bool
list_get(const JsonbValue *list, uint32 index, JsonbValue *element)
{
	JsonbValue *found;

	if (attribute_type(list) != ATTRIBUTE_L)
		return false;
	found = getIthJsonbValueFromContainer(attribute_elements(list), index);
	if (found == NULL)
		return false;
	*element = *found;
	return true;
}

static bool
map_get(const JsonbValue *map, const PathElement *name, JsonbValue *member)
{
	return attribute_type(map) == ATTRIBUTE_M &&
		attribute_get(attribute_members(map), name->name, name->name_length, member);
}

bool
path_get(const Path *path, JsonbContainer *item, JsonbValue *value)
{
	const PathElement *elements = path->elements;

	if (item == NULL ||
		!attribute_get(item, elements[0].name, elements[0].name_length, value))
		return false;
	for (int i = 1; i < path->length; i++)
	{
		JsonbValue	outer = *value;

		if (!(elements[i].is_index ? list_get(&outer, elements[i].index, value) :
			  map_get(&outer, &elements[i], value)))
			return false;
	}
	return true;
}

Path *
path_from_name(const char *name)
{
	Path	   *path = palloc(sizeof(Path));

	path->length = 1;
	path->elements = palloc0(sizeof(PathElement));
	path->elements[0].name = pstrdup(name);
	path->elements[0].name_length = (int) strlen(name);
	return path;
}
