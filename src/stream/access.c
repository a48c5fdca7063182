/*
 * access.c
 *		Who may read a stream, and which is a table's.
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/rls.h"

#include "guc.h"
#include "stream/access.h"

void
stream_check_access(const StreamRow *stream)
{
	if (OidIsValid(stream->relation) && get_rel_name(stream->relation) != NULL)
	{
		AclResult	result = pg_class_aclcheck(stream->relation, GetUserId(), ACL_SELECT);

		if (result != ACLCHECK_OK)
			aclcheck_error(result, OBJECT_TABLE, get_rel_name(stream->relation));
		if (check_enable_rls(stream->relation, InvalidOid, true) == RLS_ENABLED)
			ereport(ERROR,
					(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
					 errmsg("cannot read the stream of table \"%s\"", stream->table_name),
					 errdetail("Row-level security hides items of the table from the current role; the stream would show them.")));
	}
	else if (!has_privs_of_role(GetUserId(), stream->owner))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied for the stream of dropped table \"%s\"",
						stream->table_name)));
}

StreamRow *
stream_of_table(const char *table_name)
{
	StreamRow  *latest = NULL;
	ListCell   *cell;

	foreach(cell, catalog_read_streams())
	{
		StreamRow  *row = lfirst(cell);

		if (strcmp(row->table_name, table_name) == 0 &&
			strcmp(row->schema_name, dynamo_schema) == 0 &&
			(latest == NULL || row->id > latest->id))
			latest = row;
	}
	if (latest == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("DynamoDB table \"%s\" has no stream", table_name),
				 errhint("Enable one with UpdateTable's StreamSpecification.")));
	stream_check_access(latest);
	return latest;
}
