/*
 * path_tree.c
 *		Trees of document paths, and what they select from an item.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "errors.h"
#include "expression/path_tree.h"
#include "item/item.h"

/* ---- building ---- */

int
compare_names(const char *a, int a_length, const char *b, int b_length)
{
	if (a_length != b_length)
		return a_length < b_length ? -1 : 1;
	return memcmp(a, b, a_length);
}

static int
compare_elements(const PathElement *a, const PathElement *b)
{
	if (a->is_index != b->is_index)
		return a->is_index ? -1 : 1;
	if (a->is_index)
		return (a->index > b->index) - (a->index < b->index);
	return compare_names(a->name, a->name_length, b->name, b->name_length);
}

/* The place of an element among the children; true if it is there already. */
static bool
find_child(const PathNode *node, const PathElement *element, int *place)
{
	int			low = 0;
	int			high = node->count;

	while (low < high)
	{
		int			middle = low + (high - low) / 2;
		int			order = compare_elements(&node->children[middle]->element, element);

		if (order == 0)
		{
			*place = middle;
			return true;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*place = low;
	return false;
}

static PathNode *
add_child(PathNode *node, int place, const PathElement *element)
{
	PathNode   *child = palloc0(sizeof(PathNode));

	child->element = *element;
	if (node->count == node->space)
	{
		node->space = Max(4, node->space * 2);
		node->children = node->children == NULL ?
			palloc(sizeof(PathNode *) * node->space) :
			repalloc(node->children, sizeof(PathNode *) * node->space);
	}
	memmove(&node->children[place + 1], &node->children[place],
			sizeof(PathNode *) * (node->count - place));
	node->children[place] = child;
	node->count++;
	return child;
}

static void
overlap_error(ExpressionKind kind, const Path *one, const Path *two)
{
	request_error("Invalid %s: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: %s, path two: %s",
				  expression_kind_name(kind), path_to_text(one), path_to_text(two));
}

void
path_tree_insert(PathTree *tree, ExpressionKind kind, const Path *path)
{
	PathNode   *node = &tree->root;

	for (int i = 0; i < path->length; i++)
	{
		const PathElement *element = &path->elements[i];
		int			place;

		/* only the end of an earlier path has no children */
		if (i > 0 && node->count == 0 && node->path != path)
			overlap_error(kind, node->path, path);
		if (tree->conflict[0] == NULL && node->count > 0 &&
			node->children[0]->element.is_index != element->is_index)
		{
			tree->conflict[0] = node->path;
			tree->conflict[1] = path;
		}
		node->path = path;
		node = find_child(node, element, &place) ?
			node->children[place] : add_child(node, place, element);
		if (node->path == NULL)
			node->path = path;
	}
	if (node->path != path || node->count > 0)
		overlap_error(kind, node->path, path);
	node->ordinal = tree->paths++;
}

void
path_tree_check(const PathTree *tree, ExpressionKind kind)
{
	if (tree->conflict[0])
		request_error("Invalid %s: Two document paths conflict with each other; must remove or rewrite one of these paths; path one: %s, path two: %s",
					  expression_kind_name(kind), path_to_text(tree->conflict[0]),
					  path_to_text(tree->conflict[1]));
}

List *
path_tree_attributes(const PathTree *tree)
{
	List	   *attributes = NIL;

	for (int i = 0; i < tree->root.count; i++)
		attributes = lappend(attributes, pstrdup(tree->root.children[i]->element.name));
	return attributes;
}

bool
path_tree_reaches_into(const PathTree *tree, const char *attribute)
{
	PathElement element = {.name = attribute, .name_length = (int) strlen(attribute)};
	int			place;

	return find_child(&tree->root, &element, &place) && tree->root.children[place]->count > 0;
}

/* ---- values built in memory ---- */

void
map_finish(JsonbValue *map)
{
	JsonbPair  *pairs = map->val.object.pairs;
	JsonbPair  *wrapper;

	if (map->val.object.nPairs != 1 ||
		pairs[0].key.val.string.len == 0 || pairs[0].key.val.string.val[0] != '$')
		return;
	wrapper = palloc0(sizeof(JsonbPair));
	wrapper->key.type = jbvString;
	wrapper->key.val.string.val = "$m";
	wrapper->key.val.string.len = 2;
	wrapper->value = *map;
	map->val.object.pairs = wrapper;
}

static void
write_built_value(JsonWriter *out, const JsonbValue *value)
{
	check_stack_depth();
	if (value->type == jbvArray)
	{
		json_write_open(out, '[');
		for (int i = 0; i < value->val.array.nElems; i++)
			write_built_value(out, &value->val.array.elems[i]);
		json_write_close(out, ']');
	}
	else if (value->type == jbvObject)
	{
		json_write_open(out, '{');
		for (int i = 0; i < value->val.object.nPairs; i++)
		{
			const JsonbPair *pair = &value->val.object.pairs[i];

			json_write_name(out, pair->key.val.string.val, pair->key.val.string.len);
			write_built_value(out, &pair->value);
		}
		json_write_close(out, '}');
	}
	else
		json_write_stored(out, value);
}

Jsonb *
built_value_to_jsonb(const JsonbValue *value)
{
	JsonWriter	out;

	json_writer_begin_jsonb(&out);
	write_built_value(&out, value);
	return json_writer_jsonb(&out);
}

/* ---- selecting ---- */

/* The child's part of a member of map or an element of list. */
static bool
child_get(const PathNode *child, JsonbContainer *container, JsonbValue *value)
{
	const PathElement *element = &child->element;
	JsonbValue *found;

	if (!element->is_index)
		return attribute_get(container, element->name, element->name_length, value);
	found = getIthJsonbValueFromContainer(container, element->index);
	if (found)
		*value = *found;
	return found != NULL;
}

/* The container the node's children lead into; NULL if the value is none. */
static JsonbContainer *
node_container(const PathNode *node, const JsonbValue *value)
{
	if (node_is_list(node))
		return attribute_type(value) == ATTRIBUTE_L ? attribute_elements(value) : NULL;
	return attribute_type(value) == ATTRIBUTE_M ? attribute_members(value) : NULL;
}

static bool select_children(const PathNode *node, JsonbContainer *container, JsonbValue *result);

static bool
select_value(const PathNode *node, const JsonbValue *value, JsonbValue *result)
{
	JsonbContainer *container;

	if (node->count == 0)
	{
		*result = *value;
		return true;
	}
	container = node_container(node, value);
	if (container == NULL || !select_children(node, container, result))
		return false;
	if (result->type == jbvObject)
		map_finish(result);
	return true;
}

/* False if nothing is selected; then a list or map leaves no trace. */
static bool
select_children(const PathNode *node, JsonbContainer *container, JsonbValue *result)
{
	bool		is_list = node_is_list(node);
	JsonbValue *elements = is_list ? palloc(sizeof(JsonbValue) * node->count) : NULL;
	JsonbPair  *pairs = is_list ? NULL : palloc0(sizeof(JsonbPair) * node->count);
	int			count = 0;

	for (int i = 0; i < node->count; i++)
	{
		const PathNode *child = node->children[i];
		JsonbValue	value;

		if (!child_get(child, container, &value) ||
			!select_value(child, &value, is_list ? &elements[count] : &pairs[count].value))
			continue;
		if (!is_list)
		{
			pairs[count].key.type = jbvString;
			pairs[count].key.val.string.val = unconstify(char *, child->element.name);
			pairs[count].key.val.string.len = child->element.name_length;
		}
		count++;
	}
	if (is_list)
	{
		result->type = jbvArray;
		result->val.array.nElems = count;
		result->val.array.elems = elements;
		result->val.array.rawScalar = false;
	}
	else
	{
		result->type = jbvObject;
		result->val.object.nPairs = count;
		result->val.object.pairs = pairs;
	}
	return count > 0;
}

Jsonb *
path_tree_project(const PathTree *tree, JsonbContainer *item)
{
	JsonbValue	result;

	if (item == NULL || tree->root.count == 0 || !select_children(&tree->root, item, &result))
		return NULL;
	return built_value_to_jsonb(&result);
}

static bool append_children(JsonWriter *out, const PathNode *node, JsonbContainer *container);

static bool
append_value(JsonWriter *out, const PathNode *node, const JsonbValue *value)
{
	JsonbContainer *container;
	bool		any;

	if (node->count == 0)
	{
		attribute_to_dynamodb_json(out, value);
		return true;
	}
	container = node_container(node, value);
	if (container == NULL)
		return false;
	json_write_open(out, '{');
	json_write_name(out, node_is_list(node) ? "L" : "M", 1);
	json_write_open(out, node_is_list(node) ? '[' : '{');
	any = append_children(out, node, container);
	json_write_close(out, node_is_list(node) ? ']' : '}');
	json_write_close(out, '}');
	return any;
}

/* What a child has begun to write and has nothing in it is taken back. */
static bool
append_children(JsonWriter *out, const PathNode *node, JsonbContainer *container)
{
	bool		any = false;

	for (int i = 0; i < node->count; i++)
	{
		const PathNode *child = node->children[i];
		JsonMark	mark = json_write_mark(out);
		JsonbValue	value;

		if (!child_get(child, container, &value))
			continue;
		if (!child->element.is_index)
			json_write_name(out, child->element.name, child->element.name_length);
		if (append_value(out, child, &value))
			any = true;
		else
			json_write_take_back(out, mark);
	}
	return any;
}

void
path_tree_append(JsonWriter *out, const PathTree *tree, JsonbContainer *item)
{
	json_write_open(out, '{');
	if (item && tree->root.count > 0)
		append_children(out, &tree->root, item);
	json_write_close(out, '}');
}
