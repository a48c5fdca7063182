/*
 * base64.c
 *		Canonical base64.
 */
#include "postgres.h"

#include "item/base64.h"

#define NOT_BASE64 (-1)

/* The six bits of a character, NOT_BASE64 for any other (padding included). */
static inline int
sextet(char character)
{
	if (character >= 'A' && character <= 'Z')
		return character - 'A';
	if (character >= 'a' && character <= 'z')
		return character - 'a' + 26;
	if (character >= '0' && character <= '9')
		return character - '0' + 52;
	if (character == '+')
		return 62;
	if (character == '/')
		return 63;
	return NOT_BASE64;
}

static inline int
padding(const char *text, int length)
{
	if (length < 4 || text[length - 1] != '=')
		return 0;
	return text[length - 2] == '=' ? 2 : 1;
}

bool
base64_is_canonical(const char *text, int length)
{
	int			pad;
	int			content;

	if (length % 4 != 0)
		return false;
	pad = padding(text, length);
	content = length - pad;
	for (int i = 0; i < content; i++)
	{
		if (sextet(text[i]) == NOT_BASE64)
			return false;
	}
	if (pad == 0)
		return true;
	return (sextet(text[content - 1]) & (pad == 1 ? 0x03 : 0x0F)) == 0;
}

int
base64_byte_count(const char *text, int length)
{
	/* this form stays within the buffer even for text that is not canonical */
	return (length - padding(text, length)) / 4 * 3 + (length - padding(text, length)) % 4 * 3 / 4;
}

void
base64_decode(const char *text, int length, uint8 *bytes)
{
	int			content = length - padding(text, length);
	uint32		bits = 0;
	int			bit_count = 0;

	for (int i = 0; i < content; i++)
	{
		bits = (bits << 6) | (sextet(text[i]) & 0x3F);
		bit_count += 6;
		if (bit_count >= 8)
		{
			bit_count -= 8;
			*bytes++ = (bits >> bit_count) & 0xFF;
		}
	}
}

/*
 * At the first difference the six bits decide; padding is NOT_BASE64 and thus
 * less than anything, and so is the end of the shorter text.
 */
int
base64_compare(const char *a, int a_length, const char *b, int b_length)
{
	int			common = Min(a_length, b_length);

	for (int i = 0; i < common; i++)
	{
		if (a[i] != b[i])
			return sextet(a[i]) < sextet(b[i]) ? -1 : 1;
	}
	return a_length < b_length ? -1 : a_length > b_length ? 1 : 0;
}

bool
base64_begins_with(const char *text, int length, const char *prefix, int prefix_length)
{
	int			prefix_bytes = base64_byte_count(prefix, prefix_length);
	int			whole = prefix_bytes / 3 * 4;
	uint8		head[3];
	uint8		prefix_head[3];

	if (base64_byte_count(text, length) < prefix_bytes || memcmp(text, prefix, whole) != 0)
		return false;
	if (prefix_bytes % 3 == 0)
		return true;

	/* one more group of four is there on both sides, perhaps padded */
	memset(head, 0, sizeof(head));
	base64_decode(text + whole, Min(4, length - whole), head);
	base64_decode(prefix + whole, Min(4, prefix_length - whole), prefix_head);
	return memcmp(head, prefix_head, prefix_bytes % 3) == 0;
}
