// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_bench.c - nodes, cables and registers of the bench; cores are in bgl_cores.c.
 */
#include "tb/bgl/bgl_bench.h"

#include "tb/bgl/bgl_cores.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALID = 0x100, UP_LIMIT = 40000, REG_LIMIT = 200 };

unsigned bench_node(const struct bgl_bench *b, unsigned x, unsigned y, unsigned z)
{
    return (z * b->size[1] + y) * b->size[0] + x;
}

unsigned bench_coordinate(const struct bgl_bench *b, unsigned node, unsigned dimension)
{
    for (unsigned d = 0; d < dimension; d++)
        node /= b->size[d];
    return node % b->size[dimension];
}

/* The node behind a port: ports 0, 2, 4 lead to the next higher coordinate. */
static unsigned neighbour(const struct bgl_bench *b, unsigned node, unsigned port)
{
    unsigned at[3];
    for (unsigned d = 0; d < 3; d++)
        at[d] = bench_coordinate(b, node, d);
    const unsigned k = b->size[port / 2];
    at[port / 2] = (at[port / 2] + (port & 1 ? k - 1 : 1)) % k;
    return bench_node(b, at[0], at[1], at[2]);
}

static void connect(struct bgl_bench *b, unsigned delay)
{
    for (unsigned n = 0; n < b->nodes; n++) {
        for (unsigned p = 0; p < PORTS; p++) {
            struct bench_cable *c = &b->cable[n][p];
            const bool there = b->size[p / 2] > 1;
            *c = (struct bench_cable){
                .to = there ? neighbour(b, n, p) : BENCH_MOST, .port = p ^ 1, .delay = delay};
            c->skip = UINT64_MAX;
        }
    }
}

/* ---- cables ---------------------------------------------------------------------------------- */

/* Errors of one byte: each of its bits is wrong with the cable's rate. */
static uint8_t corrupt(struct bgl_bench *b, struct bench_cable *c, uint8_t byte)
{
    if (c->ber <= 0)
        return byte;
    if (c->skip == UINT64_MAX)
        c->skip = rng_skip(&b->rng, c->ber);
    while (c->skip < 8) {
        byte ^= (uint8_t)(1u << c->skip);
        c->flipped++;
        c->skip += 1 + rng_skip(&b->rng, c->ber);
    }
    c->skip -= 8;
    return byte;
}

/* What left a node in the clock before goes into its cables, and what was long enough in them comes to the others. */
static void move_bytes(struct bgl_bench *b)
{
    for (unsigned n = 0; n < b->nodes; n++)
        b->in[n].rx_valid = b->in[n].rx_up = 0;
    for (unsigned n = 0; n < b->nodes; n++) {
        for (unsigned p = 0; p < PORTS; p++) {
            struct bench_cable *c = &b->cable[n][p];
            if (c->to == BENCH_MOST)
                continue;
            const uint8_t byte = (uint8_t)b->node[n].out.tx[p];
            if (b->listen)
                gold_wire_byte(&b->wire[n][p], byte);
            c->ring[b->now % BENCH_DELAY] = corrupt(b, c, byte) | VALID;
            const uint16_t out = c->ring[(b->now + BENCH_DELAY + 1 - c->delay) % BENCH_DELAY];
            struct bgl_node_in *in = &b->in[c->to];
            if (c->cut || !(out & VALID))
                continue;
            in->rx_up |= (u6)(1u << c->port);
            in->rx_valid |= (u6)(1u << c->port);
            in->rx[c->port] = (u8)(out & 0xff);
        }
    }
}

void bench_step(struct bgl_bench *b)
{
    move_bytes(b);
    if (b->manual)
        b->manual(b);
    for (unsigned n = 0; n < b->nodes && !b->manual; n++)
        cores_drive(b, n);
    if (b->first.rtl)
        dut_step(&b->first, &b->in[0]);
    for (unsigned n = b->first.rtl ? 1 : 0; n < b->nodes; n++)
        bgl_node(&b->node[n], &b->in[n]);
    b->now++;
}

