// SPDX-License-Identifier: Apache-2.0
/*
 * chip_pair.h - one process on each of two chips, each with a segment that the other may read and write, one for the data
 * of its gets, a queue, an FMA descriptor, and a channel of block transfers where it may launch, too: for tests of how fast and how far, where nobody explains accesses.
 */
#ifndef CHIP_PAIR_H
#define CHIP_PAIR_H

#include "sim/host/driver.h"
#include "tb/system/chip/chip_bench.h"

enum {
    PAIR_HERE = 5,  /* handle of the data of gets */
    PAIR_THERE = 6, /* and of what the other reads and writes */
    PAIR_FMA = 0,
    PAIR_SEGMENT = 1 << 16, /* bytes of both */
    PAIR_CHANNEL = 1,
};

/* The node of a process: the first NIC of each chip. */
#define PAIR_NODE(i) ((i) * CHIP_NICS)

/* Words of a descriptor's page (hls/nic/PROGRAMMING.md). */
enum {
    WORD_BASE = 0,
    WORD_MODES = 1,
    WORD_BYTES = 3, /* of a block transfer: */
    WORD_LOCAL = 4,
    WORD_OPEN = 8,
    WORD_TRANSFER = 10,
    WORD_CLOSE = 13
};

/* MODES set, BASE at the other's segment, and a transaction open if `open`. */
struct nic_bench *chip_pair_new(uint64_t seed, const struct channel_config *cable, bool open);
void chip_pair_free(struct nic_bench *b);

/* Adds a burst to what a node's processor does. */
void chip_pair_post(struct nic_bench *b, unsigned node, struct driver_burst burst);

/* A get or put of 64 bytes at a random line. */
struct driver_burst chip_pair_line(struct nic_bench *b, bool get);

/* A block transfer of so many bytes, a put, to the other's segment: rings the doorbell. */
void chip_pair_transfer(struct nic_bench *b, unsigned node, uint64_t bytes);

/* One clock; answers[i] grows by the requests of node i that were answered in it. */
void chip_pair_clock(struct nic_bench *b, uint64_t answers[CHIPS]);

#endif
