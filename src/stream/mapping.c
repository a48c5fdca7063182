/*
 * mapping.c
 *		Event source mappings: their rows, and the functions that manage them.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_authid_d.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type_d.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/regproc.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "clock.h"
#include "compat.h"
#include "stream/access.h"
#include "stream/filter.h"
#include "stream/mapping.h"
#include "stream/record.h"

#define BATCH_SIZE_MAX 10000

/* Run a statement with the extension's rights; SPI's result.  Between SPI_connect() and SPI_finish(). */
static int
execute(const char *sql, int count, Oid *types, Datum *values, const char *nulls)
{
	Oid			user;
	int			context;
	int			result;

	GetUserIdAndSecContext(&user, &context);
	SetUserIdAndSecContext(BOOTSTRAP_SUPERUSERID, context | SECURITY_LOCAL_USERID_CHANGE);
	result = SPI_execute_with_args(sql, count, types, values, nulls, false, 0);
	SetUserIdAndSecContext(user, context);
	if (result < 0)
		elog(ERROR, "\"%s\" gave %s", sql, SPI_result_code_string(result));
	return result;
}

static Datum
column(int number, bool *isnull)
{
	return SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, number, isnull);
}

static char *
text_column(int number)
{
	bool		isnull;
	Datum		value = column(number, &isnull);

	return isnull ? NULL : TextDatumGetCString(value);
}

static int64
microseconds_column(int number)
{
	bool		isnull;
	Datum		value = column(number, &isnull);

	return isnull ? 0 : (int64) (DatumGetFloat8(value) * 1000000);
}

static void
fill_mapping(Mapping *mapping, MemoryContext context)
{
	MemoryContext procedure = MemoryContextSwitchTo(context);
	bool		isnull;
	Datum		filter = column(7, &isnull);

	mapping->filter = isnull ? NULL : DatumGetJsonbPCopy(filter);
	mapping->stream = DatumGetInt32(column(1, &isnull));
	mapping->table_name = text_column(2);
	mapping->function = text_column(3);
	mapping->owner = DatumGetObjectId(column(4, &isnull));
	mapping->batch_size = DatumGetInt32(column(5, &isnull));
	mapping->maximum_retry_attempts = DatumGetInt32(column(6, &isnull));
	mapping->batch_window = microseconds_column(8);
	mapping->maximum_record_age = microseconds_column(9);
	mapping->enabled = DatumGetBool(column(10, &isnull));
	mapping->last_result = text_column(11);
	MemoryContextSwitchTo(procedure);
}

Mapping *
mapping_read(const pg_uuid_t *uuid)
{
	MemoryContext context = CurrentMemoryContext;
	Mapping    *mapping = palloc0(sizeof(Mapping));
	Oid			types[] = {UUIDOID};
	Datum		values[] = {UUIDPGetDatum(uuid)};
	bool		found;

	mapping->uuid = *uuid;
	SPI_connect();
	execute("SELECT stream_id, table_name, function, owner, batch_size, maximum_retry_attempts, filter,"
					" pg_catalog.date_part('epoch', batch_window),"
					" pg_catalog.date_part('epoch', maximum_record_age), enabled, last_result"
					" FROM dynamo.event_source_mappings WHERE uuid OPERATOR(pg_catalog.=) $1",
					1, types, values, NULL);
	found = SPI_processed > 0;
	if (found)
		fill_mapping(mapping, context);
	SPI_finish();
	return found ? mapping : NULL;
}

List *
mappings_enabled(void)
{
	MemoryContext context = CurrentMemoryContext;
	List	   *uuids = NIL;

	SPI_connect();
	execute("SELECT uuid FROM dynamo.event_source_mappings WHERE enabled ORDER BY created_at",
					0, NULL, NULL, NULL);
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		MemoryContext procedure = MemoryContextSwitchTo(context);
		pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
		bool		isnull;

		*uuid = *DatumGetUUIDP(SPI_getbinval(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, 1,
											 &isnull));
		uuids = lappend(uuids, uuid);
		MemoryContextSwitchTo(procedure);
	}
	SPI_finish();
	return uuids;
}

