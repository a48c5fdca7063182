/*
 * shared_memory.c
 *		The rooms' parts of shared memory.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"

#include "worker/shared_memory.h"
#include "worker/worker.h"

#define MAX_PARTS 8

typedef struct Part
{
	const char *name;
	Size		size;
	void	  **where;
	void		(*initialize) (void *memory);
} Part;

static Part parts[MAX_PARTS];
static int	part_count = 0;

static shmem_request_hook_type previous_request = NULL;
static shmem_startup_hook_type previous_startup = NULL;

void
worker_reserve_memory(const char *name, Size size, void **where,
					  void (*initialize) (void *memory))
{
	if (part_count >= MAX_PARTS)
		elog(FATAL, "too many parts of shared memory");
	parts[part_count++] = (Part) {name, size, where, initialize};
}

static void
request_memory(void)
{
	if (previous_request)
		previous_request();
	for (int i = 0; i < part_count; i++)
		RequestAddinShmemSpace(MAXALIGN(parts[i].size));
}

static void
set_up_memory(void)
{
	if (previous_startup)
		previous_startup();

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	for (int i = 0; i < part_count; i++)
	{
		bool		found;
		void	   *memory = ShmemInitStruct(parts[i].name, parts[i].size, &found);

		*parts[i].where = memory;
		if (found)
			continue;
		memset(memory, 0, parts[i].size);
		if (parts[i].initialize)
			parts[i].initialize(memory);
	}
	LWLockRelease(AddinShmemInitLock);
}

void
shared_memory_init(void)
{
	previous_request = shmem_request_hook;
	shmem_request_hook = request_memory;
	previous_startup = shmem_startup_hook;
	shmem_startup_hook = set_up_memory;
}
