/*
 * json_tree.c
 *		cJSON trees that a memory context owns.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/builtins.h"

#include "errors.h"
#include "item/container.h"
#include "item/json_tree.h"
#include "item/validate.h"

typedef struct TreeOwner
{
	MemoryContextCallback callback;
	cJSON	   *tree;
} TreeOwner;

static void
free_tree(void *argument)
{
	TreeOwner  *owner = argument;

	cJSON_Delete(owner->tree);
	owner->tree = NULL;
}

/* Registered before there is a tree: from then on no error can leak it. */
static TreeOwner *
create_owner(void)
{
	TreeOwner  *owner = palloc0(sizeof(TreeOwner));

	owner->callback.func = free_tree;
	owner->callback.arg = owner;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, &owner->callback);
	return owner;
}

static double
tree_number(Numeric number)
{
	return DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, NumericGetDatum(number)));
}

static char *
copy_string(char *to, const JsonbValue *string)
{
	memcpy(to, string->val.string.val, string->val.string.len);
	to[string->val.string.len] = '\0';
	return to;
}

/*
 * A node with its strings behind it, in one piece of the current memory
 * context: such a tree is never cJSON_Delete()d.
 */
static cJSON *
create_node(const JsonbValue *name, const JsonbValue *value)
{
	Size		name_size = name ? (Size) name->val.string.len + 1 : 0;
	Size		string_size = value->type == jbvString ? (Size) value->val.string.len + 1 : 0;
	cJSON	   *node = palloc(sizeof(cJSON) + name_size + string_size);
	char	   *strings = (char *) (node + 1);

	memset(node, 0, sizeof(cJSON));
	if (name)
		node->string = copy_string(strings, name);
	switch (value->type)
	{
		case jbvNull:
			node->type = cJSON_NULL;
			break;
		case jbvBool:
			node->type = value->val.boolean ? cJSON_True : cJSON_False;
			break;
		case jbvNumeric:
			node->type = cJSON_Number;
			cJSON_SetNumberHelper(node, tree_number(value->val.numeric));
			break;
		case jbvString:
			node->type = cJSON_String;
			node->valuestring = copy_string(strings + name_size, value);
			break;
		case jbvBinary:
			node->type = JsonContainerIsArray(value->val.binary.data) ? cJSON_Array : cJSON_Object;
			break;
		default:
			elog(ERROR, "unexpected jsonb value type %d", (int) value->type);
	}
	return node;
}

static void add_children(cJSON *node, JsonbContainer *container, int depth);

static cJSON *
tree_from_value(const JsonbValue *name, const JsonbValue *value, int depth)
{
	cJSON	   *node;

	CHECK_FOR_INTERRUPTS();
	if (depth > JSON_TREE_MAX_DEPTH)
		validation_error("%s", NESTING_TEXT);

	node = create_node(name, value);
	if (value->type == jbvBinary)
		add_children(node, value->val.binary.data, depth + 1);
	return node;
}

static void
add_children(cJSON *node, JsonbContainer *container, int depth)
{
	ElementWalk elements;
	MemberWalk	members;
	JsonbValue	name;
	JsonbValue	value;

	elements_begin(&elements, container);
	while (elements_next(&elements, &value))
		cJSON_AddItemToArray(node, tree_from_value(NULL, &value, depth));
	members_begin(&members, container);
	while (members_next(&members, &name, &value))
		cJSON_AddItemToArray(node, tree_from_value(&name, &value, depth));
}

cJSON *
json_tree_from_jsonb(Jsonb *jb)
{
	JsonbValue	value;

	attribute_from_jsonb(jb, &value);
	return tree_from_value(NULL, &value, 0);
}

/* cJSON would cut a string at \u0000, silently. */
static bool
has_zero_escape(const char *text, size_t length)
{
	const char *at = text;
	const char *end = text + length;

	while ((at = memmem(at, end - at, "\\u0000", 6)) != NULL)
	{
		const char *first = at;

		/* an odd number of backslashes begins an escape */
		while (first > text && first[-1] == '\\')
			first--;
		if ((at - first) % 2 == 0)
			return true;
		at++;
	}
	return false;
}

static void
check_depth(const cJSON *node, int depth)
{
	if (depth > JSON_TREE_MAX_DEPTH)
		validation_error("%s", NESTING_TEXT);
	for (const cJSON *child = node->child; child; child = child->next)
	{
		if (child->child)
			check_depth(child, depth + 1);
	}
}

cJSON *
json_tree_parse(const char *text, size_t length)
{
	TreeOwner  *owner;
	const char *after = NULL;

	if (memchr(text, '\0', length) || has_zero_escape(text, length))
		return NULL;

	owner = create_owner();
	owner->tree = cJSON_ParseWithLengthOpts(text, length, &after, false);
	if (owner->tree == NULL)
		return NULL;
	for (; after < text + length; after++)
	{
		if (strchr(" \t\r\n", *after) == NULL)
			return NULL;
	}
	check_depth(owner->tree, 0);
	return owner->tree;
}
