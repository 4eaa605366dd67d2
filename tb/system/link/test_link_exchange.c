// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_exchange.c - cables that are exchanged from one clock to the next, so that no lane loses its clock or a word.
 *
 * Two links that run, or are trained again, with different pasts: each end finds that what comes is not of its partner, leaves data mode in
 * stated time and meets the other one in a new epoch. Nothing is lost without report, or delivered twice. Identities are as like as can be.
 *
 * Built for aries: fast.
 */
#include "tb/system/link/link_end.h"

#include <inttypes.h>

enum { UP = 6500, LONG = 20000, ROUNDS = 100, CHIP_BITS = 16, PORT_BITS = 6 };

/* Clocks of 17 micropackets with three lanes; besides: for what is under way, and for what is left of START. */
enum { MICROPACKETS = 170, BESIDES = 30, START_LEFT = 110, UNDER_WAY = 20 };

static struct link_end end[LINK_ENDS];
static unsigned heard[LINK_ENDS]; /* whom each end hears, LINK_ENDS for nobody */
static struct rng r;
static bool nameless; /* ends have no identity */
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

static void plug(unsigned a, unsigned b)
{
    heard[a] = b;
    heard[b] = a;
}

static bool exchanges(unsigned i)
{
    const enum link_state state = end[i].lcb.out.state;
    return state == LINK_START || state == LINK_RUN;
}

static unsigned running(void)
{
    unsigned count = 0;
    for (unsigned i = 0; i < LINK_ENDS; i++)
        count += end[i].lcb.out.state == LINK_RUN;
    return count;
}

static void come_up(void)
{
    for (unsigned clocks = 0; clocks < UP && running() < LINK_ENDS; clocks++)
        step();
}

static struct link_identity identity_of(uint32_t bits)
{
    return (struct link_identity){(u16)bits, (u6)(bits >> CHIP_BITS)};
}

/* A bit of the chip or of the port, or one of both that stand at the same place of their words in a frame. */
static uint32_t difference(void)
{
    if (rng_below(&r, 2))
        return 2u << rng_below(&r, CHIP_BITS + PORT_BITS - 1);
    return (1u << (CHIP_BITS - PORT_BITS) | 1u << CHIP_BITS) << rng_below(&r, PORT_BITS);
}

/* As like as they can be; no chip is 0. */
static void name_ends(void)
{

    const uint32_t base = (uint32_t)rng_next(&r) | 1, first = difference();
    uint32_t second = difference();
    while (second == first)
        second = difference();
    for (unsigned i = 0; i < LINK_ENDS; i++)
        end[i].in.identity = nameless
                                 ? (struct link_identity){}
                                 : identity_of(base ^ (i & 1 ? first : 0) ^ (i & 2 ? second : 0));
}

/* Ends 0 and 1 on one cable, 2 and 3 on another, at the same clock: their scramblers are in step. Then each link has a past of its own. */
static void begin(unsigned lanes)
{
    for (unsigned i = 0; i < LINK_ENDS; i++)
        link_end_start(&end[i], i, rng_next(&r));
    name_ends();
    for (unsigned i = 0; i < LINK_ENDS; i++) {
        end[i].in.bus = (struct reg_request){.valid = 1,
                                             .write = 1,
                                             .addr = LCB_REG_CONTROL,
                                             .wdata = (u64)lanes << LCB_REG_CONTROL_LANES_AT};
    }
    plug(0, 1);
    plug(2, 3);
    come_up();
    run(500 + rng_below(&r, 1500));
    end[2].stopped = end[3].stopped = true;
    run(rng_below(&r, 1000));
}

/* All lanes carry nothing until both links have begun to train again; the exchange comes at any time of that. */
static void train_again(void)
{
    for (unsigned i = 0; i < LINK_ENDS; i++)
        heard[i] = LINK_ENDS;
    for (unsigned clocks = 0; clocks < UP && (exchanges(0) || exchanges(2)); clocks++)
        step();
    plug(0, 1);
    plug(2, 3);
    run(rng_below(&r, 500));
}

/* All that was sent came, or its sender reported it, and nothing twice. */
static bool accounted(void)
{
    uint64_t unknown = 0, twice = 0;
    for (unsigned i = 0; i < LINK_ENDS; i++)
        end[i].stopped = true;
    run(3000);
    for (unsigned i = 0; i < LINK_ENDS; i++) {
        uint64_t came = end[i].reported;
        for (unsigned j = 0; j < LINK_ENDS; j++)
            came += end[j].came[i];
        unknown += came < end[i].sent ? end[i].sent - came : 0;
        twice += end[i].twice;
    }
    tap_why("%" PRIu64 " flits lost, %" PRIu64 " twice", unknown, twice);
    return unknown == 0 && twice == 0;
}

/*
 * The cables are exchanged. Clocks until each end that exchanged data has stopped; UP if one does not. escapes: noise that had a right CRC,
 * which it has by chance in one of 2^20.
 */
