/*
 * errors.c
 *		Raising DynamoDB's exceptions.
 */
#include "postgres.h"

#include "lib/stringinfo.h"

#include "errors.h"

#define ENVELOPE "1 validation error detected: "

const DynamoErrorDescription dynamo_errors[DYNAMO_ERROR_COUNT] = {
#define X(symbol, name, sqlstate, space, status) {name, sqlstate, space, status},
	DYNAMO_ERRORS(X)
#undef X
};

static ValidationForm current_form = VALIDATION_FORM_OLDER;

static void report(DynamoError error, const char *body, const char *prefix,
				   const char *format, va_list arguments) pg_attribute_printf(4, 0);

/*
 * The text is built before ereport() so that a %m or % in user data cannot be
 * taken for a format.
 */
static void
report(DynamoError error, const char *body, const char *prefix,
	   const char *format, va_list arguments)
{
	const DynamoErrorDescription *description = &dynamo_errors[error];
	const char *state = description->sqlstate;
	StringInfoData text;
	va_list		copy;

	initStringInfo(&text);
	for (;;)
	{
		int			needed;

		va_copy(copy, arguments);
		needed = appendStringInfoVA(&text, format, copy);
		va_end(copy);
		if (needed == 0)
			break;
		enlargeStringInfo(&text, needed);
	}

	ereport(ERROR,
			(errcode(MAKE_SQLSTATE(state[0], state[1], state[2], state[3], state[4])),
			 errmsg_internal("%s: %s%s", description->name, prefix, text.data),
			 body ? errdetail_internal("{\"__type\":\"%s#%s\",%s",
									   description->name_space, description->name, body + 1) : 0));
}

void
dynamo_error(DynamoError error, const char *format,...)
{
	va_list		arguments;

	va_start(arguments, format);
	report(error, NULL, "", format, arguments);
	va_end(arguments);
	pg_unreachable();
}

void
dynamo_error_with_body(DynamoError error, const char *body, const char *format,...)
{
	va_list		arguments;

	va_start(arguments, format);
	report(error, body, "", format, arguments);
	va_end(arguments);
	pg_unreachable();
}

void
validation_error(const char *format,...)
{
	va_list		arguments;

	va_start(arguments, format);
	report(VALIDATION_EXCEPTION, NULL, "", format, arguments);
	va_end(arguments);
	pg_unreachable();
}

void
request_error(const char *format,...)
{
	va_list		arguments;

	va_start(arguments, format);
	report(VALIDATION_EXCEPTION, NULL,
		   current_form == VALIDATION_FORM_ENVELOPE ? ENVELOPE : "",
		   format, arguments);
	va_end(arguments);
	pg_unreachable();
}

void
serialization_error(const char *format,...)
{
	va_list		arguments;

	va_start(arguments, format);
	report(SERIALIZATION_EXCEPTION, NULL, "", format, arguments);
	va_end(arguments);
	pg_unreachable();
}

ValidationForm
errors_set_validation_form(ValidationForm form)
{
	ValidationForm before = current_form;

	current_form = form;
	return before;
}

ValidationForm
errors_validation_form(void)
{
	return current_form;
}
