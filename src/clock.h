/*
 * clock.h
 *		The time by which streams are trimmed and items expire.
 *
 * It is the system's, shifted by setting dynamo.clock_offset, so that a test
 * need not wait for a day.
 */
#ifndef DYNAMO_CLOCK_H
#define DYNAMO_CLOCK_H

#include "postgres.h"
#include "datatype/timestamp.h"

extern TimestampTz clock_now(void);

/* The same in microseconds since 1970. */
extern int64 clock_microseconds(void);

/* A point in time in microseconds since 1970. */
extern int64 clock_epoch_microseconds(TimestampTz time);
extern TimestampTz clock_from_epoch_microseconds(int64 microseconds);

#endif							/* DYNAMO_CLOCK_H */