void
mapping_set_result(const Mapping *mapping, const char *result)
{
	Oid			types[] = {UUIDOID, TEXTOID};
	Datum		values[] = {UUIDPGetDatum(&mapping->uuid), CStringGetTextDatum(result)};

	if (strcmp(mapping->last_result, result) == 0)
		return;
	SPI_connect();
	execute("UPDATE dynamo.event_source_mappings SET last_result = $2"
					" WHERE uuid OPERATOR(pg_catalog.=) $1", 2, types, values, NULL);
	SPI_finish();
}

/* ---- checkpoints ---- */

static void
insert_checkpoint(const pg_uuid_t *mapping, int32 shard, StreamPosition position, bool finished)
{
	Oid			types[] = {UUIDOID, INT4OID, INT8OID, INT4OID, BOOLOID};
	Datum		values[] = {
		UUIDPGetDatum(mapping), Int32GetDatum(shard), Int64GetDatum(position.number),
		Int32GetDatum(position.counter), BoolGetDatum(finished)
	};

	execute("INSERT INTO dynamo.event_source_checkpoints"
					"(mapping, shard_id, number, counter, finished, attempts)"
					" VALUES ($1, $2, $3, $4, $5, 0) ON CONFLICT DO NOTHING",
					lengthof(types), types, values, NULL);
}

static bool
select_checkpoint(const Mapping *mapping, int32 shard, Checkpoint *checkpoint)
{
	Oid			types[] = {UUIDOID, INT4OID};
	Datum		values[] = {UUIDPGetDatum(&mapping->uuid), Int32GetDatum(shard)};
	bool		isnull;

	execute("SELECT number, counter, finished, attempts, batch_limit, retry_at"
					" FROM dynamo.event_source_checkpoints"
					" WHERE mapping OPERATOR(pg_catalog.=) $1 AND shard_id OPERATOR(pg_catalog.=) $2"
					" FOR UPDATE SKIP LOCKED", 2, types, values, NULL);
	if (SPI_processed == 0)
		return false;
	checkpoint->position.number = DatumGetInt64(column(1, &isnull));
	checkpoint->position.counter = DatumGetInt32(column(2, &isnull));
	checkpoint->finished = DatumGetBool(column(3, &isnull));
	checkpoint->attempts = DatumGetInt32(column(4, &isnull));
	checkpoint->batch_limit = DatumGetInt32(column(5, &isnull));
	if (isnull)
		checkpoint->batch_limit = 0;
	checkpoint->retry_at = DatumGetTimestampTz(column(6, &isnull));
	if (isnull)
		checkpoint->retry_at = 0;
	return true;
}

bool
checkpoint_lock(const Mapping *mapping, int32 shard, Checkpoint *checkpoint)
{
	bool		locked;

	SPI_connect();
	locked = select_checkpoint(mapping, shard, checkpoint);
	if (!locked)
	{
		StreamPosition beginning = {0, 0};

		insert_checkpoint(&mapping->uuid, shard, beginning, false);
		locked = select_checkpoint(mapping, shard, checkpoint);
	}
	SPI_finish();
	return locked;
}

void
checkpoint_store(const Mapping *mapping, int32 shard, const Checkpoint *checkpoint)
{
	Oid			types[] = {UUIDOID, INT4OID, INT8OID, INT4OID, BOOLOID, INT4OID, INT4OID, TIMESTAMPTZOID};
	Datum		values[] = {
		UUIDPGetDatum(&mapping->uuid), Int32GetDatum(shard),
		Int64GetDatum(checkpoint->position.number), Int32GetDatum(checkpoint->position.counter),
		BoolGetDatum(checkpoint->finished), Int32GetDatum(checkpoint->attempts),
		Int32GetDatum(checkpoint->batch_limit), TimestampTzGetDatum(checkpoint->retry_at)
	};
	char		nulls[] = "        ";

	nulls[6] = checkpoint->batch_limit == 0 ? 'n' : ' ';
	nulls[7] = checkpoint->retry_at == 0 ? 'n' : ' ';
	SPI_connect();
	execute("UPDATE dynamo.event_source_checkpoints"
					" SET number = $3, counter = $4, finished = $5, attempts = $6, batch_limit = $7, retry_at = $8"
					" WHERE mapping OPERATOR(pg_catalog.=) $1 AND shard_id OPERATOR(pg_catalog.=) $2",
					lengthof(types), types, values, nulls);
	SPI_finish();
}

