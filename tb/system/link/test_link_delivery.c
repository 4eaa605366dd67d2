// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_delivery.c - every flit exactly once, in order, unchanged, under each kind of fault.
 *
 * A case is a way to corrupt the cables or to drive the upper sides. Each runs from reset, carries
 * traffic both ways, stops it, and must then have delivered all; what the case is about (CRC
 * errors, refused acks, ...) must have happened, or the case tests nothing.
 *
 * A run with a pattern that the CRC cannot see says nothing and is made again: with the 16 bits of seastar that is one in some
 * thousand.
 *
 * Built for aries: san; seastar: san.
 */
#include <inttypes.h>
#include <math.h>

#include "tb/system/link/link_bench.h"

enum { UP_LIMIT = 20000, DRAIN_LIMIT = 400000, TRIES = 4 };

struct fault_case {
    const char *name;
    uint64_t clocks;
    double ber, burst_rate, ack_loss, ack_forge;
    bool across;
    unsigned delay;
    double load, bubble, drain; /* 0 stands for saturated, none, at once */
    double mark;                /* of each flit to be marked bad */
    unsigned min_length, max_length;
    uint8_t vcs;              /* 0 stands for all */
    enum lcb_counter happens; /* must have counted, unless LCB_COUNTERS */
};

static const struct fault_case cases[] = {
    {.name = "no errors", .clocks = 30000, .happens = COUNT_ACCEPTED},
    {.name = "BER 1e-6", .clocks = 60000, .ber = 1e-6, .happens = COUNT_CRC},
    {.name = "BER 1e-5", .clocks = 60000, .ber = 1e-5, .happens = COUNT_NAKS},
    {.name = "BER 1e-4", .clocks = 60000, .ber = 1e-4, .happens = COUNT_REPLAYS},
    {.name = "BER 1e-3", .clocks = 60000, .ber = 1e-3, .happens = COUNT_NAKS},
    {.name = "BER 1e-3, long cable",
     .clocks = 60000,
     .ber = 1e-3,
     .delay = 250,
     .happens = COUNT_CRC},
    {.name = "bursts on a lane", .clocks = 60000, .burst_rate = 1e-3, .happens = COUNT_CRC},
    {.name = "bursts across lanes",
     .clocks = 60000,
     .burst_rate = 1e-3,
     .across = true,
     .happens = COUNT_CRC},
    {.name = "half of the acks lost", .clocks = 60000, .ack_loss = 0.5, .happens = COUNT_REPLAYS},
    {.name = "19 of 20 acks lost", .clocks = 60000, .ack_loss = 0.95, .happens = COUNT_CRC},
    {.name = "a third of the acks forged outside the window",
     .clocks = 60000,
     .ack_forge = 0.33,
     .happens = COUNT_ACK_BAD},
    {.name = "acks forged and lost, BER 1e-4, long cable",
     .clocks = 60000,
     .ber = 1e-4,
     .ack_loss = 0.2,
     .ack_forge = 0.2,
     .delay = 150,
     .happens = COUNT_ACK_BAD},
    {.name = "a packet now and then",
     .clocks = 60000,
     .ber = 1e-5,
     .load = 0.003,
     .happens = COUNT_ACCEPTED},
    {.name = "bubbles in packets",
     .clocks = 60000,
     .ber = 1e-5,
     .bubble = 0.3,
     .happens = COUNT_ACCEPTED},
    {.name = "slow input queues",
     .clocks = 60000,
     .ber = 1e-5,
     .drain = 0.3,
     .happens = COUNT_ACCEPTED},
    {.name = "one VC, slow input queue",
     .clocks = 60000,
     .ber = 1e-5,
     .drain = 0.2,
     .vcs = 0x20,
     .happens = COUNT_ACCEPTED},
    {.name = "packets of one flit",
     .clocks = 60000,
     .ber = 1e-5,
     .min_length = 1,
     .max_length = 1,
     .happens = COUNT_ACCEPTED},
    {.name = "packets of as many flits as there may be",
     .clocks = 60000,
     .ber = 1e-5,
     .min_length = GOLDEN_MOST_FLITS,
     .max_length = GOLDEN_MOST_FLITS,
     .happens = COUNT_ACCEPTED},
    {.name = "a flit in a hundred marked bad",
     .clocks = 60000,
     .mark = 0.01,
     .happens = COUNT_ACCEPTED},
    {.name = "a flit in ten marked bad, BER 1e-4",
     .clocks = 60000,
     .ber = 1e-4,
     .mark = 0.1,
     .happens = COUNT_REPLAYS},
    {.name = "half of the flits marked bad, acks forged and lost, BER 1e-4, long cable",
     .clocks = 60000,
     .ber = 1e-4,
     .ack_loss = 0.2,
     .ack_forge = 0.2,
     .delay = 150,
     .mark = 0.5,
     .happens = COUNT_ACK_BAD},
    {.name = "all flits marked bad, BER 1e-4",
     .clocks = 60000,
     .ber = 1e-4,
     .mark = 1,
     .happens = COUNT_REPLAYS},
};

