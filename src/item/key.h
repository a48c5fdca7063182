/*
 * key.h
 *		Key attributes as column values.
 *
 * A key column is text COLLATE "C", numeric or bytea.  A partition key needs
 * equality only, so a value of more than KEY_PREFIX_BYTES is kept as a prefix
 * and its SHA-256: always longer than KEY_PREFIX_BYTES, so that no short key
 * can be taken for it.  Sort keys are kept whole.
 */
#ifndef DYNAMO_KEY_H
#define DYNAMO_KEY_H

#include "postgres.h"
#include "item/attribute.h"

#define KEY_PREFIX_BYTES		600
#define KEY_MAX_PARTITION_BYTES 2048
#define KEY_MAX_SORT_BYTES		1024

/* The SQL type of a key column of this attribute type (S, N, B). */
extern Oid	key_column_type(AttributeType type);

/*
 * The column value of a key attribute: exact, or digested when partition is
 * true and it is long.  The value has been checked (type and size).  Palloc'd.
 */
extern Datum key_column_value(const JsonbValue *value, AttributeType type, bool partition);

/*
 * The value itself up to limit bytes, else a prefix of it and its SHA-256.
 * Palloc'd, or the bytes themselves.
 */
extern text *key_text(const char *string, int length, int limit);
extern bytea *key_bytes(bytea *bytes, int limit);

/* Order of two column values of one type: <0, 0, >0, as the B-tree has it. */
extern int	key_compare(Datum a, Datum b, AttributeType type);

/* Bytes of a key value as DynamoDB counts them against 2048 and 1024. */
extern int64 key_value_size(const JsonbValue *value);

#endif							/* DYNAMO_KEY_H */
