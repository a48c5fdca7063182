/*
 * ddl.c
 *		Keeping the catalog's rows in step with what DDL does to item relations.
 *
 * DROP of an item relation, by whatever way, deletes its rows; so does leaving
 * the access method.  A table keeps the name and the key columns it is known
 * by: renaming it would leave the names of its indexes in the way of the next
 * table of the old name, so it is refused as in DynamoDB, which has no rename.
 * The B-trees of its indexes come and go with the catalog's rows, and keep the
 * names that stand there.  Other DDL (columns of one's own, moving to another schema, persistence) is
 * free.
 *
 * The functions are SECURITY DEFINER: they touch the catalog on behalf of
 * whoever owns the item relation.
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/index.h"
#include "catalog/namespace.h"
#include "catalog/pg_collation_d.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type_d.h"
#include "commands/event_trigger.h"
#include "commands/trigger.h"
#include "executor/spi.h"
#include "nodes/parsenodes.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

#include "catalog/description.h"
#include "catalog/rows.h"
#include "catalog/ttl.h"
#include "compat.h"
#include "item/key.h"

PG_FUNCTION_INFO_V1(catalog_on_drop);
PG_FUNCTION_INFO_V1(catalog_on_drop_index);
PG_FUNCTION_INFO_V1(catalog_on_alter);
PG_FUNCTION_INFO_V1(catalog_rows_changed);

/*
 * Run a query with the newest snapshot, whatever the transaction's: it shall
 * see the rows of tables that others have created since.  The caller is
 * connected to SPI and pops the snapshot.
 */
static void
query_newest(const char *query, int argument_count, Oid *types, Datum *arguments)
{
	PushActiveSnapshot(GetLatestSnapshot());
	if (SPI_execute_with_args(query, argument_count, types, arguments, NULL, true, 0) != SPI_OK_SELECT)
		elog(ERROR, "could not read the catalog's rows");
}

/* OIDs of relations, from a query that returns one column of them. */
static List *
query_relations(const char *query)
{
	MemoryContext caller = CurrentMemoryContext;
	List	   *relations = NIL;

	SPI_connect();
	query_newest(query, 0, NULL, NULL);
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		bool		isnull;
		Datum		relid = SPI_getbinval(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, 1, &isnull);
		MemoryContext procedure = MemoryContextSwitchTo(caller);

		relations = lappend_oid(relations, DatumGetObjectId(relid));
		MemoryContextSwitchTo(procedure);
	}
	PopActiveSnapshot();
	SPI_finish();
	return relations;
}

static EventTriggerData *
event(FunctionCallInfo fcinfo)
{
	if (!CALLED_AS_EVENT_TRIGGER(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_EVENT_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("function must be called as an event trigger")));
	return (EventTriggerData *) fcinfo->context;
}

Datum
catalog_on_drop(PG_FUNCTION_ARGS)
{
	List	   *relations;
	ListCell   *cell;

	(void) event(fcinfo);

	relations = query_relations("SELECT objid FROM pg_catalog.pg_event_trigger_dropped_objects()"
								" WHERE object_type OPERATOR(pg_catalog.=) 'table'"
								" AND NOT is_temporary");
	foreach(cell, relations)
		catalog_forget(lfirst_oid(cell));
	PG_RETURN_NULL();
}

/* An attribute with its column, as the catalog's rows say. */
typedef struct KnownColumn
{
	char	   *attribute;
	char	   *column;
	AttributeType type;
	bool		table_key;
} KnownColumn;

typedef struct KnownTable
{
	char	   *name;
	List	   *columns;		/* of KnownColumn; the table's keys first, in their order */
	int			key_count;
} KnownTable;

/*
 * What the catalog says of the table, NULL if nothing.  Not through a
 * description, which cannot be had of a table with a column missing.
 */
