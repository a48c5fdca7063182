/*
 * table_description.h
 *		An item table as the control plane sees it: opened, described.
 */
#ifndef DYNAMO_TABLE_DESCRIPTION_H
#define DYNAMO_TABLE_DESCRIPTION_H

#include "postgres.h"
#include "storage/lockdefs.h"

#include "catalog/rows.h"
#include "compat.h"
#include "operation/operation.h"
#include "operation/table_settings.h"

/* An open item relation with all that is known of its table. */
typedef struct ItemTable
{
	Relation	relation;
	TableDescription *description;
	TableRow	row;
	TableSettings settings;
	IndexSettings *indexes;		/* beside description->indexes */
	List	   *builds;			/* BuildRow *: of indexes that UpdateTable has made */
} ItemTable;

/*
 * Open a table, by its bare name.  NULL if there is none; the relation stays
 * locked until the end of the transaction, item_table_close() closes it.
 */
extern ItemTable *item_table_open(const char *table_name, LOCKMODE lockmode);

/*
 * The same for a change of what is kept of it: refused in a read-only
 * transaction (operation is the API's name) and for all but the owner, before
 * the lock is taken, so that nobody can stop others' work on a table that he
 * may not change.  ShareUpdateExclusiveLock stands for index_lock_changes(),
 * which the build of an index does not hold up; AccessExclusiveLock is not
 * waited for while indexes are being built.
 */
extern ItemTable *item_table_open_owned(const char *table_name, LOCKMODE lockmode,
										const char *operation);

/* The same after the catalog's rows were changed in this transaction. */
extern ItemTable *item_table_reload(const ItemTable *table);

extern void item_table_close(ItemTable *table);

/* ResourceNotFoundException for a table. */
pg_noreturn extern void table_not_found(const char *table_name);

/* In which answer a table is described. */
typedef enum DescriptionKind
{
	DESCRIPTION_CREATED,		/* CreateTable */
	DESCRIPTION_PRESENT,		/* DescribeTable; UpdateTable's changes done at once */
	DESCRIPTION_UPDATED,		/* UpdateTable */
	DESCRIPTION_DELETED			/* DeleteTable */
} DescriptionKind;

/* The members of a TableDescription, with braces. */
extern void table_description_append(JsonWriter *out, const ItemTable *table, DescriptionKind kind);

#endif							/* DYNAMO_TABLE_DESCRIPTION_H */
