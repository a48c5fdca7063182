/*
 * tie_break.h
 *		The table's key behind the keys of an index.
 *
 * Among equal index keys the table's key only has to give some fixed order, so
 * a long one is replaced by a prefix and its SHA-256: a B-tree entry has room
 * for 2,704 bytes.  The expression in an index reads the key column only, so
 * it does not stand in the way of HOT updates.
 */
#ifndef DYNAMO_TIE_BREAK_H
#define DYNAMO_TIE_BREAK_H

#include "postgres.h"

#include "item/attribute.h"

#define TIE_BREAK_PREFIX_BYTES 128

/* The SQL expression over a quoted key column.  Palloc'd. */
extern char *tie_break_sql(AttributeType type, const char *quoted_column);

/* Its value for a column value. */
extern Datum tie_break_value(Datum column_value, AttributeType type);

#endif							/* DYNAMO_TIE_BREAK_H */
