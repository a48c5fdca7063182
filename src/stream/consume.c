/*
 * consume.c
 *		Calling the function of an event source mapping with the next batch.
 *
 * A batch that fails is split until the failing record stands alone; that is
 * tried again with growing pauses, maximum_retry_attempts times, and put aside.
 * A function that returns batchItemFailures says itself where it stopped: what
 * is before the first of them is done.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_proc.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/regproc.h"
#include "utils/resowner.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

#include "clock.h"
#include "compat.h"
#include "item/container.h"
#include "stream/access.h"
#include "stream/consume.h"
#include "stream/filter.h"
#include "stream/mapping.h"
#include "stream/record.h"
#include "worker/worker.h"

#define EXAMINED_MAX 10000		/* records looked at in a step: filters may let few pass */
#define BATCH_MAX_BYTES (6 * 1024 * 1024)	/* as Lambda's payload */
#define FIRST_PAUSE INT64CONST(100000)	/* microseconds before the first retry */
#define LONGEST_PAUSE INT64CONST(60000000)

typedef struct Event
{
	StreamPosition position;
	char	   *text;
} Event;

typedef struct Batch
{
	const Mapping *mapping;
	const StreamRow *stream;
	int32		shard;
	const char *arn;
	MemoryContext context;
	int			limit;
	int64		oldest;			/* records before this number are too old; 0: none */
	List	   *events;			/* Event * */
	List	   *expired;		/* Event * that are too old */
	int64		bytes;
	int			examined;		/* records, wanted or not */
} Batch;

/* How a call went. */
typedef struct Outcome
{
	int			done;			/* events that are done, from the first on */
	bool		failed;			/* by an error: nothing is done */
	bool		temporary;		/* the error may have been another's */
	const char *reason;
} Outcome;

/* ---- the batch ---- */

static bool
take_record(const StreamRecord *record, void *argument)
{
	Batch	   *batch = argument;
	JsonWriter	json;
	MemoryContext scratch;
	Event	   *event;

	if (list_length(batch->events) >= batch->limit || batch->bytes > BATCH_MAX_BYTES)
		return false;
	batch->examined++;
	json_writer_begin_text(&json);
	record_append(&json, batch->stream, batch->shard, record, batch->arn);
	if (batch->mapping->filter &&
		!filter_matches(batch->mapping->filter,
						DatumGetJsonbP(DirectFunctionCall1(jsonb_in, CStringGetDatum(json.text.data)))))
		return true;

	scratch = MemoryContextSwitchTo(batch->context);
	event = palloc(sizeof(Event));
	event->position = record->position;
	event->text = pstrdup(json.text.data);
	if (record->position.number < batch->oldest)
		batch->expired = lappend(batch->expired, event);
	else
	{
		batch->events = lappend(batch->events, event);
		batch->bytes += json.text.len;
	}
	MemoryContextSwitchTo(scratch);
	return true;
}

static const Event *
event_at(const Batch *batch, int number)
{
	return list_nth(batch->events, number);
}

static Jsonb *
payload(const Batch *batch)
{
	StringInfoData text;
	ListCell   *cell;

	initStringInfo(&text);
	appendStringInfoString(&text, "{\"Records\":[");
	foreach(cell, batch->events)
	{
		if (foreach_current_index(cell) > 0)
			appendStringInfoChar(&text, ',');
		appendStringInfoString(&text, ((Event *) lfirst(cell))->text);
	}
	appendStringInfoString(&text, "]}");
	return DatumGetJsonbP(DirectFunctionCall1(jsonb_in, CStringGetDatum(text.data)));
}

/* ---- the call ---- */

/* The event of a sequence number; 0 for what is none, so that all count as failed. */
static int
event_of_identifier(const Batch *batch, const JsonbValue *identifier)
{
	char		buffer[SEQUENCE_NUMBER_SIZE];

	for (int i = 0; identifier->type == jbvString && i < list_length(batch->events); i++)
	{
		sequence_number(event_at(batch, i)->position, buffer);
		if (strlen(buffer) == identifier->val.string.len &&
			memcmp(buffer, identifier->val.string.val, identifier->val.string.len) == 0)
			return i;
	}
	return 0;
}

