// SPDX-License-Identifier: Apache-2.0
/*
 * test_hpet.c - hpet against a model of the IA-PC HPET specification: each interrupt comes within LATE clocks of the match of
 * counter and comparator, and none besides; registers are what was written, whole or by halves. Random times near a
 * wrap of 32 and of 64 bits, comparators written in the clock of a match, the global time that goes 0, 1 or 2 on or is set.
 *
 * Built for proto: san. Recorded for hpet.
 */
#include <inttypes.h>

#include "tb/base/harness.h"
#include "hls/nic/host/hpet.h"

enum { CLOCKS = 800000, TIMERS = 3, LATE = 6, PERIOD_LEAST = 16 };

/* Registers in words of 8 bytes from the first one on; the map, written down a second time. */
enum { ID = 0x00, CONFIG = 0x02, STATUS = 0x04, COUNTER = 0x1E, TIMER = 0x20, STEP = 4 };
enum { LEVEL = 1 << 1, INTERRUPTS = 1 << 2, PERIODIC = 1 << 3, SET = 1 << 6, NARROW = 1 << 8 };

/* A timer as the specification has it. */
struct ideal {
    unsigned config;
    uint64_t comparator, period;
    bool owes;        /* it has matched, its interrupt is to come */
    bool may;         /* that, or it may not: something was written close to the match */
    uint64_t due;     /* at the latest in this clock */
    uint64_t matched; /* latest match */
    bool doubted;
    uint64_t clear; /* from this clock on an interrupt that comes without a match is wrong */
};

static struct hpet dut;
static struct hpet_in in;
static struct ideal ideal[TIMERS];
static bool enabled, global, followed;
static uint64_t counter, now, clocks, matches, raised, jumps, meets;
static unsigned status;
static struct rng r;
static struct misses wrong;

static bool equal(const struct ideal *t, uint64_t value)
{
    const uint64_t differs = t->comparator ^ value;
    return t->config & NARROW ? (uint32_t)differs == 0 : differs == 0;
}

/*
 * A match and a write were close to each other: the interrupt may come or not, and of a periodic timer the comparator may be a period
 * further or not. It is believed some clocks later.
 */
static void doubt(struct ideal *t)
{
    t->may |= t->owes;
    t->doubted |= (t->config & PERIODIC) != 0;
    t->clear = clocks + 2 * LATE;
}

static void touch(struct ideal *t)
{
    if (t->owes || clocks <= t->matched + LATE)
        doubt(t);
    t->clear = t->clear > clocks + LATE ? t->clear : clocks + LATE;
}

/* A level that is there stays. */
static void match(struct ideal *t)
{
    const bool is_there = t->config & LEVEL && status >> (t - ideal) & 1;
    t->matched = clocks;
    if (t->config & INTERRUPTS && !t->owes && !is_there) {
        t->owes = true;
        t->may = false;
        t->due = clocks + LATE;
        matches++;
    }
    if (clocks <= t->clear)
        doubt(t);
    if (t->config & PERIODIC)
        t->comparator += t->period;
}

/* The main counter and what it passes in this clock. */
static void advance(void)
{
    const bool follows = enabled && global;
    const uint64_t before = counter;
    counter = !enabled ? counter : follows ? now : counter + 1;
    const bool jumped = follows && followed && in.time.stepped;
    for (unsigned i = 0; i < TIMERS && enabled; i++) {
        struct ideal *t = &ideal[i];
        if (follows && !followed)
            touch(t);
        else if (!jumped)
            for (uint64_t value = before + 1;
                 value - before <= counter - before && value != counter + 1; value++)
                if (equal(t, value))
                    match(t);
        if (jumped) {
            t->owes |= (t->config & INTERRUPTS) != 0;
            t->may = clocks < t->clear;
            t->due = clocks + LATE;
        }
    }
    jumps += jumped;
    followed = follows;
}

/* What the timers raise: an edge, or a level that stays until it is cleared. */
static void expect_interrupts(void)
{
    for (unsigned i = 0; i < TIMERS; i++) {
        struct ideal *t = &ideal[i];
        const bool level = (t->config & LEVEL) != 0, is_on = (t->config & INTERRUPTS) != 0;
        const bool seen = dut.out.raised >> i & 1;
        const bool came = level ? is_on && seen && !(status >> i & 1) : seen;
        if (came) {
            must(&wrong, t->owes || clocks < t->clear,
                 "timer %u raises without a match: config %x, comparator %" PRIx64
                 ", counter %" PRIx64,
                 i, t->config, t->comparator, counter);
            t->owes = false;
            raised++;
        }
        status |= (unsigned)(came && level) << i;
        if (level && !came)
            must_equal(&wrong, seen, is_on && status >> i & 1, "level of timer %u", i);
        if (t->owes && clocks > t->due) {
            must(&wrong, t->may,
                 "timer %u did not raise: config %x, comparator %" PRIx64 ", counter %" PRIx64
                 ", %" PRIx64,
                 i, t->config, t->comparator, counter, (uint64_t)dut.comparator[i]);
            t->owes = false;
        }
    }
    must_equal(&wrong, dut.out.raised >> TIMERS, in.time.pulse, "pulse");
}

