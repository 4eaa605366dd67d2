// SPDX-License-Identifier: Apache-2.0
/*
 * test_router_adaptive.c - adaptive routing follows the load.
 *
 * Eight inputs, one of each row or more, send to one destination that two ports lead to, A and B; together they offer
 * a given rate. Congestion is a sink that passes on less than a flit per clock, seen by route as flits that
 * wait at the output and as the load that the link brings from the other end.
 *
 * Idle: always minimal. Both routes minimal: the share of a congested port falls to what it can carry, and the
 * other takes the rest. One route minimal: the higher the bias, the less takes the other. Packets in order have one way
 * from each input, which differs from tile to tile.
 *
 * Built for aries: fast.
 */
#include <inttypes.h>

#include "tb/system/router/router_bench.h"

enum {
    PORT_A = 10,
    PORT_B = 37,
    SENDERS = 8,
    WARM_UP = 2000,
    CLOCKS = 6000,
};

static struct router_bench b;
static struct router_bench_config config;

static void configure(uint64_t minimal, uint64_t nonminimal, unsigned mode, double offered)
{
    router_bench_defaults(&config);
    *router_bench_route(&config.plan, 0) =
        (struct golden_route){.minimal = minimal, .nonminimal = nonminimal};
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        struct source_config *s = &config.source[p];
        router_bench_aim(&config, p, 1);
        s->modes = 1u << mode;
        s->load = p % (RTR_PORTS / SENDERS) == 0 ? offered / SENDERS : 0;
        config.sink[p].guaranteed = 16;
        config.sink[p].shared = 64;
    }
}

/* Flits per clock over the two ports and from the senders; refused: share of clocks in which a sender waited for credits. */
struct rates {
    double a, b, sent, refused;
};

static double all_sent(void)
{
    uint64_t flits = 0;

    for (unsigned p = 0; p < RTR_PORTS; p++)
        flits += b.source[p].flits;
    return (double)flits;
}

static struct rates run(uint64_t seed)
{
    router_bench_start(&b, &config, seed);
    router_bench_run(&b, WARM_UP);
    const uint64_t a0 = b.golden.to[PORT_A], b0 = b.golden.to[PORT_B];
    const double sent0 = all_sent();
    unsigned refused = 0;
    for (unsigned i = 0; i < CLOCKS; i++) {
        router_bench_run(&b, 1);
        for (unsigned p = 0; p < RTR_PORTS; p++)
            refused += b.source[p].drawn;
    }
    const struct rates r = {(double)(b.golden.to[PORT_A] - a0) / CLOCKS,
                            (double)(b.golden.to[PORT_B] - b0) / CLOCKS,
                            (all_sent() - sent0) / CLOCKS, (double)refused / SENDERS / CLOCKS};
    b.sink[PORT_A].config.drain = 1;
    return r;
}

/* Ends a run: all must have been delivered besides. */
static bool delivered(void)
{
    const bool right = router_bench_drain(&b, 50000) && router_bench_clean(&b);
    router_bench_free(&b);
    return right;
}

static const uint64_t route_a = UINT64_C(1) << PORT_A, route_b = UINT64_C(1) << PORT_B;

static void idle(unsigned mode, uint64_t seed)
{
    configure(route_a, route_b, mode, 0.02);
    for (unsigned i = 0; i < 4; i++)
        config.bias[i] = 4;
    const struct rates r = run(seed);
    const uint64_t aside = b.golden.nonminimal;
    tap_why("%" PRIu64 " packets were not", aside);
    tap_ok(delivered() && r.a > 0 && aside == 0, "mode ADAPTIVE%u: an idle network is minimal",
           mode);
}

static void balance(uint64_t seed)
{
    configure(route_a | route_b, 0, PACKET_ADAPTIVE0, 1);
    const struct rates r = run(seed);
    tap_ok(delivered() && r.a / (r.a + r.b) > 0.45 && r.a / (r.a + r.b) < 0.55,
           "two free routes share the load: %.3f and %.3f", r.a, r.b);
}

