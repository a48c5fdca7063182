/*
 * key_lock.c
 *		Locks on keys, whether an item is there or not.
 */
#include "postgres.h"

#include "access/hash.h"
#include "common/hashfn.h"
#include "miscadmin.h"
#include "storage/lock.h"
#include "storage/proc.h"
#include "utils/fmgrprotos.h"

#include "compat.h"
#include "operation/key_lock.h"

/* The stripe that stands for all: taken by transactions in a shared mode. */
#define ALL_STRIPES KEY_LOCK_STRIPES

/*
 * Transactions share the lock on all stripes with each other, and so do writes
 * that create many items; but not one kind with the other.
 */
#define TRANSACTION_MODE	  ExclusiveLock
#define CREATION_MODE		  RowExclusiveLock
#define TRANSACTION_ALL_MODE  RowExclusiveLock
#define CREATION_ALL_MODE	  ShareLock

static LockAcquireResult
lock_stripe(int stripe, LOCKMODE mode)
{
	LOCKTAG		tag;

	SET_LOCKTAG_OBJECT(tag, MyDatabaseId, catalog_table_oid("transaction_tokens", false), stripe, 0);
	return LockAcquire(&tag, mode, false, false);
}

/* Numbers hash by value: 1 and 1.0 are one key. */
static uint32
hash_column(Datum value, AttributeType type)
{
	struct varlena *bytes;

	if (type == ATTRIBUTE_N)
		return DatumGetUInt32(DirectFunctionCall1(hash_numeric, value));
	bytes = PG_DETOAST_DATUM_PACKED(value);
	return hash_bytes((const unsigned char *) VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes));
}

int
key_lock_stripe(const TableDescription *table, const KeyColumns *keys)
{
	uint32		hash = hash_combine(hash_bytes((const unsigned char *) table->quoted, strlen(table->quoted)),
									hash_column(keys->values[0], table->partition->type));

	if (table->sort != NULL)
		hash = hash_combine(hash, hash_column(keys->values[1], table->sort->type));
	return hash % KEY_LOCK_STRIPES;
}

static int
compare_stripes(const void *a, const void *b)
{
	return *(const int *) a - *(const int *) b;
}

void
key_lock_transaction(int *stripes, int count)
{
	lock_stripe(ALL_STRIPES, TRANSACTION_ALL_MODE);
	qsort(stripes, count, sizeof(int), compare_stripes);
	for (int i = 0; i < count; i++)
	{
		if (i == 0 || stripes[i] != stripes[i - 1])
			lock_stripe(stripes[i], TRANSACTION_MODE);
	}
}

/*
 * A session that loads many items in one transaction would come to hold most
 * stripes, and a few such sessions would fill the lock table.  The count is of
 * this transaction; locks that a savepoint gave back stay counted, which only
 * brings the change forward.
 */
void
key_lock_creations(int *stripes, int count)
{
	static LocalTransactionId counted_in = InvalidLocalTransactionId;
	static int	created = 0;

	if (counted_in != compat_local_transaction_id())
	{
		counted_in = compat_local_transaction_id();
		created = 0;
	}
	if (created + count > KEY_LOCK_MAX_CREATIONS)
	{
		lock_stripe(ALL_STRIPES, CREATION_ALL_MODE);
		return;
	}

	qsort(stripes, count, sizeof(int), compare_stripes);
	for (int i = 0; i < count; i++)
	{
		if (lock_stripe(stripes[i], CREATION_MODE) == LOCKACQUIRE_OK)
			created++;
	}
}

void
key_lock_creation(const TableDescription *table, const KeyColumns *keys)
{
	int			stripe = key_lock_stripe(table, keys);

	key_lock_creations(&stripe, 1);
}
