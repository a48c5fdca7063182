/*
 * update_table.c
 *		UpdateTable: one kind of change per call.
 *
 * All changes of settings are done when the call ends; the answer speaks of
 * UPDATING where DynamoDB's does, since programs wait for ACTIVE anyway.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "catalog/rows.h"
#include "guc.h"
#include "index/index_build.h"
#include "index/index_worker.h"
#include "operation/constraint.h"
#include "operation/key_schema.h"
#include "operation/response.h"
#include "operation/table_description.h"
#include "stream/shards.h"

#define NOTHING_TO_CHANGE \
	"At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, " \
	"GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, " \
	"ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, " \
	"OnDemandThroughput, WarmThroughput or TableClass is required"

/* The members of a request; those that are not there are NULL. */
typedef struct Changes
{
	const cJSON *request;
	const char *billing_mode;
	bool		to_on_demand;
	const cJSON *provisioned;
	int64		read;			/* of provisioned */
	int64		write;
	const cJSON *on_demand;		/* OnDemandThroughput with a member */
	const cJSON *warm;			/* WarmThroughput with a member */
	const cJSON *index_updates;
	bool		index_creates_or_deletes;
	const cJSON *stream;
	const cJSON *encryption;
	const cJSON *replicas;
	const char *table_class;
	bool		protection;		/* DeletionProtectionEnabled is there */
} Changes;

/* ---- constraints ---- */

static void
index_update_constraints(const cJSON *element, int position, ConstraintFaults *faults)
{
	char	   *path = constraint_element_path("globalSecondaryIndexUpdates", position);
	const cJSON *create = request_object(element, "Create");
	static const char *const actions[][2] = {{"Update", "update"}, {"Delete", "delete"}};

	if (create != NULL)
		index_constraints(create, INDEX_GLOBAL, constraint_path(path, "create"), faults);
	for (int i = 0; i < lengthof(actions); i++)
	{
		const cJSON *action = request_object(element, actions[i][0]);
		char	   *action_path = constraint_path(path, actions[i][1]);
		char	   *name_path = constraint_path(action_path, "indexName");

		if (action == NULL)
			continue;
		if (constraint_required(faults, action, "IndexName", name_path))
			constraint_name(faults, request_string(action, "IndexName"), name_path);
		throughput_constraints(action, action_path, faults);
	}
}

static void
check_constraints(const cJSON *request, ConstraintFaults *faults)
{
	const cJSON *element;
	int			position = 0;

	attribute_definitions_constraints(request, faults);
	table_settings_constraints(request, faults);
	constraint_count(faults, request, "ReplicaUpdates", "replicaUpdates", 1, PG_INT32_MAX);
	cJSON_ArrayForEach(element, request_array(request, "GlobalSecondaryIndexUpdates"))
	{
		if (constraint_enough(faults, ++position))
			break;
		index_update_constraints(element, position, faults);
	}
}

/* ---- the request by itself ---- */

static const cJSON *
nonempty_object(const cJSON *request, const char *name)
{
	const cJSON *object = request_object(request, name);

	return request_nonempty(object) ? object : NULL;
}

static void
parse_changes(Changes *changes, const cJSON *request)
{
	changes->request = request;
	changes->billing_mode = request_string(request, "BillingMode");
	changes->to_on_demand = changes->billing_mode != NULL &&
		strcmp(changes->billing_mode, "PAY_PER_REQUEST") == 0;
	changes->provisioned = request_object(request, "ProvisionedThroughput");
	if (changes->provisioned != NULL)
		throughput_units(changes->provisioned, &changes->read, &changes->write);
	changes->on_demand = nonempty_object(request, "OnDemandThroughput");
	changes->warm = nonempty_object(request, "WarmThroughput");
	changes->index_updates = request_array(request, "GlobalSecondaryIndexUpdates");
	changes->stream = request_object(request, "StreamSpecification");
	changes->encryption = request_object(request, "SSESpecification");
	changes->replicas = request_array(request, "ReplicaUpdates");
	changes->table_class = request_string(request, "TableClass");
	changes->protection = request_member(request, "DeletionProtectionEnabled") != NULL;
}