List *
checkpoints_finished(const Mapping *mapping)
{
	MemoryContext context = CurrentMemoryContext;
	Oid			types[] = {UUIDOID};
	Datum		values[] = {UUIDPGetDatum(&mapping->uuid)};
	List	   *shards = NIL;

	SPI_connect();
	execute("SELECT shard_id FROM dynamo.event_source_checkpoints"
					" WHERE mapping OPERATOR(pg_catalog.=) $1 AND finished", 1, types, values, NULL);
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		MemoryContext procedure = MemoryContextSwitchTo(context);
		bool		isnull;

		shards = lappend_int(shards, DatumGetInt32(SPI_getbinval(SPI_tuptable->vals[i],
																 SPI_tuptable->tupdesc, 1, &isnull)));
		MemoryContextSwitchTo(procedure);
	}
	SPI_finish();
	return shards;
}

void
failed_event_insert(const Mapping *mapping, StreamPosition position, const char *event,
					const char *reason, int attempts)
{
	char		buffer[SEQUENCE_NUMBER_SIZE];
	Oid			types[] = {UUIDOID, OIDOID, TEXTOID, TEXTOID, TEXTOID, JSONBOID, TEXTOID, INT4OID, TIMESTAMPTZOID};
	Datum		values[] = {
		UUIDPGetDatum(&mapping->uuid), ObjectIdGetDatum(mapping->owner),
		CStringGetTextDatum(mapping->table_name), CStringGetTextDatum(mapping->function),
		CStringGetTextDatum(sequence_number(position, buffer)),
		DirectFunctionCall1(jsonb_in, CStringGetDatum(event)),
		CStringGetTextDatum(reason), Int32GetDatum(attempts), TimestampTzGetDatum(clock_now())
	};

	SPI_connect();
	execute("INSERT INTO dynamo.failed_events(mapping, owner, table_name, function,"
					" sequence_number, event, reason, attempts, failed_at)"
					" VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
					lengthof(types), types, values, NULL);
	SPI_finish();
}

/* ---- management ---- */

static void
check_function(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Form_pg_proc form;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u", function);
	form = (Form_pg_proc) GETSTRUCT(tuple);
	if (form->prokind != PROKIND_FUNCTION || form->proretset || form->pronargs != 1 ||
		form->proargtypes.values[0] != JSONBOID ||
		(form->prorettype != JSONBOID && form->prorettype != VOIDOID))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_FUNCTION_DEFINITION),
				 errmsg("function \"%s\" cannot consume a stream", NameStr(form->proname)),
				 errhint("It must take one argument of type jsonb and return jsonb or void.")));
	ReleaseSysCache(tuple);
	if (!compat_may_execute(function, GetUserId()))
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_FUNCTION, format_procedure(function));
}

/*
 * Where the shards that are there begin: at the oldest record, or behind all.
 */
static void
insert_checkpoints(const pg_uuid_t *mapping, const StreamRow *stream, const char *starting_position)
{
	ListCell   *cell;

	if (strcmp(starting_position, "TRIM_HORIZON") == 0)
		return;					/* as without a checkpoint */
	if (strcmp(starting_position, "LATEST") != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("starting_position must be TRIM_HORIZON or LATEST")));
	foreach(cell, catalog_read_shards(stream->id))
	{
		ShardRow   *shard = lfirst(cell);
		StreamPosition position = stream_end_position(shard->id);

		insert_checkpoint(mapping, shard->id, position, shard->closed_at != 0);
	}
}

static void
check_range(const char *name, int value, int minimum, int maximum)
{
	if (value < minimum || value > maximum)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be between %d and %d", name, minimum, maximum)));
}

/*
 * dynamo.create_event_source_mapping(table_name, function, batch_size,
 * maximum_retry_attempts, starting_position, filter, batch_window,
 * maximum_record_age)
 */
