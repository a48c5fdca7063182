/*
 * access_key.c
 *		Access keys: pairs of id and secret that stand for a role and a schema.
 *
 * Only this code and superusers see dynamo.credentials: who may act as a role
 * may make and drop keys for it.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/namespace.h"
#include "catalog/pg_collation.h"
#include "commands/trigger.h"
#include "common/base64.h"
#include "common/cryptohash.h"
#include "common/sha2.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/timestamp.h"

#include "catalog/access_key.h"
#include "catalog/catalog_scan.h"
#include "catalog/description.h"
#include "compat.h"

#define CREDENTIALS		"credentials"

#define NEW_ID_PREFIX	"DYNAMO"
#define NEW_ID_RANDOM	14		/* characters after the prefix: 20 in all, as AWS's */
#define NEW_SECRET_BYTES 30		/* 40 characters of base64 */

enum
{
	Anum_credentials_access_key_id = 1,
	Anum_credentials_secret_access_key,
	Anum_credentials_role,
	Anum_credentials_schema_name,
	Anum_credentials_created_at,
	Natts_credentials = Anum_credentials_created_at
};

Oid
access_key_relation(void)
{
	return catalog_table_oid(CREDENTIALS, true);
}

/* ---- one key's row ---- */

static void
scan_key(CatalogScan *scan, LOCKMODE lockmode, const char *id)
{
	ScanKeyData key;

	ScanKeyInit(&key, Anum_credentials_access_key_id, BTEqualStrategyNumber, F_TEXTEQ,
				CStringGetTextDatum(id));
	key.sk_collation = C_COLLATION_OID;
	catalog_scan_begin(scan, CREDENTIALS, lockmode, &key, 1);
}

bool
access_key_read(const char *id, AccessKey *key)
{
	CatalogScan scan;
	bool		found;

	scan_key(&scan, AccessShareLock, id);
	found = catalog_scan_next(&scan);
	if (found)
	{
		key->schema = catalog_scan_name(&scan, Anum_credentials_schema_name);
		key->secret = catalog_scan_text(&scan, Anum_credentials_secret_access_key);
		key->role = catalog_scan_oid(&scan, Anum_credentials_role);
	}
	catalog_scan_end(&scan);
	return found;
}

char *
access_key_account(const char *schema)
{
	pg_cryptohash_ctx *context = pg_cryptohash_create(PG_SHA256);
	uint8		digest[PG_SHA256_DIGEST_LENGTH];
	uint64		number = 0;

	if (pg_cryptohash_init(context) < 0 ||
		pg_cryptohash_update(context, (const uint8 *) schema, strlen(schema)) < 0 ||
		pg_cryptohash_final(context, digest, sizeof(digest)) < 0)
		elog(ERROR, "could not compute a digest: %s", pg_cryptohash_error(context));
	pg_cryptohash_free(context);

	for (int i = 0; i < sizeof(number); i++)
		number = number << 8 | digest[i];
	return psprintf("%012llu", (unsigned long long) (number % UINT64CONST(1000000000000)));
}

/* ---- making keys ---- */

static void
random_bytes(void *bytes, size_t length)
{
	if (!pg_strong_random(bytes, length))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values")));
}

static char *
new_id(void)
{
	static const char characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
	uint8		random[NEW_ID_RANDOM];
	StringInfoData id;

	random_bytes(random, sizeof(random));
	initStringInfo(&id);
	appendStringInfoString(&id, NEW_ID_PREFIX);
	for (int i = 0; i < NEW_ID_RANDOM; i++)
		appendStringInfoChar(&id, characters[random[i] & 31]);
	return id.data;
}

static char *
new_secret(void)
{
	uint8		random[NEW_SECRET_BYTES];
	int			size = pg_b64_enc_len(NEW_SECRET_BYTES);
	char	   *secret = palloc(size + 1);
	int			length;

	random_bytes(random, sizeof(random));
	length = compat_base64_encode(random, NEW_SECRET_BYTES, secret, size);
	if (length < 0)
		elog(ERROR, "could not encode a secret");
	secret[length] = '\0';
	return secret;
}