/*
 * Something to change is there; an empty list of index updates is nothing, and
 * wrong beside something.
 */
static void
check_not_empty(const Changes *changes)
{
	bool		others = changes->billing_mode || changes->provisioned || changes->on_demand ||
	changes->warm || changes->stream || changes->encryption || changes->replicas ||
	changes->table_class || changes->protection ||
	request_member(changes->request, "GlobalTableSettingsReplicationMode") != NULL;

	if (!others && cJSON_GetArraySize(changes->index_updates) == 0)
		validation_error(NOTHING_TO_CHANGE);
	if (changes->index_updates != NULL && cJSON_GetArraySize(changes->index_updates) == 0)
		validation_error(INVALID_PARAMETERS "List of GlobalSecondaryIndexUpdates is empty");
}

/*
 * The one action of an element, and its name.
 */
static const cJSON *
index_action(const cJSON *element, const char **name)
{
	static const char *const names[] = {"Update", "Create", "Delete"};
	const cJSON *found = NULL;

	for (int i = 0; i < lengthof(names); i++)
	{
		const cJSON *action = request_object(element, names[i]);

		if (action == NULL)
			continue;
		if (found != NULL)
			validation_error(INVALID_PARAMETERS
							 "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object");
		found = action;
		*name = names[i];
	}
	if (found == NULL)
		validation_error(INVALID_PARAMETERS
						 "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
						 "GlobalSecondaryIndexUpdate.Delete must not be null");
	return found;
}

/*
 * Each index is named once.
 */
static void
check_index_updates(Changes *changes)
{
	List	   *seen = NIL;
	const cJSON *element;

	if (cJSON_GetArraySize(changes->index_updates) > ELEMENTS_MAX)
		dynamo_error(LIMIT_EXCEEDED,
					 "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table");
	cJSON_ArrayForEach(element, changes->index_updates)
	{
		const char *action_name;
		const cJSON *action = index_action(element, &action_name);
		const char *index_name = request_string(action, "IndexName");
		ListCell   *cell;

		foreach(cell, seen)
		{
			if (strcmp(lfirst(cell), index_name) == 0)
				validation_error(INVALID_PARAMETERS
								 "Only one global secondary index update per index is allowed simultaneously. Index: %s",
								 index_name);
		}
		seen = lappend(seen, unconstify(char *, index_name));
		if (strcmp(action_name, "Create") == 0)
		{
			TableDefinition *unused;

			(void) index_addition_from_request(changes->request, action, &unused);
		}
		if (strcmp(action_name, "Update") != 0)
			changes->index_creates_or_deletes = true;
	}
}

/*
 * Most changes stand alone.
 */
static void
check_alone(const Changes *changes)
{
	bool		capacity = changes->billing_mode || changes->provisioned || changes->on_demand;
	bool		encryption = changes->encryption != NULL;
	bool		class = changes->table_class != NULL;
	bool		others = capacity || changes->index_updates || changes->stream || changes->replicas;

	if (encryption && (others || class || changes->protection || changes->warm))
		validation_error(INVALID_PARAMETERS
						 "Server-Side Encryption modification must be the only operation in the request");
	if (class && (others || changes->protection || changes->warm))
		validation_error(INVALID_PARAMETERS
						 "TableClass modification must be the only operation in the request");
	if (changes->protection && (others || changes->warm))
		validation_error(INVALID_PARAMETERS
						 "DeletionProtection modification must be the only operation in the request");
	if (changes->warm && others)
		validation_error(changes->index_creates_or_deletes ?
						 INVALID_PARAMETERS
						 "Create global secondary index cannot be specified when updating WarmThroughput" :
						 INVALID_PARAMETERS
						 "WarmThroughput must be the only operation in the request");
	if (changes->replicas && (capacity || changes->index_updates || changes->stream))
		validation_error(INVALID_PARAMETERS
						 "Replica modification must be the only operation in the request");
}

/*
 * What goes together of the rest.
 */
