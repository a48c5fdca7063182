/*
 * names.c
 *		Names of relations and columns for DynamoDB's names.
 *
 * DynamoDB's names are up to 255 bytes, of columns more; PostgreSQL's 63.  A
 * longer name is cut and gets a hash of the whole.  The hash is SHA-256: the
 * names are computed anew on other machines, after a dump and restore.
 */
#include "postgres.h"

#include "common/cryptohash.h"
#include "common/sha2.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"

#include "catalog/description.h"

#define HASH_DIGITS 20
#define CUT_BYTES (NAMEDATALEN - 1 - 1 - HASH_DIGITS)

const char	catalog_name_characters[] =
"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

/* The first bytes of name, ':' and hexadecimal digits of the hash of name and round. */
static char *
cut_name(const char *name, int round)
{
	uint8		digest[PG_SHA256_DIGEST_LENGTH];
	char		hexadecimal[HASH_DIGITS + 1];
	char	   *hashed = psprintf("%s:%d", name, round);
	pg_cryptohash_ctx *context = pg_cryptohash_create(PG_SHA256);

	if (pg_cryptohash_init(context) < 0 ||
		pg_cryptohash_update(context, (uint8 *) hashed, strlen(hashed)) < 0 ||
		pg_cryptohash_final(context, digest, sizeof(digest)) < 0)
		elog(ERROR, "could not compute SHA-256 of a name");
	pg_cryptohash_free(context);

	hex_encode((char *) digest, HASH_DIGITS / 2, hexadecimal);
	hexadecimal[HASH_DIGITS] = '\0';
	return psprintf("%.*s:%s", pg_mbcliplen(name, strlen(name), CUT_BYTES), name, hexadecimal);
}

bool
catalog_is_table_name(const char *name)
{
	size_t		length = strlen(name);

	return length >= TABLE_NAME_MIN && length <= TABLE_NAME_MAX &&
		strspn(name, catalog_name_characters) == length;
}

char *
catalog_relation_name(const char *table_name)
{
	if (strlen(table_name) < NAMEDATALEN)
		return pstrdup(table_name);
	return cut_name(table_name, 0);
}

char *
catalog_derived_name(const char *relation_name, const char *suffix)
{
	char	   *name = psprintf("%s:%s", relation_name, suffix);

	if (strlen(name) < NAMEDATALEN)
		return name;
	return cut_name(name, 0);
}

static bool
is_taken(const char *name, List *taken)
{
	static const char *const reserved[] = {
		"item", "tableoid", "ctid", "xmin", "xmax", "cmin", "cmax"
	};
	ListCell   *cell;

	for (int i = 0; i < lengthof(reserved); i++)
		if (strcmp(name, reserved[i]) == 0)
			return true;
	foreach(cell, taken)
		if (strcmp(name, lfirst(cell)) == 0)
			return true;
	return false;
}

char *
catalog_column_name(const char *attribute, List *taken)
{
	char	   *name;

	if (strlen(attribute) < NAMEDATALEN && !is_taken(attribute, taken))
		return pstrdup(attribute);
	for (int round = 0;; round++)
	{
		name = cut_name(attribute, round);
		if (!is_taken(name, taken))
			return name;
		pfree(name);
	}
}
