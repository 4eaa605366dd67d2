// SPDX-License-Identifier: Apache-2.0
/* ss_nodes.c - a ring of chips, their hosts' memories and accesses. */
#include "tb/system/seastar/ss_nodes.h"

#include <stdlib.h>
#include <string.h>

#include "hls/seastar/host/seastar_map.h"

enum { LINKS = 2, UP_LIMIT = 30000, BUS_LIMIT = 20000, LANE_BITS = 16 };

static void model_reset(void *self)
{
    ss_chip_reset(self);
}

static void model_step(void *self, const void *in)
{
    ss_chip(self, in);
}

static const struct dut_model chip_model = {
    .size = sizeof(struct ss_chip), .reset = model_reset, .step = model_step};

/* ---- memory ---------------------------------------------------------------------------------- */

/* Data are there when the memory takes them; its answer comes later. */
static void store(struct ss_node_host *h, const struct node_access *a)
{
    if (a->addr >= NODES_BYTES - NODES_HEAP)
        h->last_event = h->all->clock;
    for (unsigned b = 0; b < 8; b++)
        if (a->strb >> b & 1 && a->addr + b < NODES_BYTES)
            h->memory[a->addr + b] = (uint8_t)(a->data >> 8 * b);
}

static bool stalls(struct ss_nodes *n)
{
    n->random = n->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return n->stall && (n->random >> 33) % n->stall == 0;
}

static void answer_memory(struct ss_node_host *h)
{
    const uint64_t now = h->all->clock;
    struct ss_axi_to_man *in = &h->in.m_axi;
    const bool stopped = stalls(h->all);
    *in = (struct ss_axi_to_man){.awready = !stopped, .wready = !stopped, .arready = !stopped};
    if (h->write_get != h->write_put && h->write[h->write_get % NODES_QUEUE].due <= now) {
        h->write_get++;
        in->bvalid = 1;
    }
    if (h->read_get != h->read_put && h->read[h->read_get % NODES_QUEUE].due <= now) {
        const struct node_access *a = &h->read[h->read_get++ % NODES_QUEUE];
        uint64_t word = 0;
        if (a->addr + 8 <= NODES_BYTES)
            memcpy(&word, h->memory + a->addr, 8);
        in->rvalid = 1;
        in->rlast = 1;
        in->rdata = word;
    }
}

/* Beats of data are no closer than the rate allows. */
static uint64_t due(struct ss_nodes *n, double *next)
{
    const double now = (double)n->clock;
    *next = *next > now ? *next : now;
    const uint64_t at = (uint64_t)*next + n->latency;
    *next += 1 / n->rate;
    return at;
}

static void take_requests(struct ss_node_host *h)
{
    const struct ss_axi_from_man *m = &h->chip.out.m_axi;
    if (m->awvalid && m->wvalid && h->in.m_axi.awready) {
        struct node_access *a = &h->write[h->write_put++ % NODES_QUEUE];
        *a = (struct node_access){.addr = m->awaddr, .data = m->wdata, .strb = m->wstrb};
        a->due = due(h->all, &h->may_write);
        store(h, a);
    }
    if (m->arvalid && h->in.m_axi.arready) {
        struct node_access *a = &h->read[h->read_put++ % NODES_QUEUE];
        *a = (struct node_access){.addr = m->araddr};
        a->due = due(h->all, &h->may_read);
    }
}

/* ---- accesses of the host ---------------------------------------------------------------------- */

/* Each advances by itself in every clock, for a handler of another node may run while one is waited for. */
static void drive(struct ss_node_host *h)
{
    const struct node_job *m = &h->mail, *r = &h->bus;
    h->in.s_axi = (struct ss_axi_to_sub){.awvalid = m->runs && !m->address,
                                         .awlen = (u8)(m->beats - 1),
                                         .awsize = 3,
                                         .awburst = 1,
                                         .wvalid = m->runs && m->beat < m->beats,
                                         .wdata = m->word[m->beat % 8],
                                         .wstrb = 0xFF,
                                         .wlast = m->beat + 1 == m->beats,
                                         .bready = 1};
    h->in.s_axi.awaddr = (uint(SS_PAGE_BITS))m->at;
    h->in.s_axil = (struct axil_to_sub){.awvalid = r->runs && r->write && !r->address,
                                        .wvalid = r->runs && r->write && !r->data,
                                        .wdata = r->word[0],
                                        .wstrb = 0xFF,
                                        .bready = 1,
                                        .arvalid = r->runs && !r->write && !r->address,
                                        .rready = 1};
    h->in.s_axil.awaddr = (uint(AXI_LITE_BITS))(8 * r->at);
    h->in.s_axil.araddr = (uint(AXI_LITE_BITS))(8 * r->at);
}

