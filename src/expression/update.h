/*
 * update.h
 *		What an update expression, or AttributeUpdates, is parsed to.
 */
#ifndef DYNAMO_UPDATE_H
#define DYNAMO_UPDATE_H

#include "expression/path_tree.h"

typedef enum ActionKind
{
	ACTION_SET,
	ACTION_REMOVE,
	ACTION_ADD,
	ACTION_DELETE
} ActionKind;

#define ACTION_KIND_COUNT (ACTION_DELETE + 1)

typedef struct UpdateAction
{
	ActionKind	kind;
	Path	   *target;
	ExpressionNode	   *value;			/* NULL for REMOVE; a NODE_VALUE for ADD and DELETE */
} UpdateAction;

struct Update
{
	bool		legacy;			/* came from AttributeUpdates */
	List	   *actions;		/* of UpdateAction *, as written */
	PathTree	tree;			/* a node's ordinal is the action's place in the list */
};

extern UpdateAction *make_action(ActionKind kind, Path *target, ExpressionNode *value);

/* The update of actions whose paths and values are checked. */
extern Update *make_update(List *actions, bool legacy);

#endif							/* DYNAMO_UPDATE_H */
