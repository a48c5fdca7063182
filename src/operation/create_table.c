/*
 * create_table.c
 *		CreateTable: the item relation with its indexes, and the catalog's rows.
 *
 * The relation is made by SQL with the caller's rights, so the privileges on
 * schema dynamo.schema decide who may create tables, and whoever creates one
 * owns its relation.
 */
#include "postgres.h"

#include "access/table.h"
#include "access/xact.h"
#include "catalog/namespace.h"
#include "common/hashfn.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "storage/lock.h"
#include "tcop/utility.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"

#include "catalog/rows.h"
#include "guc.h"
#include "index/index_sql.h"
#include "operation/key_schema.h"
#include "operation/response.h"
#include "operation/table_description.h"
#include "operation/tags.h"
#include "stream/shards.h"
#include "tableam/tableam.h"

#define ITEM_COLUMN "item"

#ifdef USE_LZ4
#define ITEM_COMPRESSION "COMPRESSION lz4 "
#else
#define ITEM_COMPRESSION ""
#endif

/* A table about to be created: its definition and its relation's names. */
typedef struct NewTable
{
	const char *name;
	TableDefinition *definition;
	TableSettings settings;
	List	   *tags;
	Oid			schema;
	const char *relation_name;
	const char *quoted;			/* "schema"."relation" */
	const char **columns;		/* beside definition->attributes */
} NewTable;

/* ---- the request ---- */

static void
parse_request(NewTable *table, const cJSON *request)
{
	static const char *const unsupported[] = {"GlobalTableSourceArn", "VectorIndexes", NULL};
	ConstraintFaults faults = {0};

	/* a bad name is reported by itself */
	table->name = request_table_name(request, &faults);
	constraint_raise(&faults);
	table_settings_constraints(request, &faults);
	table_definition_constraints(request, &faults);
	constraint_raise(&faults);

	table_settings_billing(&table->settings, request);
	table->definition = table_definition_from_request(request, table->settings.on_demand);
	table_settings_others(&table->settings, request);
	request_refuse_members(request, unsupported);
	table->tags = tags_from_request(request_array(request, "Tags"));
}

/*
 * Limits of the account come last, after the table's existence.
 */
static void
check_limits(const NewTable *table)
{
	ListCell   *cell;

	throughput_check_limits(&table->settings.throughput, NULL);
	foreach(cell, table->definition->indexes)
	{
		IndexDefinition *index = lfirst(cell);

		throughput_check_limits(&index->settings.throughput, index->name);
	}
}

/* ---- the name ---- */

/*
 * Of those who create a table of one name, one goes on and the others wait for
 * its end.  The lock is of our own catalog's class, so it meets no one else's.
 */
static void
lock_name(const NewTable *table)
{
	LOCKTAG		tag;

	SET_LOCKTAG_OBJECT(tag, MyDatabaseId, catalog_table_oid("tables", false),
					   hash_bytes((const unsigned char *) table->relation_name,
								  strlen(table->relation_name)),
					   (uint16) table->schema);
	(void) LockAcquire(&tag, ExclusiveLock, false, false);
	AcceptInvalidationMessages();	/* the relation of the one we waited for */
}

static void
check_name_free(const NewTable *table)
{
	Oid			relid = get_relname_relid(table->relation_name, table->schema);
	TableRow	row;

	if (!OidIsValid(relid))
		return;
	if (catalog_read_table(relid, &row))
		dynamo_error(RESOURCE_IN_USE, "Table already exists: %s", table->name);
	dynamo_error(RESOURCE_IN_USE,
				 "Table already exists: %s (relation %s is not a table of DynamoDB)",
				 table->name, table->quoted);
}

static void
name_relation(NewTable *table)
{
	TableDefinition *definition = table->definition;
	List	   *taken = list_make1(ITEM_COLUMN);

	table->schema = get_namespace_oid(dynamo_schema, false);
	table->relation_name = catalog_relation_name(table->name);
	table->quoted = quote_qualified_identifier(dynamo_schema, table->relation_name);
	table->columns = palloc(sizeof(char *) * definition->attribute_count);
	for (int i = 0; i < definition->attribute_count; i++)
	{
		char	   *column = catalog_column_name(definition->attributes[i].name, taken);

		table->columns[i] = column;
		taken = lappend(taken, column);
	}
}