void bench_run(struct bgl_bench *b, uint64_t clocks)
{
    while (clocks-- > 0)
        bench_step(b);
}

/* ---- registers ------------------------------------------------------------------------------- */

static void no_answer(const char *what, unsigned word)
{
    fprintf(stderr, "bgl_bench: no answer to a %s of register %u\n", what, word);
    exit(1);
}

void bench_write_all(struct bgl_bench *b, unsigned word, const uint64_t *data)
{
    bool aw[BENCH_MOST] = {0}, w[BENCH_MOST] = {0}, done[BENCH_MOST] = {0};
    unsigned left = b->nodes;
    for (unsigned n = 0; n < b->nodes; n++) {
        struct axil_to_sub *axi = &b->in[n].s_axil;
        axi->awaddr = (uint(AXI_LITE_BITS))(8 * word);
        axi->wdata = data[n];
        axi->wstrb = 0xff;
        axi->awvalid = axi->wvalid = axi->bready = 1;
    }
    for (unsigned clock = 0; left > 0; clock++) {
        if (clock == REG_LIMIT)
            no_answer("write", word);
        for (unsigned n = 0; n < b->nodes; n++) {
            const struct axil_from_sub *axi = &b->node[n].out.s_axil;
            aw[n] |= b->in[n].s_axil.awvalid && axi->awready;
            w[n] |= b->in[n].s_axil.wvalid && axi->wready;
            if (axi->bvalid && !done[n]) {
                done[n] = true;
                left--;
            }
        }
        bench_step(b);
        for (unsigned n = 0; n < b->nodes; n++) {
            b->in[n].s_axil.awvalid = !aw[n];
            b->in[n].s_axil.wvalid = !w[n];
        }
    }
    for (unsigned n = 0; n < b->nodes; n++)
        b->in[n].s_axil.bready = 0;
}

void bench_write(struct bgl_bench *b, unsigned node, unsigned word, uint64_t data)
{
    struct axil_to_sub *axi = &b->in[node].s_axil;
    bool aw = false, w = false, done = false;
    axi->awaddr = (uint(AXI_LITE_BITS))(8 * word);
    axi->wdata = data;
    axi->wstrb = 0xff;
    axi->bready = 1;
    for (unsigned clock = 0; !done; clock++) {
        if (clock == REG_LIMIT)
            no_answer("write", word);
        axi->awvalid = !aw;
        axi->wvalid = !w;
        aw |= b->node[node].out.s_axil.awready;
        w |= b->node[node].out.s_axil.wready;
        done = b->node[node].out.s_axil.bvalid;
        bench_step(b);
    }
    axi->awvalid = axi->wvalid = axi->bready = 0;
}

uint64_t bench_read(struct bgl_bench *b, unsigned node, unsigned word)
{
    struct axil_to_sub *axi = &b->in[node].s_axil;
    bool ar = false, done = false;
    uint64_t data = 0;
    axi->araddr = (uint(AXI_LITE_BITS))(8 * word);
    axi->rready = 1;
    for (unsigned clock = 0; !done; clock++) {
        if (clock == REG_LIMIT)
            no_answer("read", word);
        axi->arvalid = !ar;
        ar |= b->node[node].out.s_axil.arready;
        done = b->node[node].out.s_axil.rvalid;
        data = (uint64_t)b->node[node].out.s_axil.rdata;
        bench_step(b);
    }
    axi->arvalid = axi->rready = 0;
    return data;
}

/* ---- start ----------------------------------------------------------------------------------- */

static uint64_t place(unsigned x, unsigned y, unsigned z)
{
    return x | (uint64_t)y << 8 | (uint64_t)z << 16;
}

/* Hints by hardware: the shorter way; both ways to k / 2 are as short, even nodes take plus for it and odd ones minus. */
static void hint_registers(unsigned k, unsigned m, unsigned *plus, unsigned *minus)
{
    const unsigned half = k / 2, odd = k % 2 == 0 && m % 2;
    *plus = m + half - odd;
    *minus = m >= half ? m - half + 1 - odd : 0;
    if (k % 2 == 1)
        *minus = m > half ? m - half : 0;
    if (*plus > 255)
        *plus = 255;
}

