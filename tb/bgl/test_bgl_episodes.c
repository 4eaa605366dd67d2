// SPDX-License-Identifier: Apache-2.0
/*
 * test_bgl_episodes.c - a ring of four under traffic, of which one link after another is restarted, killed, cut, looped to its own end, hit by bursts, or
 * loses and doubles bytes. Behind each episode the cable is good: both ends run within 40,000 clocks. Whatever happened, no packet comes twice,
 * changed or at a wrong place; and in the end the ring carries everything again, with all tokens at home.
 *
 * Built for bgl: fast.
 */
#include "tb/bgl/bgl_traffic.h"

enum { RING = 4, EPISODES = 40, RUN_AGAIN = 40000, DRAIN = 400000, LINK = 2 };

static const struct bgl_traffic load = {
    .rate = 0.015, .dynamic = 0.5, .high = 0.2, .broadcast = 0.05, .small = 0.4};

enum act { RESTART, KILL, CUT, LOOP, BURST, SLIP, BOTH, ACTS };

static void control(struct bgl_bench *b, unsigned node, unsigned port, unsigned bits)
{
    bench_write(b, node, BGL_REG_PORT + BGL_REG_PORT_STEP * port, bits | 1 << BGL_REG_PORT_DROP_AT);
}

/* Both directions of a cable from a node's x+; b's own fields say what they were. */
static void disturb(struct bgl_bench *b, enum act act, unsigned n)
{
    struct bench_cable *there = &b->cable[n][0], *back = &b->cable[(n + 1) % RING][1];
    const struct bench_cable was[2] = {*there, *back};
    const unsigned clocks = 1 + rng_below(&b->rng, rng_below(&b->rng, 2) ? 60 : 3000);
    switch (act) {
    case RESTART:
        control(b, n, 0, 1);
        break;
    case BOTH:
        control(b, n, 0, 1);
        control(b, (n + 1) % RING, 1, 1);
        break;
    case KILL:
        control(b, n, 0, 2);
        traffic_run(b, &load, clocks);
        control(b, n, 0, 1);
        break;
    case CUT:
        there->cut = true;
        back->cut = rng_below(&b->rng, 2);
        traffic_run(b, &load, clocks);
        break;
    case LOOP:
        there->to = n;
        there->port = 0;
        back->to = (n + 1) % RING;
        back->port = 1;
        traffic_run(b, &load, clocks);
        break;
    case BURST:
        there->ber = 0.05;
        traffic_run(b, &load, clocks);
        break;
    default: /* a byte comes twice, or not at all */
        there->delay += rng_below(&b->rng, 2) ? 1 : (unsigned)-1;
        traffic_run(b, &load, 1000);
        break;
    }
    there->to = was[0].to;
    there->port = was[0].port;
    back->to = was[1].to;
    back->port = was[1].port;
    there->ber = 0;
    there->cut = back->cut = false;
}

/* Dead links are restarted; others have their time. Clocks until all run. */
static unsigned run_again(struct bgl_bench *b)
{
    unsigned clocks = 0;
    for (; clocks < RUN_AGAIN && !bench_up(b); clocks += 64) {
        for (unsigned n = 0; n < RING; n++)
            for (unsigned p = 0; p < LINK; p++)
                if (b->node[n].port[p].link.link.out.state == LINK_DEAD)
                    control(b, n, p, 1);
        traffic_run(b, &load, 64);
    }
    return clocks;
}

int main(int argc, char **argv)
{
    static struct bgl_bench b;
    unsigned worst = 0;
    bool all = true;
    uint64_t seed = 0;
    uint64_t episodes = EPISODES;
    test_options(argc, argv, &seed, args_number("--episodes", &episodes, 1, 100000000, "of them"));
    bench_start(&b, RING, 1, 1, 6, seed);
    for (unsigned i = 0; i < episodes && all; i++) {
        const enum act act = (enum act)rng_below(&b.rng, ACTS);
        const unsigned n = rng_below(&b.rng, RING);
        traffic_run(&b, &load, rng_below(&b.rng, 600));
        disturb(&b, act, n);
        const unsigned clocks = run_again(&b);
        all = bench_up(&b);
        if (!all)
            tap_note("episode %u: act %u at node %u: links do not run", i, act, n);
        worst = clocks > worst ? clocks : worst;
    }
    tap_ok(all, "%u episodes: both ends run again, the slowest after %u clocks", (unsigned)episodes,
           worst);
    bench_run(&b, 60000);
    bench_forgive(&b);
    tap_equal(b.wrong + b.unexplained + b.twice + b.disordered, 0,
              "nothing changed, out of place or doubled");
    const unsigned before = b.packets;
    traffic_run(&b, &load, 2000);
    tap_at_least(b.packets, before + 20, "packets are sent behind it");
    traffic_check(&b, DRAIN, "behind all of it");
    bench_free(&b);
    return tap_done();
}
