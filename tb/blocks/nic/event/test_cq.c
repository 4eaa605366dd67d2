// SPDX-License-Identifier: Apache-2.0
/*
 * test_cq.c - cq alone: events of two sources for queues of many kinds, readers that stop, lie and race, configurations under
 * way, memory without room, interrupts that are cleared while events come, wrong bits in the queues' words.
 *
 * Built for aries: fast; proto: san. Recorded for cq.
 */
#include "tb/blocks/nic/event/cq_bench.h"

enum { LIVES = 40 };

/* ---- what is tried ----------------------------------------------------------------------------- */

static void change_manners(void)
{
    static const unsigned rates[] = {0, 1, 4, 12, 16, 16};

    cb.how = (struct cq_manners){.sends = rates[rng_below(&cb.r, 6)],
                                 .npt = rates[rng_below(&cb.r, 6)],
                                 .rmt = rates[rng_below(&cb.r, 6)],
                                 .room = rates[1 + rng_below(&cb.r, 5)],
                                 .pages = rates[rng_below(&cb.r, 6)],
                                 .sets = rng_below(&cb.r, 2) ? 4 : 64,
                                 .lies = rng_below(&cb.r, 2) ? 0 : 4,
                                 .clears = rates[rng_below(&cb.r, 6)],
                                 .reads = rates[rng_below(&cb.r, 6)],
                                 .foreign = rng_below(&cb.r, 2) ? 0 : 16,
                                 .fails = rng_below(&cb.r, 2) ? 0 : 16,
                                 .queues = rng_below(&cb.r, 2) ? 1 + rng_below(&cb.r, 4) : QUEUES,
                                 .log2 = rng_below(&cb.r, 3) ? 1 : 15};
}

static void live(void)
{
    cq_bench_reset();
    cb.how = (struct cq_manners){.sets = 4096, .queues = 1 + rng_below(&cb.r, QUEUES), .log2 = 1};
    cq_bench_run(cb.how.queues * 4);
    cb.how.sets = 0;
    cq_bench_run(8);
    if (rng_below(&cb.r, 2))
        cq_bench_write_register(0x26, 1 + rng_below(&cb.r, 2000), 0);
    for (unsigned i = 1 + rng_below(&cb.r, 8); i > 0; i--) {
        struct cq_test_queue *q = &cb.queue[rng_below(&cb.r, cb.how.queues)];

        change_manners();
        if (rng_below(&cb.r, 4) == 0) { /* it begins or ends inside of a ring */
            cb.window_at = q->base + rng_below(&cb.r, 64);
            cb.window = rng_below(&cb.r, 1024);
        }
        cq_bench_run(rng_below(&cb.r, 6000));
    }
    cb.how.sends = cb.how.npt = cb.how.rmt = cb.how.pages = cb.how.sets = 0;
    cb.how.room = 16;
    cq_bench_run(200);
    for (unsigned i = 0; i < CQ_SOURCES; i++)
        must_equal(&cb.seen.missing, cb.source[i].out, cb.source[i].in,
                   "source %u: events that are in order", i);
    must(&cb.seen.idle, cb.dut.out.idle, "not idle when nothing is left");
}

/* One queue with a ring of 64 entries, interrupt 5. */
static void one_queue(unsigned threshold)
{
    cq_bench_reset();
    cb.how = (struct cq_manners){.queues = 1, .log2 = 1};
    cb.queue[0] = (struct cq_test_queue){
        .enabled = true, .log2 = 6, .irq = 5, .threshold = threshold, .base = 0x1000};
    cq_bench_write_register(0x2001, 1 | 6 << 1 | 5 << 14 | (uint64_t)threshold << 19, 0x1000);
}

