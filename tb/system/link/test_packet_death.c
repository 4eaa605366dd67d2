// SPDX-License-Identifier: Apache-2.0
/*
 * test_packet_death.c - packet mode when a link is killed, restarted or reset: each packet comes once or is reported by its sender,
 * an open packet ends, and the next epoch begins with all credits.
 *
 * Built for proto24: san.
 */
#include <inttypes.h>

#include "tb/system/link/pkt_bench.h"

enum { UP_LIMIT = 30000, DRAIN_LIMIT = 400000, DEATHS = 30 };

static struct pkt_bench b;

static struct pkt_bench_config rough(double ber, unsigned delay)
{
    struct pkt_bench_config config = pkt_bench_defaults();
    for (unsigned i = 0; i < 2; i++) {
        config.cable[i].ber = ber;
        config.cable[i].delay = delay;
        config.traffic[i].bubble = 0.05;
        config.traffic[i].drain = 0.7;
        config.traffic[i].poison = 0.05;
    }
    return config;
}

/* Kills and restarts at one end, at any moment. */
static void ends(const char *name, bool kill, double ber, uint64_t seed)
{
    struct rng r;
    rng_seed(&r, seed);
    const struct pkt_bench_config config = rough(ber, 1 + rng_below(&r, 80));
    pkt_bench_start(&b, &config, seed);
    bool up = true;
    for (unsigned i = 0; kill && i < 2; i++) /* so that the peer follows soon */
        pkt_bench_write(&b, i, LCB_REG_LIMITS, LCB_BAD_LIMIT | 1 << 8 | 3000 << 16);
    for (unsigned n = 0; n < DEATHS && up; n++) {
        up = pkt_bench_await(&b, LINK_RUN, UP_LIMIT);
        pkt_bench_run(&b, rng_below(&r, 3000));
        const unsigned end = rng_below(&r, 2);
        if (kill) {
            pkt_bench_write(&b, end, LCB_REG_CONTROL, 2 | 7 << 4);
            up = up && pkt_bench_await(&b, LINK_DEAD, UP_LIMIT);
            pkt_bench_run(&b, rng_below(&r, 500));
            for (unsigned i = 0; i < 2; i++)
                b.end[i].in.restart = 1;
        } else {
            b.end[end].in.restart = 1;
        }
        pkt_bench_step(&b);
        b.end[0].in.restart = b.end[1].in.restart = 0;
        pkt_bench_run(&b, 60);
    }
    up = up && pkt_bench_await(&b, LINK_RUN, UP_LIMIT);
    const bool drained = pkt_bench_drain(&b, DRAIN_LIMIT);
    const uint64_t good = b.end[0].ledger.good + b.end[1].ledger.good,
                   died = b.end[0].ledger.died + b.end[1].ledger.died;
    if (pkt_bench_clean(&b))
        tap_why("up %d, drained %d, %" PRIu64 " good, %" PRIu64 " reported", up, drained, good,
                died);
    tap_ok(up && drained && pkt_bench_clean(&b) && good > 500 && died > DEATHS,
           "death: %s, BER %.0e: each packet once, or reported", name, ber);
    tap_note("%" PRIu64 " packets, %" PRIu64 " reported, %" PRIu64 " copies cut", good, died,
             b.end[0].ledger.cut + b.end[1].ledger.cut);
    pkt_bench_free(&b);
}

/* A lane that takes all others with it: the link dies by itself, is repaired and restarted. */
static void cable_dies(uint64_t seed)
{
    const struct pkt_bench_config config = rough(1e-6, 30);
    pkt_bench_start(&b, &config, seed);
    bool up = pkt_bench_await(&b, LINK_RUN, UP_LIMIT);
    pkt_bench_run(&b, 2000);
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        b.cable[0].lane[l] = LANE_NOISE;
    const bool dead = pkt_bench_await(&b, LINK_DEAD, 200000);
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        b.cable[0].lane[l] = LANE_GOOD;
    b.end[0].in.restart = b.end[1].in.restart = 1;
    pkt_bench_step(&b);
    b.end[0].in.restart = b.end[1].in.restart = 0;
    pkt_bench_run(&b, 60);
    up = up && pkt_bench_await(&b, LINK_RUN, UP_LIMIT);
    pkt_bench_run(&b, 5000);
    const bool drained = pkt_bench_drain(&b, DRAIN_LIMIT);
    if (pkt_bench_clean(&b))
        tap_why("up %d, dead %d, drained %d", up, dead, drained);
    tap_ok(up && dead && drained && pkt_bench_clean(&b),
           "death: a cable of noise kills the link, a restart brings it back");
    pkt_bench_free(&b);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    ends("killed", true, 1e-9, seed);
    ends("killed", true, 1e-4, seed + 1);
    ends("restarted", false, 1e-9, seed + 2);
    ends("restarted", false, 1e-4, seed + 3);
    cable_dies(seed + 4);
    return tap_done();
}
