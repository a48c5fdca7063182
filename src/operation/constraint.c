/*
 * constraint.c
 *		The constraints that the service's model puts on members of a request.
 */
#include "postgres.h"

#include "item/item.h"
#include "operation/constraint.h"

#define LENGTH_AT_LEAST	"Member must have length greater than or equal to %d"
#define LENGTH_AT_MOST	"Member must have length less than or equal to %d"

char *
constraint_path(const char *prefix, const char *name)
{
	return prefix ? psprintf("%s.%s", prefix, name) : pstrdup(name);
}

char *
constraint_element_path(const char *prefix, int position)
{
	return psprintf("%s.%d.member", prefix, position);
}

bool
constraint_required(ConstraintFaults *faults, const cJSON *object,
					const char *name, const char *path)
{
	if (request_member(object, name) != NULL)
		return true;
	constraint_fault(faults, NULL, path, "Member must not be null");
	return false;
}

void
constraint_range(ConstraintFaults *faults, const cJSON *object, const char *name,
				 const char *path, int64 minimum, int64 maximum)
{
	int64		value;

	if (!request_integer(object, name, &value))
		return;
	if (value < minimum)
		constraint_fault(faults, psprintf(INT64_FORMAT, value), path,
						 "Member must have value greater than or equal to " INT64_FORMAT,
						 minimum);
	if (value > maximum)
		constraint_fault(faults, psprintf(INT64_FORMAT, value), path,
						 "Member must have value less than or equal to " INT64_FORMAT,
						 maximum);
}

/*
 * The service shows a list as its elements' type names and hash codes; the
 * members' texts say more and are as unstable.
 */
void
constraint_count(ConstraintFaults *faults, const cJSON *object, const char *name,
				 const char *path, int minimum, int maximum)
{
	const cJSON *array = request_array(object, name);
	int			count;

	if (array == NULL)
		return;
	count = cJSON_GetArraySize(array);
	if (count < minimum)
		constraint_fault(faults, "[]", path, LENGTH_AT_LEAST, minimum);
	if (count > maximum)
		constraint_fault(faults, psprintf("[%d elements]", count), path, LENGTH_AT_MOST, maximum);
}

void
constraint_length(ConstraintFaults *faults, const cJSON *object, const char *name,
				  const char *path, int minimum, int maximum)
{
	const char *value = request_string(object, name);

	if (value == NULL)
		return;
	if (strlen(value) < minimum)
		constraint_fault(faults, value, path, LENGTH_AT_LEAST, minimum);
	if (strlen(value) > maximum)
		constraint_fault(faults, value, path, LENGTH_AT_MOST, maximum);
}

void
constraint_name(ConstraintFaults *faults, const char *value, const char *path)
{
	size_t		length = strlen(value);

	if (strspn(value, catalog_name_characters) != length ||
		length == 0)
		constraint_fault(faults, value, path,
						 "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
	if (length < TABLE_NAME_MIN)
		constraint_fault(faults, value, path, LENGTH_AT_LEAST, TABLE_NAME_MIN);
	if (length > TABLE_NAME_MAX)
		constraint_fault(faults, value, path, LENGTH_AT_MOST, TABLE_NAME_MAX);
}

void
constraint_attribute_name(ConstraintFaults *faults, const char *value, const char *path)
{
	int64		length = item_string_size(value, strlen(value));

	if (length < 1)
		constraint_fault(faults, value, path, LENGTH_AT_LEAST, 1);
	if (length > KEY_ATTRIBUTE_NAME_MAX)
		constraint_fault(faults, value, path, LENGTH_AT_MOST, KEY_ATTRIBUTE_NAME_MAX);
}