static unsigned exchange(unsigned *escapes)
{
    bool knows[LINK_ENDS];
    unsigned clocks = 0, left = LINK_ENDS;
    for (unsigned i = 0; i < LINK_ENDS; i++)
        left -= knows[i] = !exchanges(i);
    plug(0, 3);
    plug(2, 1);
    end[2].stopped = end[3].stopped = false;
    for (; clocks < UP && left > 0; clocks++) {
        step();
        for (unsigned i = 0; i < LINK_ENDS; i++) {
            *escapes += !knows[i] && clocks > UNDER_WAY && end[i].lcb.rx.out.good;
            left -= !knows[i] && !exchanges(i);
            knows[i] |= !exchanges(i);
        }
    }
    return clocks;
}

static bool knows_whom(void)
{
    bool right = true;
    for (unsigned i = 0; i < LINK_ENDS; i++)
        right &= identity_same(end[i].lcb.link.partner, end[heard[i]].in.identity);
    return right;
}

/* bound: clocks until each end that exchanged data has stopped. */
static void rounds(unsigned lanes, bool trains, unsigned bound, const char *what)
{
    unsigned longest = 0, up = 0, right = 0, round = 0, started = 0, escapes = 0;
    bool good = true;
    while (round < ROUNDS && good && escapes < ROUNDS) {
        const unsigned before = escapes;
        begin(lanes);
        if (trains)
            train_again();
        const bool starts = end[0].lcb.out.state == LINK_START;
        const unsigned clocks = exchange(&escapes);
        if (escapes > before && clocks < UP)
            continue;
        longest = clocks > longest ? clocks : longest;
        started += starts;
        come_up();
        run(300);
        up += running() == LINK_ENDS;
        right += knows_whom();
        good = accounted();
        round++;
    }
    tap_ok(good, "%s: nothing is lost or comes twice", what);
    tap_why("%u clocks; of %u rounds %u run, %u with whom they think, %u were in START, %u escapes",
            longest, round, up, right, started, escapes);
    /* holds link.exchange */
    tap_ok(longest <= bound && up == round && right == round && (!trains || started > 0),
           "%s: known after %u clocks, %u at most; all run again", what, longest, bound);
}

/* All run for some time, which at the end of a bring-up's limit may be at the second try. */
static bool stays_up(void)
{
    unsigned stays = 0;
    for (unsigned clocks = 0; clocks < LONG && stays < 300; clocks++) {
        step();
        stays = running() == LINK_ENDS ? stays + 1 : 0;
    }
    return stays == 300;
}

/*
 * Single fibres are crossed, so that each end hears the one before it and is heard by the one behind it: all frames are right, and all ends
 * are of one epoch. Nobody's acknowledgements reach whom they are for, so nobody may run, from power-up or in the middle of data.
 */
static void crossed(void)
{
    uint64_t foreign = 0;
    unsigned ran = 0, up = 0, round = 0;
    bool good = true;
    for (; round < ROUNDS / 2 && good; round++) {
        begin(7);
        if (round & 1)
            for (unsigned i = 0; i < LINK_ENDS; i++)
                link_end_reset(&end[i]);
        for (unsigned i = 0; i < LINK_ENDS; i++)
            heard[i] = (i + LINK_ENDS - 1) % LINK_ENDS;
        run(START_LEFT + 2 * (MICROPACKETS + BESIDES));
        for (unsigned clocks = rng_below(&r, UP); clocks > 0; clocks--) {
            step();
            ran += running();
        }
        plug(0, 1);
        plug(2, 3);
        up += stays_up();
        foreign += end[2].came[1] + end[0].came[3];
        good = (round & 1) || accounted();
    }
    tap_why("%u clocks in RUN, %" PRIu64 " flits of another, %u of %u up again", ran, foreign, up,
            round);
    /* holds link.crossed */
    tap_ok(
        good && ran == 0 && foreign == 0 && up == round,
        "crossed fibres: nobody runs or gets what is another's; with the right ones all run again");
}

/* Ends without identity: one of two that come together is killed before the exchange, and restarted behind it. */
static void nobody(void)
{
    bool good = true;
    unsigned up = 0, round = 0;
    for (; round < ROUNDS / 2 && good; round++) {
        begin(7);
        for (unsigned i = 0; i < LINK_ENDS; i += 2)
            end[i].in.bus = (struct reg_request){.valid = 1,
                                                 .write = 1,
                                                 .addr = LCB_REG_CONTROL,
                                                 .wdata = LCB_REG_CONTROL_LANES_RESET
                                                              << LCB_REG_CONTROL_LANES_AT |
                                                          1 << LCB_REG_CONTROL_KILL_AT};
        run(4 + rng_below(&r, 300));
        (void)exchange(&(unsigned){0});
        run(rng_below(&r, 300));
        end[0].in.restart = end[2].in.restart = 1;
        come_up();
        run(300);
        up += running() == LINK_ENDS;
        good = accounted();
    }
    tap_ok(good && up == round,
           "without identity, one end killed before and restarted behind: nothing is lost");
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    rounds(7, false, MICROPACKETS + BESIDES, "three lanes that run");
    rounds(6, false, MICROPACKETS * 3 / 2 + BESIDES, "two lanes that run");
    rounds(2, false, MICROPACKETS * 3 + BESIDES, "a lane that runs");
    rounds(7, true, START_LEFT + MICROPACKETS + BESIDES, "three lanes that are trained again");
    crossed();
    nameless = true;
    nobody();
    return tap_done();
}