static KnownTable *
known_table(Oid relid)
{
	static const char *query =
		"SELECT t.table_name, a.attribute, a.column_name, a.type::pg_catalog.text,"
		" a.attribute OPERATOR(pg_catalog.=) t.partition_key OR"
		" a.attribute OPERATOR(pg_catalog.=) t.sort_key IS TRUE"
		" FROM dynamo.tables t JOIN dynamo.attributes a"
		" ON a.relation OPERATOR(pg_catalog.=) t.relation"
		" WHERE t.relation OPERATOR(pg_catalog.=) $1"
		/* columns that the build of an index is yet to add */
		" AND NOT (EXISTS (SELECT FROM dynamo.builds b JOIN dynamo.indexes i"
		"  ON i.relation OPERATOR(pg_catalog.=) b.relation"
		"  AND i.index_name OPERATOR(pg_catalog.=) b.index_name"
		"  WHERE b.relation OPERATOR(pg_catalog.=) $1"
		"  AND b.phase OPERATOR(pg_catalog.=) 'PENDING'"
		"  AND a.attribute OPERATOR(pg_catalog.=) ANY"
		"   (i.partition_keys OPERATOR(pg_catalog.||) i.sort_keys))"
		" AND NOT EXISTS (SELECT FROM pg_catalog.pg_attribute c"
		"  WHERE c.attrelid OPERATOR(pg_catalog.=) $1"
		"  AND c.attname OPERATOR(pg_catalog.=) a.column_name))"
		" ORDER BY a.attribute OPERATOR(pg_catalog.<>) t.partition_key,"
		" a.attribute OPERATOR(pg_catalog.=) t.sort_key IS NOT TRUE";
	MemoryContext caller = CurrentMemoryContext;
	KnownTable *table = NULL;
	Oid			type = OIDOID;
	Datum		argument = ObjectIdGetDatum(relid);

	SPI_connect();
	query_newest(query, 1, &type, &argument);
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		HeapTuple	row = SPI_tuptable->vals[i];
		TupleDesc	tupdesc = SPI_tuptable->tupdesc;
		MemoryContext procedure = MemoryContextSwitchTo(caller);
		KnownColumn *column = palloc0(sizeof(KnownColumn));
		char	   *type_name = SPI_getvalue(row, tupdesc, 4);

		if (table == NULL)
		{
			table = palloc0(sizeof(KnownTable));
			table->name = SPI_getvalue(row, tupdesc, 1);
		}
		column->attribute = SPI_getvalue(row, tupdesc, 2);
		column->column = SPI_getvalue(row, tupdesc, 3);
		column->type = *type_name == 'S' ? ATTRIBUTE_S : *type_name == 'N' ? ATTRIBUTE_N : ATTRIBUTE_B;
		column->table_key = SPI_getvalue(row, tupdesc, 5)[0] == 't';
		if (column->table_key)
			table->key_count++;
		table->columns = lappend(table->columns, column);
		MemoryContextSwitchTo(procedure);
	}
	PopActiveSnapshot();
	SPI_finish();
	return table;
}

static void
refuse_column(const KnownTable *table, const char *name)
{
	bool		of_index = false;
	ListCell   *cell;

	foreach(cell, table->columns)
	{
		KnownColumn *column = lfirst(cell);

		if (strcmp(column->column, name) == 0)
			of_index = !column->table_key;
	}
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("cannot rename, drop or change column \"%s\" of DynamoDB table \"%s\"",
					name, table->name),
			 of_index ? errhint("UpdateTable drops secondary indexes and their columns.") : 0));
}

static void
check_column(const KnownTable *table, Relation relation, const char *name, Oid type,
			 Oid collation, bool not_null)
{
	TupleDesc	tupdesc = RelationGetDescr(relation);

	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(tupdesc, i);

		if (!attribute->attisdropped && strcmp(NameStr(attribute->attname), name) == 0 &&
			attribute->atttypid == type && attribute->attcollation == collation &&
			(attribute->attnotnull || !not_null) && !attribute->attgenerated)
			return;
	}
	refuse_column(table, name);
}

/*
 * ALTER COLUMN .. TYPE .. USING changes values even where the type stays, and
 * what a rewrite stores does not pass the gate.
 */
static void
check_type_changes(const KnownTable *table, const Node *command)
{
	ListCell   *cell;

	if (!IsA(command, AlterTableStmt))
		return;
	foreach(cell, ((const AlterTableStmt *) command)->cmds)
	{
		AlterTableCmd *subcommand = lfirst(cell);
		ListCell   *column;

		if (subcommand->subtype != AT_AlterColumnType)
			continue;
		if (strcmp(subcommand->name, "item") == 0)
			refuse_column(table, "item");
		foreach(column, table->columns)
			if (strcmp(subcommand->name, ((KnownColumn *) lfirst(column))->column) == 0)
				refuse_column(table, subcommand->name);
	}
}

static void
check_columns(const KnownTable *table, Relation relation)
{
	ListCell   *cell;

	check_column(table, relation, "item", JSONBOID, InvalidOid, true);
	foreach(cell, table->columns)
	{
		KnownColumn *column = lfirst(cell);

		check_column(table, relation, column->column, key_column_type(column->type),
					 column->type == ATTRIBUTE_S ? C_COLLATION_OID : InvalidOid,
					 column->table_key);
	}
}

