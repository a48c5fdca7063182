/*
 * transaction_reasons.c
 *		Why a transaction was cancelled: one reason per action, in request order.
 */
#include "postgres.h"

#include "errors.h"
#include "item/item.h"
#include "operation/response.h"
#include "operation/transaction_reasons.h"

/* The SQLSTATE of ValidationException, and what its message starts with. */
static int
validation_sqlstate(void)
{
	const char *state = dynamo_errors[VALIDATION_EXCEPTION].sqlstate;

	return MAKE_SQLSTATE(state[0], state[1], state[2], state[3], state[4]);
}

bool
reason_try(void (*check) (void *argument), void *argument, CancellationReason *reason)
{
	static const char prefix[] = "ValidationException: ";
	MemoryContext context = CurrentMemoryContext;
	volatile bool passed = false;

	PG_TRY();
	{
		check(argument);
		passed = true;
	}
	PG_CATCH();
	{
		ErrorData  *error;

		if (geterrcode() != validation_sqlstate())
			PG_RE_THROW();
		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		FlushErrorState();
		reason->code = REASON_VALIDATION;
		reason->message = strncmp(error->message, prefix, strlen(prefix)) == 0
			? error->message + strlen(prefix) : error->message;
	}
	PG_END_TRY();
	return passed;
}

static void
append_reasons(const CancellationReason *reasons, int count, StringInfo text, JsonWriter *body)
{
	appendStringInfoString(text, "Transaction cancelled, please refer cancellation reasons for specific reasons [");
	response_open(body, NULL, '{');
	response_open(body, "CancellationReasons", '[');
	for (int i = 0; i < count; i++)
	{
		const CancellationReason *reason = &reasons[i];
		const char *code = reason->code ? reason->code : "None";

		appendStringInfo(text, "%s%s", i > 0 ? ", " : "", code);
		response_open(body, NULL, '{');
		response_string(body, "Code", code);
		if (reason->message != NULL)
			response_string(body, "Message", reason->message);
		if (reason->item != NULL)
		{
			response_member(body, "Item");
			item_to_dynamodb_json(body, &reason->item->root);
		}
		response_close(body, '}');
	}
	appendStringInfoChar(text, ']');
	response_close(body, ']');
	response_close(body, '}');
}

void
reasons_cancel(const CancellationReason *reasons, int count)
{
	StringInfoData text;
	JsonWriter	body;

	initStringInfo(&text);
	json_writer_begin_text(&body);
	append_reasons(reasons, count, &text, &body);
	dynamo_error_with_body(TRANSACTION_CANCELED, body.text.data, "%s", text.data);
}

void
reasons_conflict(int count, StringInfo text, JsonWriter *body)
{
	CancellationReason *reasons = palloc0(sizeof(CancellationReason) * Max(1, count));

	for (int i = 0; i < count; i++)
	{
		reasons[i].code = REASON_CONFLICT;
		reasons[i].message = MESSAGE_CONFLICT;
	}
	append_reasons(reasons, count, text, body);
}
