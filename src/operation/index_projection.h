/*
 * index_projection.h
 *		What a secondary index stores of an item.
 */
#ifndef DYNAMO_INDEX_PROJECTION_H
#define DYNAMO_INDEX_PROJECTION_H

#include "postgres.h"

#include "catalog/description.h"
#include "expression/expression.h"

/* The projection to the index's attributes; NULL if the index projects all. */
extern Projection *index_projection(const TableDescription *table, const IndexDescription *index);

/* Does the index store this top-level attribute? */
extern bool index_projects(const TableDescription *table, const IndexDescription *index, const char *attribute);

#endif							/* DYNAMO_INDEX_PROJECTION_H */
