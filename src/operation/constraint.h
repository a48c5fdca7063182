/*
 * constraint.h
 *		The constraints that the service's model puts on members of a request.
 *
 * Each function looks at one member and adds its faults.  path is the
 * member's path in messages ("keySchema.1.member.keyType").
 */
#ifndef DYNAMO_CONSTRAINT_H
#define DYNAMO_CONSTRAINT_H

#include "postgres.h"

#include "operation/operation.h"

/* How DynamoDB begins most texts about what does not fit together. */
#define INVALID_PARAMETERS "One or more parameter values were invalid: "

#define KEY_ATTRIBUTE_NAME_MAX 255	/* bytes */

/*
 * Lists of more elements are refused without looking at all of them; the
 * service lists ten faults.
 */
#define ELEMENTS_MAX 1000
#define FAULTS_MAX 10

/* Need the element at this position, and those behind it, not be looked at? */
static inline bool
constraint_enough(const ConstraintFaults *faults, int position)
{
	return faults->count >= FAULTS_MAX || position > ELEMENTS_MAX;
}

/* "prefix.name" or, without a prefix, "name". */
extern char *constraint_path(const char *prefix, const char *name);

/* "prefix.position.member"; position counts from 1. */
extern char *constraint_element_path(const char *prefix, int position);

/* The member is there and not null; false, with a fault, if not. */
extern bool constraint_required(ConstraintFaults *faults, const cJSON *object,
								const char *name, const char *path);

/* An integer between minimum and maximum; absent is no fault. */
extern void constraint_range(ConstraintFaults *faults, const cJSON *object, const char *name,
							 const char *path, int64 minimum, int64 maximum);

/* Bytes of a string; absent is no fault. */
extern void constraint_length(ConstraintFaults *faults, const cJSON *object, const char *name,
							  const char *path, int minimum, int maximum);

/* Number of elements of an array; absent is no fault. */
extern void constraint_count(ConstraintFaults *faults, const cJSON *object, const char *name,
							 const char *path, int minimum, int maximum);

/* A table's or index's name: length and characters. */
extern void constraint_name(ConstraintFaults *faults, const char *value, const char *path);

/* An attribute name that is part of a key or a projection: 1 to 255 bytes. */
extern void constraint_attribute_name(ConstraintFaults *faults, const char *value,
									  const char *path);

#endif							/* DYNAMO_CONSTRAINT_H */
