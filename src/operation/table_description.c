/*
 * table_description.c
 *		An item table as the control plane sees it: opened, described.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_namespace.h"
#include "miscadmin.h"
#include "tcop/utility.h"
#include "utils/acl.h"
#include "utils/fmgrprotos.h"
#include "utils/rel.h"
#include "utils/syscache.h"
#include "utils/uuid.h"

#include "guc.h"
#include "index/index_build.h"
#include "operation/response.h"
#include "operation/table_description.h"
#include "operation/table_statistics.h"

void
table_not_found(const char *table_name)
{
	dynamo_error(RESOURCE_NOT_FOUND, "Requested resource not found: Table: %s not found", table_name);
}

/* ---- opening ---- */

static ItemTable *
load_table(Relation relation, TableDescription *description)
{
	ItemTable  *table = palloc0(sizeof(ItemTable));

	table->relation = relation;
	table->description = description;
	if (!catalog_read_table(description->root, &table->row))
		elog(ERROR, "catalog of dynamo has no row for relation \"%s\"",
			 RelationGetRelationName(relation));
	table_settings_from_jsonb(&table->settings, table->row.settings);
	if (description->stream == NULL)
		table->settings.stream_view = NULL; /* streams are not restored */

	table->indexes = palloc0(sizeof(IndexSettings) * (description->index_count + 1));
	for (int i = 0; i < description->index_count; i++)
	{
		Jsonb	   *settings = catalog_read_index_settings(description->root,
														   description->indexes[i].name);

		if (settings != NULL)
			index_settings_from_jsonb(&table->indexes[i], settings);
	}
	table->builds = catalog_read_builds(description->root);
	return table;
}

ItemTable *
item_table_reload(const ItemTable *table)
{
	return load_table(table->relation, catalog_description(table->relation));
}

ItemTable *
item_table_open(const char *table_name, LOCKMODE lockmode)
{
	TableDescription *description;
	Relation	relation = catalog_open_table(table_name, lockmode, &description);

	return relation ? load_table(relation, description) : NULL;
}

/* Is the index of expiry times being made?  DROP TABLE would wait for it, and it for that. */
static bool
ttl_index_being_made(Oid relid)
{
	BuildRow   *build = catalog_read_ttl_build(relid);

	return build != NULL && build->phase == BUILD_INDEX;
}

static bool
owns_schema(Oid schema)
{
	HeapTuple	tuple = SearchSysCache1(NAMESPACEOID, ObjectIdGetDatum(schema));
	bool		owns;

	if (!HeapTupleIsValid(tuple))
		return false;
	owns = has_privs_of_role(GetUserId(), ((Form_pg_namespace) GETSTRUCT(tuple))->nspowner);
	ReleaseSysCache(tuple);
	return owns;
}

/*
 * The schema's owner may drop relations in it that are not his, as in
 * PostgreSQL; everything else is the owner's.
 */
static void
check_owner(Relation relation, LOCKMODE lockmode)
{
	if (has_privs_of_role(GetUserId(), relation->rd_rel->relowner))
		return;
	if (lockmode == AccessExclusiveLock && owns_schema(RelationGetNamespace(relation)))
		return;
	aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_TABLE, RelationGetRelationName(relation));
}

ItemTable *
item_table_open_owned(const char *table_name, LOCKMODE lockmode, const char *operation)
{
	TableDescription *description;
	Relation	relation;

	PreventCommandIfReadOnly(operation);
	relation = catalog_open_table(table_name, AccessShareLock, &description);
	if (relation == NULL)
		return NULL;
	check_owner(relation, lockmode);
	if (lockmode == ShareUpdateExclusiveLock)
	{
		index_lock_changes(description->root);
		return load_table(relation, catalog_description(relation));
	}
	if (lockmode == AccessExclusiveLock &&
		index_builds_unfinished(catalog_read_builds(description->root)))
		dynamo_error(RESOURCE_IN_USE, "Attempt to change a resource which is still in use: "
					 "Cannot delete table while indexes are being created, updated, or deleted.");
	if (lockmode == AccessExclusiveLock && ttl_index_being_made(description->root))
		dynamo_error(RESOURCE_IN_USE, "Attempt to change a resource which is still in use: "
					 "Table: %s is in the process of being updated.", table_name);

	/* let go, since two that both wait for the stronger lock would deadlock */
	table_close(relation, AccessShareLock);
	relation = catalog_open_table(table_name, lockmode, &description);
	if (relation == NULL)
		return NULL;
	check_owner(relation, lockmode);
	if (lockmode != AccessExclusiveLock)
		index_lock_changes(description->root);
	return load_table(relation, catalog_description(relation));
}

