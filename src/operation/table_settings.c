/*
 * table_settings.c
 *		Settings of tables and indexes: parsed, checked, kept.
 */
#include "postgres.h"

#include "pgtime.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/numeric.h"
#include "utils/timestamp.h"

#include "guc.h"
#include "item/build.h"
#include "operation/constraint.h"
#include "operation/table_settings.h"

#define UNITS_MAX			INT64CONST(1000000000000)
#define UNITS_ACCOUNT_MAX	40000
#define WARM_READ_DEFAULT	12000
#define WARM_WRITE_DEFAULT	4000
#define RESOURCE_POLICY_MAX 20480

#define INITIAL_WARM_HELP \
	"https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial"

int64
epoch_milliseconds(TimestampTz time)
{
	return time / 1000 +
		(POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * INT64CONST(1000) * SECS_PER_DAY;
}

int64
now_milliseconds(void)
{
	return epoch_milliseconds(GetCurrentTimestamp());
}

bool
request_nonempty(const cJSON *object)
{
	const cJSON *member;

	cJSON_ArrayForEach(member, object)
	{
		if (!cJSON_IsNull(member))
			return true;
	}
	return false;
}

void
request_refuse_members(const cJSON *request, const char *const *members)
{
	for (int i = 0; members[i] != NULL; i++)
	{
		if (request_member(request, members[i]) != NULL)
			validation_error(INVALID_PARAMETERS "%s is not supported", members[i]);
	}
}

/* ---- constraints ---- */

/* in the order of DynamoDB's messages */
static const char *const billing_modes[] = {"PROVISIONED", "PAY_PER_REQUEST", NULL};
static const char *const encryption_types[] = {"AES256", "KMS", NULL};
static const char *const view_types[] = {
	"OLD_IMAGE", "KEYS_ONLY", "NEW_AND_OLD_IMAGES", "NEW_IMAGE", NULL
};

void
throughput_constraints(const cJSON *object, const char *prefix, ConstraintFaults *faults)
{
	const cJSON *provisioned = request_object(object, "ProvisionedThroughput");
	char	   *path = constraint_path(prefix, "provisionedThroughput");
	char	   *write = constraint_path(path, "writeCapacityUnits");
	char	   *read = constraint_path(path, "readCapacityUnits");

	if (provisioned == NULL)
		return;
	constraint_required(faults, provisioned, "WriteCapacityUnits", write);
	constraint_range(faults, provisioned, "WriteCapacityUnits", write, 1, PG_INT64_MAX);
	constraint_required(faults, provisioned, "ReadCapacityUnits", read);
	constraint_range(faults, provisioned, "ReadCapacityUnits", read, 1, PG_INT64_MAX);
}

void
table_settings_constraints(const cJSON *request, ConstraintFaults *faults)
{
	const cJSON *stream = request_object(request, "StreamSpecification");
	const cJSON *encryption = request_object(request, "SSESpecification");

	constraint_enumeration(faults, request, "BillingMode", "billingMode", billing_modes);
	throughput_constraints(request, NULL, faults);
	if (stream != NULL)
	{
		constraint_required(faults, stream, "StreamEnabled", "streamSpecification.streamEnabled");
		constraint_enumeration(faults, stream, "StreamViewType",
							   "streamSpecification.streamViewType", view_types);
	}
	if (encryption != NULL)
	{
		const char *key = request_string(encryption, "KMSMasterKeyId");

		constraint_enumeration(faults, encryption, "SSEType", "sSESpecification.sSEType",
							   encryption_types);
		if (key != NULL && *key == '\0')
			constraint_fault(faults, key, "sSESpecification.kMSMasterKeyId",
							 "Member must have length greater than or equal to 1");
	}
}

/* ---- throughput ---- */

void
throughput_units(const cJSON *provisioned, int64 *read, int64 *write)
{
	if (!request_integer(provisioned, "ReadCapacityUnits", read) ||
		!request_integer(provisioned, "WriteCapacityUnits", write))
		elog(ERROR, "provisioned throughput without units");
	if (*read > UNITS_MAX)
		validation_error("Given value " INT64_FORMAT " for ReadCapacityUnits is out of bounds", *read);
	if (*write > UNITS_MAX)
		validation_error("Given value " INT64_FORMAT " for WriteCapacityUnits is out of bounds", *write);
}

void
throughput_warm_up(Throughput *throughput, bool on_demand)
{
	throughput->warm_read = Max(throughput->warm_read,
								on_demand ? WARM_READ_DEFAULT : throughput->read);
	throughput->warm_write = Max(throughput->warm_write,
								 on_demand ? WARM_WRITE_DEFAULT : throughput->write);
}

bool
throughput_warm_is_initial(const Throughput *throughput, bool on_demand)
{
	Throughput	initial = *throughput;

	initial.warm_read = initial.warm_write = 0;
	throughput_warm_up(&initial, on_demand);
	return initial.warm_read == throughput->warm_read &&
		initial.warm_write == throughput->warm_write;
}

static bool
same_day(int64 a, int64 b)
{
	return a / 1000 / SECS_PER_DAY == b / 1000 / SECS_PER_DAY;
}

int64
throughput_decreases_today(const Throughput *throughput)
{
	return same_day(throughput->decreased_at, now_milliseconds()) ? throughput->decreases : 0;
}

void
throughput_change_units(Throughput *throughput, int64 read, int64 write)
{
	int64		now = now_milliseconds();

	if (read > throughput->read || write > throughput->write)
		throughput->increased_at = now;
	if (read < throughput->read || write < throughput->write)
	{
		throughput->decreases = throughput_decreases_today(throughput) + 1;
		throughput->decreased_at = now;
	}
	throughput->read = read;
	throughput->write = write;
	throughput_warm_up(throughput, false);
}

/*
 * One member of OnDemandThroughput.
 */
static void
merge_on_demand_member(int64 *units, const cJSON *on_demand, const char *name,
					   const char *index_name, bool unlimited_allowed)
{
	int64		value;

	if (!request_integer(on_demand, name, &value))
		return;
	if (value < 1 && !(value == THROUGHPUT_UNLIMITED && unlimited_allowed))
	{
		if (index_name == NULL)
			validation_error(INVALID_PARAMETERS
							 "Requested %s for OnDemandThroughput for table is outside of valid range",
							 name);
		validation_error(INVALID_PARAMETERS
						 "Requested %s for OnDemandThroughput for index : %s is outside of valid range",
						 name, index_name);
	}
	*units = value == THROUGHPUT_UNLIMITED ? 0 : value;
}

void
throughput_merge_on_demand(Throughput *throughput, const cJSON *on_demand,
						   const char *index_name, bool unlimited_allowed)
{
	merge_on_demand_member(&throughput->max_read, on_demand, "MaxReadRequestUnits",
						   index_name, unlimited_allowed);
	merge_on_demand_member(&throughput->max_write, on_demand, "MaxWriteRequestUnits",
						   index_name, unlimited_allowed);
}

/*
 * OnDemandThroughput of a new table or index.
 */
static void
new_on_demand(Throughput *throughput, const cJSON *object, const char *index_name, bool on_demand)
{
	const cJSON *maximum = request_object(object, "OnDemandThroughput");

	if (!request_nonempty(maximum))
		return;
	if (!on_demand)
	{
		const char *name = request_member(maximum, "MaxReadRequestUnits") ?
		"MaxReadRequestUnits" : "MaxWriteRequestUnits";

		if (index_name == NULL)
			validation_error(INVALID_PARAMETERS
							 "%s for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.",
							 name);
		validation_error(INVALID_PARAMETERS
						 "%s for OnDemandThroughput for index: %s cannot be specified when table BillingMode is PROVISIONED.",
						 name, index_name);
	}
	throughput_merge_on_demand(throughput, maximum, index_name, false);
}

/*
 * One member of WarmThroughput of a new table or index: not below what it has
 * anyway.
 */
static void
new_warm_member(int64 *units, const cJSON *warm, const char *name, const char *index_name,
				bool on_demand, const char *capacity_name)
{
	const char *place = index_name ? psprintf("index %s", index_name) : "table";
	int64		value;

	if (!request_integer(warm, name, &value))
		return;
	if (value < *units && on_demand)
		validation_error(INVALID_PARAMETERS
						 "Requested %s for WarmThroughput for %s is lower than initial throughput for OnDemand. See: "
						 INITIAL_WARM_HELP, name, place);
	if (value < *units)
		validation_error(INVALID_PARAMETERS
						 "Requested %s for WarmThroughput for %s is lower than %s of ProvisionedThroughput",
						 name, place, capacity_name);
	*units = value;
}

static void
new_warm(Throughput *throughput, const cJSON *object, const char *index_name, bool on_demand)
{
	const cJSON *warm = request_object(object, "WarmThroughput");

	throughput_warm_up(throughput, on_demand);
	if (warm == NULL)
		return;
	new_warm_member(&throughput->warm_read, warm, "ReadUnitsPerSecond", index_name,
					on_demand, "ReadCapacityUnits");
	new_warm_member(&throughput->warm_write, warm, "WriteUnitsPerSecond", index_name,
					on_demand, "WriteCapacityUnits");
}

void
throughput_of_new_index(Throughput *throughput, const cJSON *index,
						const char *index_name, bool on_demand)
{
	const cJSON *provisioned = request_object(index, "ProvisionedThroughput");

	if (on_demand && provisioned != NULL)
		validation_error(INVALID_PARAMETERS
						 "ProvisionedThroughput should not be specified for index: %s when BillingMode is PAY_PER_REQUEST",
						 index_name);
	if (!on_demand && provisioned == NULL)
		validation_error(INVALID_PARAMETERS
						 "ProvisionedThroughput is not specified for index: %s", index_name);
	if (provisioned != NULL)
		throughput_units(provisioned, &throughput->read, &throughput->write);
	new_on_demand(throughput, index, index_name, on_demand);
	new_warm(throughput, index, index_name, on_demand);
}

static void
check_limit(int64 units, const char *name, const char *index_name)
{
	const char *tail = "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.";

	if (units <= UNITS_ACCOUNT_MAX)
		return;
	if (index_name == NULL)
		dynamo_error(LIMIT_EXCEEDED,
					 "The requested %s, " INT64_FORMAT ", is above the per table maximum for the account in %s. "
					 "Per table maximum: %d. %s",
					 name, units, dynamo_region, UNITS_ACCOUNT_MAX, tail);
	dynamo_error(LIMIT_EXCEEDED,
				 "The requested %s for index %s, " INT64_FORMAT ", is above the per index maximum for the account in %s. "
				 "Per index maximum: %d. %s",
				 name, index_name, units, dynamo_region, UNITS_ACCOUNT_MAX, tail);
}

static void
check_on_demand_limit(int64 units, const char *name, const char *account_name,
					  const char *index_name)
{
	const char *place = index_name ? psprintf("index %s", index_name) : "table";

	if (units > UNITS_ACCOUNT_MAX)
		dynamo_error(LIMIT_EXCEEDED,
					 "Subscriber limit exceeded: Requested %s for OnDemandThroughput for %s exceeds %s of the account in region %s",
					 name, place, account_name, dynamo_region);
}

void
throughput_check_limits(const Throughput *throughput, const char *index_name)
{
	check_limit(throughput->read, "ReadCapacityUnits", index_name);
	check_limit(throughput->write, "WriteCapacityUnits", index_name);
	check_on_demand_limit(throughput->max_read, "MaxReadRequestUnits",
						  "TableMaxReadCapacityUnits", index_name);
	check_on_demand_limit(throughput->max_write, "MaxWriteRequestUnits",
						  "TableMaxWriteCapacityUnits", index_name);
}

/* ---- a new table ---- */

void
table_settings_billing(TableSettings *settings, const cJSON *request)
{
	const char *mode = request_string(request, "BillingMode");
	const cJSON *provisioned = request_object(request, "ProvisionedThroughput");

	settings->on_demand = mode != NULL && strcmp(mode, "PAY_PER_REQUEST") == 0;
	if (settings->on_demand && provisioned != NULL)
		validation_error(INVALID_PARAMETERS
						 "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST");
	if (!settings->on_demand && provisioned == NULL)
		validation_error(INVALID_PARAMETERS
						 "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED");
	if (provisioned != NULL)
		throughput_units(provisioned, &settings->throughput.read, &settings->throughput.write);
}

static void
stream_of_new_table(TableSettings *settings, const cJSON *stream)
{
	const char *view = request_string(stream, "StreamViewType");
	bool		enabled = request_bool(stream, "StreamEnabled", false);

	if (enabled && view == NULL)
		validation_error(INVALID_PARAMETERS
						 "Table is being created with a stream enabled, UpdateViewType is required");
	if (!enabled && view != NULL)
		validation_error(INVALID_PARAMETERS
						 "Table is being created with a stream disabled, UpdateViewType should not be specified");
	if (enabled)
		settings->stream_view = view;
}

/*
 * An empty specification says nothing; without Enabled a key type switches on.
 */
void
encryption_from_request(TableSettings *settings, const cJSON *specification)
{
	const char *type = request_string(specification, "SSEType");
	const char *key = request_string(specification, "KMSMasterKeyId");
	bool		given = request_member(specification, "Enabled") != NULL;
	bool		enabled = request_bool(specification, "Enabled", type != NULL || key != NULL);

	if (given && !enabled && type != NULL)
		validation_error(INVALID_PARAMETERS "SSEType can not be specified if Enabled is false");
	if (given && !enabled && key != NULL)
		validation_error(INVALID_PARAMETERS "KMSMasterKeyId can not be specified if Enabled is false");
	if (type != NULL && strcmp(type, "AES256") == 0)
		validation_error(INVALID_PARAMETERS "SSEType AES256 is not supported");
	if (key != NULL && type == NULL)
		validation_error(INVALID_PARAMETERS "SSEType KMS is required if KMSMasterKeyId is specified");

	settings->encrypted = enabled;
	settings->kms_key = enabled ? key : NULL;
}

const char *
table_class_from_request(const cJSON *request)
{
	const char *class = request_string(request, "TableClass");

	if (class != NULL && strcmp(class, "STANDARD") != 0 &&
		strcmp(class, "STANDARD_INFREQUENT_ACCESS") != 0)
		validation_error("Invalid table-class parameter provided. Please try again with a valid table-class value: "
						 "[STANDARD, STANDARD_INFREQUENT_ACCESS].");
	return class;
}

/*
 * Who may use a table is decided by GRANT; a policy is kept only.
 */
static const char *
resource_policy_from_request(const cJSON *request)
{
	const char *policy = request_string(request, "ResourcePolicy");

	if (policy == NULL)
		return NULL;
	if (strlen(policy) > RESOURCE_POLICY_MAX)
		validation_error(INVALID_PARAMETERS "Maximum policy size of %d bytes exceeded",
						 RESOURCE_POLICY_MAX);
	if (*policy == '\0' || policy[strspn(policy, " \t\r\n")] != '{')
		validation_error(INVALID_PARAMETERS
						 "Invalid policy document: This policy contains invalid Json");
	return policy;
}

void
table_settings_others(TableSettings *settings, const cJSON *request)
{
	const cJSON *stream = request_object(request, "StreamSpecification");
	const cJSON *encryption = request_object(request, "SSESpecification");

	new_on_demand(&settings->throughput, request, NULL, settings->on_demand);
	new_warm(&settings->throughput, request, NULL, settings->on_demand);
	if (stream != NULL)
		stream_of_new_table(settings, stream);
	if (encryption != NULL)
		encryption_from_request(settings, encryption);
	settings->table_class = table_class_from_request(request);
	settings->resource_policy = resource_policy_from_request(request);
	settings->deletion_protection = request_bool(request, "DeletionProtectionEnabled", false);
}

/* ---- in the catalog ---- */

static void
push_string(JsonbParseState **state, const char *name, const char *string)
{
	JsonbValue	value;

	if (string == NULL)
		return;
	name_push(state, name);
	value.type = jbvString;
	value.val.string.val = unconstify(char *, string);
	value.val.string.len = strlen(string);
	pushJsonbValue(state, WJB_VALUE, &value);
}

static void
push_integer(JsonbParseState **state, const char *name, int64 integer)
{
	JsonbValue	value;

	if (integer == 0)
		return;
	name_push(state, name);
	value.type = jbvNumeric;
	value.val.numeric = int64_to_numeric(integer);
	pushJsonbValue(state, WJB_VALUE, &value);
}

static void
push_bool(JsonbParseState **state, const char *name, bool boolean)
{
	JsonbValue	value;

	if (!boolean)
		return;
	name_push(state, name);
	value.type = jbvBool;
	value.val.boolean = boolean;
	pushJsonbValue(state, WJB_VALUE, &value);
}

static char *
get_string(Jsonb *jb, const char *name)
{
	JsonbValue	value;

	if (getKeyJsonValueFromContainer(&jb->root, name, strlen(name), &value) == NULL ||
		value.type != jbvString)
		return NULL;
	return pnstrdup(value.val.string.val, value.val.string.len);
}

static int64
get_integer(Jsonb *jb, const char *name)
{
	JsonbValue	value;

	if (getKeyJsonValueFromContainer(&jb->root, name, strlen(name), &value) == NULL ||
		value.type != jbvNumeric)
		return 0;
	return DatumGetInt64(DirectFunctionCall1(numeric_int8, NumericGetDatum(value.val.numeric)));
}

static bool
get_bool(Jsonb *jb, const char *name)
{
	JsonbValue	value;

	return getKeyJsonValueFromContainer(&jb->root, name, strlen(name), &value) != NULL &&
		value.type == jbvBool && value.val.boolean;
}

static void
push_throughput(JsonbParseState **state, const Throughput *throughput)
{
	push_integer(state, "ReadCapacityUnits", throughput->read);
	push_integer(state, "WriteCapacityUnits", throughput->write);
	push_integer(state, "LastIncreaseDateTime", throughput->increased_at);
	push_integer(state, "LastDecreaseDateTime", throughput->decreased_at);
	push_integer(state, "NumberOfDecreasesToday", throughput->decreases);
	push_integer(state, "MaxReadRequestUnits", throughput->max_read);
	push_integer(state, "MaxWriteRequestUnits", throughput->max_write);
	push_integer(state, "ReadUnitsPerSecond", throughput->warm_read);
	push_integer(state, "WriteUnitsPerSecond", throughput->warm_write);
}

static void
get_throughput(Throughput *throughput, Jsonb *jb)
{
	throughput->read = get_integer(jb, "ReadCapacityUnits");
	throughput->write = get_integer(jb, "WriteCapacityUnits");
	throughput->increased_at = get_integer(jb, "LastIncreaseDateTime");
	throughput->decreased_at = get_integer(jb, "LastDecreaseDateTime");
	throughput->decreases = get_integer(jb, "NumberOfDecreasesToday");
	throughput->max_read = get_integer(jb, "MaxReadRequestUnits");
	throughput->max_write = get_integer(jb, "MaxWriteRequestUnits");
	throughput->warm_read = get_integer(jb, "ReadUnitsPerSecond");
	throughput->warm_write = get_integer(jb, "WriteUnitsPerSecond");
}

Jsonb *
table_settings_to_jsonb(const TableSettings *settings)
{
	JsonbParseState *state = NULL;

	pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
	push_bool(&state, "OnDemand", settings->on_demand);
	push_integer(&state, "LastUpdateToPayPerRequestDateTime", settings->on_demand_since);
	push_throughput(&state, &settings->throughput);
	push_string(&state, "TableClass", settings->table_class);
	push_integer(&state, "TableClassDateTime", settings->table_class_at);
	push_bool(&state, "Encrypted", settings->encrypted);
	push_string(&state, "KMSMasterKeyId", settings->kms_key);
	push_string(&state, "StreamViewType", settings->stream_view);
	push_string(&state, "StreamLabel", settings->stream_label);
	push_bool(&state, "DeletionProtectionEnabled", settings->deletion_protection);
	push_string(&state, "ResourcePolicy", settings->resource_policy);
	push_integer(&state, "RecoveryPeriodInDays", settings->recovery_days);
	push_integer(&state, "RecoveryDateTime", settings->recovery_since);
	return JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_OBJECT, NULL));
}

