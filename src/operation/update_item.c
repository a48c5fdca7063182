/*
 * update_item.c
 *		UpdateItem: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateItem.html
 */
#include "postgres.h"

#include "item/item.h"
#include "operation/capacity.h"
#include "operation/collection_metrics.h"
#include "operation/operation.h"
#include "operation/response.h"
#include "operation/write.h"

static const char *const older_parameters[] = {
	"AttributeUpdates", "Expected", "ConditionalOperator", NULL
};
static const char *const expression_parameters[] = {
	"UpdateExpression", "ConditionExpression", NULL
};

/* Conditions of the older form are read before those of expressions, as everywhere. */
static void
parse_expressions(const cJSON *request, bool or_operator, WriteSpec *spec)
{
	const char *update = request_string(request, "UpdateExpression");
	const char *condition = request_string(request, "ConditionExpression");
	const cJSON *attribute_updates = request_member(request, "AttributeUpdates");
	Placeholders *placeholders;

	if (attribute_updates != NULL && attribute_updates->child != NULL)
		spec->update = legacy_attribute_updates(attribute_updates);
	spec->condition = item_request_expected(request, or_operator);

	if (update == NULL && condition == NULL)
		return;
	placeholders = item_request_placeholders(request);
	if (update != NULL)
		spec->update = update_parse(update, placeholders);
	if (condition != NULL)
		spec->condition = condition_parse(CONDITION_EXPRESSION, condition, placeholders);
	placeholders_check_used(placeholders);
}

/* "Attributes": as ReturnValues asks; left out if there is nothing to return. */
static void
append_attributes(JsonWriter *response, ReturnValues return_values, const WriteSpec *spec,
				  const WriteResult *result)
{
	Jsonb	   *item = return_values == RETURN_ALL_OLD || return_values == RETURN_UPDATED_OLD
	? result->old_item : result->new_item;

	if (item != NULL &&
		(return_values == RETURN_UPDATED_OLD || return_values == RETURN_UPDATED_NEW))
		item = spec->update ? update_project(spec->update, &item->root) : NULL;

	if (return_values == RETURN_NONE || item == NULL)
		return;
	response_member(response, "Attributes");
	item_to_dynamodb_json(response, &item->root);
}

/*
 * A request without Key never reaches the newer framework: all faults of its
 * members in the older form, in this order.
 */
static void
check_key_given(const cJSON *request)
{
	static const char *const return_values[] = {
		"ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW", NULL
	};
	static const char *const operators[] = {"OR", "AND", NULL};
	ConstraintFaults faults = {0};

	if (request_member(request, "Key") != NULL)
		return;
	item_request_return_capacity(request, &faults);
	request_item_table_name(request, &faults);
	constraint_enumeration(&faults, request, "ReturnValues", "returnValues", return_values);
	item_request_required(request, "Key", "key", &faults);
	constraint_enumeration(&faults, request, "ConditionalOperator", "conditionalOperator", operators);
	constraint_raise(&faults);
}

/* Some enumerations go without the envelope when there is no other fault. */
static void
bare_if_alone(ConstraintFaults *faults)
{
	if (faults->count == 1 && faults->alone == NULL)
		constraint_fault_alone(faults, pstrdup(faults->text.data));
}

void
update_item(const cJSON *request, JsonWriter *response)
{
	ConstraintFaults faults = {0};
	WriteSpec	spec = {.kind = WRITE_UPDATE};
	WriteResult result;
	char	   *table_name;
	ReturnValues return_values;
	ReturnCapacity capacity;
	bool		or_operator;
	bool		metrics;

	check_key_given(request);
	table_name = item_request_table_name(request);
	return_values = item_request_return_values(request, &faults);
	/* the newer framework stops at this one */
	constraint_raise(&faults);
	capacity = item_request_return_capacity(request, &faults);
	metrics = item_request_return_metrics(request, &faults);
	spec.want_failed = item_request_return_failed_item(request, &faults);
	bare_if_alone(&faults);
	or_operator = item_request_or_operator(request, &faults);
	constraint_raise(&faults);

	item_request_check_parameters(request, older_parameters, expression_parameters, NULL);
	spec.item = item_from_dynamodb_json(request_object(request, "Key"));
	parse_expressions(request, or_operator, &spec);

	spec.table = item_request_open_table(table_name, RowExclusiveLock);
	item_keys_of_key(spec.table, &spec.item->root, &spec.keys);
	write_check_update(&spec);
	if (spec.update != NULL)
		write_check_assigned_index_keys(spec.table, spec.update);
	item_request_check_key_paths(spec.table, spec.condition, NULL, spec.update);

	spec.want_old = return_values == RETURN_ALL_OLD || return_values == RETURN_UPDATED_OLD ||
		capacity != CAPACITY_NONE;
	spec.want_new = return_values == RETURN_ALL_NEW || return_values == RETURN_UPDATED_NEW;
	write_item(&spec, &result);
	if (result.condition_failed)
		write_raise_condition_failed(&result);

	response_open(response, NULL, '{');
	append_attributes(response, return_values, &spec, &result);
	capacity_append_write(response, capacity, spec.table,
						  result.old_item ? &result.old_item->root : NULL,
						  result.new_item ? &result.new_item->root : NULL);
	if (metrics && collection_metrics_apply(spec.table))
		collection_metrics_append(response, "ItemCollectionMetrics", spec.table, &spec.item->root);
	response_close(response, '}');
}
