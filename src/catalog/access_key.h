/*
 * access_key.h
 *		Access keys: pairs of id and secret that stand for a role and a schema.
 */
#ifndef DYNAMO_ACCESS_KEY_H
#define DYNAMO_ACCESS_KEY_H

#include "postgres.h"

#define ACCESS_KEY_ID_MAX 128	/* bytes; as AWS */

typedef struct AccessKey
{
	Oid			role;			/* may have been dropped since */
	char	   *secret;
	char	   *schema;			/* NULL: dynamo.schema */
} AccessKey;

/*
 * The key of this id, palloc'd; false if there is none.  Within a transaction.
 * Every change of keys sends a relcache invalidation of access_key_relation().
 */
extern bool access_key_read(const char *id, AccessKey *key);

/* The relation of keys, or InvalidOid without the extension. */
extern Oid	access_key_relation(void);

/*
 * Account id of a schema that an access key names: 12 digits, the same for the
 * same name.  Palloc'd.
 */
extern char *access_key_account(const char *schema);

#endif							/* DYNAMO_ACCESS_KEY_H */
