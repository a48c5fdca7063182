/*
 * record.c
 *		A stream record as others see it.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "guc.h"
#include "item/item.h"
#include "stream/capture.h"
#include "stream/record.h"

#define COUNTER_DIGITS 10
#define INTEGER_TEXT_SIZE 21
#define SEQUENCE_DIGITS_MAX 29	/* what an int64 and the counter can have */

char *
stream_arn(const StreamRow *stream)
{
	return psprintf("arn:aws:dynamodb:%s:%s:table/%s/stream/%s", dynamo_region, dynamo_account_id,
					stream->table_name, stream->label);
}

char *
sequence_number(StreamPosition position, char *buffer)
{
	snprintf(buffer, SEQUENCE_NUMBER_SIZE, INT64_FORMAT "%0*d",
			 position.number, COUNTER_DIGITS, position.counter);
	return buffer;
}

bool
sequence_number_parse(const char *text, StreamPosition *position)
{
	size_t		length = strspn(text, "0123456789");
	char		number[SEQUENCE_DIGITS_MAX + 1];
	unsigned long long counter;

	if (text[length] != '\0' || length <= COUNTER_DIGITS || length > SEQUENCE_DIGITS_MAX - 1)
		return false;
	memcpy(number, text, length - COUNTER_DIGITS);
	number[length - COUNTER_DIGITS] = '\0';
	position->number = strtoll(number, NULL, 10);
	counter = strtoull(text + length - COUNTER_DIGITS, NULL, 10);
	position->counter = (int32) Min(counter, POSITION_BEHIND);
	return true;
}

const char *
record_event_name(const StreamRecord *record)
{
	return record->kind == CHANGE_INSERT ? "INSERT" :
		record->kind == CHANGE_MODIFY ? "MODIFY" : "REMOVE";
}

Jsonb *
record_key_image(const StreamRecord *record)
{
	return record->keys ? record->keys : record->new ? record->new : record->old;
}

/* The value of a key attribute; false if name is NULL. */
static bool
key_value(const StreamRecord *record, const char *name, JsonbValue *value)
{
	if (name == NULL)
		return false;
	if (!attribute_get(&record_key_image(record)->root, name, strlen(name), value))
		elog(ERROR, "stream record without key attribute \"%s\"", name);
	return true;
}

int64
record_size(const StreamRow *stream, const StreamRecord *record)
{
	const char *keys[] = {stream->partition_key, stream->sort_key};
	int64		size = 0;
	JsonbValue	value;

	for (int i = 0; i < lengthof(keys); i++)
	{
		if (key_value(record, keys[i], &value))
			size += item_string_size(keys[i], strlen(keys[i])) + attribute_value_size(&value);
	}
	if (record->old)
		size += item_size(&record->old->root);
	if (record->new)
		size += item_size(&record->new->root);
	return size;
}

static void
write_name(JsonWriter *out, const char *name)
{
	json_write_name(out, name, strlen(name));
}

static void
write_string(JsonWriter *out, const char *name, const char *value)
{
	write_name(out, name);
	json_write_string(out, value, strlen(value));
}

static void
write_integer(JsonWriter *out, const char *name, int64 value)
{
	char		text[INTEGER_TEXT_SIZE];

	pg_lltoa(value, text);
	write_name(out, name);
	json_write_number(out, text);
}

static void
write_keys(JsonWriter *out, const StreamRow *stream, const StreamRecord *record)
{
	const char *keys[] = {stream->partition_key, stream->sort_key};
	JsonbValue	value;

	write_name(out, "Keys");
	json_write_open(out, '{');
	for (int i = 0; i < lengthof(keys); i++)
	{
		if (!key_value(record, keys[i], &value))
			continue;
		write_name(out, keys[i]);
		attribute_to_dynamodb_json(out, &value);
	}
	json_write_close(out, '}');
}

static void
write_image(JsonWriter *out, const char *name, Jsonb *image)
{
	if (image == NULL)
		return;
	write_name(out, name);
	item_to_dynamodb_json(out, &image->root);
}

/* The change itself. */
static void
write_change(JsonWriter *out, const StreamRow *stream, const StreamRecord *record)
{
	char		buffer[SEQUENCE_NUMBER_SIZE];

	write_name(out, "dynamodb");
	json_write_open(out, '{');
	write_integer(out, "ApproximateCreationDateTime", record->position.number / 1000000);
	write_keys(out, stream, record);
	write_image(out, "NewImage", record->new);
	write_image(out, "OldImage", record->old);
	write_string(out, "SequenceNumber", sequence_number(record->position, buffer));
	write_integer(out, "SizeBytes", record_size(stream, record));
	write_string(out, "StreamViewType", stream_view_name(stream->view));
	json_write_close(out, '}');
}

/* Deleted by time to live; events spell it in lower case. */
static void
write_service(JsonWriter *out, bool event)
{
	write_name(out, "userIdentity");
	json_write_open(out, '{');
	write_string(out, event ? "type" : "Type", "Service");
	write_string(out, event ? "principalId" : "PrincipalId", "dynamodb.amazonaws.com");
	json_write_close(out, '}');
}

void
record_append(JsonWriter *out, const StreamRow *stream, int32 shard, const StreamRecord *record,
			  const char *event_arn)
{
	json_write_open(out, '{');
	/* the place in the database's streams, so that it is always the same */
	write_string(out, "eventID", psprintf("%08x%016llx%08x", shard,
										  (unsigned long long) record->position.number,
										  record->position.counter));
	write_string(out, "eventName", record_event_name(record));
	write_string(out, "eventVersion", "1.1");
	write_string(out, "eventSource", "aws:dynamodb");
	write_string(out, "awsRegion", dynamo_region);
	write_change(out, stream, record);
	if (record->service)
		write_service(out, event_arn != NULL);
	if (event_arn)
		write_string(out, "eventSourceARN", event_arn);
	json_write_close(out, '}');
}
