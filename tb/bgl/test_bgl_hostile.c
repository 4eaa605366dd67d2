// SPDX-License-Identifier: Apache-2.0
/*
 * test_bgl_hostile.c - cores that write any bytes with any bursts, sizes and strobes into every window and read whatever they like, on every node of a ring. What they
 * inject is refused, waits in its FIFO or is delivered somewhere; no link is trained again for it, no assertion fails, every access is answered. When the FIFOs have been
 * reset by their registers, packets of other cores are all delivered.
 *
 * Built for bgl: fast.
 */
#include "tb/bgl/bgl_cores.h"
#include "tb/bgl/bgl_traffic.h"

#include <string.h>

/* REFUSED: for a full FIFO of the shortest packets, 48 clocks each. */
enum { RING = 4, CLOCKS = 30000, REFUSED = 2000, SETTLE = 60000, DRAIN = 400000, ANSWER = 4000 };

static const struct bgl_traffic load = {.rate = 0.01, .dynamic = 0.5, .high = 0.2, .small = 0.4};

/* A core that does not care. */
struct hostile {
    unsigned left;              /* beats to write */
    bool aw, w, ar;             /* driven */
    unsigned waits, reads_wait; /* clocks since the last answer that is owed */
    uint64_t writes, errors, reads;
};

static struct hostile hostile[RING][CORES];
static unsigned slowest;
static uint64_t seen[3];

/* Headers are often nearly right, so that packets get far. */
static bgl_quad any_quad(struct bgl_bench *b)
{
    uint8_t bytes[16];
    bgl_quad quad = 0;
    for (unsigned i = 0; i < 16; i++)
        bytes[i] = (uint8_t)rng_next(&b->rng);
    if (rng_below(&b->rng, 4) != 0) {
        gold_set(bytes, GOLD_HINTS, rng_below(&b->rng, 2) ? 0 : 1u << (4 + rng_below(&b->rng, 2)));
        gold_set(bytes, GOLD_DP, rng_below(&b->rng, 8) == 0);
        gold_set(bytes, GOLD_N, rng_below(&b->rng, 8));
        gold_set(bytes, GOLD_X, rng_below(&b->rng, RING + 1));
        gold_set(bytes, GOLD_Y, 0);
        gold_set(bytes, GOLD_Z, 0);
    }
    for (unsigned i = 0; i < 16; i++)
        quad |= (bgl_quad)bytes[i] << (8 * i);
    return quad;
}

static void write_anything(struct bgl_bench *b, unsigned n, unsigned c)
{
    struct hostile *h = &hostile[n][c];
    struct bgl_axi_to_sub *axi = &b->in[n].s_axi[c];
    const struct bgl_axi_from_sub *from = &b->node[n].out.s_axi[c];
    if (h->aw)
        axi->awvalid = 0;
    if (h->w) {
        axi->wvalid = 0;
        h->left--;
    }
    axi->bready = rng_below(&b->rng, 4) != 0;
    if (from->bvalid && axi->bready) {
        h->writes++;
        h->errors += from->bresp != 0;
        h->waits = 0;
    } else if (h->left == 0 && !axi->awvalid && h->waits == 0) {
        axi->awvalid = 1;
        axi->awaddr = (uint(BGL_AXI_BITS))(rng_below(&b->rng, 4) ? rng_below(&b->rng, 0x800)
                                                                 : rng_below(&b->rng, 0x10000));
        axi->awsize = rng_below(&b->rng, 16) ? BGL_AXI_SIZE : (u3)rng_below(&b->rng, 8);
        axi->awlen = (u8)rng_below(&b->rng, 16);
        axi->awburst = (u2)rng_below(&b->rng, 3);
        axi->awid = (u4)rng_next(&b->rng);
        h->left = (unsigned)axi->awlen + 1;
        h->waits = 1;
    }
    if (h->left > 0 && !axi->wvalid && rng_below(&b->rng, 2)) {
        axi->wvalid = 1;
        axi->wdata = any_quad(b);
        axi->wstrb = rng_below(&b->rng, 64) ? 0xffff : (u16)rng_next(&b->rng);
        axi->wlast = h->left == 1;
    }
    h->waits += h->waits != 0;
    slowest = h->waits > slowest ? h->waits : slowest;
    h->aw = axi->awvalid && from->awready;
    h->w = axi->wvalid && from->wready;
}

static void read_anything(struct bgl_bench *b, unsigned n, unsigned c)
{
    struct hostile *h = &hostile[n][c];
    struct bgl_axi_to_sub *axi = &b->in[n].s_axi[c];
    const struct bgl_axi_from_sub *from = &b->node[n].out.s_axi[c];
    if (h->ar)
        axi->arvalid = 0;
    axi->rready = rng_below(&b->rng, 4) != 0;
    if (from->rvalid && axi->rready) {
        h->reads++;
        h->reads_wait = from->rlast ? 0 : 1;
    } else if (h->reads_wait == 0) {
        axi->arvalid = 1;
        axi->araddr =
            (uint(BGL_AXI_BITS))(rng_below(&b->rng, 4) ? 0x1000 + rng_below(&b->rng, 0x1100)
                                                       : rng_below(&b->rng, 0x10000));
        axi->arsize = rng_below(&b->rng, 16) ? BGL_AXI_SIZE : (u3)rng_below(&b->rng, 8);
        axi->arlen = (u8)rng_below(&b->rng, 16);
        h->reads_wait = 1;
    }
    h->reads_wait += h->reads_wait != 0;
    slowest = h->reads_wait > slowest ? h->reads_wait : slowest;
    h->ar = axi->arvalid && from->arready;
}

