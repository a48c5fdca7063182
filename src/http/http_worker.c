/*
 * http_worker.c
 *		The processes of the HTTP endpoint: start, loop.
 */
#include "postgres.h"

#include <sys/resource.h>

#include "miscadmin.h"
#include "pgstat.h"
#include "postmaster/bgworker.h"
#include "postmaster/interrupt.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "storage/pmsignal.h"
#include "storage/proc.h"
#include "tcop/tcopprot.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

#include "compat.h"
#include "guc.h"
#include "http/connection.h"
#include "http/dispatch.h"
#include "http/durability.h"
#include "http/http.h"
#include "http/listener.h"
#include "http/metrics.h"
#include "http/tls.h"
#include "worker/worker.h"

#define TICK 1000				/* ms between two looks at what has no event */

/* one daemon of the library per listening address */
static struct MHD_Daemon *daemons[LISTENER_MAX];
static int	daemon_count = 0;
static WaitEventSet *events = NULL;
static bool serves_tls = false;

PGDLLEXPORT void dynamo_http_main(Datum argument);

void
http_init(void)
{
	WorkerKind	kind = {
		.name = "http",
		.function = "dynamo_http_main",
		.count = dynamo_workers,
		.prepare = listener_prepare
	};

	if (dynamo_port == 0)
		return;
	if (!dynamo_authentication && !listener_is_loopback())
		ereport(FATAL,
				(errcode(ERRCODE_CONFIG_FILE_ERROR),
				 errmsg("dynamo.authentication may be off only while dynamo.listen_addresses are loopback addresses"),
				 errdetail("dynamo.listen_addresses is \"%s\".", dynamo_listen_addresses),
				 errhint("Set dynamo.authentication = on and make keys with dynamo.create_access_key(), or listen on localhost.")));

	durability_init();
	metrics_init();
	worker_register(&kind);
}

/* Each connection is a descriptor: the soft limit is often far below the hard one. */
static void
raise_descriptor_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max)
		return;
	limit.rlim_cur = limit.rlim_max;
	(void) setrlimit(RLIMIT_NOFILE, &limit);
}

static void
start_daemons(void)
{
	int			sockets[LISTENER_MAX];

	serves_tls = tls_wanted();
	if (serves_tls)
		tls_load(ERROR);
	daemon_count = listener_open(sockets);
	for (int i = 0; i < daemon_count; i++)
		daemons[i] = connection_serve(sockets[i], serves_tls);
}

/* Everything that can wake the process: latch, the end of the server, the library's descriptors. */
static void
set_up_events(void)
{
	events = compat_create_wait_event_set(2 + daemon_count);
	AddWaitEventToSet(events, WL_LATCH_SET, PGINVALID_SOCKET, MyLatch, NULL);
	AddWaitEventToSet(events, WL_EXIT_ON_PM_DEATH, PGINVALID_SOCKET, NULL, NULL);
	for (int i = 0; i < daemon_count; i++)
	{
		const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemons[i], MHD_DAEMON_INFO_EPOLL_FD);

		AddWaitEventToSet(events, WL_SOCKET_READABLE, info->epoll_fd, NULL, NULL);
	}
}

/* How long may the process sleep? */
static long
next_timeout(void)
{
	long		timeout = TICK;
	long		wake = dispatch_next_wake();

	if (wake >= 0)
		timeout = Min(timeout, wake);
	for (int i = 0; i < daemon_count; i++)
	{
		MHD_UNSIGNED_LONG_LONG wanted;

		if (MHD_get_timeout(daemons[i], &wanted) == MHD_YES)
			timeout = Min(timeout, (long) wanted);
	}
	return timeout;
}

static void
reload_settings(void)
{
	ConfigReloadPending = false;
	ProcessConfigFile(PGC_SIGHUP);
	durability_settings_changed();

	/* between http and https the sockets must be opened anew */
	if (tls_wanted() != serves_tls)
		proc_exit(1);
	if (serves_tls)
		tls_load(LOG);
}

static void
sleep_until_event(long timeout)
{
	WaitEvent	occurred[LISTENER_MAX + 2];
	int			count;

	if (timeout == 0)
		return;
	count = WaitEventSetWait(events, timeout, occurred, lengthof(occurred), PG_WAIT_EXTENSION);
	for (int i = 0; i < count; i++)
	{
		if (occurred[i].events & WL_LATCH_SET)
			ResetLatch(MyLatch);
	}
}

/* What is due about once a second, between requests. */
static void
tick(TimestampTz now)
{
	static TimestampTz last = 0;

	if (!TimestampDifferenceExceeds(last, now, TICK))
		return;
	last = now;
	/* a busy worker may not sleep long enough to learn it from its events */
	if (!PostmasterIsAlive())
		proc_exit(1);
	worker_yield_database();
	metrics_connections(connection_count());
	pgstat_report_stat(false);
}

/*
 * Let the library send, receive and accept, after an event or so many ms.  What
 * it would do without an event is not asked for: connections that wait for
 * their replies would make it run all the time.
 */
static void
run_daemons(long timeout)
{
	sleep_until_event(timeout);
	for (int i = 0; i < daemon_count; i++)
		(void) MHD_run(daemons[i]);
}

void
dynamo_http_main(Datum argument)
{
	int			number = worker_start(argument);

	raise_descriptor_limit();
	durability_start(number);
	metrics_start(number);
	dispatch_start();
	start_daemons();
	set_up_events();
	pgstat_report_activity(STATE_IDLE, NULL);

	for (;;)
	{
		run_daemons(0);
		dispatch_wake_waiting();
		if (!dispatch_batch(run_daemons))
		{
			pgstat_report_activity(STATE_IDLE, NULL);
			sleep_until_event(next_timeout());
		}

		/* a query cancel between requests has nothing to cancel */
		QueryCancelPending = false;
		CHECK_FOR_INTERRUPTS();
		if (ConfigReloadPending)
			reload_settings();
		tick(GetCurrentTimestamp());
	}
}
