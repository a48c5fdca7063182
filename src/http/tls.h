/*
 * tls.h
 *		Certificate and key of the endpoint.
 */
#ifndef DYNAMO_TLS_H
#define DYNAMO_TLS_H

#include "postgres.h"

#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>

/* Do the settings ask for https? */
extern bool tls_wanted(void);

/*
 * Read certificate and key.  On failure raises elevel; below ERROR what was
 * loaded before stays in use.
 */
extern void tls_load(int elevel);

/* The library asks for the certificate at each handshake. */
extern int	tls_certificate(gnutls_session_t session, const gnutls_datum_t *requested, int requested_count,
							const gnutls_pk_algorithm_t *algorithms, int algorithm_count,
							gnutls_pcert_st **certificates, unsigned int *certificate_count,
							gnutls_privkey_t *key);

#endif							/* DYNAMO_TLS_H */
