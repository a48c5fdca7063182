/*
 * description.c
 *		The backend's cache of descriptions.
 *
 * An invalidation takes a description out of the cache but does not free it:
 * someone up the stack may still work with it, under the lock that keeps it
 * true.  Retired descriptions are freed at the end of the top-level
 * transaction.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/partition.h"
#include "catalog/pg_class.h"
#include "lib/ilist.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#include "catalog/load.h"
#include "item/key.h"

typedef struct CachedDescription
{
	TableDescription description;	/* first: callers hold pointers to it */
	slist_node	node;			/* in retired */
} CachedDescription;

typedef struct CacheEntry
{
	Oid			relid;			/* hash key */
	Oid			topmost;		/* ancestor; differs from relid in a partition */
	CachedDescription *cached;	/* NULL: the catalog does not know the relation */
} CacheEntry;

void		(*catalog_release_hook) (TableDescription *description) = NULL;

static HTAB *cache = NULL;
static int	partition_entries = 0;	/* entries of partitions */
static slist_head retired = SLIST_STATIC_INIT(retired);

/* Counts invalidations, so that a load can tell that one has come meanwhile. */
static uint64 invalidations = 0;

static void
retire(CacheEntry *entry)
{
	if (entry->cached)
		slist_push_head(&retired, &entry->cached->node);
	if (entry->topmost != entry->relid)
		partition_entries--;
	hash_search(cache, &entry->relid, HASH_REMOVE, NULL);
}

/* Retire the entries of relid and of its partitions, or all. */
static void
retire_matching(Oid relid)
{
	HASH_SEQ_STATUS status;
	CacheEntry *entry;

	hash_seq_init(&status, cache);
	while ((entry = hash_seq_search(&status)) != NULL)
		if (!OidIsValid(relid) || entry->relid == relid || entry->topmost == relid)
			retire(entry);
}

static void
relation_invalidated(Datum argument, Oid relid)
{
	CacheEntry *entry;

	invalidations++;
	if (cache == NULL)
		return;
	if (!OidIsValid(relid) || partition_entries > 0)
		retire_matching(relid);
	else if ((entry = hash_search(cache, &relid, HASH_FIND, NULL)) != NULL)
		retire(entry);
}

/* A renamed schema changes the quoted names of all its relations. */
static void
namespace_invalidated(Datum argument, int cache_id, uint32 hash_value)
{
	relation_invalidated((Datum) 0, InvalidOid);
}

static void
free_retired(XactEvent event, void *argument)
{
	switch (event)
	{
		case XACT_EVENT_COMMIT:
		case XACT_EVENT_PARALLEL_COMMIT:
		case XACT_EVENT_ABORT:
		case XACT_EVENT_PARALLEL_ABORT:
		case XACT_EVENT_PREPARE:
			break;
		default:
			return;
	}

	while (!slist_is_empty(&retired))
	{
		CachedDescription *cached = slist_container(CachedDescription, node,
													slist_pop_head_node(&retired));

		if (catalog_release_hook)
			catalog_release_hook(&cached->description);
		MemoryContextDelete(cached->description.context);
	}
}

void
catalog_init(void)
{
	CacheRegisterRelcacheCallback(relation_invalidated, (Datum) 0);
	CacheRegisterSyscacheCallback(NAMESPACEOID, namespace_invalidated, (Datum) 0);
	RegisterXactCallback(free_retired, NULL);
}

