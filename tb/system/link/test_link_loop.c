// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_loop.c - an end that hears itself, or another one than before.
 *
 * Plugs that go wrong at power-up, in bring-up and while data flows: nobody ever gets a flit of his own, status registers
 * say what is heard, all that was not delivered is reported, and the right cable brings it all back without
 * management. Asked for, a loop carries data. Without an identity nothing is compared.
 *
 * Built for aries: fast.
 */
#include "tb/system/link/link_end.h"

#include <inttypes.h>
#include <string.h>

enum {
    STAYS = 300,
    UP = 6500 + STAYS,
    LONG = 20000,
    LOOPBACK = 0x80,
    ALL_LANES = 0x70,
    ROUNDS = 60
};

static struct link_end end[LINK_ENDS];
static unsigned heard[LINK_ENDS]; /* whom each end hears, LINK_ENDS for nobody */
static struct rng r;
static uint64_t now;

static void step(void)
{
    for (unsigned i = 0; i < LINK_ENDS; i++) {
        link_end_inputs(&end[i], now);
        link_end_hear(&end[i], heard[i] < LINK_ENDS ? &end[heard[i]].lcb : NULL);
    }
    for (unsigned i = 0; i < LINK_ENDS; i++)
        link_end_step(&end[i]);
    now++;
}

static void run(unsigned clocks)
{
    while (clocks-- > 0)
        step();
}

static enum link_state state_of(unsigned i)
{
    return end[i].lcb.out.state;
}

/* Clocks until both are in this state and stay for STAYS; `limit` if they are not. */
static unsigned await(unsigned a, unsigned b, enum link_state state, unsigned limit)
{
    unsigned clocks = 0;
    for (unsigned stays = 0; clocks < limit && stays < STAYS; clocks++) {
        step();
        stays = state_of(a) == state && state_of(b) == state ? stays + 1 : 0;
    }
    return clocks;
}

static void plug(unsigned a, unsigned b)
{
    heard[a] = b;
    heard[b] = a;
}

/* Ends 0 and 1 on one cable, 2 and 3, some time later, on another. */
static void power_up(void)
{
    for (unsigned i = 0; i < LINK_ENDS; i++)
        link_end_start(&end[i], i, rng_next(&r));
    plug(0, 1);
    heard[2] = heard[3] = LINK_ENDS;
    run(rng_below(&r, 1000));
    plug(2, 3);
}

static uint64_t bus(unsigned i, bool write, unsigned addr, uint64_t data)
{
    end[i].in.bus =
        (struct reg_request){.valid = 1, .write = write, .addr = (u16)addr, .wdata = data};
    while (end[i].in.bus.valid)
        step();
    return (uint64_t)end[i].lcb.out.bus.rdata;
}

/* No more packets; all that was sent came, or its sender reported it. Prints what did not. */
static bool accounted(void)
{
    uint64_t unknown = 0, twice = 0, own = 0, waits = 0;
    for (unsigned i = 0; i < LINK_ENDS; i++)
        end[i].stopped = true;
    run(3000);
    for (unsigned i = 0; i < LINK_ENDS; i++) {
        uint64_t came = end[i].reported;
        for (unsigned j = 0; j < LINK_ENDS; j++)
            came += end[j].came[i];
        unknown += came < end[i].sent ? end[i].sent - came : 0;
        waits += end[i].left != 0 || end[i].lcb.out.room != 0xff;
        twice += end[i].twice;
        own += end[i].next[i];
    }
    tap_why("%" PRIu64 " lost, %" PRIu64 " twice, %" PRIu64 " own, %" PRIu64 " ends without room",
            unknown, twice, own, waits);
    for (unsigned i = 0; i < LINK_ENDS; i++)
        end[i].stopped = false;
    return unknown == 0 && twice == 0 && own == 0 && waits == 0;
}

/* End 0 is looped from power-up on. */
static void looped_from_the_beginning(void)
{
    unsigned ran = 0;
    power_up();
    link_end_start(&end[0], 0, rng_next(&r));
    link_end_start(&end[1], 1, rng_next(&r));
    heard[0] = 0;
    for (unsigned clock = 0; clock < LONG; clock++) {
        step();
        ran += state_of(0) == LINK_RUN || end[0].got > 0;
    }
    const uint64_t status = bus(0, false, LCB_REG_STATUS, 0);
    tap_ok(ran == 0 && (status & 7) == LINK_LOOP && end[0].lcb.out.tx_map == 0,
           "an end that hears itself says LOOP and does not run");
    tap_ok(bus(0, false, LCB_REG_IDENTITY, 0) == 1 && bus(0, false, LCB_REG_PEER, 0) == 1 &&
               bus(3, false, LCB_REG_PEER, 0) == (3 | 2 << 16),
           "whom it hears stands in a register");
    tap_ok(end[0].sent > 1000 && end[0].reported + 20 > end[0].sent,
           "what it takes meanwhile is reported: %" PRIu64 " flits", end[0].sent);
    plug(0, 1);
    const unsigned clocks = await(0, 1, LINK_RUN, UP);
    run(2000);
    tap_ok(clocks < UP && end[0].got > 500 && end[1].got > 500, "with the right cable it is up");
    tap_ok(accounted(), "nothing is lost");
}

