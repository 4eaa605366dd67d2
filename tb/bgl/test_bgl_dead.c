// SPDX-License-Identifier: Apache-2.0
/*
 * test_bgl_dead.c - 3 x 3 x 3 native nodes of which one or three are dead, no two on a line: their cables are cut. Deterministic packets whose hints lead round them, one relay where no
 * signs do: every living node hears of every other, no port towards a dead node carries a packet. Hints by hardware, which know nothing of it, lose packets there, and each is counted.
 *
 * Built for bgl: fast.
 */
#include "tb/bgl/bgl_bench.h"

enum { EDGE = 3, NODES = EDGE * EDGE * EDGE, DRAIN = 20000, DIE = 500, VC = 2, NOBODY = NODES };

struct torus {
    struct bgl_bench b;
    bool dead[NODES];
    unsigned living, relays;
    uint64_t through; /* packets granted towards dead nodes */
};

static unsigned step_by(const struct torus *t, unsigned node, unsigned port)
{
    return t->b.cable[node][port].to;
}

/* Hints of which one path leads to the destination past living nodes alone, as bits of ports; 0: there are none. */
static unsigned hints_to(const struct torus *t, unsigned from, unsigned to)
{
    for (unsigned signs = 0; signs < 8; signs++) {
        unsigned at = from, hints = 0;
        bool clean = true;
        for (unsigned d = 0; d < 3; d++) {
            const unsigned port = 2 * d + (signs >> d & 1);
            while (bench_coordinate(&t->b, at, d) != bench_coordinate(&t->b, to, d)) {
                hints |= 1u << (5 - port);
                at = step_by(t, at, port);
                clean = clean && !t->dead[at];
            }
        }
        if (clean)
            return hints;
    }
    return 0;
}

static unsigned relay_for(const struct torus *t, unsigned from, unsigned to)
{
    for (unsigned n = 0; n < NODES; n++)
        if (n != from && n != to && !t->dead[n] && hints_to(t, from, n) && hints_to(t, n, to))
            return n;
    return NOBODY;
}

static bool on_a_line(const struct torus *t, unsigned a, unsigned b)
{
    unsigned alike = 0;
    for (unsigned d = 0; d < 3; d++)
        alike += bench_coordinate(&t->b, a, d) == bench_coordinate(&t->b, b, d);
    return alike >= 2;
}

static void kill_nodes(struct torus *t, unsigned count)
{
    for (unsigned left = count; left > 0;) {
        const unsigned n = rng_below(&t->b.rng, NODES);
        bool alone = true;
        for (unsigned o = 0; o < NODES; o++)
            alone = alone && !(t->dead[o] && on_a_line(t, n, o));
        if (!alone)
            continue;
        t->dead[n] = true;
        left--;
    }
    t->living = NODES - count;
    for (unsigned n = 0; n < NODES; n++) {
        for (unsigned p = 0; p < PORTS; p++) {
            struct bench_cable *c = &t->b.cable[n][p];
            c->cut = t->dead[n] || t->dead[c->to];
            if (c->cut) /* software kills what leads there */
                bench_write(&t->b, n, BGL_REG_PORT + BGL_REG_PORT_STEP * p,
                            2 | 1 << BGL_REG_PORT_DROP_AT);
        }
    }
    bench_run(&t->b, DIE);
}

static void run(struct torus *t, unsigned clocks)
{
    for (; clocks > 0; clocks--) {
        bench_step(&t->b);
        for (unsigned n = 0; n < NODES; n++)
            for (unsigned p = 0; p < PORTS; p++)
                t->through +=
                    t->b.cable[n][p].cut && (t->b.node[n].port[p].sender.out.grant ||
                                             t->b.node[n].port[p].sender.out.grant_inject);
    }
}

static void send(struct torus *t, unsigned from, unsigned to, unsigned hints)
{
    const struct bench_order o = {.from = from,
                                  .to = to,
                                  .fifo = (from + to) % 3,
                                  .chunks = 1 + rng_below(&t->b.rng, 8),
                                  .vc = VC,
                                  .hints = hints,
                                  .group = rng_below(&t->b.rng, 2)};
    bench_send(&t->b, &o);
    run(t, 8);
}

static bool drain(struct torus *t)
{
    for (unsigned i = 0; i < DRAIN / 500; i++) {
        uint64_t wanted = 0;
        for (unsigned k = 0; k < t->b.packets; k++)
            wanted += t->b.packet[k].wanted;
        if (t->b.arrived >= wanted)
            return true;
        run(t, 500);
    }
    return false;
}

/* Every pair, a packet: straight, or to its relay; then from there. */
static void all_pairs(struct torus *t)
{
    unsigned unreached = 0;
    for (unsigned leg = 0; leg < 2; leg++) {
        for (unsigned by = 1; by < NODES; by++) {
            for (unsigned from = 0; from < NODES; from++) {
                const unsigned to = (from + by) % NODES;
                const unsigned hints = hints_to(t, from, to);
                const unsigned via = hints ? NOBODY : relay_for(t, from, to);
                if (t->dead[from] || t->dead[to] || (leg == 1 && hints))
                    continue;
                unreached += !hints && via == NOBODY;
                t->relays += leg == 0 && !hints;
                if (hints)
                    send(t, from, to, hints);
                else if (via != NOBODY && leg == 0)
                    send(t, from, via, hints_to(t, from, via));
                else if (via != NOBODY)
                    send(t, via, to, hints_to(t, via, to));
            }
        }
        tap_ok(drain(t), "leg %u: everything arrives, %u packets", leg, t->b.packets);
    }
    tap_equal(unreached, 0, "signs or a relay for every pair");
    tap_equal(t->b.packets, t->living * (t->living - 1) + t->relays, "every pair is heard of");
    tap_equal(t->through, 0, "no packet is sent towards a dead node");
    tap_equal(t->b.wrong + t->b.unexplained + t->b.twice, 0, "nothing changed or elsewhere");
}

/* Hints by hardware: who sends to a dead node's neighbour across it loses the packet, and is told. */
static void across(struct torus *t)
{
    uint64_t dropped = 0;
    unsigned sent = 0;
    for (unsigned n = 0; n < NODES; n++) {
        const unsigned to = step_by(t, n, 0);
        if (t->dead[n] || !t->dead[to])
            continue;
        send(t, n, to, 0);
        t->b.packet[t->b.packets - 1].wanted = 0;
        sent++;
    }
    run(t, 3000);
    for (unsigned n = 0; n < NODES; n++)
        for (unsigned p = 0; p < PORTS && !t->dead[n]; p++)
            dropped +=
                bench_read(&t->b, n, BGL_REG_COUNTERS + BGL_REG_COUNTERS_STEP * p + COUNT_DROPPED);
    tap_at_least(sent, 1, "packets to dead nodes");
    tap_equal(dropped, sent, "are thrown away and counted");
}

int main(int argc, char **argv)
{
    static struct torus t;
    const uint64_t seed = test_seed(argc, argv);
    for (unsigned dead = 1; dead <= 3; dead += 2) {
        t = (struct torus){0};
        bench_start(&t.b, EDGE, EDGE, EDGE, 1, seed + dead);
        kill_nodes(&t, dead);
        all_pairs(&t);
        tap_note("%u dead: %u relays", dead, t.relays);
        across(&t);
        bench_free(&t.b);
    }
    return tap_done();
}
