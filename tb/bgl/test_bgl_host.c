// SPDX-License-Identifier: Apache-2.0
/*
 * test_bgl_host.c - what a node tells its software: checksums of injection FIFOs against the golden ones, every class of a refused header in FIRST_ERROR and its
 * counter, watermarks, link changes and the interrupts of both cores, clocks of full reception FIFOs.
 *
 * Built for bgl: fast.
 */
#include "tb/bgl/bgl_traffic.h"

enum { DRAIN = 200000, NONE = 99, ERROR_BIT = BGL_REG_IRQ_STATUS_ERROR_AT };

static const struct bgl_traffic load = {
    .rate = 0.02, .dynamic = 0.5, .high = 0.2, .broadcast = 0.1, .small = 0.2};

static uint64_t node_counter(struct bgl_bench *b, unsigned node, unsigned which)
{
    return bench_read(b, node, BGL_REG_NODE_COUNTERS + which);
}

/* ---- checksums ------------------------------------------------------------------------------- */

static void compare_sums(struct bgl_bench *b, unsigned from, const char *what)
{
    struct misses m = {0};
    for (unsigned n = 0; n < b->nodes; n++) {
        for (unsigned f = 0; f < BGL_INJECTION; f++) {
            uint32_t sum = 0;
            for (unsigned i = from; i < b->packets; i++)
                if (b->packet[i].from == n && b->packet[i].fifo == f)
                    sum = gold_checksum(sum, b->packet[i].bytes);
            must_equal(&m, bench_read(b, n, BGL_REG_CHECKSUM + f), sum,
                       "node %u: checksum of injection FIFO %u", n, f);
        }
    }
    tap_misses(&m, "%s", what);
}

static void checksums(uint64_t seed)
{
    static struct bgl_bench b;
    bench_start(&b, 2, 2, 1, 2, seed);
    traffic_run(&b, &load, 6000);
    traffic_check(&b, DRAIN, "packets with a checksum");
    compare_sums(&b, 0, "checksums are those of what was sent, without what is skipped");
    for (unsigned n = 0; n < b.nodes; n++)
        bench_write(&b, n, BGL_REG_CLEAR, 0xff);
    const unsigned before = b.packets;
    bench_run(&b, 20);
    compare_sums(&b, before, "checksums that are cleared");
    traffic_run(&b, &load, 2000);
    bench_drain(&b, DRAIN);
    compare_sums(&b, before, "checksums that began anew");
    bench_free(&b);
}

/* ---- refused headers ------------------------------------------------------------------------- */

struct refusal {
    const char *what;
    enum bgl_refusal class;
    unsigned fifo, hints, vc, x; /* x: of the destination, NONE: node 1's */
    bool dynamic, deposit;
};

static const struct refusal refusals[] = {
    {"a destination that is not there", REFUSED_RANGE, 1, 0, 2, 5, false, false},
    {"both hints of a dimension", REFUSED_HINT, 5, 0x30, 2, NONE, false, false},
    {"a hint that leads elsewhere", REFUSED_HINT, 0, 0x08, 2, NONE, false, false},
    {"VC 0 without dyn", REFUSED_VC, 2, 0, 0, NONE, false, false},
    {"VC 2 with dyn", REFUSED_VC, 6, 0, 2, NONE, true, false},
    {"VC 3 in a normal FIFO", REFUSED_VC, 4, 0, 3, NONE, false, false},
    {"VC 2 in a high-priority FIFO", REFUSED_VC, 3, 0, 2, NONE, false, false},
    {"a high-priority broadcast", REFUSED_VC, 7, 0x20, 3, NONE, false, true},
    {"a broadcast with two hints", REFUSED_DEPOSIT, 0, 0x28, 2, NONE, false, true},
    {"a broadcast to nowhere", REFUSED_DEPOSIT, 1, 0, 2, 0, false, true},
    {"to itself without a hint", REFUSED_SELF, 2, 0, 2, 0, false, false},
};