void
item_table_close(ItemTable *table)
{
	table_close(table->relation, NoLock);
}

/* ---- describing ---- */

static void
append_key_element(JsonWriter *out, const KeyAttribute *attribute, const char *type)
{
	response_open(out, NULL, '{');
	response_string(out, "AttributeName", attribute->name);
	response_string(out, "KeyType", type);
	response_close(out, '}');
}

static void
append_key_schema(JsonWriter *out, KeyAttribute *const *partition, int partition_count,
				  KeyAttribute *const *sort, int sort_count)
{
	response_open(out, "KeySchema", '[');
	for (int i = 0; i < partition_count; i++)
		append_key_element(out, partition[i], "HASH");
	for (int i = 0; i < sort_count; i++)
		append_key_element(out, sort[i], "RANGE");
	response_close(out, ']');
}

static int
compare_attributes(const void *a, const void *b)
{
	return strcmp((*(KeyAttribute *const *) a)->name, (*(KeyAttribute *const *) b)->name);
}

/*
 * The attributes that keys use, in the order of names.
 */
static void
append_attribute_definitions(JsonWriter *out, const TableDescription *description)
{
	KeyAttribute **sorted = palloc(sizeof(KeyAttribute *) * description->attribute_count);

	for (int i = 0; i < description->attribute_count; i++)
		sorted[i] = &description->attributes[i];
	qsort(sorted, description->attribute_count, sizeof(KeyAttribute *), compare_attributes);

	response_open(out, "AttributeDefinitions", '[');
	for (int i = 0; i < description->attribute_count; i++)
	{
		if (!description_uses_attribute(description, sorted[i]))
			continue;
		response_open(out, NULL, '{');
		response_string(out, "AttributeName", sorted[i]->name);
		response_string(out, "AttributeType", attribute_type_name(sorted[i]->type));
		response_close(out, '}');
	}
	response_close(out, ']');
	pfree(sorted);
}

static void
append_provisioned(JsonWriter *out, const Throughput *throughput)
{
	response_open(out, "ProvisionedThroughput", '{');
	if (throughput->increased_at != 0)
		response_time(out, "LastIncreaseDateTime", throughput->increased_at);
	if (throughput->decreased_at != 0)
		response_time(out, "LastDecreaseDateTime", throughput->decreased_at);
	response_integer(out, "NumberOfDecreasesToday", throughput_decreases_today(throughput));
	response_integer(out, "ReadCapacityUnits", throughput->read);
	response_integer(out, "WriteCapacityUnits", throughput->write);
	response_close(out, '}');
}

/*
 * The members that were set; nothing if none was.
 */
static void
append_on_demand(JsonWriter *out, const Throughput *throughput)
{
	if (throughput->max_read == 0 && throughput->max_write == 0)
		return;
	response_open(out, "OnDemandThroughput", '{');
	if (throughput->max_read != 0)
		response_integer(out, "MaxReadRequestUnits", throughput->max_read);
	if (throughput->max_write != 0)
		response_integer(out, "MaxWriteRequestUnits", throughput->max_write);
	response_close(out, '}');
}

/*
 * A new table or index tells it only if it asked for more than it has anyway.
 */
static void
append_warm(JsonWriter *out, const Throughput *throughput, bool on_demand, DescriptionKind kind)
{
	if (kind == DESCRIPTION_DELETED ||
		(kind == DESCRIPTION_CREATED && throughput_warm_is_initial(throughput, on_demand)))
		return;
	response_open(out, "WarmThroughput", '{');
	response_integer(out, "ReadUnitsPerSecond", throughput->warm_read);
	response_integer(out, "WriteUnitsPerSecond", throughput->warm_write);
	response_string(out, "Status", kind == DESCRIPTION_CREATED ? "UPDATING" : "ACTIVE");
	response_close(out, '}');
}

