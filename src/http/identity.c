/*
 * identity.c
 *		Who makes a request, and acting as that role.
 *
 * Never SET ROLE: a trigger's RESET ROLE would become the worker's superuser.
 * The security context forbids changes of role and session authorization, and
 * what set_config() changed is undone with the request.
 */
#include "postgres.h"

#include "access/xact.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/guc.h"

#include "errors.h"
#include "guc.h"
#include "http/identity.h"
#include "http/signature.h"
#include "worker/worker.h"

static Oid	worker_role;
static int	worker_security_context;
static int	settings_level;

static HttpIdentity
anonymous(void)
{
	HttpIdentity identity = {0};

	identity.role = get_role_oid(dynamo_anonymous_role, true);
	if (!OidIsValid(identity.role))
		dynamo_error(ACCESS_DENIED, "Authentication is off and dynamo.anonymous_role, \"%s\", names no role",
					 dynamo_anonymous_role);
	return identity;
}

HttpIdentity
identity_of_request(const HttpRequest *request)
{
	return dynamo_authentication ? signature_check(request) : anonymous();
}

/* Undone when the settings' level ends. */
static void
set_for_request(const char *name, const char *current, const char *value)
{
	if (value != NULL && strcmp(current, value) != 0)
		(void) set_config_option(name, value, PGC_USERSET, PGC_S_SESSION,
								 GUC_ACTION_SAVE, true, 0, false);
}

void
identity_enter(const HttpIdentity *identity)
{
	GetUserIdAndSecContext(&worker_role, &worker_security_context);
	settings_level = NewGUCNestLevel();
	set_for_request("dynamo.schema", dynamo_schema, identity->schema);
	set_for_request("dynamo.account_id", dynamo_account_id, identity->account_id);
	SetUserIdAndSecContext(identity->role, worker_security_context | SECURITY_LOCAL_USERID_CHANGE);
}

void
identity_settle(void)
{
	worker_finish_users_code();
	AtEOXact_GUC(false, settings_level);
}

void
identity_leave(void)
{
	SetUserIdAndSecContext(worker_role, worker_security_context);
}
