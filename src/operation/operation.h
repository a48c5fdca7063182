/*
 * operation.h
 *		DynamoDB's operations: one table of them, one way to run them.
 *
 * An operation takes a request tree and writes its response, a JSON object.
 * SQL functions and the HTTP room run the same code.
 */
#ifndef DYNAMO_OPERATION_H
#define DYNAMO_OPERATION_H

#include "postgres.h"
#include "lib/stringinfo.h"

#include <cjson/cJSON.h>

#include "catalog/description.h"
#include "errors.h"
#include "item/json_writer.h"

typedef void (*OperationHandler) (const cJSON *request, JsonWriter *response);

#define TARGET_DYNAMODB "DynamoDB_20120810"
#define TARGET_STREAMS "DynamoDBStreams_20120810"

/*
 * The table of operations, in the order of names:
 * X(name, handler and SQL function in schema dynamo, X-Amz-Target's service, validation form)
 *
 * Everything that needs one entry per operation is made from it: the handlers'
 * declarations, the look-up by name, the SQL entry points.
 */
#define OPERATIONS(X) \
	X(BatchGetItem, batch_get_item, TARGET_DYNAMODB, VALIDATION_FORM_BARE) \
	X(BatchWriteItem, batch_write_item, TARGET_DYNAMODB, VALIDATION_FORM_OLDER) \
	X(CreateTable, create_table, TARGET_DYNAMODB, VALIDATION_FORM_OLDER) \
	X(DeleteItem, delete_item, TARGET_DYNAMODB, VALIDATION_FORM_ENVELOPE) \
	X(DeleteTable, delete_table, TARGET_DYNAMODB, VALIDATION_FORM_OLDER) \
	X(DescribeContinuousBackups, describe_continuous_backups, TARGET_DYNAMODB, VALIDATION_FORM_OLDER) \
	X(DescribeEndpoints, describe_endpoints, TARGET_DYNAMODB, VALIDATION_FORM_OLDER) \
	X(DescribeLimits, describe_limits, TARGET_DYNAMODB, VALIDATION_FORM_OLDER) \
	X(DescribeStream, describe_stream, TARGET_STREAMS, VALIDATION_FORM_OLDER) \
	X(DescribeTable, describe_table, TARGET_DYNAMODB, VALIDATION_FORM_OLDER) \
	X(DescribeTimeToLive, describe_time_to_live, TARGET_DYNAMODB, VALIDATION_FORM_OLDER) \
	X(GetItem, get_item, TARGET_DYNAMODB, VALIDATION_FORM_BARE) \
	X(GetRecords, get_records, TARGET_STREAMS, VALIDATION_FORM_OLDER) \
	X(GetShardIterator, get_shard_iterator, TARGET_STREAMS, VALIDATION_FORM_OLDER) \
	X(ListStreams, list_streams, TARGET_STREAMS, VALIDATION_FORM_OLDER) \
	X(ListTables, list_tables, TARGET_DYNAMODB, VALIDATION_FORM_OLDER) \
	X(ListTagsOfResource, list_tags_of_resource, TARGET_DYNAMODB, VALIDATION_FORM_OLDER) \
	X(PutItem, put_item, TARGET_DYNAMODB, VALIDATION_FORM_ENVELOPE) \
	X(Query, query, TARGET_DYNAMODB, VALIDATION_FORM_BARE) \
	X(Scan, scan, TARGET_DYNAMODB, VALIDATION_FORM_OLDER) \
	X(TagResource, tag_resource, TARGET_DYNAMODB, VALIDATION_FORM_OLDER) \
	X(TransactGetItems, transact_get_items, TARGET_DYNAMODB, VALIDATION_FORM_OLDER) \
	X(TransactWriteItems, transact_write_items, TARGET_DYNAMODB, VALIDATION_FORM_OLDER) \
	X(UntagResource, untag_resource, TARGET_DYNAMODB, VALIDATION_FORM_OLDER) \
	X(UpdateContinuousBackups, update_continuous_backups, TARGET_DYNAMODB, VALIDATION_FORM_OLDER) \
	X(UpdateItem, update_item, TARGET_DYNAMODB, VALIDATION_FORM_ENVELOPE) \
	X(UpdateTable, update_table, TARGET_DYNAMODB, VALIDATION_FORM_OLDER) \
	X(UpdateTimeToLive, update_time_to_live, TARGET_DYNAMODB, VALIDATION_FORM_OLDER)

