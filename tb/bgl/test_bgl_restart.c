// SPDX-License-Identifier: Apache-2.0
/*
 * test_bgl_restart.c - a torus of 5 x 2 x 1 nodes under more packets than it carries, in which two to six ports of one node are restarted in one clock, some while a
 * neighbouring link is trained, some while all FIFOs are full: ports that drain wait for each other's packets, which go straight on from one to the other in a line of five, so what is
 * offered to them is thrown away. All links run again within
 * 40,000 clocks, no packet comes twice, changed or at a wrong place, and in the end the torus carries everything.
 *
 * Built for bgl: fast.
 */
#include "tb/bgl/bgl_traffic.h"

enum { LINE = 3, JAM = 2500, ROUNDS = 12, RUN_AGAIN = 40000, DRAIN = 400000 };

static const struct bgl_traffic load = {
    .rate = 0.03, .dynamic = 0.3, .high = 0.1, .broadcast = 0.05, .small = 0.2};

static unsigned bits_of(unsigned set)
{
    unsigned count = 0;
    for (; set; set >>= 1)
        count += set & 1;
    return count;
}

/* As a register's pulse of these ports, of all in one clock. */
static void restart(struct bgl_bench *b, unsigned node, unsigned ports)
{
    for (unsigned p = 0; p < PORTS; p++)
        b->node[node].regs.out.control[p].restart |= (u1)(ports >> p);
    bench_step(b);
}

/* A cable that is silent for some clocks: its ends are trained again. */
static void silence(struct bgl_bench *b)
{
    struct bench_cable *cable = &b->cable[rng_below(&b->rng, b->nodes)][rng_below(&b->rng, PORTS)];
    cable->cut = true;
    traffic_run(b, &load, 1 + rng_below(&b->rng, 40));
    cable->cut = false;
    traffic_run(b, &load, rng_below(&b->rng, 400));
}

/* Cores that do not read for a while: VC FIFOs fill, those of both ends of a line with packets for each other. */
static void jam(struct bgl_bench *b, bool deaf)
{
    for (unsigned n = 0; n < b->nodes; n++)
        for (unsigned c = 0; c < CORES; c++)
            b->core[n][c].deaf = deaf;
    traffic_run(b, &load, deaf ? JAM : 0);
}

/* Clocks until all links run. */
static unsigned again(struct bgl_bench *b)
{
    unsigned clocks = 0;
    for (; clocks < RUN_AGAIN && !bench_up(b); clocks += 64)
        traffic_run(b, &load, 64);
    return clocks;
}

int main(int argc, char **argv)
{
    static struct bgl_bench b;
    uint64_t seed = 0, rounds = ROUNDS;
    unsigned worst = 0, several = 0;
    bool all = true;
    test_options(argc, argv, &seed, args_number("--rounds", &rounds, 1, 1000000, "of them"));
    bench_start(&b, 5, 2, 1, 7, seed);
    for (uint64_t i = 0; i < rounds && all; i++) {
        const unsigned node = rng_below(&b.rng, b.nodes);
        unsigned ports = 0x3f;
        while (i % 4 != 0 && (bits_of(ports) < 2 || ports == 0x3f))
            ports = rng_below(&b.rng, 64) | (i % 4 == 1 ? LINE : 0);
        traffic_run(&b, &load, 300 + rng_below(&b.rng, 300));
        if (i % 3 == 2)
            silence(&b);
        if (i % 4 == 1)
            jam(&b, true);
        jam(&b, false);
        restart(&b, node, ports);
        several += bits_of(ports);
        const unsigned clocks = again(&b);
        worst = clocks > worst ? clocks : worst;
        all = bench_up(&b);
        if (!all)
            tap_note("round %u: ports 0x%x of node %u: links do not run", (unsigned)i, ports, node);
    }
    tap_ok(all,
           "%u times several ports of a node, %u in all: all links run again, the slowest after %u "
           "clocks",
           (unsigned)rounds, several, worst);
    bench_run(&b, 60000);
    bench_forgive(&b);
    tap_equal(b.wrong + b.unexplained + b.twice + b.disordered, 0,
              "nothing changed, out of place or doubled");
    traffic_run(&b, &load, 2000);
    traffic_check(&b, DRAIN, "behind all of it");
    bench_free(&b);
    return tap_done();
}
