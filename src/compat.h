/*
 * compat.h
 *		Differences between PostgreSQL versions, all of them.
 *
 * Written for 15; what 16, 17 and 18 need differently is here and nowhere else.
 */
#ifndef DYNAMO_COMPAT_H
#define DYNAMO_COMPAT_H

#include "postgres.h"

#if PG_VERSION_NUM < 150000
#error "dynamo needs PostgreSQL 15 or later"
#endif

#endif							/* DYNAMO_COMPAT_H */
