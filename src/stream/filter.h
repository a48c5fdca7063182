/*
 * filter.h
 *		Which records a consumer wants: patterns of event filtering.
 *
 * https://docs.aws.amazon.com/lambda/latest/dg/with-ddb-filtering.html
 */
#ifndef DYNAMO_FILTER_H
#define DYNAMO_FILTER_H

#include "postgres.h"
#include "utils/jsonb.h"

/*
 * A filter is a pattern, an array of patterns, or {"Filters": [{"Pattern":
 * ".."}]}; an event has to match one of them.  The checked form is an array of
 * patterns.  Raises an error for what is none.
 */
extern Jsonb *filter_check(Jsonb *filter);

/* Does the event match a checked filter? */
extern bool filter_matches(Jsonb *filter, Jsonb *event);

#endif							/* DYNAMO_FILTER_H */
