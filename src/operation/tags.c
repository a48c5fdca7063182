/*
 * tags.c
 *		TagResource, UntagResource, ListTagsOfResource.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"

#include "catalog/rows.h"
#include "compat.h"
#include "operation/constraint.h"
#include "operation/response.h"
#include "operation/table_description.h"
#include "operation/tags.h"

#define TAGS_MAX		50
#define TAG_KEY_MAX		128		/* characters */
#define TAG_VALUE_MAX	256

/* ---- what is a tag ---- */

/*
 * Letters and digits of any script, spaces, and + - = . _ : / @.  Characters
 * beyond ASCII are taken for letters, but for the controls among them: which
 * of them are letters depends on a locale here.
 */
static bool
tag_characters_valid(const char *text)
{
	for (const unsigned char *c = (const unsigned char *) text; *c != '\0'; c++)
	{
		if (IS_HIGHBIT_SET(*c) || isalnum(*c) || isspace(*c))
			continue;
		if (strchr("+-=._:/@", *c) == NULL)
			return false;
	}
	return true;
}

static bool
tag_text_valid(const char *text, int minimum, int maximum)
{
	int			length = pg_mbstrlen(text);

	return length >= minimum && length <= maximum && tag_characters_valid(text);
}

static void
check_tag_key(const char *key)
{
	if (key == NULL || !tag_text_valid(key, 1, TAG_KEY_MAX))
		validation_error("The Tag Key provided is invalid, Key: %s", key ? key : "null");
	if (pg_strncasecmp(key, "aws:", 4) == 0)
		validation_error("Tag Key cannot be prefixed with aws:, Key: %s", key);
}

pg_noreturn static void
too_many_tags(void)
{
	validation_error("Number of Tags exceed the current limit for the provided ResourceArn");
}

static bool
list_has_key(List *tags, const char *key)
{
	ListCell   *cell;

	foreach(cell, tags)
	{
		if (strcmp(((Tag *) lfirst(cell))->key, key) == 0)
			return true;
	}
	return false;
}

List *
tags_from_request(const cJSON *list)
{
	List	   *tags = NIL;
	const cJSON *element;

	if (cJSON_GetArraySize(list) > TAGS_MAX)
		too_many_tags();
	cJSON_ArrayForEach(element, list)
	{
		Tag		   *tag = palloc(sizeof(Tag));

		tag->key = request_string(element, "Key");
		tag->value = request_string(element, "Value");
		check_tag_key(tag->key);
		if (tag->value == NULL || !tag_text_valid(tag->value, 0, TAG_VALUE_MAX))
			validation_error("The Tag Value provided is invalid, Value: %s",
							 tag->value ? tag->value : "null");
		if (list_has_key(tags, tag->key))
			validation_error("Duplicate Tag Keys provided as input: Duplicate Tag Key found %s",
							 tag->key);
		tags = lappend(tags, tag);
	}
	return tags;
}

/* ---- which table ---- */

/*
 * The n-th part between colons of an ARN, from 0; NULL if there are fewer.
 */
static char *
arn_part(const char *arn, int part)
{
	while (part-- > 0)
	{
		arn = strchr(arn, ':');
		if (arn == NULL)
			return NULL;
		arn++;
	}
	return pnstrdup(arn, strcspn(arn, ":"));
}

/*
 * The table's name in a ResourceArn.  Any Region and account will do, as in
 * TableName.
 */
static char *
table_name_of_resource(const char *arn)
{
	char	   *service;
	char	   *resource;

	if (strncmp(arn, "arn:", 4) != 0)
		validation_error(INVALID_PARAMETERS "ARNs must start with 'arn:': %s", arn);
	service = arn_part(arn, 2);
	resource = arn_part(arn, 5);
	if (resource == NULL || strcmp(service, "dynamodb") != 0 || strncmp(resource, "table/", 6) != 0)
		validation_error(INVALID_PARAMETERS
						 "Provided Arn is not a DynamoDB resource arn: %s", arn);
	resource += strlen("table/");
	if (strstr(resource, "/index/") != NULL)
		validation_error(INVALID_PARAMETERS
						 "Invalid resource arn provided, only table or stream is accepted. "
						 "Provided resource arn: %s", arn);
	if (!catalog_is_table_name(resource))
		validation_error("Invalid TableArn: Invalid ResourceArn provided as input %s", arn);
	return resource;
}

