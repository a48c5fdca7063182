/*
 * transact_documents.c
 *		dynamo.transact(): a transaction of plain JSON, for people at psql.
 *
 * Each action is an object with one member, "put", "update", "delete" or
 * "check", that holds what the function of that name has as arguments.
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"

#include "compat.h"
#include "item/item.h"
#include "operation/transaction.h"

typedef struct ActionArguments
{
	char	   *table_name;
	Jsonb	   *item;
	Jsonb	   *key;
	char	   *expression;
	char	   *condition;
	Jsonb	   *attribute_values;
	Jsonb	   *attribute_names;
} ActionArguments;

static const struct
{
	const char *name;
	ActionKind	kind;
}			action_kinds[] = {
	{"check", ACTION_CHECK},
	{"put", ACTION_PUT},
	{"update", ACTION_UPDATE},
	{"delete", ACTION_DELETE},
};

pg_noreturn static void
refuse_action(int position, const char *what)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("action %d %s", position, what),
			 errhint("Write actions as [{\"put\": {\"table_name\": \"T\", \"item\": {...}}}, "
					 "{\"update\": {\"table_name\": \"T\", \"key\": {...}, \"expression\": \"SET a = :v\", "
					 "\"condition\": \"a < :v\", \"attribute_values\": {\":v\": 1}}}, ...] "
					 "with put, update, delete or check.")));
}

static char *
argument_text(const JsonbValue *value, int position, const char *name)
{
	if (value->type != jbvString)
		refuse_action(position, psprintf("has a %s that is not a string", name));
	return pnstrdup(value->val.string.val, value->val.string.len);
}

static void
take_argument(ActionArguments *arguments, const char *name, JsonbValue *value, int position)
{
	if (value->type == jbvNull)
		return;
	if (strcmp(name, "table_name") == 0)
		arguments->table_name = argument_text(value, position, name);
	else if (strcmp(name, "expression") == 0)
		arguments->expression = argument_text(value, position, name);
	else if (strcmp(name, "condition") == 0)
		arguments->condition = argument_text(value, position, name);
	else if (strcmp(name, "item") == 0)
		arguments->item = JsonbValueToJsonb(value);
	else if (strcmp(name, "key") == 0)
		arguments->key = JsonbValueToJsonb(value);
	else if (strcmp(name, "attribute_values") == 0)
		arguments->attribute_values = JsonbValueToJsonb(value);
	else if (strcmp(name, "attribute_names") == 0)
		arguments->attribute_names = JsonbValueToJsonb(value);
	else
		refuse_action(position, psprintf("has an unknown member %s", quote_identifier(name)));
}

/* Calls take_argument() for each member of the action's body. */
static void
take_arguments(ActionArguments *arguments, JsonbContainer *body, int position)
{
	JsonbIterator *iterator = JsonbIteratorInit(body);
	JsonbIteratorToken token;
	JsonbValue	value;
	char	   *name = NULL;

	while ((token = JsonbIteratorNext(&iterator, &value, true)) != WJB_DONE)
	{
		if (token == WJB_KEY)
			name = pnstrdup(value.val.string.val, value.val.string.len);
		else if (token == WJB_VALUE)
			take_argument(arguments, name, &value, position);
	}
}

/* What each kind needs, and what it has no use for. */
static void
check_arguments(const ActionArguments *arguments, ActionKind kind, int position)
{
	bool		put = kind == ACTION_PUT;

	if (arguments->table_name == NULL)
		refuse_action(position, "has no table_name");
	if (put ? arguments->item == NULL : arguments->key == NULL)
		refuse_action(position, put ? "has no item" : "has no key");
	if (put ? arguments->key != NULL : arguments->item != NULL)
		refuse_action(position, put ? "has a key: a put has its key in the item" : "has an item: only a put has one");
	if ((kind == ACTION_UPDATE) != (arguments->expression != NULL))
		refuse_action(position, kind == ACTION_UPDATE ? "has no expression" : "has an expression: only an update has one");
	if (kind == ACTION_CHECK && arguments->condition == NULL)
		refuse_action(position, "has no condition");
}

static void
fill_action(ItemAction *action, const ActionArguments *arguments)
{
	Placeholders *placeholders = placeholders_from_jsonb(arguments->attribute_names,
														 arguments->attribute_values);

	action->table_name = arguments->table_name;
	action->item = item_normalize(arguments->item ? arguments->item : arguments->key);
	action->want_failed = true;
	if (arguments->expression != NULL)
		action->update = update_parse(arguments->expression, placeholders);
	if (arguments->condition != NULL)
		action->condition = condition_parse(CONDITION_EXPRESSION, arguments->condition, placeholders);
	placeholders_check_used(placeholders);
}

static void
parse_action(const JsonbValue *element, ItemAction *action, int position)
{
	ActionArguments arguments = {0};
	JsonbContainer *container = element->type == jbvBinary ? element->val.binary.data : NULL;
	JsonbValue	body;

	if (container == NULL || !JsonContainerIsObject(container) || JsonContainerSize(container) != 1)
		refuse_action(position, "is not an object with one member");
	for (int i = 0; i < lengthof(action_kinds); i++)
	{
		const char *name = action_kinds[i].name;

		if (getKeyJsonValueFromContainer(container, name, strlen(name), &body) == NULL)
			continue;
		if (body.type != jbvBinary || !JsonContainerIsObject(body.val.binary.data))
			refuse_action(position, "does not hold an object");
		action->kind = action_kinds[i].kind;
		take_arguments(&arguments, body.val.binary.data, position);
		check_arguments(&arguments, action->kind, position);
		fill_action(action, &arguments);
		return;
	}
	refuse_action(position, "is none of put, update, delete and check");
}

/*
 * dynamo.transact(actions jsonb)
 */
PG_FUNCTION_INFO_V1(dynamo_transact);
Datum
dynamo_transact(PG_FUNCTION_ARGS)
{
	Jsonb	   *jb = PG_GETARG_JSONB_P(0);
	ItemAction *actions;
	int			count;

	errors_set_validation_form(VALIDATION_FORM_OLDER);
	if (!JB_ROOT_IS_ARRAY(jb) || JB_ROOT_IS_SCALAR(jb))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("actions must be a JSON array")));
	count = JB_ROOT_COUNT(jb);
	if (count == 0 || count > TRANSACTION_MAX_ACTIONS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a transaction has between 1 and %d actions, not %d", TRANSACTION_MAX_ACTIONS, count),
				 errhint("Several calls between BEGIN and COMMIT are one transaction, too.")));

	actions = palloc0(sizeof(ItemAction) * count);
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		parse_action(getIthJsonbValueFromContainer(&jb->root, i), &actions[i], i + 1);
	}
	transaction_run(actions, transaction_open(actions, count), count, false);
	PG_RETURN_VOID();
}
