/*
 * relation.c
 *		Finding the relations of DynamoDB tables and of the catalog itself.
 *
 * OIDs of the extension's objects come from the system caches at each use:
 * a cache of our own would outlive a DROP EXTENSION.
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/namespace.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "nodes/makefuncs.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "catalog/description.h"
#include "guc.h"

static Oid
our_schema(void)
{
	return get_namespace_oid("dynamo", true);
}

Oid
catalog_table_oid(const char *relation_name, bool missing_ok)
{
	Oid			schema = our_schema();
	Oid			relid = InvalidOid;

	if (OidIsValid(schema))
		relid = get_relname_relid(relation_name, schema);
	if (!OidIsValid(relid) && !missing_ok)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation \"dynamo.%s\" does not exist", relation_name),
				 errhint("Is extension dynamo installed in this database?")));
	return relid;
}

bool
catalog_is_our_relation(Relation relation)
{
	Oid			access_method = GetSysCacheOid1(AMNAME, Anum_pg_am_oid,
												CStringGetDatum("dynamo"));

	return OidIsValid(access_method) && relation->rd_rel->relam == access_method;
}

Relation
catalog_open_table(const char *table_name, LOCKMODE lockmode, TableDescription **description)
{
	RangeVar   *name = makeRangeVar(dynamo_schema, catalog_relation_name(table_name), -1);
	Oid			relid = RangeVarGetRelidExtended(name, lockmode, RVR_MISSING_OK, NULL, NULL);
	Relation	relation;

	*description = NULL;
	if (!OidIsValid(relid))
		return NULL;

	relation = relation_open(relid, NoLock);
	if (relation->rd_rel->relkind == RELKIND_RELATION ||
		relation->rd_rel->relkind == RELKIND_PARTITIONED_TABLE)
		*description = catalog_description(relation);
	if (*description == NULL || strcmp((*description)->name, table_name) != 0)
	{
		relation_close(relation, lockmode);
		*description = NULL;
		return NULL;
	}
	return relation;
}
