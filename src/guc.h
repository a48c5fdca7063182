/*
 * guc.h
 *		The extension's settings.  guc.c says what each is for.
 */
#ifndef DYNAMO_GUC_H
#define DYNAMO_GUC_H

extern char *dynamo_account_id;
extern char *dynamo_region;
extern char *dynamo_schema;

extern void guc_init(void);

#endif							/* DYNAMO_GUC_H */
