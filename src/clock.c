/*
 * clock.c
 *		The time by which streams are trimmed and items expire.
 */
#include "postgres.h"

#include "utils/timestamp.h"

#include "clock.h"
#include "guc.h"

#define EPOCH_DIFFERENCE \
	((int64) (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * USECS_PER_DAY)

TimestampTz
clock_now(void)
{
	return GetCurrentTimestamp() + (int64) dynamo_clock_offset * USECS_PER_SEC;
}

int64
clock_epoch_microseconds(TimestampTz time)
{
	return time + EPOCH_DIFFERENCE;
}

TimestampTz
clock_from_epoch_microseconds(int64 microseconds)
{
	return microseconds - EPOCH_DIFFERENCE;
}

int64
clock_microseconds(void)
{
	return clock_epoch_microseconds(clock_now());
}
