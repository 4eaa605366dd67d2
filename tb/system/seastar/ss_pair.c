// SPDX-License-Identifier: Apache-2.0
/* ss_pair.c - two chips of seastar2 in a ring; ss_pair.h says what is wired to what. */
#include "tb/system/seastar/ss_pair.h"

#include <stdlib.h>
#include <string.h>

enum { LINKS = 2, UP_LIMIT = 20000, BUS_LIMIT = 2000 };

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

/* ---- a host's memory ------------------------------------------------------------------------- */

static void store(struct ss_host *h, const struct host_access *a)
{
    for (unsigned b = 0; b < 8; b++) {
        const uint64_t at = a->addr + b;
        if (!(a->strb >> b & 1))
            continue;
        if (at >= HOST_BYTES || !h->allowed[at]) {
            h->astray++;
            continue;
        }
        h->memory[at] = (uint8_t)(a->data >> 8 * b);
    }
}

static uint64_t load(const struct ss_host *h, uint64_t addr)
{
    uint64_t word = 0;
    for (unsigned b = 0; b < 8; b++)
        if (addr + b < HOST_BYTES)
            word |= (uint64_t)h->memory[addr + b] << 8 * b;
    return word;
}

/* What memory answers in this clock, and what it takes of the requests that the chip shows. */
static void serve_memory(struct ss_pair *p, struct ss_host *h)
{
    const struct ss_axi_from_man *m = &h->chip->out.m_axi;
    struct ss_axi_to_man *in = &h->in.m_axi;
    *in = (struct ss_axi_to_man){.awready = 1, .wready = 1, .arready = 1};
    if (h->write_get != h->write_put && h->write[h->write_get % HOST_QUEUE].due <= p->clock) {
        const struct host_access *a = &h->write[h->write_get++ % HOST_QUEUE];
        in->bvalid = 1;
        in->bresp = h->bad_write && a->addr == h->bad_write ? 2 : 0;
        if (!in->bresp)
            store(h, a);
    }
    if (h->read_get != h->read_put && h->read[h->read_get % HOST_QUEUE].due <= p->clock) {
        const struct host_access *a = &h->read[h->read_get++ % HOST_QUEUE];
        in->rvalid = 1;
        in->rlast = 1;
        in->rdata = load(h, a->addr);
        in->rresp = h->bad_read && a->addr == h->bad_read ? 2 : 0;
    }
    if (m->awvalid && m->wvalid)
        h->write[h->write_put++ % HOST_QUEUE] = (struct host_access){
            .due = p->clock + h->latency, .addr = m->awaddr, .data = m->wdata, .strb = m->wstrb};
    if (m->arvalid)
        h->read[h->read_put++ % HOST_QUEUE] =
            (struct host_access){.due = p->clock + h->latency, .addr = m->araddr};
}

/* ---- the golden messages ---------------------------------------------------------------------------- */

static void check_flit(struct ss_host *h)
{
    const struct ss_send_out *o = &h->chip->nic.dma.send.out;
    uint64_t flit[GOLDEN_SS_FLITS];
    if (!o->valid)
        return;
    h->flits++;
    if (h->due_get == h->due_put) {
        h->wrong_flits++;
        return;
    }
    const struct golden_ss_message *m = &h->due[h->due_get % 64];
    const unsigned flits = golden_ss_packet(m, h->packet, flit);
    h->wrong_flits += o->flit != flit[h->flit] || o->whole != (h->flit == 0);
    if (++h->flit == flits) {
        h->flit = 0;
        if (++h->packet == golden_ss_packets(m)) {
            h->packet = 0;
            h->due_get++;
        }
    }
}

/* ---- one clock ------------------------------------------------------------------------------- */

