/*
 * compat.h
 *		Differences between PostgreSQL versions, all of them.
 *
 * Written for 15; what 16, 17 and 18 need differently is here and nowhere else.
 * Most macros name what they need without including it: headers of all rooms
 * include this one.
 */
#ifndef DYNAMO_COMPAT_H
#define DYNAMO_COMPAT_H

#include "postgres.h"

#include "replication/walsender_private.h"
#if PG_VERSION_NUM >= 160000
#include "utils/guc_hooks.h"
#include "varatt.h"
#endif

#if PG_VERSION_NUM < 150000
#error "dynamo needs PostgreSQL 15 or later"
#endif

/* What stands before the declaration of a function that never returns. */
#ifndef pg_noreturn
#define pg_noreturn pg_attribute_noreturn()
#endif

/* What tuple_update reports about indexes. */
#if PG_VERSION_NUM >= 160000
#define CompatUpdateIndexes TU_UpdateIndexes
#else
#define CompatUpdateIndexes bool
#endif

/* The callback that gives a relation a new file, and what names the file. */
#if PG_VERSION_NUM >= 160000
#define CompatRelFile RelFileLocator
#define compat_set_new_file relation_set_new_filelocator
#else
#define CompatRelFile RelFileNode
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

#if PG_VERSION_NUM >= 160000
#define compat_may_create_in(namespace, role) \
	(object_aclcheck(NamespaceRelationId, namespace, role, ACL_CREATE) == ACLCHECK_OK)
#else
#define compat_may_create_in(namespace, role) \
	(pg_namespace_aclcheck(namespace, role, ACL_CREATE) == ACLCHECK_OK)
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

/* The process of a virtual transaction, or NULL. */
#if PG_VERSION_NUM >= 170000
#define compat_vxid_process(vxid) ProcNumberGetProc((vxid).procNumber)
#else
#define compat_vxid_process(vxid) BackendIdGetProc((vxid).backendId)
#endif

/* May the process, one that holds a lock of ours, be one of our workers? */
#if PG_VERSION_NUM >= 180000
#define compat_is_background_worker(process) (!(process)->isRegularBackend)
#else
#define compat_is_background_worker(process) ((process)->isBackgroundWorker)
#endif

/* A set that lives as long as the process. */
#if PG_VERSION_NUM >= 170000
#define compat_create_wait_event_set(size) CreateWaitEventSet(NULL, size)
#else
#define compat_create_wait_event_set(size) CreateWaitEventSet(TopMemoryContext, size)
#endif

/* Run a portal to its end, as a statement of the top level. */
#if PG_VERSION_NUM >= 180000
#define compat_portal_run(portal, receiver) \
	PortalRun(portal, FETCH_ALL, true, receiver, receiver, NULL)
#else
#define compat_portal_run(portal, receiver) \
	PortalRun(portal, FETCH_ALL, true, true, receiver, receiver, NULL)
#endif

#if PG_VERSION_NUM >= 180000
#define compat_index_beginscan(table, index, snapshot, key_count, order_by_count) \
	index_beginscan(table, index, snapshot, NULL, key_count, order_by_count)
#else
#define compat_index_beginscan(table, index, snapshot, key_count, order_by_count) \
	index_beginscan(table, index, snapshot, key_count, order_by_count)
#endif

/* The bytes' type: unsigned since 18. */
#define compat_base64_encode(bytes, length, text, size) \
	pg_b64_encode((const void *) (bytes), length, text, size)
#define compat_base64_decode(text, length, bytes, size) \
	pg_b64_decode(text, length, (void *) (bytes), size)

#endif							/* DYNAMO_COMPAT_H */
