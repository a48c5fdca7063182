/*
 * canonical_request.c
 *		A request in the form that AWS signatures are made over.
 *
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
#include "postgres.h"

#include "common/cryptohash.h"
#include "common/sha2.h"
#include "utils/builtins.h"

#include "http/canonical_request.h"

/* ---- digests ---- */

char *
sha256_hex(const void *data, size_t length)
{
	pg_cryptohash_ctx *context = pg_cryptohash_create(PG_SHA256);
	uint8		digest[PG_SHA256_DIGEST_LENGTH];
	char	   *hex = palloc(2 * sizeof(digest) + 1);

	if (context == NULL || pg_cryptohash_init(context) < 0 ||
		pg_cryptohash_update(context, data, length) < 0 ||
		pg_cryptohash_final(context, digest, sizeof(digest)) < 0)
		elog(ERROR, "could not compute a digest");
	pg_cryptohash_free(context);
	hex[hex_encode((const char *) digest, sizeof(digest), hex)] = '\0';
	return hex;
}

/* ---- the query string ---- */

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = pg_ascii_tolower((unsigned char) c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static char *
url_decode(const char *text, size_t length)
{
	char	   *decoded = palloc(length + 1);
	char	   *to = decoded;

	for (size_t i = 0; i < length; i++)
	{
		if (text[i] == '%' && i + 2 < length && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0)
		{
			*to++ = (char) (hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
			i += 2;
		}
		else
			*to++ = text[i] == '+' ? ' ' : text[i];
	}
	*to = '\0';
	return decoded;
}

static void
append_url_encoded(StringInfo out, const char *text)
{
	for (; *text != '\0'; text++)
	{
		if (isalnum((unsigned char) *text) || strchr("-_.~", *text) != NULL)
			appendStringInfoChar(out, *text);
		else
			appendStringInfo(out, "%%%02X", (unsigned char) *text);
	}
}

List *
query_parameters(const HttpRequest *request)
{
	const char *at = strchr(request->uri, '?');
	List	   *parameters = NIL;

	while (at != NULL && *at != '\0')
	{
		size_t		length = strcspn(++at, "&");
		size_t		name_length = Min(strcspn(at, "="), length);
		QueryParameter *parameter = palloc(sizeof(QueryParameter));

		parameter->name = url_decode(at, name_length);
		parameter->value = name_length < length ?
			url_decode(at + name_length + 1, length - name_length - 1) : "";
		if (length > 0)
			parameters = lappend(parameters, parameter);
		at += length;
	}
	return parameters;
}

const char *
query_parameter(List *parameters, const char *name)
{
	ListCell   *cell;

	foreach(cell, parameters)
	{
		QueryParameter *parameter = lfirst(cell);

		if (strcmp(parameter->name, name) == 0)
			return parameter->value;
	}
	return NULL;
}

static int
compare_strings(const ListCell *a, const ListCell *b)
{
	return strcmp(lfirst(a), lfirst(b));
}

static void
append_list(StringInfo out, List *strings, const char *separator)
{
	ListCell   *cell;

	foreach(cell, strings)
	{
		if (foreach_current_index(cell) > 0)
			appendStringInfoString(out, separator);
		appendStringInfoString(out, lfirst(cell));
	}
}

/* Sorted by encoded name, then value; the signature itself is not signed. */
static void
append_query(StringInfo out, List *parameters)
{
	List	   *encoded = NIL;
	ListCell   *cell;

	foreach(cell, parameters)
	{
		QueryParameter *parameter = lfirst(cell);
		StringInfoData text;

		if (strcmp(parameter->name, "X-Amz-Signature") == 0)
			continue;
		initStringInfo(&text);
		append_url_encoded(&text, parameter->name);
		appendStringInfoChar(&text, '=');
		append_url_encoded(&text, parameter->value);
		encoded = lappend(encoded, text.data);
	}
	list_sort(encoded, compare_strings);
	append_list(out, encoded, "&");
}

/* ---- headers ---- */

static List *
split_signed_headers(const char *signed_headers)
{
	List	   *names = NIL;

	while (*signed_headers != '\0')
	{
		size_t		length = strcspn(signed_headers, ";");

		if (length > 0)
		{
			char	   *name = pnstrdup(signed_headers, length);

			for (char *c = name; *c != '\0'; c++)
				*c = pg_ascii_tolower((unsigned char) *c);
			names = lappend(names, name);
		}
		signed_headers += length;
		signed_headers += *signed_headers == ';';
	}
	list_sort(names, compare_strings);
	return names;
}

bool
is_signed_header(const char *signed_headers, const char *name)
{
	size_t		name_length = strlen(name);

	while (*signed_headers != '\0')
	{
		size_t		length = strcspn(signed_headers, ";");

		if (length == name_length && pg_strncasecmp(signed_headers, name, length) == 0)
			return true;
		signed_headers += length;
		signed_headers += *signed_headers == ';';
	}
	return false;
}

/* Without blanks at both ends, and single ones inside. */
static void
append_header_value(StringInfo out, const char *value)
{
	bool		blank = false;
	int			start = out->len;

	for (; *value != '\0'; value++)
	{
		if (*value == ' ' || *value == '\t')
		{
			blank = true;
			continue;
		}
		if (blank && out->len > start)
			appendStringInfoChar(out, ' ');
		blank = false;
		appendStringInfoChar(out, *value);
	}
}

typedef struct Header
{
	const char *name;
	const char *value;
} Header;

typedef struct HeaderList
{
	Header	   *headers;
	int			count;
	int			limit;
} HeaderList;

/* A callback of the library: it must not raise. */
static enum MHD_Result
collect_header(void *closure, enum MHD_ValueKind kind, const char *name, const char *value)
{
	HeaderList *list = closure;

	if (list->count < list->limit)
		list->headers[list->count++] = (Header) {name, value ? value : ""};
	return MHD_YES;
}

static HeaderList
collect_headers(const HttpRequest *request)
{
	HeaderList	list = {0};

	list.limit = MHD_get_connection_values(request->connection, MHD_HEADER_KIND, NULL, NULL);
	list.headers = palloc(sizeof(Header) * Max(list.limit, 1));
	MHD_get_connection_values(request->connection, MHD_HEADER_KIND, collect_header, &list);
	return list;
}

/* Values of headers that come several times are joined by commas. */
static void
append_header(StringInfo out, const HeaderList *list, const char *name)
{
	bool		first = true;

	appendStringInfo(out, "%s:", name);
	for (int i = 0; i < list->count; i++)
	{
		if (pg_strcasecmp(list->headers[i].name, name) != 0)
			continue;
		if (!first)
			appendStringInfoChar(out, ',');
		first = false;
		append_header_value(out, list->headers[i].value);
	}
	appendStringInfoChar(out, '\n');
}

void
canonical_request(StringInfo out, const HttpRequest *request, List *parameters,
				  const char *signed_headers)
{
	List	   *names = split_signed_headers(signed_headers);
	HeaderList	headers = collect_headers(request);
	ListCell   *cell;

	appendStringInfo(out, "%s\n", request->method);
	appendBinaryStringInfo(out, request->uri, strcspn(request->uri, "?"));
	appendStringInfoChar(out, '\n');
	append_query(out, parameters);
	appendStringInfoChar(out, '\n');
	foreach(cell, names)
		append_header(out, &headers, lfirst(cell));
	appendStringInfoChar(out, '\n');
	append_list(out, names, ";");
	appendStringInfoChar(out, '\n');
	appendStringInfoString(out, sha256_hex(request->body ? request->body : "", request->length));
}
