/*
 * tags.h
 *		Tags of tables.
 */
#ifndef DYNAMO_TAGS_H
#define DYNAMO_TAGS_H

#include "postgres.h"
#include "nodes/pg_list.h"

#include "operation/operation.h"

/*
 * A list of {"Key", "Value"} as Tag *.  Raises DynamoDB's ValidationException
 * for what is no tag, for a key twice, for more than 50.  NULL gives NIL.
 */
extern List *tags_from_request(const cJSON *list);

#endif							/* DYNAMO_TAGS_H */