/* ---- the relation ---- */

static void
execute(const char *statement)
{
	int			result = SPI_execute(statement, false, 0);

	if (result != SPI_OK_UTILITY)
		elog(ERROR, "%s gave %s", statement, SPI_result_code_string(result));
}

static int
attribute_position(const NewTable *table, const char *name)
{
	return definition_of_attribute(table->definition, name) - table->definition->attributes;
}

static const char *
quoted_column(const NewTable *table, const char *attribute)
{
	return quote_identifier(table->columns[attribute_position(table, attribute)]);
}

static char *
index_relation_name(const NewTable *table, const IndexDefinition *index)
{
	return catalog_derived_name(table->relation_name, psprintf("index:%s", index->name));
}

static void
append_column(StringInfo sql, const NewTable *table, int position)
{
	index_append_column(sql, table->definition->attributes[position].type,
						quote_identifier(table->columns[position]));
}

static bool
schema_has(const KeySchema *keys, const char *attribute)
{
	for (int i = 0; i < keys->count; i++)
	{
		if (strcmp(keys->elements[i].name, attribute) == 0)
			return true;
	}
	return false;
}

/*
 * A list of the columns of a key's elements.
 */
static void
append_key_columns(StringInfo sql, const NewTable *table, const KeySchema *keys)
{
	for (int i = 0; i < keys->count; i++)
		appendStringInfo(sql, "%s%s", i == 0 ? "" : ", ",
						 quoted_column(table, keys->elements[i].name));
}

static char *
create_table_statement(const NewTable *table)
{
	const TableDefinition *definition = table->definition;
	StringInfoData sql;

	initStringInfo(&sql);
	appendStringInfo(&sql, "CREATE TABLE %s (", table->quoted);
	for (int i = 0; i < definition->keys.count; i++)
	{
		append_column(&sql, table, attribute_position(table, definition->keys.elements[i].name));
		appendStringInfoString(&sql, " NOT NULL, ");
	}
	appendStringInfoString(&sql, ITEM_COLUMN " pg_catalog.jsonb " ITEM_COMPRESSION "NOT NULL, ");
	for (int i = 0; i < definition->attribute_count; i++)
	{
		if (schema_has(&definition->keys, definition->attributes[i].name))
			continue;
		append_column(&sql, table, i);
		appendStringInfoString(&sql, ", ");
	}
	appendStringInfo(&sql, "CONSTRAINT %s PRIMARY KEY (",
					 quote_identifier(catalog_derived_name(table->relation_name, "pk")));
	append_key_columns(&sql, table, &definition->keys);
	appendStringInfoString(&sql, ")) USING dynamo WITH (fillfactor = 90)");
	return sql.data;
}

/*
 * The columns of the key elements of one kind; returns how many.
 */
static int
key_columns(const NewTable *table, const KeySchema *keys, bool range, IndexColumn *columns)
{
	int			count = 0;

	for (int i = 0; i < keys->count; i++)
	{
		const char *name = keys->elements[i].name;

		if (keys->elements[i].range != range)
			continue;
		columns[count].type = definition_of_attribute(table->definition, name)->type;
		columns[count++].quoted = quoted_column(table, name);
	}
	return count;
}

static char *
create_index_statement(const NewTable *table, const IndexDefinition *index)
{
	const KeySchema *keys = &table->definition->keys;
	IndexColumn table_keys[2];
	IndexShape	shape;
	int			count;

	count = key_columns(table, keys, false, table_keys);
	count += key_columns(table, keys, true, &table_keys[count]);
	shape.kind = index->kind;
	shape.partition_count = key_columns(table, &index->keys, false, shape.partition);
	shape.sort_count = key_columns(table, &index->keys, true, shape.sort);
	return index_create_sql(quote_identifier(index_relation_name(table, index)), table->quoted,
							false, &shape, table_keys, count);
}

