/*
 * dynamo.c
 *		The module's entry: each room initialises itself.
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"

#include "catalog/catalog.h"
#include "guc.h"
#include "http/http.h"
#include "index/index_worker.h"
#include "operation/statement.h"
#include "stream/capture.h"
#include "stream/notify.h"
#include "worker/worker.h"

PG_MODULE_MAGIC;

void		_PG_init(void);

void
_PG_init(void)
{
	guc_init();
	catalog_init();
	statement_init();
	capture_init();
	index_worker_init();

	/* a session that loads the library by itself has functions, no workers */
	if (process_shared_preload_libraries_in_progress)
	{
		http_init();
		notify_init();
		worker_init();
	}
}
