/*
 * base64.h
 *		Canonical base64, the stored form of binary values.
 *
 * Canonical: length a multiple of four, padding only at the end, unused bits
 * zero.  So equal bytes are equal texts.  Private to the item room.
 */
#ifndef DYNAMO_BASE64_H
#define DYNAMO_BASE64_H

#include "postgres.h"

extern bool base64_is_canonical(const char *text, int length);

/* The rest takes canonical text. */

/* Number of bytes that the text stands for. */
extern int	base64_byte_count(const char *text, int length);

/* Writes base64_byte_count() bytes. */
extern void base64_decode(const char *text, int length, uint8 *bytes);

/* Order of the bytes, unsigned, without decoding. */
extern int	base64_compare(const char *a, int a_length, const char *b, int b_length);

/* Do the bytes of text begin with those of prefix? */
extern bool base64_begins_with(const char *text, int length, const char *prefix, int prefix_length);

#endif							/* DYNAMO_BASE64_H */