void bench_write_places(struct bgl_bench *b)
{
    static const unsigned words[6] = {BGL_REG_NODES, BGL_REG_NODE,      BGL_REG_PLUS,
                                      BGL_REG_MINUS, BGL_REG_HINT_PLUS, BGL_REG_HINT_MINUS};
    uint64_t data[6][BENCH_MOST], who[BENCH_MOST];
    for (unsigned n = 0; n < b->nodes; n++) {
        unsigned at[3], up[3], down[3], plus[3], minus[3];
        for (unsigned d = 0; d < 3; d++) {
            at[d] = bench_coordinate(b, n, d);
            up[d] = bench_coordinate(b, neighbour(b, n, 2 * d), d);
            down[d] = bench_coordinate(b, neighbour(b, n, 2 * d + 1), d);
            hint_registers(b->size[d], at[d], &plus[d], &minus[d]);
        }
        data[0][n] = place(b->size[0] - 1, b->size[1] - 1, b->size[2] - 1);
        data[1][n] = place(at[0], at[1], at[2]);
        data[2][n] = place(up[0], up[1], up[2]);
        data[3][n] = place(down[0], down[1], down[2]);
        data[4][n] = place(plus[0], plus[1], plus[2]);
        data[5][n] = place(minus[0], minus[1], minus[2]);
        who[n] = 1 + n;
    }
    bench_write_all(b, BGL_REG_IDENTITY, who);
    for (unsigned i = 0; i < 6; i++)
        bench_write_all(b, words[i], data[i]);
    for (unsigned n = 0; n < b->nodes; n++)
        who[n] = 157 | 53 << 8 | (rng_next(&b->rng) & 0xffff) << 32;
    bench_write_all(b, BGL_REG_ARBITER, who);
}

bool bench_up(const struct bgl_bench *b)
{
    for (unsigned n = 0; n < b->nodes; n++)
        for (unsigned p = 0; p < PORTS; p++)
            if (b->cable[n][p].to != BENCH_MOST &&
                b->node[n].port[p].link.link.out.state != LINK_RUN)
                return false;
    return true;
}

static void reset_node(void *self)
{
    bgl_node_reset(self);
}

static void step_node(void *self, const void *in)
{
    bgl_node(self, in);
}

static const struct dut_model node_model = {sizeof(struct bgl_node), reset_node, step_node};

void bench_start_lockstep(struct bgl_bench *b, unsigned x, unsigned y, unsigned z, unsigned delay,
                          uint64_t seed, const struct cosim_module *rtl)
{
    memset(b, 0, sizeof *b);
    rng_seed(&b->rng, seed);
    b->size[0] = x;
    b->size[1] = y;
    b->size[2] = z;
    b->nodes = x * y * z;
    b->node = calloc(b->nodes, sizeof *b->node);
    b->in = calloc(b->nodes, sizeof *b->in);
    if (!b->node || !b->in || b->nodes > BENCH_MOST) {
        fprintf(stderr, "bgl_bench: no memory for %u nodes\n", b->nodes);
        exit(1);
    }
    harness_clock = &b->now;
    for (unsigned n = 0; n < b->nodes; n++)
        bgl_node_reset(&b->node[n]);
    if (rtl)
        dut_start(&b->first, "bgl_node", &node_model, rtl, &b->node[0]);
    connect(b, delay);
    bench_write_places(b);
    for (unsigned clock = 0; !bench_up(b); clock++) {
        if (clock == UP_LIMIT) {
            fprintf(stderr, "bgl_bench: links are not up after %u clocks\n", clock);
            exit(1);
        }
        bench_step(b);
    }
}

void bench_start(struct bgl_bench *b, unsigned x, unsigned y, unsigned z, unsigned delay,
                 uint64_t seed)
{
    bench_start_lockstep(b, x, y, z, delay, seed, NULL);
}

void bench_free(struct bgl_bench *b)
{
    dut_free(&b->first);
    free(b->node);
    free(b->in);
    free(b->packet);
}

