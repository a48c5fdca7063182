/*
 * guc.c
 *		The extension's settings, each defined once, in alphabetical order.
 */
#include "postgres.h"

#include "utils/guc.h"

#include "guc.h"

char	   *dynamo_account_id;
char	   *dynamo_region;
char	   *dynamo_schema;

static bool
check_account_id(char **newval, void **extra, GucSource source)
{
	if (strlen(*newval) == 12 && strspn(*newval, "0123456789") == 12)
		return true;
	GUC_check_errdetail("An AWS account id has 12 digits.");
	return false;
}

static bool
check_region(char **newval, void **extra, GucSource source)
{
	size_t		length = strlen(*newval);

	if (length > 0 && length < 64 &&
		strspn(*newval, "abcdefghijklmnopqrstuvwxyz0123456789-") == length)
		return true;
	GUC_check_errdetail("A Region's name consists of lower-case letters, digits and hyphens.");
	return false;
}

void
guc_init(void)
{
	DefineCustomStringVariable("dynamo.account_id",
							   "Account id in the ARNs of tables.",
							   NULL,
							   &dynamo_account_id,
							   "000000000000",
							   PGC_USERSET, 0,
							   check_account_id, NULL, NULL);

	DefineCustomStringVariable("dynamo.region",
							   "Region in the ARNs of tables.",
							   NULL,
							   &dynamo_region,
							   "us-east-1",
							   PGC_USERSET, 0,
							   check_region, NULL, NULL);

	DefineCustomStringVariable("dynamo.schema",
							   "Schema of the item tables.",
							   NULL,
							   &dynamo_schema,
							   "ddb",
							   PGC_USERSET, 0,
							   NULL, NULL, NULL);

	MarkGUCPrefixReserved("dynamo");
}
