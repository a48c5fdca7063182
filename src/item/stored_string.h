/*
 * stored_string.h
 *		Strings and names in stored form.
 *
 * jsonb and text cannot hold U+0000, so U+0000 is stored as U+0001 U+0001 and
 * U+0001 as U+0001 U+0002.  Order, equality and prefixes of stored strings are
 * those of the strings themselves.
 */
#ifndef DYNAMO_STORED_STRING_H
#define DYNAMO_STORED_STRING_H

#include "postgres.h"

#define STORED_ESCAPE '\001'
#define STORED_ESCAPE_NUL '\001'	/* what follows the escape for U+0000 */
#define STORED_ESCAPE_SELF '\002'	/* ... and for U+0001 */

/* As below, of a string whose first escape stands at this place. */
extern int64 stored_string_measure_from(const char *string, int length, const char *escape);

/*
 * Bytes of the string that is meant (an escape pair is one); -1 if an escape
 * is not followed by what it must be.
 */
static inline int64
stored_string_measure(const char *string, int length)
{
	const char *escape = memchr(string, STORED_ESCAPE, length);

	return escape == NULL ? length : stored_string_measure_from(string, length, escape);
}

extern int	stored_string_compare(const char *a, int a_length, const char *b, int b_length);

/* Is part in whole, beginning between two characters? */
extern bool stored_string_contains(const char *whole, int whole_length,
								   const char *part, int part_length);

/* Length in UTF-16 code units, which is what DynamoDB's size() counts. */
extern int64 stored_string_utf16_length(const char *string, int length);

#endif							/* DYNAMO_STORED_STRING_H */
