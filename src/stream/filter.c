/*
 * filter.c
 *		Which records a consumer wants: patterns of event filtering.
 *
 * A pattern is an object shaped like the event; its leaves are arrays of what a
 * value may be: a string, number, boolean or null for itself, or a comparison
 * in an object.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/numeric.h"

#include "compat.h"
#include "item/container.h"
#include "stream/filter.h"

pg_noreturn static void
refuse(const char *reason)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("invalid event filter"),
			 errdetail("%s", reason),
			 errhint("A pattern looks like {\"eventName\": [\"INSERT\"], \"dynamodb\": {\"NewImage\": {\"type\": {\"S\": [\"order\"]}}}}.")));
}

static bool
is_name(const JsonbValue *name, const char *text)
{
	return name->val.string.len == strlen(text) &&
		memcmp(name->val.string.val, text, name->val.string.len) == 0;
}

static bool
is_object(const JsonbValue *value)
{
	return value->type == jbvBinary && JsonContainerIsObject(value->val.binary.data);
}

static bool
is_array(const JsonbValue *value)
{
	return value->type == jbvBinary && JsonContainerIsArray(value->val.binary.data) &&
		!JsonContainerIsScalar(value->val.binary.data);
}

/* ---- check ---- */

static const char *const comparisons[] = {
	"prefix", "suffix", "equals-ignore-case", "anything-but", "numeric", "exists"
};

/* An operator, a number, and perhaps both again. */
static void
check_numeric(const JsonbValue *range)
{
	ElementWalk walk;
	JsonbValue	element;
	int			count = 0;

	if (!is_array(range))
		refuse("\"numeric\" needs an array of operators and numbers.");
	elements_begin(&walk, range->val.binary.data);
	for (; elements_next(&walk, &element); count++)
		if (count % 2 == 0 ? element.type != jbvString : element.type != jbvNumeric)
			refuse("\"numeric\" needs an array of operators and numbers.");
	if (count == 0 || count % 2 != 0)
		refuse("\"numeric\" needs an array of operators and numbers.");
}

static void
check_comparison(JsonbContainer *object)
{
	MemberWalk	walk;
	JsonbValue	name;
	JsonbValue	value = {.type = jbvNull};
	int			known = -1;

	members_begin(&walk, object);
	if (!members_next(&walk, &name, &value))
		refuse("A comparison is an object with one member.");
	for (int i = 0; i < lengthof(comparisons); i++)
		if (is_name(&name, comparisons[i]))
			known = i;
	if (known < 0)
		refuse("A comparison is one of prefix, suffix, equals-ignore-case, anything-but, numeric, exists.");
	if (known < 3 && value.type != jbvString)
		refuse("prefix, suffix and equals-ignore-case need a string.");
	if (is_name(&name, "numeric"))
		check_numeric(&value);
	if (is_name(&name, "exists") && value.type != jbvBool)
		refuse("\"exists\" needs true or false.");
	if (members_next(&walk, &name, &value))
		refuse("A comparison is an object with one member.");
}

static void
check_leaf(JsonbContainer *array)
{
	ElementWalk walk;
	JsonbValue	element;

	elements_begin(&walk, array);
	while (elements_next(&walk, &element))
	{
		if (is_object(&element))
			check_comparison(element.val.binary.data);
		else if (is_array(&element))
			refuse("The values of a pattern stand in one array.");
	}
}

static void
check_pattern(JsonbContainer *pattern)
{
	MemberWalk	walk;
	JsonbValue	name;
	JsonbValue	value;

	check_stack_depth();
	members_begin(&walk, pattern);
	while (members_next(&walk, &name, &value))
	{
		ElementWalk alternatives;
		JsonbValue	element;

		if (is_name(&name, "$or") && is_array(&value))
		{
			elements_begin(&alternatives, value.val.binary.data);
			while (elements_next(&alternatives, &element))
			{
				if (!is_object(&element))
					refuse("\"$or\" needs an array of patterns.");
				check_pattern(element.val.binary.data);
			}
		}
		else if (is_object(&value))
			check_pattern(value.val.binary.data);
		else if (is_array(&value))
			check_leaf(value.val.binary.data);
		else
			refuse("The value of a name in a pattern is an object or an array of values.");
	}
}

