/*
 * record.h
 *		A stream record as others see it.
 */
#ifndef DYNAMO_RECORD_H
#define DYNAMO_RECORD_H

#include "postgres.h"

#include "item/json_writer.h"
#include "stream/shard_reader.h"

/* "arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/stream/LABEL", by the settings. */
extern char *stream_arn(const StreamRow *stream);

/* SequenceNumber: number, then ten digits of counter; 22 digits at least. */
#define SEQUENCE_NUMBER_SIZE 32

extern char *sequence_number(StreamPosition position, char *buffer);

/* False if the text is none. */
extern bool sequence_number_parse(const char *text, StreamPosition *position);

extern const char *record_event_name(const StreamRecord *record);

/* The image that has the record's keys: its keys, or one that is kept. */
extern Jsonb *record_key_image(const StreamRecord *record);

/* Bytes of keys and images by DynamoDB's count. */
extern int64 record_size(const StreamRow *stream, const StreamRecord *record);

/*
 * Append the record as GetRecords answers it or, with the stream's ARN, as an
 * event of Lambda: there the identity's members begin with small letters.
 */
extern void record_append(JsonWriter *out, const StreamRow *stream, int32 shard,
						  const StreamRecord *record, const char *event_arn);

#endif							/* DYNAMO_RECORD_H */
