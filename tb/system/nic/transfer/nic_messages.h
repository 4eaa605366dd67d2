// SPDX-License-Identifier: Apache-2.0
/*
 * nic_messages.h - processes that send messages to each other beside random programs: on each node one, with buffers posted in two channels, and
 * messages of one descriptor or several in the rings of its mover.
 *
 * The golden model explains each access of messages and buffers, but for descriptors of the rings.
 */
#ifndef NIC_MESSAGES_H
#define NIC_MESSAGES_H

#include "tb/system/nic/transfer/nic_mover.h"

enum { MESSAGES_AT = MOVER_END, MESSAGES_END = MESSAGES_AT + (1 << 19) };

struct messages;

struct messages_counts {
    uint64_t begun, ok, failed, returned; /* returned: buffers */
};

/*
 * On each node of the bench; behind movers_new. greedy: they are sent even if there is no buffer, or too many are under way to a node. lossy or
 * greedy: some fail.
 */
struct messages *messages_new(struct nic_bench *b, struct movers *movers, uint64_t seed, bool lossy,
                              bool greedy);
void messages_free(struct messages *m);

/* After a clock of the bench: looks at events, posts buffers, and sends while `more`. */
void messages_step(struct messages *m, bool more);

/* Messages that are not over. */
unsigned messages_left(const struct messages *m);

/* At the end: each NIC has taken as many buffers as it gave back. */
void messages_judge(struct messages *m);
const struct messages_counts *messages_counts(const struct messages *m);
const struct misses *messages_wrong(const struct messages *m);

#endif