/* ---- packets --------------------------------------------------------------------------------- */

/* Nodes of a broadcast's line from its source to its destination. */
static unsigned line_nodes(const struct bgl_bench *b, const struct bench_order *o)
{
    for (unsigned p = 0; p < PORTS; p++) {
        unsigned at = o->from, count = 0;
        if (!(o->hints >> (5 - p) & 1))
            continue;
        do {
            at = neighbour(b, at, p);
            count++;
        } while (at != o->to);
        return count;
    }
    return 1;
}

int bench_send(struct bgl_bench *b, const struct bench_order *o)
{
    if (b->packets == b->capacity) {
        b->capacity = b->capacity ? 2 * b->capacity : 256;
        struct bench_packet *more = realloc(b->packet, b->capacity * sizeof *more);
        if (!more) {
            fprintf(stderr, "bgl_bench: no memory for %u packets\n", b->capacity);
            exit(1);
        }
        b->packet = more;
    }
    struct bench_core *core = &b->core[o->from][o->fifo / 4];
    if (core->count == CORE_QUEUE)
        return -1;
    struct bench_packet *p = &b->packet[b->packets];
    *p = (struct bench_packet){
        .chunks = o->chunks, .from = o->from, .to = o->to, .fifo = o->fifo, .wanted = 1};
    for (unsigned i = 0; i < 32 * o->chunks; i++)
        p->bytes[i] = (uint8_t)rng_next(&b->rng);
    gold_set(p->bytes, GOLD_HINTS, o->hints);
    gold_set(p->bytes, GOLD_DP, o->deposit);
    gold_set(p->bytes, GOLD_G, o->group);
    gold_set(p->bytes, GOLD_N, o->chunks - 1);
    gold_set(p->bytes, GOLD_DYN, o->dynamic);
    gold_set(p->bytes, GOLD_VC, o->vc);
    gold_set(p->bytes, GOLD_X, bench_coordinate(b, o->to, 0));
    gold_set(p->bytes, GOLD_Y, bench_coordinate(b, o->to, 1));
    gold_set(p->bytes, GOLD_Z, bench_coordinate(b, o->to, 2));
    memcpy(p->bytes + 8, &b->packets, sizeof b->packets); /* how it is found again */
    if (o->deposit)
        p->wanted = line_nodes(b, o);
    core->queue[(core->first + core->count++) % CORE_QUEUE] = b->packets;
    return (int)b->packets++;
}

void bench_forgive(struct bgl_bench *b)
{
    for (unsigned i = 0; i < b->packets; i++)
        b->packet[i].wanted = b->packet[i].arrived;
}

bool bench_drain(struct bgl_bench *b, uint64_t clocks)
{
    for (; clocks > 0; clocks--) {
        uint64_t wanted = 0;
        for (unsigned i = 0; i < b->packets; i++)
            wanted += b->packet[i].wanted;
        if (b->arrived >= wanted)
            return true;
        for (unsigned i = 0; i < 64; i++)
            bench_step(b);
        clocks = clocks > 64 ? clocks - 63 : 1;
    }
    return false;
}

bool bench_at_rest(const struct bgl_bench *b, struct misses *m)
{
    for (unsigned n = 0; n < b->nodes; n++) {
        for (unsigned p = 0; p < PORTS; p++) {
            const struct bench_cable *c = &b->cable[n][p];
            const struct bgl_port *here = &b->node[n].port[p];
            if (c->to == BENCH_MOST)
                continue;
            const struct bgl_port *there = &b->node[c->to].port[c->port];
            must(m, here->fifo.out.drained, "node %u port %u: VC FIFOs are not empty", n, p);
            must_equal(m, here->link.resend.out.base, here->link.resend.out.number,
                       "node %u port %u: base of the resend FIFO", n, p);
            must(m, here->link.tokens.out.home, "node %u port %u: tokens are not at home", n, p);
            must_equal(m, there->link.deframer.out.crc, here->link.resend.out.crc,
                       "node %u port %u: CRC-32 of the receiver", n, p);
        }
    }
    return m->count == 0;
}