static void
create_cache(void)
{
	HASHCTL		control = {0};

	control.keysize = sizeof(Oid);
	control.entrysize = sizeof(CacheEntry);
	control.hcxt = CacheMemoryContext;
	cache = hash_create("dynamo descriptions", 64, &control,
						HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

/* The topmost ancestor of a partition, else the relation itself. */
static Oid
topmost_ancestor(Relation relation)
{
	Oid			topmost = RelationGetRelid(relation);

	if (relation->rd_rel->relispartition)
	{
		List	   *ancestors = get_partition_ancestors(topmost);

		if (ancestors != NIL)
			topmost = llast_oid(ancestors);
		list_free(ancestors);
	}
	return topmost;
}

/* Load by the rows of root; NULL if there are none. */
static CachedDescription *
load_by_root(Relation relation, Oid root)
{
	MemoryContext context;
	MemoryContext caller;
	CachedDescription *cached;
	bool		known;

	/* a child of the caller's context until whole, so that an error frees it */
	context = AllocSetContextCreate(CurrentMemoryContext, "dynamo description",
									ALLOCSET_SMALL_SIZES);
	caller = MemoryContextSwitchTo(context);
	cached = palloc0(sizeof(CachedDescription));
	cached->description.context = context;
	known = load_description(&cached->description, relation, root);
	MemoryContextSwitchTo(caller);

	if (!known)
	{
		MemoryContextDelete(context);
		return NULL;
	}
	MemoryContextSetParent(context, CacheMemoryContext);
	return cached;
}

/*
 * NULL if the catalog does not know the relation.  A table that has been
 * attached to another as a partition has rows of its own; other partitions go
 * by those of the partitioned table.
 */
static CachedDescription *
load(Relation relation, Oid topmost)
{
	Oid			relid = RelationGetRelid(relation);
	CachedDescription *cached;

	if (relation->rd_rel->relkind != RELKIND_PARTITIONED_TABLE &&
		!catalog_is_our_relation(relation))
		return NULL;
	if (!OidIsValid(catalog_table_oid("tables", true)))
		return NULL;

	cached = load_by_root(relation, relid);
	if (cached == NULL && topmost != relid)
		cached = load_by_root(relation, topmost);
	return cached;
}

TableDescription *
catalog_description(Relation relation)
{
	Oid			relid = RelationGetRelid(relation);
	CacheEntry *entry;
	CachedDescription *cached;
	Oid			topmost;
	uint64		before;
	bool		found;

	if (cache == NULL)
		create_cache();
	entry = hash_search(cache, &relid, HASH_FIND, NULL);
	if (entry)
		return entry->cached ? &entry->cached->description : NULL;

	before = invalidations;
	topmost = topmost_ancestor(relation);
	cached = load(relation, topmost);

	/*
	 * What an invalidation during the load was about is not known any more:
	 * the caller's lock makes the description good for the caller, but the
	 * next call shall read anew.
	 */
	if (before != invalidations)
	{
		if (cached)
			slist_push_head(&retired, &cached->node);
		return cached ? &cached->description : NULL;
	}

	entry = hash_search(cache, &relid, HASH_ENTER, &found);
	Assert(!found);
	entry->topmost = topmost;
	entry->cached = cached;
	if (topmost != relid)
		partition_entries++;
	return cached ? &cached->description : NULL;
}

KeyAttribute *
description_attribute(const TableDescription *description, const char *name, int length)
{
	for (int i = 0; i < description->attribute_count; i++)
	{
		KeyAttribute *attribute = &description->attributes[i];

		if (attribute->name_length == length && memcmp(attribute->name, name, length) == 0)
			return attribute;
	}
	return NULL;
}

bool
description_uses_attribute(const TableDescription *description, const KeyAttribute *attribute)
{
	if (attribute->table_key)
		return true;
	for (int i = 0; i < description->index_count; i++)
	{
		const IndexDescription *index = &description->indexes[i];

		for (int j = 0; j < index->partition_count; j++)
		{
			if (index->partition[j] == attribute)
				return true;
		}
		for (int j = 0; j < index->sort_count; j++)
		{
			if (index->sort[j] == attribute)
				return true;
		}
	}
	return false;
}

IndexDescription *
description_index(const TableDescription *description, const char *name)
{
	for (int i = 0; i < description->index_count; i++)
		if (strcmp(description->indexes[i].name, name) == 0)
			return &description->indexes[i];
	return NULL;
}

/*
 * The table's partition key is digested beyond KEY_PREFIX_BYTES, its sort key
 * never.  An attribute of indexes may be partition key of one and sort key of
 * another, now or later, so its column depends on the value alone: exact up to
 * KEY_MAX_SORT_BYTES, which every sort key satisfies, and digested beyond,
 * where it can only be a partition key.  A column of an index is therefore at
 * most 1,024 bytes; two of them leave about 600 of a B-tree entry's 2,704
 * bytes for the table's key behind them (item/tie_break.h).  A value that equals another's
 * digest is told apart by the item, which readers of an index check anyway.
 */
Datum
description_column_value(const TableDescription *description,
						 const KeyAttribute *attribute, const JsonbValue *value)
{
	bool		digested;

	if (attribute->table_key)
		digested = attribute == description->partition;
	else
		digested = key_value_size(value) > KEY_MAX_SORT_BYTES;
	return key_column_value(value, attribute->type, digested);
}
