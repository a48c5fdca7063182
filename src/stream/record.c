/*
 * record.c
 *		A stream record as others see it.
 */
#include "postgres.h"

#include "guc.h"
#include "item/item.h"
#include "stream/capture.h"
#include "stream/record.h"

#define COUNTER_DIGITS 10
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
append_keys(StringInfo out, const StreamRow *stream, const StreamRecord *record)
{
	const char *keys[] = {stream->partition_key, stream->sort_key};
	JsonbValue	value;

	appendStringInfoString(out, "\"Keys\":{");
	for (int i = 0; i < lengthof(keys); i++)
	{
		if (!key_value(record, keys[i], &value))
			continue;
		if (i > 0)
			appendStringInfoChar(out, ',');
		json_append_string(out, keys[i], strlen(keys[i]));
		appendStringInfoChar(out, ':');
		attribute_to_dynamodb_json(out, &value);
	}
	appendStringInfoChar(out, '}');
}

static void
append_image(StringInfo out, const char *name, Jsonb *image)
{
	if (image == NULL)
		return;
	appendStringInfo(out, ",\"%s\":", name);
	item_to_dynamodb_json(out, &image->root);
}

void
record_append(StringInfo out, const StreamRow *stream, int32 shard, const StreamRecord *record,
			  const char *event_arn)
{
	char		buffer[SEQUENCE_NUMBER_SIZE];

	/* the place in the database's streams, so that it is always the same */
	appendStringInfo(out, "{\"eventID\":\"%08x%016llx%08x\",\"eventName\":\"%s\","
					 "\"eventVersion\":\"1.1\",\"eventSource\":\"aws:dynamodb\","
					 "\"awsRegion\":\"%s\",\"dynamodb\":{"
					 "\"ApproximateCreationDateTime\":" INT64_FORMAT ",",
					 shard, (unsigned long long) record->position.number,
					 record->position.counter, record_event_name(record),
					 dynamo_region, record->position.number / 1000000);
	append_keys(out, stream, record);
	append_image(out, "NewImage", record->new);
	append_image(out, "OldImage", record->old);
	appendStringInfo(out, ",\"SequenceNumber\":\"%s\",\"SizeBytes\":" INT64_FORMAT
					 ",\"StreamViewType\":\"%s\"}",
					 sequence_number(record->position, buffer), record_size(stream, record),
					 stream_view_name(stream->view));
	if (record->service)
		appendStringInfoString(out, event_arn ?
							   ",\"userIdentity\":{\"type\":\"Service\",\"principalId\":\"dynamodb.amazonaws.com\"}" :
							   ",\"userIdentity\":{\"Type\":\"Service\",\"PrincipalId\":\"dynamodb.amazonaws.com\"}");
	if (event_arn)
	{
		appendStringInfoString(out, ",\"eventSourceARN\":");
		json_append_string(out, event_arn, strlen(event_arn));
	}
	appendStringInfoChar(out, '}');
}
