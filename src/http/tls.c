/*
 * tls.c
 *		Certificate and key of the endpoint, read again on SIGHUP.
 *
 * They are handed out at each handshake, so that new connections get what was
 * loaded last and open ones go on undisturbed.
 */
#include "postgres.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "storage/fd.h"

#include "guc.h"
#include "http/tls.h"

#define MAX_CHAIN 16

typedef struct Identity
{
	gnutls_pcert_st chain[MAX_CHAIN];
	unsigned int chain_length;
	gnutls_privkey_t key;
} Identity;

/* Handshakes may still refer to one that was replaced: none is ever freed. */
static Identity *identity = NULL;
static struct stat loaded_certificate;
static struct stat loaded_key;

bool
tls_wanted(void)
{
	return dynamo_ssl_cert_file[0] != '\0' || dynamo_ssl_key_file[0] != '\0';
}

int
tls_certificate(gnutls_session_t session, const gnutls_datum_t *requested, int requested_count,
				const gnutls_pk_algorithm_t *algorithms, int algorithm_count,
				gnutls_pcert_st **certificates, unsigned int *certificate_count,
				gnutls_privkey_t *key)
{
	if (identity == NULL)
		return -1;
	*certificates = identity->chain;
	*certificate_count = identity->chain_length;
	*key = identity->key;
	return 0;
}

static void
free_identity(Identity *broken)
{
	for (unsigned int i = 0; i < broken->chain_length; i++)
		gnutls_pcert_deinit(&broken->chain[i]);
	if (broken->key != NULL)
		gnutls_privkey_deinit(broken->key);
	free(broken);
}

/* A key that others can read is refused, as the server's own is. */
static bool
key_permissions_allowed(const char *path, int elevel)
{
	struct stat status;

	if (stat(path, &status) == 0 && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0 &&
		!(status.st_uid == 0 && (status.st_mode & (S_IWGRP | S_IXGRP | S_IRWXO)) == 0))
	{
		ereport(elevel,
				(errcode(ERRCODE_CONFIG_FILE_ERROR),
				 errmsg("private key file \"%s\" has group or world access", path),
				 errdetail("File must have permissions u=rw (0600) or less if owned by the database user, or permissions u=rw,g=r (0640) or less if owned by root.")));
		return false;
	}
	return true;
}

/* NULL with *problem set if anything is wrong. */
static Identity *
load_identity(const char *certificate_path, const char *key_path, const char **problem)
{
	Identity   *loaded = calloc(1, sizeof(Identity));
	gnutls_datum_t certificate = {0};
	gnutls_datum_t key = {0};
	unsigned int length = MAX_CHAIN;
	int			result;

	if (loaded == NULL)
	{
		*problem = "out of memory";
		return NULL;
	}
	result = gnutls_load_file(certificate_path, &certificate);
	if (result == 0)
		result = gnutls_pcert_list_import_x509_raw(loaded->chain, &length, &certificate,
												   GNUTLS_X509_FMT_PEM, 0);
	if (result >= 0)
	{
		loaded->chain_length = length;
		result = gnutls_load_file(key_path, &key);
	}
	if (result >= 0)
		result = gnutls_privkey_init(&loaded->key);
	if (result >= 0)
		result = gnutls_privkey_import_x509_raw(loaded->key, &key, GNUTLS_X509_FMT_PEM, NULL, 0);
	gnutls_free(certificate.data);
	gnutls_free(key.data);
	if (result >= 0)
		return loaded;

	*problem = gnutls_strerror(result);
	free_identity(loaded);
	return NULL;
}

/* Is the file the one that status tells of? */
static bool
unchanged(const char *path, struct stat *status)
{
	struct stat now = {0};
	bool		same;

	(void) stat(path, &now);
	same = now.st_ino == status->st_ino && now.st_size == status->st_size &&
		now.st_mtim.tv_sec == status->st_mtim.tv_sec && now.st_mtim.tv_nsec == status->st_mtim.tv_nsec;
	*status = now;
	return same;
}

void
tls_load(int elevel)
{
	const char *problem = NULL;
	Identity   *loaded;
	bool		same = unchanged(dynamo_ssl_cert_file, &loaded_certificate);

	same = unchanged(dynamo_ssl_key_file, &loaded_key) && same;
	if (same && identity != NULL)
		return;
	if (!key_permissions_allowed(dynamo_ssl_key_file, elevel))
		return;
	loaded = load_identity(dynamo_ssl_cert_file, dynamo_ssl_key_file, &problem);
	if (loaded == NULL)
	{
		ereport(elevel,
				(errcode(ERRCODE_CONFIG_FILE_ERROR),
				 errmsg("could not load certificate \"%s\" and key \"%s\": %s",
						dynamo_ssl_cert_file, dynamo_ssl_key_file, problem)));
		return;
	}
	identity = loaded;
}
