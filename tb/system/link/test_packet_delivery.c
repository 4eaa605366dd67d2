// SPDX-License-Identifier: Apache-2.0
/*
 * test_packet_delivery.c - packets of 2 to 32 phits, each exactly once, in order, unchanged, under each kind of fault.
 *
 * A case is a way to corrupt the cables or to drive the upper sides. Each runs from reset, carries traffic both ways, stops it,
 * and must then have delivered all; what the case is about must have happened, or the case tests nothing.
 *
 * Built for proto24: san.
 * Recorded for pkt_tx, pkt_rx, pkt_credit, pkt_fault of proto24.
 */
#include <inttypes.h>

#include "tb/system/link/pkt_bench.h"

enum { UP_LIMIT = 30000, DRAIN_LIMIT = 400000 };

struct fault_case {
    const char *name;
    uint64_t clocks;
    double ber, burst_rate, hit_two;
    double hit[HIT_TARGETS];
    double load, bubble, drain, poison, miscoded; /* load, drain: 0 stands for full, at once */
    unsigned min_length, max_length, delay, vcs;
    enum lcb_counter happens;
};

static const struct fault_case cases[] = {
    {.name = "no errors", .clocks = 20000, .happens = COUNT_ACCEPTED},
    {.name = "BER 1e-6", .clocks = 40000, .ber = 1e-6, .happens = COUNT_ACCEPTED},
    {.name = "BER 1e-5", .clocks = 40000, .ber = 1e-5, .happens = COUNT_CRC},
    {.name = "BER 1e-4", .clocks = 40000, .ber = 1e-4, .happens = COUNT_REPLAYS},
    {.name = "BER 1e-3", .clocks = 40000, .ber = 1e-3, .happens = COUNT_NAKS},
    {.name = "BER 1e-4, long cable",
     .clocks = 60000,
     .ber = 1e-4,
     .delay = 250,
     .happens = COUNT_REPLAYS},
    {.name = "bursts on a lane", .clocks = 40000, .burst_rate = 1e-3, .happens = COUNT_CRC},
    {.name = "packets of 2 phits, BER 1e-4",
     .clocks = 30000,
     .ber = 1e-4,
     .min_length = 2,
     .max_length = 2,
     .happens = COUNT_REPLAYS},
    {.name = "packets of 32 phits, BER 1e-4",
     .clocks = 30000,
     .ber = 1e-4,
     .min_length = 32,
     .max_length = 32,
     .happens = COUNT_REPLAYS},
    {.name = "bubbles in packets, BER 1e-4",
     .clocks = 40000,
     .ber = 1e-4,
     .bubble = 0.3,
     .happens = COUNT_REPLAYS},
    {.name = "a packet now and then, BER 1e-4",
     .clocks = 40000,
     .ber = 1e-4,
     .load = 0.003,
     .happens = COUNT_CRC},
    {.name = "slow input queues, BER 1e-4",
     .clocks = 40000,
     .ber = 1e-4,
     .drain = 0.3,
     .happens = COUNT_REPLAYS},
    {.name = "one VC, slow input queue, BER 1e-4",
     .clocks = 40000,
     .ber = 1e-4,
     .drain = 0.2,
     .vcs = 2,
     .happens = COUNT_REPLAYS},
    {.name = "flits poisoned, core CRCs wrong, BER 1e-4",
     .clocks = 40000,
     .ber = 1e-4,
     .poison = 0.2,
     .miscoded = 0.2,
     .happens = COUNT_REPLAYS},
    {.name = "kinds of heads hit",
     .clocks = 40000,
     .hit = {[HIT_HEAD_KIND] = 0.02},
     .hit_two = 0.5,
     .happens = COUNT_CRC},
    {.name = "VCs of heads hit",
     .clocks = 40000,
     .hit = {[HIT_HEAD_VC] = 0.02},
     .drain = 0.7,
     .happens = COUNT_CRC},
    {.name = "heads hit",
     .clocks = 40000,
     .hit = {[HIT_HEAD] = 0.02},
     .hit_two = 0.5,
     .happens = COUNT_CRC},
    {.name = "kinds of bodies hit",
     .clocks = 40000,
     .hit = {[HIT_BODY_KIND] = 0.002},
     .hit_two = 0.5,
     .happens = COUNT_CRC},
    {.name = "bodies hit",
     .clocks = 40000,
     .hit = {[HIT_BODY] = 0.002},
     .hit_two = 0.5,
     .happens = COUNT_CRC},
    {.name = "kinds of ends hit",
     .clocks = 40000,
     .hit = {[HIT_END_KIND] = 0.02},
     .hit_two = 0.5,
     .happens = COUNT_CRC},
    {.name = "counts of ends hit",
     .clocks = 40000,
     .hit = {[HIT_END_UPPER] = 0.02},
     .hit_two = 0.5,
     .happens = COUNT_CRC},
    {.name = "ends hit",
     .clocks = 40000,
     .hit = {[HIT_END] = 0.02},
     .hit_two = 0.5,
     .happens = COUNT_CRC},
    {.name = "kinds of records hit",
     .clocks = 40000,
     .load = 0.03,
     .hit = {[HIT_RECORD_KIND] = 0.01},
     .hit_two = 0.5,
     .happens = COUNT_CRC},
    {.name = "records hit",
     .clocks = 40000,
     .load = 0.03,
     .hit = {[HIT_RECORD] = 0.01},
     .hit_two = 0.5,
     .happens = COUNT_CRC},
    {.name = "kinds of holds hit",
     .clocks = 40000,
     .bubble = 0.3,
     .hit = {[HIT_HOLD_KIND] = 0.01},
     .hit_two = 0.5,
     .happens = COUNT_CRC},
    {.name = "holds hit",
     .clocks = 40000,
     .bubble = 0.3,
     .hit = {[HIT_HOLD] = 0.01},
     .hit_two = 0.5,
     .happens = COUNT_CRC},
    {.name = "kinds behind ends hit",
     .clocks = 40000,
     .hit = {[HIT_BEHIND_END] = 0.02},
     .hit_two = 0.5,
     .happens = COUNT_CRC},
    {.name = "all of it, slow queues, gaps, long cable",
     .clocks = 80000,
     .ber = 1e-5,
     .burst_rate = 1e-5,
     .hit = {1e-3, 1e-3, 1e-3, 1e-4, 1e-4, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3},
     .hit_two = 0.3,
     .bubble = 0.05,
     .drain = 0.6,
     .poison = 0.05,
     .miscoded = 0.05,
     .delay = 60,
     .happens = COUNT_REPLAYS},
};

