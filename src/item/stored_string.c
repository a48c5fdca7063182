/*
 * stored_string.c
 *		Strings and names in stored form.
 */
#include "postgres.h"

#include "item/stored_string.h"

int64
stored_string_measure_from(const char *string, int length, const char *escape)
{
	const char *end = string + length;
	int64		size = length;

	while (escape != NULL)
	{
		if (escape + 1 == end || (escape[1] != STORED_ESCAPE_NUL && escape[1] != STORED_ESCAPE_SELF))
			return -1;
		size--;
		escape = memchr(escape + 2, STORED_ESCAPE, end - escape - 2);
	}
	return size;
}

int
stored_string_compare(const char *a, int a_length, const char *b, int b_length)
{
	int			order = memcmp(a, b, Min(a_length, b_length));

	if (order != 0)
		return order;
	return a_length < b_length ? -1 : a_length > b_length ? 1 : 0;
}

/*
 * Does a character begin at this place?  Within a run of escapes the pairs
 * count from the run's start, so that the number of escapes before decides.
 */
static bool
at_boundary(const char *string, const char *at)
{
	const char *first = at;

	while (first > string && first[-1] == STORED_ESCAPE)
		first--;
	return (at - first) % 2 == 0;
}

bool
stored_string_contains(const char *whole, int whole_length, const char *part, int part_length)
{
	const char *at = whole;
	const char *end = whole + whole_length;

	if (part_length == 0)
		return true;
	while ((at = memmem(at, end - at, part, part_length)) != NULL)
	{
		/* only a part that begins with an escape or its second half can be misplaced */
		if (at_boundary(whole, at))
			return true;
		at++;
	}
	return false;
}

int64
stored_string_utf16_length(const char *string, int length)
{
	int64		units = 0;

	for (int i = 0; i < length; i++)
	{
		unsigned char byte = (unsigned char) string[i];

		if ((byte & 0xC0) == 0x80)
			continue;			/* continuation byte */
		units += byte >= 0xF0 ? 2 : 1;
		if (byte == STORED_ESCAPE && i + 1 < length)
			i++;
	}
	return units;
}