/* Push a pattern, given as an object or as the text of one. */
static void
push_pattern(JsonbParseState **state, const JsonbValue *given)
{
	JsonbValue	pattern = *given;

	if (pattern.type == jbvString)
	{
		char	   *text = pnstrdup(pattern.val.string.val, pattern.val.string.len);
		Jsonb	   *parsed = DatumGetJsonbP(DirectFunctionCall1(jsonb_in, CStringGetDatum(text)));

		pattern.type = jbvBinary;
		pattern.val.binary.data = &parsed->root;
		pattern.val.binary.len = VARSIZE(parsed) - VARHDRSZ;
	}
	if (!is_object(&pattern))
		refuse("A pattern is an object.");
	check_pattern(pattern.val.binary.data);
	pushJsonbValue(state, WJB_ELEM, &pattern);
}

static void
push_filters(JsonbParseState **state, JsonbContainer *filters)
{
	ElementWalk walk;
	JsonbValue	element;
	JsonbValue	pattern;

	elements_begin(&walk, filters);
	while (elements_next(&walk, &element))
	{
		if (!is_object(&element) ||
			getKeyJsonValueFromContainer(element.val.binary.data, "Pattern", 7, &pattern) == NULL)
			refuse("Each of \"Filters\" needs a \"Pattern\".");
		push_pattern(state, &pattern);
	}
}

Jsonb *
filter_check(Jsonb *filter)
{
	JsonbParseState *state = NULL;
	JsonbValue	value;
	ElementWalk walk;

	pushJsonbValue(&state, WJB_BEGIN_ARRAY, NULL);
	if (JB_ROOT_IS_OBJECT(filter) &&
		getKeyJsonValueFromContainer(&filter->root, "Filters", 7, &value) != NULL &&
		is_array(&value))
		push_filters(&state, value.val.binary.data);
	else if (JB_ROOT_IS_OBJECT(filter))
	{
		value.type = jbvBinary;
		value.val.binary.data = &filter->root;
		value.val.binary.len = VARSIZE(filter) - VARHDRSZ;
		push_pattern(&state, &value);
	}
	else if (JB_ROOT_IS_ARRAY(filter) && !JB_ROOT_IS_SCALAR(filter))
	{
		elements_begin(&walk, &filter->root);
		while (elements_next(&walk, &value))
			push_pattern(&state, &value);
	}
	else
		refuse("A filter is a pattern or an array of patterns.");
	return JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_ARRAY, NULL));
}

/* ---- match ---- */

/* A number, or a string that is one: attribute values of type N are strings. */
static bool
as_number(const JsonbValue *value, Numeric *number)
{
	const char *text;
	int			length;

	if (value->type == jbvNumeric)
	{
		*number = value->val.numeric;
		return true;
	}
	if (value->type != jbvString || value->val.string.len == 0)
		return false;
	text = value->val.string.val;
	length = value->val.string.len;
	if (length > 200 || strspn(pnstrdup(text, length), "0123456789.-") != length ||
		memchr(text + 1, '-', length - 1) != NULL ||
		(memchr(text, '.', length) && memrchr(text, '.', length) != memchr(text, '.', length)) ||
		text[length - 1] == '.' || text[length - 1] == '-' || text[0] == '.')
		return false;
	*number = DatumGetNumeric(DirectFunctionCall3(numeric_in, CStringGetDatum(pnstrdup(text, length)),
												  ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1)));
	return true;
}

static bool
satisfies(int order, const JsonbValue *operator)
{
	if (is_name(operator, "="))
		return order == 0;
	if (is_name(operator, "<"))
		return order < 0;
	if (is_name(operator, "<="))
		return order <= 0;
	if (is_name(operator, ">"))
		return order > 0;
	if (is_name(operator, ">="))
		return order >= 0;
	return false;
}

static bool
matches_numeric(const JsonbValue *value, JsonbContainer *range)
{
	ElementWalk walk;
	JsonbValue	operator;
	JsonbValue	bound;
	Numeric		number;

	if (!as_number(value, &number))
		return false;
	elements_begin(&walk, range);
	while (elements_next(&walk, &operator) && elements_next(&walk, &bound))
	{
		int			order = DatumGetInt32(DirectFunctionCall2(numeric_cmp, NumericGetDatum(number),
															  NumericGetDatum(bound.val.numeric)));

		if (!satisfies(order, &operator))
			return false;
	}
	return true;
}

