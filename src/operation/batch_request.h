/*
 * batch_request.h
 *		What BatchGetItem and BatchWriteItem have in common, and how a batch is
 *		given back.
 */
#ifndef DYNAMO_BATCH_REQUEST_H
#define DYNAMO_BATCH_REQUEST_H

#include "postgres.h"

#include <cjson/cJSON.h>

#include "operation/operation.h"

/* The name of a table (or its ARN) that is a member's name; palloc'd. */
extern char *batch_request_table_name(const char *name, ConstraintFaults *faults);

/*
 * The answer to a BatchWriteItem whose locks could not be had in time: all of
 * it is unprocessed.  The request has been run before, so it is valid.
 */
extern void batch_write_unprocessed(const cJSON *request, JsonWriter *response);

#endif							/* DYNAMO_BATCH_REQUEST_H */
