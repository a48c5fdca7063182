/*
 * time_to_live.c
 *		UpdateTimeToLive, DescribeTimeToLive, and what people call instead.
 *
 * A table says ENABLED as soon as the gate fills the column of expiry times;
 * items of before are filled behind it (index/index_build.h), and swept when all
 * are.  From the commit that disables it nothing expires any more, so DISABLED
 * is what is said of a table whose index is still to be dropped.
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "catalog/ttl.h"
#include "index/index_build.h"
#include "index/index_worker.h"
#include "operation/constraint.h"
#include "operation/response.h"
#include "operation/table_description.h"

/* What UpdateTimeToLive asks for. */
typedef struct TtlChange
{
	const char *table_name;
	const char *attribute;		/* NULL: whichever it is */
	bool		enable;
} TtlChange;

static bool
is_on(const TtlRow *ttl)
{
	return ttl->state == TTL_ENABLING || ttl->state == TTL_ENABLED;
}

static void
check_change(const TtlChange *change, const TtlRow *ttl)
{
	if (!is_on(ttl))
	{
		if (!change->enable)
			validation_error("TimeToLive is already disabled");
		return;
	}
	if (change->attribute != NULL && strcmp(ttl->attribute, change->attribute) != 0)
		validation_error("TimeToLive is active on a different AttributeName: current AttributeName is %s",
						 ttl->attribute);
	if (change->enable)
		validation_error("TimeToLive is already enabled");
}

/*
 * The name of the column: that of an earlier time, even one that came back by
 * pg_dump -t without the catalog's rows.
 */
static const char *
choose_column(const ItemTable *table)
{
	TupleDesc	tupdesc = RelationGetDescr(table->relation);
	const TableDescription *description = table->description;
	List	   *taken = NIL;
	bool		reusable = false;

	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(tupdesc, i);

		taken = lappend(taken, NameStr(attribute->attname));
		if (!attribute->attisdropped && strcmp(NameStr(attribute->attname), TTL_COLUMN) == 0 &&
			attribute->atttypid == INT8OID && !attribute->attnotnull && !attribute->attgenerated)
			reusable = true;
	}
	for (int i = 0; i < description->attribute_count; i++)
	{
		taken = lappend(taken, description->attributes[i].column);
		if (strcmp(description->attributes[i].column, TTL_COLUMN) == 0)
			reusable = false;
	}
	return reusable ? TTL_COLUMN : catalog_column_name(TTL_COLUMN, taken);
}

/*
 * Change the catalog's rows.  Counts go on through the changes.
 */
static void
store_change(const ItemTable *table, const TtlChange *change, TtlRow *ttl)
{
	if (change->enable)
	{
		if (ttl->column == NULL)
			ttl->column = choose_column(table);
		ttl->attribute = change->attribute;
	}
	ttl->state = change->enable ? TTL_ENABLING : TTL_DISABLING;
	ttl->since = GetCurrentTimestamp();
	ttl->last_error = NULL;
	catalog_put_ttl(ttl);
	index_build_register(ttl->relation, TTL_BUILD, !change->enable);
}

static void
change_ttl(const TtlChange *change)
{
	ItemTable  *table = item_table_open_owned(change->table_name, ShareUpdateExclusiveLock,
											  "UpdateTimeToLive");
	TtlRow		ttl = {.state = TTL_DISABLED};
	Oid			relid;

	if (table == NULL)
		table_not_found(change->table_name);
	relid = table->row.relation;
	(void) catalog_read_ttl(relid, &ttl);
	ttl.relation = relid;
	check_change(change, &ttl);
	store_change(table, change, &ttl);
	item_table_close(table);
	index_build_start(relid, TTL_BUILD, !change->enable);
}

void
update_time_to_live(const cJSON *request, JsonWriter *response)
{
	const char *path = "timeToLiveSpecification";
	const cJSON *specification = request_object(request, "TimeToLiveSpecification");
	ConstraintFaults faults = {0};
	TtlChange	change;

	change.table_name = request_table_name(request, &faults);
	change.attribute = request_string(specification, "AttributeName");
	change.enable = request_bool(specification, "Enabled", false);
	if (constraint_required(&faults, request, "TimeToLiveSpecification", path))
	{
		const char *name_path = constraint_path(path, "attributeName");

		if (constraint_required(&faults, specification, "AttributeName", name_path))
			constraint_attribute_name(&faults, change.attribute, name_path);
		constraint_required(&faults, specification, "Enabled", constraint_path(path, "enabled"));
	}
	constraint_raise(&faults);

	change_ttl(&change);
	response_open(response, NULL, '{');
	response_open(response, "TimeToLiveSpecification", '{');
	response_bool(response, "Enabled", change.enable);
	response_string(response, "AttributeName", change.attribute);
	response_close(response, '}');
	response_close(response, '}');
}

void
describe_time_to_live(const cJSON *request, JsonWriter *response)
{
	ConstraintFaults faults = {0};
	char	   *name = request_table_name(request, &faults);
	TtlRow		ttl = {.state = TTL_DISABLED};
	ItemTable  *table;
	BuildRow   *build;

	constraint_raise(&faults);
	table = item_table_open(name, AccessShareLock);
	if (table == NULL)
		table_not_found(name);
	(void) catalog_read_ttl(table->row.relation, &ttl);
	/* a build that lost its worker: the server was restarted, or had none free */
	build = catalog_read_ttl_build(table->row.relation);
	if (build != NULL && build->phase != BUILD_DONE)
		index_worker_resume(table->row.relation);
	item_table_close(table);

	response_open(response, NULL, '{');
	response_open(response, "TimeToLiveDescription", '{');
	response_string(response, "TimeToLiveStatus",
					!is_on(&ttl) ? "DISABLED" : ttl.state == TTL_ENABLED ? "ENABLED" : "ENABLING");
	if (is_on(&ttl))
		response_string(response, "AttributeName", ttl.attribute);
	response_close(response, '}');
	response_close(response, '}');
}

/* ---- for people ---- */

/*
 * dynamo.enable_ttl(table_name text, attribute text)
 */
PG_FUNCTION_INFO_V1(dynamo_enable_ttl);
Datum
dynamo_enable_ttl(PG_FUNCTION_ARGS)
{
	ConstraintFaults faults = {0};
	TtlChange	change = {.enable = true};

	errors_set_validation_form(VALIDATION_FORM_OLDER);
	change.table_name = text_to_cstring(PG_GETARG_TEXT_PP(0));
	change.attribute = text_to_cstring(PG_GETARG_TEXT_PP(1));
	constraint_attribute_name(&faults, change.attribute, "attribute");
	constraint_raise(&faults);
	change_ttl(&change);
	PG_RETURN_VOID();
}

/*
 * dynamo.disable_ttl(table_name text)
 */
PG_FUNCTION_INFO_V1(dynamo_disable_ttl);
Datum
dynamo_disable_ttl(PG_FUNCTION_ARGS)
{
	TtlChange	change = {.enable = false};

	errors_set_validation_form(VALIDATION_FORM_OLDER);
	change.table_name = text_to_cstring(PG_GETARG_TEXT_PP(0));
	change_ttl(&change);
	PG_RETURN_VOID();
}
