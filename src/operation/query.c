/*
 * query.c
 *		Query: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html
 */
#include "postgres.h"

#include "operation/operation.h"
#include "operation/page.h"

static const char *const older_parameters[] = {
	"AttributesToGet", "QueryFilter", "ConditionalOperator", "KeyConditions", NULL
};
static const char *const expression_parameters[] = {
	"ProjectionExpression", "FilterExpression", "KeyConditionExpression", NULL
};

/*
 * Constraints of single members, in the order in which they are reported.
 */
static void
check_constraints(const cJSON *request, PageRequest *page)
{
	ConstraintFaults faults = {0};

	page->or_operator = item_request_or_operator(request, &faults);
	page->select = page_request_select(request, &faults);
	page->index_name = page_request_index_name(request, &faults);
	page->capacity = item_request_return_capacity(request, &faults);
	page->table_name = request_item_table_name(request, &faults);
	item_request_check_attributes_to_get(request, &faults);
	page->has_limit = request_integer(request, "Limit", &page->limit);
	if (page->has_limit && page->limit < 1)
		constraint_fault_text(&faults, "Value at 'Limit' failed to satisfy constraint: "
							  "Member must have value greater than or equal to 1");
	constraint_raise(&faults);
	page->consistent = request_bool(request, "ConsistentRead", false);
	page->backward = !request_bool(request, "ScanIndexForward", true);
}

/* KeyConditions may stand beside expressions if there is no KeyConditionExpression. */
static void
check_parameters(const cJSON *request)
{
	static const char *const none[] = {NULL};
	bool		key_conditions_only = request_member(request, "KeyConditions") != NULL &&
	request_member(request, "KeyConditionExpression") == NULL &&
	request_member(request, "QueryFilter") == NULL &&
	request_member(request, "AttributesToGet") == NULL &&
	request_member(request, "ConditionalOperator") == NULL;

	item_request_check_parameters(request, key_conditions_only ? none : older_parameters,
								  expression_parameters,
								  "FilterExpression and KeyConditionExpression are null");
}

/* Only the key of a global index can have more than two attributes. */
static void
check_legacy_count(const KeyCondition *bounds, int maximum)
{
	if (bounds->legacy && (bounds->count < 1 || bounds->count > maximum))
		validation_error("Conditions can be of length 1 or 2 only");
}

static KeyCondition *
parse_expressions(const cJSON *request, PageRequest *page)
{
	const char *key_condition = request_string(request, "KeyConditionExpression");
	const char *filter = request_string(request, "FilterExpression");
	const char *projection = request_string(request, "ProjectionExpression");
	const cJSON *key_conditions = request_object(request, "KeyConditions");
	KeyCondition *bounds = NULL;
	Placeholders *placeholders;

	if (key_condition == NULL && key_conditions == NULL)
		validation_error("Either the KeyConditions or KeyConditionExpression parameter "
						 "must be specified in the request.");

	if (key_condition != NULL || filter != NULL || projection != NULL)
	{
		placeholders = item_request_placeholders(request);
		if (key_condition != NULL)
			bounds = key_condition_parse(key_condition, placeholders);
		if (filter != NULL)
			page->filter = condition_parse(FILTER_EXPRESSION, filter, placeholders);
		if (projection != NULL)
			page->projection = projection_parse(projection, placeholders);
		placeholders_check_used(placeholders);
	}
	if (bounds != NULL)
		key_condition_make_clauses(bounds);
	else
	{
		bounds = legacy_key_conditions(key_conditions);
		check_legacy_count(bounds, page->index_name != NULL ? 2 * INDEX_KEY_ATTRIBUTES : 2);
	}
	return bounds;
}

/* The checks that need no table; what they find, and the parsed request. */
KeyCondition *
query_parse(const cJSON *request, PageRequest *page)
{
	KeyCondition *bounds;

	memset(page, 0, sizeof(*page));
	check_constraints(request, page);
	check_parameters(request);
	page->filter = item_request_filter(request, "QueryFilter", page->or_operator);
	page->legacy_filter = page->filter != NULL;
	page->attributes_to_get = item_request_attributes_to_get(request);
	page->start = page_request_start_key(request);
	bounds = parse_expressions(request, page);
	page_request_check_select(page, true);
	return bounds;
}

void
query_open(PageRequest *page, const KeyCondition *bounds, PageSpec *spec)
{
	page->table = item_request_open_table(page->table_name, AccessShareLock);
	page_open(spec, page, true);
	if (spec->index != NULL)
		check_legacy_count(bounds, Max(2, spec->index->partition_count + spec->index->sort_count));
	page_request_check_start_key(page, spec, true);
	page_bound(spec, bounds);
	page_request_use_start_key(page, spec, true);
	page_check_attributes(spec, page, true);
}

void
query(const cJSON *request, JsonWriter *response)
{
	PageRequest page;
	PageSpec	spec;
	KeyCondition *bounds = query_parse(request, &page);

	query_open(&page, bounds, &spec);
	page_request_respond(&page, &spec, response);
}
