/*
 * columns.h
 *		Columns of the catalog's tables, as dynamo--1.0.sql creates them: those
 *		that several files read; private to this room.
 */
#ifndef DYNAMO_COLUMNS_H
#define DYNAMO_COLUMNS_H

enum
{
	Anum_tables_relation = 1,
	Anum_tables_table_name,
	Anum_tables_table_id,
	Anum_tables_created_at,
	Anum_tables_partition_key,
	Anum_tables_sort_key,
	Anum_tables_settings,
	Natts_tables = Anum_tables_settings
};

enum
{
	Anum_attributes_relation = 1,
	Anum_attributes_attribute,
	Anum_attributes_type,
	Anum_attributes_column_name,
	Natts_attributes = Anum_attributes_column_name
};

enum
{
	Anum_indexes_relation = 1,
	Anum_indexes_index_name,
	Anum_indexes_index_relation,
	Anum_indexes_kind,
	Anum_indexes_partition_keys,
	Anum_indexes_sort_keys,
	Anum_indexes_projection,
	Anum_indexes_included,
	Anum_indexes_status,
	Anum_indexes_settings,
	Natts_indexes = Anum_indexes_settings
};

#endif							/* DYNAMO_COLUMNS_H */
