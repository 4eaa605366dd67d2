// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_cores.c - cores write packets in bursts of their own, and read reception FIFOs of one group each: core c injects by FIFOs
 * 4 c to 4 c + 3 and reads group c.
 */
#include "tb/bgl/bgl_cores.h"

#include <string.h>

enum { OKAY = 0, INJECTION = 0x0000, RECEPTION = 0x1000, STATUS = 0x2000 };

/* ---- writing --------------------------------------------------------------------------------- */

static bgl_quad quad_of(const uint8_t *bytes)
{
    bgl_quad quad = 0;
    for (unsigned i = 0; i < 16; i++)
        quad |= (bgl_quad)bytes[i] << (8 * i);
    return quad;
}

/* The FIFO has space for the packet, as its status says: a core does not write what would be lost. */
static bool has_space(const struct bgl_node *node, unsigned fifo, unsigned chunks)
{
    return (unsigned)node->inject.out.held[fifo] + chunks <= 32;
}

static void write_packets(struct bgl_bench *b, unsigned n, unsigned c)
{
    struct bench_core *core = &b->core[n][c];
    struct bgl_axi_to_sub *axi = &b->in[n].s_axi[c];
    const struct bgl_axi_from_sub *from = &b->node[n].out.s_axi[c];
    if (core->count == 0)
        return;
    struct bench_packet *p = &b->packet[core->queue[core->first]];

    axi->bready = 1;
    if (core->address && core->fired) {
        axi->awvalid = 0;
        core->address = false;
        core->beats = true;
        core->beat = 0;
    } else if (core->beats && core->fired) {
        core->beat++;
        core->beats = core->beat < 2 * p->chunks;
        core->answer = !core->beats;
    } else if (core->answer && from->bvalid) {
        core->errors += from->bresp != OKAY;
        p->taken = b->now;
        core->answer = false;
        core->settle = 3;
        core->first = (core->first + 1) % CORE_QUEUE;
        core->count--;
    }
    core->settle -= core->settle > 0;
    if (core->count > 0 && core->settle == 0 && !core->address && !core->beats && !core->answer) {
        p = &b->packet[core->queue[core->first]];
        if (has_space(&b->node[n], p->fifo, p->chunks)) {
            core->address = true;
            axi->awvalid = 1;
            axi->awaddr = (uint(BGL_AXI_BITS))(INJECTION + 0x100 * p->fifo);
            axi->awsize = BGL_AXI_SIZE;
            axi->awlen = (u8)(2 * p->chunks - 1);
            axi->awburst = 1;
        }
    }
    axi->wvalid = core->beats;
    if (core->beats) {
        axi->wdata = quad_of(p->bytes + 16 * core->beat);
        axi->wstrb = 0xffff;
        axi->wlast = core->beat == 2 * p->chunks - 1;
    }
    core->fired = (axi->awvalid && from->awready) || (axi->wvalid && from->wready);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* A whole packet was read: it is the one that its number names, unchanged from byte 8 on. */
static void arrive(struct bgl_bench *b, unsigned n, unsigned fifo, const uint8_t *got)
{
    unsigned number;
    memcpy(&number, got + 8, sizeof number);
    if (number >= b->packets) {
        b->unexplained++;
        return;
    }
    struct bench_packet *p = &b->packet[number];
    const unsigned chunks = gold_get(got, GOLD_N) + 1;
    const bool right =
        chunks == p->chunks && memcmp(got + 8, p->bytes + 8, 32 * p->chunks - 8) == 0 &&
        got[0] == p->bytes[0] && gold_get(got, GOLD_X) == gold_get(p->bytes, GOLD_X) &&
        gold_get(got, GOLD_Y) == gold_get(p->bytes, GOLD_Y) &&
        gold_get(got, GOLD_Z) == gold_get(p->bytes, GOLD_Z) &&
        gold_get(got, GOLD_G) == gold_get(p->bytes, GOLD_G) && fifo / 8 == gold_get(got, GOLD_G);
    const bool placed = p->wanted > 1 || (n == p->to && gold_get(got, GOLD_HINTS) == 0);
    b->wrong += !right || !placed || gold_crc8_header(got) != got[7];
    unsigned *last = &b->order[p->from][p->fifo][n][gold_get(got, GOLD_G)];
    if (!gold_get(got, GOLD_DYN) &&
        !gold_get(p->bytes, GOLD_DP)) { /* other hints are another path */
        b->disordered += number + 1 <= *last;
        *last = number + 1;
    }
    p->arrived++;
    p->came = b->now;
    b->twice += p->arrived > p->wanted;
    b->arrived++;
    if (b->on_arrival)
        b->on_arrival(b, n, fifo, p);
}

/* Chunks of each reception FIFO of the core's group, as the status window says. */
static void choose_fifo(struct bench_core *core, unsigned group, bgl_quad status)
{
    for (unsigned i = 0; i < 7; i++) {
        const unsigned k = (core->read_fifo % 8 + 1 + i) % 7;
        if ((unsigned)(status >> (8 * k)) & 0xff) {
            core->read_fifo = group * 8 + k;
            core->quads = 0;
            core->wanted = 2;
            core->status = false;
            return;
        }
    }
}

static void take_quad(struct bgl_bench *b, unsigned n, unsigned c, bgl_quad quad)
{
    struct bench_core *core = &b->core[n][c];
    if (core->status) {
        choose_fifo(core, c, quad);
        return;
    }
    for (unsigned i = 0; i < 16; i++)
        core->got[16 * core->quads + i] = (uint8_t)(quad >> (8 * i));
    core->quads++;
    if (core->quads == 1)
        core->wanted = 2 * (gold_get(core->got, GOLD_N) + 1);
    if (core->quads == core->wanted) {
        arrive(b, n, core->read_fifo, core->got);
        core->status = true;
    }
}

/* Bursts: the status, the first two quads, and the rest, as long as the first one says. */
static void read_packets(struct bgl_bench *b, unsigned n, unsigned c)
{
    struct bench_core *core = &b->core[n][c];
    struct bgl_axi_to_sub *axi = &b->in[n].s_axi[c];
    const struct bgl_axi_from_sub *from = &b->node[n].out.s_axi[c];

    if (core->asks && core->asked) {
        axi->arvalid = 0;
        core->asks = false;
        core->reads = true;
    } else if (core->reads && from->rvalid) {
        core->errors += from->rresp != OKAY;
        core->reads = !from->rlast;
        take_quad(b, n, c, from->rdata);
    }
    axi->rready = 1;
    if (!core->asks && !core->reads && !core->deaf) {
        const unsigned beats = core->status || b->now == 0 ? 1
                               : core->quads == 0          ? 2
                                                           : core->wanted - core->quads;
        core->asks = true;
        axi->arvalid = 1;
        axi->arsize = BGL_AXI_SIZE;
        axi->arlen = (u8)(beats - 1);
        axi->arburst = 1;
        axi->araddr = (uint(BGL_AXI_BITS))(core->status ? STATUS + 0x10 * c
                                                        : RECEPTION + 0x100 * core->read_fifo);
    }
    core->asked = axi->arvalid && from->arready;
}

void cores_drive(struct bgl_bench *b, unsigned node)
{
    for (unsigned c = 0; c < CORES; c++) {
        if (b->now == 0)
            b->core[node][c].status = true;
        write_packets(b, node, c);
        read_packets(b, node, c);
    }
}

void cores_idle(struct bgl_bench *b)
{
    (void)b;
}

void cores_reset(struct bgl_bench *b)
{
    for (unsigned n = 0; n < b->nodes; n++) {
        for (unsigned c = 0; c < CORES; c++) {
            b->core[n][c] = (struct bench_core){.status = true};
            b->in[n].s_axi[c] = (struct bgl_axi_to_sub){.rready = 1};
        }
    }
}
