/*
 * scan_segments.h
 *		Segments of a parallel Scan: ranges of the key order.
 */
#ifndef DYNAMO_SCAN_SEGMENTS_H
#define DYNAMO_SCAN_SEGMENTS_H

#include "postgres.h"

#include "operation/page.h"

#define SCAN_MAX_SEGMENTS 1000000

/*
 * Bound the scan to a segment; a start key outside it is DynamoDB's
 * ValidationException.  Needs no write except for the first parallel scan of a
 * table (see scan_segments.c).
 */
extern void scan_segment_bound(PageSpec *spec, int64 segment, int64 total);

#endif							/* DYNAMO_SCAN_SEGMENTS_H */
