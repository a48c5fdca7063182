/*
 * tie_break.c
 *		The table's key behind the keys of an index.
 */
#include "postgres.h"

#include "common/cryptohash.h"
#include "common/sha2.h"
#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"

#include "item/tie_break.h"

char *
tie_break_sql(AttributeType type, const char *quoted_column)
{
	return type == ATTRIBUTE_N
		? pstrdup(quoted_column)
		: psprintf("dynamo.key_tie_break(%s)", quoted_column);
}

static void
digest(const char *bytes, int length, uint8 *result)
{
	pg_cryptohash_ctx *context = pg_cryptohash_create(PG_SHA256);

	if (context == NULL ||
		pg_cryptohash_init(context) < 0 ||
		pg_cryptohash_update(context, (const uint8 *) bytes, length) < 0 ||
		pg_cryptohash_final(context, result, PG_SHA256_DIGEST_LENGTH) < 0)
		elog(ERROR, "could not compute a SHA-256 hash");
	pg_cryptohash_free(context);
}

/* A longer value always gives a longer result, so the two forms never meet. */
static Datum
break_tie(Datum value, bool is_text)
{
	struct varlena *input = PG_DETOAST_DATUM_PACKED(value);
	int			length = VARSIZE_ANY_EXHDR(input);
	char	   *bytes = VARDATA_ANY(input);
	uint8		hash[PG_SHA256_DIGEST_LENGTH];
	int			prefix;
	struct varlena *result;

	if (length <= TIE_BREAK_PREFIX_BYTES)
		return PointerGetDatum(input);

	digest(bytes, length, hash);
	prefix = is_text ? pg_mbcliplen(bytes, length, TIE_BREAK_PREFIX_BYTES) : TIE_BREAK_PREFIX_BYTES;
	if (is_text)
	{
		result = palloc(VARHDRSZ + prefix + 2 * sizeof(hash));
		SET_VARSIZE(result, VARHDRSZ + prefix + 2 * sizeof(hash));
		hex_encode((const char *) hash, sizeof(hash), VARDATA(result) + prefix);
	}
	else
	{
		result = palloc(VARHDRSZ + prefix + sizeof(hash));
		SET_VARSIZE(result, VARHDRSZ + prefix + sizeof(hash));
		memcpy(VARDATA(result) + prefix, hash, sizeof(hash));
	}
	memcpy(VARDATA(result), bytes, prefix);
	return PointerGetDatum(result);
}

Datum
tie_break_value(Datum column_value, AttributeType type)
{
	return type == ATTRIBUTE_N ? column_value : break_tie(column_value, type == ATTRIBUTE_S);
}

/*
 * dynamo.key_tie_break(text) returns text
 */
PG_FUNCTION_INFO_V1(dynamo_key_tie_break_text);
Datum
dynamo_key_tie_break_text(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(break_tie(PG_GETARG_DATUM(0), true));
}

/*
 * dynamo.key_tie_break(bytea) returns bytea
 */
PG_FUNCTION_INFO_V1(dynamo_key_tie_break_bytea);
Datum
dynamo_key_tie_break_bytea(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(break_tie(PG_GETARG_DATUM(0), false));
}
