/*
 * scan_segments.c
 *		Segments of a parallel Scan: ranges of the key order.
 *
 * The segments of a scan must share the work and cover each item once, though
 * each page is a request of its own and the table changes meanwhile.  So the
 * key order is cut at split points that stay: taken from a sample of the table
 * at its first parallel scan, kept in dynamo.scan_splits, and renewed only when
 * no parallel scan has used them for a day.  A segment is a run of the pieces
 * between split points; with fewer pieces than segments some are empty.
 */
#include "postgres.h"

#include "access/relscan.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "catalog/catalog_scan.h"
#include "errors.h"
#include "item/key.h"
#include "operation/scan_segments.h"

#define SPLITS_MAX			1023
#define SAMPLE_BLOCKS		300
#define SPLITS_UNUSED_SECS	(24 * 60 * 60)
#define SPLITS_TOUCH_SECS	(10 * 60)

#define SPLITS				"scan_splits"

/* Columns of that table, as dynamo--1.0.sql creates it. */
enum
{
	SPLITS_RELATION = 1,
	SPLITS_COLUMN,
	SPLITS_VALUES,
	SPLITS_USED_AT
};
#define SPLITS_COLUMNS SPLITS_USED_AT

typedef struct Splits
{
	int			count;
	Datum	   *values;			/* ascending, unique */
} Splits;

/* ---- sampling ---- */

typedef struct Sample
{
	int			count;
	int			allocated;
	Datum	   *values;
} Sample;

/*
 * Splits are of the column's values, or of their digests where the index has
 * those: kept apart, under a name that no column has.
 */
static const char *
splits_name(const PageColumn *column)
{
	return column->digested ? psprintf("%.*s:digest", pg_mbcliplen(column->attribute->column,
																   strlen(column->attribute->column), 50),
									   column->attribute->column)
		: column->attribute->column;
}

static int
compare_values(const void *a, const void *b, void *type)
{
	return key_compare(*(const Datum *) a, *(const Datum *) b, *(AttributeType *) type);
}

static void
sample_block(Relation relation, BlockNumber block, AttrNumber attnum, Sample *sample)
{
	ItemPointerData first;
	ItemPointerData last;
	TupleTableSlot *slot = table_slot_create(relation, NULL);
	TableScanDesc scan;

	ItemPointerSet(&first, block, FirstOffsetNumber);
	ItemPointerSet(&last, block, MaxOffsetNumber);
	scan = table_beginscan_tidrange(relation, GetActiveSnapshot(), &first, &last);
	while (table_scan_getnextslot_tidrange(scan, ForwardScanDirection, slot))
	{
		bool		is_null;
		Datum		value = slot_getattr(slot, attnum, &is_null);

		if (is_null)
			continue;
		if (sample->count == sample->allocated)
		{
			sample->allocated = Max(256, sample->allocated * 2);
			sample->values = sample->values == NULL
				? palloc(sample->allocated * sizeof(Datum))
				: repalloc(sample->values, sample->allocated * sizeof(Datum));
		}
		sample->values[sample->count++] = PointerGetDatum(PG_DETOAST_DATUM_COPY(value));
	}
	table_endscan(scan);
	ExecDropSingleTupleTableSlot(slot);
}

static void
sample_relation(Oid relid, const char *column, Sample *sample)
{
	Relation	relation = table_open(relid, AccessShareLock);

	if (RELKIND_HAS_STORAGE(relation->rd_rel->relkind))
	{
		BlockNumber blocks = RelationGetNumberOfBlocks(relation);
		BlockNumber step = Max(1, blocks / SAMPLE_BLOCKS);
		AttrNumber	attnum = get_attnum(relid, column);

		for (BlockNumber block = 0; block < blocks; block += step)
		{
			CHECK_FOR_INTERRUPTS();
			sample_block(relation, block, attnum, sample);
		}
	}
	table_close(relation, AccessShareLock);
}

