// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_watch.c - the watchdog: links that run and get nowhere begin a new epoch, and no others do.
 *
 * The two ends are made to disagree, by what an end forgets or by plugs that nobody can notice, as no end has an identity. A
 * peer that is slow, whatever it holds, and one that sends all the time are left alone.
 *
 * Built for aries: fast.
 */
#include "tb/system/link/link_end.h"

#include <inttypes.h>
#include <string.h>

enum { UP = 6000, LIMIT = 8192 * 10, BOUND = LIMIT + 16384 + 8000, LONG = 4 * LIMIT };

static struct link_end end[2];
static struct rng r;
static uint64_t now;
static bool looped;

static void step(void)
{
    for (unsigned i = 0; i < 2; i++) {
        link_end_inputs(&end[i], now);
        link_end_hear(&end[i], &end[looped ? i : !i].lcb);
    }
    link_end_step(&end[0]);
    link_end_step(&end[1]);
    now++;
}

static void run(unsigned clocks)
{
    while (clocks-- > 0)
        step();
}

static bool both_run(void)
{
    return end[0].lcb.out.state == LINK_RUN && end[1].lcb.out.state == LINK_RUN;
}

/* Clocks until flits of each other come at both ends, in a new epoch of end 0. */
static unsigned mended(unsigned limit)
{
    const u4 epoch = end[0].lcb.out.epoch;
    uint64_t next[2] = {end[0].next[1], end[1].next[0]};
    unsigned clocks = 0;
    while (clocks < limit && end[0].lcb.out.epoch == epoch) {
        step();
        clocks++;
    }
    next[0] = end[0].next[1];
    next[1] = end[1].next[0];
    while (clocks < limit &&
           !(both_run() && end[0].next[1] > next[0] + 100 && end[1].next[0] > next[1] + 100)) {
        step();
        clocks++;
    }
    return clocks;
}

static void power_up(void)
{
    looped = false;
    for (unsigned i = 0; i < 2; i++) {
        link_end_start(&end[i], i, rng_next(&r));
        end[i].in.identity = (struct link_identity){};
    }
    for (unsigned clock = 0; clock < UP && !both_run(); clock++)
        step();
    run(1000 + rng_below(&r, 1000));
}

static unsigned stuck(void)
{
    return (unsigned)end[0].lcb.regs.times_stuck + (unsigned)end[1].lcb.regs.times_stuck;
}

/* The peer forgets what it expects next: end 0 is never acknowledged. */
static void unacknowledged(void)
{
    power_up();
    end[1].lcb.rx.out.expected = (lcb_seq)(end[1].lcb.rx.out.expected + 90);
    const unsigned clocks = mended(BOUND);
    tap_ok(clocks < BOUND && clocks > LIMIT / 2 && stuck() >= 1,
           "nothing is acknowledged: a new epoch after %u clocks, counted", clocks);
}

/* Room is lost: end 0 believes that the peer holds flits. The other direction sends all the time, or nothing. */
static void without_room(bool busy)
{
    power_up();
    for (unsigned i = 0; i < 2; i++)
        end[i].stopped = true;
    run(2000);
    for (unsigned v = 0; v < 8; v++)
        end[0].lcb.credit.charged[v] += 84;
    end[0].lcb.credit.committed = 8 * 64; /* what 20 flits of each VC do not cover */
    end[0].lcb.credit.fits = 0;
    run(2); /* then the promises say so */
    end[0].stopped = false;
    end[1].stopped = !busy;
    run(LIMIT / 2);
    const bool waits = end[0].lcb.out.room == 0 && both_run();
    const uint64_t got = end[0].got;
    unsigned clocks = LIMIT / 2;
    while (clocks < BOUND && stuck() == 0) {
        step();
        clocks++;
    }
    const uint64_t came = end[0].got - got;
    run(UP);
    tap_ok(waits && stuck() == 1 && end[0].lcb.out.room != 0 && both_run(),
           "room that nobody holds, the peer %s: a new epoch after %u clocks, counted",
           busy ? "sends" : "is silent", clocks);
    tap_ok(!busy || came * 1000 >= (uint64_t)(clocks - LIMIT / 2) * 895,
           "and what was said about it cost nothing");
}

