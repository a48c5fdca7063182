/*
 * compat.h
 *		Differences between PostgreSQL versions, all of them.
 *
 * Written for 15; what 16, 17 and 18 need differently is here and nowhere else.
 */
#ifndef DYNAMO_COMPAT_H
#define DYNAMO_COMPAT_H

#include "postgres.h"

#include "access/tableam.h"
#include "catalog/pg_class.h"
#include "catalog/pg_proc.h"
#include "replication/walsender_private.h"
#include "storage/proc.h"
#include "utils/acl.h"
#include "utils/rel.h"

#if PG_VERSION_NUM < 150000
#error "dynamo needs PostgreSQL 15 or later"
#endif

/* What tuple_update reports about indexes. */
#if PG_VERSION_NUM >= 160000
typedef TU_UpdateIndexes CompatUpdateIndexes;
#else
typedef bool CompatUpdateIndexes;
#endif

/* The callback that gives a relation a new file, and what names the file. */
#if PG_VERSION_NUM >= 160000
typedef RelFileLocator CompatRelFile;
#define compat_set_new_file relation_set_new_filelocator
#else
typedef RelFileNode CompatRelFile;
#define compat_set_new_file relation_set_new_filenode
#endif

/* Truncate one table without telling logical decoding. */
#if PG_VERSION_NUM >= 160000
#define compat_truncate_unlogged(table, relid) \
	ExecuteTruncateGuts(list_make1(table), list_make1_oid(relid), NIL, DROP_RESTRICT, false, false)
#else
#define compat_truncate_unlogged(table, relid) \
	ExecuteTruncateGuts(list_make1(table), list_make1_oid(relid), NIL, DROP_RESTRICT, false)
#endif

#if PG_VERSION_NUM >= 180000
#define compat_primary_key_index(relation) RelationGetPrimaryKeyIndex(relation, false)
#else
#define compat_primary_key_index(relation) RelationGetPrimaryKeyIndex(relation)
#endif

#if PG_VERSION_NUM >= 160000
#define compat_may_execute(function, role) \
	(object_aclcheck(ProcedureRelationId, function, role, ACL_EXECUTE) == ACLCHECK_OK)
#else
#define compat_may_execute(function, role) \
	(pg_proc_aclcheck(function, role, ACL_EXECUTE) == ACLCHECK_OK)
#endif

#if PG_VERSION_NUM >= 160000
#define compat_owns_relation(relid, role) object_ownercheck(RelationRelationId, relid, role)
#else
#define compat_owns_relation(relid, role) pg_class_ownercheck(relid, role)
#endif

/* Raises an error unless member could become role by SET ROLE. */
#if PG_VERSION_NUM >= 160000
#define compat_check_can_act_as(member, role) check_can_set_role(member, role)
#else
#define compat_check_can_act_as(member, role) check_is_member_of_role(member, role)
#endif

/* The next rows of a query that is run in parts. */
#if PG_VERSION_NUM >= 180000
#define compat_executor_run_part(query, count) ExecutorRun(query, ForwardScanDirection, count)
#else
#define compat_executor_run_part(query, count) ExecutorRun(query, ForwardScanDirection, count, false)
#endif

/* Late minor versions of all branches hold it as a flag. */
#ifdef SYNC_STANDBY_DEFINED
#define compat_sync_standbys_defined() ((WalSndCtl->sync_standbys_status & SYNC_STANDBY_DEFINED) != 0)
#else
#define compat_sync_standbys_defined() (WalSndCtl->sync_standbys_defined)
#endif

#if PG_VERSION_NUM >= 170000
#define compat_local_transaction_id() (MyProc->vxid.lxid)
#else
#define compat_local_transaction_id() (MyProc->lxid)
#endif

#endif							/* DYNAMO_COMPAT_H */
