/*
 * trim.h
 *		Taking away what is older than a day.
 */
#ifndef DYNAMO_TRIM_H
#define DYNAMO_TRIM_H

#include "postgres.h"

/*
 * Truncate the tables of the rings whose records have all expired, and delete
 * the rows of streams and shards that ended before.  A table that someone uses
 * is left for the next time.  Returns the number of tables truncated.  In a
 * transaction, with the rights of the extension's owner.
 */
extern int	trim_streams(void);

#endif							/* DYNAMO_TRIM_H */
