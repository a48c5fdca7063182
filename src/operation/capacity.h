/*
 * capacity.h
 *		ConsumedCapacity, by DynamoDB's rules.
 *
 * Reads count 4 KB units of all items of the request together, half when
 * eventually consistent; writes count 1 KB units of the larger of the images
 * before and after.  A missing item costs the minimum.
 */
#ifndef DYNAMO_CAPACITY_H
#define DYNAMO_CAPACITY_H

#include "postgres.h"

#include "catalog/description.h"
#include "item/json_writer.h"
#include "operation/item_request.h"

/*
 * Told of the units that the running operation consumes of a table, without
 * the shares of indexes, whether the request asks for them or not; batches and
 * transactions only if it does.  NULL: nobody counts.  Set by the HTTP room.
 */
extern void (*capacity_observer) (const char *table_name, double units);

extern double capacity_of_read(int64 bytes, bool consistent);

/*
 * Append "ConsumedCapacity":{..} with a comma before it if the response has
 * members already.  index is the index that was read, or NULL.
 */
extern void capacity_append_read(JsonWriter *response, ReturnCapacity wanted, const TableDescription *table,
								 const IndexDescription *index, double units, double table_units);

/*
 * The same for a write of one item; old and new are the images (NULL: absent),
 * from which the shares of the indexes follow.
 */
extern void capacity_append_write(JsonWriter *response, ReturnCapacity wanted, const TableDescription *table,
								  JsonbContainer *old_item, JsonbContainer *new_item);

/* ---- requests of several items: one entry per table ---- */

typedef enum CapacityUnits
{
	CAPACITY_UNITS_PLAIN,		/* CapacityUnits alone: batches */
	CAPACITY_UNITS_READ,		/* ReadCapacityUnits beside them: transactions */
	CAPACITY_UNITS_WRITE
} CapacityUnits;

/* Start zeroed but for the table. */
typedef struct TableCapacity
{
	const TableDescription *table;
	double		table_units;
	double	   *index_units;	/* by the table's indexes; NULL: none yet */
} TableCapacity;

/* The transactional factor falls on the table's share alone. */
#define CAPACITY_TRANSACTION_FACTOR 2

/*
 * Add a write of one item; a check that writes nothing gives the same image
 * twice.  In capacity_append_write()'s terms with a factor on the table.
 */
extern void capacity_add_write(TableCapacity *capacity, JsonbContainer *old_item, JsonbContainer *new_item,
							   double factor);

/* The next element of the array "ConsumedCapacity":[ . */
extern void capacity_append_table(JsonWriter *response, ReturnCapacity wanted, CapacityUnits units,
								  const TableCapacity *capacity);

#endif							/* DYNAMO_CAPACITY_H */