/* A given pair: what programs have configured must be possible to sign with. */
static void
check_pair(const char *id, const char *secret)
{
	if (id == NULL || secret == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("an access key is given with both id and secret, or with neither")));
	if (*id == '\0' || strlen(id) > ACCESS_KEY_ID_MAX || strpbrk(id, "/,= \t\r\n") != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid access key id \"%s\"", id),
				 errdetail("An id has 1 to %d bytes, without slashes, commas, equal signs and spaces.",
						   ACCESS_KEY_ID_MAX)));
	if (*secret == '\0')
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the secret of an access key must not be empty")));
}

static void
insert_key(const char *id, const char *secret, Oid role, Name schema)
{
	CatalogScan scan;
	Datum		values[Natts_credentials];
	bool		nulls[Natts_credentials] = {false};

	scan_key(&scan, ShareRowExclusiveLock, id);
	if (catalog_scan_next(&scan))
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_OBJECT),
				 errmsg("access key \"%s\" already exists", id)));

	values[Anum_credentials_access_key_id - 1] = CStringGetTextDatum(id);
	values[Anum_credentials_secret_access_key - 1] = CStringGetTextDatum(secret);
	values[Anum_credentials_role - 1] = ObjectIdGetDatum(role);
	values[Anum_credentials_schema_name - 1] = NameGetDatum(schema);
	nulls[Anum_credentials_schema_name - 1] = schema == NULL;
	values[Anum_credentials_created_at - 1] = TimestampTzGetDatum(GetCurrentTransactionStartTimestamp());
	catalog_insert_row(CREDENTIALS, values, nulls);
	CacheInvalidateRelcache(scan.catalog);
	catalog_scan_end(&scan);
}

static char *
text_argument(FunctionCallInfo fcinfo, int number)
{
	return PG_ARGISNULL(number) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(number));
}

/*
 * dynamo.create_access_key(role regrole, schema name, id text, secret text)
 *		returns (access_key_id text, secret_access_key text)
 */
PG_FUNCTION_INFO_V1(dynamo_create_access_key);
Datum
dynamo_create_access_key(PG_FUNCTION_ARGS)
{
	Name		schema = PG_ARGISNULL(1) ? NULL : PG_GETARG_NAME(1);
	char	   *id = text_argument(fcinfo, 2);
	char	   *secret = text_argument(fcinfo, 3);
	TupleDesc	descriptor;
	Datum		values[2];
	bool		nulls[2] = {false, false};
	Oid			role;

	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("the role of an access key must not be null")));
	role = PG_GETARG_OID(0);
	if (get_call_result_type(fcinfo, NULL, &descriptor) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");

	compat_check_can_act_as(GetUserId(), role);
	if (schema != NULL)
		(void) get_namespace_oid(NameStr(*schema), false);
	if (id != NULL || secret != NULL)
		check_pair(id, secret);
	else
	{
		id = new_id();
		secret = new_secret();
	}
	insert_key(id, secret, role, schema);

	values[0] = CStringGetTextDatum(id);
	values[1] = CStringGetTextDatum(secret);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(descriptor), values, nulls)));
}

/*
 * dynamo.drop_access_key(id text) returns void
 */
PG_FUNCTION_INFO_V1(dynamo_drop_access_key);
Datum
dynamo_drop_access_key(PG_FUNCTION_ARGS)
{
	char	   *id = text_to_cstring(PG_GETARG_TEXT_PP(0));
	CatalogScan scan;

	scan_key(&scan, ShareRowExclusiveLock, id);
	if (!catalog_scan_next(&scan))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("access key \"%s\" does not exist", id)));
	/* the key of a role that is gone is for superusers to drop */
	compat_check_can_act_as(GetUserId(), catalog_scan_oid(&scan, Anum_credentials_role));
	catalog_scan_delete(&scan);
	CacheInvalidateRelcache(scan.catalog);
	catalog_scan_end(&scan);
	PG_RETURN_VOID();
}

/*
 * Trigger of dynamo.credentials: rows that SQL changes, a restore's COPY above
 * all, reach the caches of workers that run.
 */
PG_FUNCTION_INFO_V1(dynamo_credentials_changed);
Datum
dynamo_credentials_changed(PG_FUNCTION_ARGS)
{
	if (!CALLED_AS_TRIGGER(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("function \"%s\" was not called by trigger manager", "credentials_changed")));
	CacheInvalidateRelcache(((TriggerData *) fcinfo->context)->tg_relation);
	return PointerGetDatum(NULL);
}
