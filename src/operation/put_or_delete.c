/*
 * put_or_delete.c
 *		What PutItem and DeleteItem are: a write of a whole item that can return
 *		the one it replaced.
 */
#include "postgres.h"

#include "item/item.h"
#include "operation/capacity.h"
#include "operation/collection_metrics.h"
#include "operation/operation.h"
#include "operation/put_or_delete.h"
#include "operation/response.h"
#include "operation/write.h"

static const char *const older_parameters[] = {"Expected", "ConditionalOperator", NULL};
static const char *const expression_parameters[] = {"ConditionExpression", NULL};

/* The item or key in the request, checked without its table. */
static Jsonb *
parse_item(WriteKind kind, const cJSON *json, ReturnValues return_values)
{
	Jsonb	   *item = item_from_dynamodb_json(json);

	item_request_old_values_only(return_values);
	if (kind == WRITE_PUT && item_size(&item->root) > ITEM_MAX_SIZE)
		validation_error("Item size has exceeded the maximum allowed size");
	return item;
}

void
put_or_delete(WriteKind kind, const cJSON *request, JsonWriter *response)
{
	ConstraintFaults faults = {0};
	WriteSpec	spec = {.kind = kind};
	WriteResult result;
	char	   *table_name = item_request_table_name(request);
	const cJSON *item = kind == WRITE_PUT
	? item_request_required(request, "Item", "item", &faults)
	: item_request_required(request, "Key", "key", &faults);
	ReturnCapacity capacity = item_request_return_capacity(request, &faults);
	ReturnValues return_values = item_request_return_values(request, &faults);
	bool		metrics = item_request_return_metrics(request, &faults);
	bool		or_operator;

	spec.want_failed = item_request_return_failed_item(request, &faults);
	or_operator = item_request_or_operator(request, &faults);
	constraint_raise(&faults);

	item_request_check_parameters(request, older_parameters, expression_parameters, NULL);
	spec.item = parse_item(kind, item, return_values);
	spec.condition = item_request_condition(request, or_operator);

	spec.table = item_request_open_table(table_name, RowExclusiveLock);
	if (kind == WRITE_PUT)
		item_keys_of_item(spec.table, &spec.item->root, &spec.keys);
	else
		item_keys_of_key(spec.table, &spec.item->root, &spec.keys);
	item_request_check_key_paths(spec.table, spec.condition, NULL, NULL);
	if (kind == WRITE_PUT && spec.condition != NULL)
		write_check_index_keys(spec.table, &spec.item->root);

	spec.want_old = return_values == RETURN_ALL_OLD || capacity != CAPACITY_NONE;
	write_item(&spec, &result);
	if (result.condition_failed)
		write_raise_condition_failed(&result);

	response_open(response, NULL, '{');
	if (return_values == RETURN_ALL_OLD && result.old_item != NULL)
	{
		response_member(response, "Attributes");
		item_to_dynamodb_json(response, &result.old_item->root);
	}
	capacity_append_write(response, capacity, spec.table,
						  result.old_item ? &result.old_item->root : NULL,
						  kind == WRITE_PUT ? &spec.item->root : NULL);
	if (metrics && collection_metrics_apply(spec.table))
		collection_metrics_append(response, "ItemCollectionMetrics", spec.table, &spec.item->root);
	response_close(response, '}');
}
