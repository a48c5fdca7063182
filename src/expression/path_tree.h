/*
 * path_tree.h
 *		The paths of a projection or an update as a tree, walked beside an item.
 */
#ifndef DYNAMO_PATH_TREE_H
#define DYNAMO_PATH_TREE_H

#include "expression/tree.h"

/*
 * A node without children is the end of a path.  Children are in the order in
 * which jsonb keeps members (names by length, then bytes), indexes by number,
 * so that both can be walked side by side.  All children are of one kind.
 */
typedef struct PathNode
{
	PathElement element;		/* unset in the root */
	const Path *path;			/* the last path that was put here or below */
	int			ordinal;		/* of the path that ends here, in order of insertion */
	int			count;
	int			space;
	struct PathNode **children;
} PathNode;

typedef struct PathTree
{
	PathNode	root;
	int			paths;			/* inserted so far */
	const Path *conflict[2];	/* the first pair of paths in conflict, if any */
} PathTree;

/*
 * Insert a path, which must stay where it is.  Raises the error of two paths
 * that overlap; conflicts are only remembered, for path_tree_check().
 */
extern void path_tree_insert(PathTree *tree, ExpressionKind kind, const Path *path);
extern void path_tree_check(const PathTree *tree, ExpressionKind kind);

/* Top-level names of all paths. */
extern List *path_tree_attributes(const PathTree *tree);

/* Does a path lead into this top-level attribute? */
extern bool path_tree_reaches_into(const PathTree *tree, const char *attribute);

/*
 * What of an item the paths lead to, in its hierarchy, lists without gaps, as
 * jsonb; NULL if it is nothing.
 */
extern Jsonb *path_tree_project(const PathTree *tree, JsonbContainer *item);

/* The same as DynamoDB JSON; {} if it is nothing. */
extern void path_tree_append(JsonWriter *out, const PathTree *tree, JsonbContainer *item);

/* ---- values built in memory (jbvObject, jbvArray over attribute values) ---- */

/* An order for children and members: length, then bytes. */
extern int	compare_names(const char *a, int a_length, const char *b, int b_length);

/* Make a map of a jbvObject's pairs: wrapped if it could be taken for a tag. */
extern void map_finish(JsonbValue *map);

/* A jsonb of a value built in memory. */
extern Jsonb *built_value_to_jsonb(const JsonbValue *value);

/* Is a node's content a list (else a map)? */
static inline bool
node_is_list(const PathNode *node)
{
	return node->children[0]->element.is_index;
}

#endif							/* DYNAMO_PATH_TREE_H */
