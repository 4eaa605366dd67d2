// SPDX-License-Identifier: Apache-2.0
/*
 * test_pio.c - the host's door: bursts of all shapes at every pace, all patterns of strobes, rates, and a NIC that is
 * disabled, drained or not wiped yet.
 *
 * Built for aries: fast; proto: san. Recorded for pio.
 */
#include "tb/blocks/nic/host/pio_door.h"

static void test_random(uint64_t seed)
{
    static const double moods[][3] = {
        {1, 1, 0}, {0.2, 1, 0}, {1, 0.1, 0}, {1, 1, 0.7}, {0.5, 0.5, 0.3}};
    static struct door d;

    door_start(&d, seed);
    for (unsigned n = 0; n < 100; n++) {
        d.offer = moods[n % 5][0];
        d.ready = moods[n % 5][1];
        d.slow = moods[n % 5][2];
        d.illegal = n % 7 == 0 ? 100 : n % 3 == 0 ? 0 : 20;
        door_run(&d, 3000);
    }
    struct misses few = {0};

    door_drain(&d);
    must_at_least(&d.wrong, d.runs, 20001, "runs");
    must_at_least(&d.wrong, d.illegal_seen, 2001, "illegal bursts");
    must_at_least(&d.wrong, d.refused, 501, "refused bursts");
    /* holds pio.legal, pio.illegal, pio.answer */
    tap_misses(
        &d.wrong,
        "pio: %llu bursts, %llu runs, %llu illegal, %llu refused: each run and response as it "
        "must be",
        (unsigned long long)d.responses, (unsigned long long)d.runs,
        (unsigned long long)d.illegal_seen, (unsigned long long)d.refused);
    must_at_least(&few, d.counted[PIO_BAD_BURST], 1001, "PIO_BAD_BURST");
    must_at_least(&few, d.counted[PIO_NO_PAGE], 101, "PIO_NO_PAGE");
    must_at_least(&few, d.counted[PIO_NO_WORD], 101, "PIO_NO_WORD");
    /* holds pio.parts */
    tap_misses(&few, "pio: counted, each once");
}

/* Descriptors disabled at any time: what pio has of theirs is marked, run by run, and nothing else. */
static void test_gone(uint64_t seed)
{
    static struct door d;

    door_start(&d, seed);
    d.disables = 0.1;
    for (unsigned n = 0; n < 40; n++) {
        d.offer = n % 3 == 0 ? 0.3 : 1;
        d.slow = n % 4 == 0 ? 0 : 0.7;
        door_run(&d, 3000);
    }
    door_drain(&d);
    must_at_least(&d.wrong, d.gone, 2001, "runs of disabled descriptors");
    must_at_least(&d.wrong, d.runs, 2 * d.gone + 1, "runs");
    /* holds pio.gone */
    tap_misses(&d.wrong, "pio: %llu of %llu runs of descriptors that were disabled since",
               (unsigned long long)d.gone, (unsigned long long)d.runs);
}

/* Responses of one channel, one behind the other, while the other has nothing to say: each waits for its own. */
static void test_one_way(uint64_t seed)
{
    static struct door d;

    for (unsigned reads = 0; reads < 2; reads++) {
        door_start(&d, seed);
        d.no_writes = reads;
        d.no_reads = !reads;
        d.ready = 0.1;
        door_run(&d, 20000);
        d.no_writes = d.no_reads = false;
        d.ready = 1;
        door_drain(&d);
        must_at_least(&d.wrong, d.responses, 301, "responses");
        tap_misses(&d.wrong, "pio: %s alone, a host slow to take them: %llu",
                   reads ? "reads" : "writes", (unsigned long long)d.responses);
    }
}

/* Both always there: neither keeps the other away. */
static void test_turns(uint64_t seed)
{
    static struct door d;

    door_start(&d, seed);
    d.illegal = 0;
    door_run(&d, 20000);
    const unsigned reads = d.reads.out, writes = d.writes.out;

    door_drain(&d);
    must_at_least(&d.wrong, reads, 1001, "reads");
    must_at_most(&d.wrong, reads, writes + 2, "reads");
    must_at_most(&d.wrong, writes, reads + 2, "writes");
    /* holds pio.turns */
    tap_misses(&d.wrong, "pio: writes and reads in turn: %u, %u", writes, reads);
}

static void test_patterns(uint64_t seed)
{
    static struct door d;

    door_start(&d, seed);
    d.illegal = 0;
    d.windows = d.singles = true;
    d.pattern = 1;
    while (d.drawn < 1 << 16) {
        door_step(&d);
    }
    door_drain(&d);
    tap_misses(&d.wrong, "pio: all 65,536 strobe patterns of 16 bytes, %llu runs",
               (unsigned long long)d.runs);

    door_start(&d, seed);
    d.illegal = 0;
    d.windows = d.whole_lines = true;
    d.pattern = 2;
    while (d.drawn < 100000) {
        door_step(&d);
    }
    door_drain(&d);
    tap_misses(&d.wrong, "pio: 100,000 lines of up to 4 runs, %llu runs",
               (unsigned long long)d.runs);
}

