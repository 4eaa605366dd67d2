// SPDX-License-Identifier: Apache-2.0
/*
 * chip_play.h - random programs and block transfers on two chips over links with bit errors, with everything looking on: the golden NIC,
 * counters of traffic, and the RTL in lockstep. For programs that show or compare, not for tests of the NIC.
 */
#ifndef CHIP_PLAY_H
#define CHIP_PLAY_H

#include "tb/system/chip/chip_bench.h"
#include "tb/system/chip/chip_blocks.h"
#include "tb/system/nic/nic_program.h"

enum { CHIP_PLAY_PROCESSES = 4 }; /* of each NIC */

struct chip_play {
    struct golden_nic *golden;
    struct nic_bench *bench;
    struct program *program;
    struct chip_blocks blocks;
    struct chip_traffic traffic;
    uint64_t bit_errors; /* on all cables */
};

void chip_play_start(struct chip_play *p, uint64_t seed, const struct cosim_module *cosim);
void chip_play_free(struct chip_play *p);

/* Until this clock, unless something is wrong before. */
void chip_play_run(struct chip_play *p, uint64_t clock);

/* Clocks so far, with those in which links came up. */
uint64_t chip_play_clock(const struct chip_play *p);

/* Lets all programs end. False if something does not, or anything but lockstep was wrong; says why through tap_why. */
bool chip_play_finish(struct chip_play *p);

#endif
