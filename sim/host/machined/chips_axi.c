// SPDX-License-Identifier: Apache-2.0
/*
 * chips_axi.c - the host of a node at the AXI ports of its NIC: a processor's stores and registers, and memory.
 *
 * Everything is in order: stores as they were posted, memory's answers as the requests came.
 */
#include "sim/host/machined/chips_inside.h"

#include <string.h>

/* ---- the processor's stores and loads ------------------------------------------------------------- */

/* A load waits for all before it, and what is behind it waits for the load. */
static bool may_go(const struct chips_node *n, uint64_t at)
{
    if (at == n->stores_in)
        return false;
    const bool read = n->store[at % CHIPS_STORES].read;
    const bool read_before = at != n->stores_done && n->store[n->stores_done % CHIPS_STORES].read;
    return at == n->stores_done || (!read && !read_before);
}

static void drive_stores(struct chips_node *n, struct axi_to_sub *to)
{
    if (!to->awvalid && may_go(n, n->addresses_out)) {
        const struct chips_store *s = &n->store[n->addresses_out % CHIPS_STORES];
        to->awvalid = !s->read;
        to->awid = 0;
        to->awaddr = (uint(AXI_BAR_BITS))s->address;
        to->awlen = (u8)(s->beats - 1);
        to->awsize = AXI_SIZE16;
        to->awburst = AXI_INCR;
    }
    if (!to->wvalid && may_go(n, n->data_out)) {
        const struct chips_store *s = &n->store[n->data_out % CHIPS_STORES];
        to->wvalid = !s->read;
        to->wlast = n->beat + 1 == s->beats;
        to->wstrb = (u16)(s->strobes >> CHIPS_LINE * n->beat);
        memcpy(&to->wdata, s->data + CHIPS_LINE * n->beat, CHIPS_LINE);
    }
    const struct chips_store *first = &n->store[n->stores_done % CHIPS_STORES];
    to->arvalid = n->stores_done != n->stores_in && first->read && !n->read_out;
    to->araddr = (uint(AXI_BAR_BITS))first->address;
    to->arid = 1;
    to->arlen = 0;
    to->arsize = 3;
    to->arburst = AXI_INCR;
    to->bready = 1;
    to->rready = 1;
}

/* What the NIC takes and answers in this clock. */
static void take_stores(struct chips_node *n, const struct axi_to_sub *to,
                        const struct axi_from_sub *from)
{
    struct axi_to_sub *next = &n->sub;
    if (to->awvalid && from->awready) {
        next->awvalid = 0;
        n->addresses_out++;
    }
    if (to->wvalid && from->wready) {
        next->wvalid = 0;
        n->beat = to->wlast ? 0 : n->beat + 1;
        n->data_out += to->wlast;
    }
    if (from->bvalid) {
        n->count.stores++;
        n->count.refused += from->bresp != AXI_OKAY;
        n->stores_done++;
    }
    n->read_out |= to->arvalid && from->arready;
    if (from->rvalid) {
        const struct chips_store *s = &n->store[n->stores_done % CHIPS_STORES];
        uint8_t data[CHIPS_LINE];
        memcpy(data, &from->rdata, CHIPS_LINE);
        memcpy(&n->answer, data + s->address % CHIPS_LINE / 8 * 8, 8);
        n->count.loads++;
        n->count.refused += from->rresp != AXI_OKAY;
        n->read_out = false;
        n->stores_done++;
        n->addresses_out++;
        n->data_out++;
    }
}

/* ---- registers -------------------------------------------------------------------------------------- */

static void drive_register(const struct chips_node *n, struct axil_to_sub *to)
{
    const struct chips_register *r = &n->reg;
    to->awvalid = r->valid && !r->read && !r->addressed;
    to->wvalid = r->valid && !r->read && !r->sent;
    to->arvalid = r->valid && r->read && !r->addressed;
    to->awaddr = (uint(AXI_LITE_BITS))(r->address * 8);
    to->araddr = (uint(AXI_LITE_BITS))(r->address * 8);
    to->wdata = r->data;
    to->wstrb = 0xFF;
    to->bready = 1;
    to->rready = 1;
}

static void take_register(struct chips_node *n, const struct axil_to_sub *to,
                          const struct axil_from_sub *from)
{
    struct chips_register *r = &n->reg;
    r->addressed |= (to->awvalid && from->awready) || (to->arvalid && from->arready);
    r->sent |= to->wvalid && from->wready;
    if (from->rvalid)
        r->data = from->rdata;
    if (from->bvalid || from->rvalid) {
        r->refused = (from->bvalid ? from->bresp : from->rresp) != AXI_OKAY;
        r->valid = false;
    }
}

/* ---- memory ------------------------------------------------------------------------------------------ */

static struct chips_access *access_at(struct chips_accesses *a, unsigned i)
{
    return &a->of[(a->first + i) % CHIPS_UNDER_WAY];
}

