// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_own.c - what a link carries whose VCs have buffers of their own.
 *
 * Credits are of one VC alone, so a stream of packets on one VC must not wait until each is booked: nine flits in ten, on one VC
 * as on all, up to cables that the 120 flits of a VC cover. Room for a packet is never promised where there is none: the sink
 * counts flits beyond its buffers.
 *
 * Built for seastar: fast.
 */
#include "tb/system/link/link_bench.h"

enum { UP_LIMIT = 20000, WARM_UP = 5000, CLOCKS = 40000, DRAIN_LIMIT = 100000 };

struct rate_case {
    const char *name;
    uint8_t vcs;
    unsigned least, most, delay;
    double drain, due;
};

static const struct rate_case cases[] = {
    {"one VC, packets of 9", 0x04, 9, 9, 1, 1, 0.8999},
    {"one VC, packets of 9, cable of 10", 0x01, 9, 9, 10, 1, 0.8999},
    {"one VC, packets of 9, cable of 20", 0x01, 9, 9, 20, 1, 0.8999},
    {"four VCs, packets of 9, cable of 100", 0x0f, 9, 9, 100, 1, 0.8999},
    {"one VC, packets of 2 to 9, cable of 10", 0x02, 2, 9, 10, 1, 0.88},
    {"four VCs, packets of 2 to 9, cable of 10", 0x0f, 2, 9, 10, 1, 0.88},
    {"one VC, packets of 2", 0x08, 2, 2, 1, 1, 0.8999},
    {"one VC, slow buffers", 0x01, 1, 9, 10, 0.3, 0.29},
    {"four VCs, slow buffers", 0x0f, 1, 9, 10, 0.3, 0.29},
};

static void run_case(const struct rate_case *c, uint64_t seed)
{
    static struct bench b;
    struct bench_config config = bench_defaults();
    for (unsigned e = 0; e < 2; e++) {
        config.traffic[e].vcs = c->vcs;
        config.traffic[e].min_length = c->least;
        config.traffic[e].max_length = c->most;
        config.traffic[e].drain = c->drain;
        config.cable[e].delay = c->delay;
    }
    bench_start(&b, &config, seed);
    const bool up = bench_await(&b, LINK_RUN, UP_LIMIT);
    bench_run(&b, WARM_UP);
    const uint64_t before = b.end[0].flow.delivered + b.end[1].flow.delivered;
    bench_run(&b, CLOCKS);
    const uint64_t flits = b.end[0].flow.delivered + b.end[1].flow.delivered - before;
    const double rate = (double)flits / (2.0 * CLOCKS);
    const bool drained = bench_drain(&b, DRAIN_LIMIT);
    /* holds link.own */
    tap_why("%.4f flits per clock, due are %.4f", rate, c->due);
    tap_ok(up && drained && bench_clean(&b) && rate >= c->due, "%s: %.4f flits per clock", c->name,
           rate);
    bench_free(&b);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        run_case(&cases[i], seed + i);
    return tap_done();
}
