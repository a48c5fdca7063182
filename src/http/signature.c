/*
 * signature.c
 *		AWS Signature Version 4.
 *
 * The checks come in the service's order: what is missing, the date, the form
 * of the rest, the key, and the signature last.  The payload's digest is
 * always that of the body: DynamoDB has no operation with an unsigned payload.
 */
#include "postgres.h"

#include <time.h>

#include "common/hmac.h"
#include "common/sha2.h"
#include "pgtime.h"
#include "utils/builtins.h"

#include "errors.h"
#include "guc.h"
#include "http/canonical_request.h"
#include "http/key_cache.h"
#include "http/signature.h"

#define ALGORITHM			"AWS4-HMAC-SHA256"
#define SERVICE				"dynamodb"
#define TERMINATOR			"aws4_request"
#define ALLOWED_SKEW		(15 * 60)	/* seconds */
#define LONGEST_EXPIRY		(7 * 24 * 3600)
#define DATE_LENGTH			16		/* 20130609T100759Z */

/* What a request says about its signature, from its header or its query. */
typedef struct SignatureParts
{
	const char *algorithm;
	const char *credential;
	const char *signed_headers;
	const char *signature;
	const char *date;
	const char *expires;		/* query form only */
	List	   *query;			/* QueryParameter * */
} SignatureParts;

/* The five parts of a Credential. */
typedef struct Credential
{
	char	   *key_id;
	char	   *date;
	char	   *region;
	char	   *service;
	char	   *terminator;
} Credential;

/* ---- where the parts stand ---- */

/* Name=value pairs of an Authorization header, with commas or blanks between them. */
static void
parse_authorization(const char *header, SignatureParts *parts)
{
	size_t		length = strcspn(header, " \t,");

	parts->algorithm = pnstrdup(header, length);
	header += length;
	for (;;)
	{
		char	   *pair;
		char	   *value;

		header += strspn(header, " \t,");
		length = strcspn(header, " \t,");
		if (length == 0)
			return;
		pair = pnstrdup(header, length);
		header += length;

		value = strchr(pair, '=');
		if (value == NULL)
			dynamo_error(INCOMPLETE_SIGNATURE,
						 "'%s' not a valid key=value pair (missing equal-sign) in Authorization header: '%s'.",
						 pair, header);
		*value++ = '\0';
		if (strcmp(pair, "Credential") == 0)
			parts->credential = value;
		else if (strcmp(pair, "SignedHeaders") == 0)
			parts->signed_headers = value;
		else if (strcmp(pair, "Signature") == 0)
			parts->signature = value;
	}
}

/* Notes a part that is missing: before, its name in quotes, after. */
static void
require(StringInfo missing, const char *value, const char *before, const char *name, const char *after)
{
	if (value == NULL || *value == '\0')
		appendStringInfo(missing, "%s '%s'%s", before, name, after);
}

static void
header_parts(const HttpRequest *request, const char *authorization, SignatureParts *parts)
{
	static const char requires[] = "Authorization header requires";
	StringInfoData missing;

	parse_authorization(authorization, parts);
	parts->date = connection_header(request, "X-Amz-Date");
	if (parts->date == NULL)
		parts->date = connection_header(request, MHD_HTTP_HEADER_DATE);

	initStringInfo(&missing);
	require(&missing, parts->credential, requires, "Credential", " parameter. ");
	require(&missing, parts->signature, requires, "Signature", " parameter. ");
	require(&missing, parts->signed_headers, requires, "SignedHeaders", " parameter. ");
	if (parts->date == NULL)
		appendStringInfoString(&missing, "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ");
	if (missing.len > 0)
		dynamo_error(INCOMPLETE_SIGNATURE, "%sAuthorization=%s", missing.data, authorization);
}

static void
query_parts(SignatureParts *parts)
{
	static const char must[] = "AWS query-string parameters must include";
	StringInfoData missing;

	parts->algorithm = query_parameter(parts->query, "X-Amz-Algorithm");
	parts->credential = query_parameter(parts->query, "X-Amz-Credential");
	parts->signature = query_parameter(parts->query, "X-Amz-Signature");
	parts->signed_headers = query_parameter(parts->query, "X-Amz-SignedHeaders");
	parts->date = query_parameter(parts->query, "X-Amz-Date");
	parts->expires = query_parameter(parts->query, "X-Amz-Expires");

	initStringInfo(&missing);
	require(&missing, parts->algorithm, must, "X-Amz-Algorithm", ". ");
	require(&missing, parts->credential, must, "X-Amz-Credential", ". ");
	require(&missing, parts->signature, must, "X-Amz-Signature", ". ");
	require(&missing, parts->signed_headers, must, "X-Amz-SignedHeaders", ". ");
	require(&missing, parts->date, must, "X-Amz-Date", ". ");
	if (missing.len > 0)
		dynamo_error(INCOMPLETE_SIGNATURE, "%sRe-examine the query-string parameters.", missing.data);
}

