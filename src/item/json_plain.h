/*
 * json_plain.h
 *		How far a string is the same in JSON as by itself.
 *
 * Private to the item room.
 */
#ifndef DYNAMO_JSON_PLAIN_H
#define DYNAMO_JSON_PLAIN_H

#include "postgres.h"

#define EACH_BYTE(byte) (UINT64CONST(0x0101010101010101) * (byte))

/* Is the character written with a backslash, or the end of a JSON string? */
static inline bool
json_is_special(unsigned char character)
{
	return character < 0x20 || character == '"' || character == '\\';
}

/* The high bit of a byte, and perhaps of some above it, is set if it is zero. */
static inline uint64
zero_bytes(uint64 bytes)
{
	return (bytes - EACH_BYTE(0x01)) & ~bytes & EACH_BYTE(0x80);
}

/* Is any of eight characters special? */
static inline bool
json_any_special(const char *characters)
{
	uint64		bytes;

	memcpy(&bytes, characters, sizeof(bytes));
	return (((bytes - EACH_BYTE(0x20)) & ~bytes & EACH_BYTE(0x80)) |
			zero_bytes(bytes ^ EACH_BYTE('"')) | zero_bytes(bytes ^ EACH_BYTE('\\'))) != 0;
}

/* The length of what comes before the first special character, or the whole. */
static inline int
json_plain_length(const char *string, int length)
{
	int			plain = 0;

	while (plain + (int) sizeof(uint64) <= length && !json_any_special(string + plain))
		plain += sizeof(uint64);
	while (plain < length && !json_is_special((unsigned char) string[plain]))
		plain++;
	return plain;
}

#endif							/* DYNAMO_JSON_PLAIN_H */
