// SPDX-License-Identifier: Apache-2.0
/*
 * test_global_clock.c - global_clock alone against its golden model, clock by clock: time, pulses, lock, holdover, steps, registers.
 * Peers of all ports send snapshots: right, a little wrong, far away once or for good; links fall and come up, software
 * changes source, delay, loop, rate and period; the source is silent for a million clocks.
 *
 * Built for proto, aries: san. Recorded for global_clock.
 */
#include <inttypes.h>

#include "tb/base/harness.h"
#include "tb/golden/link/clock.h"
#include "hls/chip/global_clock.h"

enum { CLOCKS = 4000000, APART = 4, SILENCE = (1 << 20) + 5000, REGISTERS = 7, NEAR = 2240 };

#define TIME_MASK ((UINT64_C(1) << 52) - 1)

/* The peer of a port, as it really is: its time goes as ours, but for what is done to it. */
struct peer {
    uint64_t time;
    bool up;
    unsigned wait; /* clocks until its next snapshot */
    bool noisy;    /* snapshots are wrong by up to 600 clocks */
};

static struct global_clock dut;
static struct golden_clock gold;
static struct peer peer[RTR_LINKS];
static struct rng r;
static struct misses wrong, backwards;
static struct reg_request bus;
static uint64_t clocks, confirmed_steps, locks, losses, pulses, holdovers;
static unsigned pace; /* clocks between snapshots, on average half of it */

static void reset(void)
{
    global_clock_reset(&dut);
    golden_clock_reset(&gold);
    bus = (struct reg_request){0};
}

static int64_t wrong_by(const struct peer *p)
{
    const unsigned kind = rng_below(&r, 40);
    return kind == 0               ? (int64_t)(rng_next(&r) >> 12)
           : kind == 1 || p->noisy ? (int64_t)rng_below(&r, 1200) - 600
           : kind < 20             ? (int64_t)rng_below(&r, 3) - 1
                                   : 0;
}

static struct golden_snapshot snapshot_of(struct peer *p)
{
    struct golden_snapshot s = {
        .run = p->up, .sent = rng_next(&r) & TIME_MASK, .age = rng_below(&r, 1 << 15)};
    p->time = (p->time + 1) & TIME_MASK;
    if (p->up && --p->wait == 0) {
        s.valid = true;
        s.sent = (p->time - s.age - (gold.delay >> 8) + (uint64_t)wrong_by(p)) & TIME_MASK;
        p->wait = APART + rng_below(&r, pace);
    }
    return s;
}

static struct global_clock_in inputs(const struct golden_snapshot *port)
{
    struct global_clock_in in = {.bus = bus};
    for (unsigned i = 0; i < RTR_LINKS; i++)
        in.port[i] = (struct clock_snapshot){.run = port[i].run,
                                             .valid = port[i].valid,
                                             .sent = (lcb_time)port[i].sent,
                                             .age = (lcb_age)port[i].age};
    return in;
}

static void compare(bool acts)
{
    const struct global_clock_out *o = &dut.out;
    const bool there = bus.addr < REGISTERS,
               writes = bus.addr < REGISTERS && bus.addr != 4 && bus.addr != 6;
    must_equal(&wrong, o->now, gold.now, "now");
    must_equal(&wrong, o->pulse, gold.pulse, "pulse");
    must_equal(&wrong, o->locked, gold.locked, "locked");
    must_equal(&wrong, o->stepped, gold.stepped, "stepped");
    must_equal(&wrong, o->holdover, gold.holdover, "holdover");
    must_equal(&wrong, o->bus.ready, acts, "bus ready");
    if (acts) {
        must_equal(&wrong, o->bus.error, !(bus.write ? writes : there), "error of register %u",
                   (unsigned)bus.addr);
        if (!bus.write)
            must_equal(&wrong, o->bus.rdata, golden_clock_read(&gold, (unsigned)bus.addr),
                       "register %u", (unsigned)bus.addr);
    }
}

static void step(void)
{
    struct golden_snapshot port[RTR_LINKS];
    for (unsigned i = 0; i < RTR_LINKS; i++)
        port[i] = snapshot_of(&peer[i]);
    const struct global_clock_in in = inputs(port);
    const bool acts = bus.valid && !dut.out.bus.ready;
    const struct golden_clock_write write = {
        .valid = acts && bus.write, .addr = (unsigned)bus.addr, .data = bus.wdata};
    const uint64_t before = (uint64_t)dut.out.now;
    const bool locked = dut.out.locked;
    global_clock(&dut, &in);
    golden_clock_step(&gold, port, RTR_LINKS, &write);
    clocks++;
    compare(acts);
    const uint64_t went = ((uint64_t)dut.out.now - before) & TIME_MASK;
    if (dut.out.locked)
        must_at_most(&backwards, went, 2, "the time while locked");
    confirmed_steps += dut.out.stepped;
    locks += !locked && dut.out.locked;
    losses += locked && !dut.out.locked;
    pulses += dut.out.pulse;
    holdovers += dut.out.holdover;
}

static void run(unsigned n)
{
    while (n-- > 0)
        step();
}

