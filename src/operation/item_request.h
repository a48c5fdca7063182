/*
 * item_request.h
 *		What the requests of item operations have in common.
 *
 * The checks stand in the order in which DynamoDB makes them; the handlers
 * call these pieces in that order.
 */
#ifndef DYNAMO_ITEM_REQUEST_H
#define DYNAMO_ITEM_REQUEST_H

#include "postgres.h"

#include <cjson/cJSON.h>

#include "catalog/description.h"
#include "expression/expression.h"
#include "operation/operation.h"

typedef enum ReturnCapacity
{
	CAPACITY_NONE,
	CAPACITY_TOTAL,
	CAPACITY_INDEXES
} ReturnCapacity;

typedef enum ReturnValues
{
	RETURN_NONE,
	RETURN_ALL_OLD,
	RETURN_UPDATED_OLD,
	RETURN_ALL_NEW,
	RETURN_UPDATED_NEW
} ReturnValues;

/*
 * The table's name, where a fault of it is reported by itself before all
 * others, in the newer form (writes of single items).
 */
extern char *item_request_table_name(const cJSON *request);

/* Enumerations; a fault is added to faults in the old form. */
extern ReturnCapacity item_request_return_capacity(const cJSON *request, ConstraintFaults *faults);
extern bool item_request_return_metrics(const cJSON *request, ConstraintFaults *faults);
extern bool item_request_return_failed_item(const cJSON *request, ConstraintFaults *faults);
extern bool item_request_or_operator(const cJSON *request, ConstraintFaults *faults);
extern ReturnValues item_request_return_values(const cJSON *request, ConstraintFaults *faults);

/* "ReturnValues can only be ALL_OLD or NONE" */
extern void item_request_old_values_only(ReturnValues return_values);

/*
 * A member that must be present: adds "Member must not be null" otherwise.
 */
extern const cJSON *item_request_required(const cJSON *request, const char *name, const char *member,
										  ConstraintFaults *faults);

/*
 * Older and expression parameters in one request; true if there are
 * expressions.  Without them names, too, have no use.
 */
extern bool item_request_check_mixed(const cJSON *request, const char *const *older,
									 const char *const *expressions);
extern void item_request_check_names_needed(const cJSON *request);

/*
 * Older and expression parameters in one request, and placeholders without an
 * expression.  Both lists end with NULL.  null_suffix is what the older
 * validation framework adds for values ("ConditionExpression is null"), or NULL.
 */
extern void item_request_check_parameters(const cJSON *request, const char *const *older,
										  const char *const *expressions, const char *null_suffix);

/* Placeholders of the request; call when at least one expression is given. */
extern Placeholders *item_request_placeholders(const cJSON *request);

/*
 * ConditionalOperator without conditions; and Expected's condition, or NULL.
 */
extern Condition *item_request_expected(const cJSON *request, bool or_operator);

/* QueryFilter or ScanFilter, or NULL. */
extern Condition *item_request_filter(const cJSON *request, const char *parameter, bool or_operator);

/*
 * The condition of a request whose only expression is ConditionExpression:
 * that, or Expected's, or NULL.
 */
extern Condition *item_request_condition(const cJSON *request, bool or_operator);

/* AttributesToGet: its constraints; the projection, or NULL if it is absent. */
extern void item_request_check_attributes_to_get(const cJSON *request, ConstraintFaults *faults);
extern Projection *item_request_attributes_to_get(const cJSON *request);

/*
 * Key attributes are scalars: a path that leads into one is refused.  Each of
 * the three may be NULL.
 */
extern void item_request_check_key_paths(const TableDescription *table, const Condition *condition,
										 const Projection *projection, const Update *update);

/*
 * Open the table for reading or writing: ResourceNotFoundException if there is
 * none.  The lock stays until the end of the transaction.
 */
extern TableDescription *item_request_open_table(const char *name, LOCKMODE lockmode);

#endif							/* DYNAMO_ITEM_REQUEST_H */