/*
 * Make the relation, and open it.  The trigger fills key columns for raw SQL.
 */
static Relation
create_relation(const NewTable *table)
{
	ListCell   *cell;

	SPI_connect();
	execute(create_table_statement(table));
	foreach(cell, table->definition->indexes)
		execute(create_index_statement(table, lfirst(cell)));
	execute(tableam_key_trigger_sql(table->quoted));
	SPI_finish();

	return table_open(get_relname_relid(table->relation_name, table->schema),
					  AccessExclusiveLock);
}

/* ---- the catalog ---- */

static void
insert_indexes(const NewTable *table, Oid relid)
{
	ListCell   *cell;

	foreach(cell, table->definition->indexes)
	{
		IndexDefinition *index = lfirst(cell);
		IndexRow	row = {0};

		row.index_name = index->name;
		row.index_relation = index_relation_name(table, index);
		row.kind = index->kind;
		row.partition_keys = key_schema_names(&index->keys, false);
		row.sort_keys = key_schema_names(&index->keys, true);
		row.projection = index->projection;
		row.included = index->included;
		row.status = "ACTIVE";	/* there is nothing in it yet */
		row.settings = index_settings_to_jsonb(&index->settings);
		catalog_insert_index(relid, &row);
	}
}

static void
insert_rows(NewTable *table, Oid relid)
{
	const TableDefinition *definition = table->definition;
	TableRow	row = {0};
	ListCell   *cell;

	row.relation = relid;
	row.table_name = table->name;
	row.table_id = *DatumGetUUIDP(DirectFunctionCall1(gen_random_uuid, (Datum) 0));
	row.created_at = GetCurrentTimestamp();
	row.partition_key = definition->keys.elements[0].name;
	row.sort_key = definition->keys.count > 1 ? definition->keys.elements[1].name : NULL;
	if (table->settings.on_demand)
		table->settings.on_demand_since = epoch_milliseconds(row.created_at);
	row.settings = table_settings_to_jsonb(&table->settings);
	catalog_insert_table(&row);

	for (int i = 0; i < definition->attribute_count; i++)
		catalog_insert_attribute(relid, definition->attributes[i].name,
								 definition->attributes[i].type, table->columns[i]);
	insert_indexes(table, relid);
	foreach(cell, table->tags)
	{
		Tag		   *tag = lfirst(cell);

		catalog_set_tag(relid, tag->key, tag->value);
	}
}

/*
 * The label that the settings keep is the stream's.
 */
static void
begin_stream(NewTable *table, Oid relid)
{
	TableSettings *settings = &table->settings;
	Relation	relation;
	StreamView	view;

	if (settings->stream_view == NULL || !stream_view_from_name(settings->stream_view, &view))
		return;
	relation = table_open(relid, NoLock);
	settings->stream_label =
		stream_begin(relid, catalog_description(relation), view,
					 stream_shard_count(settings->on_demand, settings->throughput.read,
										settings->throughput.write));
	table_close(relation, NoLock);
	catalog_update_table_settings(relid, table_settings_to_jsonb(settings));
	CacheInvalidateRelcacheByRelid(relid);
	CommandCounterIncrement();
}

void
create_table(const cJSON *request, JsonWriter *response)
{
	NewTable	table = {0};
	Relation	relation;
	Oid			relid;
	ItemTable  *created;

	parse_request(&table, request);
	PreventCommandIfReadOnly("CreateTable");
	name_relation(&table);
	lock_name(&table);
	check_name_free(&table);
	check_limits(&table);

	relation = create_relation(&table);
	relid = RelationGetRelid(relation);
	insert_rows(&table, relid);
	table_close(relation, NoLock);

	begin_stream(&table, relid);
	created = item_table_open(table.name, AccessExclusiveLock);
	if (created == NULL)
		elog(ERROR, "table \"%s\" is not in the catalog of dynamo", table.name);
	response_open(response, NULL, '{');
	response_member(response, "TableDescription");
	table_description_append(response, created, DESCRIPTION_CREATED);
	response_close(response, '}');
	item_table_close(created);
}
