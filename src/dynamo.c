/*
 * dynamo.c
 *		The module's entry: each room initialises itself.
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "catalog/description.h"
#include "guc.h"
#include "http/http.h"
#include "index/index_worker.h"
#include "operation/statement.h"
#include "stream/capture.h"
#include "stream/stream_wake.h"
#include "stream/stream_worker.h"
#include "ttl/ttl_worker.h"
#include "worker/worker.h"

PG_MODULE_MAGIC;

void		_PG_init(void);

#define USUAL_REQUEST_BYTES (2 * 1024 * 1024)

/*
 * glibc's malloc keeps freed memory up to twice the largest block that it has
 * mapped and seen freed, 128 kB at first.  A page of a Query takes more, and
 * giving it back to the kernel after each request would cost more than reading
 * the page.  The block is never touched, so it takes no memory itself.
 */
static void
keep_freed_memory(void)
{
	pfree(MemoryContextAlloc(TopMemoryContext, USUAL_REQUEST_BYTES));
}

void
_PG_init(void)
{
	keep_freed_memory();
	guc_init();
	catalog_init();
	statement_init();
	capture_init();
	index_worker_init();

	/* a session that loads the library by itself has functions, no workers */
	if (process_shared_preload_libraries_in_progress)
	{
		http_init();
		stream_wake_init();
		stream_worker_init();
		ttl_worker_init();
		worker_init();
	}
}
