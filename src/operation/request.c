/*
 * request.c
 *		Members of a request tree, and the faults of its shape.
 */
#include "postgres.h"

#include "guc.h"
#include "operation/operation.h"

#define TABLE_NAME_MIN 3
#define TABLE_NAME_MAX 255
#define TABLE_ARN_MAX  1024

static const char table_name_characters[] =
"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

const cJSON *
request_member(const cJSON *object, const char *name)
{
	const cJSON *member;

	cJSON_ArrayForEach(member, object)
	{
		if (member->string != NULL && strcmp(member->string, name) == 0)
			return cJSON_IsNull(member) ? NULL : member;
	}
	return NULL;
}

/*
 * How the service's deserialiser names what it found instead.
 */
static void pg_attribute_noreturn()
wrong_type(const cJSON *found, const char *wanted)
{
	if (cJSON_IsObject(found))
		serialization_error("Start of structure or map found where not expected");
	if (cJSON_IsArray(found))
		serialization_error("Unrecognized collection type class java.lang.%s", wanted);
	serialization_error("%s cannot be converted to %s",
						cJSON_IsString(found) ? "STRING_VALUE" :
						cJSON_IsTrue(found) ? "TRUE_VALUE" :
						cJSON_IsFalse(found) ? "FALSE_VALUE" :
						found->valuedouble == (double) (int64) found->valuedouble ? "NUMBER_VALUE" : "DECIMAL_VALUE",
						wanted);
}

const char *
request_string(const cJSON *object, const char *name)
{
	const cJSON *member = request_member(object, name);

	if (member == NULL)
		return NULL;
	if (!cJSON_IsString(member))
		wrong_type(member, "String");
	return member->valuestring;
}

bool
request_bool(const cJSON *object, const char *name, bool absent)
{
	const cJSON *member = request_member(object, name);

	if (member == NULL)
		return absent;
	if (!cJSON_IsBool(member))
		wrong_type(member, "Boolean");
	return cJSON_IsTrue(member);
}

/*
 * Fractions are cut off, as the service does; what no int64 can hold is
 * saturated, so that range checks still see it as too large.
 */
bool
request_integer(const cJSON *object, const char *name, int64 *value)
{
	const cJSON *member = request_member(object, name);
	double		number;

	if (member == NULL)
		return false;
	if (!cJSON_IsNumber(member))
		wrong_type(member, "Integer");

	number = member->valuedouble;
	if (number >= 9.2e18)
		*value = PG_INT64_MAX;
	else if (number <= -9.2e18)
		*value = PG_INT64_MIN;
	else
		*value = (int64) number;
	return true;
}

const cJSON *
request_object(const cJSON *object, const char *name)
{
	const cJSON *member = request_member(object, name);

	if (member != NULL && !cJSON_IsObject(member))
		serialization_error("Unexpected value type in payload");
	return member;
}

const cJSON *
request_array(const cJSON *object, const char *name)
{
	const cJSON *member = request_member(object, name);

	if (member != NULL && !cJSON_IsArray(member))
		serialization_error("Unexpected value type in payload");
	return member;
}

void
constraint_fault(ConstraintFaults *faults, const char *value, const char *member,
				 const char *constraint_format,...)
{
	va_list		arguments;

	if (faults->count++ == 0)
		initStringInfo(&faults->text);
	else
		appendStringInfoString(&faults->text, "; ");

	appendStringInfoString(&faults->text, "Value ");
	if (value != NULL)
		appendStringInfo(&faults->text, "'%s'", value);
	else
		appendStringInfoString(&faults->text, "null");
	appendStringInfo(&faults->text, " at '%s' failed to satisfy constraint: ", member);

	for (;;)
	{
		int			needed;

		va_start(arguments, constraint_format);
		needed = appendStringInfoVA(&faults->text, constraint_format, arguments);
		va_end(arguments);
		if (needed == 0)
			break;
		enlargeStringInfo(&faults->text, needed);
	}
}

void
constraint_raise(ConstraintFaults *faults)
{
	if (faults->count > 0)
		validation_error("%d validation error%s detected: %s",
						 faults->count, faults->count == 1 ? "" : "s",
						 faults->text.data);
}

/*
 * The name in arn:PARTITION:dynamodb:REGION:ACCOUNT:table/NAME, or NULL.  Any
 * Region and account will do: programs that move here bring ARNs of their old
 * account with them.
 */
static char *
table_name_of_arn(const char *arn)
{
	const char *position = arn;
	const char *end;
	int			colons;

	for (colons = 0; colons < 5; colons++)
	{
		position = strchr(position, ':');
		if (position == NULL)
			return NULL;
		position++;
		if (colons == 1 && strncmp(position, "dynamodb:", 9) != 0)
			return NULL;
	}
	if (strncmp(position, "table/", 6) != 0)
		return NULL;
	position += 6;
	end = position + strcspn(position, "/");
	return pnstrdup(position, end - position);
}

char *
request_table_name(const cJSON *request, ConstraintFaults *faults)
{
	const char *given = request_string(request, "TableName");
	char	   *name;
	size_t		length;

	if (given == NULL)
	{
		constraint_fault(faults, NULL, "tableName", "Member must not be null");
		return NULL;
	}
	if (*given == '\0')
	{
		constraint_fault(faults, given, "tableName",
						 "Member must have length greater than or equal to 1");
		return NULL;
	}
	if (strlen(given) > TABLE_ARN_MAX)
	{
		constraint_fault(faults, given, "tableName",
						 "Member must have length less than or equal to %d", TABLE_ARN_MAX);
		return NULL;
	}

	if (strncmp(given, "arn:", 4) == 0)
	{
		name = table_name_of_arn(given);
		if (name == NULL)
			validation_error("Invalid table ARN: %s", given);
	}
	else
		name = pstrdup(given);

	length = strlen(name);
	if (strspn(name, table_name_characters) != length)
		constraint_fault(faults, given, "tableName",
						 "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
	if (length < TABLE_NAME_MIN)
		constraint_fault(faults, given, "tableName",
						 "Member must have length greater than or equal to %d", TABLE_NAME_MIN);
	if (length > TABLE_NAME_MAX)
		constraint_fault(faults, given, "tableName",
						 "Member must have length less than or equal to %d", TABLE_NAME_MAX);
	return name;
}

char *
table_arn(const char *table_name)
{
	return psprintf("arn:aws:dynamodb:%s:%s:table/%s",
					dynamo_region, dynamo_account_id, table_name);
}
