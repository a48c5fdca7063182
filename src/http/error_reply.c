/*
 * error_reply.c
 *		What an error becomes over HTTP: one table from SQLSTATE to DynamoDB's
 *		exceptions.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"

#include "errors.h"
#include "http/error_reply.h"
#include "http/reply.h"
#include "http/zero_escape.h"
#include "item/item.h"
#include "operation/batch_request.h"
#include "operation/operation.h"
#include "operation/transaction_reasons.h"

/* What the reply says. */
typedef enum MessageSource
{
	MESSAGE_OWN,				/* the error's message: it names what the user put there */
	MESSAGE_FIXED				/* the text of the table: the message is for the server's log */
} MessageSource;

typedef struct ErrorRule
{
	const char *sqlstate;		/* five characters, or two for a class */
	DynamoError error;
	ErrorRetry	retry;
	MessageSource source;
	bool		fault;
	const char *text;			/* before the message, or instead of it */
} ErrorRule;

/* The first rule that fits counts. */
static const ErrorRule rules[] = {
	{"42501", ACCESS_DENIED, RETRY_NEVER, MESSAGE_OWN, false, ""},
	{"55P03", THROTTLING_EXCEPTION, RETRY_UNTIL_DEADLINE, MESSAGE_FIXED, false,
	"The request waited too long for a lock that another session holds"},
	{"40001", THROTTLING_EXCEPTION, RETRY_SOON, MESSAGE_FIXED, false,
	"The request conflicted with concurrent requests"},
	{"40P01", THROTTLING_EXCEPTION, RETRY_SOON, MESSAGE_FIXED, false,
	"The request conflicted with concurrent requests"},
	{"57014", THROTTLING_EXCEPTION, RETRY_NEVER, MESSAGE_FIXED, false,
	"The request was canceled, or took longer than dynamo.statement_timeout"},
	{"23505", CONDITIONAL_CHECK_FAILED, RETRY_NEVER, MESSAGE_OWN, false, "The conditional request failed: "},
	{"23", VALIDATION_EXCEPTION, RETRY_NEVER, MESSAGE_OWN, false, "One or more parameter values were invalid: "},
	{"22", VALIDATION_EXCEPTION, RETRY_NEVER, MESSAGE_OWN, false, "One or more parameter values were invalid: "},
	{"44", VALIDATION_EXCEPTION, RETRY_NEVER, MESSAGE_OWN, false, "One or more parameter values were invalid: "},
	{"54", VALIDATION_EXCEPTION, RETRY_NEVER, MESSAGE_OWN, false, ""},
	{"P0", VALIDATION_EXCEPTION, RETRY_NEVER, MESSAGE_OWN, false, ""},
	{"0A", VALIDATION_EXCEPTION, RETRY_NEVER, MESSAGE_OWN, false, ""},
	{"53", SERVICE_UNAVAILABLE, RETRY_NEVER, MESSAGE_FIXED, true, "The server is out of resources"},
	{"25006", SERVICE_UNAVAILABLE, RETRY_NEVER, MESSAGE_OWN, false, ""},
};

/* An exception that a trigger or policy function of the user's raised. */
static const ErrorRule user_code_rule = {"", VALIDATION_EXCEPTION, RETRY_NEVER, MESSAGE_OWN, false, ""};

static const ErrorRule fault_rule = {"", INTERNAL_SERVER_ERROR, RETRY_NEVER, MESSAGE_FIXED, true,
"Internal server error"};

static bool
is_of_user_code(const ErrorData *error, const char *state)
{
	return error->context != NULL && strstr(error->context, "PL/") != NULL &&
		strncmp(state, "XX", 2) != 0 && strncmp(state, "58", 2) != 0;
}

static const ErrorRule *
find_rule(const ErrorData *error)
{
	const char *state = unpack_sql_state(error->sqlerrcode);

	for (int i = 0; i < lengthof(rules); i++)
	{
		if (strncmp(state, rules[i].sqlstate, strlen(rules[i].sqlstate)) == 0)
			return &rules[i];
	}
	return is_of_user_code(error, state) ? &user_code_rule : &fault_rule;
}

/* The exception if it is one that this extension raised as such. */
static const DynamoErrorDescription *
find_exception(const ErrorData *error)
{
	const char *state = unpack_sql_state(error->sqlerrcode);

	for (int i = 0; i < DYNAMO_ERROR_COUNT; i++)
	{
		const char *name = dynamo_errors[i].name;

		if (strcmp(state, dynamo_errors[i].sqlstate) == 0 && error->message != NULL &&
			strncmp(error->message, name, strlen(name)) == 0 && error->message[strlen(name)] == ':')
			return &dynamo_errors[i];
	}
	return NULL;
}

