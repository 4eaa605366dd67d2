// SPDX-License-Identifier: Apache-2.0
/*
 * chip_blocks.h - block transfers at random between the first NICs of two chips, each explained to the golden NIC: puts and gets of a domain, memory
 * and queue that programs do not have, some with an event at the target.
 */
#ifndef CHIP_BLOCKS_H
#define CHIP_BLOCKS_H

#include "tb/system/chip/chip_bench.h"
#include "tb/system/nic/transfer/nic_transfers.h"

enum { BLOCKS_MOST = 250 }; /* of each chip: then there is no place for their data */

struct chip_blocks {
    struct nic_ring ring[CHIPS];
    unsigned posted[CHIPS];
    uint64_t transfers, bytes, at_target; /* transfers that want an event at the target */
};

/* What a domain needs for them, and a ring on each chip; descriptors and what puts read is hidden from the golden NIC. */
void chip_blocks_start(struct chip_blocks *c, struct nic_bench *b);

/* Now and then another transfer. */
void chip_blocks_clock(struct chip_blocks *c);

/* Those that are complete, by their descriptors, with status OK. */
uint64_t chip_blocks_complete(const struct chip_blocks *c);

#endif
