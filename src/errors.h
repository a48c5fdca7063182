/*
 * errors.h
 *		DynamoDB's exceptions: name, SQLSTATE and HTTP status side by side.
 *
 * Every error this extension raises on behalf of DynamoDB goes through here.
 * The SQL message is "ExceptionName: text", so that a person reads it and the
 * HTTP room can take it apart; the SQLSTATE is what programs catch.  Further
 * members of DynamoDB's error body (Item, CancellationReasons) travel as the
 * error's DETAIL, a JSON object.
 */
#ifndef DYNAMO_ERRORS_H
#define DYNAMO_ERRORS_H

#include "postgres.h"

#include "compat.h"

/*
 * X(symbol, exception name, last three characters of SQLSTATE "DYxxx",
 *   namespace of __type, HTTP status)
 *
 * A full five-character code stands where PostgreSQL has one of its own.
 */
#define DYNAMO_ERRORS(X) \
	X(VALIDATION_EXCEPTION, "ValidationException", "DY001", "com.amazon.coral.validate", 400) \
	X(SERIALIZATION_EXCEPTION, "SerializationException", "DY002", "com.amazon.coral.service", 400) \
	X(CONDITIONAL_CHECK_FAILED, "ConditionalCheckFailedException", "DY003", "com.amazonaws.dynamodb.v20120810", 400) \
	X(RESOURCE_NOT_FOUND, "ResourceNotFoundException", "DY004", "com.amazonaws.dynamodb.v20120810", 400) \
	X(RESOURCE_IN_USE, "ResourceInUseException", "DY005", "com.amazonaws.dynamodb.v20120810", 400) \
	X(LIMIT_EXCEEDED, "LimitExceededException", "DY006", "com.amazonaws.dynamodb.v20120810", 400) \
	X(UNKNOWN_OPERATION, "UnknownOperationException", "DY007", "com.amazon.coral.service", 400) \
	X(TRANSACTION_CANCELED, "TransactionCanceledException", "DY008", "com.amazonaws.dynamodb.v20120810", 400) \
	X(TRANSACTION_CONFLICT, "TransactionConflictException", "DY009", "com.amazonaws.dynamodb.v20120810", 400) \
	X(TRANSACTION_IN_PROGRESS, "TransactionInProgressException", "DY010", "com.amazonaws.dynamodb.v20120810", 400) \
	X(IDEMPOTENT_PARAMETER_MISMATCH, "IdempotentParameterMismatchException", "DY011", "com.amazonaws.dynamodb.v20120810", 400) \
	X(ITEM_COLLECTION_SIZE_LIMIT, "ItemCollectionSizeLimitExceededException", "DY012", "com.amazonaws.dynamodb.v20120810", 400) \
	X(DUPLICATE_ITEM, "DuplicateItemException", "DY013", "com.amazonaws.dynamodb.v20120810", 400) \
	X(THROTTLING_EXCEPTION, "ThrottlingException", "DY014", "com.amazon.coral.availability", 400) \
	X(TABLE_NOT_FOUND, "TableNotFoundException", "DY015", "com.amazonaws.dynamodb.v20120810", 400) \
	X(EXPIRED_ITERATOR, "ExpiredIteratorException", "DY016", "com.amazonaws.dynamodb.v20120810", 400) \
	X(TRIMMED_DATA_ACCESS, "TrimmedDataAccessException", "DY017", "com.amazonaws.dynamodb.v20120810", 400) \
	X(ACCESS_DENIED, "AccessDeniedException", "42501", "com.amazon.coral.service", 400) \
	X(MISSING_AUTHENTICATION_TOKEN, "MissingAuthenticationTokenException", "DY020", "com.amazon.coral.service", 400) \
	X(INCOMPLETE_SIGNATURE, "IncompleteSignatureException", "DY021", "com.amazon.coral.service", 400) \
	X(INVALID_SIGNATURE, "InvalidSignatureException", "DY022", "com.amazon.coral.service", 400) \
	X(UNRECOGNIZED_CLIENT, "UnrecognizedClientException", "DY023", "com.amazon.coral.service", 400) \
	X(REQUEST_TOO_LARGE, "RequestEntityTooLargeException", "DY024", "com.amazon.coral.service", 413) \
	X(SERVICE_UNAVAILABLE, "ServiceUnavailable", "DY025", "com.amazon.coral.availability", 503) \
	X(INTERNAL_SERVER_ERROR, "InternalServerError", "DY099", "com.amazonaws.dynamodb.v20120810", 500)

typedef enum DynamoError
{
#define X(symbol, name, sqlstate, space, status) symbol,
	DYNAMO_ERRORS(X)
#undef X
	DYNAMO_ERROR_COUNT
} DynamoError;

typedef struct DynamoErrorDescription
{
	const char *name;			/* "ValidationException" */
	const char *sqlstate;		/* five characters */
	const char *name_space;		/* what stands before '#' in __type */
	int			http_status;
} DynamoErrorDescription;

extern const DynamoErrorDescription dynamo_errors[DYNAMO_ERROR_COUNT];

/* Raise an exception: message "Name: text". */
pg_noreturn extern void dynamo_error(DynamoError error, const char *format,...)
			pg_attribute_printf(2, 3);

/*
 * The same with DETAIL: the error body's __type and its further members, which
 * body, a JSON object, has at least one of.
 */
pg_noreturn extern void dynamo_error_with_body(DynamoError error, const char *body, const char *format,...)
			pg_attribute_printf(3, 4);

/* ValidationException about the data or the table: the text stands alone. */
pg_noreturn extern void validation_error(const char *format,...)
			pg_attribute_printf(1, 2);

/*
 * ValidationException about the request itself (expression syntax, shapes of
 * values, enumerations).  The running operation's form decides whether "1
 * validation error detected: " stands before it (see operation.h).
 */
pg_noreturn extern void request_error(const char *format,...)
			pg_attribute_printf(1, 2);

/* SerializationException: the request's JSON has the wrong shape. */
pg_noreturn extern void serialization_error(const char *format,...)
			pg_attribute_printf(1, 2);

/*
 * AWS moves operation by operation to a newer validation framework, which
 * words some texts anew and puts single-item writes' texts in an envelope.
 * Set by the dispatcher before each operation; an error leaves it as it is, the
 * next operation sets it anew.
 */
typedef enum ValidationForm
{
	VALIDATION_FORM_OLDER,		/* older words, bare */
	VALIDATION_FORM_BARE,		/* newer words, bare */
	VALIDATION_FORM_ENVELOPE	/* newer words after "1 validation error detected: " */
} ValidationForm;

extern ValidationForm errors_set_validation_form(ValidationForm form);
extern ValidationForm errors_validation_form(void);

#endif							/* DYNAMO_ERRORS_H */
