// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_lanes.c - lanes that die, degraded links, skewed lanes, long cables.
 *
 * Lanes die one after another, in every way the channel knows, under traffic: nothing may be lost,
 * the link must run again on what is left in bounded time and carry its part of the full rate
 * within 1 %. Skews of up to 16 clocks between any two lanes and cables of any length work too. A lane that
 * corrupts is named, and no other.
 *
 * Built for aries: san; seastar: san.
 */
#include <inttypes.h>
#include <math.h>

#include "tb/system/link/link_bench.h"

enum {
    UP_LIMIT = 20000,
    DRAIN_LIMIT = 400000,
    RECOVERY_LIMIT = 1500, /* from the death of a lane to data again, with cables of 20 clocks */
};

static struct bench b;

static unsigned lanes_in(lcb_lanes map)
{
    return (unsigned)__builtin_popcount(map);
}

/* Clocks until both ends run and the direction `from` uses `lanes` lanes; UINT64_MAX if never. */
static uint64_t clocks_until(unsigned from, unsigned lanes)
{
    const struct lcb_out *sender = &b.end[from].lcb->out;
    const uint64_t start = b.clock;
    while (b.clock - start < UP_LIMIT) {
        bench_step(&b);
        if (lanes_in(sender->tx_map) == lanes && sender->state == LINK_RUN &&
            b.end[1 - from].lcb->out.state == LINK_RUN)
            return b.clock - start;
    }
    return UINT64_MAX;
}

static const char *const state_name[LANE_STATES] = {"good", "down", "stuck at 0", "stuck at 1",
                                                    "noise"};

/* All lanes of one direction but one die one after the other. */
static void lanes_die(enum lane_state how, unsigned from, unsigned survivor, uint64_t seed)
{
    struct bench_config config = bench_defaults();
    config.cable[0].delay = config.cable[1].delay = 20;
    bench_start(&b, &config, seed);
    bool pass = bench_await(&b, LINK_RUN, UP_LIMIT);
    uint64_t slowest = 0;
    for (unsigned dead = 1; dead < CHANNEL_LANES; dead++) {
        bench_run(&b, 3000 + seed % 97);
        channel_lane(&b.cable[from], (survivor + dead) % CHANNEL_LANES, how);
        const uint64_t took = clocks_until(from, CHANNEL_LANES - dead);
        slowest = took > slowest ? took : slowest;
    }
    bench_run(&b, 3000);
    pass = bench_drain(&b, DRAIN_LIMIT) && pass;
    const bool clean = bench_clean(&b);
    if (clean)
        tap_why("slowest recovery %" PRIu64 " clocks, expected %d at most; %" PRIu64
                " escapes, expected 0",
                slowest, RECOVERY_LIMIT, bench_escapes(&b));
    /* holds link.recovery */
    tap_ok(pass && clean && slowest <= RECOVERY_LIMIT && bench_escapes(&b) == 0 &&
               bench_count(&b, 2, COUNT_DEATHS) == 0,
           "lanes of direction %u %s, lane %u stays: at most %" PRIu64 " clocks, nothing lost",
           from, state_name[how], survivor, slowest);
    bench_free(&b);
}

/* A lane that says that it lost its clock is not waited for until enough CRCs are bad. */
static void clock_lost(unsigned lane, uint64_t seed)
{
    enum { NOTICED = 8 };
    const struct bench_config config = bench_defaults();
    bench_start(&b, &config, seed);
    const bool up = bench_await(&b, LINK_RUN, UP_LIMIT);
    bench_run(&b, 500);
    channel_lane(&b.cable[0], lane, LANE_DOWN);
    bench_run(&b, config.cable[0].delay + NOTICED);
    tap_ok(up && b.end[1].lcb->out.state == LINK_TRAIN,
           "lane %u loses its clock: noticed within %d clocks", lane, NOTICED);
    bench_free(&b);
}

static void degraded_rate(unsigned lanes, unsigned alive, uint64_t seed)
{
    struct bench_config config = bench_defaults();
    bench_start(&b, &config, seed);
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        if (!(alive >> l & 1))
            channel_lane(&b.cable[0], l, LANE_DOWN);
    const bool up = bench_await(&b, LINK_RUN, UP_LIMIT);
    bench_run(&b, 5000);
    const uint64_t before = b.end[0].flow.delivered;
    const uint64_t clocks = 30000;
    bench_run(&b, clocks);
    const double rate = (double)(b.end[0].flow.delivered - before) / (double)clocks;
    const double due = 0.9 * lanes / CHANNEL_LANES;
    const bool drained = bench_drain(&b, DRAIN_LIMIT), clean = bench_clean(&b);
    tap_ok(up && drained && clean && fabs(rate - due) <= 0.01 * due,
           "lanes 0x%x: %.4f flits per clock, due are %.4f", alive, rate, due);
    bench_free(&b);
}

/* Counter 15 of three lanes is skew beyond the deskew buffer; with four it counts as what comes of it. */
#define COUNT_SKEW (CHANNEL_LANES == 3 ? (enum lcb_counter)15 : COUNT_REINITS)

