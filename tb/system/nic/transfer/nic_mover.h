// SPDX-License-Identifier: Apache-2.0
/*
 * nic_mover.h - processes that move blocks beside random programs: on each node one, with two rings of block transfers, a segment of translated
 * addresses that the others' transfers go to and come from, events of its own at source and target, and pages that move.
 *
 * All of it lies where the golden model does not look (b->hidden); a mover knows every byte that has to be there, and every event.
 */
#ifndef NIC_MOVER_H
#define NIC_MOVER_H

#include "tb/system/nic/nic_channel.h"
#include "tb/system/nic/transfer/nic_transfers.h"

enum { MOVER_AT = 12 << 20, MOVER_END = 14 << 20, MOVER_CHANNELS = 2 };

struct movers;

struct mover_counts {
    uint64_t begun, ok, failed, bytes, target_events, moved;
    uint64_t wrong_bytes, missing, extra;
};

/* One on each node of the bench; behind program_new, which writes to all memory. lossy: a transfer may end TIMEOUT. */
struct movers *movers_new(struct nic_bench *b, uint64_t seed, bool lossy);
void movers_free(struct movers *m);

/* After a clock of the bench: looks at events, begins transfers and moves pages while `more`. */
void movers_step(struct movers *m, bool more);

/* The ring of a channel, for transfers of others beside those of its mover. */
struct nic_places *movers_places(struct movers *m, unsigned node, unsigned channel);

/* Transfers that are not over. */
unsigned movers_left(const struct movers *m);

/* At the end: every event that was due has come. */
void movers_judge(struct movers *m);
const struct mover_counts *movers_counts(const struct movers *m);
const struct misses *movers_wrong(const struct movers *m);

#endif
