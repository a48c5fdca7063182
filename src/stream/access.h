/*
 * access.h
 *		Who may read a stream, and which is a table's.
 */
#ifndef DYNAMO_ACCESS_H
#define DYNAMO_ACCESS_H

#include "postgres.h"

#include "catalog/streams.h"

/* Refuses whoever may not read all items of the stream's table. */
extern void stream_check_access(const StreamRow *stream);

/*
 * The latest stream of a table of schema dynamo.schema, for who may read it;
 * raises an error if there is none.
 */
extern StreamRow *stream_of_table(const char *table_name);

#endif							/* DYNAMO_ACCESS_H */
