/*
 * tableam.h
 *		The access method "dynamo": heap, with one gate on every write path.
 *
 * The gate verifies the table's key columns and fills the columns of index
 * attributes, so INSERT, COPY, UPDATE, MERGE, ON CONFLICT and logical
 * replication obey DynamoDB's rules as the operations do.  Constraints,
 * policies and routing run before the gate; they see true keys because it
 * refuses others, but must not rely on columns of index attributes.
 *
 * The gate never fills the table's own key columns.  For raw SQL that gives
 * the item alone, a trigger does so before anything looks at the keys:
 *
 *		CREATE TRIGGER "!dynamo:key" BEFORE INSERT ON "ddb"."Music"
 *			FOR EACH ROW EXECUTE FUNCTION dynamo.fill_key_columns()
 *
 * A partitioned table has none: rows are routed before their triggers run, so
 * there a statement has to give the keys.
 */
#ifndef DYNAMO_TABLEAM_H
#define DYNAMO_TABLEAM_H

#include "postgres.h"
#include "executor/tuptable.h"
#include "utils/rel.h"

#include "catalog/description.h"

/* Triggers fire in the order of their names; '!' goes before what users call theirs. */
#define TABLEAM_KEY_TRIGGER "!dynamo:key"

/* The statement that creates the key trigger on a relation, quoted with its schema. */
extern char *tableam_key_trigger_sql(const char *quoted_relation);

/*
 * Pass a row that is about to be stored in relation through the gate: raises
 * DynamoDB's error if its item is not one of this table or its key columns are
 * not the item's, and corrects the columns of index attributes in the slot.  A
 * relation that the catalog does not know is left alone.  Returns its description,
 * NULL if there is none.
 */
extern const TableDescription *gate_pass(Relation relation, TupleTableSlot *slot);

/*
 * Raises DynamoDB's error unless all rows of a locked relation are such as the
 * gate lets in.  A partitioned one has none.
 */
extern void tableam_check_rows(Oid relid);

/*
 * What is told of changes of tables with a stream, after heap has made them: a
 * row has been inserted (a speculative one when it has succeeded), updated or
 * deleted.  The old version is fetched by its TID.
 */
typedef struct ChangeCapture
{
	void		(*insert) (const TableDescription *description, TupleTableSlot *slot);
	void		(*update) (const TableDescription *description, Relation relation,
						   ItemPointer old_tid, TupleTableSlot *slot);
	void		(*remove) (const TableDescription *description, Relation relation,
						   ItemPointer tid);
} ChangeCapture;

/* Set by the room of streams. */
extern const ChangeCapture *tableam_capture;

/*
 * The column value of an attribute of the item (of a whole item that has been
 * checked), false if the item has none.  Raises DynamoDB's error if a key
 * attribute is missing, empty, too long or of the wrong type; an index that is
 * not ACTIVE does without such an item instead.
 */
extern bool gate_column_value(const TableDescription *description, const KeyAttribute *attribute,
							  JsonbContainer *item, Datum *value);

/*
 * When the item expires, as the column of time to live has it: whole seconds
 * since 1970, rounded up.  False if it never does: the attribute is missing or
 * no number, or not a time in the years 1970 to 5138.
 */
extern bool gate_expiry(const TtlDescription *ttl, JsonbContainer *item, int64 *expiry);

/*
 * Does the column hold already what the gate would put there?  For filling
 * items of before the column; while it is being filled.
 */
extern bool gate_column_filled(const TableDescription *description, const KeyAttribute *attribute,
							   JsonbContainer *item, Datum given, bool isnull);

/*
 * While set, items of the relation that violate the keys of an index pass the gate and are
 * left out of it: they were there before the index.  An update of such an item
 * by anybody else is refused once the index is ACTIVE.
 */
extern void gate_set_filling(Oid relid);

/* Are the item's keys of an index, each all together, within its limits? */
extern bool gate_key_sizes_fit(const IndexDescription *index, JsonbContainer *item);

#endif							/* DYNAMO_TABLEAM_H */