static void request(bool write, unsigned addr, uint64_t data)
{
    bus = (struct reg_request){.valid = 1, .write = write, .addr = (u16)addr, .wdata = data};
    run(1 + rng_below(&r, 2));
    bus = (struct reg_request){0};
    step();
}

/* The source's peer is where the clock is, or away from it by so much. */
static void meet(int64_t away)
{
    for (unsigned i = 0; i < RTR_LINKS; i++)
        peer[i].time = (gold.now + (uint64_t)away) & TIME_MASK;
}

/* Half of the time while a snapshot of the old source is on its way. */
static void choose_source(void)
{
    const struct peer *old = gold.source < RTR_LINKS ? &peer[gold.source] : NULL;
    for (unsigned n = 0; n < 300 && old != NULL && old->up && old->wait > 1; n++)
        step();
    run(rng_below(&r, 5));
    const unsigned port = rng_below(&r, 16) ? rng_below(&r, RTR_LINKS) : rng_below(&r, 64);
    const uint64_t flags = rng_below(&r, 8) ? 2 : rng_below(&r, 4);
    request(true, CLK_REG_CLOCK, port | flags << 6 | rng_next(&r) << 8);
}

/* A source that is up and right, long enough to lock. */
static void calm(void)
{
    const unsigned port = rng_below(&r, RTR_LINKS);
    peer[port].noisy = false;
    peer[port].up = true;
    pace = 100;
    run(3);
    request(true, CLK_REG_LOOP, 0x82);
    request(true, CLK_REG_CLOCK, port | 0x80);
    run(3);
    request(true, CLK_REG_DELAY, 0x1000);
    meet((int64_t)rng_below(&r, 40) - 20);
    run(rng_below(&r, 2) ? 4000 : 1 << 15);
}

/* What software and the cables do. */
static void happen(void)
{
    struct peer *p = &peer[rng_below(&r, RTR_LINKS)];
    switch (rng_below(&r, 16)) {
    case 0:
        choose_source();
        break;
    case 1:
        request(true, CLK_REG_LOOP, rng_below(&r, 2) ? 0x82 : rng_next(&r));
        break;
    case 2:
        request(true, CLK_REG_RATE, rng_next(&r));
        break;
    case 3:
        request(true, CLK_REG_PULSE_PERIOD, rng_below(&r, 2) ? rng_below(&r, 12) : rng_next(&r));
        break;
    case 4:
        p->up = !p->up;
        break;
    case 5:
        meet((int64_t)rng_below(&r, 2000) - 1000);
        break;
    case 6:
        meet((int64_t)(rng_next(&r) >> 13));
        break;
    case 7:
        p->noisy = !p->noisy;
        break;
    case 8:
        request(rng_below(&r, 2), rng_below(&r, 1 << 16), rng_next(&r));
        break;
    case 9:
        calm();
        break;
    case 10:
        pace = rng_below(&r, 4) ? 100 : 2 * NEAR;
        break;
    default:
        request(false, rng_below(&r, REGISTERS), 0);
        request(true, CLK_REG_DELAY, rng_next(&r) & (rng_below(&r, 2) ? 0xffff : 0xffffff));
        break;
    }
}

static void disorder(void)
{
    for (unsigned n = 0; n < CLOCKS;) {
        const unsigned some = rng_below(&r, rng_below(&r, 4) ? 300 : 20000);
        happen();
        run(some);
        n += some;
        if (rng_below(&r, 200) == 0)
            reset();
    }
}

/* A source that says nothing for 2^20 clocks, and again soon enough. */
static void silence(void)
{
    reset();
    pace = 100;
    for (unsigned i = 0; i < RTR_LINKS; i++)
        peer[i] = (struct peer){.up = true, .wait = 5};
    run(2);
    request(true, CLK_REG_DELAY, 0x1280);
    request(true, CLK_REG_CLOCK, 0x80);
    run(40000);
    const uint64_t before = holdovers;
    for (unsigned i = 0; i < RTR_LINKS; i++)
        peer[i].wait = SILENCE;
    run(SILENCE - 100);
    tap_ok(holdovers == before + 1, "a source that is silent for 2^20 clocks: holdover");
    meet(0);
    run(5000);
    tap_ok(dut.out.locked && !dut.held, "and lock, when it speaks again");
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &clocks;
    for (unsigned i = 0; i < RTR_LINKS; i++)
        peer[i] = (struct peer){.up = true, .wait = 1 + rng_below(&r, 100)};
    pace = 100;
    reset();
    disorder();
    silence();
    tap_misses(&wrong, "time, pulse, lock, steps, holdover and registers are the golden model's");
    /* holds global_clock.forward */
    tap_misses(&backwards, "while locked the time goes 0, 1 or 2 on");
    tap_why("%" PRIu64 " steps, %" PRIu64 " locks, %" PRIu64 " losses, %" PRIu64 " pulses",
            confirmed_steps, locks, losses, pulses);
    /* holds global_clock.locked */
    tap_ok(confirmed_steps > 5 && locks > 5 && losses > 5 && pulses > 1000,
           "%" PRIu64 " steps, %" PRIu64 " times locked, %" PRIu64 " pulses", confirmed_steps,
           locks, pulses);
    return tap_done();
}