static void believe(void)
{
    for (unsigned i = 0; i < TIMERS; i++) {
        struct ideal *t = &ideal[i];
        if (clocks == t->clear) {
            if (!t->doubted)
                must_equal(&wrong, dut.comparator[i], t->comparator, "comparator of timer %u", i);
            t->comparator = (uint64_t)dut.comparator[i];
            t->doubted = false;
        }
    }
}

static uint64_t by_halves(uint64_t old, uint64_t data, unsigned halves)
{
    const uint64_t mask = (halves & 1 ? 0xFFFFFFFF : 0) | (halves & 2 ? ~UINT64_C(0xFFFFFFFF) : 0);
    return (old & ~mask) | (data & mask);
}

static void write_timer(struct ideal *t, unsigned word, uint64_t data, unsigned halves)
{
    touch(t);
    if (word == 0 && halves & 1)
        t->config = data & (LEVEL | INTERRUPTS | PERIODIC | SET | NARROW);
    if (word != 1)
        return;
    if (!(t->config & PERIODIC) || t->config & SET)
        t->comparator = by_halves(t->comparator, data, halves);
    if (t->config & PERIODIC)
        t->period = by_halves(t->period, data, halves);
    t->config &= ~(unsigned)SET;
}

static void write_ideal(bool ran)
{
    const unsigned addr = (unsigned)in.access.addr, halves = (unsigned)in.access.halves;
    const uint64_t data = in.access.data;
    if (addr == CONFIG && halves & 1) {
        enabled = data & 1;
        global = data >> 8 & 1;
        for (unsigned i = 0; i < TIMERS; i++)
            touch(&ideal[i]);
    } else if (addr == STATUS && halves & 1) {
        status &= ~(unsigned)data;
        for (unsigned i = 0; i < TIMERS; i++)
            touch(&ideal[i]);
    } else if (addr == COUNTER && !ran) {
        counter = by_halves(counter, data, halves);
    } else if (addr >= TIMER && addr < TIMER + TIMERS * STEP) {
        write_timer(&ideal[(addr - TIMER) / STEP], (addr - TIMER) % STEP, data, halves);
    }
}

static uint64_t ideal_value(unsigned addr)
{
    const struct ideal *t = addr >= TIMER ? &ideal[(addr - TIMER) / STEP] : NULL;
    return addr == ID                      ? UINT64_C(0x48452201) | (uint64_t)HPET_PERIOD << 32
           : addr == CONFIG                ? (uint64_t)enabled | (uint64_t)global << 8
           : addr == STATUS                ? status
           : addr == COUNTER               ? counter
           : t == NULL || addr % STEP == 2 ? 0
           : addr % STEP == 0              ? t->config | 1 << 4 | 1 << 5 | UINT64_C(1) << 32
                                           : t->comparator;
}

/* Of a periodic timer that has just fired the comparator may be of before or after. */
static bool settled(unsigned addr)
{
    bool all = true;
    for (unsigned i = 0; i < TIMERS; i++)
        all &= !(ideal[i].config & PERIODIC) || !enabled;
    return all || addr < TIMER || addr % STEP != 1;
}

static void step(void)
{
    const unsigned addr = (unsigned)in.access.read;
    const uint64_t value = ideal_value(addr);
    const bool known = settled(addr), ran = enabled;
    const bool passes = in.time.stepped;
    hpet(&dut, &in);
    clocks++;
    if (known)
        must_equal(&wrong, dut.out.value, value, "register %x", addr);
    advance();
    expect_interrupts();
    if (in.access.write)
        write_ideal(ran);
    believe();
    for (unsigned i = 0; i < TIMERS && passes;
         i++) /* rebased, within some clocks: its own word counts from there on */
        ideal[i].clear = ideal[i].config & PERIODIC ? UINT64_MAX : ideal[i].clear;
    in.access.write = 0;
    in.time.stepped = 0;
    const unsigned by = global ? rng_below(&r, 8) : 1;
    now = (now + (by == 0 ? 0 : by == 1 ? 2 : 1)) & ((UINT64_C(1) << 52) - 1);
    in.time.now = (u52)now;
    in.time.pulse = rng_below(&r, 50) == 0;
}

static void run(unsigned n)
{
    while (n-- > 0)
        step();
}

static void write_register(unsigned addr, uint64_t data, unsigned halves)
{
    if (addr >= TIMER && addr % STEP == 1) /* a period of a few clocks is none */
        data |= PERIOD_LEAST;
    in.access.write = 1;
    in.access.addr = (uint(NIC_TIMER_LOG2))addr;
    in.access.data = data;
    in.access.halves = (u2)halves;
    step();
    in.access.read = (uint(NIC_TIMER_LOG2))addr;
    run(5); /* nic_regs takes no other one earlier */
}

static unsigned some_register(void)
{
    static const unsigned list[] = {ID, CONFIG, STATUS, COUNTER};
    return rng_below(&r, 3) ? TIMER + STEP * rng_below(&r, TIMERS) + rng_below(&r, 3)
                            : list[rng_below(&r, 4)];
}