static void
check_combinations(const Changes *changes)
{
	bool		units = changes->provisioned != NULL ||
	(changes->billing_mode != NULL && !changes->to_on_demand);

	if (changes->on_demand && (changes->stream || changes->index_updates || changes->provisioned))
		validation_error(INVALID_PARAMETERS
						 "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request");
	if (changes->stream && units)
		validation_error(INVALID_PARAMETERS
						 "You cannot modify stream status while updating table IOPS");
	if (changes->index_creates_or_deletes && changes->provisioned)
		validation_error(INVALID_PARAMETERS
						 "You cannot create or delete index while updating table IOPS");
	if (changes->index_creates_or_deletes && changes->stream)
		validation_error(INVALID_PARAMETERS
						 "You cannot create or delete index while changing stream status");
	if (changes->to_on_demand && changes->provisioned)
		validation_error(INVALID_PARAMETERS
						 "ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST");
	if (changes->billing_mode && !changes->to_on_demand && !changes->provisioned)
		validation_error(INVALID_PARAMETERS
						 "ProvisionedThroughput must be specified when BillingMode is PROVISIONED");
}

static void
check_stream(const cJSON *stream)
{
	bool		enabled = request_bool(stream, "StreamEnabled", false);
	bool		view = request_member(stream, "StreamViewType") != NULL;

	if (enabled && !view)
		validation_error(INVALID_PARAMETERS
						 "If stream is being enabled then UpdateViewType is required");
	if (!enabled && view)
		validation_error(INVALID_PARAMETERS
						 "If stream is being disabled, then UpdateViewType must not be specified");
}

/*
 * There are no other Regions here, so nothing can be replicated and no replica
 * changed.
 */
static void
refuse_replicas(const cJSON *replicas)
{
	const cJSON *element = cJSON_GetArrayItem(replicas, 0);
	const cJSON *create = request_object(element, "Create");
	const cJSON *update = request_object(element, "Update");
	const cJSON *action = create ? create : update ? update : request_object(element, "Delete");
	const char *region = action ? request_string(action, "RegionName") : NULL;

	if (action == NULL)
		validation_error("There are no actions specified in the Replica Update Action of the request.");
	if (region == NULL)
		validation_error("1 validation error detected: Value null at "
						 "'replicaUpdates.1.member.%s.regionName' failed to satisfy constraint: "
						 "Member must not be null",
						 create ? "create" : update ? "update" : "delete");
	if (strcmp(region, dynamo_region) == 0)
		validation_error("Cannot add or delete the local region through ReplicaUpdates");
	if (create != NULL)
		validation_error("Region %s is not supported. The latest version of global tables are only "
						 "supported in the following regions: [%s]", region, dynamo_region);
	validation_error("Update global table operation failed because one or more replicas were not part "
					 "of the global table. Please retry the request without these replicas: [%s].",
					 region);
}

static void
check_changes(Changes *changes)
{
	static const char *const unsupported[] = {"VectorIndexUpdates", NULL};
	TableSettings unused = {0};
	const char *replication = request_string(changes->request, "GlobalTableSettingsReplicationMode");

	request_refuse_members(changes->request, unsupported);
	check_not_empty(changes);
	check_index_updates(changes);
	check_alone(changes);
	check_combinations(changes);
	if (changes->stream)
		check_stream(changes->stream);
	if (changes->encryption)
		encryption_from_request(&unused, changes->encryption);
	(void) table_class_from_request(changes->request);
	if (replication != NULL && strcmp(replication, "ENABLED_WITH_OVERRIDES") == 0)
		validation_error("Value '%s' at 'GlobalTableSettingsReplicationMode' failed to satisfy constraint: "
						 "Only ENABLED and DISABLED settings replication are supported for a Regional Table.",
						 replication);
}

/* ---- against the table ---- */

static void
check_units_differ(const Throughput *throughput, int64 read, int64 write, const char *index_name)
{
	const char *whose = index_name ? psprintf("index %s", index_name) : "table";
	const char *the = index_name ? "" : "the ";

	if (read != throughput->read || write != throughput->write)
		return;
	validation_error("The provisioned throughput for the %s will not change. The requested value equals the current value. "
					 "Current ReadCapacityUnits provisioned for %s%s: " INT64_FORMAT ". "
					 "Requested ReadCapacityUnits: " INT64_FORMAT ". "
					 "Current WriteCapacityUnits provisioned for %s%s: " INT64_FORMAT ". "
					 "Requested WriteCapacityUnits: " INT64_FORMAT ". "
					 "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
					 whose, the, whose, throughput->read, read, the, whose, throughput->write, write);
}

