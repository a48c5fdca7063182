/*
 * idempotency_token.c
 *		ClientRequestToken: a transaction that is sent again is not done again.
 *
 * Callers have no rights on the table of tokens; its statements run as its
 * owner, as those of foreign keys do.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "common/cryptohash.h"
#include "common/sha2.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "catalog/description.h"
#include "errors.h"
#include "guc.h"
#include "operation/idempotency_token.h"
#include "operation/operation.h"
#include "operation/statement.h"

/* A transaction that took longer than this writes its token's time anew. */
#define TOKEN_COMPLETION_MILLISECONDS 1000

/* Every so many tokens a session removes up to so many that have expired. */
#define TOKEN_REMOVAL_INTERVAL 32
#define TOKEN_REMOVAL_LIMIT	   "64"

#define TOKEN_LIFETIME "pg_catalog.make_interval(mins => 10)"

#define TOKEN_KEY \
	"token OPERATOR(pg_catalog.=) $1 AND role OPERATOR(pg_catalog.=) $2 AND " \
	"schema_name OPERATOR(pg_catalog.=) $3 AND operation OPERATOR(pg_catalog.=) $4"

typedef enum TokenParameter
{
	PARAMETER_TOKEN,
	PARAMETER_ROLE,
	PARAMETER_SCHEMA,
	PARAMETER_OPERATION,
	PARAMETER_TIME,
	PARAMETER_DIGEST,
	PARAMETER_UNITS,
	PARAMETER_COUNT
} TokenParameter;

static const Oid parameter_types[PARAMETER_COUNT] = {
	TEXTOID, OIDOID, TEXTOID, TEXTOID, TIMESTAMPTZOID, BYTEAOID, INT4ARRAYOID
};

typedef struct TokenStatement
{
	int			parameter_count;
	const char *sql;
	SPIPlanPtr	plan;			/* kept */
} TokenStatement;

/* An expired token is taken over where it is. */
static TokenStatement take_statement = {
	PARAMETER_UNITS,
	"INSERT INTO dynamo.transaction_tokens AS old"
	" (token, role, schema_name, operation, completed_at, digest)"
	" VALUES ($1, $2, $3, $4, $5, $6)"
	" ON CONFLICT (token, role, schema_name, operation) DO UPDATE"
	" SET digest = EXCLUDED.digest, completed_at = EXCLUDED.completed_at, read_units = NULL"
	" WHERE old.completed_at OPERATOR(pg_catalog.<)"
	" (EXCLUDED.completed_at OPERATOR(pg_catalog.-) " TOKEN_LIFETIME ")"
};

static TokenStatement find_statement = {
	PARAMETER_UNITS,
	"SELECT digest, read_units FROM dynamo.transaction_tokens WHERE " TOKEN_KEY
};

static TokenStatement complete_statement = {
	PARAMETER_COUNT,
	"UPDATE dynamo.transaction_tokens SET completed_at = $5, read_units = $7 WHERE " TOKEN_KEY
};

static TokenStatement remove_statement = {
	PARAMETER_UNITS,
	"DELETE FROM dynamo.transaction_tokens WHERE ctid OPERATOR(pg_catalog.=) ANY (ARRAY("
	"SELECT ctid FROM dynamo.transaction_tokens"
	" WHERE completed_at OPERATOR(pg_catalog.<) ($5 OPERATOR(pg_catalog.-) " TOKEN_LIFETIME ")"
	" ORDER BY completed_at LIMIT " TOKEN_REMOVAL_LIMIT " FOR UPDATE SKIP LOCKED))"
};

/* ---- digest ---- */

static int
compare_members(const void *a, const void *b)
{
	return strcmp((*(const cJSON *const *) a)->string, (*(const cJSON *const *) b)->string);
}

static void append_canonical(StringInfo out, const cJSON *value);

