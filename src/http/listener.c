/*
 * listener.c
 *		Sockets of the HTTP endpoint.
 *
 * Every worker listens on the same port with SO_REUSEPORT, and the kernel
 * spreads connections among them.  Another cluster of the same user could join
 * them unnoticed; so the launcher first binds without it, which fails while
 * anyone listens, and holds a name of the abstract socket name space, so that
 * two launchers that start together cannot both succeed.
 */
#include "postgres.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "utils/builtins.h"
#include "utils/varlena.h"

#include "guc.h"
#include "http/listener.h"

#define BACKLOG 4096

typedef struct Address
{
	struct sockaddr_storage address;
	socklen_t	length;
	char		text[INET6_ADDRSTRLEN + 32];	/* for messages */
} Address;

static bool reported = false;
static int	held_names = 0;

/* ---- addresses ---- */

static bool
is_loopback(const Address *address)
{
	if (address->address.ss_family == AF_INET)
	{
		const struct sockaddr_in *in = (const struct sockaddr_in *) &address->address;

		return (ntohl(in->sin_addr.s_addr) >> 24) == 127;
	}
	if (address->address.ss_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *) &address->address)->sin6_addr);
	return false;
}

static void
add_address(Address *addresses, int *count, const struct addrinfo *info)
{
	Address    *address = &addresses[*count];
	char		host[INET6_ADDRSTRLEN];

	if (*count >= LISTENER_MAX || (info->ai_family != AF_INET && info->ai_family != AF_INET6))
		return;
	for (int i = 0; i < *count; i++)
	{
		if (addresses[i].length == info->ai_addrlen &&
			memcmp(&addresses[i].address, info->ai_addr, info->ai_addrlen) == 0)
			return;
	}

	memset(address, 0, sizeof(*address));
	memcpy(&address->address, info->ai_addr, info->ai_addrlen);
	address->length = info->ai_addrlen;
	if (getnameinfo(info->ai_addr, info->ai_addrlen, host, sizeof(host), NULL, 0, NI_NUMERICHOST) != 0)
		strlcpy(host, "?", sizeof(host));
	snprintf(address->text, sizeof(address->text), info->ai_family == AF_INET6 ? "[%s]:%d" : "%s:%d",
			 host, dynamo_port);
	(*count)++;
}

/* The addresses of dynamo.listen_addresses; *complete tells whether all names resolved. */
static int
resolve_addresses(Address addresses[LISTENER_MAX], bool *complete)
{
	char	   *list = pstrdup(dynamo_listen_addresses);
	List	   *names;
	ListCell   *cell;
	char		port[16];
	int			count = 0;

	*complete = true;
	snprintf(port, sizeof(port), "%d", dynamo_port);
	if (!SplitGUCList(list, ',', &names))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid list syntax in parameter \"%s\"", "dynamo.listen_addresses")));

	foreach(cell, names)
	{
		const char *name = lfirst(cell);
		struct addrinfo hints = {.ai_family = AF_UNSPEC,.ai_socktype = SOCK_STREAM,.ai_flags = AI_PASSIVE};
		struct addrinfo *found;
		int			error = getaddrinfo(strcmp(name, "*") == 0 ? NULL : name, port, &hints, &found);

		if (error != 0)
		{
			*complete = false;
			ereport(LOG,
					(errmsg("could not resolve \"%s\" of dynamo.listen_addresses: %s",
							name, gai_strerror(error))));
			continue;
		}
		for (struct addrinfo *info = found; info != NULL; info = info->ai_next)
			add_address(addresses, &count, info);
		freeaddrinfo(found);
	}
	return count;
}

bool
listener_is_loopback(void)
{
	Address		addresses[LISTENER_MAX];
	bool		complete;
	int			count = resolve_addresses(addresses, &complete);

	for (int i = 0; i < count; i++)
	{
		if (!is_loopback(&addresses[i]))
			return false;
	}
	return complete;
}

/* ---- sockets ---- */

/*
 * A bound socket, or -1 with errno.  SO_REUSEADDR on all of them: closed
 * connections linger, and would keep the port from being bound anew if their
 * listening socket had been without.
 */
static int
bind_to(const Address *address, bool share)
{
	int			on = 1;
	int			fd = socket(address->address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0 ||
		(share && setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on)) != 0) ||
		(address->address.ss_family == AF_INET6 &&
		 setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on)) != 0) ||
		bind(fd, (const struct sockaddr *) &address->address, address->length) != 0)
	{
		int			error = errno;

		close(fd);
		errno = error;
		return -1;
	}
	return fd;
}

/* Hold a name that only one process of this machine can hold at a time. */
static bool
hold_name(const Address *address)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	int			length = snprintf(name.sun_path + 1, sizeof(name.sun_path) - 1,
								  "postgresql/dynamo/%s", address->text);
	int			fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return false;
	if (bind(fd, (struct sockaddr *) &name, offsetof(struct sockaddr_un, sun_path) + 1 + length) == 0)
		return true;			/* closed when the launcher ends */
	close(fd);
	return false;
}

static void
report_in_use(const char *text, int error)
{
	if (!reported)
		ereport(LOG,
				(errmsg("could not listen on %s: %s", text, strerror(error)),
				 errhint("Is another server running on port %d? The HTTP endpoint starts when the port is free.",
						 dynamo_port)));
	reported = true;
}

/*
 * An address this machine does not have is left out, as PostgreSQL does with
 * its own; one in use keeps the endpoint from starting.
 */
bool
listener_prepare(void)
{
	Address		addresses[LISTENER_MAX];
	bool		complete;
	int			count = resolve_addresses(addresses, &complete);
	int			usable = 0;

	for (int i = 0; i < count; i++)
	{
		/* bound only: a client must not find a listener that serves nobody */
		int			fd = bind_to(&addresses[i], false);

		if (fd >= 0)
		{
			close(fd);
			usable++;
		}
		else if (errno != EADDRNOTAVAIL && errno != EAFNOSUPPORT)
		{
			report_in_use(addresses[i].text, errno);
			return false;
		}
	}
	for (; held_names < count; held_names++)
	{
		if (!hold_name(&addresses[held_names]))
		{
			report_in_use(addresses[held_names].text, EADDRINUSE);
			return false;
		}
	}
	if (usable == 0)
	{
		report_in_use(dynamo_listen_addresses, EADDRNOTAVAIL);
		return false;
	}
	reported = false;
	return true;
}

int
listener_open(int sockets[LISTENER_MAX])
{
	Address		addresses[LISTENER_MAX];
	bool		complete;
	int			count = resolve_addresses(addresses, &complete);
	int			opened = 0;

	for (int i = 0; i < count; i++)
	{
		int			fd = bind_to(&addresses[i], true);

		if (fd >= 0 && listen(fd, BACKLOG) != 0)
		{
			int			error = errno;

			close(fd);
			errno = error;
			fd = -1;
		}
		if (fd >= 0)
			sockets[opened++] = fd;
		else if (errno != EADDRNOTAVAIL && errno != EAFNOSUPPORT)
			ereport(LOG, (errmsg("could not listen on %s: %m", addresses[i].text)));
	}
	if (opened == 0)
		ereport(ERROR, (errmsg("could not listen on any of dynamo.listen_addresses \"%s\"",
							   dynamo_listen_addresses)));
	return opened;
}
