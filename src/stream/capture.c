/*
 * capture.c
 *		From a change of an item to a record of its table's stream.
 *
 * Records are inserted unnumbered, keyed by transaction and a counter: when the
 * access method is called, unique checks are still to come, so a number drawn
 * here would not follow the order of commits.  At PRE_COMMIT and PRE_PREPARE
 * all checks are over and all row locks are held; there each shard that the
 * transaction wrote to gets one row that gives the transaction its number.
 *
 * The shard's lock is held from the reading of the last number until the new
 * row and its index entry are in place.  So numbers of a shard appear in their
 * order, and a reader that comes upon one has all smaller ones before it,
 * committed, aborted or in progress.
 */
#include "postgres.h"

#include "access/tableam.h"
#include "access/xact.h"
#include "common/hashfn.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "storage/lock.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/jsonb.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/xid8.h"

#include "catalog/streams.h"
#include "clock.h"
#include "item/attribute.h"
#include "stream/capture.h"
#include "stream/ring.h"
#include "tableam/tableam.h"

/* A row as far as streams see it. */
typedef struct Image
{
	TupleTableSlot *slot;
	Datum		datum;			/* the item as it is in the row */
	Jsonb	   *item;
} Image;

/* What the running transaction has recorded. */
typedef struct Transaction
{
	FullTransactionId xid;
	int			slot;			/* of the ring; one for all its records */
	int32		counter;
	int			shard_count;
	int			shards_allocated;
	int32	   *shards;			/* written to; in TopMemoryContext, reused */
} Transaction;

static Transaction transaction;
static bool service_deletes = false;

void		(*capture_committed) (void) = NULL;

bool
capture_service_deletes(bool on)
{
	bool		before = service_deletes;

	service_deletes = on;
	return before;
}

/* Below STREAM_HASH_END. */
static uint32
hash_of(AttributeType type, Datum value)
{
	struct varlena *bytes;

	/* 1.0 and 1 are one key */
	if (type == ATTRIBUTE_N)
		return DatumGetUInt32(DirectFunctionCall1(hash_numeric, value));
	bytes = PG_DETOAST_DATUM_PACKED(value);
	return hash_bytes((unsigned char *) VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes));
}

static int32
shard_of(const TableDescription *description, TupleTableSlot *slot)
{
	const StreamDescription *stream = description->stream;
	bool		isnull;
	Datum		value = slot_getattr(slot, description->partition->attnum, &isnull);
	uint32		hash = hash_of(description->partition->type, value);

	for (int i = 0; i < stream->shard_count; i++)
		if (stream->shards[i].low <= hash && hash < stream->shards[i].high)
			return stream->shards[i].id;
	elog(ERROR, "stream %d has no shard for hash %u", stream->id, hash);
}

static void
note_shard(int32 shard)
{
	for (int i = transaction.shard_count - 1; i >= 0; i--)
		if (transaction.shards[i] == shard)
			return;
	if (transaction.shard_count == transaction.shards_allocated)
	{
		int			allocated = Max(16, 2 * transaction.shards_allocated);

		transaction.shards = transaction.shards == NULL ?
			MemoryContextAlloc(TopMemoryContext, allocated * sizeof(int32)) :
			repalloc(transaction.shards, allocated * sizeof(int32));
		transaction.shards_allocated = allocated;
	}
	transaction.shards[transaction.shard_count++] = shard;
}

/*
 * The keys alone, as an item.
 */
static Datum
keys_of(const TableDescription *description, const Image *image)
{
	JsonbParseState *state = NULL;
	const KeyAttribute *keys[] = {description->partition, description->sort};

	pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
	for (int i = 0; i < lengthof(keys) && keys[i]; i++)
	{
		JsonbValue	name;
		JsonbValue	value;

		name.type = jbvString;
		name.val.string.val = keys[i]->name;
		name.val.string.len = keys[i]->name_length;
		if (!attribute_get(&image->item->root, keys[i]->name, keys[i]->name_length, &value))
			elog(ERROR, "item of table \"%s\" has no key", description->name);
		pushJsonbValue(&state, WJB_KEY, &name);
		pushJsonbValue(&state, WJB_VALUE, &value);
	}
	return JsonbPGetDatum(JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_OBJECT, NULL)));
}