/* A comparator some clocks ahead; a period; often in the clock of a match. */
static void aim(unsigned i)
{
    const unsigned at = TIMER + STEP * i + 1;
    struct ideal *t = &ideal[i];
    if (t->config & PERIODIC && !(t->config & SET)) {
        write_register(at, PERIOD_LEAST + rng_below(&r, 200), 3);
    } else if (rng_below(&r, 4) == 0) {
        const uint64_t value = counter + 20 + rng_below(&r, 100);
        write_register(at, value, 1 + rng_below(&r, 3));
    } else {
        write_register(at, counter + 7 + rng_below(&r, 60), 3);
    }
    if (rng_below(&r, 4) == 0 && !(t->config & PERIODIC) && enabled && !global) {
        const uint64_t left = t->comparator - counter;
        if (left > 8 && left < 200) {
            run((unsigned)left - 1);
            meets++;
            write_register(at, counter + 500,
                           3); /* the counter is there in the clock of the write */
        }
    }
}

/* Timers off and as after a write, where the counter is near a wrap. */
static void rewind_to(uint64_t value)
{
    write_register(CONFIG, 0, 3);
    write_register(COUNTER, value, 3);
    for (unsigned i = 0; i < TIMERS; i++) {
        write_register(TIMER + STEP * i,
                       rng_below(&r, 2) * LEVEL | INTERRUPTS | rng_below(&r, 2) * NARROW, 1);
        write_register(TIMER + STEP * i + 1, value + 40 + rng_below(&r, 400), 3);
        ideal[i].clear = clocks + LATE;
    }
    write_register(CONFIG, 1, 1);
    run(500);
}

static void happen(void)
{
    const unsigned i = rng_below(&r, TIMERS), kind = rng_below(&r, 12);
    if (kind == 0)
        write_register(CONFIG, rng_below(&r, 4) ? 1 : rng_below(&r, 2) * 0x100 + rng_below(&r, 2),
                       1 + rng_below(&r, 3));
    else if (kind == 1)
        rewind_to(rng_below(&r, 2) ? ~UINT64_C(0) - rng_below(&r, 200)
                                   : 0xFFFFFFFF - rng_below(&r, 200));
    else if (kind < 5)
        write_register(TIMER + STEP * i, rng_next(&r), 3);
    else if (kind == 5)
        write_register(STATUS, rng_next(&r), 3);
    else if (kind == 6)
        write_register(some_register(), rng_next(&r) >> rng_below(&r, 64), 1 + rng_below(&r, 3));
    else
        aim(i);
    in.access.read = (uint(NIC_TIMER_LOG2))some_register();
}

static void start(void)
{
    hpet_reset(&dut);
    for (unsigned i = 0; i < TIMERS; i++)
        ideal[i] = (struct ideal){.comparator = ~UINT64_C(0)};
    enabled = global = followed = false;
    counter = 0;
    status = 0;
    in = (struct hpet_in){};
    run(8);
}

/* The global time is set: all timers fire, periodic ones go on from there. */
static void test_jump(void)
{
    start();
    now = 1000000;
    for (unsigned i = 0; i < TIMERS; i++) {
        write_register(TIMER + STEP * i, INTERRUPTS | (i == 0 ? PERIODIC | SET : 0), 3);
        write_register(TIMER + STEP * i + 1, now + 2000 * (i + 1), 3);
    }
    write_register(TIMER + 1, 300, 3);
    write_register(CONFIG, 0x101, 3);
    run(100);
    const uint64_t before = raised;
    now += 1000000;
    in.time.now = (u52)now;
    in.time.stepped = 1;
    run(LATE + 1);
    /* holds hpet.jump */
    tap_ok(raised == before + TIMERS, "the global time is set: %u timers fire", TIMERS);
    ideal[0].clear = UINT64_MAX;
    run(700);
    tap_ok(raised >= before + TIMERS + 2 && raised <= before + TIMERS + 3,
           "and the periodic one goes on: %" PRIu64 " times in 700 clocks",
           raised - before - TIMERS);
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &clocks;
    start();
    while (clocks < CLOCKS) {
        happen();
        run(rng_below(&r, rng_below(&r, 4) ? 40 : 400));
        if (rng_below(&r, 300) == 0)
            start();
    }
    /* holds hpet.match */
    tap_misses(&wrong,
               "each match raises its interrupt within %u clocks, nothing else does; registers",
               LATE);
    /* holds hpet.meets */
    tap_why("%" PRIu64 " matches, %" PRIu64 " interrupts, %" PRIu64 " in the clock of a write",
            matches, raised, meets);
    tap_ok(matches > 1000 && raised > 1000 && meets > 20,
           "%" PRIu64 " matches, %" PRIu64 " interrupts, %" PRIu64
           " comparators written in the clock of a match",
           matches, raised, meets);
    wrong = (struct misses){0};
    test_jump();
    tap_misses(&wrong, "and nothing else");
    return tap_done();
}
