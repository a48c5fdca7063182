/*
 * put_or_delete.h
 *		What PutItem and DeleteItem are.
 */
#ifndef DYNAMO_PUT_OR_DELETE_H
#define DYNAMO_PUT_OR_DELETE_H

#include "postgres.h"

#include <cjson/cJSON.h>

#include "item/json_writer.h"
#include "operation/write.h"

/* Run a PutItem (WRITE_PUT) or DeleteItem (WRITE_DELETE) request. */
extern void put_or_delete(WriteKind kind, const cJSON *request, JsonWriter *response);

#endif							/* DYNAMO_PUT_OR_DELETE_H */