/*
 * The request's ResourceArn, and the list that has to be beside it.
 */
static const char *
resource_from_request(const cJSON *request, const char *list_member, const char *list_path)
{
	ConstraintFaults faults = {0};
	const char *arn = request_string(request, "ResourceArn");

	if (arn == NULL)
		validation_error("Invalid TableArn");
	if (list_member != NULL)
	{
		constraint_required(&faults, request, list_member, list_path);
		constraint_raise(&faults);
	}
	return arn;
}

pg_noreturn static void
resource_not_found(const char *arn)
{
	dynamo_error(RESOURCE_NOT_FOUND, "Requested resource not found: ResourceArn: %s not found", arn);
}

/* ---- operations ---- */

void
tag_resource(const cJSON *request, JsonWriter *response)
{
	const char *arn = resource_from_request(request, "Tags", "tags");
	char	   *name = table_name_of_resource(arn);
	List	   *tags = tags_from_request(request_array(request, "Tags"));
	List	   *present;
	ItemTable  *table;
	int			count;
	ListCell   *cell;

	if (tags == NIL)
		validation_error("Atleast one Tag needs to be provided as Input.");
	table = item_table_open_owned(name, ShareUpdateExclusiveLock, "TagResource");
	if (table == NULL)
		resource_not_found(arn);

	present = catalog_read_tags(table->row.relation);
	count = list_length(present);
	foreach(cell, tags)
		count += !list_has_key(present, ((Tag *) lfirst(cell))->key);
	if (count > TAGS_MAX)
		too_many_tags();
	foreach(cell, tags)
	{
		Tag		   *tag = lfirst(cell);

		catalog_set_tag(table->row.relation, tag->key, tag->value);
	}
	item_table_close(table);
	response_open(response, NULL, '{');
	response_close(response, '}');
}

void
untag_resource(const cJSON *request, JsonWriter *response)
{
	const char *arn = resource_from_request(request, "TagKeys", "tagKeys");
	char	   *name = table_name_of_resource(arn);
	const cJSON *keys = request_array(request, "TagKeys");
	const cJSON *key;
	ItemTable  *table;

	if (cJSON_GetArraySize(keys) == 0)
		validation_error("Atleast one Tag Key needs to be provided as Input.");
	if (cJSON_GetArraySize(keys) > TAGS_MAX)
		too_many_tags();
	cJSON_ArrayForEach(key, keys)
		check_tag_key(cJSON_IsString(key) ? key->valuestring : NULL);

	table = item_table_open_owned(name, ShareUpdateExclusiveLock, "UntagResource");
	if (table == NULL)
		resource_not_found(arn);
	cJSON_ArrayForEach(key, keys)
		catalog_remove_tag(table->row.relation, key->valuestring);
	item_table_close(table);
	response_open(response, NULL, '{');
	response_close(response, '}');
}

/*
 * All tags at once: there are at most fifty, so NextToken is never given out
 * and never needed.
 */
void
list_tags_of_resource(const cJSON *request, JsonWriter *response)
{
	const char *arn = resource_from_request(request, NULL, NULL);
	char	   *name = table_name_of_resource(arn);
	ItemTable  *table = item_table_open(name, AccessShareLock);
	ListCell   *cell;

	if (table == NULL)
		resource_not_found(arn);
	response_open(response, NULL, '{');
	response_open(response, "Tags", '[');
	foreach(cell, catalog_read_tags(table->row.relation))
	{
		Tag		   *tag = lfirst(cell);

		response_open(response, NULL, '{');
		response_string(response, "Key", tag->key);
		response_string(response, "Value", tag->value);
		response_close(response, '}');
	}
	response_close(response, ']');
	response_close(response, '}');
	item_table_close(table);
}
