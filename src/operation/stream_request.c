/*
 * stream_request.c
 *		What requests of the streams' API name: streams, shards, iterators.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "common/base64.h"

#include "compat.h"
#include "guc.h"
#include "operation/constraint.h"
#include "operation/stream_request.h"
#include "stream/access.h"
#include "stream/shards.h"

#define STREAM_ARN_MIN 37
#define STREAM_ARN_MAX 1024

static int
compare_streams(const ListCell *a, const ListCell *b)
{
	const StreamRow *left = lfirst(a);
	const StreamRow *right = lfirst(b);
	int			order = strcmp(left->table_name, right->table_name);

	return order != 0 ? order : strcmp(left->label, right->label);
}

List *
streams_listed(void)
{
	List	   *streams = NIL;
	ListCell   *cell;

	foreach(cell, catalog_read_streams())
	{
		StreamRow  *row = lfirst(cell);

		if (strcmp(row->schema_name, dynamo_schema) == 0)
			streams = lappend(streams, row);
	}
	list_sort(streams, compare_streams);
	return streams;
}

void
stream_arn_constraints(const cJSON *request, const char *name, const char *path, bool required,
					   ConstraintFaults *faults)
{
	if (required && !constraint_required(faults, request, name, path))
		return;
	constraint_length(faults, request, name, path, STREAM_ARN_MIN, STREAM_ARN_MAX);
}

/*
 * Table and label in arn:PARTITION:dynamodb:REGION:ACCOUNT:table/NAME/stream/LABEL.
 * Region and account may be any, as in the ARNs of tables.
 */
static bool
split_arn(const char *arn, char **table_name, const char **label)
{
	const char *position = arn;
	const char *end;

	if (strncmp(arn, "arn:", 4) != 0)
		return false;
	for (int colons = 0; colons < 5; colons++)
	{
		position = strchr(position, ':');
		if (position == NULL)
			return false;
		position++;
		if (colons == 1 && strncmp(position, "dynamodb:", 9) != 0)
			return false;
	}
	if (strncmp(position, "table/", 6) != 0)
		return false;
	position += 6;
	end = strstr(position, "/stream/");
	if (end == NULL)
		return false;
	*table_name = pnstrdup(position, end - position);
	*label = end + strlen("/stream/");
	return true;
}

StreamRow *
stream_of_arn(const char *arn)
{
	char	   *table_name;
	const char *label;
	ListCell   *cell;

	if (!split_arn(arn, &table_name, &label))
		validation_error("Invalid StreamArn: %s", arn);
	foreach(cell, streams_listed())
	{
		StreamRow  *row = lfirst(cell);

		if (strcmp(row->table_name, table_name) == 0 && strcmp(row->label, label) == 0)
		{
			stream_check_access(row);
			return row;
		}
	}
	dynamo_error(RESOURCE_NOT_FOUND, "Requested resource not found: Stream: %s not found", arn);
}

ShardRow *
stream_shard_named(List *shards, const char *name)
{
	char		buffer[SHARD_ID_SIZE];
	ListCell   *cell;

	foreach(cell, shards)
	{
		ShardRow   *shard = lfirst(cell);

		if (strcmp(shard_name(shard, buffer), name) == 0)
			return shard;
	}
	return NULL;
}

/* ---- iterators ---- */

char *
shard_iterator_text(const StreamRow *stream, const ShardIterator *iterator)
{
	char	   *content = psprintf("%d:" INT64_FORMAT ":%d:" INT64_FORMAT, iterator->shard,
								   iterator->position.number, iterator->position.counter,
								   iterator->issued_at);
	int			length = strlen(content);
	int			size = pg_b64_enc_len(length) + 1;
	char	   *encoded = palloc0(size);

	if (compat_base64_encode(content, length, encoded, size) < 0)
		elog(ERROR, "could not encode a shard iterator");
	return psprintf("%s|1|%s", stream_arn(stream), encoded);
}

static bool
parse_content(const char *content, ShardIterator *iterator)
{
	long long	number;
	long long	issued_at;
	int			used = 0;

	if (sscanf(content, "%d:%lld:%d:%lld%n", &iterator->shard, &number,
			   &iterator->position.counter, &issued_at, &used) != 4 || content[used] != '\0')
		return false;
	iterator->position.number = number;
	iterator->issued_at = issued_at;
	return number >= 0 && iterator->position.counter >= 0;
}

char *
shard_iterator_parse(const char *text, ShardIterator *iterator)
{
	const char *separator = strstr(text, "|1|");
	int			length;
	int			size;
	char	   *content;

	if (separator == NULL)
		validation_error("Invalid ShardIterator");
	length = strlen(separator + 3);
	size = pg_b64_dec_len(length) + 1;
	content = palloc0(size);
	length = compat_base64_decode(separator + 3, length, content, size - 1);
	if (length < 0 || !parse_content(content, iterator))
		validation_error("Invalid ShardIterator");
	return pnstrdup(text, separator - text);
}
