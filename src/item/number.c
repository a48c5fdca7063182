/*
 * number.c
 *		DynamoDB's numbers as PostgreSQL's numeric.
 *
 * Texts are read and written here rather than by numeric_in() and
 * numeric_out(): an unchecked exponent never reaches numeric, the normal form
 * comes for nothing, and it is several times faster.  The on-disk format of
 * numeric is part of what pg_upgrade carries over, so it does not change: a
 * header word (short form: sign, scale and weight in it; long form: sign and
 * scale, then a word of weight), then groups of four decimal digits as int16.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"

#include "errors.h"
#include "item/number.h"

#define NUMBER_MAX_DIGITS	38
#define NUMBER_MAX_EXPONENT 125
#define NUMBER_MIN_EXPONENT (-130)

#define GROUP_DIGITS	4		/* decimal digits in one int16 */
#define MAX_GROUPS		11		/* 38 digits, the first not at a group's start */
#define WEIGHT_BIAS		33		/* makes all exponents in range positive */

#define HEADER_FORM_MASK	0xC000
#define HEADER_SPECIAL		0xC000	/* NaN and infinities */
#define HEADER_SHORT		0x8000
#define LONG_NEGATIVE		0x4000
#define LONG_SCALE_MASK		0x3FFF
#define SHORT_NEGATIVE		0x2000
#define SHORT_SCALE_MASK	0x1F80
#define SHORT_SCALE_SHIFT	7
#define SHORT_SCALE_MAX		63
#define SHORT_WEIGHT_SIGN	0x0040
#define SHORT_WEIGHT_MASK	0x003F
#define SHORT_WEIGHT_MAX	63
#define SHORT_WEIGHT_MIN	(-64)

static const char OVERFLOW_TEXT[] =
"Number overflow. Attempting to store a number with magnitude larger than supported range";
static const char UNDERFLOW_TEXT[] =
"Number underflow. Attempting to store a number with magnitude smaller than supported range";
static const char PRECISION_TEXT[] =
"Attempting to store more than 38 significant digits in a Number";

/*
 * A number as significant decimal digits d1 d2 .. dn (d1 and dn not zero):
 * d1.d2..dn * 10^exponent.  Zero has no digits.
 */
typedef struct Decimal
{
	bool		negative;
	int			exponent;
	int			count;			/* may exceed the capacity of digits[] */
	char		digits[NUMBER_MAX_DIGITS];	/* '0'..'9', filled if count fits */
} Decimal;

/* What the header of a numeric says. */
typedef struct NumericParts
{
	bool		special;
	bool		negative;
	int			scale;
	int			weight;			/* of the first group, in groups */
	int			group_count;
	const int16 *groups;
} NumericParts;

static void
numeric_parts(Numeric value, NumericParts *parts)
{
	const uint16 *words = (const uint16 *) VARDATA(value);
	int			word_count = (VARSIZE(value) - VARHDRSZ) / sizeof(uint16);
	uint16		header = words[0];

	parts->special = (header & HEADER_FORM_MASK) == HEADER_SPECIAL;
	if (header & HEADER_SHORT)
	{
		parts->negative = (header & SHORT_NEGATIVE) != 0;
		parts->scale = (header & SHORT_SCALE_MASK) >> SHORT_SCALE_SHIFT;
		parts->weight = header & SHORT_WEIGHT_MASK;
		if (header & SHORT_WEIGHT_SIGN)
			parts->weight -= SHORT_WEIGHT_MASK + 1;
		parts->groups = (const int16 *) (words + 1);
		parts->group_count = word_count - 1;
	}
	else
	{
		parts->negative = (header & LONG_NEGATIVE) != 0;
		parts->scale = header & LONG_SCALE_MASK;
		parts->weight = (int16) words[1];
		parts->groups = (const int16 *) (words + 2);
		parts->group_count = word_count - 2;
	}
}

static inline int
group_length(int16 group)
{
	return group >= 1000 ? 4 : group >= 100 ? 3 : group >= 10 ? 2 : 1;
}

static inline int
group_trailing_zeros(int16 group)
{
	return group % 1000 == 0 ? 3 : group % 100 == 0 ? 2 : group % 10 == 0 ? 1 : 0;
}

/*
 * Sign, exponent and count of significant digits, without the digits.  numeric
 * itself never stores a group of zeros first or last.
 */
static void
decimal_measure(const NumericParts *parts, Decimal *decimal)
{
	int			first_length;

	decimal->negative = parts->negative;
	if (parts->special || parts->group_count <= 0)
	{
		decimal->negative = false;
		decimal->exponent = 0;
		decimal->count = 0;
		return;
	}
	first_length = group_length(parts->groups[0]);
	decimal->exponent = parts->weight * GROUP_DIGITS + first_length - 1;
	decimal->count = (parts->group_count - 1) * GROUP_DIGITS + first_length -
		group_trailing_zeros(parts->groups[parts->group_count - 1]);
}

