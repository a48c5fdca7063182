/*
 * key_trigger.c
 *		Filling the table's key columns for raw SQL that gives the item alone.
 *
 * A trigger, not the gate: policies, constraints, generated columns and ON
 * CONFLICT look at the keys before the access method is called.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "commands/trigger.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/rel.h"

#include "item/item.h"
#include "tableam/tableam.h"

PG_FUNCTION_INFO_V1(tableam_fill_key_columns);

/*
 * Without WHEN: PostgreSQL would read the condition from its stored text in
 * each statement, which costs an operation more than this function does.
 */
char *
tableam_key_trigger_sql(const char *quoted_relation)
{
	return psprintf("CREATE TRIGGER %s BEFORE INSERT ON %s FOR EACH ROW "
					"EXECUTE FUNCTION dynamo.fill_key_columns()",
					quote_identifier(TABLEAM_KEY_TRIGGER), quoted_relation);
}

/* Set the column if it is null; a value that is given is for the gate to verify. */
static HeapTuple
fill_column(const TableDescription *description, const KeyAttribute *attribute,
			Jsonb *item, HeapTuple tuple, TupleDesc tupdesc)
{
	int			attnum = attribute->attnum;
	bool		isnull = heap_attisnull(tuple, attnum, tupdesc);
	Datum		value;

	if (!isnull || !gate_column_value(description, attribute, &item->root, &value))
		return tuple;
	isnull = false;
	return heap_modify_tuple_by_cols(tuple, tupdesc, 1, &attnum, &value, &isnull);
}

Datum
tableam_fill_key_columns(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	TableDescription *description;
	TupleDesc	tupdesc;
	HeapTuple	tuple;
	Jsonb	   *item;
	Datum		datum;
	bool		isnull;

	if (!CALLED_AS_TRIGGER(fcinfo) || !TRIGGER_FIRED_BEFORE(trigger->tg_event) ||
		!TRIGGER_FIRED_FOR_ROW(trigger->tg_event) ||
		!TRIGGER_FIRED_BY_INSERT(trigger->tg_event))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("function \"fill_key_columns\" must be called BEFORE INSERT FOR EACH ROW")));

	tuple = trigger->tg_trigtuple;
	tupdesc = RelationGetDescr(trigger->tg_relation);
	description = catalog_description(trigger->tg_relation);
	if (description == NULL)
		PG_RETURN_POINTER(tuple);

	if (!heap_attisnull(tuple, description->partition->attnum, tupdesc) &&
		(description->sort == NULL || !heap_attisnull(tuple, description->sort->attnum, tupdesc)))
		PG_RETURN_POINTER(tuple);

	datum = heap_getattr(tuple, description->item_attnum, tupdesc, &isnull);
	if (isnull)
		PG_RETURN_POINTER(tuple);	/* the column's NOT NULL says so better */
	item = DatumGetJsonbP(datum);
	item_check(item);

	tuple = fill_column(description, description->partition, item, tuple, tupdesc);
	if (description->sort)
		tuple = fill_column(description, description->sort, item, tuple, tupdesc);
	PG_RETURN_POINTER(tuple);
}