/* Split points at equal shares of a sample of the column. */
static void
make_splits(const PageSpec *spec, Splits *splits)
{
	const KeyAttribute *attribute = spec->columns[0].attribute;
	AttributeType type = attribute->type;
	Sample		sample = {0};
	int			distinct = 0;
	List	   *relations = find_all_inheritors(spec->table->root, AccessShareLock, NULL);
	ListCell   *cell;

	foreach(cell, relations)
		sample_relation(lfirst_oid(cell), attribute->column, &sample);

	for (int i = 0; i < sample.count; i++)
		sample.values[i] = page_position(&spec->columns[0], sample.values[i]);
	if (sample.count > 1)
		qsort_arg(sample.values, sample.count, sizeof(Datum), compare_values, &type);
	for (int i = 0; i < sample.count; i++)
	{
		if (distinct == 0 || key_compare(sample.values[distinct - 1], sample.values[i], type) != 0)
			sample.values[distinct++] = sample.values[i];
	}

	/* the first value bounds nothing: all that is below it belongs to the first piece */
	splits->count = Min(SPLITS_MAX, Max(0, distinct - 1));
	splits->values = palloc(sizeof(Datum) * Max(1, splits->count));
	for (int i = 0; i < splits->count; i++)
		splits->values[i] = sample.values[1 + (int64) i * (distinct - 1) / splits->count];
}

/* ---- keeping them ---- */

static ArrayType *
splits_to_array(const Splits *splits, AttributeType type)
{
	Datum	   *texts = palloc(sizeof(Datum) * Max(1, splits->count));
	Oid			output;
	bool		is_varlena;

	getTypeOutputInfo(key_column_type(type), &output, &is_varlena);
	for (int i = 0; i < splits->count; i++)
		texts[i] = CStringGetTextDatum(OidOutputFunctionCall(output, splits->values[i]));
	return construct_array(texts, splits->count, TEXTOID, -1, false, TYPALIGN_INT);
}

static void
splits_from_list(List *texts, AttributeType type, Splits *splits)
{
	Oid			input;
	Oid			element;
	ListCell   *cell;

	getTypeInputInfo(key_column_type(type), &input, &element);
	splits->count = 0;
	splits->values = palloc(sizeof(Datum) * Max(1, list_length(texts)));
	foreach(cell, texts)
		splits->values[splits->count++] = OidInputFunctionCall(input, lfirst(cell), element, -1);
}

static void
form_row(const PageSpec *spec, const Splits *splits, Datum *values, bool *nulls)
{
	const KeyAttribute *attribute = spec->columns[0].attribute;
	NameData   *column = palloc0(sizeof(NameData));

	namestrcpy(column, splits_name(&spec->columns[0]));
	memset(nulls, false, sizeof(bool) * SPLITS_COLUMNS);
	values[SPLITS_RELATION - 1] = ObjectIdGetDatum(spec->table->root);
	values[SPLITS_COLUMN - 1] = NameGetDatum(column);
	values[SPLITS_VALUES - 1] = PointerGetDatum(splits_to_array(splits, attribute->type));
	values[SPLITS_USED_AT - 1] = TimestampTzGetDatum(GetCurrentTimestamp());
}

/*
 * Note that the splits are in use; renew them if nobody has for long.  A
 * transaction that may not write uses them as they are.
 */
static void
touch_splits(CatalogScan *scan, const PageSpec *spec, Splits *splits, bool may_write)
{
	Datum		values[SPLITS_COLUMNS];
	bool		nulls[SPLITS_COLUMNS];
	TimestampTz used_at = catalog_scan_int64(scan, SPLITS_USED_AT);
	TimestampTz now = GetCurrentTimestamp();

	splits_from_list(catalog_scan_text_list(scan, SPLITS_VALUES), spec->columns[0].attribute->type, splits);
	if (!may_write || !TimestampDifferenceExceeds(used_at, now, SPLITS_TOUCH_SECS * 1000))
		return;
	/* whoever scans beside us touches them as well; one of us is enough */
	if (!ConditionalLockDatabaseObject(RelationGetRelid(scan->catalog), spec->table->root, 0, ExclusiveLock))
		return;
	if (TimestampDifferenceExceeds(used_at, now, SPLITS_UNUSED_SECS * 1000))
		make_splits(spec, splits);
	form_row(spec, splits, values, nulls);
	catalog_scan_update(scan, values, nulls, NULL);
}

