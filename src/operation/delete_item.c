/*
 * delete_item.c
 *		DeleteItem: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteItem.html
 */
#include "postgres.h"

#include "item/item.h"
#include "operation/capacity.h"
#include "operation/collection_metrics.h"
#include "operation/operation.h"
#include "operation/response.h"
#include "operation/write.h"

static const char *const older_parameters[] = {"Expected", "ConditionalOperator", NULL};
static const char *const expression_parameters[] = {"ConditionExpression", NULL};

void
delete_item(const cJSON *request, StringInfo response)
{
	ConstraintFaults faults = {0};
	WriteSpec	spec = {.kind = WRITE_DELETE};
	WriteResult result;
	char	   *table_name = item_request_table_name(request);
	const cJSON *key = item_request_required(request, "Key", "key", &faults);
	ReturnCapacity capacity = item_request_return_capacity(request, &faults);
	ReturnValues return_values = item_request_return_values(request, &faults);
	bool		or_operator;
	bool		metrics;

	metrics = item_request_return_metrics(request, &faults);
	spec.want_failed = item_request_return_failed_item(request, &faults);
	or_operator = item_request_or_operator(request, &faults);
	constraint_raise(&faults);

	item_request_check_parameters(request, older_parameters, expression_parameters,
								  "ConditionExpression is null");
	spec.item = item_from_dynamodb_json(key);
	item_request_old_values_only(return_values);
	spec.condition = item_request_condition(request, or_operator);

	spec.table = item_request_open_table(table_name, RowExclusiveLock);
	item_keys_of_key(spec.table, &spec.item->root, &spec.keys);
	item_request_check_key_paths(spec.table, spec.condition, NULL, NULL);

	spec.want_old = return_values == RETURN_ALL_OLD || capacity != CAPACITY_NONE;
	write_item(&spec, &result);
	if (result.condition_failed)
		write_raise_condition_failed(&result);

	appendStringInfoChar(response, '{');
	if (return_values == RETURN_ALL_OLD && result.old_item != NULL)
	{
		response_member(response, "Attributes");
		item_to_dynamodb_json(response, &result.old_item->root);
	}
	capacity_append_write(response, capacity, spec.table,
						  result.old_item ? &result.old_item->root : NULL, NULL);
	if (metrics && collection_metrics_apply(spec.table))
		collection_metrics_append(response, "ItemCollectionMetrics", spec.table, &spec.item->root);
	appendStringInfoChar(response, '}');
}