static void refuse(struct bgl_bench *b, const struct refusal *r)
{
    const struct bench_order o = {.from = 0,
                                  .to = 1,
                                  .fifo = r->fifo,
                                  .chunks = 1 + rng_below(&b->rng, 8),
                                  .dynamic = r->dynamic,
                                  .vc = r->vc,
                                  .hints = r->hints};
    const uint64_t before = node_counter(b, 0, NODE_REFUSED + r->class - 1);
    const int number = bench_send(b, &o);
    struct bench_packet *p = &b->packet[number];
    gold_set(p->bytes, GOLD_DP, r->deposit);
    if (r->x != NONE)
        gold_set(p->bytes, GOLD_X, r->x);
    p->wanted = 0;
    bench_run(b, 300);
    const uint64_t error = bench_read(b, 0, BGL_REG_FIRST_ERROR);
    tap_equal(error & 0x3f, (unsigned)r->class, "%s: class of the first error", r->what);
    tap_equal(error >> BGL_REG_FIRST_ERROR_PLACE_AT & 0x1f, PLACE_INJECTION + r->fifo,
              "%s: its FIFO", r->what);
    tap_at_least(b->now, error >> 32, "%s: its clock", r->what);
    tap_equal(node_counter(b, 0, NODE_REFUSED + r->class - 1), before + 1, "%s: counted", r->what);
    tap_equal(b->node[0].out.irq, 2, "%s: core 1 is interrupted", r->what);
    bench_write(b, 0, BGL_REG_FIRST_ERROR, 1);
    bench_write(b, 0, BGL_REG_IRQ_STATUS, 1 << ERROR_BIT);
    bench_run(b, 4);
    tap_equal(bench_read(b, 0, BGL_REG_FIRST_ERROR) & 0x3f, 0, "%s: taken off", r->what);
    tap_equal(b->node[0].out.irq, 0, "%s: and the interrupt", r->what);
}

static void refused_headers(uint64_t seed)
{
    static struct bgl_bench b;
    bench_start(&b, 2, 2, 1, 2, seed);
    bench_write(&b, 0, BGL_REG_IRQ_MASK1, 1 << ERROR_BIT);
    for (unsigned i = 0; i < sizeof refusals / sizeof *refusals; i++)
        refuse(&b, &refusals[i]);
    traffic_run(&b, &load, 500);
    traffic_check(&b, DRAIN, "behind refused packets");
    b.node[0].random.state ^= (u62)1 << rng_below(&b.rng, 62);
    bench_run(&b, 10);
    const uint64_t error = bench_read(&b, 0, BGL_REG_FIRST_ERROR);
    tap_equal(error & 0x1fff, ERROR_PARITY | PLACE_NODE << 8, "a bit of the random generator");
    tap_equal(node_counter(&b, 0, NODE_PARITY), 1, "it begins anew once");
    bench_write(&b, 0, BGL_REG_CLEAR, 1 << BGL_REG_CLEAR_COUNTERS_AT);
    bench_run(&b, 40);
    tap_equal(node_counter(&b, 0, NODE_PARITY), 0, "counters of the node are cleared");
    bench_free(&b);
}

/* ---- watermarks ------------------------------------------------------------------------------ */

static uint64_t status(struct bgl_bench *b, unsigned node)
{
    return bench_read(b, node, BGL_REG_IRQ_STATUS);
}

static void send_full(struct bgl_bench *b, unsigned fifo, unsigned vc, unsigned group)
{
    const struct bench_order o = {
        .from = 0, .to = 1, .fifo = fifo, .chunks = 8, .vc = vc, .group = group};
    bench_send(b, &o);
}