/*
 * Position of a global index in the description, for an action on it.
 */
static int
find_global_index(const ItemTable *table, const char *index_name, const char *verb)
{
	const TableDescription *description = table->description;

	for (int i = 0; i < description->index_count; i++)
	{
		if (strcmp(description->indexes[i].name, index_name) != 0)
			continue;
		if (description->indexes[i].kind != INDEX_GLOBAL)
			validation_error("Cannot %s an index that is not a GlobalSecondaryIndex: %s",
							 verb, index_name);
		return i;
	}
	dynamo_error(RESOURCE_NOT_FOUND, "Requested resource not found: Index %s for table %s",
				 index_name, description->name);
}

/*
 * To provisioned capacity: every global index needs its own, from an Update in
 * the same request.
 */
static void
check_indexes_provisioned(const ItemTable *table, const Changes *changes)
{
	StringInfoData missing;

	initStringInfo(&missing);
	for (int i = 0; i < table->description->index_count; i++)
	{
		const IndexDescription *index = &table->description->indexes[i];
		bool		found = false;
		const cJSON *element;

		if (index->kind != INDEX_GLOBAL)
			continue;
		cJSON_ArrayForEach(element, changes->index_updates)
		{
			const cJSON *update = request_object(element, "Update");

			if (update != NULL && request_object(update, "ProvisionedThroughput") != NULL &&
				strcmp(request_string(update, "IndexName"), index->name) == 0)
				found = true;
		}
		if (!found)
			appendStringInfo(&missing, "%s%s", missing.len ? "," : "", index->name);
	}
	if (missing.len > 0)
		validation_error(INVALID_PARAMETERS
						 "ProvisionedThroughput must be specified for index: %s", missing.data);
}

/*
 * BillingMode and ProvisionedThroughput.  The units of a change within
 * provisioned capacity are answered as they were.
 */
static void
change_billing(ItemTable *table, const Changes *changes)
{
	TableSettings *settings = &table->settings;

	if (changes->provisioned == NULL)
	{
		if (changes->to_on_demand && !settings->on_demand)
		{
			settings->on_demand = true;
			settings->on_demand_since = now_milliseconds();
			settings->throughput.read = 0;
			settings->throughput.write = 0;
			throughput_warm_up(&settings->throughput, true);
		}
		return;
	}
	if (settings->on_demand && changes->billing_mode == NULL)
		validation_error(INVALID_PARAMETERS
						 "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST");
	if (settings->on_demand)
	{
		check_indexes_provisioned(table, changes);
		settings->on_demand = false;
		settings->throughput.max_read = 0;
		settings->throughput.max_write = 0;
		settings->throughput.read = changes->read;
		settings->throughput.write = changes->write;
		throughput_warm_up(&settings->throughput, false);
	}
	else
	{
		check_units_differ(&settings->throughput, changes->read, changes->write, NULL);
		throughput_change_units(&settings->throughput, changes->read, changes->write);
	}
	throughput_check_limits(&settings->throughput, NULL);
}

static void
change_on_demand(TableSettings *settings, const cJSON *on_demand)
{
	if (!settings->on_demand)
		validation_error(INVALID_PARAMETERS
						 "%s for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED",
						 request_member(on_demand, "MaxReadRequestUnits") ?
						 "MaxReadRequestUnits" : "MaxWriteRequestUnits");
	throughput_merge_on_demand(&settings->throughput, on_demand, NULL, true);
	throughput_check_limits(&settings->throughput, NULL);
}

static void
change_warm_member(int64 *units, const cJSON *warm, const char *name, const char *place)
{
	int64		value;

	if (!request_integer(warm, name, &value))
		return;
	if (value < *units)
		validation_error(INVALID_PARAMETERS
						 "Requested %s for WarmThroughput for %s is lower than current WarmThroughput, "
						 "decreasing WarmThroughput is not supported", name, place);
	*units = value;
}