static double rate(struct door *d)
{
    door_run(d, 1000);
    uint64_t before = d->responses;

    door_run(d, 10000);
    return 10000.0 / (double)(d->responses - before);
}

static void test_rate(uint64_t seed)
{
    static struct door d;

    for (unsigned lines = 0; lines < 2; lines++) {
        door_start(&d, seed);
        d.illegal = 0;
        d.windows = true;
        d.whole_lines = lines;
        d.singles = !lines;
        d.pattern = 3;
        double clocks = rate(&d);

        const unsigned wanted = lines ? 4 : 2;

        door_drain(&d);
        must(&d.wrong, clocks < wanted + 0.01, "one per %.3f clocks, expected %u", clocks, wanted);
        tap_misses(&d.wrong, "pio: %s: one per %.2f clocks",
                   lines ? "whole lines" : "bursts of one beat", clocks);
    }
}

/* A NIC that does not work refuses reads of FMA's pages, and says so of writes; queues only before memories are wiped. */
static void test_closed(uint64_t seed)
{
    static struct door d;

    for (unsigned ready = 0; ready < 2; ready++) {
        door_start(&d, seed);
        d.in.config = (struct nic_config){.ready = (u1)ready, .drain = 1};
        d.closed = ready ? 1 : 2;
        door_run(&d, 20000);
        door_drain(&d);
        must_at_least(&d.wrong, d.counted[PIO_DISABLED] + d.shuts, 501, "refused or shut");
        must_equal(&d.wrong, d.runs > 100, ready, "more than 100 runs, of %llu",
                   (unsigned long long)d.runs);
        must_equal(&d.wrong, d.shuts > 100, ready, "more than 100 shut runs, of %llu",
                   (unsigned long long)d.shuts);
        /* holds pio.closed */
        tap_misses(&d.wrong, "pio: %s: %llu bursts refused",
                   ready ? "not enabled" : "not wiped yet",
                   (unsigned long long)d.counted[PIO_DISABLED]);
    }
}

/* Enabled, disabled, drained at any time: each burst has its response, each run is one of it, in order. */
static void test_toggles(uint64_t seed)
{
    static struct door d;

    door_start(&d, seed);
    d.toggles = true;
    d.slow = 0.3;
    for (unsigned n = 0; n < 4000; n++) {
        d.in.config.enable = rng_below(&d.rng, 4) != 0;
        d.in.config.drain = !d.in.config.enable || rng_below(&d.rng, 4) == 0;
        door_run(&d, rng_below(&d.rng, 50));
    }
    d.in.config.enable = 1;
    d.in.config.drain = 0;
    door_drain(&d);
    must_at_least(&d.wrong, d.counted[PIO_DISABLED], 101, "PIO_DISABLED");
    must_at_least(&d.wrong, d.runs, 2001, "runs");
    must_at_least(&d.wrong, d.shuts, 501, "shut runs");
    tap_misses(&d.wrong,
               "pio: enabled, disabled, drained at any time: %llu bursts, %llu reads refused, %llu "
               "shut runs",
               (unsigned long long)d.responses, (unsigned long long)d.counted[PIO_DISABLED],
               (unsigned long long)d.shuts);
}

/* Drained: what is written to FMA waits, and goes on later. */
static void test_drain(uint64_t seed)
{
    static struct door d;

    door_start(&d, seed);
    d.windows = d.singles = true;
    d.illegal = 0;
    door_run(&d, 1000);
    d.in.config.drain = 1;
    door_run(&d, 20);
    uint64_t before = d.runs, taken = d.writes.aw;

    door_run(&d, 1000);
    struct misses on = {0};

    must_equal(&on, d.runs, before, "runs");
    must_equal(&on, d.writes.aw, taken, "addresses taken");
    must(&on, !d.dut.out.s_axi.wready, "WREADY is 1");
    /* holds pio.drain */
    tap_misses(&on, "pio: drained: nothing more is taken");
    d.in.config.drain = 0;
    door_run(&d, 1000);
    must_at_least(&d.wrong, d.runs, before + 101, "runs");
    door_drain(&d);
    tap_misses(&d.wrong, "pio: and all of it goes on");
}