/* While items expire, their times are in the column. */
static void
check_ttl_column(const KnownTable *table, Relation relation, const Node *command)
{
	TtlRow		ttl;
	ListCell   *cell;

	if (!catalog_read_ttl(RelationGetRelid(relation), &ttl) || ttl.state != TTL_ENABLED)
		return;
	check_column(table, relation, ttl.column, INT8OID, InvalidOid, false);
	if (!IsA(command, AlterTableStmt))
		return;
	foreach(cell, ((const AlterTableStmt *) command)->cmds)
	{
		AlterTableCmd *subcommand = lfirst(cell);

		if (subcommand->subtype == AT_AlterColumnType && strcmp(subcommand->name, ttl.column) == 0)
			refuse_column(table, ttl.column);
	}
}

/*
 * A primary key that is dropped must be replaced by one on the same columns.
 * Other commands may find none yet: pg_restore adds constraints one by one,
 * after the catalog's rows.
 */
static bool
drops_constraint(const Node *command)
{
	ListCell   *cell;

	if (!IsA(command, AlterTableStmt))
		return false;
	foreach(cell, ((const AlterTableStmt *) command)->cmds)
		if (((AlterTableCmd *) lfirst(cell))->subtype == AT_DropConstraint)
			return true;
	return false;
}

static void
check_primary_key(const KnownTable *table, Relation relation)
{
	Oid			index_oid = compat_primary_key_index(relation);
	Relation	index;
	bool		matches;

	if (OidIsValid(index_oid))
	{
		index = relation_open(index_oid, AccessShareLock);
		matches = index->rd_index->indnkeyatts == table->key_count &&
			index->rd_index->indimmediate;
		for (int i = 0; matches && i < table->key_count; i++)
		{
			KnownColumn *column = list_nth(table->columns, i);

			matches = index->rd_index->indkey.values[i] ==
				get_attnum(RelationGetRelid(relation), column->column);
		}
		relation_close(index, AccessShareLock);
		if (matches)
			return;
	}
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("cannot drop or change the primary key of DynamoDB table \"%s\"", table->name)));
}

static void
check_name(const KnownTable *table, Relation relation)
{
	if (strcmp(RelationGetRelationName(relation), catalog_relation_name(table->name)) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot rename DynamoDB table \"%s\"", table->name),
				 errhint("Create a table of the new name and copy the items, or move the table to another schema.")));
}

/* UpdateTable finds the B-trees by their names. */
static void
check_index_names(const KnownTable *table, Relation relation)
{
	ListCell   *cell;

	foreach(cell, catalog_index_relations(RelationGetRelid(relation)))
	{
		if (!OidIsValid(get_relname_relid(lfirst(cell), RelationGetNamespace(relation))))
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("cannot rename index \"%s\" of DynamoDB table \"%s\"",
							(char *) lfirst(cell), table->name)));
	}
}

/* Every partition has to pass the gate. */
static void
check_partitions(const KnownTable *table, Relation root)
{
	List	   *partitions = find_all_inheritors(RelationGetRelid(root), AccessShareLock, NULL);
	ListCell   *cell;

	foreach(cell, partitions)
	{
		Relation	partition = relation_open(lfirst_oid(cell), NoLock);

		if (partition->rd_rel->relkind != RELKIND_PARTITIONED_TABLE &&
			!catalog_is_our_relation(partition))
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("partition \"%s\" of DynamoDB table \"%s\" must use access method \"dynamo\"",
							RelationGetRelationName(partition), table->name),
					 errhint("Create the partition with USING dynamo.")));
		relation_close(partition, NoLock);
	}
}

/* The rows of one that inherits would be the table's, with no gate and no key. */
static void
check_children(const KnownTable *table, Oid relid)
{
	List	   *children = find_inheritance_children(relid, NoLock);

	if (children != NIL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("table \"%s\" cannot inherit from DynamoDB table \"%s\"",
						get_rel_name(linitial_oid(children)), table->name)));
}

static void
check_relation(Oid relid, const Node *command)
{
	Relation	relation = relation_open(relid, AccessShareLock);
	KnownTable *table = known_table(relid);

	if (relation->rd_rel->relkind != RELKIND_PARTITIONED_TABLE &&
		!catalog_is_our_relation(relation))
		catalog_forget(relid);
	else if (table)
	{
		check_name(table, relation);
		check_columns(table, relation);
		check_type_changes(table, command);
		check_ttl_column(table, relation, command);
		if (drops_constraint(command))
			check_primary_key(table, relation);
		if (IsA(command, RenameStmt))
			check_index_names(table, relation);
		if (relation->rd_rel->relkind == RELKIND_PARTITIONED_TABLE)
			check_partitions(table, relation);
		else
			check_children(table, relid);
	}
	relation_close(relation, NoLock);
}

