/*
 * get_records.c
 *		GetRecords.
 */
#include "postgres.h"

#include "clock.h"
#include "operation/constraint.h"
#include "operation/response.h"
#include "operation/stream_request.h"
#include "stream/record.h"

#define RECORDS_MAX 1000
#define RECORDS_MAX_BYTES (1024 * 1024)
#define ITERATOR_LIFETIME (INT64CONST(15) * 60 * 1000000)	/* microseconds */
#define ITERATOR_TEXT_MAX 2048

typedef struct RecordPage
{
	const StreamRow *stream;
	int32		shard;
	JsonWriter *response;
	int64		bytes;
} RecordPage;

static bool
add_record(const StreamRecord *record, void *argument)
{
	RecordPage *page = argument;
	int64		size = record_size(page->stream, record);

	if (page->bytes > 0 && page->bytes + size > RECORDS_MAX_BYTES)
		return false;
	page->bytes += size;
	record_append(page->response, page->stream, page->shard, record, NULL);
	return true;
}

static const char *
iterator_text(const cJSON *request)
{
	ConstraintFaults faults = {0};
	const char *text = request_string(request, "ShardIterator");

	constraint_required(&faults, request, "ShardIterator", "shardIterator");
	if (text != NULL && *text == '\0')
		constraint_fault(&faults, text, "shardIterator",
						 "Member must have length greater than or equal to 1");
	if (text != NULL && strlen(text) > ITERATOR_TEXT_MAX)
		constraint_fault(&faults, text, "shardIterator",
						 "Member must have length less than or equal to %d", ITERATOR_TEXT_MAX);
	constraint_range(&faults, request, "Limit", "limit", 1, RECORDS_MAX);
	constraint_raise(&faults);
	return text;
}

static const ShardRow *
shard_of_iterator(const StreamRow *stream, const ShardIterator *iterator)
{
	ListCell   *cell;

	foreach(cell, catalog_read_shards(stream->id))
	{
		const ShardRow *shard = lfirst(cell);

		if (shard->id == iterator->shard)
			return shard;
	}
	validation_error("Invalid ShardIterator");
}

/*
 * Whether the shard is closed is looked up before it is read: then its end is
 * the end.  An iterator at the trim horizon loses nothing that expires.
 */
void
get_records(const cJSON *request, JsonWriter *response)
{
	const char *text = iterator_text(request);
	int64		limit = RECORDS_MAX;
	int64		now = clock_microseconds();
	ShardIterator iterator;
	StreamRow  *stream = stream_of_arn(shard_iterator_parse(text, &iterator));
	const ShardRow *shard = shard_of_iterator(stream, &iterator);
	bool		at_horizon = iterator.position.number == 0;
	bool		trimmed;
	ReadEnd		end;
	RecordPage	page = {stream, shard->id, response, 0};

	if (now > iterator.issued_at + ITERATOR_LIFETIME)
		dynamo_error(EXPIRED_ITERATOR,
					 "Iterator expired. It was issued more than 15 minutes ago");
	request_integer(request, "Limit", &limit);

	response_open(response, NULL, '{');
	response_open(response, "Records", '[');
	end = stream_read(shard->id, &iterator.position, (int) limit, &trimmed, add_record, &page);
	if (trimmed && !at_horizon)
		dynamo_error(TRIMMED_DATA_ACCESS,
					 "The operation attempted to read past the oldest stream record in a shard");
	response_close(response, ']');
	if (shard->closed_at == 0 || end != READ_ALL)
	{
		iterator.issued_at = now;
		response_string(response, "NextShardIterator", shard_iterator_text(stream, &iterator));
	}
	response_close(response, '}');
}
