// SPDX-License-Identifier: Apache-2.0
/*
 * test_router_fair.c - all inputs send to one output: each gets 1/n of its packets.
 *
 * On one VC turns are strict, whatever the packets' lengths. On all VCs an input may lose its turn while another
 * packet holds its VC on the column bus; that evens out, so this run is longer. The output is at a corner, at
 * the other one, and in the middle of the matrix.
 *
 * Built for aries: fast.
 */
#include <inttypes.h>
#include <string.h>

#include "tb/system/router/router_bench.h"

enum { WARM_UP = 2000 };

static struct router_bench b;
static struct router_bench_config config;

/* Least and most packets that an input got through, as parts of the mean. */
struct shares {
    double least, most;
};

static struct shares count_shares(const uint64_t before[RTR_PORTS])
{
    uint64_t sum = 0;
    struct shares s = {.least = RTR_PORTS};
    for (unsigned p = 0; p < RTR_PORTS; p++)
        sum += b.golden.packets_from[p] - before[p];
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        const double share =
            (double)(b.golden.packets_from[p] - before[p]) * RTR_PORTS / (double)sum;
        s.least = share < s.least ? share : s.least;
        s.most = share > s.most ? share : s.most;
    }
    return s;
}

struct fair_case {
    const char *name;
    unsigned output, vcs;
    unsigned least, most;         /* flits of a packet of even inputs */
    unsigned odd_least, odd_most; /* of odd ones */
    unsigned packets;             /* of each input, about */
};

static void run(const struct fair_case *c, uint64_t seed)
{
    uint64_t before[RTR_PORTS];
    router_bench_defaults(&config);
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        struct source_config *s = &config.source[p];
        router_bench_aim(&config, p, UINT64_C(1) << c->output);
        s->vcs &= c->vcs;
        s->min_length = p % 2 ? c->odd_least : c->least;
        s->max_length = p % 2 ? c->odd_most : c->most;
    }
    router_bench_start(&b, &config, seed);
    router_bench_run(&b, WARM_UP);
    memcpy(before, b.golden.packets_from, sizeof before);
    router_bench_run(&b, (uint64_t)c->packets * RTR_PORTS *
                             (c->least + c->most + c->odd_least + c->odd_most) / 4);
    const struct shares s = count_shares(before);
    tap_why("shares %.3f to %.3f", s.least, s.most);
    /* holds router.turns */
    tap_ok(s.least >= 0.95 && s.most <= 1.05 && b.golden.misrouted + b.golden.wrong == 0,
           "%s: output %u, shares %.3f to %.3f of 1/%d", c->name, c->output, s.least, s.most,
           RTR_PORTS);
    router_bench_free(&b);
}

int main(int argc, char **argv)
{
    static const struct fair_case cases[] = {
        {"one VC, packets of 4", 0, 2, 4, 4, 4, 4, 100},
        {"one VC, long and short packets", RTR_PORTS - 1, 2, 2, 6, 1, 2, 100},
        {"all VCs, packets of 1 and 2", RTR_PORTS / 2 + 1, ~0u, 1, 2, 1, 2, 1000},
    };
    const uint64_t seed = test_seed(argc, argv);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        run(&cases[i], seed + i);
    return tap_done();
}
