// SPDX-License-Identifier: Apache-2.0
/*
 * test_bgl_torus.c - native nodes in tori of one to three dimensions, offered more packets of all kinds than they can carry: each arrives once, unchanged, in
 * order where that is promised, and in the end every token is at home. Cables of different lengths; then with bit errors on all of them. A high-priority packet
 * whose receiver's busses and whose port are never idle waits for two packets at most: one that has the bus, one that has the link.
 *
 * --clocks N: 4 x 4 x 4 nodes for so long, and how fast they are.
 *
 * Built for bgl: fast.
 */
#include "tb/bgl/bgl_traffic.h"

#include <stdio.h>
#include <time.h>

enum { CLOCKS = 5000, DRAIN = 400000 };

static const struct bgl_traffic heavy = {
    .rate = 0.03, .dynamic = 0.6, .high = 0.1, .broadcast = 0.05, .small = 0.2};

static void run(unsigned x, unsigned y, unsigned z, double ber, uint64_t clocks, uint64_t seed)
{
    static struct bgl_bench b;
    char what[64];
    bench_start(&b, x, y, z, 1 + (unsigned)(seed % 40), seed);
    for (unsigned n = 0; n < b.nodes; n++)
        for (unsigned p = 0; p < PORTS; p++)
            b.cable[n][p].ber = ber;
    const clock_t begin = clock();
    traffic_run(&b, &heavy, clocks);
    if (clocks != CLOCKS)
        tap_note("%.0f node-clocks/s",
                 (double)clocks * b.nodes * CLOCKS_PER_SEC / (double)(clock() - begin));
    bench_drain(&b, DRAIN);
    for (unsigned n = 0; n < b.nodes; n++)
        for (unsigned p = 0; p < PORTS; p++)
            b.cable[n][p].ber = 0;
    snprintf(what, sizeof what, "%u x %u x %u%s", x, y, z, ber > 0 ? ", bit errors" : "");
    traffic_check(&b, DRAIN, what);
    bench_free(&b);
}

/* ---- high priority --------------------------------------------------------------------------- */

/*
 * In the middle of a plane of 3 x 3 a receiver is full of normal packets for y+ and y-, which are let go at once, and injection always has one for x+: both busses
 * of the receiver and the port are never idle. Then a high-priority packet comes that goes on by x+.
 */
enum { WEST, MIDDLE, EAST, NORTH, SOUTH, PLACES, X_MINUS = 1, Y_PLUS = 2, Y_MINUS = 3 };

struct crowd {
    struct bgl_bench b;
    unsigned at[PLACES]; /* nodes */
};

static void stop(struct crowd *c, unsigned place, unsigned is)
{
    for (unsigned p = Y_PLUS; p <= Y_MINUS; p++)
        bench_write(&c->b, c->at[place], BGL_REG_PORT + BGL_REG_PORT_STEP * p,
                    1 << BGL_REG_PORT_DROP_AT | is << BGL_REG_PORT_STOP_AT);
}

static void normal(struct crowd *c, unsigned from, unsigned to)
{
    const struct bench_order order = {.from = c->at[from],
                                      .to = c->at[to],
                                      .fifo = rng_below(&c->b.rng, 3),
                                      .chunks = 8,
                                      .dynamic = true};
    if (c->b.core[c->at[from]][0].count < 4)
        bench_send(&c->b, &order);
}

/* So many clocks, or until the packet is there; the longest time that VC 3 of the receiver waits for the link's present packet. */
static unsigned crowd_run(struct crowd *c, unsigned clocks, int packet)
{
    const struct bgl_port *port = &c->b.node[c->at[MIDDLE]].port[X_MINUS];
    unsigned run = 0, most = 0;
    for (unsigned i = 0; i < clocks && (packet < 0 || !c->b.packet[packet].arrived); i++) {
        normal(c, WEST, rng_chance(&c->b.rng, 0.5) ? NORTH : SOUTH);
        normal(c, MIDDLE, EAST);
        bench_step(&c->b);
        run = port->channel[3].out.waits ? run + 1 : 0;
        most = run > most ? run : most;
    }
    return most;
}

static void high(uint64_t seed)
{
    enum { TIMES = 10, FILL = 3500, FULL = 270, LIMIT = 20000, X_PLUS_HINT = 0x20 };
    static const unsigned place[PLACES][2] = {{0, 1}, {1, 1}, {2, 1}, {1, 2}, {1, 0}};
    static struct crowd c;
    unsigned most = 0, waited = 0;
    bench_start(&c.b, 3, 3, 1, 1, seed);
    for (unsigned i = 0; i < PLACES; i++)
        c.at[i] = bench_node(&c.b, place[i][0], place[i][1], 0);
    stop(&c, WEST, 1);
    for (unsigned i = 0; i < TIMES; i++) {
        stop(&c, MIDDLE, 1);
        crowd_run(&c, FILL, -1);
        stop(&c, MIDDLE, 0);
        crowd_run(&c, rng_below(&c.b.rng, FULL), -1);
        const struct bench_order order = {.from = c.at[WEST],
                                          .to = c.at[EAST],
                                          .fifo = 7,
                                          .chunks = 1,
                                          .vc = 3,
                                          .hints = X_PLUS_HINT};
        const unsigned wait = crowd_run(&c, LIMIT, bench_send(&c.b, &order));
        waited += wait > 0;
        most = wait > most ? wait : most;
    }
    stop(&c, WEST, 0);
    tap_at_least(waited, TIMES / 2, "high-priority packets wait in a receiver");
    tap_at_most(most, 2 * FULL, "the longest of %u waits, %u clocks", waited, most);
    traffic_check(&c.b, DRAIN, "a crowd");
    bench_free(&c.b);
}

int main(int argc, char **argv)
{
    uint64_t seed = 0, clocks = 0;

    test_options(
        argc, argv, &seed,
        args_number("--clocks", &clocks, 1, 100000000, "of 4 x 4 x 4 nodes, nothing else"));
    if (clocks) {
        run(4, 4, 4, 0, clocks, seed);
        return tap_done();
    }
    run(2, 2, 2, 0, CLOCKS, seed);
    run(3, 1, 2, 0, CLOCKS, seed + 7);
    run(4, 4, 1, 0, CLOCKS, seed + 13);
    run(2, 2, 2, 2e-5, CLOCKS, seed + 1);
    high(seed + 3);
    return tap_done();
}