PG_FUNCTION_INFO_V1(dynamo_create_event_source_mapping);
Datum
dynamo_create_event_source_mapping(PG_FUNCTION_ARGS)
{
	StreamRow  *stream;
	Oid			types[] = {
		UUIDOID, INT4OID, TEXTOID, TEXTOID, OIDOID, INT4OID, INT4OID, JSONBOID, INTERVALOID,
		INTERVALOID, TIMESTAMPTZOID
	};
	Datum		values[lengthof(types)];
	char		nulls[lengthof(types) + 1];
	Datum		uuid = DirectFunctionCall1(gen_random_uuid, (Datum) 0);

	PreventCommandIfReadOnly("dynamo.create_event_source_mapping");
	for (int i = 0; i < PG_NARGS(); i++)
		if (PG_ARGISNULL(i) && i != 5 && i != 7)
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("only filter and maximum_record_age may be null")));
	check_range("batch_size", PG_GETARG_INT32(2), 1, BATCH_SIZE_MAX);
	check_range("maximum_retry_attempts", PG_GETARG_INT32(3), -1, 10000);
	check_function(PG_GETARG_OID(1));
	stream = stream_of_table(text_to_cstring(PG_GETARG_TEXT_PP(0)));

	memset(nulls, ' ', sizeof(nulls));
	values[0] = uuid;
	values[1] = Int32GetDatum(stream->id);
	values[2] = CStringGetTextDatum(stream->table_name);
	values[3] = CStringGetTextDatum(format_procedure_qualified(PG_GETARG_OID(1)));
	values[4] = ObjectIdGetDatum(GetUserId());
	values[5] = PG_GETARG_DATUM(2);
	values[6] = PG_GETARG_DATUM(3);
	nulls[7] = PG_ARGISNULL(5) ? 'n' : ' ';
	values[7] = PG_ARGISNULL(5) ? (Datum) 0 : JsonbPGetDatum(filter_check(PG_GETARG_JSONB_P(5)));
	values[8] = PG_GETARG_DATUM(6);
	nulls[9] = PG_ARGISNULL(7) ? 'n' : ' ';
	values[9] = PG_GETARG_DATUM(7);
	values[10] = TimestampTzGetDatum(clock_now());
	SPI_connect();
	execute("INSERT INTO dynamo.event_source_mappings"
					" VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, true, 'No records processed', $11)",
					lengthof(types), types, values, nulls);
	insert_checkpoints(DatumGetUUIDP(uuid), stream, text_to_cstring(PG_GETARG_TEXT_PP(4)));
	SPI_finish();
	PG_RETURN_DATUM(uuid);
}

Mapping *
mapping_read_owned(const pg_uuid_t *uuid)
{
	Mapping    *mapping = mapping_read(uuid);

	if (mapping == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("there is no such event source mapping")));
	if (!has_privs_of_role(GetUserId(), mapping->owner))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("must be owner of the event source mapping")));
	return mapping;
}

/* Run a statement about a mapping ($1) of the current role. */
static void
manage(FunctionCallInfo fcinfo, const char *sql)
{
	Oid			types[] = {UUIDOID};
	Datum		values[] = {PG_GETARG_DATUM(0)};

	PreventCommandIfReadOnly("changing an event source mapping");
	(void) mapping_read_owned(PG_GETARG_UUID_P(0));
	SPI_connect();
	execute(sql, 1, types, values, NULL);
	SPI_finish();
}

PG_FUNCTION_INFO_V1(dynamo_pause_event_source_mapping);
Datum
dynamo_pause_event_source_mapping(PG_FUNCTION_ARGS)
{
	manage(fcinfo, "UPDATE dynamo.event_source_mappings SET enabled = false"
		   " WHERE uuid OPERATOR(pg_catalog.=) $1");
	PG_RETURN_VOID();
}

PG_FUNCTION_INFO_V1(dynamo_resume_event_source_mapping);
Datum
dynamo_resume_event_source_mapping(PG_FUNCTION_ARGS)
{
	manage(fcinfo, "UPDATE dynamo.event_source_mappings SET enabled = true"
		   " WHERE uuid OPERATOR(pg_catalog.=) $1");
	manage(fcinfo, "UPDATE dynamo.event_source_checkpoints SET retry_at = NULL"
		   " WHERE mapping OPERATOR(pg_catalog.=) $1");
	PG_RETURN_VOID();
}

PG_FUNCTION_INFO_V1(dynamo_delete_event_source_mapping);
Datum
dynamo_delete_event_source_mapping(PG_FUNCTION_ARGS)
{
	manage(fcinfo, "DELETE FROM dynamo.event_source_checkpoints"
		   " WHERE mapping OPERATOR(pg_catalog.=) $1");
	manage(fcinfo, "DELETE FROM dynamo.event_source_mappings"
		   " WHERE uuid OPERATOR(pg_catalog.=) $1");
	PG_RETURN_VOID();
}