static void
append_projection(JsonWriter *out, const IndexDescription *index)
{
	ListCell   *cell;

	response_open(out, "Projection", '{');
	response_string(out, "ProjectionType",
					index->projection == PROJECT_ALL ? "ALL" :
					index->projection == PROJECT_KEYS_ONLY ? "KEYS_ONLY" : "INCLUDE");
	if (index->projection == PROJECT_INCLUDE)
	{
		response_open(out, "NonKeyAttributes", '[');
		foreach(cell, index->included)
			response_string(out, NULL, lfirst(cell));
		response_close(out, ']');
	}
	response_close(out, '}');
}

/*
 * An index that UpdateTable adds is not backfilling yet until its columns are
 * there.
 */
static void
append_index_status(JsonWriter *out, const IndexDescription *index, const BuildRow *build,
					DescriptionKind kind)
{
	static const char *const names[] = {"CREATING", "ACTIVE", "DELETING"};

	response_string(out, "IndexStatus",
					names[kind == DESCRIPTION_CREATED ? INDEX_CREATING : index->status]);
	if (index->status == INDEX_CREATING && build != NULL)
		response_bool(out, "Backfilling", build->phase != BUILD_PENDING);
}

static void
append_index(JsonWriter *out, const ItemTable *table, int position, const TableSize *size,
			 DescriptionKind kind)
{
	const IndexDescription *index = &table->description->indexes[position];
	const Throughput *throughput = &table->indexes[position].throughput;

	response_open(out, NULL, '{');
	response_string(out, "IndexName", index->name);
	append_key_schema(out, index->partition, index->partition_count,
					  index->sort, index->sort_count);
	append_projection(out, index);
	if (index->kind == INDEX_GLOBAL)
	{
		append_index_status(out, index, index_build_of(table->builds, index->name), kind);
		append_provisioned(out, throughput);
	}
	response_integer(out, "IndexSizeBytes", size->bytes);
	response_integer(out, "ItemCount", size->items);
	response_string(out, "IndexArn",
					psprintf("%s/index/%s", table_arn(table->description->name), index->name));
	if (index->kind == INDEX_GLOBAL)
	{
		append_on_demand(out, throughput);
		append_warm(out, throughput, table->settings.on_demand, kind);
	}
	response_close(out, '}');
}

/*
 * The indexes of one kind in the order in which they were defined.
 */
static void
append_indexes(JsonWriter *out, const ItemTable *table, IndexKind index_kind,
			   const char *member, const TableSize *sizes, DescriptionKind kind)
{
	const TableDescription *description = table->description;
	bool		any = false;
	int			after = -1;

	for (;;)
	{
		int			next = -1;

		for (int i = 0; i < description->index_count; i++)
		{
			if (description->indexes[i].kind == index_kind &&
				table->indexes[i].position > after &&
				(next < 0 || table->indexes[i].position < table->indexes[next].position))
				next = i;
		}
		if (next < 0)
			break;
		if (!any)
			response_open(out, member, '[');
		any = true;
		append_index(out, table, next, &sizes[next], kind);
		after = table->indexes[next].position;
	}
	if (any)
		response_close(out, ']');
}

/*
 * Only a table that is or was on demand tells its billing mode.
 */
static void
append_billing(JsonWriter *out, const TableSettings *settings, DescriptionKind kind)
{
	if (!settings->on_demand && settings->on_demand_since == 0)
		return;
	response_open(out, "BillingModeSummary", '{');
	response_string(out, "BillingMode", settings->on_demand ? "PAY_PER_REQUEST" : "PROVISIONED");
	if (kind != DESCRIPTION_CREATED)
		response_time(out, "LastUpdateToPayPerRequestDateTime", settings->on_demand_since);
	response_close(out, '}');
}

static void
append_stream(JsonWriter *out, const char *table_name, const TableSettings *settings)
{
	if (settings->stream_view != NULL)
	{
		response_open(out, "StreamSpecification", '{');
		response_bool(out, "StreamEnabled", true);
		response_string(out, "StreamViewType", settings->stream_view);
		response_close(out, '}');
	}
	if (settings->stream_label != NULL)
	{
		response_string(out, "LatestStreamLabel", settings->stream_label);
		response_string(out, "LatestStreamArn",
						psprintf("%s/stream/%s", table_arn(table_name), settings->stream_label));
	}
}

