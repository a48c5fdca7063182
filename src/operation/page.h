/*
 * page.h
 *		Reading items in key order: what Query and Scan share.
 *
 * A page reads the primary key or an index in its order, from a bound or from
 * where the page before ended, until a limit, a megabyte, or the end.
 */
#ifndef DYNAMO_PAGE_H
#define DYNAMO_PAGE_H

#include "postgres.h"

#include "catalog/description.h"
#include "expression/expression.h"
#include "operation/item_request.h"
#include "operation/statement.h"

#define PAGE_MAX_BYTES (1024 * 1024)

/* Table keys and index keys, in the order of the B-tree. */
#define PAGE_MAX_ORDER (2 * INDEX_KEY_ATTRIBUTES + 2)

/* A column of the order, and how the request bounds it. */
typedef struct PageColumn
{
	const KeyAttribute *attribute;
	bool		partition;		/* its column value may be a digest */
	bool		equal;			/* fixed to lower */
	bool		tie_break;		/* a table key behind an index's keys */
	bool		digested;		/* the index has dynamo.key_tie_break() of the column */
	const JsonbValue *exact;	/* equal to a value that its column may share with another */
	bool		has_lower;
	bool		lower_inclusive;
	bool		has_upper;
	bool		upper_inclusive;
	Datum		lower;
	Datum		upper;
} PageColumn;

typedef enum Select
{
	SELECT_ALL_ATTRIBUTES,
	SELECT_ALL_PROJECTED,
	SELECT_SPECIFIC,
	SELECT_COUNT,
	SELECT_DEFAULT
} Select;

typedef struct PageSpec
{
	TableDescription *table;
	const IndexDescription *index;	/* NULL: the table itself */
	int			column_count;
	PageColumn	columns[PAGE_MAX_ORDER];
	bool		backward;
	bool		nothing;		/* the bounds exclude every item */
	bool		recheck_sizes;	/* the index may hold items whose keys are too long for it */
	JsonbContainer *start;		/* ExclusiveStartKey, checked; or NULL */
	const Condition *filter;
	const Projection *projection;	/* NULL: all attributes */
	bool		count_only;
	bool		has_limit;
	int64		limit;			/* items to look at */
} PageSpec;

typedef struct PageResult
{
	int64		count;			/* items that passed the filter */
	int64		scanned;
	int64		bytes;			/* of all items looked at, before filter and projection */
	Jsonb	   *last_item;		/* where the next page goes on; NULL: the end was reached */
} PageResult;

/* A query of a table without sort key: its page has no LastEvaluatedKey. */
static inline bool
page_is_single_item(const PageSpec *spec)
{
	return spec->column_count == 1 && spec->columns[0].equal;
}

/* Fill in columns for the table or index, unbounded. */
extern void page_init(PageSpec *spec, TableDescription *table, const IndexDescription *index);

/* Bound the columns by a key condition, checked against the key schema. */
extern void page_bound(PageSpec *spec, const KeyCondition *condition);

/*
 * Read a page and append its items, as elements of an array that is open, to
 * items; nothing with count_only.
 */
extern void page_read(const PageSpec *spec, JsonWriter *items, PageResult *result);

/*
 * Is the item what the index entry stands for?  Entries of long keys are
 * digests, and items of before the index may be in it by a part of their keys;
 * what does not belong is passed over.
 */
extern bool page_item_belongs(const PageSpec *spec, JsonbContainer *item);

/* {"pk":{..},..}: the key attributes of table and index of an item. */
extern void page_append_key(JsonWriter *response, const PageSpec *spec, JsonbContainer *item);

/* The kept plan and its parameter values, for cursors and dynamo.explain(). */
extern SPIPlanPtr page_plan(const PageSpec *spec);
extern int	page_parameters(const PageSpec *spec, Datum *values);

/* What the index has for a column value: itself, or its digest. */
extern Datum page_position(const PageColumn *column, Datum column_value);

/* ---- what the requests of Query and Scan share (page_request.c) ---- */

/*
 * The part of a request that does not need the table, checked in DynamoDB's
 * order by the handlers.
 */
typedef struct PageRequest
{
	char	   *table_name;
	TableDescription *table;	/* opened after all checks that need none */
	const char *index_name;
	Select		select;
	ReturnCapacity capacity;
	bool		consistent;
	bool		or_operator;
	Projection *attributes_to_get;
	Condition  *filter;
	bool		legacy_filter;	/* it came from QueryFilter or ScanFilter */
	Projection *projection;
	Jsonb	   *start;
	bool		has_limit;
	int64		limit;
	bool		backward;
} PageRequest;

/* The Select words, and the index name's constraints. */
extern Select page_request_select(const cJSON *request, ConstraintFaults *faults);
extern const char *page_request_index_name(const cJSON *request, ConstraintFaults *faults);

/* Select against ProjectionExpression and AttributesToGet. */
extern void page_request_check_select(const PageRequest *page, bool query);

/* The start key's attribute values; NULL if there is none. */
extern Jsonb *page_request_start_key(const cJSON *request);

/*
 * Start the page on the opened table: find the index, check what depends on
 * both: consistent reads, projections.
 */
extern void page_open(PageSpec *spec, const PageRequest *page, bool query);

/*
 * The start key against table and index, before the key condition is; then,
 * with the columns bounded, against the bounds of a Query.
 */
extern void page_request_check_start_key(const PageRequest *page, const PageSpec *spec, bool query);
extern void page_request_use_start_key(const PageRequest *page, PageSpec *spec, bool query);

/* After all others: attributes that projection, filter and Select may not ask for. */
extern void page_check_attributes(const PageSpec *spec, const PageRequest *page, bool query);

/* Read the page and write the whole response. */
extern void page_request_respond(const PageRequest *page, const PageSpec *spec, JsonWriter *response);

/* ---- the two requests, up to the page they describe ---- */

/* Query without its table: all checks that need none. */
extern KeyCondition *query_parse(const cJSON *request, PageRequest *page);
extern void query_open(PageRequest *page, const KeyCondition *bounds, PageSpec *spec);
extern void scan_open(const cJSON *request, PageRequest *page, PageSpec *spec);

#endif							/* DYNAMO_PAGE_H */
