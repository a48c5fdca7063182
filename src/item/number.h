/*
 * number.h
 *		DynamoDB's numbers: 38 significant digits, 1E-130 to 9.99..E+125,
 *		exact decimal arithmetic, one normal form.
 */
#ifndef DYNAMO_NUMBER_H
#define DYNAMO_NUMBER_H

#include "postgres.h"
#include "lib/stringinfo.h"
#include "utils/numeric.h"

/*
 * Text of a request to a normalised numeric (no trailing zeros, no -0).
 * Raises ValidationException with DynamoDB's text for bad syntax, too many
 * digits, overflow and underflow.  The text need not end in a zero byte.
 */
extern Numeric number_from_text(const char *text, int length);

/* A numeric that did not come from a request: checked and normalised likewise. */
extern Numeric number_normalize(Numeric value);

/* Is this numeric in range and in normal form (what the gate accepts)? */
extern bool number_is_normal(Numeric value);

/* Plain decimal text, never an exponent.  Palloc'd. */
extern char *number_to_text(Numeric value);
extern void number_append_text(StringInfo out, Numeric value);

/* Exact sum or difference, checked and normalised. */
extern Numeric number_add(Numeric a, Numeric b);
extern Numeric number_subtract(Numeric a, Numeric b);

extern int	number_compare(Numeric a, Numeric b);

/* Bytes the number counts for in an item's size. */
extern int	number_size(Numeric value);

#endif							/* DYNAMO_NUMBER_H */
