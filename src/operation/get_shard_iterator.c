/*
 * get_shard_iterator.c
 *		GetShardIterator.
 */
#include "postgres.h"

#include "clock.h"
#include "operation/constraint.h"
#include "operation/response.h"
#include "operation/stream_request.h"
#include "stream/record.h"
#include "stream/ring.h"

#define SHARD_ID_MIN 28
#define SHARD_ID_MAX 65
#define SEQUENCE_NUMBER_MIN 21
#define SEQUENCE_NUMBER_MAX 40

typedef enum IteratorType
{
	AFTER_SEQUENCE_NUMBER,
	LATEST,
	AT_SEQUENCE_NUMBER,
	TRIM_HORIZON
} IteratorType;

static const char *const iterator_types[] = {
	"AFTER_SEQUENCE_NUMBER", "LATEST", "AT_SEQUENCE_NUMBER", "TRIM_HORIZON", NULL
};

static IteratorType
check_constraints(const cJSON *request)
{
	ConstraintFaults faults = {0};
	int			type;

	stream_arn_constraints(request, "StreamArn", "streamArn", true, &faults);
	constraint_required(&faults, request, "ShardId", "shardId");
	constraint_length(&faults, request, "ShardId", "shardId", SHARD_ID_MIN, SHARD_ID_MAX);
	constraint_required(&faults, request, "ShardIteratorType", "shardIteratorType");
	type = constraint_enumeration(&faults, request, "ShardIteratorType", "shardIteratorType",
								  iterator_types);
	constraint_length(&faults, request, "SequenceNumber", "sequenceNumber", SEQUENCE_NUMBER_MIN,
					  SEQUENCE_NUMBER_MAX);
	constraint_raise(&faults);
	return (IteratorType) type;
}

/*
 * A number that has expired is refused if a record behind it has, too: the
 * reader would miss it.  What is older than the tables reach back counts as
 * missed.
 */
static StreamPosition
numbered_position(const ShardRow *shard, IteratorType type, const char *text)
{
	int64		now = clock_microseconds();
	int64		oldest = (now / RING_PERIOD - RING_SIZE + 2) * RING_PERIOD;
	StreamPosition position;

	if (text == NULL)
		validation_error("SequenceNumber is required for ShardIteratorType %s",
						 iterator_types[type]);
	if (!sequence_number_parse(text, &position))
		validation_error("Invalid SequenceNumber: %s", text);
	if (type == AT_SEQUENCE_NUMBER && position.counter > 0)
		position.counter--;
	if (position.number >= ring_horizon(now))
		return position;
	if ((position.number < oldest && position.number > shard->start) ||
		stream_has_commits(shard->id, position.number + (type == AFTER_SEQUENCE_NUMBER),
						   ring_horizon(now)))
		dynamo_error(TRIMMED_DATA_ACCESS,
					 "The operation attempted to read past the oldest stream record in a shard: "
					 "the record of SequenceNumber %s has been trimmed", text);
	return position;
}

void
get_shard_iterator(const cJSON *request, JsonWriter *response)
{
	IteratorType type = check_constraints(request);
	const char *number = request_string(request, "SequenceNumber");
	const char *shard_id = request_string(request, "ShardId");
	StreamRow  *stream = stream_of_arn(request_string(request, "StreamArn"));
	ShardRow   *shard = stream_shard_named(catalog_read_shards(stream->id), shard_id);
	ShardIterator iterator = {0};

	if (shard == NULL)
		dynamo_error(RESOURCE_NOT_FOUND,
					 "Requested resource not found: Shard: %s in Stream: %s not found",
					 shard_id, stream_arn(stream));
	iterator.shard = shard->id;
	iterator.issued_at = clock_microseconds();
	if (type == AT_SEQUENCE_NUMBER || type == AFTER_SEQUENCE_NUMBER)
		iterator.position = numbered_position(shard, type, number);
	else if (number != NULL)
		validation_error("SequenceNumber must not be given for ShardIteratorType %s",
						 iterator_types[type]);
	else if (type == LATEST)
		iterator.position = stream_end_position(shard->id);

	response_open(response, NULL, '{');
	response_string(response, "ShardIterator", shard_iterator_text(stream, &iterator));
	response_close(response, '}');
}