void
table_settings_from_jsonb(TableSettings *settings, Jsonb *jb)
{
	settings->on_demand = get_bool(jb, "OnDemand");
	settings->on_demand_since = get_integer(jb, "LastUpdateToPayPerRequestDateTime");
	get_throughput(&settings->throughput, jb);
	settings->table_class = get_string(jb, "TableClass");
	settings->table_class_at = get_integer(jb, "TableClassDateTime");
	settings->encrypted = get_bool(jb, "Encrypted");
	settings->kms_key = get_string(jb, "KMSMasterKeyId");
	settings->stream_view = get_string(jb, "StreamViewType");
	settings->stream_label = get_string(jb, "StreamLabel");
	settings->deletion_protection = get_bool(jb, "DeletionProtectionEnabled");
	settings->resource_policy = get_string(jb, "ResourcePolicy");
	settings->recovery_days = (int) get_integer(jb, "RecoveryPeriodInDays");
	settings->recovery_since = get_integer(jb, "RecoveryDateTime");
}

Jsonb *
index_settings_to_jsonb(const IndexSettings *settings)
{
	JsonbParseState *state = NULL;

	pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
	push_integer(&state, "Position", settings->position);
	push_throughput(&state, &settings->throughput);
	return JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_OBJECT, NULL));
}

void
index_settings_from_jsonb(IndexSettings *settings, Jsonb *jb)
{
	settings->position = (int) get_integer(jb, "Position");
	get_throughput(&settings->throughput, jb);
}
