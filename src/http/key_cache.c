/*
 * key_cache.c
 *		Access keys a worker has seen, with what is derived from them.
 *
 * All of it is dropped when the relation of keys changes.
 */
#include "postgres.h"

#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#include "http/key_cache.h"

#define CACHE_LIMIT 10000

static MemoryContext cache_context = NULL;
static HTAB *cache = NULL;
static Oid	cached_relation = InvalidOid;
static bool valid = false;

static void
forget(Datum argument, Oid relation)
{
	if (relation == InvalidOid || relation == cached_relation)
		valid = false;
}

static void
start_afresh(void)
{
	HASHCTL		control = {.keysize = sizeof(((CachedKey *) NULL)->id),.entrysize = sizeof(CachedKey)};

	if (cache_context == NULL)
	{
		cache_context = AllocSetContextCreate(TopMemoryContext, "dynamo access keys",
											  ALLOCSET_DEFAULT_SIZES);
		CacheRegisterRelcacheCallback(forget, (Datum) 0);
	}
	cache = NULL;
	MemoryContextReset(cache_context);
	control.hcxt = cache_context;
	cache = hash_create("dynamo access keys", 64, &control, HASH_ELEM | HASH_STRINGS | HASH_CONTEXT);
	cached_relation = access_key_relation();
	valid = true;
}

static char *
keep(const char *text)
{
	return text ? MemoryContextStrdup(cache_context, text) : NULL;
}

/* Rows are read before the entry is made, so that an error leaves none half filled. */
static CachedKey *
load(const char *id)
{
	AccessKey	key;
	char	   *secret;
	char	   *schema;
	char	   *account_id;
	CachedKey  *cached;
	bool		found;

	if (!access_key_read(id, &key))
		return NULL;
	secret = keep(key.secret);
	schema = keep(key.schema);
	account_id = key.schema ? keep(access_key_account(key.schema)) : NULL;

	cached = hash_search(cache, id, HASH_ENTER, &found);
	cached->role = key.role;
	cached->secret = secret;
	cached->schema = schema;
	cached->account_id = account_id;
	cached->scope[0] = '\0';
	return cached;
}

CachedKey *
key_cache_find(const char *id)
{
	CachedKey  *cached;

	if (strlen(id) > ACCESS_KEY_ID_MAX)
		return NULL;
	AcceptInvalidationMessages();
	if (!valid || hash_get_num_entries(cache) > CACHE_LIMIT)
		start_afresh();
	cached = hash_search(cache, id, HASH_FIND, NULL);
	if (cached == NULL)
		cached = load(id);
	if (cached == NULL || !SearchSysCacheExists1(AUTHOID, ObjectIdGetDatum(cached->role)))
		return NULL;
	return cached;
}
