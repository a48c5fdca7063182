/*
 * listener.h
 *		Sockets of the HTTP endpoint.
 */
#ifndef DYNAMO_LISTENER_H
#define DYNAMO_LISTENER_H

#include "postgres.h"

#define LISTENER_MAX 16			/* addresses */

/*
 * Are all of dynamo.listen_addresses loopback addresses?  Names that cannot be
 * resolved are none.
 */
extern bool listener_is_loopback(void);

/*
 * In the launcher: is the port free for this cluster?  From then on another
 * cluster that asks is refused.  Reports a port in use once, until it is free.
 */
extern bool listener_prepare(void);

/*
 * Listening sockets of this process, one per address, shared by port with the
 * other workers.  Returns their number; raises an error if there is none.
 */
extern int	listener_open(int sockets[LISTENER_MAX]);

#endif							/* DYNAMO_LISTENER_H */
