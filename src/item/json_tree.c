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

static cJSON *tree_from_value(TreeOwner *owner, cJSON *parent, const JsonbValue *name,
							  const JsonbValue *value, int depth);

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

static void pg_attribute_noreturn()
out_of_memory(void)
{
	ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
}

/* A copy that cJSON_Delete() frees. */
static char *
tree_string(const JsonbValue *string)
{
	char	   *copy = cJSON_malloc((size_t) string->val.string.len + 1);

	if (copy == NULL)
		out_of_memory();
	memcpy(copy, string->val.string.val, string->val.string.len);
	copy[string->val.string.len] = '\0';
	return copy;
}

static double
tree_number(Numeric number)
{
	return DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, NumericGetDatum(number)));
}

/* A node without its string or children; NULL when memory is out. */
static cJSON *
create_node(const JsonbValue *value)
{
	cJSON	   *node;

	switch (value->type)
	{
		case jbvNull:
			return cJSON_CreateNull();
		case jbvBool:
			return cJSON_CreateBool(value->val.boolean);
		case jbvNumeric:
			return cJSON_CreateNumber(tree_number(value->val.numeric));
		case jbvString:
			node = cJSON_CreateNull();
			if (node)
				node->type = cJSON_String;
			return node;
		case jbvBinary:
			return JsonContainerIsArray(value->val.binary.data) ?
				cJSON_CreateArray() : cJSON_CreateObject();
		default:
			elog(ERROR, "unexpected jsonb value type %d", (int) value->type);
	}
	pg_unreachable();
}

static void
add_children(TreeOwner *owner, cJSON *node, JsonbContainer *container, int depth)
{
	ElementWalk elements;
	MemberWalk	members;
	JsonbValue	name;
	JsonbValue	value;

	elements_begin(&elements, container);
	while (elements_next(&elements, &value))
		tree_from_value(owner, node, NULL, &value, depth);
	members_begin(&members, container);
	while (members_next(&members, &name, &value))
		tree_from_value(owner, node, &name, &value, depth);
}

/*
 * Appends the value to parent, or makes it the owner's tree: a node belongs to
 * the tree before anything that can fail happens.
 */
static cJSON *
tree_from_value(TreeOwner *owner, cJSON *parent, const JsonbValue *name,
				const JsonbValue *value, int depth)
{
	cJSON	   *node;

	CHECK_FOR_INTERRUPTS();
	if (depth > JSON_TREE_MAX_DEPTH)
		validation_error("%s", NESTING_TEXT);

	node = create_node(value);
	if (node == NULL)
		out_of_memory();
	if (parent == NULL)
		owner->tree = node;
	else
		cJSON_AddItemToArray(parent, node);

	if (name)
		node->string = tree_string(name);
	if (value->type == jbvString)
		node->valuestring = tree_string(value);
	else if (value->type == jbvBinary)
		add_children(owner, node, value->val.binary.data, depth + 1);
	return node;
}

cJSON *
json_tree_from_jsonb(Jsonb *jb)
{
	TreeOwner  *owner = create_owner();
	JsonbValue	value;

	attribute_from_jsonb(jb, &value);
	return tree_from_value(owner, NULL, NULL, &value, 0);
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