static void
find_parts(const HttpRequest *request, SignatureParts *parts)
{
	const char *authorization = connection_header(request, MHD_HTTP_HEADER_AUTHORIZATION);
	bool		in_query;

	parts->query = query_parameters(request);
	in_query = query_parameter(parts->query, "X-Amz-Algorithm") != NULL;
	if (authorization != NULL && in_query)
		dynamo_error(INVALID_SIGNATURE,
					 "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.");
	if (in_query)
		query_parts(parts);
	else if (authorization != NULL && strncmp(authorization, "AWS4-", 5) == 0)
		header_parts(request, authorization, parts);
	else
		dynamo_error(MISSING_AUTHENTICATION_TOKEN, "Request is missing Authentication Token");
}

/* ---- the date ---- */

/* Days since 1970-01-01 of a date of the Gregorian calendar. */
static int64
days_of_date(int year, int month, int day)
{
	static const int days_before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
	int64		years = year - 1;
	bool		leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return years * 365 + years / 4 - years / 100 + years / 400 - 719162 +
		days_before[month - 1] + (month > 2 && leap) + day - 1;
}

static pg_time_t
parse_date(const char *date)
{
	int			year,
				month,
				day,
				hour,
				minute,
				second;

	if (strlen(date) != DATE_LENGTH || date[8] != 'T' || date[15] != 'Z' ||
		strspn(date, "0123456789") != 8 || strspn(date + 9, "0123456789") != 6 ||
		sscanf(date, "%4d%2d%2dT%2d%2d%2dZ", &year, &month, &day, &hour, &minute, &second) != 6 ||
		month < 1 || month > 12 || day < 1 || day > 31)
		dynamo_error(INCOMPLETE_SIGNATURE,
					 "Date must be in ISO-8601 'basic format'. Got '%s'. See http://en.wikipedia.org/wiki/ISO_8601",
					 date);
	return days_of_date(year, month, day) * 86400 + hour * 3600 + minute * 60 + second;
}

static char *
format_date(pg_time_t time)
{
	char	   *text = palloc(DATE_LENGTH + 1);

	pg_strftime(text, DATE_LENGTH + 1, "%Y%m%dT%H%M%SZ", pg_gmtime(&time));
	return text;
}

static void
check_date(const SignatureParts *parts)
{
	pg_time_t	signed_at = parse_date(parts->date);
	pg_time_t	now = (pg_time_t) time(NULL);
	long		life = ALLOWED_SKEW;

	if (parts->expires != NULL)
	{
		life = strtol(parts->expires, NULL, 10);
		if (life < 1 || life > LONGEST_EXPIRY)
			dynamo_error(INVALID_SIGNATURE, "X-Amz-Expires must be between 1 and %d seconds", LONGEST_EXPIRY);
	}
	if (signed_at + life < now && parts->expires != NULL)
		dynamo_error(INVALID_SIGNATURE, "Signature expired: %s is now earlier than %s",
					 format_date(signed_at + life), format_date(now));
	if (signed_at + life < now)
		dynamo_error(INVALID_SIGNATURE, "Signature expired: %s is now earlier than %s (%s - 15 min.)",
					 parts->date, format_date(now - ALLOWED_SKEW), format_date(now));
	if (signed_at > now + ALLOWED_SKEW)
		dynamo_error(INVALID_SIGNATURE, "Signature not yet current: %s is still later than %s (%s + 15 min.)",
					 parts->date, format_date(now + ALLOWED_SKEW), format_date(now));
}

/* ---- the credential ---- */

static Credential
parse_credential(const char *text)
{
	char	   *parts[5];
	char	   *copy = pstrdup(text);
	int			count = 0;
	size_t		length = strlen(copy);

	while (length > 0 && copy[length - 1] == '/')
		copy[--length] = '\0';
	for (char *at = copy; at != NULL; count++)
	{
		char	   *slash = strchr(at, '/');

		if (count < 5)
			parts[count] = at;
		if (slash != NULL)
			*slash++ = '\0';
		at = slash;
	}
	if (count != 5)
		dynamo_error(INCOMPLETE_SIGNATURE,
					 "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '%s'",
					 text);
	return (Credential) {parts[0], parts[1], parts[2], parts[3], parts[4]};
}

static void
check_credential(const Credential *credential, const SignatureParts *parts)
{
	StringInfoData faults;

	initStringInfo(&faults);
	if (strcmp(credential->region, dynamo_region) != 0)
		appendStringInfo(&faults, "Credential should be scoped to a valid region, not '%s'. ", credential->region);
	if (strcmp(credential->service, SERVICE) != 0)
		appendStringInfo(&faults, "Credential should be scoped to correct service: '%s'. ", SERVICE);
	if (strcmp(credential->terminator, TERMINATOR) != 0)
		appendStringInfo(&faults, "Credential should be scoped with a valid terminator: '%s', not '%s'. ",
						 TERMINATOR, credential->terminator);
	if (strlen(credential->date) != 8 || strncmp(credential->date, parts->date, 8) != 0)
		appendStringInfo(&faults, "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '%s' != '%.8s', from '%s'. ",
						 credential->date, parts->date, parts->date);
	if (faults.len > 0)
		dynamo_error(INVALID_SIGNATURE, "%s", faults.data);
}

