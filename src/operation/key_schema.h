/*
 * key_schema.h
 *		Attribute definitions, key schemas and secondary indexes of requests.
 *
 * Parsed in two steps, as everything of the control plane: constraints, all
 * faults together; then what must fit together, the first fault alone.
 */
#ifndef DYNAMO_KEY_SCHEMA_H
#define DYNAMO_KEY_SCHEMA_H

#include "postgres.h"
#include "nodes/pg_list.h"

#include "operation/operation.h"
#include "operation/table_settings.h"

typedef struct AttributeDefinition
{
	const char *name;
	AttributeType type;
} AttributeDefinition;

typedef struct KeyElement
{
	const char *name;
	bool		range;			/* RANGE, else HASH */
} KeyElement;

typedef struct KeySchema
{
	int			count;
	KeyElement *elements;		/* as given */
} KeySchema;

typedef struct IndexDefinition
{
	const char *name;
	const cJSON *request;		/* what it was parsed from */
	IndexKind	kind;
	KeySchema	keys;
	IndexProjection projection;
	List	   *included;		/* char *, sorted */
	IndexSettings settings;
} IndexDefinition;

typedef struct TableDefinition
{
	int			attribute_count;
	AttributeDefinition *attributes;
	KeySchema	keys;
	List	   *indexes;		/* IndexDefinition *, local ones first */
} TableDefinition;

/* The members KeySchema, AttributeDefinitions and the two lists of indexes. */
extern void table_definition_constraints(const cJSON *request, ConstraintFaults *faults);

/* Elements of AttributeDefinitions, if it is there. */
extern void attribute_definitions_constraints(const cJSON *request, ConstraintFaults *faults);

/* One element of GlobalSecondaryIndexes, or the Create of an index update. */
extern void index_constraints(const cJSON *index, IndexKind kind, const char *path,
							  ConstraintFaults *faults);

/*
 * The definition of a new table.  The constraints hold.  Raises DynamoDB's
 * ValidationException for what does not fit together.
 */
extern TableDefinition *table_definition_from_request(const cJSON *request, bool on_demand);

/*
 * One index that is to be added to a table, checked by its own definition and
 * the AttributeDefinitions beside it; those are the definition's attributes.
 */
extern IndexDefinition *index_addition_from_request(const cJSON *request, const cJSON *index,
													TableDefinition **definition);

/* Limits over all global indexes of a table, the new one among them. */
extern void index_addition_check_counts(int globals, int projected);

/* The definition of this attribute, or NULL. */
extern const AttributeDefinition *definition_of_attribute(const TableDefinition *definition,
														  const char *name);

/* Names of the HASH, or of the RANGE, elements: char *. */
extern List *key_schema_names(const KeySchema *keys, bool range);

#endif							/* DYNAMO_KEY_SCHEMA_H */
