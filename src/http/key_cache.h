/*
 * key_cache.h
 *		Access keys a worker has seen, with what is derived from them.
 */
#ifndef DYNAMO_KEY_CACHE_H
#define DYNAMO_KEY_CACHE_H

#include "postgres.h"
#include "common/sha2.h"

#include "catalog/access_key.h"

typedef struct CachedKey
{
	char		id[ACCESS_KEY_ID_MAX + 1];	/* hash key */
	Oid			role;
	char	   *secret;
	char	   *schema;			/* NULL: dynamo.schema */
	char	   *account_id;		/* NULL: dynamo.account_id */
	char		scope[96];		/* that signing_key is for: date/region/service/aws4_request */
	uint8		signing_key[PG_SHA256_DIGEST_LENGTH];
} CachedKey;

/*
 * The key of this id if there is one and its role exists, else NULL.  Within a
 * transaction; lasts until the next call.
 */
extern CachedKey *key_cache_find(const char *id);

#endif							/* DYNAMO_KEY_CACHE_H */
