/*
 * launcher.h
 *		Private to this room: the slots by which the launcher knows workers.
 */
#ifndef DYNAMO_LAUNCHER_H
#define DYNAMO_LAUNCHER_H

#include "postgres.h"

/* Take the slot of this worker until it ends; returns its number in its kind. */
extern int	launcher_take_slot(Datum argument);

#endif							/* DYNAMO_LAUNCHER_H */