static void
change_warm(Throughput *throughput, const cJSON *warm, const char *place)
{
	change_warm_member(&throughput->warm_read, warm, "ReadUnitsPerSecond", place);
	change_warm_member(&throughput->warm_write, warm, "WriteUnitsPerSecond", place);
}

static void
change_stream(ItemTable *table, const cJSON *stream)
{
	TableSettings *settings = &table->settings;
	const char *name = table->description->name;
	StreamView	view;

	if (request_bool(stream, "StreamEnabled", false))
	{
		if (settings->stream_view != NULL)
			validation_error("Table already has an enabled stream: TableName: %s", name);
		settings->stream_view = request_string(stream, "StreamViewType");
		if (!stream_view_from_name(settings->stream_view, &view))
			elog(ERROR, "unknown stream view type \"%s\"", settings->stream_view);
		settings->stream_label =
			stream_begin(table->row.relation, table->description, view,
						 stream_shard_count(settings->on_demand, settings->throughput.read,
											settings->throughput.write));
		return;
	}
	if (settings->stream_view == NULL)
		validation_error("Table has no stream to disable: TableName: %s", name);
	settings->stream_view = NULL;
	stream_end(table->row.relation);
}

static void
change_encryption(TableSettings *settings, const cJSON *specification)
{
	TableSettings before = *settings;

	encryption_from_request(settings, specification);
	if (!before.encrypted && !settings->encrypted)
		validation_error(INVALID_PARAMETERS "Table is already encrypted by default");
	if (before.encrypted && settings->encrypted && before.kms_key && settings->kms_key &&
		strcmp(before.kms_key, settings->kms_key) == 0)
		validation_error(INVALID_PARAMETERS
						 "Table is already encrypted with given KMSMasterKeyId. "
						 "Use KMSMasterKeyId parameter if you want to change Master Key");
}

static void
change_table_class(TableSettings *settings, const char *class)
{
	const char *before = settings->table_class ? settings->table_class : "STANDARD";

	if (strcmp(before, class) == 0)
		return;
	settings->table_class = class;
	settings->table_class_at = now_milliseconds();
}

/* ---- index updates ---- */

static void
update_index(ItemTable *table, const cJSON *update)
{
	const char *name = request_string(update, "IndexName");
	IndexSettings *index = &table->indexes[find_global_index(table, name, "update")];
	const cJSON *provisioned = request_object(update, "ProvisionedThroughput");
	const cJSON *on_demand = nonempty_object(update, "OnDemandThroughput");
	const cJSON *warm = nonempty_object(update, "WarmThroughput");
	IndexStatus status = description_index(table->description, name)->status;

	if (status != INDEX_ACTIVE)
		dynamo_error(RESOURCE_IN_USE, "Attempt to change a resource which is still in use: "
					 "Index is being %s. Table: %s Index: %s",
					 status == INDEX_DELETING ? "deleted" : "updated", table->description->name, name);
	if ((provisioned && table->settings.on_demand) || (!provisioned && !on_demand && !warm))
		validation_error(INVALID_PARAMETERS
						 "The only Updates for index: %s when TableThroughputMode is %s can be to %s, WarmThroughput",
						 name, table->settings.on_demand ? "PAY_PER_REQUEST" : "PROVISIONED",
						 table->settings.on_demand ? "OnDemandThroughput" : "ProvisionedThroughput");
	if (on_demand && !table->settings.on_demand)
		validation_error(INVALID_PARAMETERS
						 "%s for OnDemandThroughput for index: %s cannot be specified when the table BillingMode is PROVISIONED",
						 request_member(on_demand, "MaxReadRequestUnits") ?
						 "MaxReadRequestUnits" : "MaxWriteRequestUnits", name);
	if (provisioned)
	{
		int64		read;
		int64		write;

		throughput_units(provisioned, &read, &write);
		check_units_differ(&index->throughput, read, write, name);
		throughput_change_units(&index->throughput, read, write);
	}
	if (on_demand)
		throughput_merge_on_demand(&index->throughput, on_demand, name, true);
	if (warm)
		change_warm(&index->throughput, warm, psprintf("index %s", name));
	throughput_check_limits(&index->throughput, name);
}

/* ---- added and dropped indexes ---- */