/*
 * Record a change.  Only what the view shows is kept; the keys by themselves
 * where no image holds them.
 */
static void
record(const TableDescription *description, char kind, const Image *old, const Image *new)
{
	StreamView	view = description->stream->view;
	bool		keep_old = old && (view == STREAM_OLD_IMAGE || view == STREAM_NEW_AND_OLD_IMAGES);
	bool		keep_new = new && (view == STREAM_NEW_IMAGE || view == STREAM_NEW_AND_OLD_IMAGES);
	int32		shard = shard_of(description, new ? new->slot : old->slot);
	Datum		values[Natts_record] = {0};
	bool		nulls[Natts_record] = {false};

	if (transaction.shard_count == 0)
	{
		transaction.xid = GetTopFullTransactionId();
		transaction.slot = ring_slot(clock_microseconds());
		transaction.counter = 0;
	}
	if (transaction.counter == PG_INT32_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("too many changes of tables with a stream in one transaction")));
	note_shard(shard);

	values[Anum_record_xid - 1] = FullTransactionIdGetDatum(transaction.xid);
	values[Anum_record_shard - 1] = Int32GetDatum(shard);
	values[Anum_record_counter - 1] = Int32GetDatum(++transaction.counter);
	values[Anum_record_kind - 1] = CharGetDatum(kind);
	values[Anum_record_service - 1] = BoolGetDatum(service_deletes && kind == CHANGE_REMOVE);
	nulls[Anum_record_keys - 1] = keep_old || keep_new;
	if (!keep_old && !keep_new)
		values[Anum_record_keys - 1] = keys_of(description, new ? new : old);
	nulls[Anum_record_old - 1] = !keep_old;
	if (keep_old)
		values[Anum_record_old - 1] = old->datum;
	nulls[Anum_record_new - 1] = !keep_new;
	if (keep_new)
		values[Anum_record_new - 1] = new->datum;
	ring_append(RING_RECORDS, transaction.slot, values, nulls);
}

static void
take_image(const TableDescription *description, TupleTableSlot *slot, Image *image)
{
	bool		isnull;

	image->slot = slot;
	image->datum = slot_getattr(slot, description->item_attnum, &isnull);
	image->item = DatumGetJsonbP(image->datum);
}

static bool
images_equal(const Image *a, const Image *b)
{
	if (VARSIZE(a->item) == VARSIZE(b->item) &&
		memcmp(VARDATA(a->item), VARDATA(b->item), VARSIZE(a->item) - VARHDRSZ) == 0)
		return true;
	return compareJsonbContainers(&a->item->root, &b->item->root) == 0;
}

static bool
key_equal(const KeyAttribute *key, const Image *a, const Image *b)
{
	JsonbValue	left;
	JsonbValue	right;

	if (key == NULL)
		return true;
	return attribute_get(&a->item->root, key->name, key->name_length, &left) &&
		attribute_get(&b->item->root, key->name, key->name_length, &right) &&
		attribute_equal(&left, &right);
}

/* Reset for each row, as the gate's; what an error leaves behind, the next row resets. */
static MemoryContext
enter_scratch(void)
{
	static MemoryContext scratch = NULL;

	if (scratch == NULL)
		scratch = AllocSetContextCreate(TopMemoryContext, "dynamo stream capture",
										ALLOCSET_DEFAULT_SIZES);
	MemoryContextReset(scratch);
	return MemoryContextSwitchTo(scratch);
}

static void
leave_scratch(MemoryContext caller)
{
	MemoryContext scratch = MemoryContextSwitchTo(caller);

	MemoryContextReset(scratch);
}

/*
 * The version that this command has replaced: no one has vacuumed it away,
 * since the transaction that ended it is in progress.
 */
static TupleTableSlot *
fetch_old(Relation relation, ItemPointer tid)
{
	TupleTableSlot *slot = table_slot_create(relation, NULL);

	if (!table_tuple_fetch_row_version(relation, tid, SnapshotAny, slot))
		elog(ERROR, "old version of a row of \"%s\" is gone", RelationGetRelationName(relation));
	return slot;
}