/* What the chip takes in this clock, seen before it. */
static void note_taken(struct ss_node_host *h)
{
    const struct ss_chip_out *o = &h->chip.out;
    struct node_job *m = &h->mail, *r = &h->bus;
    if (h->in.s_axi.wvalid && o->s_axi.wready && ++m->beat == m->beats)
        h->last_beat = h->all->clock;
    m->address = m->address || (h->in.s_axi.awvalid && o->s_axi.awready);
    r->data = r->data || (h->in.s_axil.wvalid && o->s_axil.wready);
    r->address = r->address || (h->in.s_axil.awvalid && o->s_axil.awready) ||
                 (h->in.s_axil.arvalid && o->s_axil.arready);
}

/* Answers, which are taken in the clock that shows them. */
static void note_answers(struct ss_node_host *h)
{
    const struct ss_chip_out *o = &h->chip.out;
    struct node_job *m = &h->mail, *r = &h->bus;
    if (m->runs && o->s_axi.bvalid) {
        m->runs = false;
        m->good = o->s_axi.bresp == 0;
    }
    if (r->runs && (r->write ? o->s_axil.bvalid : o->s_axil.rvalid)) {
        r->runs = false;
        r->word[0] = o->s_axil.rdata;
    }
}

static void await(struct ss_node_host *h, const struct node_job *job)
{
    h->busy = true;
    for (unsigned n = 0; n < BUS_LIMIT && job->runs; n++)
        nodes_step(h->all);
    nodes_step(h->all);
    h->busy = false;
}

static uint64_t read_register(void *node, unsigned reg)
{
    struct ss_node_host *h = node;
    h->bus = (struct node_job){.runs = true, .at = reg};
    await(h, &h->bus);
    return h->bus.word[0];
}

static void write_register(void *node, unsigned reg, uint64_t data)
{
    struct ss_node_host *h = node;
    h->bus = (struct node_job){.runs = true, .write = true, .at = reg, .word = {data}};
    await(h, &h->bus);
}

/* A burst to the mailboxes; false if it was refused. */
static bool write_mail(void *node, unsigned address, const uint64_t *word, unsigned beats)
{
    struct ss_node_host *h = node;
    h->mail = (struct node_job){.runs = true, .at = address, .beats = beats};
    memcpy(h->mail.word, word, beats * sizeof *word);
    await(h, &h->mail);
    return h->mail.good;
}

/* ---- a clock --------------------------------------------------------------------------------- */

static void serve(struct ss_node_host *h)
{
    const bool irq = h->chip.out.irq;
    if (irq && !h->irq_was) {
        h->interrupts++;
        h->irq_since = h->all->clock;
    }
    h->irq_was = irq;
    if (irq && !h->serving && !h->busy && h->all->clock >= h->irq_since + h->all->interrupt) {
        h->serving = true;
        ptl_interrupt(&h->port);
        h->serving = false;
    }
}

/* A word of a lane behind its cable. */
static u16 cable(struct ss_nodes *n, u16 word)
{
    if (n->ber <= 0)
        return word;
    while (n->until < LANE_BITS) {
        word ^= (u16)(1U << n->until);
        n->flipped++;
        n->until += 1 + rng_skip(&n->errors, n->ber);
    }
    n->until -= LANE_BITS;
    return word;
}