#define IN_USE "Attempt to change a resource which is still in use: "

/* What an attribute is to a table: (key{name:type:HASH}). */
static void
check_not_redefined(const ItemTable *table, const AttributeDefinition *attribute)
{
	const KeyAttribute *known = description_attribute(table->description, attribute->name,
													  strlen(attribute->name));

	if (known == NULL || known->type == attribute->type ||
		!description_uses_attribute(table->description, known))
		return;
	validation_error("Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. "
					 "Existing schema: Schema:[SchemaElement: key{%s:%s:HASH}] "
					 "New schema: Schema:[SchemaElement: key{%s:%s:HASH}]",
					 known->name, attribute_type_name(known->type),
					 attribute->name, attribute_type_name(attribute->type));
}

static void
check_index_throughput(const ItemTable *table, const cJSON *create, const char *name)
{
	bool		given = request_object(create, "ProvisionedThroughput") != NULL;

	if (table->settings.on_demand && given)
		validation_error(INVALID_PARAMETERS
						 "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: %s "
						 "when BillingMode is PAY_PER_REQUEST", name);
	if (!table->settings.on_demand && !given)
		validation_error(INVALID_PARAMETERS
						 "Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: %s", name);
}

/*
 * One index is added or dropped at a time; an index that is being added may be
 * given up meanwhile.
 */
static void
check_one_at_a_time(const ItemTable *table, const char *given_up)
{
	for (int i = 0; i < table->description->index_count; i++)
	{
		const IndexDescription *index = &table->description->indexes[i];

		if (index->status != INDEX_ACTIVE &&
			(given_up == NULL || strcmp(index->name, given_up) != 0))
			dynamo_error(LIMIT_EXCEEDED, "Subscriber limit exceeded: "
						 "Only 1 online index can be created or deleted simultaneously per table");
	}
}

static void
check_counts(const ItemTable *table, const IndexDefinition *added)
{
	int			globals = 1;
	int			projected = list_length(added->included);

	for (int i = 0; i < table->description->index_count; i++)
	{
		globals += table->description->indexes[i].kind == INDEX_GLOBAL;
		projected += list_length(table->description->indexes[i].included);
	}
	index_addition_check_counts(globals, projected);
}

/* All columns of the relation, those about to be added too. */
static List *
taken_columns(const ItemTable *table)
{
	TupleDesc	tupdesc = RelationGetDescr(table->relation);
	List	   *taken = NIL;

	for (int i = 0; i < tupdesc->natts; i++)
		taken = lappend(taken, NameStr(TupleDescAttr(tupdesc, i)->attname));
	for (int i = 0; i < table->description->attribute_count; i++)
		taken = lappend(taken, table->description->attributes[i].column);
	return taken;
}

/*
 * The attributes of the new keys.  A column that an index of before has left is
 * used again, unless it is of another type.
 */
static void
insert_attributes(const ItemTable *table, const TableDefinition *definitions,
				  const IndexDefinition *index)
{
	List	   *taken = taken_columns(table);

	for (int i = 0; i < index->keys.count; i++)
	{
		const AttributeDefinition *attribute = definition_of_attribute(definitions,
																	   index->keys.elements[i].name);
		const KeyAttribute *known = description_attribute(table->description, attribute->name,
														  strlen(attribute->name));
		char	   *column;

		if (known != NULL && known->type == attribute->type)
			continue;
		if (known != NULL)
			catalog_delete_attribute(table->row.relation, known->name);
		column = catalog_column_name(attribute->name, taken);
		catalog_insert_attribute(table->row.relation, attribute->name, attribute->type, column);
		taken = lappend(taken, column);
	}
}

static int
last_position(const ItemTable *table)
{
	int			position = 0;

	for (int i = 0; i < table->description->index_count; i++)
		position = Max(position, table->indexes[i].position);
	return position;
}

static void
insert_index(const ItemTable *table, IndexDefinition *index)
{
	IndexRow	row = {0};

	index->settings.position = last_position(table) + 1;
	row.index_name = index->name;
	row.index_relation = catalog_derived_name(RelationGetRelationName(table->relation),
											  psprintf("index:%s", index->name));
	row.kind = INDEX_GLOBAL;
	row.partition_keys = key_schema_names(&index->keys, false);
	row.sort_keys = key_schema_names(&index->keys, true);
	row.projection = index->projection;
	row.included = index->included;
	row.status = "CREATING";
	row.settings = index_settings_to_jsonb(&index->settings);
	catalog_insert_index(table->row.relation, &row);
}