static struct chips_access *take(struct chips_accesses *a, uint64_t address, unsigned len,
                                 unsigned id, uint64_t due)
{
    struct chips_access *x = access_at(a, a->count++);
    x->address = address;
    x->id = id;
    x->beats = len + 1;
    x->beat = 0;
    x->due = due;
    x->error = len >= CHIPS_BEATS;
    return x;
}

static void drop(struct chips_accesses *a)
{
    a->first = (a->first + 1) % CHIPS_UNDER_WAY;
    a->count--;
}

/* The runs of bytes whose strobes are 1. */
static bool commit(struct chips_node *n, struct chips_access *x)
{
    const struct chips_config *c = &n->chips->config;
    const uint64_t base = x->address / CHIPS_LINE * CHIPS_LINE;
    const unsigned all = x->beats * CHIPS_LINE;
    bool good = !x->error;
    for (unsigned i = 0; good && i < all;) {
        unsigned to = i;
        while (to < all && x->strobe[to / CHIPS_LINE] >> to % CHIPS_LINE & 1)
            to++;
        if (to != i)
            good = c->memory(c->whose, n->number, base + i, x->data + i, to - i, true);
        i = to == i ? i + 1 : to;
    }
    n->count.memory_writes++;
    n->count.memory_refused += !good;
    return good;
}

static void fetch(struct chips_node *n, struct chips_access *x)
{
    const struct chips_config *c = &n->chips->config;
    const uint64_t end = x->address / CHIPS_LINE * CHIPS_LINE + x->beats * CHIPS_LINE;
    memset(x->data, 0, sizeof x->data);
    x->error =
        x->error || !c->memory(c->whose, n->number, x->address, x->data + x->address % CHIPS_LINE,
                               (unsigned)(end - x->address), false);
    n->count.memory_reads++;
    n->count.memory_refused += x->error;
}

/* What memory offers in this clock. What it offered before and was not taken stays. */
static void drive_memory(struct chips_node *n, struct axi_to_man *to)
{
    const uint64_t now = n->chips->clock;
    if (!to->bvalid && n->data_at != 0 && access_at(&n->writes, 0)->due <= now) {
        struct chips_access *x = access_at(&n->writes, 0);
        to->bvalid = 1;
        to->bid = (axi_id)x->id;
        to->bresp = commit(n, x) ? AXI_OKAY : AXI_SLVERR;
        n->data_at--;
        drop(&n->writes);
    }
    if (!to->rvalid && n->reads.count != 0 && access_at(&n->reads, 0)->due <= now) {
        struct chips_access *x = access_at(&n->reads, 0);
        if (x->beat == 0)
            fetch(n, x);
        to->rvalid = 1;
        to->rid = (axi_id)x->id;
        to->rresp = x->error ? AXI_SLVERR : AXI_OKAY;
        memcpy(&to->rdata, x->data + CHIPS_LINE * (x->beat % CHIPS_BEATS), CHIPS_LINE);
        to->rlast = ++x->beat == x->beats;
        if (to->rlast)
            drop(&n->reads);
    }
    to->awready = n->writes.count < CHIPS_UNDER_WAY;
    to->wready = n->data_at < n->writes.count;
    to->arready = n->reads.count < CHIPS_UNDER_WAY;
}

static void take_memory(struct chips_node *n, const struct axi_to_man *to,
                        const struct axi_from_man *from)
{
    const uint64_t due = n->chips->clock + n->chips->config.latency;
    struct axi_to_man *next = &n->man;
    if (to->bvalid && from->bready)
        next->bvalid = 0;
    if (to->rvalid && from->rready)
        next->rvalid = 0;
    if (from->wvalid && to->wready) {
        struct chips_access *x = access_at(&n->writes, n->data_at);
        memcpy(x->data + CHIPS_LINE * (x->beat % CHIPS_BEATS), &from->wdata, CHIPS_LINE);
        x->strobe[x->beat % CHIPS_BEATS] = from->wstrb;
        x->beat++;
        x->error |= from->wlast != (x->beat == x->beats);
        if (from->wlast) {
            x->due = due;
            n->data_at++;
        }
    }
    if (from->awvalid && to->awready)
        take(&n->writes, from->awaddr, from->awlen, (unsigned)from->awid, due);
    if (from->arvalid && to->arready)
        take(&n->reads, from->araddr, from->arlen, (unsigned)from->arid, due);
}

/* What is driven stands in `in`; transfers of this clock change what is driven in the next one. */
void chips_axi(struct chips_node *n, const struct chip_out *out, struct chip_in *in)
{
    drive_stores(n, &n->sub);
    drive_register(n, &n->lite);
    drive_memory(n, &n->man);
    in->s_axi[0] = n->sub;
    in->s_axil[0] = n->lite;
    in->m_axi[0] = n->man;
    take_stores(n, &in->s_axi[0], &out->s_axi[0]);
    take_register(n, &in->s_axil[0], &out->s_axil[0]);
    take_memory(n, &in->m_axi[0], &out->m_axi[0]);
}