ErrorRetry
error_retry(const ErrorData *error)
{
	return find_exception(error) ? RETRY_NEVER : find_rule(error)->retry;
}

bool
error_is_fault(const ErrorData *error)
{
	const DynamoErrorDescription *exception = find_exception(error);

	return exception ? exception == &dynamo_errors[INTERNAL_SERVER_ERROR] : find_rule(error)->fault;
}

/* What a header held need not be text. */
static const char *
as_utf8(const char *message)
{
	char	   *copy;

	if (pg_encoding_verifymbstr(PG_UTF8, message, strlen(message)) == strlen(message))
		return message;
	copy = pstrdup(message);
	for (char *c = copy; *c != '\0'; c++)
	{
		if (IS_HIGHBIT_SET(*c))
			*c = '?';
	}
	return copy;
}

/*
 * {"__type":..,"message":..} with further members, a JSON object (an error's
 * DETAIL begins with the type as well), or NULL.
 */
static void
compose(HttpRequest *request, const DynamoErrorDescription *exception, const char *message,
		const char *members)
{
	char	   *type = psprintf("{\"__type\":\"%s#%s\"", exception->name_space, exception->name);
	StringInfoData body;

	message = as_utf8(message);
	initStringInfo(&body);
	appendStringInfoString(&body, type);
	if (*message != '\0')
	{
		/* one exception spells the member with a capital */
		appendStringInfoString(&body, exception == &dynamo_errors[SERIALIZATION_EXCEPTION] ?
							   ",\"Message\":" : ",\"message\":");
		json_append_string(&body, message, strlen(message));
	}
	if (members != NULL && strncmp(members, type, strlen(type)) == 0 && members[strlen(type)] == ',')
		appendStringInfoString(&body, members + strlen(type));
	else if (members != NULL && members[0] == '{' && members[1] != '}')
	{
		appendStringInfoChar(&body, ',');
		appendStringInfoString(&body, members + 1);
	}
	else
		appendStringInfoChar(&body, '}');
	zero_unescape(&body);
	reply_compose(request, exception->http_status, CONTENT_AMZ_JSON, body.data, body.len);
}

/* A conflict of a whole transaction: every item of the request may be the one. */
static void
compose_conflict(HttpRequest *request, const cJSON *tree)
{
	int			count = tree ? cJSON_GetArraySize(request_array(tree, "TransactItems")) : 0;
	JsonWriter	members;
	StringInfoData message;

	json_writer_begin_text(&members);
	initStringInfo(&message);
	reasons_conflict(count, &message, &members);
	compose(request, &dynamo_errors[TRANSACTION_CANCELED], message.data, members.text.data);
}

static bool
is_transaction(const HttpRequest *request)
{
	return request->operation != NULL && strncmp(request->operation->name, "Transact", 8) == 0;
}

/* A batch that was given up because of others goes back to the client, whole. */
static void
compose_unprocessed(HttpRequest *request, const cJSON *tree)
{
	JsonWriter	body;

	json_writer_begin_text(&body);
	batch_write_unprocessed(tree, &body);
	zero_unescape(&body.text);
	reply_compose(request, 200, CONTENT_AMZ_JSON, body.text.data, body.text.len);
}

static bool
is_batch_write(const HttpRequest *request)
{
	return request->operation != NULL && strcmp(request->operation->name, "BatchWriteItem") == 0;
}

void
error_reply(HttpRequest *request, const ErrorData *error, const cJSON *tree)
{
	const DynamoErrorDescription *exception = find_exception(error);
	const ErrorRule *rule = find_rule(error);

	if (exception != NULL)
	{
		const char *text = error->message + strlen(exception->name) + 1;

		compose(request, exception, *text == ' ' ? text + 1 : text, error->detail);
	}
	else if (rule->retry != RETRY_NEVER && is_transaction(request))
		compose_conflict(request, tree);
	else if (rule->retry != RETRY_NEVER && is_batch_write(request) && tree != NULL)
		compose_unprocessed(request, tree);
	else
		compose(request, &dynamo_errors[rule->error],
				psprintf("%s%s", rule->text,
						 rule->source == MESSAGE_OWN && error->message ? error->message : ""), NULL);
}