static void run_case(const struct fault_case *c, uint64_t seed)
{
    static struct pkt_bench b;
    struct pkt_bench_config config = pkt_bench_defaults();
    for (unsigned i = 0; i < 2; i++) {
        struct pkt_traffic *t = &config.traffic[i];
        struct pkt_channel_config *k = &config.cable[i];
        k->ber = c->ber;
        k->burst_rate = c->burst_rate;
        k->hit_two = c->hit_two;
        for (unsigned h = 0; h < HIT_TARGETS; h++)
            k->hit[h] = c->hit[h];
        k->delay = c->delay ? c->delay : 1;
        t->load = c->load > 0 ? c->load : 1;
        t->drain = c->drain > 0 ? c->drain : 1;
        t->bubble = c->bubble;
        t->poison = c->poison;
        t->miscoded = c->miscoded;
        t->vcs = c->vcs ? c->vcs : t->vcs;
        t->min_length = c->max_length ? c->min_length : 2;
        t->max_length = c->max_length ? c->max_length : 32;
    }
    pkt_bench_start(&b, &config, seed);
    const bool up = pkt_bench_await(&b, LINK_RUN, UP_LIMIT);
    pkt_bench_run(&b, c->clocks);
    const bool drained = pkt_bench_drain(&b, DRAIN_LIMIT);
    const uint64_t good = b.end[0].ledger.good + b.end[1].ledger.good;
    bool counted = true;
    for (unsigned i = 0; i < 2; i++) {
        const struct golden_reader *reader = &b.end[i].reader;
        const uint64_t packets = pkt_bench_read(&b, i, LCB_REG_PACKETS);
        /* holds packet.counted: beside the golden reader's counts */
        counted &= (packets & 0xffff) == reader->soft && (packets >> 16 & 0xffff) == reader->cut &&
                   packets >> 32 == 0;
    }
    if (pkt_bench_clean(&b))
        tap_why("%s, %" PRIu64 " good packets, %" PRIu64 " times what the case is about",
                !up        ? "did not come up"
                : !drained ? "not drained"
                           : "drained",
                good, pkt_bench_count(&b, 2, c->happens));
    /* holds packet.core, packet.soft, packet.gaps: the ledger compares core CRC and soft bit of each packet */
    tap_ok(up && drained && pkt_bench_clean(&b) && counted && good > 100 &&
               pkt_bench_count(&b, 2, c->happens) > 0,
           "packets: %s", c->name);
    tap_note("%" PRIu64 " packets, %" PRIu64 " copies cut, %" PRIu64 " rolled back, %" PRIu64
             " truncated, %" PRIu64 " replays, %" PRIu64 " naks, %" PRIu64 " timeouts, %" PRIu64
             " re-initialisations",
             good, b.end[0].ledger.cut + b.end[1].ledger.cut,
             b.end[0].queue.rolled_back + b.end[1].queue.rolled_back,
             b.end[0].queue.truncated + b.end[1].queue.truncated,
             pkt_bench_count(&b, 2, COUNT_REPLAYS), pkt_bench_count(&b, 2, COUNT_NAKS),
             pkt_bench_count(&b, 2, COUNT_TIMEOUTS), pkt_bench_count(&b, 2, COUNT_REINITS));
    pkt_bench_free(&b);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        run_case(&cases[i], seed + i);
    return tap_done();
}