/* The first event that the function reports as failed, or their number. */
static int
events_done(const Batch *batch, Jsonb *answer)
{
	int			done = list_length(batch->events);
	JsonbValue	failures;
	JsonbValue	failure;
	JsonbValue	identifier;
	ElementWalk walk;

	if (answer == NULL || !JB_ROOT_IS_OBJECT(answer) ||
		getKeyJsonValueFromContainer(&answer->root, "batchItemFailures", 17, &failures) == NULL ||
		failures.type != jbvBinary)
		return done;
	elements_begin(&walk, failures.val.binary.data);
	while (elements_next(&walk, &failure))
	{
		identifier.type = jbvNull;
		if (failure.type == jbvBinary)
			(void) getKeyJsonValueFromContainer(failure.val.binary.data, "itemIdentifier", 14,
												&identifier);
		done = Min(done, event_of_identifier(batch, &identifier));
	}
	return done;
}

static Jsonb *
invoke(const Mapping *mapping, Jsonb *event)
{
	LOCAL_FCINFO(fcinfo, 1);
	FmgrInfo	flinfo;
	Oid			function =
	DatumGetObjectId(DirectFunctionCall1(regprocedurein, CStringGetDatum(mapping->function)));
	Datum		answer;

	if (!compat_may_execute(function, GetUserId()))
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_FUNCTION, mapping->function);
	fmgr_info(function, &flinfo);
	InitFunctionCallInfoData(*fcinfo, &flinfo, 1, InvalidOid, NULL, NULL);
	fcinfo->args[0].value = JsonbPGetDatum(event);
	fcinfo->args[0].isnull = false;
	answer = FunctionCallInvoke(fcinfo);
	if (fcinfo->isnull || get_func_rettype(function) != JSONBOID)
		return NULL;
	return DatumGetJsonbP(answer);
}

/*
 * As the mapping's role, whose right to read the table may have been taken
 * away since the mapping was made.  In a session of another role, nothing may
 * be put off until after the call, when that role's rights are back.
 */
static int
call_as_owner(const Batch *batch, bool in_worker)
{
	const Mapping *mapping = batch->mapping;
	int			nest_level = NewGUCNestLevel();
	Oid			user;
	int			context;
	int			restricted = 0;
	int			done;

	if (!SearchSysCacheExists1(AUTHOID, ObjectIdGetDatum(mapping->owner)))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("the role of the event source mapping does not exist any more")));
	GetUserIdAndSecContext(&user, &context);
	if (!in_worker && user != mapping->owner)
		restricted = SECURITY_RESTRICTED_OPERATION;
	SetUserIdAndSecContext(mapping->owner, context | SECURITY_LOCAL_USERID_CHANGE | restricted);
	stream_check_access(batch->stream);
	PushActiveSnapshot(GetTransactionSnapshot());
	done = events_done(batch, invoke(mapping, payload(batch)));
	PopActiveSnapshot();
	CommandCounterIncrement();
	if (in_worker)
		worker_finish_users_code();
	AtEOXact_GUC(false, nest_level);
	SetUserIdAndSecContext(user, context);
	return done;
}

/* Ends of the session, of a query by its user, of the server: no fault of the function. */
static bool
is_interruption(const ErrorData *error)
{
	return error->sqlerrcode == ERRCODE_QUERY_CANCELED ||
		ERRCODE_TO_CATEGORY(error->sqlerrcode) == ERRCODE_OPERATOR_INTERVENTION ||
		error->elevel > ERROR;
}

static bool
is_conflict(const ErrorData *error)
{
	return error->sqlerrcode == ERRCODE_T_R_SERIALIZATION_FAILURE ||
		error->sqlerrcode == ERRCODE_T_R_DEADLOCK_DETECTED ||
		error->sqlerrcode == ERRCODE_LOCK_NOT_AVAILABLE;
}

static Outcome
call(const Batch *batch, bool in_worker)
{
	MemoryContext caller = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	volatile Outcome outcome = {0};

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(caller);
	PG_TRY();
	{
		outcome.done = call_as_owner(batch, in_worker);
		if (outcome.done == 0)
			outcome.reason = "the function reported the record in batchItemFailures";
		ReleaseCurrentSubTransaction();
		MemoryContextSwitchTo(caller);
		CurrentResourceOwner = owner;
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(caller);
		error = CopyErrorData();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
		MemoryContextSwitchTo(caller);
		CurrentResourceOwner = owner;
		if (is_interruption(error))
			ReThrowError(error);
		outcome.failed = true;
		outcome.temporary = is_conflict(error);
		outcome.reason = psprintf("%s (SQLSTATE %s)", error->message,
								  unpack_sql_state(error->sqlerrcode));
	}
	PG_END_TRY();
	return *(Outcome *) &outcome;
}

