/*
 * new_partition.c
 *		A partition that joins an item table gets what the others have.
 *
 * PostgreSQL gives it the primary key and the B-trees of secondary indexes.
 * The items it brings have not passed the gate, and the B-tree of time to live
 * is each partition's own.
 */
#include "postgres.h"

#include "access/table.h"
#include "access/xact.h"
#include "catalog/partition.h"
#include "catalog/namespace.h"
#include "catalog/pg_authid.h"
#include "commands/event_trigger.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "tcop/deparse_utility.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"

#include "index/backfill.h"
#include "index/index_build.h"
#include "index/ttl_index.h"
#include "tableam/tableam.h"

/*
 * Partitions that a command has made or attached, added to the list.  PostgreSQL
 * 15 does not tell the OID of an attached one.
 */
static List *
new_partitions(List *partitions, const CollectedCommand *command)
{
	ListCell   *cell;

	if (command->type == SCT_Simple && IsA(command->parsetree, CreateStmt) &&
		castNode(CreateStmt, command->parsetree)->partbound != NULL)
		return lappend_oid(partitions, command->d.simple.address.objectId);
	if (command->type != SCT_AlterTable)
		return partitions;
	foreach(cell, command->d.alterTable.subcmds)
	{
		const AlterTableCmd *subcommand =
			(AlterTableCmd *) ((CollectedATSubcmd *) lfirst(cell))->parsetree;

		if (IsA(subcommand, AlterTableCmd) && subcommand->subtype == AT_AttachPartition)
			partitions = lappend_oid(partitions,
									 RangeVarGetRelid(castNode(PartitionCmd, subcommand->def)->name,
													  NoLock, false));
	}
	return partitions;
}

static List *
partitions_of_event(void)
{
	MemoryContext caller = CurrentMemoryContext;
	List	   *partitions = NIL;

	SPI_connect();
	if (SPI_execute("SELECT command FROM pg_catalog.pg_event_trigger_ddl_commands()", true, 0) != SPI_OK_SELECT)
		elog(ERROR, "could not read the commands of an event");
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		bool		isnull;
		Datum		command = SPI_getbinval(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, 1, &isnull);
		MemoryContext procedure = MemoryContextSwitchTo(caller);

		partitions = new_partitions(partitions, (const CollectedCommand *) DatumGetPointer(command));
		MemoryContextSwitchTo(procedure);
	}
	SPI_finish();
	return partitions;
}

/* The item table that the relation is now a partition of; NULL if there is none. */
static const TableDescription *
table_of(Oid partition)
{
	List	   *ancestors = get_partition_ancestors(partition);
	char		kind = get_rel_relkind(partition);
	const TableDescription *table;
	Relation	root;

	if (ancestors == NIL || (kind != RELKIND_RELATION && kind != RELKIND_PARTITIONED_TABLE))
		return NULL;
	root = table_open(llast_oid(ancestors), AccessShareLock);
	table = catalog_description(root);
	table_close(root, NoLock);
	return table;
}

static void
refuse(const TableDescription *table, Oid partition, const char *reason)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("cannot attach \"%s\" to DynamoDB table \"%s\"", get_rel_name(partition), table->name),
			 errdetail("%s", reason),
			 errhint("Attach an empty partition, then insert the items.")));
}

/* Items of before have to be valid, and get the columns of indexes and of time to live. */
static void
fill(const TableDescription *table, Oid leaf)
{
	Relation	relation = table_open(leaf, NoLock);
	BlockNumber blocks = RelationGetNumberOfBlocks(relation);
	const TableDescription *description = catalog_description(relation);
	BackfillCounts counts = {0};
	List	   *names = NIL;

	if (description == NULL || description->root != table->root)
		refuse(table, leaf, "It is a DynamoDB table itself.");
	if (blocks > 0 && IsolationUsesXactSnapshot())
		refuse(table, leaf, "The transaction's snapshot may not see all of its items.");
	if (blocks > 0)
	{
		tableam_check_rows(leaf);
		for (int i = 0; i < description->attribute_count; i++)
			names = lappend(names, description->attributes[i].name);
		backfill_blocks(relation, names, NULL, 0, blocks, &counts);
	}
	table_close(relation, NoLock);
}

/* Time to live that is being enabled or disabled will come to the partition by itself. */
static bool
needs_ttl_index(Oid root, Oid leaf, TtlRow *ttl)
{
	const BuildRow *build = catalog_read_ttl_build(root);
	bool		valid;

	return build != NULL && build->phase == BUILD_DONE && catalog_read_ttl(root, ttl) &&
		!OidIsValid(ttl_index_find(leaf, ttl, &valid));
}

/*
 * As the worker does it, since the owner of the table may lack CREATE on its
 * schema; and not where the user happens to want new tables.
 */
static void
create_ttl_index(Oid leaf, const TtlRow *ttl)
{
	int			settings = NewGUCNestLevel();
	Oid			user;
	int			security;

	(void) set_config_option("default_tablespace", "", PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
	GetUserIdAndSecContext(&user, &security);
	SetUserIdAndSecContext(BOOTSTRAP_SUPERUSERID, security | SECURITY_RESTRICTED_OPERATION);
	SPI_connect();
	if (SPI_execute(ttl_index_create_sql(leaf, ttl, false), false, 0) != SPI_OK_UTILITY)
		elog(ERROR, "could not create an index on \"%s\"", get_rel_name(leaf));
	SPI_finish();
	SetUserIdAndSecContext(user, security);
	AtEOXact_GUC(false, settings);
}

/* The command has locked the partition against everybody. */
static void
join_table(const TableDescription *table, Oid partition)
{
	ListCell   *cell;

	index_lock_changes(table->root);
	foreach(cell, backfill_relations(partition, AccessShareLock))
	{
		Oid			leaf = lfirst_oid(cell);
		TtlRow		ttl;

		fill(table, leaf);
		if (needs_ttl_index(table->root, leaf, &ttl))
			create_ttl_index(leaf, &ttl);
	}
}

/*
 * Event trigger at the end of CREATE TABLE and ALTER TABLE.  It looks up names
 * of the command, so the function must not set search_path.
 */
PG_FUNCTION_INFO_V1(index_on_partition);
Datum
index_on_partition(PG_FUNCTION_ARGS)
{
	ListCell   *cell;

	if (!CALLED_AS_EVENT_TRIGGER(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_EVENT_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("function must be called as an event trigger")));

	foreach(cell, partitions_of_event())
	{
		const TableDescription *table = table_of(lfirst_oid(cell));

		if (table != NULL)
			join_table(table, lfirst_oid(cell));
	}
	PG_RETURN_NULL();
}