void pair_step(struct ss_pair *p)
{
    for (unsigned i = 0; i < 2; i++) {
        struct ss_host *h = &p->host[i];
        const struct ss_chip_out *other = &p->host[1 - i].chip->out;
        for (unsigned l = 0; l < LINKS; l++) {
            h->in.cable_in[l].lane_valid = h->in.cable_in[l].lane_up = (lcb_lanes)-1;
            for (unsigned k = 0; k < LANES; k++)
                h->in.cable_in[l].lane[k] = other->cable[1 - l].lane[k];
        }
        h->in.now = (lcb_time)p->clock;
        h->in.chip = (u16)(i + 1);
        serve_memory(p, h);
    }
    for (unsigned i = 0; i < 2; i++) {
        struct ss_host *h = &p->host[i];
        dut_step(&h->dut, &h->in);
        check_flit(h);
        p->interrupts[i] += h->chip->out.irq && !p->was[i];
        p->was[i] = h->chip->out.irq;
    }
    p->clock++;
}

void pair_run(struct ss_pair *p, unsigned clocks)
{
    while (clocks-- > 0)
        pair_step(p);
}

/* ---- the driver's accesses --------------------------------------------------------------------------- */

uint64_t pair_read(struct ss_pair *p, unsigned i, unsigned reg)
{
    struct ss_host *h = &p->host[i];
    struct axil_to_sub *in = &h->in.s_axil;
    const struct axil_from_sub *out = &h->chip->out.s_axil;
    *in = (struct axil_to_sub){.arvalid = 1, .rready = 1};
    in->araddr = (uint(AXI_LITE_BITS))(8 * reg);
    for (unsigned n = 0; n < BUS_LIMIT; n++) {
        const bool taken = out->arready;
        pair_step(p);
        if (taken)
            in->arvalid = 0;
        if (out->rvalid)
            break;
    }
    const uint64_t data = out->rdata;
    pair_step(p);
    *in = (struct axil_to_sub){0};
    return data;
}

void pair_write(struct ss_pair *p, unsigned i, unsigned reg, uint64_t data)
{
    struct ss_host *h = &p->host[i];
    struct axil_to_sub *in = &h->in.s_axil;
    const struct axil_from_sub *out = &h->chip->out.s_axil;
    *in =
        (struct axil_to_sub){.awvalid = 1, .wvalid = 1, .wdata = data, .wstrb = 0xFF, .bready = 1};
    in->awaddr = (uint(AXI_LITE_BITS))(8 * reg);
    for (unsigned n = 0; n < BUS_LIMIT; n++) {
        const bool address = out->awready, word = out->wready;
        pair_step(p);
        if (address)
            in->awvalid = 0;
        if (word)
            in->wvalid = 0;
        if (out->bvalid)
            break;
    }
    pair_step(p);
    *in = (struct axil_to_sub){0};
}

unsigned pair_mail(struct ss_pair *p, unsigned i, unsigned line, const uint64_t word[8],
                   unsigned beats)
{
    struct ss_host *h = &p->host[i];
    struct ss_axi_to_sub *in = &h->in.s_axi;
    const struct ss_axi_from_sub *out = &h->chip->out.s_axi;
    *in = (struct ss_axi_to_sub){.awvalid = 1,
                                 .awlen = (u8)(beats - 1),
                                 .awsize = 3,
                                 .awburst = 1,
                                 .wstrb = 0xFF,
                                 .bready = 1};
    in->awaddr = (uint(SS_PAGE_BITS))line;
    unsigned beat = 0;
    for (unsigned n = 0; n < BUS_LIMIT; n++) {
        in->wvalid = beat < beats;
        in->wdata = word[beat % 8];
        in->wlast = beat == beats - 1;
        const bool address = in->awvalid && out->awready, data = in->wvalid && out->wready;
        pair_step(p);
        if (address)
            in->awvalid = 0;
        beat += data;
        if (out->bvalid)
            break;
    }
    const unsigned resp = out->bresp;
    in->wvalid = 0;
    pair_step(p);
    *in = (struct ss_axi_to_sub){0};
    return resp;
}