/* What fma gets of a burst: nothing, if it is a queue's. */
static void test_chunks(void)
{
    static struct door d;
    unsigned chunks[2] = {0};

    for (unsigned region = 1; region < 3; region++) {
        door_start(&d, 1);
        d.quiet = true;
        door_run(&d, 10);
        d.in.s_axi = (struct axi_to_sub){.awvalid = 1,
                                         .awaddr = (uint(AXI_BAR_BITS))region << (AXI_BAR_BITS - 2),
                                         .awsize = 4,
                                         .awburst = 1,
                                         .wvalid = 1,
                                         .wstrb = 0xFF,
                                         .wlast = 1};
        for (unsigned i = 0; i < 4; i++) {
            pio(&d.dut, &d.in);
            d.in.s_axi = (struct axi_to_sub){};
            chunks[region - 1] += d.dut.out.chunk.valid;
        }
    }
    struct misses wrong = {0};

    must_equal(&wrong, chunks[0], 0, "chunks of a store to a queue");
    must_equal(&wrong, chunks[1], 1, "chunks of a store to a window");
    tap_misses(&wrong, "pio: bytes for a window go to fma, those for a queue do not");
}

/* An idle door: the beat in call t, its run in the registers after t + 1. */
static void test_latency(void)
{
    static struct door d;

    door_start(&d, 1);
    d.quiet = true;
    door_run(&d, 10);
    d.in.s_axi.awvalid = d.in.s_axi.wvalid = d.in.s_axi.wlast = 1;
    d.in.s_axi.awaddr = (uint(AXI_BAR_BITS))1 << (AXI_BAR_BITS - 1);
    d.in.s_axi.awsize = 4;
    d.in.s_axi.awburst = 1;
    d.in.s_axi.wstrb = 0xFF;
    pio(&d.dut, &d.in);
    d.in.s_axi = (struct axi_to_sub){};
    struct misses wrong = {0};

    must(&wrong, !d.dut.out.run.valid, "a run one clock behind the beat");
    must(&wrong, d.dut.out.chunk.valid, "no chunk one clock behind the beat");
    pio(&d.dut, &d.in);
    must(&wrong, d.dut.out.run.valid, "no run two clocks behind the beat");
    must_equal(&wrong, d.dut.out.run.bytes, 7, "its bytes less one");
    /* holds pio.clocks */
    tap_misses(&wrong, "pio: a run two clocks behind its beat");
}

/*
 * A store whose address and data are taken, and a read whose address is taken `late` clocks behind: the run of the store must be the one that fma
 * sees first. Before them a store of a whole line, so that both wait in their registers.
 */
static void store_goes_first(unsigned late, struct misses *wrong)
{
    static struct door d;

    door_start(&d, 1);
    d.quiet = true;
    door_run(&d, 10);
    for (unsigned t = 0; t < 60; t++) {
        struct axi_to_sub *axi = &d.in.s_axi;
        const bool store = t == 5 || t == 6;

        *axi = (struct axi_to_sub){.bready = 1, .rready = 1};
        axi->awvalid = store;
        axi->awaddr = (uint(AXI_BAR_BITS))1 << (AXI_BAR_BITS - 1);
        axi->awlen = t == 5 ? 3 : 0;
        axi->awsize = axi->arsize = 4;
        axi->awburst = axi->arburst = 1;
        axi->wvalid = (t >= 5 && t < 8) || t == 10 || t == 11; /* the second one's behind a pause */
        axi->wlast = t >= 10;
        axi->wstrb = 0xFF;
        axi->arvalid = t == 11 + late;
        d.in.fma = (struct page_reply){.valid = d.dut.out.run.valid && t > 30};
        if (d.in.fma.valid && d.dut.out.run.bytes == 7 && d.dut.out.run.line == 1) {
            return;
        }
        if (d.in.fma.valid && d.dut.out.run.read) {
            miss(wrong,
                 "read %u clocks behind a store: its run comes in clock %u, before that of the "
                 "store",
                 late, t);
            return;
        }
        pio(&d.dut, &d.in);
    }
    miss(wrong, "read %u clocks behind a store: neither comes", late);
}

/* A read that comes behind a store which pio has does not overtake it; so the driver's read of STATUS is behind all of them. */
static void test_behind(void)
{
    struct misses wrong = {0};

    for (unsigned late = 1; late < 10; late++) {
        store_goes_first(late, &wrong);
    }
    /* holds pio.behind */
    tap_misses(&wrong, "pio: a read goes behind the stores that came before it");
}

int main(int argc, char **argv)
{
    uint64_t seed = test_seed(argc, argv);

    harness_clock = &door_now;
    test_random(seed);
    test_patterns(seed);
    test_rate(seed);
    test_closed(seed);
    test_drain(seed);
    test_toggles(seed);
    test_one_way(seed);
    test_turns(seed);
    test_gone(seed);
    test_behind();
    test_chunks();
    test_latency();
    tap_equal(harness_covers("hls/nic/host/pio.c"), 5, "all covers are hit");
    return tap_done();
}
