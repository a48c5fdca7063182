/*
 * account.h
 *		What the account's operations need to know of the way they are reached.
 */
#ifndef DYNAMO_ACCOUNT_H
#define DYNAMO_ACCOUNT_H

/*
 * Host and port under which the running request came in, which is what
 * DescribeEndpoints answers; NULL in an SQL session.  Set by the HTTP room.
 */
extern const char *account_endpoint;

#endif							/* DYNAMO_ACCOUNT_H */