unsigned pair_put(struct ss_pair *p, unsigned i, unsigned from, unsigned bytes, unsigned ticket,
                  uint64_t tag)
{
    struct ss_host *h = &p->host[i];
    const unsigned to = 1 - i;
    const uint64_t header[6] = {GOLDEN_SS_PUT | 5 << 8 | (uint64_t)7 << 16 | (uint64_t)9 << 32,
                                tag * UINT64_C(0x9E3779B97F4A7C15),
                                ~tag,
                                0,
                                tag & 0xFFFF,
                                UINT64_C(0x123400005678)};
    uint64_t word[8] = {0};
    memcpy(word, header, sizeof header);
    word[6] = (uint64_t)to << 49 | from;
    word[7] = (uint64_t)1 << 56 | (uint64_t)ticket << 40 | bytes;
    const unsigned n = h->due_put % 64;
    memcpy(h->due_data[n], h->memory + from, bytes);
    h->due[n] =
        (struct golden_ss_message){.dst = to, .src = i, .data = h->due_data[n], .bytes = bytes};
    memcpy(h->due[n].header, header, sizeof header);
    h->due[n].header[3] = (uint64_t)i << 40 | bytes;
    h->due_put++;
    return pair_mail(p, i, LINE_REQUESTS, word, 8);
}

unsigned pair_deposit(struct ss_pair *p, unsigned i, const struct ss_entry *e, unsigned to,
                      unsigned bytes)
{
    const uint64_t source = e->word[3] >> 40 & 0x7FFF, stream = e->word[7] >> 51 & 3;
    const uint64_t use = e->word[7] >> 53 & 15;
    const uint64_t word[8] = {to, source << 2 | stream | use << 18, 0, 0, 0, 0,
                              0,  (uint64_t)2 << 56 | bytes};
    return pair_mail(p, i, LINE_LOCAL, word, 8);
}

bool pair_entry(struct ss_pair *p, unsigned i, struct ss_entry *e, unsigned limit)
{
    struct ss_host *h = &p->host[i];
    const unsigned at = HOST_RING + h->entries % HOST_ENTRIES * 64;
    const unsigned lap = h->entries / HOST_ENTRIES % 127 + 1;
    while (h->memory[at + 63] >> 1 != lap) {
        if (limit-- == 0)
            return false;
        pair_step(p);
    }
    for (unsigned w = 0; w < 8; w++)
        e->word[w] = load(h, at + 8 * w);
    h->entries++;
    pair_write(p, i, SS_REG_RING_READ, h->entries & 0xFFFF);
    return true;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void set_up(struct ss_pair *p, unsigned i)
{
    pair_write(p, i, SS_REG_NODE, i);
    for (unsigned node = 0; node < 2; node++)
        pair_write(p, i, SS_REG_ROUTE_LOCAL,
                   (uint64_t)7 | (uint64_t)node << 7 | (uint64_t)(node == i ? 0 : 1) << 19);
    pair_write(p, i, SS_REG_RING_BASE, HOST_RING);
    pair_write(p, i, SS_REG_RING_CONFIG, 1 | HOST_RING_LOG2 << 1);
    pair_write(p, i, SS_REG_IRQ_MASK, 0);
}

static bool runs(struct ss_pair *p)
{
    for (unsigned n = 0; n < UP_LIMIT; n++) {
        bool all = true;
        for (unsigned i = 0; i < 2; i++)
            all = all && p->host[i].chip->nic.engine.out.ready;
        for (unsigned i = 0; i < 2; i++)
            for (unsigned l = 0; l < LINKS; l++)
                all = all && p->host[i].chip->link[l].out.state == LINK_RUN;
        if (all)
            return true;
        pair_step(p);
    }
    return false;
}

bool pair_start(struct ss_pair *p, const struct cosim_module *cosim)
{
    memset(p, 0, sizeof *p);
    for (unsigned i = 0; i < 2; i++) {
        struct ss_host *h = &p->host[i];
        dut_start(&h->dut, i ? "chip 1" : "chip 0", &chip_model, cosim, NULL);
        h->chip = h->dut.self;
        h->latency = 100;
        memset(h->allowed + HOST_RING, 1, HOST_ENTRIES * 64);
    }
    harness_clock = &p->clock;
    for (unsigned i = 0; i < 2; i++)
        set_up(p, i);
    return runs(p);
}

void pair_free(struct ss_pair *p)
{
    for (unsigned i = 0; i < 2; i++)
        dut_free(&p->host[i].dut);
}
