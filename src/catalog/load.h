/*
 * load.h
 *		Reading a description from the catalog's rows; private to this room.
 */
#ifndef DYNAMO_LOAD_H
#define DYNAMO_LOAD_H

#include "catalog/catalog.h"

/* Columns of the catalog's tables, as dynamo--1.0.sql creates them. */
#define TABLES_TABLE_NAME		2
#define TABLES_PARTITION_KEY	5
#define TABLES_SORT_KEY			6

#define ATTRIBUTES_ATTRIBUTE	2
#define ATTRIBUTES_TYPE			3
#define ATTRIBUTES_COLUMN_NAME	4

#define INDEXES_INDEX_NAME		2
#define INDEXES_INDEX_RELATION	3
#define INDEXES_KIND			4
#define INDEXES_PARTITION_KEYS	5
#define INDEXES_SORT_KEYS		6
#define INDEXES_PROJECTION		7
#define INDEXES_INCLUDED		8
#define INDEXES_STATUS			9

/*
 * Fill a zeroed description, in the current memory context, from the rows of
 * root.  False if the rows are not there, or not all of them yet.
 */
extern bool load_description(TableDescription *description, Relation relation, Oid root);

#endif							/* DYNAMO_LOAD_H */