/* Members in the order of names; one that is null is as good as absent. */
static void
append_canonical_object(StringInfo out, const cJSON *object)
{
	int			count = 0;
	const cJSON **members = palloc(sizeof(cJSON *) * (cJSON_GetArraySize(object) + 1));
	const cJSON *member;

	cJSON_ArrayForEach(member, object)
	{
		if (!cJSON_IsNull(member))
			members[count++] = member;
	}
	qsort(members, count, sizeof(cJSON *), compare_members);

	appendStringInfo(out, "{%d:", count);
	for (int i = 0; i < count; i++)
	{
		appendStringInfo(out, "%zu:%s", strlen(members[i]->string), members[i]->string);
		append_canonical(out, members[i]);
	}
	pfree(members);
}

/* Lengths stand before what they count, so that no two requests look alike. */
static void
append_canonical(StringInfo out, const cJSON *value)
{
	const cJSON *element;

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	if (cJSON_IsObject(value))
		append_canonical_object(out, value);
	else if (cJSON_IsArray(value))
	{
		appendStringInfo(out, "[%d:", cJSON_GetArraySize(value));
		cJSON_ArrayForEach(element, value)
			append_canonical(out, element);
	}
	else if (cJSON_IsString(value))
		appendStringInfo(out, "%zu:%s", strlen(value->valuestring), value->valuestring);
	else if (cJSON_IsNumber(value))
		appendStringInfo(out, "#%.17g", value->valuedouble);
	else
		appendStringInfoChar(out, cJSON_IsTrue(value) ? 't' : cJSON_IsFalse(value) ? 'f' : 'n');
}

static bytea *
request_digest(const cJSON *request)
{
	bytea	   *digest = palloc(VARHDRSZ + PG_SHA256_DIGEST_LENGTH);
	pg_cryptohash_ctx *context = pg_cryptohash_create(PG_SHA256);
	StringInfoData canonical;

	initStringInfo(&canonical);
	append_canonical(&canonical, request);
	SET_VARSIZE(digest, VARHDRSZ + PG_SHA256_DIGEST_LENGTH);
	if (context == NULL ||
		pg_cryptohash_init(context) < 0 ||
		pg_cryptohash_update(context, (uint8 *) canonical.data, canonical.len) < 0 ||
		pg_cryptohash_final(context, (uint8 *) VARDATA(digest), PG_SHA256_DIGEST_LENGTH) < 0)
		elog(ERROR, "could not compute a SHA-256 hash");
	pg_cryptohash_free(context);
	pfree(canonical.data);
	return digest;
}

/* ---- statements ---- */

static Oid
tokens_owner(void)
{
	Oid			relid = catalog_table_oid("transaction_tokens", false);
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for relation %u", relid);
	owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;
	ReleaseSysCache(tuple);
	return owner;
}

/* Of the owner's statements all names and operators are qualified. */
static uint64
run_statement(TokenStatement *statement, const Datum *values, StatementReceiver receiver, void *argument)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			user;
	int			context;
	uint64		rows;

	GetUserIdAndSecContext(&user, &context);
	SetUserIdAndSecContext(tokens_owner(),
						   context | SECURITY_LOCAL_USERID_CHANGE | SECURITY_NOFORCE_RLS);
	if (statement->plan == NULL)
	{
		SPIPlanPtr	plan = SPI_prepare_cursor(statement->sql, statement->parameter_count,
											  (Oid *) parameter_types, CURSOR_OPT_GENERIC_PLAN);

		if (plan == NULL || SPI_keepplan(plan) != 0)
			elog(ERROR, "could not prepare \"%s\"", statement->sql);
		statement->plan = plan;
		MemoryContextSwitchTo(caller);
	}
	rows = statement_run(statement->plan, statement->parameter_count, values, receiver, argument);
	SetUserIdAndSecContext(user, context);
	return rows;
}

static void
set_parameters(const IdempotencyToken *token, Datum *values)
{
	values[PARAMETER_TOKEN] = CStringGetTextDatum(token->token);
	values[PARAMETER_ROLE] = ObjectIdGetDatum(GetUserId());
	values[PARAMETER_SCHEMA] = CStringGetTextDatum(dynamo_schema);
	values[PARAMETER_OPERATION] = CStringGetTextDatum(token->operation);
	values[PARAMETER_TIME] = TimestampTzGetDatum(token->taken_at);
	values[PARAMETER_DIGEST] = PointerGetDatum(token->digest);
}