static void
append_encryption(JsonWriter *out, const TableSettings *settings)
{
	const char *key = settings->kms_key;

	if (!settings->encrypted)
		return;
	if (key == NULL)
		key = "alias/aws/dynamodb";
	if (strncmp(key, "arn:", 4) != 0)
		key = psprintf("arn:aws:kms:%s:%s:%s%s", dynamo_region, dynamo_account_id,
					   strncmp(key, "alias/", 6) == 0 ? "" : "key/", key);
	response_open(out, "SSEDescription", '{');
	response_string(out, "Status", "ENABLED");
	response_string(out, "SSEType", "KMS");
	response_string(out, "KMSMasterKeyArn", key);
	response_close(out, '}');
}

static void
append_table_class(JsonWriter *out, const TableSettings *settings)
{
	if (settings->table_class == NULL)
		return;
	response_open(out, "TableClassSummary", '{');
	response_string(out, "TableClass", settings->table_class);
	if (settings->table_class_at != 0)
		response_time(out, "LastUpdateDateTime", settings->table_class_at);
	response_close(out, '}');
}

/* Is an index about to be added, its columns not there yet? */
static bool
is_updating(const ItemTable *table)
{
	ListCell   *cell;

	foreach(cell, table->builds)
	{
		if (((BuildRow *) lfirst(cell))->phase == BUILD_PENDING)
			return true;
	}
	return false;
}

static const char *
status_name(const ItemTable *table, DescriptionKind kind)
{
	if (kind == DESCRIPTION_PRESENT && is_updating(table))
		return "UPDATING";
	switch (kind)
	{
		case DESCRIPTION_CREATED:
			return "CREATING";
		case DESCRIPTION_PRESENT:
			return "ACTIVE";
		case DESCRIPTION_UPDATED:
			return "UPDATING";
		case DESCRIPTION_DELETED:
			return "DELETING";
	}
	return NULL;
}

/*
 * What only the answer of DeleteTable leaves out, first and last part.
 */
static void
append_schema(JsonWriter *out, const ItemTable *table)
{
	const TableDescription *description = table->description;

	append_attribute_definitions(out, description);
	append_key_schema(out, &description->partition, 1,
					  &description->sort, description->sort != NULL);
	response_time(out, "CreationDateTime", epoch_milliseconds(table->row.created_at));
}

void
table_description_append(JsonWriter *out, const ItemTable *table, DescriptionKind kind)
{
	const TableSettings *settings = &table->settings;
	const TableDescription *description = table->description;
	TableSize  *index_sizes = palloc(sizeof(TableSize) * (description->index_count + 1));
	TableSize	size;

	table_statistics(table->relation, description, &size, index_sizes);

	response_open(out, NULL, '{');
	if (kind != DESCRIPTION_DELETED)
		append_schema(out, table);
	response_string(out, "TableName", description->name);
	response_string(out, "TableStatus", status_name(table, kind));
	append_provisioned(out, &settings->throughput);
	response_integer(out, "TableSizeBytes", size.bytes);
	response_integer(out, "ItemCount", size.items);
	response_string(out, "TableArn", table_arn(description->name));
	response_string(out, "TableId",
					DatumGetCString(DirectFunctionCall1(uuid_out, UUIDPGetDatum(&table->row.table_id))));
	append_billing(out, settings, kind);
	if (kind != DESCRIPTION_DELETED)
	{
		append_indexes(out, table, INDEX_LOCAL, "LocalSecondaryIndexes", index_sizes, kind);
		append_indexes(out, table, INDEX_GLOBAL, "GlobalSecondaryIndexes", index_sizes, kind);
	}
	append_stream(out, description->name, settings);
	append_encryption(out, settings);
	append_table_class(out, settings);
	response_bool(out, "DeletionProtectionEnabled", settings->deletion_protection);
	append_on_demand(out, &settings->throughput);
	append_warm(out, &settings->throughput, settings->on_demand, kind);
	response_close(out, '}');
}
