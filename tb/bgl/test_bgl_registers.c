// SPDX-License-Identifier: Apache-2.0
/*
 * test_bgl_registers.c - registers of any value in any order, on every node of a torus under traffic: places and neighbours that are wrong, thresholds out of order,
 * time-outs of no clock, links killed, looped and stopped, FIFOs reset in the middle of a packet. What is lost by it is lost; no assertion fails. Then every
 * register has its value again and all links are restarted: they run within 40,000 clocks, and everything that is sent from then on arrives. Before it: packets with
 * a hint to where no cable is are thrown away and counted, and hold nobody up.
 *
 * Built for bgl: fast.
 */
#include "tb/bgl/bgl_cores.h"
#include "tb/bgl/bgl_traffic.h"

enum { WRITES = 400, RUN_AGAIN = 40000, DRAIN = 400000, REST = 4000, WORDS = 0x200 };

static const struct bgl_traffic load = {
    .rate = 0.02, .dynamic = 0.6, .high = 0.1, .broadcast = 0.05, .small = 0.3};

/* Often a value that is nearly right, so that packets get far. */
static uint64_t any_value(struct bgl_bench *b)
{
    const uint64_t value = rng_next(&b->rng);
    switch (rng_below(&b->rng, 4)) {
    case 0:
        return value & 0x030303;
    case 1:
        return 1ull << rng_below(&b->rng, 64);
    case 2:
        return rng_below(&b->rng, 2) ? 0 : ~0ull;
    default:
        return value;
    }
}

static unsigned any_word(struct bgl_bench *b)
{
    switch (rng_below(&b->rng, 8)) {
    case 0:
        return rng_below(&b->rng, WORDS);
    case 1:
    case 2: /* control and time-out of a port */
        return BGL_REG_PORT + BGL_REG_PORT_STEP * rng_below(&b->rng, PORTS) + rng_below(&b->rng, 2);
    default:
        return rng_below(&b->rng, BGL_REG_IRQ_STATUS + 3);
    }
}

static void write_anything(struct bgl_bench *b)
{
    for (unsigned i = 0; i < WRITES; i++) {
        traffic_run(b, &load, rng_below(&b->rng, 60));
        bench_write(b, rng_below(&b->rng, b->nodes), any_word(b), any_value(b));
        if (i % 8 == 7) /* FIFOs that have stopped, or hold half a packet */
            bench_write(b, rng_below(&b->rng, b->nodes), BGL_REG_INJECTION, 0xff00);
    }
}

static void write_one(struct bgl_bench *b, unsigned word, uint64_t value)
{
    uint64_t data[BENCH_MOST];
    for (unsigned n = 0; n < b->nodes; n++)
        data[n] = value;
    bench_write_all(b, word, data);
}

#define FIELD(name) ((uint64_t)BGL_REG_##name##_RESET << BGL_REG_##name##_AT)

/* What a driver does that begins anew. */
static void restore(struct bgl_bench *b)
{
    for (unsigned n = 0; n < b->nodes; n++)
        for (unsigned c = 0; c < CORES; c++)
            b->core[n][c].count = b->core[n][c].count != 0; /* the burst under way ends */
    write_one(b, BGL_REG_INJECTION, 0xff00);
    bench_run(b, REST);
    b->manual = cores_idle;
    write_one(b, BGL_REG_RANGES,
              FIELD(RANGES_TOKENS0) | FIELD(RANGES_TOKENS1) | FIELD(RANGES_TOKENS2) |
                  FIELD(RANGES_FULL0) | FIELD(RANGES_FULL1) | FIELD(RANGES_FULL2));
    write_one(b, BGL_REG_BYPASS,
              FIELD(BYPASS_VC0) | FIELD(BYPASS_VC1) | FIELD(BYPASS_VC2) | FIELD(BYPASS_VC3));
    bench_write_places(b);
    for (unsigned p = 0; p < PORTS; p++) {
        const unsigned word = BGL_REG_PORT + BGL_REG_PORT_STEP * p;
        write_one(b, word + 1, FIELD(PORT1_CLOCKS) | FIELD(PORT1_RETRY));
        write_one(b, word, FIELD(PORT_DROP) | 1 << BGL_REG_PORT_RESTART_AT);
    }
    for (unsigned i = 0; i < 2; i++) { /* what arrives meanwhile goes with the second one */
        write_one(b, BGL_REG_INJECTION, 0xff00);
        write_one(b, BGL_REG_RECEPTION, 0xffff);
        bench_run(b, REST);
    }
}

/* A packet out over the edge, one to a neighbour behind it in the same FIFO. */
static void edge(uint64_t seed)
{
    enum { Z_PLUS = 4, ALONE = 9000 };
    static struct bgl_bench b;
    const struct bench_order out = {.fifo = 1, .chunks = 3, .vc = 2, .hints = 1 << (5 - Z_PLUS)};
    const struct bench_order behind = {.to = 1, .fifo = 1, .chunks = 8, .vc = 2};
    const unsigned dropped = BGL_REG_COUNTERS + BGL_REG_COUNTERS_STEP * Z_PLUS + COUNT_DROPPED;
    bench_start(&b, 2, 1, 1, 3, seed);
    for (unsigned i = 0; i < 3; i++) {
        const int lost = bench_send(&b, &out);
        b.packet[lost].wanted = 0;
        bench_send(&b, &behind);
    }
    bench_run(&b, ALONE);
    tap_equal(b.arrived, 3, "packets behind those to where no cable is");
    bench_run(&b, 100);
    tap_equal(bench_read(&b, 0, dropped), 3, "these are counted");
    tap_equal(b.wrong + b.unexplained, 0, "and come nowhere");
    bench_free(&b);
}

int main(int argc, char **argv)
{
    static struct bgl_bench b;
    unsigned clocks = 0;
    const uint64_t seed = test_seed(argc, argv);
    edge(seed);
    bench_start(&b, 4, 2, 1, 5, seed);
    write_anything(&b);
    tap_note("%u packets came, %u at a wrong place or changed", (unsigned)b.arrived,
             (unsigned)(b.wrong + b.unexplained));
    restore(&b);
    for (; clocks < RUN_AGAIN && !bench_up(&b); clocks += 1000) {
        bench_run(&b, 1000);
        write_one(&b, BGL_REG_RECEPTION, 0xffff); /* a port that drains waits for who reads */
    }
    tap_ok(bench_up(&b), "all links run after %u clocks", clocks);
    for (unsigned i = 0; i < 10; i++) { /* packets of before */
        bench_run(&b, REST);
        write_one(&b, BGL_REG_RECEPTION, 0xffff);
    }
    cores_reset(&b);
    bench_forgive(&b);
    b.wrong = b.unexplained = b.twice = b.disordered = 0;
    b.manual = NULL;
    traffic_run(&b, &load, 3000);
    traffic_check(&b, DRAIN, "behind it");
    bench_free(&b);
    return tap_done();
}