static void
add_index(ItemTable *table, const Changes *changes, const cJSON *create)
{
	const char *name = request_string(create, "IndexName");
	TableDefinition *definitions;
	IndexDefinition *index;

	if (description_index(table->description, name) != NULL)
		validation_error("Attempting to create an index which already exists");
	index = index_addition_from_request(changes->request, create, &definitions);
	for (int i = 0; i < index->keys.count; i++)
		check_not_redefined(table, definition_of_attribute(definitions, index->keys.elements[i].name));
	check_index_throughput(table, create, name);
	check_one_at_a_time(table, NULL);
	check_counts(table, index);
	throughput_of_new_index(&index->settings.throughput, create, name, table->settings.on_demand);
	throughput_check_limits(&index->settings.throughput, name);

	insert_attributes(table, definitions, index);
	insert_index(table, index);
	index_build_register(table->row.relation, name, false);
}

static void
drop_index(ItemTable *table, const cJSON *delete)
{
	const char *name = request_string(delete, "IndexName");
	IndexDescription *index = &table->description->indexes[find_global_index(table, name, "delete")];

	if (index->status == INDEX_DELETING)
		dynamo_error(RESOURCE_IN_USE, IN_USE "Index is being deleted. Table: %s Index: %s",
					 table->description->name, name);
	check_one_at_a_time(table, name);
	index_build_register(table->row.relation, name, true);
}

/*
 * The one index that is added or dropped is changed last: the others' places
 * are those of the description until then.
 */
static const cJSON *
index_addition_or_removal(const Changes *changes, bool *drop)
{
	const cJSON *found = NULL;
	const cJSON *element;

	cJSON_ArrayForEach(element, changes->index_updates)
	{
		const char *name;
		const cJSON *action = index_action(element, &name);

		CHECK_FOR_INTERRUPTS();
		if (strcmp(name, "Update") == 0)
			continue;
		if (found != NULL)
			dynamo_error(LIMIT_EXCEEDED, "Subscriber limit exceeded: "
						 "Only 1 online index can be created or deleted simultaneously per table");
		found = action;
		*drop = strcmp(name, "Delete") == 0;
	}
	return found;
}

/*
 * While the columns of a new index are being added nothing else changes.
 */
static void
check_state(const ItemTable *table, const Changes *changes)
{
	const char *name = table->description->name;
	ListCell   *cell;

	foreach(cell, table->builds)
	{
		BuildRow   *build = lfirst(cell);
		const cJSON *element;

		if (build->phase != BUILD_PENDING)
			continue;
		if (changes->provisioned || changes->billing_mode)
			dynamo_error(RESOURCE_IN_USE, IN_USE
						 "Can't change table IOPS when an index is being created. Table: %s Indexes: [%s]",
						 name, build->index_name);
		if (changes->stream)
			dynamo_error(RESOURCE_IN_USE, IN_USE
						 "Can't change stream status when an index is being created");
		cJSON_ArrayForEach(element, changes->index_updates)
		{
			const cJSON *delete = request_object(element, "Delete");

			if (delete != NULL && strcmp(request_string(delete, "IndexName"), build->index_name) == 0)
				dynamo_error(RESOURCE_IN_USE, IN_USE
							 "Index creation is in resource allocation phase. "
							 "Retry deletion during backfilling phase or when the index is active. "
							 "Table: %s Index: %s", name, build->index_name);
		}
		dynamo_error(RESOURCE_IN_USE, IN_USE "Table is being updated: %s", name);
	}
}

static void
change_indexes(ItemTable *table, const Changes *changes)
{
	const cJSON *element;

	cJSON_ArrayForEach(element, changes->index_updates)
	{
		const cJSON *update = request_object(element, "Update");

		CHECK_FOR_INTERRUPTS();
		if (update != NULL)
			update_index(table, update);
	}
}

