/*
 * continuous_backups.c
 *		DescribeContinuousBackups, UpdateContinuousBackups.
 *
 * Recovery to a point in time is the cluster's business (WAL archiving); the
 * settings are kept and described for the tools that manage tables.
 */
#include "postgres.h"

#include "catalog/rows.h"
#include "compat.h"
#include "operation/constraint.h"
#include "operation/response.h"
#include "operation/table_description.h"

#define RECOVERY_DAYS_MAX		35
#define MILLISECONDS_PER_DAY	(INT64CONST(1000) * SECS_PER_DAY)
#define RESTORABLE_DELAY		(INT64CONST(1000) * 300)	/* latest restorable time lags */

pg_noreturn static void
backups_table_not_found(const char *table_name)
{
	dynamo_error(TABLE_NOT_FOUND, "Table not found: %s", table_name);
}

static void
append_recovery(JsonWriter *response, const TableSettings *settings)
{
	int64		now = now_milliseconds();
	int64		since = settings->recovery_since;

	response_open(response, "PointInTimeRecoveryDescription", '{');
	if (settings->recovery_days > 0)
	{
		response_time(response, "EarliestRestorableDateTime",
					  Max(since, now - settings->recovery_days * MILLISECONDS_PER_DAY));
		response_time(response, "LatestRestorableDateTime", Max(since, now - RESTORABLE_DELAY));
	}
	response_string(response, "PointInTimeRecoveryStatus",
					settings->recovery_days > 0 ? "ENABLED" : "DISABLED");
	if (settings->recovery_days > 0)
		response_integer(response, "RecoveryPeriodInDays", settings->recovery_days);
	response_close(response, '}');
}

static void
append_backups(JsonWriter *response, const TableSettings *settings)
{
	response_open(response, NULL, '{');
	response_open(response, "ContinuousBackupsDescription", '{');
	response_string(response, "ContinuousBackupsStatus", "ENABLED");
	append_recovery(response, settings);
	response_close(response, '}');
	response_close(response, '}');
}

void
describe_continuous_backups(const cJSON *request, JsonWriter *response)
{
	ConstraintFaults faults = {0};
	char	   *name = request_table_name(request, &faults);
	ItemTable  *table;

	constraint_raise(&faults);
	table = item_table_open(name, AccessShareLock);
	if (table == NULL)
		backups_table_not_found(name);
	append_backups(response, &table->settings);
	item_table_close(table);
}

/*
 * Enabling what is enabled keeps the point from which on one can go back.
 */
static void
change_recovery(TableSettings *settings, const cJSON *specification)
{
	bool		enabled = request_bool(specification, "PointInTimeRecoveryEnabled", false);
	int64		days;
	bool		days_given = request_integer(specification, "RecoveryPeriodInDays", &days);

	if (!enabled && days_given)
		validation_error("Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.");
	if (!enabled)
	{
		settings->recovery_days = 0;
		settings->recovery_since = 0;
		return;
	}
	if (settings->recovery_days == 0)
	{
		settings->recovery_days = RECOVERY_DAYS_MAX;
		settings->recovery_since = now_milliseconds();
	}
	if (days_given)
		settings->recovery_days = (int) days;
}

void
update_continuous_backups(const cJSON *request, JsonWriter *response)
{
	const char *path = "pointInTimeRecoverySpecification";
	const cJSON *specification = request_object(request, "PointInTimeRecoverySpecification");
	ConstraintFaults faults = {0};
	char	   *name = request_table_name(request, &faults);
	TableSettings changed = {0};
	ItemTable  *table;

	if (constraint_required(&faults, request, "PointInTimeRecoverySpecification", path))
	{
		constraint_required(&faults, specification, "PointInTimeRecoveryEnabled",
							constraint_path(path, "pointInTimeRecoveryEnabled"));
		constraint_range(&faults, specification, "RecoveryPeriodInDays",
						 constraint_path(path, "recoveryPeriodInDays"), 1, RECOVERY_DAYS_MAX);
	}
	constraint_raise(&faults);
	change_recovery(&changed, specification);	/* its faults come before those of the table */

	table = item_table_open_owned(name, ShareUpdateExclusiveLock, "UpdateContinuousBackups");
	if (table == NULL)
		backups_table_not_found(name);
	change_recovery(&table->settings, specification);
	catalog_update_table_settings(table->row.relation, table_settings_to_jsonb(&table->settings));
	append_backups(response, &table->settings);
	item_table_close(table);
}