#define X(name, function, target, form) \
	extern void function(const cJSON *request, JsonWriter *response);
OPERATIONS(X)
#undef X

typedef struct Operation
{
	const char *name;			/* "PutItem" */
	const char *function;		/* "put_item": SQL function in schema dynamo */
	const char *target;			/* service part of X-Amz-Target */
	ValidationForm form;
	OperationHandler handler;
} Operation;

extern const Operation operations[];
extern const int operation_count;

/* NULL if there is no such operation. */
extern const Operation *operation_by_name(const char *name);

/*
 * Run an operation.  Wrong JSON types in the request are found before
 * anything else (SerializationException).  The response is valid JSON.
 */
extern void operation_run(const Operation *operation, const cJSON *request, JsonWriter *response);

/* ---- the request tree (request.c) ---- */

/*
 * Every member of a request has a JSON type; the wrong one is a
 * SerializationException before anything else is looked at (request_shape.c).
 */
extern void request_check_shape(const char *operation, const cJSON *request);

/* A member by exact name (cJSON's own look-up folds case); NULL if absent or null. */
extern const cJSON *request_member(const cJSON *object, const char *name);

/*
 * Members of a given JSON type; absent gives NULL / the default.  The types
 * have been checked by request_check_shape().
 */
extern bool request_truth_value(const cJSON *member, bool *truth);
extern const char *request_string(const cJSON *object, const char *name);
extern bool request_bool(const cJSON *object, const char *name, bool absent);
extern bool request_integer(const cJSON *object, const char *name, int64 *value);
extern const cJSON *request_object(const cJSON *object, const char *name);
extern const cJSON *request_array(const cJSON *object, const char *name);

/*
 * The old validation framework collects faults of shape and reports them
 * together: "N validation errors detected: Value '..' at '..' failed to satisfy
 * constraint: ..; ..".  Start with a zeroed struct, add, then raise.
 */
typedef struct ConstraintFaults
{
	int			count;
	StringInfoData text;
	const char *alone;			/* the whole message, if there is no other fault */
} ConstraintFaults;

/* value NULL prints as null; member is in camelCase path form: keySchema.1.member.keyType */
extern void constraint_fault(ConstraintFaults *faults, const char *value, const char *member,
							 const char *constraint_format,...) pg_attribute_printf(4, 5);
/* A fault whose text is not of that form. */
extern void constraint_fault_text(ConstraintFaults *faults, const char *text);

/* What to say instead if the fault just added stays the only one. */
extern void constraint_fault_alone(ConstraintFaults *faults, const char *message);

/* Adds a fault unless value is absent or among the words (ends with NULL); the index, or -1. */
extern int	constraint_enumeration(ConstraintFaults *faults, const cJSON *request, const char *name,
								   const char *member, const char *const *words);

/* Raises ValidationException if there is any fault. */
extern void constraint_raise(ConstraintFaults *faults);

/*
 * A TableName: name or ARN.  Checks length, pattern and ARN form and returns
 * the bare name (palloc'd).  member is "tableName" in messages.
 */
extern char *request_table_name(const cJSON *request, ConstraintFaults *faults);
extern char *request_item_table_name(const cJSON *request, ConstraintFaults *faults);

/* The ARN of a table of this database. */
extern char *table_arn(const char *table_name);

#endif							/* DYNAMO_OPERATION_H */