/* Loops that nobody sees; then the right cable. */
static void unseen_loops(void)
{
    unsigned longest = 0, fruitless = 0;
    for (unsigned round = 0; round < 8; round++) {
        power_up();
        looped = true;
        run(1000 + rng_below(&r, 20000));
        looped = false;
        unsigned clocks = 0, flows = 0;
        for (; clocks < BOUND && flows < 20; clocks += 500) {
            const uint64_t next[2] = {end[0].next[1], end[1].next[0]};
            run(500);
            const bool both = end[0].next[1] > next[0] + 50 && end[1].next[0] > next[1] + 50;
            flows = both && both_run() ? flows + 1 : 0;
        }
        fruitless += flows < 20;
        longest = clocks > longest ? clocks : longest;
    }
    tap_ok(fruitless == 0, "loops without identities: both directions flow after at most %u clocks",
           longest);
}

/* Slow peers: they hold what they have for a long time. */
static void slow(bool busy)
{
    power_up();
    end[1].holds = true;
    end[0].stopped = false;
    end[1].stopped = !busy;
    run(LONG);
    const bool full = end[0].lcb.out.room == 0 && both_run() && stuck() == 0;
    for (unsigned n = 0; n < 200; n++) { /* a flit now and then */
        end[1].holds = n % 2;
        run(end[1].holds ? 1500 : 1);
    }
    const bool still = both_run() && stuck() == 0;
    end[1].holds = false;
    const uint64_t got = end[1].got;
    run(1000);
    /* holds lcb_watch.slow */
    tap_ok(full && still && end[1].got > got + 500 && end[0].lcb.out.epoch == 0,
           "a slow peer that %s is left alone", busy ? "sends" : "is silent");
}

/* Nothing is sent, or in one direction only: nothing happens. */
static void at_rest(void)
{
    power_up();
    end[0].stopped = true;
    run(LONG);
    end[1].stopped = true;
    run(LONG);
    tap_ok(both_run() && stuck() == 0 && end[0].lcb.out.room == 0xff && end[1].lcb.out.room == 0xff,
           "one direction, or none: no new epoch");
}

/* The block alone: when it asks for an idle micropacket, so that the peer hears that we are empty. */
static void asked(void)
{
    enum { CLOCKS = 1 << HUSH_LOG2 };
    struct lcb_watch w;
    struct lcb_watch_in in = {.run = 1, .empty = 1};
    struct misses wrong = {0};
    lcb_watch_reset(&w);
    for (unsigned round = 0; round < 20; round++) {
        const unsigned pause = rng_below(&r, 2) ? 1 + rng_below(&r, CLOCKS - 1) : 0;
        for (unsigned clock = 0; clock < pause;
             clock++) { /* and then it is not empty, or idle once */
            lcb_watch(&w, &in);
            must_equal(&wrong, w.out.hush, 0, "hush after %u clocks, round %u", clock, round);
        }
        in.empty = round & 1;
        in.idle = in.empty;
        lcb_watch(&w, &in);
        in.empty = 1;
        in.idle = 0;
        for (unsigned clock = 1; clock < CLOCKS + 100; clock++) {
            lcb_watch(&w, &in);
            must_equal(&wrong, w.out.hush, clock >= CLOCKS, "hush after %u clocks, round %u", clock,
                       round);
        }
        in.idle = 1;
        lcb_watch(&w, &in);
        must_equal(&wrong, w.out.hush, 0, "hush behind an idle micropacket, round %u", round);
        in.idle = 0;
    }
    /* holds lcb_watch.idle */
    tap_misses(&wrong, "an idle micropacket is asked for after %d clocks without", CLOCKS);
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    unacknowledged();
    without_room(false);
    without_room(true);
    unseen_loops();
    slow(false);
    slow(true);
    at_rest();
    asked();
    return tap_done();
}
