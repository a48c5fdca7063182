/*
 * identity.h
 *		Who makes a request: a role, and the schema its tables are in.
 */
#ifndef DYNAMO_IDENTITY_H
#define DYNAMO_IDENTITY_H

#include "postgres.h"

#include "http/connection.h"

typedef struct HttpIdentity
{
	Oid			role;
	const char *schema;			/* NULL: dynamo.schema */
	const char *account_id;		/* NULL: dynamo.account_id */
} HttpIdentity;

/*
 * The identity that the request's signature proves.  Within a transaction.
 * Raises AWS's authentication errors.
 */
extern HttpIdentity identity_of_request(const HttpRequest *request);

/*
 * Act as the identity until identity_leave(), or until the transaction is
 * aborted.  identity_settle() comes before the commit: deferred triggers run
 * while the identity still holds, then all settings are as they were before.
 */
extern void identity_enter(const HttpIdentity *identity);
extern void identity_settle(void);
extern void identity_leave(void);

#endif							/* DYNAMO_IDENTITY_H */