/* What a node should count: refused headers, quads lost, reads of nothing. */
static void see(const struct bgl_bench *b)
{
    for (unsigned n = 0; n < b->nodes; n++) {
        seen[0] += b->node[n].inject.out.refused != REFUSED_NOT;
        for (unsigned c = 0; c < CORES; c++) {
            seen[1] += (unsigned)b->node[n].axi[c].out.write_full;
            seen[2] += (unsigned)b->node[n].axi[c].out.read_empty;
        }
    }
}

static void rest(struct bgl_bench *b)
{
    see(b);
}

static void check_counters(struct bgl_bench *b)
{
    uint64_t counted[3] = {0};
    bench_run(b, REFUSED); /* the last ones, before the first counter is read */
    for (unsigned n = 0; n < RING; n++) {
        for (unsigned class = 0; class < NODE_WRITE_FULL; class ++)
            counted[0] += bench_read(b, n, BGL_REG_NODE_COUNTERS + NODE_REFUSED + class);
        counted[1] += bench_read(b, n, BGL_REG_NODE_COUNTERS + NODE_WRITE_FULL);
        counted[2] += bench_read(b, n, BGL_REG_NODE_COUNTERS + NODE_READ_EMPTY);
        tap_ok(bench_read(b, n, BGL_REG_FIRST_ERROR) != 0, "node %u: a first error", n);
    }
    tap_equal(counted[0], seen[0], "counters: refused headers");
    tap_equal(counted[1], seen[1], "counters: quads that were lost");
    tap_equal(counted[2], seen[2], "counters: reads of nothing");
    tap_at_least(seen[0], 50, "headers are refused");
}

static void anything(struct bgl_bench *b)
{
    see(b);
    for (unsigned n = 0; n < b->nodes; n++) {
        for (unsigned c = 0; c < CORES; c++) {
            write_anything(b, n, c);
            read_anything(b, n, c);
        }
    }
}

/* Ends what is under way on all ports, so that well-behaved cores can go on. */
static bool finish(struct bgl_bench *b, unsigned clocks)
{
    for (; clocks > 0; clocks--) {
        unsigned busy = 0;
        for (unsigned n = 0; n < b->nodes; n++) {
            for (unsigned c = 0; c < CORES; c++) {
                struct hostile *h = &hostile[n][c];
                struct bgl_axi_to_sub *axi = &b->in[n].s_axi[c];
                busy += h->waits != 0 || h->left != 0 || h->reads_wait != 0;
                if (h->waits != 0 || h->left != 0)
                    write_anything(b, n, c);
                if (h->reads_wait != 0)
                    read_anything(b, n, c);
                if (h->waits == 0 && h->left == 0)
                    axi->awvalid = axi->wvalid = 0;
                if (h->reads_wait == 0)
                    axi->arvalid = 0;
            }
        }
        if (busy == 0)
            return true;
        bench_step(b);
    }
    return false;
}

int main(int argc, char **argv)
{
    static struct bgl_bench b;
    uint64_t writes = 0, errors = 0, reads = 0, trained = 0, all[BENCH_MOST];
    bench_start(&b, RING, 1, 1, 4, test_seed(argc, argv));
    for (unsigned n = 0; n < RING; n++)
        b.core[n][0].deaf = b.core[n][1].deaf = true;
    bench_run(&b, 40); /* the bench's own accesses end */
    b.manual = anything;
    while (b.now < CLOCKS) {
        if (b.now % 64 == 0) /* a FIFO that has stopped takes nothing until it is reset */
            bench_write(&b, rng_below(&b.rng, RING), BGL_REG_INJECTION, rng_next(&b.rng) & 0xff00);
        bench_step(&b);
        for (unsigned n = 0; n < RING; n++) {
            for (unsigned p = 0; p < 2; p++)
                trained += b.node[n].port[p].link.link.out.reinit;
        }
    }
    b.manual = rest;
    tap_ok(finish(&b, ANSWER), "every access is answered");
    for (unsigned n = 0; n < RING; n++) {
        for (unsigned c = 0; c < CORES; c++) {
            writes += hostile[n][c].writes;
            errors += hostile[n][c].errors;
            reads += hostile[n][c].reads;
        }
    }
    tap_note("%u bursts written, %u with SLVERR, %u beats read", (unsigned)writes, (unsigned)errors,
             (unsigned)reads);
    check_counters(&b);
    b.manual = cores_idle;
    tap_equal(trained, 0, "no link is trained again");
    tap_at_most(slowest, ANSWER, "no access waits for long");
    for (
        unsigned i = 0; i < 2;
        i++) { /* what was on its way into reception while they were reset goes with the second one */
        for (unsigned n = 0; n < RING; n++)
            all[n] = 0xffff;
        bench_write_all(&b, BGL_REG_RECEPTION, all);
        for (unsigned n = 0; n < RING; n++)
            all[n] = 0xff00;
        bench_write_all(&b, BGL_REG_INJECTION, all);
        for (unsigned k = 0; k < SETTLE / 2000; k++) {
            bench_run(&b, 1000);
            for (unsigned n = 0; n < RING; n++)
                all[n] = 0xffff;
            bench_write_all(&b, BGL_REG_RECEPTION, all);
        }
    }
    cores_reset(&b);
    b.manual = NULL;
    traffic_run(&b, &load, 3000);
    traffic_check(&b, DRAIN, "behind them");
    bench_free(&b);
    return tap_done();
}
