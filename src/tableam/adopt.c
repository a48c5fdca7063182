/*
 * adopt.c
 *		dynamo.adopt(): make an existing relation a DynamoDB table.
 *
 * For relations restored without the catalog (pg_dump -t) and for partitioned
 * tables.  The keys are those of the primary key; secondary indexes are added
 * by UpdateTable afterwards.
 */
#include "postgres.h"

#include "access/relation.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
#include "catalog/pg_collation_d.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type_d.h"
#include "commands/trigger.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"

#include "catalog/rows.h"
#include "compat.h"
#include "tableam/tableam.h"

PG_FUNCTION_INFO_V1(tableam_adopt);

#define SETTINGS "{\"OnDemand\": true}"

static void
refuse(Relation relation, const char *reason)
{
	ereport(ERROR,
			(errcode(ERRCODE_WRONG_OBJECT_TYPE),
			 errmsg("cannot adopt relation \"%s\" as a DynamoDB table",
					RelationGetRelationName(relation)),
			 errdetail("%s", reason)));
}

static void
check_partitions(Relation relation)
{
	List	   *partitions = find_all_inheritors(RelationGetRelid(relation),
												 ShareRowExclusiveLock, NULL);
	ListCell   *cell;

	foreach(cell, partitions)
	{
		Relation	partition = relation_open(lfirst_oid(cell), NoLock);

		if (partition->rd_rel->relkind != RELKIND_PARTITIONED_TABLE &&
			!catalog_is_our_relation(partition))
			refuse(relation, psprintf("Partition \"%s\" does not use access method \"dynamo\".",
									  RelationGetRelationName(partition)));
		relation_close(partition, NoLock);
	}
}

static void
check_relation(Relation relation, const char *table_name)
{
	AttrNumber	item = get_attnum(RelationGetRelid(relation), "item");

	if (relation->rd_rel->relkind == RELKIND_PARTITIONED_TABLE)
		check_partitions(relation);
	else if (relation->rd_rel->relkind != RELKIND_RELATION || !catalog_is_our_relation(relation))
		refuse(relation, "It is no table of access method \"dynamo\".");
	if (relation->rd_rel->relkind == RELKIND_RELATION &&
		find_inheritance_children(RelationGetRelid(relation), NoLock) != NIL)
		refuse(relation, "Another table inherits from it.");
	if (relation->rd_rel->relispartition)
		refuse(relation, "It is a partition; adopt the partitioned table.");
	if (relation->rd_rel->relpersistence == RELPERSISTENCE_TEMP)
		refuse(relation, "It is a temporary table.");
	if (catalog_description(relation))
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_OBJECT),
				 errmsg("relation \"%s\" is a DynamoDB table already",
						RelationGetRelationName(relation))));
	if (!catalog_is_table_name(table_name) ||
		strcmp(catalog_relation_name(table_name), RelationGetRelationName(relation)) != 0)
		refuse(relation, psprintf("\"%s\" is not the DynamoDB name of a relation of this name.",
								  table_name));
	if (item == InvalidAttrNumber ||
		TupleDescAttr(RelationGetDescr(relation), item - 1)->atttypid != JSONBOID ||
		!TupleDescAttr(RelationGetDescr(relation), item - 1)->attnotnull)
		refuse(relation, "It has no column \"item\" of type jsonb NOT NULL.");
}

static AttributeType
column_key_type(Relation relation, Form_pg_attribute attribute)
{
	switch (attribute->atttypid)
	{
		case TEXTOID:
			if (attribute->attcollation == C_COLLATION_OID)
				return ATTRIBUTE_S;
			break;
		case NUMERICOID:
			if (attribute->atttypmod == -1)
				return ATTRIBUTE_N;
			break;
		case BYTEAOID:
			return ATTRIBUTE_B;
	}
	refuse(relation, psprintf("Key column \"%s\" is not text COLLATE \"C\", numeric or bytea.",
							  NameStr(attribute->attname)));
	pg_unreachable();
}

