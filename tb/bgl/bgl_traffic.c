// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_traffic.c - random packets of all kinds for the bench.
 */
#include "tb/bgl/bgl_traffic.h"

/* A broadcast down a line: from 1 to k - 1 nodes of it. */
static bool make_broadcast(struct bgl_bench *b, struct bench_order *o)
{
    const unsigned port = rng_below(&b->rng, PORTS), d = port / 2, k = b->size[d];
    if (k < 2)
        return false;
    const unsigned hops = 1 + rng_below(&b->rng, k - 1);
    unsigned at[3];
    for (unsigned i = 0; i < 3; i++)
        at[i] = bench_coordinate(b, o->from, i);
    at[d] = (at[d] + (port & 1 ? k - hops : hops)) % k;
    o->to = bench_node(b, at[0], at[1], at[2]);
    o->hints = 1u << (5 - port);
    o->deposit = true;
    return true;
}

static void offer(struct bgl_bench *b, const struct bgl_traffic *t, unsigned node)
{
    struct bench_order o = {
        .from = node,
        .to = (node + 1 + rng_below(&b->rng, b->nodes - 1)) % b->nodes,
        .chunks = rng_chance(&b->rng, t->small) ? 1 : 1 + rng_below(&b->rng, 8),
        .group = rng_below(&b->rng, 2),
        .vc = 2,
    };
    const unsigned core = rng_below(&b->rng, 2);
    const bool broadcast = rng_chance(&b->rng, t->broadcast) && make_broadcast(b, &o);
    const bool high = !broadcast && rng_chance(&b->rng, t->high);
    o.fifo = 4 * core + (high ? 3 : rng_below(&b->rng, 3));
    if (high) {
        o.vc = 3;
    } else if (rng_chance(&b->rng, t->dynamic)) {
        o.dynamic = true;
        o.vc = rng_below(&b->rng, 2);
    }
    bench_send(b, &o);
}

void traffic_run(struct bgl_bench *b, const struct bgl_traffic *t, uint64_t clocks)
{
    for (; clocks > 0; clocks--) {
        for (unsigned n = 0; n < b->nodes; n++)
            if (rng_chance(&b->rng, t->rate))
                offer(b, t, n);
        bench_step(b);
    }
}

void traffic_check(struct bgl_bench *b, uint64_t drain, const char *what)
{
    struct misses rest = {0};
    unsigned errors = 0;
    const bool here = bench_drain(b, drain);
    for (unsigned n = 0; n < b->nodes; n++)
        errors += b->core[n][0].errors + b->core[n][1].errors;
    tap_why("%u packets were sent, %u copies came", b->packets, (unsigned)b->arrived);
    tap_ok(here, "%s: %u packets are delivered", what, b->packets);
    tap_equal(b->wrong + b->unexplained, 0, "%s: unchanged, at their places", what);
    tap_equal(b->twice, 0, "%s: once", what);
    tap_equal(b->disordered, 0, "%s: deterministic ones in order", what);
    tap_equal(errors, 0, "%s: no SLVERR", what);
    bench_run(b, 4000);
    bench_at_rest(b, &rest);
    tap_misses(&rest, "%s: FIFOs empty, tokens home, CRC-32 of both ends alike", what);
}