static struct bench_config configure(const struct fault_case *c)
{
    struct bench_config config = bench_defaults();
    for (unsigned i = 0; i < 2; i++) {
        struct channel_config *k = &config.cable[i];
        struct traffic_config *t = &config.traffic[i];
        k->ber = c->ber;
        k->burst_rate = c->burst_rate;
        k->burst_across = c->across;
        k->ack_loss = c->ack_loss;
        k->ack_forge = c->ack_forge;
        k->delay = c->delay ? c->delay : 1;
        t->load = c->load > 0 ? c->load : 1;
        t->drain = c->drain > 0 ? c->drain : 1;
        t->bubble = c->bubble;
        t->mark = c->mark;
        t->vcs = c->vcs ? c->vcs : 0xff;
        t->min_length = c->max_length ? c->min_length : t->min_length;
        t->max_length = c->max_length ? c->max_length : t->max_length;
    }
    return config;
}

static void run_case(const struct fault_case *c, uint64_t seed)
{
    static struct bench b;
    const struct bench_config config = configure(c);
    bool up = false, drained = false;
    for (unsigned tries = 0; tries < TRIES; tries++) {
        bench_start(&b, &config, seed + ((uint64_t)tries << 32));
        up = bench_await(&b, LINK_RUN, UP_LIMIT);
        bench_run(&b, c->clocks);
        drained = bench_drain(&b, DRAIN_LIMIT);
        if (bench_escapes(&b) == 0 || tries + 1 == TRIES)
            break;
        bench_free(&b);
    }
    const uint64_t delivered = b.end[0].flow.delivered + b.end[1].flow.delivered;
    const uint64_t marked = b.end[0].flow.marked + b.end[1].flow.marked;
    const bool share = fabs((double)marked - c->mark * (double)delivered) <= 0.1 * (double)marked;

    if (bench_clean(&b))
        tap_why("%s, %" PRIu64 " delivered, %" PRIu64 " times what the case is about, %" PRIu64
                " escapes",
                !up        ? "did not come up"
                : !drained ? "not drained"
                           : "drained",
                delivered, bench_count(&b, 2, c->happens), bench_escapes(&b));
    /* holds link.mark_kept */
    tap_ok(up && drained && bench_clean(&b) && delivered > 1000 && bench_escapes(&b) == 0 &&
               bench_count(&b, 2, c->happens) > 0 && share,
           "delivery: %s", c->name);
    tap_note("%" PRIu64 " flits, %" PRIu64 " marked, %" PRIu64 " CRC errors, %" PRIu64
             " replays, %" PRIu64 " timeouts, %" PRIu64 " bad acks, %" PRIu64 " re-initialisations",
             delivered, marked, bench_count(&b, 2, COUNT_CRC), bench_count(&b, 2, COUNT_REPLAYS),
             bench_count(&b, 2, COUNT_TIMEOUTS), bench_count(&b, 2, COUNT_ACK_BAD),
             bench_count(&b, 2, COUNT_REINITS));
    bench_free(&b);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        run_case(&cases[i], seed + i);
    return tap_done();
}
