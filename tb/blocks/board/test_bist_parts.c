// SPDX-License-Identifier: Apache-2.0
/*
 * test_bist_parts.c - what hls/board/README.md promises of bist_cable, bist_port and bist_regs, number by number.
 *
 * Built for proto: san.
 */
#include <inttypes.h>

#include "hls/board/bist_cable.h"
#include "hls/board/bist_port.h"
#include "hls/board/bist_regs.h"
#include "tb/base/harness.h"

enum { NOISE = 4096, HITS = 400, NOISY = NOISE * HITS, LANE_BITS = 16, PLACES = LANES * LANE_BITS };
enum {
    LONGEST = 14,
    QUEUE = 1 << RTR_INQ_LOG2,
    SHARED = QUEUE - RTR_VCS * (RTR_INQ_GUARANTEED + 16)
};

static uint64_t now; /* clocks so far: failed assertions say it */
static struct rng rng;

/* ---- the cable --------------------------------------------------------------------------------- */

struct hits {
    uint64_t bits, clocks, many, place[PLACES];
    struct misses odd;
};

/* Some clocks; what of the words of the clock before has changed. Lanes that are cut carry zeros, and are not up. */
static struct hits cable(struct bist_cable *dut, unsigned clocks, unsigned cut, bool noise,
                         double flip)
{
    struct hits hits = {0};
    for (unsigned i = 0; i < clocks; i++, now++) {
        struct bist_cable_in in = {.cut = (u3)cut, .noise = noise, .flip = rng_chance(&rng, flip)};
        unsigned wrong = 0;
        for (unsigned l = 0; l < LANES; l++)
            in.lane[l] = (u16)rng_next(&rng);
        bist_cable(dut, &in);
        for (unsigned l = 0; l < LANES; l++) {
            const unsigned carries = !(cut >> l & 1);
            const unsigned differ = (unsigned)(dut->out.other[l] ^ (carries ? in.lane[l] : (u16)0));
            must_equal(&hits.odd, (unsigned)dut->out.up >> l & 1, carries, "lane %u is up", l);
            must(&hits.odd, carries || !differ, "lane %u is cut and carries %04x", l, differ);
            for (unsigned b = 0; b < LANE_BITS; b++)
                hits.place[l * LANE_BITS + b] += differ >> b & 1;
            wrong += (unsigned)__builtin_popcount(differ);
        }
        must(&hits.odd, !in.flip || wrong > 0 || cut != 0, "a flip without a wrong bit");
        must(&hits.odd, in.flip || noise || wrong == 0, "%u wrong bits, no flip, no noise", wrong);
        hits.bits += wrong;
        hits.clocks += wrong > 0;
        hits.many += wrong > 1;
    }
    return hits;
}

static void cables(void)
{
    struct bist_cable dut;
    bist_cable_reset(&dut);
    struct hits h = cable(&dut, 10000, 0, false, 0);
    tap_ok(misses_why(&h.odd) && h.bits == 0, "a cable: words come a clock later, as they are");
    h = cable(&dut, 10000, 5, false, 0);
    tap_misses(&h.odd, "lanes that are cut carry nothing and are not up, the third goes on");
    h = cable(&dut, NOISY, 0, true, 0);
    /* six standard deviations of a Poisson count: 6 x 20 */
    /* holds bist_cable.noise */
    tap_ok(h.many == 0 && h.bits > HITS - 120 && h.bits < HITS + 120,
           "noise: %" PRIu64 " wrong bits in %d clocks, one in about 4,096", h.bits, NOISY);
    h = cable(&dut, 20000, 0, false, 0.5);
    unsigned places = 0;
    for (unsigned i = 0; i < PLACES; i++)
        places += h.place[i] > 0;
    tap_ok(misses_why(&h.odd) && h.many == 0 && h.bits > 9000 && places == PLACES,
           "a flip is one wrong bit of that clock, at any of %u places", places);
    h = cable(&dut, 10000, 0, false, 0);
    tap_ok(h.bits == 0, "and no other");
}

/* ---- the port ---------------------------------------------------------------------------------- */

