/*
 * compression.c
 *		gzip and deflate of bodies.
 */
#include "postgres.h"

#include <zlib.h>

#include "lib/stringinfo.h"
#include "miscadmin.h"

#include "http/compression.h"
#include "http/connection.h"

#define GZIP_WINDOW		(MAX_WBITS + 16)
#define ZLIB_WINDOW		MAX_WBITS
#define FASTEST			1
#define PIECE			(64 * 1024)

/* ---- sending ---- */

typedef enum Coding
{
	CODING_GZIP,
	CODING_DEFLATE,
	CODING_COUNT
} Coding;

static const char *const coding_names[CODING_COUNT] = {"gzip", "deflate"};

/*
 * The weight of one element of the header.  As in DynamoDB the first "q=" is
 * believed, and one that is no number does not count against the coding.
 */
static double
element_weight(const char *element, const char *end)
{
	const char *weight = strstr(element, "q=");
	char	   *after;
	double		value;

	if (weight == NULL || weight >= end)
		return 1.0;
	weight += strlen("q=");
	value = strtod(weight, &after);
	after += strspn(after, " \t");
	if (after == weight || (after < end && *after != ';'))
		return 1.0;
	return Min(value, 1.0);
}

static bool
element_is(const char *element, size_t length, const char *name)
{
	return length == strlen(name) && pg_strncasecmp(element, name, length) == 0;
}

/*
 * The coding with the greatest weight, the earlier one of equals; what only
 * "*" names comes last.  CODING_COUNT if none is accepted: identity is what is
 * left then, whatever its own weight.
 */
static Coding
preferred_coding(const char *header)
{
	bool		named[CODING_COUNT] = {false};
	double		others = 0;
	double		best = 0;
	Coding		coding = CODING_COUNT;

	while (*header != '\0')
	{
		const char *end;
		size_t		length;
		double		weight;

		header += strspn(header, " \t,");
		end = header + strcspn(header, ",");
		length = strcspn(header, " \t;,");
		/* more words than one are the name of no coding */
		if (strchr(";,", header[length + strspn(header + length, " \t")]) == NULL)
			length = 0;
		weight = element_weight(header, end);
		for (int i = 0; i < CODING_COUNT; i++)
		{
			if (!element_is(header, length, coding_names[i]))
				continue;
			named[i] = true;
			if (weight > best)
			{
				best = weight;
				coding = i;
			}
		}
		if (element_is(header, length, "*"))
			others = weight;
		header = end;
	}
	for (int i = 0; i < CODING_COUNT; i++)
	{
		if (!named[i] && others > best)
		{
			best = others;
			coding = i;
		}
	}
	return coding;
}

void *
compression_deflate(const char *accept_encoding, const char *body, size_t *length,
					const char **coding)
{
	z_stream	stream = {0};
	Coding		preferred = preferred_coding(accept_encoding ? accept_encoding : "");
	void	   *compressed;
	size_t		bound;
	int			result;

	if (preferred == CODING_COUNT)
		return NULL;
	if (deflateInit2(&stream, FASTEST, Z_DEFLATED, preferred == CODING_GZIP ? GZIP_WINDOW : ZLIB_WINDOW,
					 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return NULL;
	bound = deflateBound(&stream, *length);
	compressed = malloc(bound);
	if (compressed == NULL)
	{
		deflateEnd(&stream);
		return NULL;
	}
	stream.next_in = (Bytef *) body;
	stream.avail_in = *length;
	stream.next_out = compressed;
	stream.avail_out = bound;
	result = deflate(&stream, Z_FINISH);
	deflateEnd(&stream);
	if (result != Z_STREAM_END)
	{
		free(compressed);
		return NULL;
	}
	*length = stream.total_out;
	*coding = coding_names[preferred];
	return compressed;
}

/* ---- receiving ---- */

/*
 * Decode one or more streams one after another, as both formats allow.  The
 * output grows by pieces, so that a bomb costs no more than the limit.
 */
static CompressionResult
inflate_streams(z_stream *stream, StringInfo text)
{
	int			result = Z_OK;

	while (result != Z_STREAM_END || stream->avail_in > 0)
	{
		CHECK_FOR_INTERRUPTS();
		if (result == Z_STREAM_END && inflateReset(stream) != Z_OK)
			return COMPRESSION_BROKEN;
		enlargeStringInfo(text, PIECE);
		stream->next_out = (Bytef *) text->data + text->len;
		stream->avail_out = PIECE;
		result = inflate(stream, Z_NO_FLUSH);
		if (result != Z_OK && result != Z_STREAM_END)
			return COMPRESSION_BROKEN;
		text->len += PIECE - stream->avail_out;
		if (text->len > HTTP_MAX_BODY)
			return COMPRESSION_TOO_LARGE;
	}
	return COMPRESSION_DONE;
}

static CompressionResult
inflate_body(int window, const char *body, size_t length, const char **text, size_t *text_length)
{
	z_stream	stream = {0};
	StringInfoData out;
	volatile CompressionResult result = COMPRESSION_BROKEN;

	if (inflateInit2(&stream, window) != Z_OK)
		return COMPRESSION_BROKEN;
	PG_TRY();
	{
		initStringInfo(&out);
		stream.next_in = (Bytef *) body;
		stream.avail_in = length;
		result = inflate_streams(&stream, &out);
	}
	PG_FINALLY();
	{
		inflateEnd(&stream);
	}
	PG_END_TRY();

	*text = out.data;
	*text_length = out.len;
	return result;
}

CompressionResult
compression_inflate(const char *content_encoding, const char *body, size_t length,
					const char **text, size_t *text_length)
{
	if (content_encoding == NULL || *content_encoding == '\0' ||
		pg_strcasecmp(content_encoding, "identity") == 0)
	{
		*text = body;
		*text_length = length;
		return COMPRESSION_DONE;
	}
	if (pg_strcasecmp(content_encoding, "gzip") == 0)
		return inflate_body(GZIP_WINDOW, body, length, text, text_length);
	if (pg_strcasecmp(content_encoding, "deflate") == 0)
		return inflate_body(ZLIB_WINDOW, body, length, text, text_length);
	return COMPRESSION_UNKNOWN;
}
