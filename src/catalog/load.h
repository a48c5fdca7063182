/*
 * load.h
 *		Reading a description from the catalog's rows; private to this room.
 */
#ifndef DYNAMO_LOAD_H
#define DYNAMO_LOAD_H

#include "catalog/description.h"

/*
 * Fill a zeroed description, in the current memory context, from the rows of
 * root.  False if the rows are not there, or not all of them yet.
 */
extern bool load_description(TableDescription *description, Relation relation, Oid root);

#endif							/* DYNAMO_LOAD_H */