Datum
catalog_on_alter(PG_FUNCTION_ARGS)
{
	const Node *command = event(fcinfo)->parsetree;
	List	   *relations;
	ListCell   *cell;

	/* a command alters children too, and what a child may not do its parent or root decides */
	relations = query_relations("WITH RECURSIVE altered AS ("
								"SELECT objid FROM pg_catalog.pg_event_trigger_ddl_commands()"
								" WHERE classid OPERATOR(pg_catalog.=)"
								" 'pg_catalog.pg_class'::pg_catalog.regclass"
								" UNION SELECT i.inhrelid FROM pg_catalog.pg_inherits i JOIN altered a"
								" ON i.inhparent OPERATOR(pg_catalog.=) a.objid)"
								" SELECT DISTINCT t.relation::pg_catalog.oid"
								" FROM dynamo.tables t JOIN altered a"
								" ON t.relation OPERATOR(pg_catalog.=) a.objid OR"
								" t.relation OPERATOR(pg_catalog.=) pg_catalog.pg_partition_root(a.objid) OR"
								" EXISTS (SELECT FROM pg_catalog.pg_inherits i"
								" WHERE i.inhrelid OPERATOR(pg_catalog.=) a.objid"
								" AND i.inhparent OPERATOR(pg_catalog.=) t.relation) OR"
								" t.relation OPERATOR(pg_catalog.=) (SELECT indrelid FROM pg_catalog.pg_index"
								" WHERE indexrelid OPERATOR(pg_catalog.=) a.objid)");
	foreach(cell, relations)
		check_relation(lfirst_oid(cell), command);
	PG_RETURN_NULL();
}

/* Dropping indexes of a table that stays: those that the catalog has as ACTIVE. */
static void
check_index_drop(Relation relation, Oid index)
{
	const TableDescription *description = catalog_description(relation);
	const char *name = get_rel_name(index);
	const char *hint = NULL;

	if (description == NULL)
		return;
	for (int i = 0; i < description->index_count; i++)
	{
		const IndexDescription *known = &description->indexes[i];

		if (known->active && strcmp(known->relation_name, name) == 0)
			hint = known->kind == INDEX_LOCAL ? "A local secondary index lives as long as its table." :
				"UpdateTable (dynamo.update_table) deletes global secondary indexes.";
	}
	if (description->ttl && catalog_ttl_index(relation, description->ttl->column) == index)
	{
		const BuildRow *build = catalog_read_ttl_build(description->root);

		if (build && build->phase == BUILD_DONE)
			hint = "Items expire by it; dynamo.disable_ttl() ends that and drops it.";
	}
	if (hint)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot drop index \"%s\" of DynamoDB table \"%s\"", name, description->name),
				 errhint("%s", hint)));
}

/*
 * Before the command: at its end an index that is dropped concurrently would be
 * dead already.  Names are the user's, so the function must not set search_path.
 */
Datum
catalog_on_drop_index(PG_FUNCTION_ARGS)
{
	const DropStmt *command = castNode(DropStmt, event(fcinfo)->parsetree);
	ListCell   *cell;

	foreach(cell, command->objects)
	{
		Oid			index = RangeVarGetRelid(makeRangeVarFromNameList(lfirst(cell)), NoLock, true);
		Oid			table = OidIsValid(index) ? IndexGetRelation(index, true) : InvalidOid;
		Relation	relation = OidIsValid(table) ? try_relation_open(table, AccessShareLock) : NULL;

		if (relation)
		{
			check_index_drop(relation, index);
			relation_close(relation, AccessShareLock);
		}
	}
	PG_RETURN_NULL();
}

/*
 * Row trigger on the catalog's tables: rows that come by SQL (pg_restore's
 * COPY) invalidate descriptions as those of the operations do.
 */
Datum
catalog_rows_changed(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	HeapTuple	rows[2];

	if (!CALLED_AS_TRIGGER(fcinfo) || !TRIGGER_FIRED_FOR_ROW(trigger->tg_event))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("function \"catalog_rows_changed\" must be called FOR EACH ROW")));

	rows[0] = trigger->tg_trigtuple;
	rows[1] = TRIGGER_FIRED_BY_UPDATE(trigger->tg_event) ? trigger->tg_newtuple : NULL;
	for (int i = 0; i < lengthof(rows) && rows[i]; i++)
	{
		bool		isnull;
		Datum		relid = heap_getattr(rows[i], 1, RelationGetDescr(trigger->tg_relation), &isnull);

		if (!isnull && SearchSysCacheExists1(RELOID, relid))
			CacheInvalidateRelcacheByRelid(DatumGetObjectId(relid));
	}
	return PointerGetDatum(NULL);
}