static bool
scalars_equal(const JsonbValue *a, const JsonbValue *b)
{
	Numeric		number;

	if (b->type == jbvNumeric)
		return as_number(a, &number) &&
			DatumGetBool(DirectFunctionCall2(numeric_eq, NumericGetDatum(number),
											 NumericGetDatum(b->val.numeric)));
	if (a->type != b->type)
		return false;
	if (a->type == jbvString)
		return a->val.string.len == b->val.string.len &&
			memcmp(a->val.string.val, b->val.string.val, a->val.string.len) == 0;
	return a->type == jbvNull || (a->type == jbvBool && a->val.boolean == b->val.boolean);
}

static bool
matches_string(const JsonbValue *name, const JsonbValue *value, const JsonbValue *operand)
{
	const char *text = value->val.string.val;
	int			length = value->val.string.len;
	int			part = operand->val.string.len;

	if (value->type != jbvString || part > length)
		return false;
	if (is_name(name, "prefix"))
		return memcmp(text, operand->val.string.val, part) == 0;
	if (is_name(name, "suffix"))
		return memcmp(text + length - part, operand->val.string.val, part) == 0;
	return part == length && pg_strncasecmp(text, operand->val.string.val, part) == 0;
}

static bool
matches_anything_but(const JsonbValue *value, const JsonbValue *operand)
{
	ElementWalk walk;
	JsonbValue	element;

	if (!is_array(operand))
		return !scalars_equal(value, operand);
	elements_begin(&walk, operand->val.binary.data);
	while (elements_next(&walk, &element))
		if (scalars_equal(value, &element))
			return false;
	return true;
}

/* value is NULL where the event has nothing. */
static bool
matches_comparison(const JsonbValue *value, JsonbContainer *comparison)
{
	MemberWalk	walk;
	JsonbValue	name;
	JsonbValue	operand;

	members_begin(&walk, comparison);
	if (!members_next(&walk, &name, &operand))
		return false;
	if (is_name(&name, "exists"))
		return operand.val.boolean == (value != NULL);
	if (value == NULL || value->type == jbvBinary)
		return false;
	if (is_name(&name, "numeric"))
		return matches_numeric(value, operand.val.binary.data);
	if (is_name(&name, "anything-but"))
		return matches_anything_but(value, &operand);
	return matches_string(&name, value, &operand);
}

static bool
matches_leaf(const JsonbValue *value, JsonbContainer *wanted)
{
	ElementWalk walk;
	JsonbValue	element;

	elements_begin(&walk, wanted);
	while (elements_next(&walk, &element))
	{
		if (is_object(&element) ? matches_comparison(value, element.val.binary.data) :
			value != NULL && scalars_equal(value, &element))
			return true;
	}
	return false;
}

/* An array in the event matches if one of its elements does. */
static bool
matches_value(const JsonbValue *value, JsonbContainer *wanted)
{
	ElementWalk walk;
	JsonbValue	element;

	if (value == NULL || !is_array(value))
		return matches_leaf(value, wanted);
	elements_begin(&walk, value->val.binary.data);
	while (elements_next(&walk, &element))
		if (matches_leaf(&element, wanted))
			return true;
	return false;
}

static bool matches_pattern(JsonbContainer *pattern, JsonbContainer *event);

static bool
matches_one_of(JsonbContainer *patterns, JsonbContainer *event)
{
	ElementWalk walk;
	JsonbValue	pattern = {.type = jbvNull};

	elements_begin(&walk, patterns);
	while (elements_next(&walk, &pattern))
		if (matches_pattern(pattern.val.binary.data, event))
			return true;
	return false;
}

/* event is NULL where the event has nothing. */
static bool
matches_pattern(JsonbContainer *pattern, JsonbContainer *event)
{
	MemberWalk	walk;
	JsonbValue	name;
	JsonbValue	wanted = {.type = jbvNull};

	check_stack_depth();
	members_begin(&walk, pattern);
	while (members_next(&walk, &name, &wanted))
	{
		JsonbValue	value;
		bool		present = event != NULL &&
		getKeyJsonValueFromContainer(event, name.val.string.val, name.val.string.len, &value) != NULL;
		bool		matches;

		if (is_name(&name, "$or") && is_array(&wanted))
			matches = matches_one_of(wanted.val.binary.data, event);
		else if (is_object(&wanted))
			matches = matches_pattern(wanted.val.binary.data,
									  present && is_object(&value) ? value.val.binary.data : NULL);
		else
			matches = matches_value(present ? &value : NULL, wanted.val.binary.data);
		if (!matches)
			return false;
	}
	return true;
}

bool
filter_matches(Jsonb *filter, Jsonb *event)
{
	return matches_one_of(&filter->root, &event->root);
}
