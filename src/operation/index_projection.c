/*
 * index_projection.c
 *		What a secondary index stores of an item.
 */
#include "postgres.h"

#include "operation/index_projection.h"

/* Names of all attributes that the index stores; meaningless if it projects all. */
static List *
projected_names(const TableDescription *table, const IndexDescription *index)
{
	List	   *names = list_make1(table->partition->name);

	if (table->sort != NULL)
		names = lappend(names, table->sort->name);
	for (int i = 0; i < index->partition_count; i++)
		names = lappend(names, index->partition[i]->name);
	for (int i = 0; i < index->sort_count; i++)
		names = lappend(names, index->sort[i]->name);
	if (index->projection == PROJECT_INCLUDE)
		names = list_concat(names, index->included);
	return names;
}

static bool
list_has_name(const List *names, const char *name)
{
	ListCell   *cell;

	foreach(cell, names)
	{
		if (strcmp(lfirst(cell), name) == 0)
			return true;
	}
	return false;
}

Projection *
index_projection(const TableDescription *table, const IndexDescription *index)
{
	List	   *unique = NIL;
	ListCell   *cell;

	if (index->projection == PROJECT_ALL)
		return NULL;
	foreach(cell, projected_names(table, index))
	{
		if (!list_has_name(unique, lfirst(cell)))
			unique = lappend(unique, lfirst(cell));
	}
	return projection_from_attributes(unique);
}

bool
index_projects(const TableDescription *table, const IndexDescription *index, const char *attribute)
{
	return index->projection == PROJECT_ALL ||
		list_has_name(projected_names(table, index), attribute);
}