static void
check_form(const HttpRequest *request, const SignatureParts *parts)
{
	if (!is_signed_header(parts->signed_headers, "host"))
		dynamo_error(INVALID_SIGNATURE, "'Host' must be a 'SignedHeader' in the AWS Authorization.");
	if (connection_header(request, "X-Amz-Security-Token") != NULL &&
		!is_signed_header(parts->signed_headers, "x-amz-security-token"))
		dynamo_error(INVALID_SIGNATURE,
					 "'X-Amz-Security-Token' must be a 'SignedHeader' in the AWS Authorization.");
	if (strcmp(parts->algorithm, ALGORITHM) != 0)
		dynamo_error(INCOMPLETE_SIGNATURE, "Unsupported AWS 'algorithm': '%s' (only %s for now). ",
					 parts->algorithm, ALGORITHM);
}

/* ---- the signature ---- */

static void
hmac(uint8 digest[PG_SHA256_DIGEST_LENGTH], const void *key, size_t key_length,
	 const void *data, size_t length)
{
	pg_hmac_ctx *context = pg_hmac_create(PG_SHA256);

	if (context == NULL || pg_hmac_init(context, key, key_length) < 0 ||
		pg_hmac_update(context, data, length) < 0 ||
		pg_hmac_final(context, digest, PG_SHA256_DIGEST_LENGTH) < 0)
		elog(ERROR, "could not compute a signature");
	pg_hmac_free(context);
}

/* Derived once a day for each key and scope. */
static void
derive_signing_key(CachedKey *key, const Credential *credential, const char *scope)
{
	char	   *start = psprintf("AWS4%s", key->secret);
	uint8	   *digest = key->signing_key;

	if (strcmp(key->scope, scope) == 0)
		return;
	key->scope[0] = '\0';
	hmac(digest, start, strlen(start), credential->date, strlen(credential->date));
	hmac(digest, digest, PG_SHA256_DIGEST_LENGTH, credential->region, strlen(credential->region));
	hmac(digest, digest, PG_SHA256_DIGEST_LENGTH, credential->service, strlen(credential->service));
	hmac(digest, digest, PG_SHA256_DIGEST_LENGTH, credential->terminator, strlen(credential->terminator));
	if (strlen(scope) < sizeof(key->scope))
		strlcpy(key->scope, scope, sizeof(key->scope));
}

/* In a time that does not depend on where they differ. */
static bool
equal_signatures(const char *given, const char *computed)
{
	size_t		length = strlen(computed);
	unsigned char difference = 0;

	if (strlen(given) != length)
		return false;
	for (size_t i = 0; i < length; i++)
		difference |= (unsigned char) given[i] ^ (unsigned char) computed[i];
	return difference == 0;
}

static void
check_signature(const HttpRequest *request, const SignatureParts *parts, const Credential *credential,
				CachedKey *key)
{
	uint8		digest[PG_SHA256_DIGEST_LENGTH];
	char		hex[2 * PG_SHA256_DIGEST_LENGTH + 1];
	char	   *scope = psprintf("%s/%s/%s/%s", credential->date, credential->region,
								 credential->service, credential->terminator);
	StringInfoData canonical;
	char	   *to_sign;

	initStringInfo(&canonical);
	canonical_request(&canonical, request, parts->query, parts->signed_headers);
	to_sign = psprintf(ALGORITHM "\n%s\n%s\n%s", parts->date, scope,
					   sha256_hex(canonical.data, canonical.len));
	derive_signing_key(key, credential, scope);
	hmac(digest, key->signing_key, sizeof(key->signing_key), to_sign, strlen(to_sign));
	hex[hex_encode((const char *) digest, sizeof(digest), hex)] = '\0';

	if (!equal_signatures(parts->signature, hex))
		dynamo_error(INVALID_SIGNATURE,
					 "The request signature we calculated does not match the signature you provided. "
					 "Check your AWS Secret Access Key and signing method. "
					 "Consult the service documentation for details.\n\n"
					 "The Canonical String for this request should have been\n'%s'\n\n"
					 "The String-to-Sign should have been\n'%s'\n",
					 canonical.data, to_sign);
}

HttpIdentity
signature_check(const HttpRequest *request)
{
	SignatureParts parts = {0};
	Credential	credential;
	CachedKey  *key;

	find_parts(request, &parts);
	check_date(&parts);
	check_form(request, &parts);
	credential = parse_credential(parts.credential);
	check_credential(&credential, &parts);
	key = key_cache_find(credential.key_id);
	if (key == NULL)
		dynamo_error(UNRECOGNIZED_CLIENT, "The security token included in the request is invalid.");
	check_signature(request, &parts, &credential, key);

	return (HttpIdentity) {key->role, key->schema, key->account_id};
}
