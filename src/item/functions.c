/*
 * functions.c
 *		SQL functions of items by themselves.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"

#include "errors.h"
#include "item/item.h"
#include "item/json_tree.h"
#include "item/key.h"
#include "item/validate.h"

PG_FUNCTION_INFO_V1(dynamo_to_item);
PG_FUNCTION_INFO_V1(dynamo_from_item);
PG_FUNCTION_INFO_V1(dynamo_item_size);
PG_FUNCTION_INFO_V1(dynamo_key_value_text);
PG_FUNCTION_INFO_V1(dynamo_key_value_bytea);

Datum
dynamo_to_item(PG_FUNCTION_ARGS)
{
	cJSON	   *tree = json_tree_from_jsonb(PG_GETARG_JSONB_P(0));
	ValidationForm form;
	Jsonb	   *item;

	/* bare texts here, also when a trigger calls this within an operation */
	form = errors_set_validation_form(VALIDATION_FORM_OLDER);
	item = item_from_dynamodb_json(tree);
	(void) errors_set_validation_form(form);
	PG_RETURN_JSONB_P(item);
}

Datum
dynamo_from_item(PG_FUNCTION_ARGS)
{
	Jsonb	   *item = item_normalize(PG_GETARG_JSONB_P(0));
	JsonWriter	json;

	json_writer_begin_jsonb(&json);
	item_to_dynamodb_json(&json, &item->root);
	PG_RETURN_JSONB_P(json_writer_jsonb(&json));
}

Datum
dynamo_item_size(PG_FUNCTION_ARGS)
{
	Jsonb	   *item = PG_GETARG_JSONB_P(0);

	if (!JB_ROOT_IS_OBJECT(item))
		validation_error("%s", NOT_AN_ITEM_TEXT);
	PG_RETURN_INT64(item_size(&item->root));
}

Datum
dynamo_key_value_text(PG_FUNCTION_ARGS)
{
	text	   *value = PG_GETARG_TEXT_PP(0);

	PG_RETURN_TEXT_P(key_text(VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value), KEY_PREFIX_BYTES));
}

Datum
dynamo_key_value_bytea(PG_FUNCTION_ARGS)
{
	PG_RETURN_BYTEA_P(key_bytes(PG_GETARG_BYTEA_PP(0), KEY_PREFIX_BYTES));
}