/* A reception FIFO fills, chunk by chunk, past its watermark; core 0 is told, core 1 is not. */
static void reception(struct bgl_bench *b, unsigned group, bool high)
{
    const unsigned bit = 2 * group + high, fifo = high ? 3 : 0, vc = high ? 3 : 2;
    const uint64_t mark = 8 << (high ? 5 : 0);
    bench_write(b, 1, group ? BGL_REG_WATERMARK1 : BGL_REG_WATERMARK0, mark);
    bench_write(b, 1, BGL_REG_IRQ_MASK0, 1 << bit);
    b->core[1][group].deaf = true;
    send_full(b, fifo, vc, group);
    bench_run(b, 1500);
    tap_equal(status(b, 1) >> bit & 1, 0, "group %u, high %u: 8 chunks are not over 8", group,
              high);
    send_full(b, fifo, vc, group);
    bench_run(b, 1500);
    tap_equal(status(b, 1) & 0xf, 1 << bit, "16 chunks are, and of no other");
    tap_equal(b->node[1].out.irq, 1, "core 0 is interrupted");
    b->core[1][group].deaf = false;
    bench_drain(b, DRAIN);
    bench_run(b, 400);
    tap_equal(status(b, 1) >> bit & 1, 0, "and no longer when they are read");
    tap_equal(b->node[1].out.irq, 0, "no interrupt");
}

/* A reception FIFO that takes no full packet: its counter counts clocks. */
static void full_clocks(struct bgl_bench *b)
{
    const uint64_t before = node_counter(b, 1, NODE_FULL + 7);
    uint64_t full = 0;
    b->core[1][1].deaf = true;
    for (unsigned i = 0; i < 5; i++)
        send_full(b, 0, 2, 1);
    for (unsigned i = 0; i < 6000; i++) {
        bench_step(b);
        for (unsigned r = 8; r < 14; r++)
            full += (unsigned)b->node[1].reception.out.held[r] > 24;
    }
    b->core[1][1].deaf = false;
    bench_drain(b, DRAIN);
    uint64_t counted = 0;
    for (unsigned r = 0; r < 6; r++)
        counted += node_counter(b, 1, NODE_FULL + 7 + r);
    tap_at_least(full, 2000, "a reception FIFO is full");
    tap_at_least(counted - before, full, "and its counter says so");
    tap_at_most(counted - before, full + 600, "and no more");
}

static void watermarks(uint64_t seed)
{
    static struct bgl_bench b;
    bench_start(&b, 2, 1, 1, 2, seed);
    for (unsigned group = 0; group < 2; group++) {
        reception(&b, group, false);
        reception(&b, group, true);
    }
    full_clocks(&b);
    bench_write(&b, 0, BGL_REG_WATERMARK1, 9 << BGL_REG_WATERMARK1_TX1_AT);
    tap_equal(status(&b, 0) >> 4 & 0xff, 1 << 5, "an empty injection FIFO is under its watermark");
    for (unsigned p = 0; p < 2; p++)
        bench_write(&b, 0, BGL_REG_PORT + BGL_REG_PORT_STEP * p, 1 << BGL_REG_PORT_STOP_AT);
    send_full(&b, 5, 2, 0);
    send_full(&b, 5, 2, 0);
    bench_run(&b, 600);
    tap_equal(status(&b, 0) >> 4 & 0xff, 0, "one with 16 chunks is not");
    for (unsigned p = 0; p < 2; p++)
        bench_write(&b, 0, BGL_REG_PORT + BGL_REG_PORT_STEP * p, 1 << BGL_REG_PORT_DROP_AT);
    tap_ok(bench_drain(&b, DRAIN), "ports that were stopped go on");
    bench_write(&b, 0, BGL_REG_IRQ_STATUS, 0x3f << BGL_REG_IRQ_STATUS_LINK_AT);
    tap_equal(status(&b, 0) >> BGL_REG_IRQ_STATUS_LINK_AT & 0x3f, 0, "link bits are taken off");
    bench_write(&b, 0, BGL_REG_IRQ_MASK0, 1 << (BGL_REG_IRQ_STATUS_LINK_AT + 1));
    bench_write(&b, 0, BGL_REG_PORT + BGL_REG_PORT_STEP, 1 | 1 << BGL_REG_PORT_DROP_AT);
    bench_run(&b, 20);
    tap_equal(status(&b, 0) >> BGL_REG_IRQ_STATUS_LINK_AT & 0x3f, 2, "a restart is a change");
    tap_equal(b.node[0].out.irq, 1, "and an interrupt");
    bench_free(&b);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);

    checksums(seed);
    refused_headers(seed + 1);
    watermarks(seed + 2);
    return tap_done();
}
