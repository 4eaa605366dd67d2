// SPDX-License-Identifier: Apache-2.0
/*
 * operation.h - operations of a transaction: puts, gets, atomic operations, messages, queue writes.
 */
#ifndef ABUSE_OPERATION_H
#define ABUSE_OPERATION_H

#include "tb/system/chip/abuse/world.h"

/* In the data of an event that a message or a queue write brings: it has a slot; it is one of many that have none. */
#define MESSAGE_BIT ((uint64_t)1 << 48)
#define FLOOD_BIT   ((uint64_t)1 << 49)

/* The memory of a process, and of the one of its number on another node. */
struct block *block_of(const struct process *p);
struct block *block_at(const struct process *p, unsigned node);

/* A word of its page; MODES for a segment of others of its job, in any mode of routing. */
void store_page_word(struct process *p, unsigned which, uint64_t value);
void store_modes(struct process *p, enum segment s, unsigned command);

/* The stores of an operation whose kind and node are set; false: no slot is free for it. */
bool operation_post(struct process *p, struct operation *o);
/* So many queue writes. */
void operation_flood(struct process *p, unsigned to, unsigned writes);
/* What it waited for has come, or nobody knows. */
void operation_settle(struct process *p, const struct operation *o, bool ok);

#endif