/*
 * In passing, a few at a time; not where a snapshot is kept, since others may
 * have removed what it still sees.
 */
static void
remove_expired(const Datum *values)
{
	static int	taken = 0;

	if (++taken % TOKEN_REMOVAL_INTERVAL == 0 && !IsolationUsesXactSnapshot())
		run_statement(&remove_statement, values, NULL, NULL);
}

/* ---- the request that came first ---- */

typedef struct FirstRequest
{
	MemoryContext context;
	bytea	   *digest;
	ArrayType  *read_units;		/* NULL: one each */
} FirstRequest;

static bool
receive_first(TupleTableSlot *slot, void *argument)
{
	FirstRequest *first = argument;
	MemoryContext caller = MemoryContextSwitchTo(first->context);
	bool		is_null;
	Datum		value = slot_getattr(slot, 1, &is_null);

	first->digest = DatumGetByteaPCopy(value);
	value = slot_getattr(slot, 2, &is_null);
	if (!is_null)
		first->read_units = DatumGetArrayTypePCopy(value);
	MemoryContextSwitchTo(caller);
	return false;
}

static int *
copy_units(ArrayType *array, int count)
{
	int		   *units = palloc(sizeof(int) * count);
	Datum	   *elements;
	int			element_count;

	deconstruct_array(array, INT4OID, sizeof(int32), true, TYPALIGN_INT, &elements, NULL, &element_count);
	for (int i = 0; i < count; i++)
		units[i] = i < element_count ? DatumGetInt32(elements[i]) : 1;
	return units;
}

static int *
minimal_units(int count)
{
	int		   *units = palloc(sizeof(int) * count);

	for (int i = 0; i < count; i++)
		units[i] = 1;
	return units;
}

/* The row that kept the token from being taken. */
static int *
units_of_first(const IdempotencyToken *token, const Datum *values, int count)
{
	FirstRequest first = {CurrentMemoryContext};

	run_statement(&find_statement, values, receive_first, &first);
	if (first.digest == NULL)
		dynamo_error(TRANSACTION_IN_PROGRESS, "The transaction with the given request token is already in progress");
	if (VARSIZE(first.digest) != VARSIZE(token->digest) ||
		memcmp(first.digest, token->digest, VARSIZE(token->digest)) != 0)
		dynamo_error(IDEMPOTENT_PARAMETER_MISMATCH,
					 "The request differs from the one that was sent with this ClientRequestToken before");
	return first.read_units ? copy_units(first.read_units, count) : minimal_units(count);
}

/* ---- tokens ---- */

bool
token_take(IdempotencyToken *token, const char *operation, const char *text,
		   const cJSON *request, int count, int **read_units)
{
	Datum		values[PARAMETER_COUNT];
	bool		taken;

	token->operation = operation;
	token->token = text;
	token->digest = request_digest(request);
	token->taken_at = GetCurrentTimestamp();
	set_parameters(token, values);

	statement_begin();
	remove_expired(values);
	taken = run_statement(&take_statement, values, NULL, NULL) > 0;
	if (!taken)
		*read_units = units_of_first(token, values, count);
	statement_end();
	return taken;
}

/*
 * As a rule the row can stay as it was taken: an instant ago, by a request of
 * small items.
 */
void
token_complete(const IdempotencyToken *token, const int *read_units, int count)
{
	Datum		values[PARAMETER_COUNT];
	TimestampTz now = GetCurrentTimestamp();
	Datum	   *units = palloc(sizeof(Datum) * count);
	bool		minimal = true;

	for (int i = 0; i < count; i++)
	{
		units[i] = Int32GetDatum(read_units[i]);
		if (read_units[i] != 1)
			minimal = false;
	}
	if (minimal && !TimestampDifferenceExceeds(token->taken_at, now, TOKEN_COMPLETION_MILLISECONDS))
		return;

	set_parameters(token, values);
	values[PARAMETER_TIME] = TimestampTzGetDatum(now);
	values[PARAMETER_UNITS] = PointerGetDatum(construct_array(units, count, INT4OID, sizeof(int32), true,
															  TYPALIGN_INT));
	statement_begin();
	run_statement(&complete_statement, values, NULL, NULL);
	statement_end();
}