/* ---- what follows from it ---- */

static int64
pause_before(int attempt)
{
	return attempt > 9 ? LONGEST_PAUSE : Min(LONGEST_PAUSE, FIRST_PAUSE << attempt);
}

/*
 * The event at the head of what is left has failed once more: try it again
 * later, or put it aside.
 */
static void
head_failed(const Batch *batch, Checkpoint *checkpoint, int head, const char *reason)
{
	const Mapping *mapping = batch->mapping;
	const Event *event = event_at(batch, head);

	checkpoint->attempts = head > 0 ? 1 : checkpoint->attempts + 1;
	if (mapping->maximum_retry_attempts >= 0 &&
		checkpoint->attempts > mapping->maximum_retry_attempts)
	{
		failed_event_insert(mapping, event->position, event->text, reason, checkpoint->attempts);
		checkpoint->position = event->position;
		checkpoint->attempts = 0;
		checkpoint->batch_limit = 0;
		checkpoint->retry_at = 0;
	}
	else
		checkpoint->retry_at = clock_now() + pause_before(checkpoint->attempts - 1);
}

/*
 * Move the checkpoint by the outcome; read is where reading came to.
 */
static void
apply_outcome(const Batch *batch, const Outcome *outcome, Checkpoint *checkpoint,
			  StreamPosition read)
{
	int			count = list_length(batch->events);

	checkpoint->retry_at = 0;
	if (outcome->temporary)
		checkpoint->retry_at = clock_now() + FIRST_PAUSE;
	else if (outcome->failed && count > 1)
		checkpoint->batch_limit = count / 2;
	else if (outcome->failed)
		head_failed(batch, checkpoint, 0, outcome->reason);
	else if (outcome->done < count)
	{
		if (outcome->done > 0)
			checkpoint->position = event_at(batch, outcome->done - 1)->position;
		head_failed(batch, checkpoint, outcome->done,
					"the function reported the record in batchItemFailures");
	}
	else
	{
		checkpoint->position = read;
		checkpoint->attempts = 0;
		checkpoint->batch_limit = 0;
	}
}

static void
put_expired_aside(const Batch *batch, int attempts)
{
	ListCell   *cell;

	foreach(cell, batch->expired)
	{
		Event	   *event = lfirst(cell);

		failed_event_insert(batch->mapping, event->position, event->text,
							"the record is older than maximum_record_age", attempts);
	}
}

static const StreamRow *
stream_of_mapping(const Mapping *mapping)
{
	ListCell   *cell;

	foreach(cell, catalog_read_streams())
	{
		StreamRow  *row = lfirst(cell);

		if (row->id == mapping->stream)
			return row;
	}
	return NULL;
}

static const ShardRow *
shard_of_stream(int32 stream, int32 id)
{
	ListCell   *cell;

	foreach(cell, catalog_read_shards(stream))
	{
		ShardRow   *shard = lfirst(cell);

		if (shard->id == id)
			return shard;
	}
	return NULL;
}

/* Time until a batch that is not full has waited for long enough. */
static int64
window_left(const Batch *batch, ReadEnd end, const ShardRow *shard, const Checkpoint *checkpoint)
{
	if (batch->mapping->batch_window == 0 || batch->events == NIL || end != READ_ALL ||
		list_length(batch->events) >= batch->limit ||
		shard->closed_at != 0 || checkpoint->attempts > 0 || checkpoint->batch_limit > 0 ||
		batch->expired != NIL)
		return 0;
	return event_at(batch, 0)->position.number + batch->mapping->batch_window -
		clock_microseconds();
}

