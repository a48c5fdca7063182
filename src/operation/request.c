/*
 * request.c
 *		Members of a request tree, and the faults of its shape.
 */
#include "postgres.h"

#include "guc.h"
#include "operation/batch_request.h"
#include "operation/operation.h"

#define TABLE_ARN_MAX  1024

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
 * Truth values also come as strings from some clients; the service takes them.
 */
bool
request_truth_value(const cJSON *member, bool *truth)
{
	if (cJSON_IsBool(member))
	{
		*truth = cJSON_IsTrue(member);
		return true;
	}
	if (!cJSON_IsString(member))
		return false;

	*truth = pg_strcasecmp(member->valuestring, "true") == 0 ||
		pg_strcasecmp(member->valuestring, "yes") == 0 ||
		strcmp(member->valuestring, "1") == 0;
	return *truth ||
		pg_strcasecmp(member->valuestring, "false") == 0 ||
		pg_strcasecmp(member->valuestring, "no") == 0 ||
		strcmp(member->valuestring, "0") == 0;
}

/*
 * The accessors below serve handlers whose request has passed
 * request_check_shape(): a member of the wrong type counts as absent.
 */
const char *
request_string(const cJSON *object, const char *name)
{
	const cJSON *member = request_member(object, name);

	return cJSON_IsString(member) ? member->valuestring : NULL;
}

bool
request_bool(const cJSON *object, const char *name, bool absent)
{
	const cJSON *member = request_member(object, name);
	bool		truth;

	return member != NULL && request_truth_value(member, &truth) ? truth : absent;
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

	if (!cJSON_IsNumber(member))
		return false;

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

	return cJSON_IsObject(member) ? member : NULL;
}

const cJSON *
request_array(const cJSON *object, const char *name)
{
	const cJSON *member = request_member(object, name);

	return cJSON_IsArray(member) ? member : NULL;
}

static void
start_fault(ConstraintFaults *faults)
{
	if (faults->count++ == 0)
		initStringInfo(&faults->text);
	else
		appendStringInfoString(&faults->text, "; ");
}

void
constraint_fault_text(ConstraintFaults *faults, const char *text)
{
	start_fault(faults);
	appendStringInfoString(&faults->text, text);
}

void
constraint_fault_alone(ConstraintFaults *faults, const char *message)
{
	if (faults->count == 1)
		faults->alone = message;
}

void
constraint_fault(ConstraintFaults *faults, const char *value, const char *member,
				 const char *constraint_format,...)
{
	va_list		arguments;

	start_fault(faults);
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

int
constraint_enumeration(ConstraintFaults *faults, const cJSON *request, const char *name,
					   const char *member, const char *const *words)
{
	const char *given = request_string(request, name);
	StringInfoData set;

	if (given == NULL)
		return -1;
	for (int i = 0; words[i] != NULL; i++)
	{
		if (strcmp(given, words[i]) == 0)
			return i;
	}

	initStringInfo(&set);
	for (int i = 0; words[i] != NULL; i++)
		appendStringInfo(&set, "%s%s", i > 0 ? ", " : "", words[i]);
	constraint_fault(faults, given, member, "Member must satisfy enum value set: [%s]", set.data);
	return -1;
}

void
constraint_raise(ConstraintFaults *faults)
{
	if (faults->count == 1 && faults->alone != NULL)
		validation_error("%s", faults->alone);
	if (faults->count > 0)
		validation_error("%d validation error%s detected: %s",
						 faults->count, faults->count == 1 ? "" : "s",
						 faults->text.data);
}

/*
 * Where the name begins in arn:PARTITION:dynamodb:REGION:ACCOUNT:table/NAME, or
 * NULL.  Any Region and account will do: programs that move here bring ARNs of
 * their old account with them.
 */
static const char *
table_name_of_arn(const char *arn)
{
	const char *position = arn;

	for (int colons = 0; colons < 5; colons++)
	{
		position = strchr(position, ':');
		if (position == NULL)
			return NULL;
		position++;
		if (colons == 1 && strncmp(position, "dynamodb:", 9) != 0)
			return NULL;
	}
	return strncmp(position, "table/", 6) == 0 ? position + 6 : NULL;
}

/* Item operations take names from one byte on, the control plane from three. */
static char *
table_name_member(const char *given, int minimum, ConstraintFaults *faults)
{
	if (strncmp(given, "arn:", 4) == 0 && strlen(given) <= TABLE_ARN_MAX)
	{
		const char *name = table_name_of_arn(given);

		if (name == NULL || !catalog_is_table_name(name))
			constraint_fault(faults, given, "tableName",
							 "Valid ARN format is 'arn:<awsPartition>:<vendor>:<region>:<subscriber>:resourceType/resourceName', "
							 "where Resource name must have length less than or equal to %d, "
							 "Resource name must have length greater than or equal to %d, "
							 "Resource name must satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
							 TABLE_NAME_MAX, TABLE_NAME_MIN);
		return name != NULL ? pstrdup(name) : NULL;
	}

	if (strlen(given) < minimum)
		constraint_fault(faults, given, "tableName",
						 "Member must have length greater than or equal to %d", minimum);
	if (strlen(given) > TABLE_NAME_MAX)
		constraint_fault(faults, given, "tableName",
						 "Member must have length less than or equal to %d", TABLE_NAME_MAX);
	if (strspn(given, catalog_name_characters) != strlen(given) ||
		(*given == '\0' && minimum == TABLE_NAME_MIN))
		constraint_fault(faults, given, "tableName",
						 "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
	return pstrdup(given);
}

char *
request_table_name(const cJSON *request, ConstraintFaults *faults)
{
	const char *given = request_string(request, "TableName");

	if (given == NULL)
		validation_error("The parameter 'TableName' is required but was not present in the request");
	return table_name_member(given, TABLE_NAME_MIN, faults);
}

char *
request_item_table_name(const cJSON *request, ConstraintFaults *faults)
{
	const char *given = request_string(request, "TableName");

	if (given == NULL)
	{
		constraint_fault(faults, NULL, "tableName", "Member must not be null");
		return NULL;
	}
	return table_name_member(given, 1, faults);
}

char *
batch_request_table_name(const char *name, ConstraintFaults *faults)
{
	return table_name_member(name, 1, faults);
}

char *
table_arn(const char *table_name)
{
	return psprintf("arn:aws:dynamodb:%s:%s:table/%s",
					dynamo_region, dynamo_account_id, table_name);
}
