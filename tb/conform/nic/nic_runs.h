// SPDX-License-Identifier: Apache-2.0
/*
 * nic_runs.h - what is checked of somebody's NIC, and the runs that do it.
 */
#ifndef TB_CONFORM_NIC_RUNS_H
#define TB_CONFORM_NIC_RUNS_H

#include "tb/conform/conform.h"
#include "tb/conform/nic/nic_wire.h"

enum nic_check {
    CHECK_ACCESSES,
    CHECK_DELIVERY,
    CHECK_EVENTS,
    CHECK_ATOMICS,
    CHECK_ORDER,
    CHECK_RIGHTS,
    CHECK_PACKETS,
    CHECK_ANSWERS,
    CHECK_CREDITS,
    CHECK_ROOM,
    CHECK_DROPS,
    CHECK_TIMEOUTS,
    CHECK_FAULTS,
    CHECK_AXI,
    CHECK_PAGES,
    CHECK_REGISTERS,
    CHECK_INTERRUPTS,
    CHECK_WHOLE,
    CHECK_EXACT,
    NIC_CHECKS,
};

/* All of it, of NICs that this makes; it is kept until the last run is over. */
const struct conform_block *nic_block(const struct wire_design *design);

/* ---- for the files of runs ----------------------------------------------------------------------- */

/* A bench whose every clock is watched: bit n of tested: node n is under test. */
struct nic_bench *runs_bench(unsigned nodes, uint64_t seed, struct golden_nic *golden,
                             unsigned tested);
/* Frees it; before that, unless something failed: nothing is left of requests, and there is room again. */
void runs_end(struct nic_bench *b);
/* A check that is not held, at this clock. */
#define runs_fail(check, b, ...) conform_fails(check, (b)->clock, __VA_ARGS__)
/* STATUS of a descriptor's page. */
uint64_t runs_status(struct nic_bench *b, unsigned node, unsigned descriptor);

/* Runs with one process that does one thing after the other (nic_steps.c). */
void run_idle(uint64_t seed, unsigned variant);
void run_rate(uint64_t seed, unsigned variant);
void run_registers(uint64_t seed, unsigned variant);
void run_pages(uint64_t seed, unsigned variant);
void run_interrupts(uint64_t seed, unsigned variant);
void run_faults(uint64_t seed, unsigned variant);

#endif
