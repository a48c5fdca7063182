/*
 * handler.c
 *		The access method's routine: heap's own, with the gate before each way a
 *		row can enter.
 *
 * CLUSTER and VACUUM FULL copy tuples that have passed already and do not come
 * here; rewrites of ALTER TABLE do, with a transient relation that the catalog
 * does not know.
 *
 * Heap's index builds scan with heap_getnext(), which insists on heap's own
 * routine.  So for the length of such a call the relation carries it, and
 * everything that ends the call or rebuilds the relation's cache entry sets
 * the right one again.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/tableam.h"
#include "catalog/index.h"
#include "catalog/pg_am_d.h"
#include "fmgr.h"
#include "nodes/execnodes.h"
#include "utils/inval.h"

#include "compat.h"
#include "tableam/collection.h"
#include "tableam/tableam.h"

PG_FUNCTION_INFO_V1(tableam_handler);

static TableAmRoutine routine;
static const TableAmRoutine *heap = NULL;

/* A relation that carries heap's routine, on the stack of the call that wants it. */
typedef struct HeapDisguise
{
	Relation	relation;
	struct HeapDisguise *outer;
} HeapDisguise;

static HeapDisguise *disguises = NULL;

static pg_noinline void
disguise_as_heap(HeapDisguise *disguise, Relation relation)
{
	disguise->relation = relation;
	disguise->outer = disguises;
	disguises = disguise;
	relation->rd_tableam = heap;
}

static pg_noinline void
undisguise(HeapDisguise *disguise)
{
	disguises = disguise->outer;
	for (HeapDisguise *outer = disguises; outer; outer = outer->outer)
		if (outer->relation == disguise->relation)
			return;
	disguise->relation->rd_tableam = &routine;
}

/*
 * A concurrent GRANT, say, rebuilds the relation's cache entry in the midst of
 * a build; the entry stays where it is but has our routine again.
 */
static void
relation_rebuilt(Datum argument, Oid relid)
{
	for (HeapDisguise *disguise = disguises; disguise; disguise = disguise->outer)
		disguise->relation->rd_tableam = heap;
}

const ChangeCapture *tableam_capture = NULL;

static bool
has_stream(const TableDescription *description)
{
	return description && description->stream;
}

static void
dynamo_tuple_insert(Relation relation, TupleTableSlot *slot, CommandId cid,
					int options, BulkInsertState bistate)
{
	const TableDescription *description = gate_pass(relation, slot);

	heap->tuple_insert(relation, slot, cid, options, bistate);
	if (has_collections(description))
		collection_insert(description, slot);
	if (has_stream(description))
		tableam_capture->insert(description, slot);
}

static void
dynamo_tuple_insert_speculative(Relation relation, TupleTableSlot *slot, CommandId cid,
								int options, BulkInsertState bistate, uint32 token)
{
	gate_pass(relation, slot);
	heap->tuple_insert_speculative(relation, slot, cid, options, bistate, token);
}

static void
dynamo_tuple_complete_speculative(Relation relation, TupleTableSlot *slot, uint32 token,
								  bool succeeded)
{
	const TableDescription *description;

	heap->tuple_complete_speculative(relation, slot, token, succeeded);
	description = succeeded ? catalog_description(relation) : NULL;
	if (has_collections(description))
		collection_insert(description, slot);
	if (has_stream(description))
		tableam_capture->insert(description, slot);
}

static void
dynamo_multi_insert(Relation relation, TupleTableSlot **slots, int count, CommandId cid,
					int options, BulkInsertState bistate)
{
	const TableDescription *description = NULL;

	for (int i = 0; i < count; i++)
		description = gate_pass(relation, slots[i]);
	heap->multi_insert(relation, slots, count, cid, options, bistate);
	for (int i = 0; i < count && has_collections(description); i++)
		collection_insert(description, slots[i]);
	for (int i = 0; i < count && has_stream(description); i++)
		tableam_capture->insert(description, slots[i]);
}

static TM_Result
dynamo_tuple_update(Relation relation, ItemPointer otid, TupleTableSlot *slot, CommandId cid,
					Snapshot snapshot, Snapshot crosscheck, bool wait, TM_FailureData *tmfd,
					LockTupleMode *lockmode, CompatUpdateIndexes *update_indexes)
{
	const TableDescription *description = gate_pass(relation, slot);
	TM_Result	result = heap->tuple_update(relation, otid, slot, cid, snapshot, crosscheck, wait,
											tmfd, lockmode, update_indexes);

	if (result == TM_Ok && has_collections(description))
		collection_update(description, relation, otid, slot);
	if (result == TM_Ok && has_stream(description))
		tableam_capture->update(description, relation, otid, slot);
	return result;
}

