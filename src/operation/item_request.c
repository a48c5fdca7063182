/*
 * item_request.c
 *		What the requests of item operations have in common.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/relcache.h"

#include "item/item.h"
#include "operation/item_request.h"

#define ATTRIBUTES_TO_GET_MAX 255

char *
item_request_table_name(const cJSON *request)
{
	ConstraintFaults faults = {0};
	const char *given = request_string(request, "TableName");
	char	   *name;

	if (given != NULL && *given == '\0')
		constraint_fault_text(&faults, "Value at 'TableName' failed to satisfy constraint: "
							  "Member must have length greater than or equal to 1");
	constraint_raise(&faults);
	name = request_item_table_name(request, &faults);
	constraint_raise(&faults);
	return name;
}

ReturnCapacity
item_request_return_capacity(const cJSON *request, ConstraintFaults *faults)
{
	static const char *const words[] = {"INDEXES", "TOTAL", "NONE", NULL};

	switch (constraint_enumeration(faults, request, "ReturnConsumedCapacity",
								   "returnConsumedCapacity", words))
	{
		case 0:
			return CAPACITY_INDEXES;
		case 1:
			return CAPACITY_TOTAL;
		default:
			return CAPACITY_NONE;
	}
}

bool
item_request_return_metrics(const cJSON *request, ConstraintFaults *faults)
{
	static const char *const words[] = {"SIZE", "NONE", NULL};
	int			before = faults->count;
	int			word = constraint_enumeration(faults, request, "ReturnItemCollectionMetrics",
											  "returnItemCollectionMetrics", words);

	if (faults->count > before && errors_validation_form() == VALIDATION_FORM_ENVELOPE)
		constraint_fault_alone(faults, "1 validation error detected: "
							   "ReturnItemCollectionMetrics can only be SIZE or NONE");
	return word == 0;
}

bool
item_request_return_failed_item(const cJSON *request, ConstraintFaults *faults)
{
	static const char *const words[] = {"ALL_OLD", "NONE", NULL};

	return constraint_enumeration(faults, request, "ReturnValuesOnConditionCheckFailure",
								  "returnValuesOnConditionCheckFailure", words) == 0;
}

/* The newer text says ALL for AND, and a Query stops at it. */
bool
item_request_or_operator(const cJSON *request, ConstraintFaults *faults)
{
	static const char *const words[] = {"OR", "AND", NULL};
	static const char *const newer_text =
	"Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]";
	const char *given = request_string(request, "ConditionalOperator");

	if (given == NULL || strcmp(given, "AND") == 0)
		return false;
	if (strcmp(given, "OR") == 0)
		return true;
	if (errors_validation_form() == VALIDATION_FORM_BARE)
		validation_error("%s", newer_text);
	if (errors_validation_form() == VALIDATION_FORM_ENVELOPE)
		constraint_fault_text(faults, newer_text);
	else
		constraint_enumeration(faults, request, "ConditionalOperator", "conditionalOperator", words);
	return false;
}

/* The service's text names neither the member nor, rightly, UPDATED_NEW. */
ReturnValues
item_request_return_values(const cJSON *request, ConstraintFaults *faults)
{
	static const struct
	{
		const char *word;
		ReturnValues value;
	}			words[] = {
		{"NONE", RETURN_NONE},
		{"ALL_OLD", RETURN_ALL_OLD},
		{"UPDATED_OLD", RETURN_UPDATED_OLD},
		{"ALL_NEW", RETURN_ALL_NEW},
		{"UPDATED_NEW", RETURN_UPDATED_NEW},
	};
	const char *given = request_string(request, "ReturnValues");

	if (given == NULL)
		return RETURN_NONE;
	for (int i = 0; i < lengthof(words); i++)
	{
		if (strcmp(given, words[i].word) == 0)
			return words[i].value;
	}
	constraint_fault_text(faults, "Failed to satisfy constraint: Member must satisfy enum value set: "
						  "[ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]");
	return RETURN_NONE;
}

void
item_request_old_values_only(ReturnValues return_values)
{
	if (return_values != RETURN_NONE && return_values != RETURN_ALL_OLD)
		request_error("ReturnValues can only be ALL_OLD or NONE");
}

const cJSON *
item_request_required(const cJSON *request, const char *name, const char *member,
					  ConstraintFaults *faults)
{
	const cJSON *value = request_member(request, name);

	if (value == NULL)
		constraint_fault(faults, NULL, member, "Member must not be null");
	return value;
}

/* "{A, B}" of the members that the request has; NULL if it has none. */
static char *
present_members(const cJSON *request, const char *const *names)
{
	StringInfoData list;
	int			count = 0;

	initStringInfo(&list);
	for (int i = 0; names[i] != NULL; i++)
	{
		if (request_member(request, names[i]) != NULL)
			appendStringInfo(&list, "%s%s", count++ > 0 ? ", " : "{", names[i]);
	}
	if (count == 0)
		return NULL;
	appendStringInfoChar(&list, '}');
	return list.data;
}

bool
item_request_check_mixed(const cJSON *request, const char *const *older, const char *const *expressions)
{
	char	   *given_older = present_members(request, older);
	char	   *given_expressions = present_members(request, expressions);

	if (given_older != NULL && given_expressions != NULL)
		request_error("Can not use both expression and non-expression parameters in the same request: "
					  "Non-expression parameters: %s Expression parameters: %s",
					  given_older, given_expressions);
	return given_expressions != NULL;
}

void
item_request_check_names_needed(const cJSON *request)
{
	if (request_member(request, "ExpressionAttributeNames") != NULL)
		request_error("ExpressionAttributeNames can only be specified when using expressions");
}

