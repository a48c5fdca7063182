/*
 * operation.c
 *		The table of operations, and the SQL functions in front of it.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"

#include "item/json_tree.h"
#include "operation/operation.h"

enum
{
#define X(name, function, target, form) OPERATION_##name,
	OPERATIONS(X)
#undef X
};

const Operation operations[] = {
#define X(name, function, target, form) {#name, #function, target, form, function},
	OPERATIONS(X)
#undef X
};

const int	operation_count = lengthof(operations);

/* OPERATIONS is in the order of names. */
const Operation *
operation_by_name(const char *name)
{
	int			low = 0;
	int			high = operation_count - 1;

	while (low <= high)
	{
		int			middle = (low + high) / 2;
		int			order = strcmp(name, operations[middle].name);

		if (order == 0)
			return &operations[middle];
		if (order < 0)
			high = middle - 1;
		else
			low = middle + 1;
	}
	return NULL;
}

void
operation_run(const Operation *operation, const cJSON *request, JsonWriter *response)
{
	errors_set_validation_form(operation->form);
	request_check_shape(operation->name, request);
	operation->handler(request, response);
}

/*
 * Run an operation on a jsonb request.  The tree lives in the current memory
 * context, the caller's per-call context.
 */
static Datum
run_on_jsonb(const Operation *operation, Jsonb *jb)
{
	JsonWriter	response;

	json_writer_begin_jsonb(&response);
	operation_run(operation, json_tree_from_jsonb(jb), &response);
	return JsonbPGetDatum(json_writer_jsonb(&response));
}

/*
 * dynamo.api(operation text, request jsonb) returns jsonb
 */
PG_FUNCTION_INFO_V1(dynamo_api);
Datum
dynamo_api(PG_FUNCTION_ARGS)
{
	char	   *name = text_to_cstring(PG_GETARG_TEXT_PP(0));
	const Operation *operation = operation_by_name(name);

	if (operation == NULL)
		dynamo_error(UNKNOWN_OPERATION, "%s", name);
	PG_RETURN_DATUM(run_on_jsonb(operation, PG_GETARG_JSONB_P(1)));
}

/*
 * dynamo.<function>(request jsonb) returns jsonb, one per operation.
 */
#define X(name, function, target, form) \
	PG_FUNCTION_INFO_V1(dynamo_##function); \
	Datum \
	dynamo_##function(PG_FUNCTION_ARGS) \
	{ \
		PG_RETURN_DATUM(run_on_jsonb(&operations[OPERATION_##name], PG_GETARG_JSONB_P(0))); \
	}
OPERATIONS(X)
#undef X
