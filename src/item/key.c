/*
 * key.c
 *		Key attributes as column values.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "common/cryptohash.h"
#include "common/sha2.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/numeric.h"

#include "item/base64.h"
#include "item/item.h"
#include "item/key.h"

Oid
key_column_type(AttributeType type)
{
	switch (type)
	{
		case ATTRIBUTE_S:
			return TEXTOID;
		case ATTRIBUTE_N:
			return NUMERICOID;
		case ATTRIBUTE_B:
			return BYTEAOID;
		default:
			elog(ERROR, "attribute type %s cannot be a key", attribute_type_name(type));
	}
	pg_unreachable();
}

static void
sha256(const char *data, size_t length, uint8 *digest)
{
	pg_cryptohash_ctx *context = pg_cryptohash_create(PG_SHA256);

	if (context == NULL)
		ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
	if (pg_cryptohash_init(context) < 0 ||
		pg_cryptohash_update(context, (const uint8 *) data, length) < 0 ||
		pg_cryptohash_final(context, digest, PG_SHA256_DIGEST_LENGTH) < 0)
	{
		char	   *reason = pstrdup(pg_cryptohash_error(context));

		pg_cryptohash_free(context);
		ereport(ERROR,
				(errcode(ERRCODE_EXTERNAL_ROUTINE_EXCEPTION),
				 errmsg("could not compute the digest of a key: %s", reason)));
	}
	pg_cryptohash_free(context);
}

/*
 * A prefix that ends between two characters, so up to three bytes short of the
 * limit, and 64 hexadecimal digits: longer than any value that is kept whole.
 */
text *
key_text(const char *string, int length, int limit)
{
	uint8		digest[PG_SHA256_DIGEST_LENGTH];
	int			prefix;
	text	   *result;

	if (length <= limit)
		return cstring_to_text_with_len(string, length);

	prefix = pg_mbcliplen(string, length, limit);
	sha256(string, length, digest);
	result = palloc(VARHDRSZ + prefix + 2 * sizeof(digest));
	SET_VARSIZE(result, VARHDRSZ + prefix + 2 * sizeof(digest));
	memcpy(VARDATA(result), string, prefix);
	hex_encode((const char *) digest, sizeof(digest), VARDATA(result) + prefix);
	return result;
}

/* A prefix and the 32 bytes of the digest. */
bytea *
key_bytes(bytea *bytes, int limit)
{
	int			length = VARSIZE_ANY_EXHDR(bytes);
	bytea	   *result;

	if (length <= limit)
		return bytes;

	result = palloc(VARHDRSZ + limit + PG_SHA256_DIGEST_LENGTH);
	SET_VARSIZE(result, VARHDRSZ + limit + PG_SHA256_DIGEST_LENGTH);
	memcpy(VARDATA(result), VARDATA_ANY(bytes), limit);
	sha256(VARDATA_ANY(bytes), length, (uint8 *) VARDATA(result) + limit);
	return result;
}

Datum
key_column_value(const JsonbValue *value, AttributeType type, bool partition)
{
	bytea	   *bytes;

	switch (type)
	{
		case ATTRIBUTE_S:
			if (partition)
				return PointerGetDatum(key_text(value->val.string.val, value->val.string.len,
												KEY_PREFIX_BYTES));
			return PointerGetDatum(cstring_to_text_with_len(value->val.string.val, value->val.string.len));
		case ATTRIBUTE_N:
			return datumCopy(NumericGetDatum(value->val.numeric), false, -1);
		case ATTRIBUTE_B:
			bytes = attribute_bytes(value);
			return PointerGetDatum(partition ? key_bytes(bytes, KEY_PREFIX_BYTES) : bytes);
		default:
			elog(ERROR, "attribute type %s cannot be a key", attribute_type_name(type));
	}
	pg_unreachable();
}

/* Numbers count their own size, far below the limits. */
int64
key_value_size(const JsonbValue *value)
{
	return attribute_value_size(value);
}

int
key_compare(Datum a, Datum b, AttributeType type)
{
	struct varlena *left;
	struct varlena *right;
	int			order;

	if (type == ATTRIBUTE_N)
		return DatumGetInt32(DirectFunctionCall2(numeric_cmp, a, b));

	left = PG_DETOAST_DATUM_PACKED(a);
	right = PG_DETOAST_DATUM_PACKED(b);
	order = memcmp(VARDATA_ANY(left), VARDATA_ANY(right),
				   Min(VARSIZE_ANY_EXHDR(left), VARSIZE_ANY_EXHDR(right)));
	if (order == 0)
		order = (int) VARSIZE_ANY_EXHDR(left) - (int) VARSIZE_ANY_EXHDR(right);
	return order;
}