/* Fills digits too if there are no more than NUMBER_MAX_DIGITS. */
static void
decimal_from_parts(const NumericParts *parts, Decimal *decimal)
{
	int			skip;
	int			done = 0;

	decimal_measure(parts, decimal);
	if (decimal->count == 0 || decimal->count > NUMBER_MAX_DIGITS)
		return;

	skip = GROUP_DIGITS - group_length(parts->groups[0]);
	for (int i = 0; i < parts->group_count; i++)
	{
		int			group = parts->groups[i];
		char		four[GROUP_DIGITS];

		four[3] = '0' + group % 10;
		four[2] = '0' + group / 10 % 10;
		four[1] = '0' + group / 100 % 10;
		four[0] = '0' + group / 1000;
		for (int k = skip; k < GROUP_DIGITS && done < decimal->count; k++)
			decimal->digits[done++] = four[k];
		skip = 0;
	}
}

/* The fraction digits that the normal form shows. */
static inline int
decimal_scale(const Decimal *decimal)
{
	return Max(0, decimal->count - 1 - decimal->exponent);
}

/* Builds the numeric; decimal is in range. */
static Numeric
decimal_to_numeric(const Decimal *decimal)
{
	int			weight = 0;
	int			pad = 0;
	int			group_count = 0;
	int			scale = decimal_scale(decimal);
	uint16		words[2 + MAX_GROUPS];
	int			word = 0;
	int			done = 0;
	Numeric		result;

	if (decimal->count > 0)
	{
		/* floor division, exponents may be negative */
		weight = (decimal->exponent + WEIGHT_BIAS * GROUP_DIGITS) / GROUP_DIGITS - WEIGHT_BIAS;
		pad = GROUP_DIGITS - 1 - (decimal->exponent - weight * GROUP_DIGITS);
		group_count = (pad + decimal->count + GROUP_DIGITS - 1) / GROUP_DIGITS;
	}

	if (scale <= SHORT_SCALE_MAX && weight >= SHORT_WEIGHT_MIN && weight <= SHORT_WEIGHT_MAX)
		words[word++] = HEADER_SHORT | (decimal->negative ? SHORT_NEGATIVE : 0) |
			(scale << SHORT_SCALE_SHIFT) | (weight < 0 ? SHORT_WEIGHT_SIGN : 0) |
			(weight & SHORT_WEIGHT_MASK);
	else
	{
		words[word++] = (decimal->negative ? LONG_NEGATIVE : 0) | scale;
		words[word++] = (uint16) (int16) weight;
	}

	for (int i = 0; i < group_count; i++)
	{
		int			group = 0;

		for (int k = 0; k < GROUP_DIGITS; k++)
		{
			int			digit = 0;

			if (pad > 0)
				pad--;
			else if (done < decimal->count)
				digit = decimal->digits[done++] - '0';
			group = group * 10 + digit;
		}
		words[word++] = group;
	}

	result = (Numeric) palloc(VARHDRSZ + word * sizeof(uint16));
	SET_VARSIZE(result, VARHDRSZ + word * sizeof(uint16));
	memcpy(VARDATA(result), words, word * sizeof(uint16));
	return result;
}

/* DynamoDB's text for a number out of range, NULL if it is in range. */
static const char *
decimal_fault(const Decimal *decimal)
{
	if (decimal->count == 0)
		return NULL;
	if (decimal->exponent > NUMBER_MAX_EXPONENT)
		return OVERFLOW_TEXT;
	if (decimal->exponent < NUMBER_MIN_EXPONENT)
		return UNDERFLOW_TEXT;
	if (decimal->count > NUMBER_MAX_DIGITS)
		return PRECISION_TEXT;
	return NULL;
}

pg_noreturn static void
refuse_text(const char *text, int length)
{
	if (length == 0 && errors_validation_form() == VALIDATION_FORM_OLDER)
		request_error("The parameter cannot be converted to a numeric value");
	request_error("The parameter cannot be converted to a numeric value: %.*s", length, text);
}

/*
 * Reads digits[.digits] into the decimal; returns the position after it, NULL
 * if there is no digit.
 */
static const char *
scan_digits(const char *at, const char *end, Decimal *decimal)
{
	bool		any = false;
	bool		point = false;
	int			seen = 0;		/* digits since the first that is not zero */

	decimal->exponent = -1;
	decimal->count = 0;
	for (; at < end; at++)
	{
		if (*at == '.' && !point)
		{
			point = true;
			continue;
		}
		if (*at < '0' || *at > '9')
			break;
		any = true;
		if (seen > 0 || *at != '0')
		{
			if (seen < NUMBER_MAX_DIGITS)
				decimal->digits[seen] = *at;
			seen++;
			if (*at != '0')
				decimal->count = seen;
			if (!point)
				decimal->exponent++;
		}
		else if (point)
			decimal->exponent--;
	}
	return any ? at : NULL;
}

/*
 * Reads an exponent after 'e'; returns false on bad syntax.  Saturates far
 * outside the range of numbers, so that any length is safe.
 */