/* The key columns, by the primary key: one or two. */
static int
find_keys(Relation relation, Form_pg_attribute keys[2])
{
	Oid			index_oid = compat_primary_key_index(relation);
	Relation	index;
	int			count;

	if (!OidIsValid(index_oid))
		refuse(relation, "It has no primary key.");
	index = relation_open(index_oid, AccessShareLock);
	count = index->rd_index->indnkeyatts;
	if (count > 2)
		refuse(relation, "Its primary key has more than two columns.");
	for (int i = 0; i < count; i++)
		keys[i] = TupleDescAttr(RelationGetDescr(relation), index->rd_index->indkey.values[i] - 1);
	relation_close(index, AccessShareLock);
	return count;
}

static void
insert_rows(Relation relation, const char *table_name, Form_pg_attribute keys[2], int count)
{
	Oid			relid = RelationGetRelid(relation);
	TableRow	row = {0};

	row.relation = relid;
	row.table_name = table_name;
	row.table_id = *DatumGetUUIDP(OidFunctionCall0(F_GEN_RANDOM_UUID));
	row.created_at = GetCurrentTimestamp();
	row.partition_key = NameStr(keys[0]->attname);
	row.sort_key = count < 2 ? NULL : NameStr(keys[1]->attname);
	row.settings = DatumGetJsonbP(DirectFunctionCall1(jsonb_in, CStringGetDatum(SETTINGS)));
	catalog_insert_table(&row);
	for (int i = 0; i < count; i++)
		catalog_insert_attribute(relid, NameStr(keys[i]->attname),
								 column_key_type(relation, keys[i]), NameStr(keys[i]->attname));
}

static void
create_key_trigger(Relation relation)
{
	const char *quoted = quote_qualified_identifier(get_namespace_name(RelationGetNamespace(relation)),
													RelationGetRelationName(relation));
	char	   *sql = tableam_key_trigger_sql(quoted);

	if (relation->rd_rel->relkind == RELKIND_PARTITIONED_TABLE ||
		OidIsValid(get_trigger_oid(RelationGetRelid(relation), TABLEAM_KEY_TRIGGER, true)))
		return;
	SPI_connect();
	if (SPI_execute(sql, false, 0) != SPI_OK_UTILITY)
		elog(ERROR, "could not create trigger on \"%s\"", RelationGetRelationName(relation));
	SPI_finish();
}

void
tableam_check_rows(Oid relid)
{
	Relation	relation = table_open(relid, NoLock);
	Snapshot	snapshot;
	TableScanDesc scan;
	TupleTableSlot *slot;

	if (relation->rd_rel->relkind != RELKIND_PARTITIONED_TABLE)
	{
		snapshot = RegisterSnapshot(GetLatestSnapshot());
		slot = table_slot_create(relation, NULL);
		scan = table_beginscan(relation, snapshot, 0, NULL);
		while (table_scan_getnextslot(scan, ForwardScanDirection, slot))
		{
			CHECK_FOR_INTERRUPTS();
			gate_pass(relation, slot);
		}
		table_endscan(scan);
		ExecDropSingleTupleTableSlot(slot);
		UnregisterSnapshot(snapshot);
	}
	table_close(relation, NoLock);
}

Datum
tableam_adopt(PG_FUNCTION_ARGS)
{
	Relation	relation;
	Form_pg_attribute keys[2] = {NULL, NULL};
	int			count;
	char	   *table_name;
	ListCell   *cell;

	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("relation must not be null")));
	/* before the lock, which would make others wait */
	if (!compat_owns_relation(PG_GETARG_OID(0), GetUserId()))
		aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_TABLE, get_rel_name(PG_GETARG_OID(0)));
	relation = relation_open(PG_GETARG_OID(0), ShareRowExclusiveLock);
	table_name = PG_ARGISNULL(1) ? RelationGetRelationName(relation) :
		text_to_cstring(PG_GETARG_TEXT_PP(1));

	check_relation(relation, table_name);
	count = find_keys(relation, keys);
	insert_rows(relation, table_name, keys, count);
	create_key_trigger(relation);
	CommandCounterIncrement();

	foreach(cell, find_all_inheritors(RelationGetRelid(relation), ShareRowExclusiveLock, NULL))
		tableam_check_rows(lfirst_oid(cell));
	relation_close(relation, NoLock);
	PG_RETURN_VOID();
}