/* All are for one destination: the place of its tile is all that an input has to choose by. */
static void in_order(uint64_t seed)
{
    configure(route_a | route_b, 0, PACKET_IN_ORDER, 0.8);
    const struct rates r = run(seed);
    tap_why("%.3f and %.3f", r.a, r.b);
    tap_ok(delivered() && r.a > 0.2 && r.b > 0.2,
           "in order, inputs spread over two routes: %.3f and %.3f", r.a, r.b);
}

/* Port A carries less and less of 0.8 flits per clock. */
static void congestion(uint64_t seed)
{
    static const double capacity[] = {0.3, 0.2, 0.1, 0.05, 0};
    for (unsigned i = 0; i < sizeof capacity / sizeof *capacity; i++) {
        configure(route_a | route_b, 0, PACKET_ADAPTIVE0, 0.8);
        config.sink[PORT_A].drain = capacity[i];
        const struct rates r = run(seed + i);
        tap_why("A carries %.3f, B %.3f of %.3f, refused %.3f", r.a, r.b, r.sent, r.refused);
        tap_ok(delivered() && r.a <= capacity[i] + 0.02 && r.a + r.b > 0.95 * r.sent &&
                   r.refused < 0.05,
               "port A can carry %.2f and gets %.3f, B %.3f of %.3f", capacity[i], r.a, r.b,
               r.sent);
    }
}

/* Port A is slow, but the queue behind it is so deep that nothing waits in the router: only the link knows. */
static void downstream(uint64_t seed)
{
    enum { DEEP = 1 << 14, SATURATED = 127 };
    configure(route_a | route_b, 0, PACKET_ADAPTIVE0, 0.8);
    config.sink[PORT_A].drain = 0.1;
    config.sink[PORT_A].shared = DEEP;
    const struct rates r = run(seed);
    const unsigned waiting = b.sink[PORT_A].total;
    tap_why("%u flits wait", waiting);
    tap_ok(delivered() && waiting < 2 * SATURATED && r.a < 0.13,
           "a deep queue behind port A does not fill: %.3f and %.3f of 0.8, %u flits wait", r.a,
           r.b, waiting);
}

/*
 * A is the minimal route and carries half of what is offered; each mode has a bias of its own. The highest one keeps to A all that A
 * carries: what it leaves stands in the inputs, whose flits for its column then fill staging and row buffer, and goes by B.
 */
static void biases(uint64_t seed)
{
    static const uint8_t bias[] = {0, 4, 8, 32, 96, 127};
    enum { STEPS = sizeof bias };
    double share[STEPS], least = 1;
    bool falls = true, clean = true;
    for (unsigned i = 0; i < STEPS; i++) {
        configure(route_a, route_b, i % 4, 0.8);
        config.bias[i % 4] = bias[i];
        config.sink[PORT_A].drain = 0.4;
        const struct rates r = run(seed);
        share[i] = r.b / (r.a + r.b);
        clean &= delivered();
        falls &= i == 0 || share[i] <= share[i - 1] + 0.01;
        least = i > 0 && r.a < least ? r.a : least;
        tap_note("bias %u: %.3f minimal, %.3f not", bias[i], r.a, r.b);
    }
    /* holds route.half */
    tap_ok(clean && falls && share[0] > 0.4 && share[STEPS - 1] < share[0] && least > 0.38,
           "the higher the bias, the less takes the other route: %.3f to %.3f; port A carries %.3f "
           "of 0.4",
           share[0], share[STEPS - 1], least);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    for (unsigned mode = PACKET_ADAPTIVE0; mode <= PACKET_ADAPTIVE3; mode++)
        idle(mode, seed + mode);
    balance(seed);
    in_order(seed);
    congestion(seed);
    downstream(seed);
    biases(seed);
    return tap_done();
}