static bool
scan_exponent(const char *at, const char *end, int *exponent)
{
	bool		negative = false;
	int			value = 0;

	if (at < end && (*at == '+' || *at == '-'))
		negative = *at++ == '-';
	if (at == end)
		return false;
	for (; at < end; at++)
	{
		if (*at < '0' || *at > '9')
			return false;
		if (value < 100000000)
			value = value * 10 + (*at - '0');
	}
	*exponent = negative ? -value : value;
	return true;
}

Numeric
number_from_text(const char *text, int length)
{
	const char *at = text;
	const char *end = text + length;
	Decimal		decimal;
	const char *fault;

	decimal.negative = false;
	if (at < end && (*at == '+' || *at == '-'))
		decimal.negative = *at++ == '-';

	at = scan_digits(at, end, &decimal);
	if (at == NULL)
		refuse_text(text, length);
	if (at < end)
	{
		int			exponent;

		if ((*at != 'e' && *at != 'E') || !scan_exponent(at + 1, end, &exponent))
			refuse_text(text, length);
		/* both are below 1.1e9, the first by the text's length: no overflow */
		decimal.exponent += exponent;
	}

	if (decimal.count == 0)
	{
		decimal.negative = false;
		decimal.exponent = 0;
	}
	fault = decimal_fault(&decimal);
	if (fault)
		request_error("%s", fault);
	return decimal_to_numeric(&decimal);
}

Numeric
number_normalize(Numeric value)
{
	NumericParts parts;
	Decimal		decimal;
	const char *fault;

	numeric_parts(value, &parts);
	if (parts.special)
		validation_error("The parameter cannot be converted to a numeric value: %s",
						 DatumGetCString(DirectFunctionCall1(numeric_out, NumericGetDatum(value))));
	decimal_from_parts(&parts, &decimal);
	fault = decimal_fault(&decimal);
	if (fault)
		validation_error("%s", fault);
	return decimal_to_numeric(&decimal);
}

bool
number_is_normal(Numeric value)
{
	NumericParts parts;
	Decimal		decimal;

	numeric_parts(value, &parts);
	if (parts.special)
		return false;
	decimal_measure(&parts, &decimal);
	return decimal_fault(&decimal) == NULL && parts.scale == decimal_scale(&decimal);
}

void
number_append_text(StringInfo out, Numeric value)
{
	NumericParts parts;
	Decimal		decimal;
	int			integer_digits;

	numeric_parts(value, &parts);
	decimal_from_parts(&parts, &decimal);
	if (parts.special || decimal_fault(&decimal))
	{
		/* not one of ours; print what it is */
		appendStringInfoString(out, DatumGetCString(DirectFunctionCall1(numeric_out, NumericGetDatum(value))));
		return;
	}
	if (decimal.count == 0)
	{
		appendStringInfoChar(out, '0');
		return;
	}

	if (decimal.negative)
		appendStringInfoChar(out, '-');
	integer_digits = decimal.exponent + 1;
	if (integer_digits <= 0)
	{
		appendStringInfoString(out, "0.");
		for (int i = integer_digits; i < 0; i++)
			appendStringInfoChar(out, '0');
		appendBinaryStringInfo(out, decimal.digits, decimal.count);
	}
	else if (integer_digits >= decimal.count)
	{
		appendBinaryStringInfo(out, decimal.digits, decimal.count);
		for (int i = decimal.count; i < integer_digits; i++)
			appendStringInfoChar(out, '0');
	}
	else
	{
		appendBinaryStringInfo(out, decimal.digits, integer_digits);
		appendStringInfoChar(out, '.');
		appendBinaryStringInfo(out, decimal.digits + integer_digits, decimal.count - integer_digits);
	}
}

char *
number_to_text(Numeric value)
{
	StringInfoData out;

	initStringInfo(&out);
	number_append_text(&out, value);
	return out.data;
}

/* A result of arithmetic; DynamoDB calls one of too many digits an overflow. */
static Numeric
checked_result(Numeric value)
{
	NumericParts parts;
	Decimal		decimal;
	const char *fault;

	numeric_parts(value, &parts);
	decimal_from_parts(&parts, &decimal);
	fault = parts.special ? OVERFLOW_TEXT : decimal_fault(&decimal);
	if (fault == PRECISION_TEXT)
		fault = OVERFLOW_TEXT;
	if (fault)
		validation_error("%s", fault);
	return decimal_to_numeric(&decimal);
}

Numeric
number_add(Numeric a, Numeric b)
{
	return checked_result(numeric_add_opt_error(a, b, NULL));
}

Numeric
number_subtract(Numeric a, Numeric b)
{
	return checked_result(numeric_sub_opt_error(a, b, NULL));
}

int
number_compare(Numeric a, Numeric b)
{
	return DatumGetInt32(DirectFunctionCall2(numeric_cmp, NumericGetDatum(a), NumericGetDatum(b)));
}

int
number_size(Numeric value)
{
	NumericParts parts;
	Decimal		decimal;
	int			integer_digits;

	numeric_parts(value, &parts);
	decimal_measure(&parts, &decimal);
	integer_digits = Min(Max(decimal.exponent + 1, 0), decimal.count);
	return 1 + (integer_digits + 1) / 2 + (decimal.count - integer_digits + 1) / 2 +
		(decimal.negative ? 1 : 0);
}
