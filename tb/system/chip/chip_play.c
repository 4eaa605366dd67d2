// SPDX-License-Identifier: Apache-2.0
/*
 * chip_play.c - a bench, a program, and who looks on.
 */
#include "tb/system/chip/chip_play.h"

#include <inttypes.h>

enum { PATIENCE = 100000 };

void chip_play_start(struct chip_play *p, uint64_t seed, const struct cosim_module *cosim)
{
    const struct channel_config cable = {
        .delay = 12, .ber = 1e-5, .burst_rate = 1e-5, .burst_min = 1, .burst_max = 16};
    const struct program_knobs knobs = {.processes = CHIP_PLAY_PROCESSES,
                                        .most = 8,
                                        .limit = 4,
                                        .messages = 0.2,
                                        .atomics = 0.2,
                                        .sequences = 0.2,
                                        .flagged = true,
                                        .ordered = true,
                                        .illegal = 0.02};

    *p = (struct chip_play){.golden = gn_new(CHIPS * CHIP_NICS, false)};
    p->bench = chip_bench_new(seed, p->golden, &cable, cosim);
    chip_network(p->bench)->traffic = &p->traffic;
    p->program = program_new(p->bench, seed + 1, &knobs);
    chip_blocks_start(&p->blocks, p->bench);
    for (unsigned i = 0; i < p->bench->nodes; i++) {
        host_set(p->bench->node[i].host,
                 &(struct host_knobs){.latency = 50, .latency_extra = 100, .stall = 0.1});
    }
}

void chip_play_free(struct chip_play *p)
{
    program_free(p->program);
    nic_bench_free(p->bench);
    gn_free(p->golden);
}

uint64_t chip_play_clock(const struct chip_play *p)
{
    return chip_network(p->bench)->clock;
}

void chip_play_run(struct chip_play *p, uint64_t clock)
{
    while (chip_play_clock(p) < clock && chip_bench_mismatches(p->bench) == 0 &&
           gn_counts(p->golden)->unexplained == 0) {
        program_clock(p->program, true);
        chip_blocks_clock(&p->blocks);
    }
}

static uint64_t broken_rules(const struct chip_play *p)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < p->bench->nodes; i++) {
        sum += host_broken_rules(p->bench->node[i].host);
    }
    return sum;
}

bool chip_play_finish(struct chip_play *p)
{
    bool whole = chip_bench_mismatches(p->bench) == 0 && program_finish(p->program, PATIENCE);
    const struct gn_count *c = gn_finish(p->golden);
    uint64_t missing;

    for (unsigned i = 0; i < CHIPS; i++) {
        for (unsigned l = 0; l < CHIP_CABLES; l++) {
            p->bit_errors += chip_network(p->bench)->end[i].cable[l].way.bit_errors;
        }
    }
    missing = c->missing_accesses + c->missing_events;
    tap_why("%s; unexplained %" PRIu64 ", missing %" PRIu64 ", AXI rules broken %" PRIu64
            ", wrong packets %" PRIu64 ", block transfers complete %" PRIu64 " of %" PRIu64,
            c->first, c->unexplained, missing, broken_rules(p), p->traffic.wrong,
            chip_blocks_complete(&p->blocks), p->blocks.transfers);
    return whole && chip_blocks_complete(&p->blocks) == p->blocks.transfers &&
           c->unexplained == 0 && missing == 0 && broken_rules(p) == 0 && p->traffic.wrong == 0;
}