/* Any end is looped for any time, at any time; then the cable is right again. */
static void looped_at_any_time(void)
{
    unsigned longest = 0, ran = 0, said = 0;
    power_up();
    for (unsigned round = 0; round < ROUNDS; round++) {
        run(rng_below(&r, 1u << (4 + rng_below(&r, 9))));
        const unsigned which = 1 + rng_below(&r, 3);
        const unsigned clocks = rng_below(&r, 1u << (4 + rng_below(&r, 10)));
        for (unsigned i = 0; i < 2; i++)
            heard[i] = which >> i & 1 ? i : LINK_ENDS;
        for (unsigned clock = 0; clock < clocks; clock++) {
            step();
            for (unsigned i = 0; i < 2; i++)
                ran += clock > 1000 && state_of(i) == LINK_RUN;
        }
        for (unsigned i = 0; i < 2; i++)
            said += state_of(i) == LINK_LOOP;
        plug(0, 1);
        const unsigned up = await(0, 1, LINK_RUN, LONG);
        longest = up > longest ? up : longest;
    }
    tap_why("%u clocks, expected %u at most; %u in RUN, expected 0; %u in LOOP", longest, UP, ran,
            said);
    tap_ok(longest <= UP && ran == 0 && said > ROUNDS / 4,
           "%d loops, %u of them seen; up again after at most %u clocks", ROUNDS, said, longest);
    tap_ok(accounted(), "nothing is lost or comes back");
}

/* Data goes on at once where the words of another cable, or one's own, came in: all in step with each other. */
static void plugged_while_running(void)
{
    unsigned longest = 0, ran = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        power_up();
        run(rng_below(&r, 3000));
        if (round & 1) {
            plug(0, 2);
            plug(1, 3);
        } else {
            heard[0] = 0;
            heard[1] = 1;
            run(2000);
            ran += state_of(0) == LINK_RUN || state_of(1) == LINK_RUN;
            plug(0, 1);
        }
        const unsigned up = await(0, round & 1 ? 2 : 1, LINK_RUN, LONG),
                       others = await(2, 3, LINK_RUN, LONG);
        longest = up > longest ? up : longest;
        longest = others > longest ? others : longest;
        run(1000);
        if (!accounted())
            break;
    }
    tap_why("%u clocks, expected %u at most; %u in RUN, expected 0", longest, UP, ran);
    tap_ok(longest <= UP && ran == 0, "plugs in the middle of data: up after %u clocks", longest);
    tap_ok(accounted(), "nothing of one epoch gets into another");
}

/* CONTROL asks for it. */
static void loopback(void)
{
    power_up();
    heard[0] = 0;
    await(0, 0, LINK_LOOP, UP);
    bus(0, true, LCB_REG_CONTROL, ALL_LANES | LOOPBACK);
    const unsigned clocks = await(0, 0, LINK_RUN, UP);
    const uint64_t reported = end[0].reported;
    run(5000);
    end[0].stopped = true;
    run(300);
    tap_ok(clocks < UP && end[0].got > 4000 && end[0].reported == reported &&
               end[0].next[0] == end[0].sent && end[0].twice == 0 &&
               bus(0, false, LCB_REG_CONTROL, 0) == (ALL_LANES | LOOPBACK),
           "asked for, a loop carries %" PRIu64 " flits", end[0].got);
    end[0].stopped = false;
    run(1000);
    plug(0, 1);
    tap_ok(await(0, 1, LINK_RUN, LONG) < LONG, "with the right cable it is up with the peer");
    run(1000);
    heard[0] = 0;
    await(0, 0, LINK_RUN, LONG);
    run(1000);
    bus(0, true, LCB_REG_CONTROL, ALL_LANES);
    tap_ok(await(0, 0, LINK_LOOP, UP) < UP, "no more asked for, it does not run");
    plug(0, 1);
    tap_ok(await(0, 1, LINK_RUN, UP) < UP, "and the right cable brings it back");
}

/* Chip 0 is none. */
static void nobody(void)
{
    power_up();
    for (unsigned i = 0; i < 2; i++)
        end[i].in.identity = (struct link_identity){.port = 5};
    heard[0] = 0;
    run(500);
    const bool loops = await(0, 0, LINK_RUN, UP) < UP;
    link_end_reset(&end[0]);
    link_end_reset(&end[1]);
    plug(0, 1);
    const bool up = await(0, 1, LINK_RUN, UP) < UP;
    tap_ok(loops && up,
           "without a chip nothing is compared: a loop comes up, and ends that are alike");
    for (unsigned i = 0; i < 2; i++)
        end[i].in.identity = (struct link_identity){.chip = 9, .port = 5};
    const bool same = await(0, 0, LINK_LOOP, UP) == UP;
    heard[0] = heard[1] = LINK_ENDS;
    run(300);
    plug(0, 1);
    tap_ok(same && await(0, 1, LINK_LOOP, UP) < UP,
           "two ends of one name take each other for themselves");
    end[1].in.identity.port = 6;
    tap_ok(await(0, 1, LINK_RUN, UP) < UP, "another port is another end");
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    looped_from_the_beginning();
    looped_at_any_time();
    plugged_while_running();
    loopback();
    nobody();
    return tap_done();
}