/* A router that passes nothing on, then some, then all: flits in its queue. */
static void port(void)
{
    static struct bist_port dut;
    unsigned held = 0, most = 0, began = 0, resumed = 0;
    struct misses refused = {0};
    bist_port_reset(&dut);
    for (unsigned i = 0; i < 6000; i++, now++) {
        const bool free = held > 0 && (i >= 5000 || (i >= 4000 && rng_chance(&rng, 0.3)));
        const struct bist_port_in in = {
            .run = 1, .route = {0x2a, 0x15}, .from_router = {.freed = {.valid = free}}};
        must_be(&refused, dut.out.to_router.ready, 1);
        must_be(&refused, dut.out.to_router.room, 3);
        must_be(&refused, dut.out.to_router.spare, 3);
        held += dut.out.to_router.valid;
        most = held > most ? held : most;
        began = i == 3999 ? held : began;
        resumed += i >= 5000 && dut.out.to_router.valid;
        held -= free;
        bist_port(&dut, &in);
    }
    tap_why("%u held at first, %u at most of %d, %u behind", began, most, SHARED, resumed);
    /* holds bist_port.queue */
    tap_ok(most <= SHARED && began > SHARED - 2 * LONGEST - 1,
           "a port keeps at most %d flits in the router's queue, and as many as fit", SHARED);
    tap_ok(misses_why(&refused) && resumed > 900, "it takes one per clock, always, and goes on");
}

/* ---- registers --------------------------------------------------------------------------------- */

static struct bist_regs regs;
static uint64_t ticks, last_tick, apart; /* clocks between the last two */

static void regs_clock(const struct bist_regs_in *in)
{
    bist_regs(&regs, in);
    now++;
    if (regs.out.tick) {
        apart = now - last_tick;
        last_tick = now;
        ticks++;
    }
}

/* One request; how many clocks it took; behind it the bus is idle for a clock. */
static unsigned ask(bool write, unsigned addr, unsigned data, uint32_t *reply)
{
    struct bist_regs_in in = {
        .second = 99, .bus = {.valid = 1, .write = write, .addr = (u16)addr, .wdata = data}};
    unsigned clocks = 0;
    for (unsigned i = 0; i < BIST_VALUES; i++)
        in.value[i] = 1000 + i;
    do {
        regs_clock(&in);
        clocks++;
    } while (!regs.out.bus.ready && clocks < 10);
    *reply = (uint32_t)regs.out.bus.rdata;
    return clocks;
}

static void registers(void)
{
    struct bist_regs_in idle = {.second = 99};
    uint32_t reply;
    struct misses wrong = {0};
    bist_regs_reset(&regs);
    for (unsigned i = 0; i < 1000; i++) {
        regs_clock(&idle);
        if (ticks > 1)
            must_be(&wrong, apart, 100);
    }
    tap_ok(misses_why(&wrong) && ticks == 10 && regs.out.seconds == 10 && regs.out.run,
           "a tick each `second` + 1 clocks; traffic runs from reset on");
    for (unsigned i = 0; i < BIST_VALUES; i++) {
        must_equal(&wrong, ask(false, BIST_REG_VALUES + i, 0, &reply), 1, "clocks for value %u", i);
        must_equal(&wrong, reply, 1000 + i, "value %u", i);
        regs_clock(&idle);
        must_be(&wrong, regs.out.bus.ready, 0);
    }
    tap_misses(&wrong, "address 0x10 + i is value i, answered for one clock");
    (void)ask(true, BIST_REG_CONTROL, BIST_NOISE | 5 << BIST_CUT_AT | BIST_FLIP | BIST_CLEAR,
              &reply);
    const bool began = regs.out.noise && regs.out.cut == 5 && regs.out.flip && regs.out.clear;
    regs_clock(&idle);
    tap_ok(began && !regs.out.flip && !regs.out.clear && regs.out.noise && regs.out.cut == 5,
           "flip and clear last one clock, noise and cut until they are written again");
    (void)ask(false, BIST_REG_CONTROL, BIST_NOISE | BIST_TRAFFIC | 7 << BIST_CUT_AT, &reply);
    regs_clock(&idle);
    for (unsigned addr = 0; addr < 0x20; addr++)
        if (addr != BIST_REG_CONTROL) {
            (void)ask(true, addr, 0x3fff, &reply);
            must(&wrong, !regs.out.flip && !regs.out.clear, "flip or clear by address %u", addr);
            regs_clock(&idle);
        }
    tap_ok(misses_why(&wrong) && regs.out.noise && regs.out.cut == 5 && regs.out.run,
           "a read of CONTROL and writes elsewhere do nothing");
    (void)ask(true, BIST_REG_CONTROL, BIST_TRAFFIC | BIST_NOISE | 1 << BIST_CUT_AT, &reply);
    tap_ok(!regs.out.run && !regs.out.noise && regs.out.cut == 4, "each bit changes its own");
}

int main(int argc, char **argv)
{
    rng_seed(&rng, test_seed(argc, argv));
    harness_clock = &now;
    cables();
    port();
    registers();
    return tap_done();
}
