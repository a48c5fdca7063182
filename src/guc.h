/*
 * guc.h
 *		The extension's settings.  guc.c says what each is for.
 */
#ifndef DYNAMO_GUC_H
#define DYNAMO_GUC_H

#define STREAM_SHARDS_MAX 64

extern char *dynamo_account_id;
extern char *dynamo_anonymous_role;
extern bool dynamo_authentication;
extern int	dynamo_clock_offset;
extern char *dynamo_database;
extern int	dynamo_item_collection_limit;
extern char *dynamo_listen_addresses;
extern int	dynamo_lock_timeout;
extern int	dynamo_port;
extern char *dynamo_region;
extern char *dynamo_schema;
extern char *dynamo_ssl_cert_file;
extern char *dynamo_ssl_key_file;
extern int	dynamo_statement_timeout;
extern int	dynamo_stream_shards;
extern int	dynamo_ttl_interval;
extern int	dynamo_workers;

extern void guc_init(void);

#endif							/* DYNAMO_GUC_H */
