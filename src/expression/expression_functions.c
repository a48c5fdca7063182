/*
 * expression_functions.c
 *		Conditions, updates and projections as SQL functions over items.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "errors.h"
#include "expression/expression.h"

PG_FUNCTION_INFO_V1(dynamo_matches);
PG_FUNCTION_INFO_V1(dynamo_apply_update);
PG_FUNCTION_INFO_V1(dynamo_project);

/*
 * What a call site has parsed last, with the arguments it was parsed from:
 * an expression is mostly a constant, but need not be.
 */
typedef struct ParsedCall
{
	MemoryContext context;		/* of the arguments' copies and the parsed form */
	text	   *expression;
	Jsonb	   *values;			/* NULL if not given */
	Jsonb	   *names;
	void	   *parsed;			/* NULL if parsing has failed */
} ParsedCall;

typedef void *(*ParseExpression) (const char *text, Placeholders *placeholders);

static void *
parse_filter(const char *text, Placeholders *placeholders)
{
	return condition_parse(FILTER_EXPRESSION, text, placeholders);
}

static void *
parse_update(const char *text, Placeholders *placeholders)
{
	return update_parse(text, placeholders);
}

static void *
parse_projection(const char *text, Placeholders *placeholders)
{
	return projection_parse(text, placeholders);
}

static bool
same_datum(const void *a, const void *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	return VARSIZE_ANY(a) == VARSIZE_ANY(b) && memcmp(a, b, VARSIZE_ANY(a)) == 0;
}

static void *
copy_datum(const void *datum)
{
	return datum ? memcpy(palloc(VARSIZE_ANY(datum)), datum, VARSIZE_ANY(datum)) : NULL;
}

static ParsedCall *
call_site(FunctionCallInfo fcinfo)
{
	ParsedCall *call = fcinfo->flinfo->fn_extra;

	if (call == NULL)
	{
		call = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(ParsedCall));
		call->context = AllocSetContextCreate(fcinfo->flinfo->fn_mcxt, "dynamo expression",
											  ALLOCSET_SMALL_SIZES);
		fcinfo->flinfo->fn_extra = call;
	}
	return call;
}

/* Texts of these functions never have the prefix of an operation's newer form. */
static void *
parse_in_old_form(ParseExpression parse, const char *text, Jsonb *names, Jsonb *values)
{
	ValidationForm form = errors_set_validation_form(VALIDATION_FORM_OLDER);
	Placeholders *placeholders = placeholders_from_jsonb(names, values);
	void	   *parsed = parse(text, placeholders);

	placeholders_check_used(placeholders);
	errors_set_validation_form(form);
	return parsed;
}

static void *
parsed_expression(FunctionCallInfo fcinfo, ParseExpression parse, text *expression,
				  Jsonb *values, Jsonb *names)
{
	ParsedCall *call = call_site(fcinfo);
	MemoryContext caller;

	if (call->parsed && same_datum(call->expression, expression) &&
		same_datum(call->values, values) && same_datum(call->names, names))
		return call->parsed;

	call->parsed = NULL;
	MemoryContextReset(call->context);
	caller = MemoryContextSwitchTo(call->context);
	call->expression = copy_datum(expression);
	call->values = copy_datum(values);
	call->names = copy_datum(names);
	call->parsed = parse_in_old_form(parse, text_to_cstring(call->expression),
									 call->names, call->values);
	MemoryContextSwitchTo(caller);
	return call->parsed;
}

static Jsonb *
jsonb_argument(FunctionCallInfo fcinfo, int i)
{
	return PG_ARGISNULL(i) ? NULL : PG_GETARG_JSONB_P(i);
}

/* The item in the first argument; NULL stands for the absent item. */
static JsonbContainer *
item_argument(FunctionCallInfo fcinfo)
{
	Jsonb	   *item = jsonb_argument(fcinfo, 0);

	if (item && !JB_ROOT_IS_OBJECT(item))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("an item must be a JSON object")));
	return item ? &item->root : NULL;
}

/* matches(item, condition, attribute_values, attribute_names) */
Datum
dynamo_matches(PG_FUNCTION_ARGS)
{
	Condition  *condition;

	if (PG_ARGISNULL(1))
		PG_RETURN_NULL();
	condition = parsed_expression(fcinfo, parse_filter, PG_GETARG_TEXT_PP(1),
								  jsonb_argument(fcinfo, 2), jsonb_argument(fcinfo, 3));
	PG_RETURN_BOOL(condition_matches(condition, item_argument(fcinfo)));
}

/* apply_update(item, expression, attribute_values, attribute_names) */
Datum
dynamo_apply_update(PG_FUNCTION_ARGS)
{
	Update	   *update;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_NULL();
	update = parsed_expression(fcinfo, parse_update, PG_GETARG_TEXT_PP(1),
							   jsonb_argument(fcinfo, 2), jsonb_argument(fcinfo, 3));
	PG_RETURN_JSONB_P(update_apply(update, item_argument(fcinfo)));
}

/* project(item, projection, attribute_names) */
Datum
dynamo_project(PG_FUNCTION_ARGS)
{
	Projection *projection;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_NULL();
	projection = parsed_expression(fcinfo, parse_projection, PG_GETARG_TEXT_PP(1),
								   NULL, jsonb_argument(fcinfo, 2));
	PG_RETURN_JSONB_P(projection_apply(projection, item_argument(fcinfo)));
}