static void test_rate(void)
{
    one_queue(1);
    cb.how.sends = cb.how.npt = cb.how.rmt = cb.how.room = cb.how.pages = cb.how.reads = 16;
    cq_bench_run(100);
    const unsigned before = cb.seen.events, full = cb.seen.full, first = cb.source[0].out;
    cq_bench_run(10000);
    const unsigned ssid = cb.source[0].out - first;
    /* holds cq.rate */
    tap_ok(cb.seen.events - before >= 4995 && ssid >= 5000 / CQ_SOURCES - 7 &&
               ssid <= 5000 / CQ_SOURCES + 8,
           "cq: an event in %.3f clocks, %u of 5,000 of the first source",
           10000.0 / (cb.seen.events - before), ssid);
    cb.how.pages = 0;
    cq_bench_run(10000);
    tap_ok(cb.seen.full - full >= 4900, "cq: and while nobody reads: %u dropped",
           cb.seen.full - full);
    cb.how.pages = 16;
    cq_bench_run(1000);
}

/* A reader that stops for long, many times: its first event after each gap says so, and no other. */
static void test_gaps(void)
{
    const unsigned before = cb.seen.overruns, wrong = (unsigned)cb.seen.memory.count;
    unsigned gaps = 0;

    one_queue(1);
    cb.how.sends = cb.how.npt = cb.how.rmt = cb.how.room = cb.how.reads = 16;
    for (unsigned i = 0; i < 100; i++) {
        const unsigned full = cb.seen.full;
        cb.how.pages = 0;
        cq_bench_run(i == 0 ? 10000 : rng_below(&cb.r, 400));
        gaps += cb.seen.full != full;
        cb.how.pages = 16;
        while (cb.queue[0].overrun || cb.queue[0].written - cb.queue[0].read > 60)
            cq_bench_step();
    }
    tap_ok(gaps > 50 && cb.seen.overruns - before >= gaps && cb.seen.memory.count == wrong,
           "cq: a reader that stops %u times for too long is notified each time (%u)", gaps,
           cb.seen.overruns - before);
}

/* Events of another domain for a full ring are no reason to tell its reader of a gap. */
static void test_foreign(void)
{
    const unsigned wrong = (unsigned)cb.seen.memory.count, overruns = cb.seen.overruns;
    struct cq_in in = {.room_memory = 1};

    one_queue(1);
    cb.how.room = 16;
    while (cb.queue[0].written < 63) {
        cb.how.sends = 16;
        cq_bench_step();
        cb.how.sends = 0;
        cq_bench_run(8);
    }
    for (unsigned i = 0; i < 40; i++) {
        in.event[CQ_NPT] = (struct nic_event){.valid = i % 8 == 0, .ptag = 9, .word = 7};
        cq(&cb.dut, &in);
    }
    cb.how.pages = cb.how.reads = 16;
    while (cb.queue[0].read != cb.queue[0].written)
        cq_bench_step();
    cb.how.sends = 16;
    cq_bench_run(40);
    /* holds cq.overrun */
    tap_ok(cb.queue[0].written > 70 && cb.seen.memory.count == wrong &&
               cb.seen.overruns == overruns,
           "cq: events of another domain leave no mark in a full ring (%u)",
           (unsigned)cb.seen.memory.count - wrong);
}

/* Three unread events below the threshold: the timer tells of them, and again until they are read. */
static void test_timer(void)
{
    unsigned raised[3] = {0};

    one_queue(50);
    cb.how.room = 16;
    cb.how.sends = 16;
    while (cb.queue[0].written < 3)
        cq_bench_step();
    cb.how.sends = 0;
    for (unsigned phase = 0; phase < 3; phase++) {
        if (phase == 1)
            cq_bench_write_register(0x26, 4000, 0);
        if (phase == 2) {
            cb.how.pages = cb.how.reads = 16;
            while (cb.queue[0].read != cb.queue[0].written)
                cq_bench_step();
            cq_bench_run(4 * QUEUES);
        }
        for (unsigned i = 0; i < 40000; i++) {
            cq_bench_step();
            raised[phase] += cb.dut.out.raised == 1u << 5;
        }
    }
    tap_ok(raised[0] == 0 && raised[1] >= 9 && raised[1] <= 11 && raised[2] == 0,
           "cq: the timer tells of few events, each time until they are read (%u, %u, %u)",
           raised[0], raised[1], raised[2]);
}

