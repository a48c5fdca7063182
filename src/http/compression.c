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

/*
 * The quality an Accept-Encoding header gives a coding: 0 if it is not named
 * (what "*" would allow is not used).
 */
static double
quality(const char *header, const char *coding)
{
	size_t		coding_length = strlen(coding);

	while (*header != '\0')
	{
		const char *end;
		const char *q;

		header += strspn(header, " \t,");
		end = header + strcspn(header, ",");
		if (pg_strncasecmp(header, coding, coding_length) == 0 &&
			strchr(" \t;,", header[coding_length]) != NULL)
		{
			q = strstr(header, "q=");
			return q != NULL && q < end ? strtod(q + 2, NULL) : 1.0;
		}
		header = end;
	}
	return 0;
}

void *
compression_deflate(const char *accept_encoding, const char *body, size_t *length,
					const char **coding)
{
	z_stream	stream = {0};
	double		gzip;
	double		deflate_quality;
	void	   *compressed;
	size_t		bound;
	int			result;

	if (accept_encoding == NULL)
		return NULL;
	gzip = quality(accept_encoding, "gzip");
	deflate_quality = quality(accept_encoding, "deflate");
	if (gzip <= 0 && deflate_quality <= 0)
		return NULL;

	if (deflateInit2(&stream, FASTEST, Z_DEFLATED, gzip >= deflate_quality ? GZIP_WINDOW : ZLIB_WINDOW,
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
	*coding = gzip >= deflate_quality ? "gzip" : "deflate";
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