static void
capture_insert(const TableDescription *description, TupleTableSlot *slot)
{
	MemoryContext caller = enter_scratch();
	Image		new;

	take_image(description, slot, &new);
	record(description, CHANGE_INSERT, NULL, &new);
	leave_scratch(caller);
}

/*
 * An update of the key, which raw SQL can do, is a removal and an insertion.
 */
static void
capture_update(const TableDescription *description, Relation relation, ItemPointer old_tid,
			   TupleTableSlot *slot)
{
	MemoryContext caller = enter_scratch();
	TupleTableSlot *old_slot = fetch_old(relation, old_tid);
	Image		old;
	Image		new;

	take_image(description, old_slot, &old);
	take_image(description, slot, &new);
	if (images_equal(&old, &new))
		;						/* nothing has happened to the item */
	else if (key_equal(description->partition, &old, &new) &&
			 key_equal(description->sort, &old, &new))
		record(description, CHANGE_MODIFY, &old, &new);
	else
	{
		record(description, CHANGE_REMOVE, &old, NULL);
		record(description, CHANGE_INSERT, NULL, &new);
	}
	ExecDropSingleTupleTableSlot(old_slot);
	leave_scratch(caller);
}

static void
capture_delete(const TableDescription *description, Relation relation, ItemPointer tid)
{
	MemoryContext caller = enter_scratch();
	TupleTableSlot *old_slot = fetch_old(relation, tid);
	Image		old;

	take_image(description, old_slot, &old);
	record(description, CHANGE_REMOVE, &old, NULL);
	ExecDropSingleTupleTableSlot(old_slot);
	leave_scratch(caller);
}

/* ---- numbers ---- */

/*
 * Locks of shards are of our own catalog's class, so they meet no one else's.
 */
static void
number_shard(Oid class, int32 shard)
{
	LOCKTAG		tag;
	int64		now;
	int64		number;
	Datum		values[Natts_commit];
	bool		nulls[Natts_commit] = {false};

	SET_LOCKTAG_OBJECT(tag, MyDatabaseId, class, (uint32) shard, 0);
	(void) LockAcquire(&tag, ExclusiveLock, false, false);

	now = clock_microseconds();
	number = Max(now, ring_last_number(shard, now - 1) + 1);
	values[Anum_commit_shard - 1] = Int32GetDatum(shard);
	values[Anum_commit_number - 1] = Int64GetDatum(number);
	values[Anum_commit_xid - 1] = FullTransactionIdGetDatum(transaction.xid);
	values[Anum_commit_slot - 1] = Int16GetDatum(transaction.slot);
	ring_append(RING_COMMITS, ring_slot(number), values, nulls);

	LockRelease(&tag, ExclusiveLock, false);
}

static int
compare_shards(const void *a, const void *b)
{
	int32		left = *(const int32 *) a;
	int32		right = *(const int32 *) b;

	return left < right ? -1 : left > right;
}

/*
 * One lock at a time, so no two transactions can wait for each other.  Ids of
 * shards grow from parent to child, and so do numbers.
 */
static void
number_transaction(void)
{
	Oid			class = catalog_table_oid("stream_shards", true);

	if (!OidIsValid(class))
		return;					/* the transaction has dropped the extension */
	qsort(transaction.shards, transaction.shard_count, sizeof(int32), compare_shards);
	for (int i = 0; i < transaction.shard_count; i++)
		number_shard(class, transaction.shards[i]);
}

static void
transaction_event(XactEvent event, void *argument)
{
	if (transaction.shard_count == 0)
		return;
	switch (event)
	{
		case XACT_EVENT_PRE_COMMIT:
		case XACT_EVENT_PRE_PREPARE:
			number_transaction();
			break;
		case XACT_EVENT_COMMIT:
			if (capture_committed)
				capture_committed();
			transaction.shard_count = 0;
			break;
		case XACT_EVENT_ABORT:
		case XACT_EVENT_PREPARE:
			transaction.shard_count = 0;
			break;
		default:
			break;
	}
}

void
capture_init(void)
{
	static const ChangeCapture capture = {capture_insert, capture_update, capture_delete};

	tableam_capture = &capture;
	RegisterXactCallback(transaction_event, NULL);
}