/* Lanes have s0, s1, s2 in turn. */
static void skewed(unsigned s0, unsigned s1, unsigned s2, unsigned alive, uint64_t seed)
{
    struct bench_config config = bench_defaults();
    const unsigned turn[3] = {s0, s1, s2};
    unsigned skew[CHANNEL_LANES];
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        skew[l] = turn[l % 3];
    for (unsigned i = 0; i < 2; i++) {
        config.cable[i].ber = 1e-5;
        for (unsigned l = 0; l < CHANNEL_LANES; l++)
            config.cable[i].skew[l] = skew[(l + i) % CHANNEL_LANES];
    }
    bench_start(&b, &config, seed);
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        if (!(alive >> l & 1))
            channel_lane(&b.cable[0], l, LANE_NOISE);
    const bool up = bench_await(&b, LINK_RUN, UP_LIMIT);
    const unsigned lanes = lanes_in(b.end[0].lcb->out.tx_map);
    bench_run(&b, 4000);
    const bool drained = bench_drain(&b, DRAIN_LIMIT), clean = bench_clean(&b);
    tap_ok(up && drained && clean && lanes == (unsigned)__builtin_popcount(alive) &&
               bench_count(&b, 2, COUNT_SKEW) == 0,
           "skews %u, %u, %u on %u lanes", s0, s1, s2, lanes);
    bench_free(&b);
}

static void skews(uint64_t seed)
{
    const unsigned all = (1 << CHANNEL_LANES) - 1;
    for (unsigned s = 0; s <= CHANNEL_MAX_SKEW; s += 4) {
        skewed(0, s, CHANNEL_MAX_SKEW, all, seed);
        skewed(s, CHANNEL_MAX_SKEW, 0, all, seed + 1);
        skewed(CHANNEL_MAX_SKEW, 0, s, all, seed + 2);
    }
    skewed(0, 16, 9, 6, seed + 3);
    skewed(16, 0, 9, 5, seed + 4);
    skewed(9, 16, 0, 3, seed + 5);
    skewed(16, 9, 0, 4, seed + 6);
    skewed(16, 5, 0, all & ~1u, seed + 7);
}

/* Any cable up to the window and beyond, a different length each way. */
static void delays(uint64_t seed)
{
    static const unsigned delay[][2] = {{0, 0},     {0, 7},     {1, 2},   {13, 150}, {64, 64},
                                        {299, 300}, {310, 290}, {600, 0}, {450, 450}};
    for (unsigned i = 0; i < sizeof delay / sizeof *delay; i++) {
        struct bench_config config = bench_defaults();
        for (unsigned e = 0; e < 2; e++) {
            config.cable[e].delay = delay[i][e];
            config.cable[e].ber = 1e-5;
        }
        bench_start(&b, &config, seed + i);
        const bool up = bench_await(&b, LINK_RUN, UP_LIMIT);
        bench_run(&b, 12000);
        const bool drained = bench_drain(&b, DRAIN_LIMIT), clean = bench_clean(&b);
        const int trip = b.end[0].lcb->link.out.round_trip;
        const int least = (int)(delay[i][0] + delay[i][1]);
        tap_why("%sround trip register %d", up && drained && clean ? "" : "not delivered, ", trip);
        tap_ok(up && drained && clean && trip >= least && trip <= least + 40,
               "cables of %u and %u clocks; round trip register %d", delay[i][0], delay[i][1],
               trip);
        bench_free(&b);
    }
}

/* One lane of those that are used has bit errors: only its counter counts. */
static void blamed(unsigned alive, unsigned lane, uint64_t seed)
{
    struct bench_config config = bench_defaults();
    bench_start(&b, &config, seed);
    for (unsigned l = 0; l < CHANNEL_LANES; l++)
        if (!(alive >> l & 1))
            channel_lane(&b.cable[0], l, LANE_DOWN);
    const bool up = bench_await(&b, LINK_RUN, UP_LIMIT);
    config.cable[0].ber = 4e-5;
    config.cable[0].spared = ~(1u << lane);
    bench_cable(&b, 0, &config.cable[0]);
    bench_run(&b, 60000);
    uint64_t count[4] = {0}, others = 0;
    for (unsigned l = 0; l < CHANNEL_LANES; l++) {
        count[l] =
            bench_count(&b, 1, l < 3 ? (enum lcb_counter)(COUNT_LANE0 + l) : (enum lcb_counter)15);
        others += l == lane ? 0 : count[l];
    }
    const bool drained = bench_drain(&b, DRAIN_LIMIT), clean = bench_clean(&b);
    tap_why("lane %u counted %" PRIu64 ", others %" PRIu64, lane, count[lane], others);
    tap_ok(up && drained && clean && count[lane] > 5 && others == 0,
           "lane %u of lanes 0x%x corrupts: %" PRIu64 " micropackets, no other lane is named", lane,
           alive, count[lane]);
    bench_free(&b);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    for (enum lane_state how = LANE_DOWN; how < LANE_STATES; how++)
        for (unsigned from = 0; from < 2; from++)
            for (unsigned survivor = 0; survivor < CHANNEL_LANES; survivor++)
                lanes_die(how, from, survivor, seed + survivor);
    for (unsigned lane = 0; lane < CHANNEL_LANES; lane++)
        clock_lost(lane, seed);
    for (unsigned alive = 1; alive < 1 << CHANNEL_LANES; alive++) {
        degraded_rate((unsigned)__builtin_popcount(alive), alive, seed + alive);
        for (unsigned lane = 0; lane < CHANNEL_LANES; lane++)
            if (alive >> lane & 1)
                blamed(alive, lane, seed + alive);
    }
    skews(seed);
    delays(seed);
    return tap_done();
}
