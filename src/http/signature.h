/*
 * signature.h
 *		AWS Signature Version 4.
 */
#ifndef DYNAMO_SIGNATURE_H
#define DYNAMO_SIGNATURE_H

#include "postgres.h"

#include "http/identity.h"

/*
 * Check the request's signature, in the Authorization header or in the query
 * string, against its access key.  Within a transaction.  Raises AWS's
 * authentication errors.
 */
extern HttpIdentity signature_check(const HttpRequest *request);

#endif							/* DYNAMO_SIGNATURE_H */
