/*
 * table_settings.h
 *		What a table is told about throughput, billing, class, encryption,
 *		streams, protection and recovery: kept with the table and described.
 *
 * Parsed from requests of CreateTable and UpdateTable in two steps: the
 * constraints of the service's model, all faults together, then the checks of
 * what fits together, the first fault alone.  Kept as jsonb in the catalog,
 * with only the members that differ from a new table's.
 */
#ifndef DYNAMO_TABLE_SETTINGS_H
#define DYNAMO_TABLE_SETTINGS_H

#include "postgres.h"
#include "utils/jsonb.h"

#include "operation/operation.h"

#define THROUGHPUT_UNLIMITED (-1)	/* takes a member of OnDemandThroughput away */

/* Points in time are milliseconds since the epoch; 0 is never. */

/* Throughput of a table or of a global secondary index. */
typedef struct Throughput
{
	int64		read;			/* provisioned units; 0 when on demand */
	int64		write;
	int64		increased_at;
	int64		decreased_at;
	int64		decreases;		/* on the day of decreased_at, in UTC */
	int64		max_read;		/* OnDemandThroughput; 0 is not set */
	int64		max_write;
	int64		warm_read;		/* WarmThroughput */
	int64		warm_write;
} Throughput;

typedef struct TableSettings
{
	bool		on_demand;		/* BillingMode PAY_PER_REQUEST */
	int64		on_demand_since;	/* last switch to it */
	Throughput	throughput;
	const char *table_class;	/* NULL: never given */
	int64		table_class_at; /* last change after the creation */
	bool		encrypted;		/* with a KMS key */
	const char *kms_key;		/* NULL: the account's */
	const char *stream_view;	/* StreamViewType; NULL without a stream */
	const char *stream_label;	/* of the latest stream; NULL: never had one */
	bool		deletion_protection;
	const char *resource_policy;
	int			recovery_days;	/* point-in-time recovery; 0: off */
	int64		recovery_since;
} TableSettings;

/* What is said of a global secondary index, beside its definition. */
typedef struct IndexSettings
{
	int			position;		/* in the order of definition */
	Throughput	throughput;
} IndexSettings;

/* Now, in milliseconds since the epoch, and any TimestampTz. */
extern int64 epoch_milliseconds(TimestampTz time);
extern int64 now_milliseconds(void);

/* ---- constraints ---- */

/* BillingMode, ProvisionedThroughput, StreamSpecification, SSESpecification. */
extern void table_settings_constraints(const cJSON *request, ConstraintFaults *faults);

/* ProvisionedThroughput of a table (prefix NULL) or index. */
extern void throughput_constraints(const cJSON *object, const char *prefix,
								   ConstraintFaults *faults);

/* ---- a new table ---- */

/*
 * BillingMode and ProvisionedThroughput, whose faults come before those of
 * keys and indexes; then all others.
 */
extern void table_settings_billing(TableSettings *settings, const cJSON *request);
extern void table_settings_others(TableSettings *settings, const cJSON *request);

/* Throughput members of a new index.  Raises DynamoDB's ValidationException. */
extern void throughput_of_new_index(Throughput *throughput, const cJSON *index,
									const char *index_name, bool on_demand);

/* LimitExceededException over 40,000 units; index_name is NULL for the table. */
extern void throughput_check_limits(const Throughput *throughput, const char *index_name);

/* ---- parts that UpdateTable changes one by one ---- */

/* {"ReadCapacityUnits": .., "WriteCapacityUnits": ..}, both in bounds. */
extern void throughput_units(const cJSON *provisioned, int64 *read, int64 *write);

/* Decreases of today. */
extern int64 throughput_decreases_today(const Throughput *throughput);

/* Set the units of a table or index that stays provisioned, and note the change. */
extern void throughput_change_units(Throughput *throughput, int64 read, int64 write);

/* Provisioned units and on demand: warm throughput never falls below them. */
extern void throughput_warm_up(Throughput *throughput, bool on_demand);

/* Is warm throughput what a new table or index has by itself? */
extern bool throughput_warm_is_initial(const Throughput *throughput, bool on_demand);

/*
 * Merge OnDemandThroughput: members that are there replace, -1 takes away
 * where allowed.
 */
extern void throughput_merge_on_demand(Throughput *throughput, const cJSON *on_demand,
									   const char *index_name, bool unlimited_allowed);

/*
 * ValidationException if one of the members (ends with NULL) is there: they
 * ask for what this server does not have, and would be missed silently.
 */
extern void request_refuse_members(const cJSON *request, const char *const *members);

/* True if the object has a member: {} counts as absent. */
extern bool request_nonempty(const cJSON *object);

/* Refuses what is not a table class. */
extern const char *table_class_from_request(const cJSON *request);

/* SSESpecification into encrypted and kms_key. */
extern void encryption_from_request(TableSettings *settings, const cJSON *specification);

/* ---- in the catalog ---- */

extern Jsonb *table_settings_to_jsonb(const TableSettings *settings);
extern void table_settings_from_jsonb(TableSettings *settings, Jsonb *jb);
extern Jsonb *index_settings_to_jsonb(const IndexSettings *settings);
extern void index_settings_from_jsonb(IndexSettings *settings, Jsonb *jb);

#endif							/* DYNAMO_TABLE_SETTINGS_H */
