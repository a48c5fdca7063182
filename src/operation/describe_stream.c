/*
 * describe_stream.c
 *		DescribeStream.
 */
#include "postgres.h"

#include "clock.h"
#include "operation/constraint.h"
#include "operation/response.h"
#include "operation/stream_request.h"
#include "stream/record.h"
#include "stream/ring.h"
#include "stream/shards.h"

#define SHARD_ID_MIN 28
#define SHARD_ID_MAX 65
#define DESCRIBE_LIMIT_MAX 100

static const char *const filter_types[] = {"CHILD_SHARDS", NULL};

static void
check_constraints(const cJSON *request, const cJSON *filter)
{
	ConstraintFaults faults = {0};

	stream_arn_constraints(request, "StreamArn", "streamArn", true, &faults);
	constraint_range(&faults, request, "Limit", "limit", 1, DESCRIBE_LIMIT_MAX);
	constraint_length(&faults, request, "ExclusiveStartShardId", "exclusiveStartShardId", SHARD_ID_MIN, SHARD_ID_MAX);
	if (filter != NULL)
	{
		constraint_required(&faults, filter, "Type", "shardFilter.type");
		constraint_enumeration(&faults, filter, "Type", "shardFilter.type", filter_types);
		constraint_required(&faults, filter, "ShardId", "shardFilter.shardId");
		constraint_length(&faults, filter, "ShardId", "shardFilter.shardId", SHARD_ID_MIN, SHARD_ID_MAX);
	}
	constraint_raise(&faults);
}

static void
append_key(JsonWriter *response, const char *name, const char *type)
{
	if (name == NULL)
		return;
	response_open(response, NULL, '{');
	response_string(response, "AttributeName", name);
	response_string(response, "KeyType", type);
	response_close(response, '}');
}

static const ShardRow *
find_shard(List *shards, int32 id)
{
	ListCell   *cell;

	foreach(cell, shards)
	{
		const ShardRow *shard = lfirst(cell);

		if (shard->id == id)
			return shard;
	}
	return NULL;
}

/*
 * A shard open for more than a day begins where its records do.  The last
 * number of a closed one is not looked for among the records of a transaction:
 * it is behind them all.
 */
static void
append_shard(JsonWriter *response, List *shards, const ShardRow *shard)
{
	char		buffer[Max(SHARD_ID_SIZE, SEQUENCE_NUMBER_SIZE)];
	const ShardRow *parent = find_shard(shards, shard->parent);
	StreamPosition start = {Max(shard->start, ring_horizon(clock_microseconds())), 0};

	response_open(response, NULL, '{');
	response_string(response, "ShardId", shard_name(shard, buffer));
	response_open(response, "SequenceNumberRange", '{');
	response_string(response, "StartingSequenceNumber", sequence_number(start, buffer));
	if (shard->closed_at != 0)
	{
		StreamPosition end = {Max(stream_last_readable(shard), start.number), POSITION_BEHIND};

		response_string(response, "EndingSequenceNumber", sequence_number(end, buffer));
	}
	response_close(response, '}');
	if (parent != NULL)
		response_string(response, "ParentShardId", shard_name(parent, buffer));
	response_close(response, '}');
}

/*
 * The shards behind one, or the children of one, in the order of names, which
 * is that of ids.
 */
static void
append_shards(JsonWriter *response, List *shards, const cJSON *request, const cJSON *filter)
{
	const char *start = request_string(request, "ExclusiveStartShardId");
	const ShardRow *parent = NULL;
	const ShardRow *last = NULL;
	char		buffer[SHARD_ID_SIZE];
	int64		limit = DESCRIBE_LIMIT_MAX;
	bool		more = false;
	ListCell   *cell;

	request_integer(request, "Limit", &limit);
	if (filter != NULL)
	{
		parent = stream_shard_named(shards, request_string(filter, "ShardId"));
		if (parent == NULL)
			validation_error("Invalid parameter: ShardFilter.ShardId %s is not a shard of the stream",
							 request_string(filter, "ShardId"));
	}
	response_open(response, "Shards", '[');
	foreach(cell, shards)
	{
		const ShardRow *shard = lfirst(cell);

		if ((start != NULL && strcmp(shard_name(shard, buffer), start) <= 0) ||
			(parent != NULL && shard->parent != parent->id))
			continue;
		more = limit-- == 0;
		if (more)
			break;
		append_shard(response, shards, shard);
		last = shard;
	}
	response_close(response, ']');
	if (more)
		response_string(response, "LastEvaluatedShardId", shard_name(last, buffer));
}

void
describe_stream(const cJSON *request, JsonWriter *response)
{
	const cJSON *filter = request_object(request, "ShardFilter");
	StreamRow  *stream;

	check_constraints(request, filter);
	stream = stream_of_arn(request_string(request, "StreamArn"));

	response_open(response, NULL, '{');
	response_open(response, "StreamDescription", '{');
	response_string(response, "StreamArn", stream_arn(stream));
	response_string(response, "StreamLabel", stream->label);
	response_string(response, "StreamStatus", stream->disabled_at == 0 ? "ENABLED" : "DISABLED");
	response_string(response, "StreamViewType", stream_view_name(stream->view));
	response_time(response, "CreationRequestDateTime",
				  clock_epoch_microseconds(stream->created_at) / 1000);
	response_string(response, "TableName", stream->table_name);
	response_open(response, "KeySchema", '[');
	append_key(response, stream->partition_key, "HASH");
	append_key(response, stream->sort_key, "RANGE");
	response_close(response, ']');
	append_shards(response, catalog_read_shards(stream->id), request, filter);
	response_close(response, '}');
	response_close(response, '}');
}