void nodes_step(struct ss_nodes *n)
{
    for (unsigned i = 0; i < n->count; i++) {
        struct ss_node_host *h = &n->node[i];
        const struct ss_chip_out *before = &n->node[(i + n->count - 1) % n->count].chip.out;
        const struct ss_chip_out *behind = &n->node[(i + 1) % n->count].chip.out;
        for (unsigned l = 0; l < LINKS; l++) {
            h->in.cable_in[l].lane_valid = h->in.cable_in[l].lane_up = (lcb_lanes)-1;
            for (unsigned k = 0; k < LANES; k++)
                h->in.cable_in[l].lane[k] =
                    cable(n, l == 0 ? behind->cable[1].lane[k] : before->cable[0].lane[k]);
        }
        h->in.now = (lcb_time)n->clock;
        h->in.chip = (u16)(i + 1);
        answer_memory(h);
        take_requests(h);
        drive(h);
        note_taken(h);
    }
    for (unsigned i = 0; i < n->count; i++)
        dut_step(&n->node[i].dut, &n->node[i].in);
    for (unsigned i = 0; i < n->count; i++) {
        note_answers(&n->node[i]);
        for (unsigned l = 0; l < LINKS; l++)
            n->repeated += n->node[i].chip.link[l].lcb.tx.out.replayed;
    }
    n->clock++;
    if (n->watch)
        n->watch();
    for (unsigned i = 0; i < n->count; i++)
        serve(&n->node[i]);
}

static void spend(void *node, unsigned clocks)
{
    struct ss_node_host *h = node;
    while (clocks-- > 0)
        nodes_step(h->all);
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* The shorter way round; a packet that crosses the dateline, between the last chip and the first, is on VC 1 from there on. */
static void write_tables(struct ss_nodes *n, unsigned i)
{
    for (unsigned to = 0; to < n->count; to++) {
        const unsigned ahead = (to + n->count - i) % n->count;
        const unsigned port = ahead == 0 ? 0 : ahead <= n->count / 2 ? 1 : 2;
        const bool crosses = (port == 1 && i == n->count - 1) || (port == 2 && i == 0);
        write_register(&n->node[i], SS_REG_ROUTE_LOCAL,
                       (uint64_t)7 | (uint64_t)to << 7 | (uint64_t)port << 19 |
                           (uint64_t)crosses << 22);
    }
}

static bool all_up(const struct ss_nodes *n)
{
    bool up = true;
    for (unsigned i = 0; i < n->count; i++)
        for (unsigned l = 0; l < LINKS; l++)
            up = up && n->node[i].chip.link[l].out.state == LINK_RUN &&
                 n->node[i].chip.nic.engine.out.ready;
    return up;
}

bool nodes_start(struct ss_nodes *n, unsigned count)
{
    const unsigned latency = n->latency ? n->latency : 100;
    const double rate = n->rate > 0 ? n->rate : 1;
    *n = (struct ss_nodes){.count = count,
                           .latency = latency,
                           .interrupt = n->interrupt,
                           .rate = rate,
                           .stall = n->stall,
                           .random = n->random,
                           .ber = n->ber,
                           .cosim = n->cosim};
    rng_seed(&n->errors, n->random);
    n->until = n->ber > 0 ? rng_skip(&n->errors, n->ber) : 0;
    n->node = calloc(count, sizeof *n->node);
    for (unsigned i = 0; n->node && i < count; i++) {
        struct ss_node_host *h = &n->node[i];
        h->all = n;
        h->at = i;
        h->memory = calloc(1, NODES_BYTES);
        h->port = (struct ptl_port){.node = h,
                                    .nid = i,
                                    .nodes = count,
                                    .memory = h->memory,
                                    .bytes = NODES_BYTES,
                                    .heap = NODES_BYTES - NODES_HEAP,
                                    .read = read_register,
                                    .write = write_register,
                                    .mail = write_mail,
                                    .spend = spend};
        dut_start(&h->dut, "ss_chip", &chip_model, n->cosim, &h->chip);
    }
    for (unsigned t = 0; t < UP_LIMIT && !all_up(n); t++)
        nodes_step(n);
    for (unsigned i = 0; i < count; i++) {
        write_register(&n->node[i], SS_REG_NODE, i);
        write_tables(n, i);
        ptl_open(&n->node[i].port);
    }
    return all_up(n);
}

void nodes_free(struct ss_nodes *n)
{
    for (unsigned i = 0; i < n->count; i++) {
        ptl_close(&n->node[i].port);
        dut_free(&n->node[i].dut);
        free(n->node[i].memory);
    }
    free(n->node);
}