static bool
find_splits(const PageSpec *spec, Splits *splits, bool may_write)
{
	CatalogScan scan;
	ScanKeyData keys[2];
	NameData	column;
	bool		found;

	namestrcpy(&column, splits_name(&spec->columns[0]));
	ScanKeyInit(&keys[0], SPLITS_RELATION, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(spec->table->root));
	ScanKeyInit(&keys[1], SPLITS_COLUMN, BTEqualStrategyNumber, F_NAMEEQ, NameGetDatum(&column));
	catalog_scan_begin(&scan, SPLITS, may_write ? RowExclusiveLock : AccessShareLock,
					   keys, lengthof(keys));
	found = catalog_scan_next(&scan);
	if (found)
		touch_splits(&scan, spec, splits, may_write);
	catalog_scan_end(&scan);
	return found;
}

static void
insert_splits(const PageSpec *spec, const Splits *splits)
{
	Datum		values[SPLITS_COLUMNS];
	bool		nulls[SPLITS_COLUMNS];

	form_row(spec, splits, values, nulls);
	catalog_insert_row(SPLITS, values, nulls);
}

/*
 * All segments of a scan must see the same splits, so whoever makes them first
 * does it alone, until its transaction is over.  Where nothing can be written
 * and nothing is kept, the first segment is the whole table.
 */
static void
get_splits(const PageSpec *spec, Splits *splits)
{
	bool		may_write = !XactReadOnly && !RecoveryInProgress();

	memset(splits, 0, sizeof(*splits));
	if (find_splits(spec, splits, may_write) || !may_write)
		return;

	LockDatabaseObject(catalog_table_oid(SPLITS, false), spec->table->root, 0, ExclusiveLock);
	if (find_splits(spec, splits, may_write))
		return;
	make_splits(spec, splits);
	insert_splits(spec, splits);
}

/* ---- bounding ---- */

static bool
start_is_within(const PageSpec *spec)
{
	const PageColumn *column = &spec->columns[0];
	AttributeType type = column->attribute->type;
	JsonbValue	value;
	Datum		position;

	if (spec->nothing ||
		!attribute_get(spec->start, column->attribute->name, column->attribute->name_length, &value))
		return false;
	position = page_position(column, description_column_value(spec->table, column->attribute, &value));
	return (!column->has_lower || key_compare(position, column->lower, type) >= 0) &&
		(!column->has_upper || key_compare(position, column->upper, type) < 0);
}

void
scan_segment_bound(PageSpec *spec, int64 segment, int64 total)
{
	PageColumn *column = &spec->columns[0];
	Splits		splits;
	int64		first;
	int64		end;

	if (total == 1)
		return;

	/* pieces are numbered from 0; piece p begins at split p - 1 */
	get_splits(spec, &splits);
	first = segment * (splits.count + 1) / total;
	end = (segment + 1) * (splits.count + 1) / total;
	spec->nothing = first == end;
	if (first > 0)
	{
		column->has_lower = column->lower_inclusive = true;
		column->lower = splits.values[first - 1];
	}
	if (end <= splits.count)
	{
		column->has_upper = true;
		column->upper = splits.values[Max(end, 1) - 1];
	}

	if (spec->start != NULL && !start_is_within(spec))
		validation_error("The provided starting key is invalid: Invalid ExclusiveStartKey. "
						 "Please use ExclusiveStartKey with correct Segment. "
						 "TotalSegments: " INT64_FORMAT " Segment: " INT64_FORMAT, total, segment);
}
