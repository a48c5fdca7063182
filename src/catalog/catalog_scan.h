/*
 * catalog_scan.h
 *		Rows of the extension's own catalog: found, read and changed.
 *
 * A scan reads under a snapshot of the moment it begins at, not the
 * transaction's as SPI would: a REPEATABLE READ writer must not see a column
 * that an index has added without the row that says what it is for.
 *
 * Write locks on the catalog's tables stay until the end of the transaction,
 * read locks go with the scan.
 */
#ifndef DYNAMO_CATALOG_SCAN_H
#define DYNAMO_CATALOG_SCAN_H

#include "postgres.h"
#include "access/genam.h"
#include "access/skey.h"
#include "nodes/pg_list.h"
#include "storage/lockdefs.h"
#include "utils/jsonb.h"
#include "utils/rel.h"

typedef struct CatalogScan
{
	Relation	catalog;
	LOCKMODE	lockmode;
	SysScanDesc scan;
	HeapTuple	row;			/* the current row; invalid after the last */
} CatalogScan;

/*
 * Begin a scan of table dynamo.TABLE, in the order of its primary key.  The
 * keys are on the first columns of that key; their column numbers are the
 * table's.  Without keys: all rows, in no order.
 */
extern void catalog_scan_begin(CatalogScan *scan, const char *table, LOCKMODE lockmode,
							   ScanKeyData *keys, int key_count);

/* The rows of one item relation, whose OID is the first column. */
extern void catalog_scan_relation(CatalogScan *scan, const char *table, LOCKMODE lockmode,
								  Oid relation);

/* Go to the next row; false if there is none. */
extern bool catalog_scan_next(CatalogScan *scan);

/*
 * Go to the next row whose text column has the value; false if there is none.
 * For names, of which a relation has few: the index on text is in the
 * database's collation.
 */
extern bool catalog_scan_find(CatalogScan *scan, AttrNumber column, const char *value);

extern void catalog_scan_end(CatalogScan *scan);

/* ---- columns of the current row; what is a pointer is palloc'd ---- */

extern Datum catalog_scan_datum(const CatalogScan *scan, AttrNumber column, bool *isnull);
extern char *catalog_scan_text(const CatalogScan *scan, AttrNumber column); /* NULL for a null */
extern char *catalog_scan_name(const CatalogScan *scan, AttrNumber column); /* NULL for a null */
extern List *catalog_scan_text_list(const CatalogScan *scan, AttrNumber column);	/* of a text[]: char * */
extern Jsonb *catalog_scan_jsonb(const CatalogScan *scan, AttrNumber column);
extern char catalog_scan_char(const CatalogScan *scan, AttrNumber column);
extern Oid	catalog_scan_oid(const CatalogScan *scan, AttrNumber column);
extern int32 catalog_scan_int32(const CatalogScan *scan, AttrNumber column);	/* 0 for a null */
extern int64 catalog_scan_int64(const CatalogScan *scan, AttrNumber column);	/* the same; times, too */

/* ---- changes, in scans with a lock to write ---- */

/* Set columns of the current row: those to replace, or all if that is NULL. */
extern void catalog_scan_update(CatalogScan *scan, Datum *values, bool *nulls, bool *replace);

/* Set one column of the current row, not to a null. */
extern void catalog_scan_set(CatalogScan *scan, AttrNumber column, Datum value);

/* Delete the current row. */
extern void catalog_scan_delete(CatalogScan *scan);

/* Insert a row into dynamo.TABLE, visible to the next scan. */
extern void catalog_insert_row(const char *table, Datum *values, bool *nulls);

#endif							/* DYNAMO_CATALOG_SCAN_H */
