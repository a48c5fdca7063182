/*
 * http.h
 *		The HTTP endpoint.
 */
#ifndef DYNAMO_HTTP_H
#define DYNAMO_HTTP_H

/*
 * During preloading only: checks the settings, reserves shared memory and
 * registers the workers, if there is a port.
 */
extern void http_init(void);

#endif							/* DYNAMO_HTTP_H */
