/*
 * scan.c
 *		Scan: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html
 */
#include "postgres.h"

#include "operation/operation.h"
#include "operation/page.h"
#include "operation/scan_segments.h"

static const char *const older_parameters[] = {
	"AttributesToGet", "ScanFilter", "ConditionalOperator", NULL
};
static const char *const expression_parameters[] = {
	"ProjectionExpression", "FilterExpression", NULL
};

/*
 * Constraints of single members, in the order in which they are reported.
 */
static void
check_constraints(const cJSON *request, PageRequest *page)
{
	ConstraintFaults faults = {0};
	int64		number;

	page->select = page_request_select(request, &faults);
	page->index_name = page_request_index_name(request, &faults);
	if (request_integer(request, "TotalSegments", &number))
	{
		if (number < 1)
			constraint_fault(&faults, psprintf(INT64_FORMAT, number), "totalSegments",
							 "Member must have value greater than or equal to 1");
		if (number > SCAN_MAX_SEGMENTS)
			constraint_fault(&faults, psprintf(INT64_FORMAT, number), "totalSegments",
							 "Member must have value less than or equal to %d", SCAN_MAX_SEGMENTS);
	}
	page->capacity = item_request_return_capacity(request, &faults);
	page->table_name = request_item_table_name(request, &faults);
	page->or_operator = item_request_or_operator(request, &faults);
	item_request_check_attributes_to_get(request, &faults);
	if (request_integer(request, "Segment", &number) && number < 0)
		constraint_fault(&faults, psprintf(INT64_FORMAT, number), "segment",
						 "Member must have value greater than or equal to 0");
	page->has_limit = request_integer(request, "Limit", &page->limit);
	if (page->has_limit && page->limit < 1)
		constraint_fault(&faults, psprintf(INT64_FORMAT, page->limit), "limit",
						 "Member must have value greater than or equal to 1");
	constraint_raise(&faults);
	page->consistent = request_bool(request, "ConsistentRead", false);
}

/* Segment and TotalSegments: both or none.  total stays 0 for none. */
static void
parse_segment(const cJSON *request, int64 *segment, int64 *total)
{
	bool		has_segment = request_integer(request, "Segment", segment);
	bool		has_total = request_integer(request, "TotalSegments", total);

	if (has_segment && !has_total)
		validation_error("The TotalSegments parameter is required but was not present in the request "
						 "when Segment parameter is present");
	if (has_total && !has_segment)
		validation_error("The Segment parameter is required but was not present in the request "
						 "when parameter TotalSegments is present");
	if (has_segment && *segment >= *total)
		validation_error("The Segment parameter is zero-based and must be less than parameter TotalSegments: "
						 "Segment: " INT64_FORMAT " is not less than TotalSegments: " INT64_FORMAT,
						 *segment, *total);
}

static void
parse_expressions(const cJSON *request, PageRequest *page)
{
	const char *filter = request_string(request, "FilterExpression");
	const char *projection = request_string(request, "ProjectionExpression");
	Placeholders *placeholders;

	if (filter == NULL && projection == NULL)
		return;
	placeholders = item_request_placeholders(request);
	if (filter != NULL)
		page->filter = condition_parse(FILTER_EXPRESSION, filter, placeholders);
	if (projection != NULL)
		page->projection = projection_parse(projection, placeholders);
	placeholders_check_used(placeholders);
}

void
scan_open(const cJSON *request, PageRequest *page, PageSpec *spec)
{
	int64		segment = 0;
	int64		total = 0;

	memset(page, 0, sizeof(*page));
	check_constraints(request, page);
	item_request_check_parameters(request, older_parameters, expression_parameters,
								  "FilterExpression is null");
	page->attributes_to_get = item_request_attributes_to_get(request);
	page->filter = item_request_filter(request, "ScanFilter", page->or_operator);
	page->start = page_request_start_key(request);
	parse_segment(request, &segment, &total);
	parse_expressions(request, page);
	page_request_check_select(page, false);

	page->table = item_request_open_table(page->table_name, AccessShareLock);
	page_open(spec, page, false);
	page_request_check_start_key(page, spec, false);
	page_request_use_start_key(page, spec, false);
	if (total > 0)
		scan_segment_bound(spec, segment, total);
	page_check_attributes(spec, page, false);
}

void
scan(const cJSON *request, JsonWriter *response)
{
	PageRequest page;
	PageSpec	spec;

	scan_open(request, &page, &spec);
	page_request_respond(&page, &spec, response);
}