static TM_Result
dynamo_tuple_delete(Relation relation, ItemPointer tid, CommandId cid, Snapshot snapshot,
					Snapshot crosscheck, bool wait, TM_FailureData *tmfd, bool moves)
{
	TM_Result	result = heap->tuple_delete(relation, tid, cid, snapshot, crosscheck, wait,
											tmfd, moves);
	const TableDescription *description = result == TM_Ok ? catalog_description(relation) : NULL;

	if (has_collections(description))
		collection_delete(description, relation, tid);
	if (has_stream(description))
		tableam_capture->remove(description, relation, tid);
	return result;
}

/*
 * TRUNCATE removes rows without a look at them, so the stream would miss it.
 */
static void
refuse_truncation(Relation relation)
{
	const TableDescription *description = catalog_description(relation);

	if (has_stream(description))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot truncate DynamoDB table \"%s\", which has a stream",
						description->name),
				 errhint("Delete the items, or disable the stream first.")));
}

static void
dynamo_set_new_file(Relation relation, const CompatRelFile *file, char persistence,
					TransactionId *freeze_xid, MultiXactId *min_multi)
{
	refuse_truncation(relation);
	heap->compat_set_new_file(relation, file, persistence, freeze_xid, min_multi);
}

static void
dynamo_relation_nontransactional_truncate(Relation relation)
{
	refuse_truncation(relation);
	heap->relation_nontransactional_truncate(relation);
}

static double
dynamo_index_build_range_scan(Relation relation, Relation index, IndexInfo *index_info,
							  bool allow_sync, bool anyvisible, bool progress,
							  BlockNumber start_blockno, BlockNumber numblocks,
							  IndexBuildCallback callback, void *callback_state,
							  TableScanDesc scan)
{
	HeapDisguise disguise;
	volatile double tuples;

	disguise_as_heap(&disguise, relation);
	PG_TRY();
	{
		tuples = heap->index_build_range_scan(relation, index, index_info, allow_sync,
											  anyvisible, progress, start_blockno, numblocks,
											  callback, callback_state, scan);
	}
	PG_FINALLY();
	{
		undisguise(&disguise);
	}
	PG_END_TRY();
	return tuples;
}

static void
dynamo_index_validate_scan(Relation relation, Relation index, IndexInfo *index_info,
						   Snapshot snapshot, ValidateIndexState *state)
{
	HeapDisguise disguise;

	disguise_as_heap(&disguise, relation);
	PG_TRY();
	{
		heap->index_validate_scan(relation, index, index_info, snapshot, state);
	}
	PG_FINALLY();
	{
		undisguise(&disguise);
	}
	PG_END_TRY();
}

/* TOAST tables are plain heap: nothing but chunks passes through them. */
static Oid
dynamo_relation_toast_am(Relation relation)
{
	return HEAP_TABLE_AM_OID;
}

static void
initialize_routine(void)
{
	const TableAmRoutine *original = GetHeapamTableAmRoutine();

	routine = *original;
	routine.tuple_insert = dynamo_tuple_insert;
	routine.tuple_insert_speculative = dynamo_tuple_insert_speculative;
	routine.tuple_complete_speculative = dynamo_tuple_complete_speculative;
	routine.multi_insert = dynamo_multi_insert;
	routine.tuple_update = dynamo_tuple_update;
	routine.tuple_delete = dynamo_tuple_delete;
	routine.compat_set_new_file = dynamo_set_new_file;
	routine.relation_nontransactional_truncate = dynamo_relation_nontransactional_truncate;
	routine.index_build_range_scan = dynamo_index_build_range_scan;
	routine.index_validate_scan = dynamo_index_validate_scan;
	routine.relation_toast_am = dynamo_relation_toast_am;
	CacheRegisterRelcacheCallback(relation_rebuilt, (Datum) 0);
	heap = original;
}

Datum
tableam_handler(PG_FUNCTION_ARGS)
{
	if (heap == NULL)
		initialize_routine();
	PG_RETURN_POINTER(&routine);
}