/* Read a batch from the checkpoint on, and call the function if there is one. */
static Step
take_batch(Batch *batch, const ShardRow *shard, Checkpoint *checkpoint, bool in_worker)
{
	Step		step = {STEP_PROGRESS};
	StreamPosition read = checkpoint->position;
	ReadEnd		end = stream_read(shard->id, &read, EXAMINED_MAX, NULL, take_record, batch);
	Outcome		outcome = {0};

	step.wait = window_left(batch, end, shard, checkpoint);
	if (step.wait > 0)
	{
		step.end = STEP_WAIT;
		return step;
	}
	put_expired_aside(batch, checkpoint->attempts);
	if (batch->events != NIL)
		outcome = call(batch, in_worker);
	else if (end == READ_ALL)
	{
		step.end = shard->closed_at != 0 ? STEP_PROGRESS : STEP_IDLE;
		checkpoint->finished = shard->closed_at != 0;
	}
	step.taken = outcome.done;
	apply_outcome(batch, &outcome, checkpoint, read);
	if (batch->events != NIL)
		mapping_set_result(batch->mapping, outcome.reason ? outcome.reason : "OK");
	return step;
}

Step
consumer_step(const pg_uuid_t *uuid, int32 shard_id, bool in_worker)
{
	Step		step = {STEP_IDLE};
	Mapping    *mapping = mapping_read(uuid);
	Batch		batch = {0};
	const ShardRow *shard;
	Checkpoint	checkpoint;

	if (mapping == NULL || !mapping->enabled ||
		(batch.stream = stream_of_mapping(mapping)) == NULL ||
		(shard = shard_of_stream(mapping->stream, shard_id)) == NULL ||
		!checkpoint_lock(mapping, shard_id, &checkpoint) || checkpoint.finished)
		return step;
	step.wait = checkpoint.retry_at == 0 ? 0 : checkpoint.retry_at - clock_now();
	if (step.wait > 0)
	{
		step.end = STEP_WAIT;
		return step;
	}

	batch.mapping = mapping;
	batch.shard = shard_id;
	batch.arn = stream_arn(batch.stream);
	batch.context = CurrentMemoryContext;
	batch.limit = checkpoint.batch_limit > 0 ? checkpoint.batch_limit : mapping->batch_size;
	if (mapping->maximum_record_age > 0)
		batch.oldest = clock_microseconds() - mapping->maximum_record_age;
	step = take_batch(&batch, shard, &checkpoint, in_worker);

	/* nothing to read and nothing to note: leave the row as it is */
	if (step.end == STEP_PROGRESS || (step.end == STEP_IDLE && batch.examined > 0))
		checkpoint_store(mapping, shard_id, &checkpoint);
	return step;
}

List *
consumer_shards(const pg_uuid_t *uuid)
{
	Mapping    *mapping = mapping_read(uuid);
	List	   *ready = NIL;
	List	   *finished;
	List	   *shards;
	ListCell   *cell;

	if (mapping == NULL || !mapping->enabled)
		return NIL;
	finished = checkpoints_finished(mapping);
	shards = catalog_read_shards(mapping->stream);
	foreach(cell, shards)
	{
		ShardRow   *shard = lfirst(cell);
		ListCell   *other;
		bool		waits = list_member_int(finished, shard->id);

		/* a parent that is there has to be finished first */
		foreach(other, shards)
		{
			ShardRow   *parent = lfirst(other);

			if (parent->id == shard->parent && !list_member_int(finished, parent->id))
				waits = true;
		}
		if (!waits)
			ready = lappend_int(ready, shard->id);
	}
	return ready;
}

/* Go on with all ready shards until none makes progress; records taken. */
static int64
run_round(const pg_uuid_t *uuid, bool *progress)
{
	int64		taken = 0;
	ListCell   *cell;

	*progress = false;
	foreach(cell, consumer_shards(uuid))
	{
		Step		step;

		do
		{
			CHECK_FOR_INTERRUPTS();
			step = consumer_step(uuid, lfirst_int(cell), false);
			taken += step.taken;
			*progress |= step.end == STEP_PROGRESS;
		} while (step.end == STEP_PROGRESS);
	}
	return taken;
}

/*
 * dynamo.run_event_source_mapping(mapping uuid) returns int8
 */
PG_FUNCTION_INFO_V1(dynamo_run_event_source_mapping);
Datum
dynamo_run_event_source_mapping(PG_FUNCTION_ARGS)
{
	pg_uuid_t  *uuid = PG_GETARG_UUID_P(0);
	int64		taken = 0;
	bool		progress = true;

	PreventCommandIfReadOnly("dynamo.run_event_source_mapping");
	(void) mapping_read_owned(uuid);
	while (progress)
		taken += run_round(uuid, &progress);
	PG_RETURN_INT64(taken);
}
