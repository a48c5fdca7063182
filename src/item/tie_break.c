/*
 * tie_break.c
 *		The table's key behind the keys of an index.
 */
#include "postgres.h"

#include "fmgr.h"

#include "item/key.h"
#include "item/tie_break.h"

char *
tie_break_sql(AttributeType type, const char *quoted_column)
{
	return type == ATTRIBUTE_N
		? pstrdup(quoted_column)
		: psprintf("dynamo.key_tie_break(%s)", quoted_column);
}

static Datum
break_tie(Datum value, AttributeType type)
{
	struct varlena *input = PG_DETOAST_DATUM_PACKED(value);

	if (type == ATTRIBUTE_S)
		return PointerGetDatum(key_text(VARDATA_ANY(input), VARSIZE_ANY_EXHDR(input),
										TIE_BREAK_PREFIX_BYTES));
	return PointerGetDatum(key_bytes((bytea *) input, TIE_BREAK_PREFIX_BYTES));
}

Datum
tie_break_value(Datum column_value, AttributeType type)
{
	return type == ATTRIBUTE_N ? column_value : break_tie(column_value, type);
}

/*
 * dynamo.key_tie_break(text) returns text
 */
PG_FUNCTION_INFO_V1(dynamo_key_tie_break_text);
Datum
dynamo_key_tie_break_text(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(break_tie(PG_GETARG_DATUM(0), ATTRIBUTE_S));
}

/*
 * dynamo.key_tie_break(bytea) returns bytea
 */
PG_FUNCTION_INFO_V1(dynamo_key_tie_break_bytea);
Datum
dynamo_key_tie_break_bytea(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(break_tie(PG_GETARG_DATUM(0), ATTRIBUTE_B));
}