/* Each bit of a queue's words wrong, then two of them. */
static void test_bits(void)
{
    unsigned single = 0, two = 0;

    for (unsigned bit = 0; bit < 60 + 42; bit++) {
        one_queue(1);
        cb.how.room = 16;
        if (bit < 60)
            cb.dut.rings[0] ^= (cq_ring_ecc_word)1 << bit;
        else
            cb.dut.configs[0] ^= (cq_config_ecc_word)1 << (bit - 60);
        cb.how.sends = 16;
        const struct misses wrong = cb.seen.count;
        const unsigned events = cb.seen.events;
        for (unsigned i = 0; i < 40; i++) {
            const bool event = cb.dut.op.kind == CQ_EVENT;
            cq_bench_step();
            single += event && (cb.dut.out.count >> CQ_CORRECTED & 1) == 0;
        }
        single += cb.seen.events - events < 10;
        cb.seen.count = wrong;
        cb.how.sends = 0;
        cq_bench_run(8);
    }
    tap_ok(single == 0,
           "cq: a wrong bit in a queue's words is corrected, and reported with each event (%u)",
           single);
    for (unsigned bit = 1; bit < 42; bit++) {
        struct cq_in in = {.room_memory = 1};
        one_queue(1);
        cb.dut.rings[0] ^= bit & 1 ? 3 : 0;
        cb.dut.configs[0] ^= bit & 1 ? (cq_config_ecc_word)0 : ((cq_config_ecc_word)1 << bit | 1);
        in.event[CQ_NPT] = (struct nic_event){.valid = 1, .word = 7};
        cq(&cb.dut, &in);
        in.event[CQ_NPT].valid = 0;
        unsigned lost = 0;
        for (unsigned i = 0; i < 10; i++) {
            cq(&cb.dut, &in);
            lost += (unsigned)(cb.dut.out.count >> CQ_LOST & 1);
            two += cb.dut.out.memory.valid || cb.dut.out.raised != 0;
        }
        two += lost != 1;
    }
    tap_ok(two == 0, "cq: with a double-bit error the event is lost and reported (%u)", two);
}

int main(int argc, char **argv)
{
    rng_seed(&cb.r, test_seed(argc, argv));
    harness_clock = &cb.now;
    for (unsigned i = 0; i < LIVES; i++)
        live();
    /* holds cq.indices */
    tap_misses(&cb.seen.memory,
               "cq: events are written where and when they must be, overrun behind each gap");
    tap_misses(&cb.seen.order, "cq: each source's in order");
    tap_misses(&cb.seen.room, "cq: while memory has room, and room announced is kept");
    /* holds cq.anew */
    tap_misses(&cb.seen.reply, "cq: pages answer what is so");
    /* holds cq.threshold */
    tap_misses(&cb.seen.raised, "cq: interrupts are raised when there is a reason");
    tap_misses(&cb.seen.slept, "cq: no event is slept over");
    tap_misses(&cb.seen.count, "cq: each clock counts what happened");
    misses_add(&cb.seen.missing, &cb.seen.idle);
    tap_misses(&cb.seen.missing,
               "cq: nothing is left, idle only then, nothing reported in the wipe");
    tap_ok(cb.seen.outside > 100,
           "cq: what is for a context, or outside of the window, is lost and reported (%u)",
           cb.seen.outside);
    test_rate();
    test_gaps();
    test_foreign();
    test_timer();
    test_bits();
    tap_ok(cb.seen.full > 2000 && cb.seen.overruns > 70 && cb.seen.sets > 200 &&
               cb.seen.races > 100,
           "cq: %llu clocks, %u events, %u dropped at full rings, %u notified, %u configurations, "
           "%u replies, %u interrupts, "
           "%u raised as they were cleared",
           (unsigned long long)cb.now, cb.seen.events, cb.seen.full, cb.seen.overruns, cb.seen.sets,
           cb.seen.replies, cb.seen.interrupts, cb.seen.races);
    tap_ok(harness_covers("hls/nic/event/cq.c") == 4, "all covers are hit");
    return tap_done();
}
