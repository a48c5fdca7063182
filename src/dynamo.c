/*
 * dynamo.c
 *		The module's entry: each room initialises itself.
 */
#include "postgres.h"

#include "fmgr.h"

#include "catalog/catalog.h"
#include "guc.h"
#include "operation/statement.h"

PG_MODULE_MAGIC;

void		_PG_init(void);

void
_PG_init(void)
{
	guc_init();
	catalog_init();
	statement_init();
}
