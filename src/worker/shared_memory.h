/*
 * shared_memory.h
 *		Private to this room: the hooks behind worker_reserve_memory().
 */
#ifndef DYNAMO_SHARED_MEMORY_H
#define DYNAMO_SHARED_MEMORY_H

extern void shared_memory_init(void);

#endif							/* DYNAMO_SHARED_MEMORY_H */