/*
 * The billing mode is the indexes' too.
 */
static void
follow_billing_mode(ItemTable *table)
{
	for (int i = 0; i < table->description->index_count; i++)
	{
		Throughput *throughput = &table->indexes[i].throughput;

		if (table->description->indexes[i].kind != INDEX_GLOBAL)
			continue;
		if (table->settings.on_demand)
		{
			throughput->read = 0;
			throughput->write = 0;
		}
		else
		{
			throughput->max_read = 0;
			throughput->max_write = 0;
		}
		throughput_warm_up(throughput, table->settings.on_demand);
	}
}

/* ---- the operation ---- */

static void
apply_changes(ItemTable *table, const Changes *changes)
{
	bool		was_on_demand = table->settings.on_demand;

	change_billing(table, changes);
	if (table->settings.on_demand != was_on_demand)
		follow_billing_mode(table);
	if (changes->on_demand)
		change_on_demand(&table->settings, changes->on_demand);
	if (changes->warm)
		change_warm(&table->settings.throughput, changes->warm, "table");
	if (changes->stream)
		change_stream(table, changes->stream);
	if (changes->encryption)
		change_encryption(&table->settings, changes->encryption);
	if (changes->table_class)
		change_table_class(&table->settings, changes->table_class);
	if (changes->protection)
		table->settings.deletion_protection =
			request_bool(changes->request, "DeletionProtectionEnabled", false);
	change_indexes(table, changes);
}

static void
store(const ItemTable *table, bool indexes)
{
	Oid			relid = table->row.relation;

	catalog_update_table_settings(relid, table_settings_to_jsonb(&table->settings));
	for (int i = 0; indexes && i < table->description->index_count; i++)
		catalog_update_index_settings(relid, table->description->indexes[i].name,
									  index_settings_to_jsonb(&table->indexes[i]));
}

/*
 * Some changes are answered as under way, with the units or the class of
 * before.
 */
static void
append_answer(JsonWriter *response, ItemTable *table, const TableSettings *before,
			  const Changes *changes)
{
	TableSettings *after = &table->settings;
	bool		under_way = changes->provisioned || changes->stream ||
	changes->index_creates_or_deletes ||
	after->on_demand != before->on_demand || after->table_class_at != before->table_class_at;

	if (changes->provisioned && !before->on_demand)
	{
		after->throughput.read = before->throughput.read;
		after->throughput.write = before->throughput.write;
	}
	after->table_class = before->table_class;
	after->table_class_at = before->table_class_at;

	response_open(response, NULL, '{');
	response_member(response, "TableDescription");
	table_description_append(response, table,
							 under_way ? DESCRIPTION_UPDATED : DESCRIPTION_PRESENT);
	response_close(response, '}');
}

void
update_table(const cJSON *request, JsonWriter *response)
{
	ConstraintFaults faults = {0};
	char	   *name = request_table_name(request, &faults);
	Changes		changes = {0};
	TableSettings before;
	ItemTable  *table;
	const cJSON *index;
	bool		drop = false;

	check_constraints(request, &faults);
	constraint_raise(&faults);
	parse_changes(&changes, request);
	check_changes(&changes);

	/* conflicts with itself; with writers of items only where the gate must know */
	table = item_table_open_owned(name,
								  changes.stream ? ShareRowExclusiveLock : ShareUpdateExclusiveLock,
								  "UpdateTable");
	if (table == NULL)
		table_not_found(name);
	if (changes.replicas)
		refuse_replicas(changes.replicas);
	if (index_builds_unfinished(table->builds))
		index_worker_resume(table->row.relation);
	check_state(table, &changes);
	before = table->settings;
	apply_changes(table, &changes);
	store(table, changes.index_updates || table->settings.on_demand != before.on_demand);
	index = index_addition_or_removal(&changes, &drop);
	if (index != NULL && drop)
		drop_index(table, index);
	else if (index != NULL)
		add_index(table, &changes, index);
	if (index != NULL)
		table = item_table_reload(table);
	append_answer(response, table, &before, &changes);
	item_table_close(table);
	if (index != NULL)
		index_build_start(table->row.relation, request_string(index, "IndexName"), drop);
}