void
item_request_check_parameters(const cJSON *request, const char *const *older,
							  const char *const *expressions, const char *null_suffix)
{
	if (item_request_check_mixed(request, older, expressions))
		return;
	item_request_check_names_needed(request);
	if (request_member(request, "ExpressionAttributeValues") != NULL)
		request_error("ExpressionAttributeValues can only be specified when using expressions%s%s",
					  null_suffix ? ": " : "", null_suffix ? null_suffix : "");
}

Placeholders *
item_request_placeholders(const cJSON *request)
{
	return placeholders_from_dynamodb_json(request_member(request, "ExpressionAttributeNames"),
										   request_member(request, "ExpressionAttributeValues"),
										   true);
}

/* ConditionalOperator joins two or more conditions, whose own faults come first. */
static void
check_conditional_operator(const cJSON *request, const cJSON *conditions)
{
	if (request_member(request, "ConditionalOperator") == NULL)
		return;
	if (conditions == NULL || conditions->child == NULL)
		request_error("ConditionalOperator cannot be used without Filter or Expected");
	if (conditions->child->next == NULL)
		request_error("ConditionalOperator can only be used when Filter or Expected has two or more elements");
}

Condition *
item_request_expected(const cJSON *request, bool or_operator)
{
	const cJSON *expected = request_object(request, "Expected");
	Condition  *condition = NULL;

	if (expected != NULL && expected->child != NULL)
		condition = legacy_expected(expected, or_operator);
	check_conditional_operator(request, expected);
	return condition;
}

Condition *
item_request_filter(const cJSON *request, const char *parameter, bool or_operator)
{
	const cJSON *filter = request_object(request, parameter);
	Condition  *condition = NULL;

	if (filter != NULL && filter->child != NULL)
		condition = legacy_filter(parameter, filter, or_operator);
	check_conditional_operator(request, filter);
	return condition;
}

Condition *
item_request_condition(const cJSON *request, bool or_operator)
{
	const char *expression = request_string(request, "ConditionExpression");
	Placeholders *placeholders;
	Condition  *condition;

	if (expression == NULL)
		return item_request_expected(request, or_operator);

	placeholders = item_request_placeholders(request);
	condition = condition_parse(CONDITION_EXPRESSION, expression, placeholders);
	placeholders_check_used(placeholders);
	return condition;
}

void
item_request_check_attributes_to_get(const cJSON *request, ConstraintFaults *faults)
{
	const cJSON *names = request_array(request, "AttributesToGet");
	const cJSON *name;
	StringInfoData list;

	if (names == NULL)
		return;
	if (names->child == NULL)
		constraint_fault(faults, "[]", "attributesToGet",
						 "Member must have length greater than or equal to 1");
	if (cJSON_GetArraySize(names) <= ATTRIBUTES_TO_GET_MAX)
		return;

	initStringInfo(&list);
	cJSON_ArrayForEach(name, names)
	{
		CHECK_FOR_INTERRUPTS();
		appendStringInfo(&list, "%s%s", name == names->child ? "[" : ", ",
						 cJSON_IsString(name) ? name->valuestring : "null");
	}
	appendStringInfoChar(&list, ']');
	constraint_fault(faults, list.data, "attributesToGet",
					 "Member must have length less than or equal to %d", ATTRIBUTES_TO_GET_MAX);
}

Projection *
item_request_attributes_to_get(const cJSON *request)
{
	const cJSON *names = request_array(request, "AttributesToGet");
	const cJSON *name;
	List	   *list = NIL;

	if (names == NULL)
		return NULL;
	cJSON_ArrayForEach(name, names)
	{
		const char *fault;
		ListCell   *cell;

		CHECK_FOR_INTERRUPTS();
		if (!cJSON_IsString(name))
			continue;
		fault = attribute_name_fault(name->valuestring, (int) strlen(name->valuestring));
		if (fault != NULL)
			request_error("%s", fault);
		foreach(cell, list)
		{
			if (strcmp(lfirst(cell), name->valuestring) == 0)
				validation_error("One or more parameter values were invalid: "
								 "Duplicate value in attribute name: %s", name->valuestring);
		}
		list = lappend(list, pstrdup(name->valuestring));
	}
	return projection_from_attributes(list);
}

typedef struct Expressions
{
	const Condition *condition;
	const Projection *projection;
	const Update *update;
} Expressions;

static void
check_key_path(const Expressions *expressions, const KeyAttribute *key, const char *kind)
{
	if ((expressions->condition && condition_reaches_into(expressions->condition, key->name)) ||
		(expressions->projection && projection_reaches_into(expressions->projection, key->name)) ||
		(expressions->update && update_reaches_into(expressions->update, key->name)))
		validation_error("Key attributes must be scalars; list random access '[]' and map lookup '.' "
						 "are not allowed: %s: %s", kind, key->name);
}

void
item_request_check_key_paths(const TableDescription *table, const Condition *condition,
							 const Projection *projection, const Update *update)
{
	Expressions expressions = {condition, projection, update};

	check_key_path(&expressions, table->partition, "Key");
	if (table->sort != NULL)
		check_key_path(&expressions, table->sort, "Key");
	for (int i = 0; i < table->index_count; i++)
	{
		const IndexDescription *index = &table->indexes[i];

		for (int j = 0; j < index->partition_count; j++)
			check_key_path(&expressions, index->partition[j], "IndexKey");
		for (int j = 0; j < index->sort_count; j++)
			check_key_path(&expressions, index->sort[j], "IndexKey");
	}
}

TableDescription *
item_request_open_table(const char *name, LOCKMODE lockmode)
{
	TableDescription *table;
	Relation	relation = catalog_open_table(name, lockmode, &table);

	if (relation == NULL)
		dynamo_error(RESOURCE_NOT_FOUND, "Requested resource not found");
	RelationClose(relation);
	return table;
}
