// SPDX-License-Identifier: Apache-2.0
/*
 * l0.c - an AXI4-Lite manager for each chip, with two queues in front of it.
 */
#include "sim/failover/l0.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/program.h"

enum { UNITS = MODEL_LINKS + MACHINE_PORTS };

struct item {
    struct request request;
    unsigned unit;
};

struct queue {
    struct item *item;
    size_t count, next;
};

struct l0 {
    struct queue first, words; /* links and supervisor; the router */
    size_t pending[UNITS];
    uint64_t sum[UNITS];
    bool busy;        /* an access is on its way, */
    struct item item; /* this one */
    struct maint_ask ask;
    struct maint_say say;
    struct maint_parts parts, next; /* as units said in the clock before, and in this one */
    struct maint_tells tells;
    uint8_t unit[MACHINE_PORTS]; /* of the links */
    void *maint;
};

static void add(struct queue *q, unsigned unit, const struct request *requests, size_t count)
{
    if (q->next > 0)
        memmove(q->item, q->item + q->next, (q->count - q->next) * sizeof *q->item);
    q->count -= q->next;
    q->next = 0;
    struct item *more = realloc(q->item, (q->count + count + 1) * sizeof *more);
    if (!more)
        sim_fail("out of memory for %zu requests of a supervisor", count);
    q->item = more;
    for (size_t i = 0; i < count; i++)
        q->item[q->count++] = (struct item){requests[i], unit};
}

/* Link i is the i-th port that is no processor's. */
static void number_links(struct l0 *own, const struct port *port)
{
    unsigned link = MODEL_LINKS;
    for (unsigned p = 0; p < MACHINE_PORTS; p++)
        own->unit[p] = (uint8_t)(port[p].kind == PORT_PROCESSOR ? link : link++);
}

struct l0 *l0_new(const struct network *n)
{
    const struct maint_model *m = n->model->maint;
    if (!n->block || m->size == 0)
        return NULL;
    struct l0 *l = sim_alloc(n->topology->routers, sizeof *l);
    for (unsigned r = 0; r < n->topology->routers; r++) {
        l[r].maint = sim_alloc(1, m->size);
        m->reset(l[r].maint);
        number_links(&l[r], n->topology->ports[r]);
    }
    return l;
}

void l0_free(struct l0 *l, const struct network *n)
{
    for (unsigned r = 0; l && r < n->topology->routers; r++) {
        free(l[r].first.item);
        free(l[r].words.item);
        free(l[r].maint);
    }
    free(l);
}

void l0_reset(struct l0 *l, const struct network *n, unsigned router)
{
    struct l0 *own = &l[router];
    void *maint = own->maint;
    free(own->first.item);
    free(own->words.item);
    n->model->maint->reset(maint);
    *own = (struct l0){.maint = maint};
    number_links(own, n->topology->ports[router]);
}

void l0_ask(struct l0 *l, unsigned router, unsigned unit, const struct request *requests,
            size_t count)
{
    l[router].pending[unit] += count;
    add(unit == MODEL_ROUTER ? &l[router].words : &l[router].first, unit, requests, count);
}

size_t l0_pending(const struct l0 *l, unsigned router, unsigned unit)
{
    return l[router].pending[unit];
}

uint64_t l0_read(struct l0 *l, unsigned router, unsigned unit)
{
    const uint64_t sum = l[router].sum[unit];
    l[router].sum[unit] = 0;
    return sum;
}

unsigned l0_link(const struct l0 *l, unsigned router, unsigned port)
{
    return l[router].unit[port];
}

/* ---- a clock ----------------------------------------------------------------------------------- */

void l0_drive(const struct l0 *l, unsigned router, unsigned unit, struct bus *bus)
{
    const struct maint_tells *t = &l[router].tells;
    *bus = (struct bus){.valid = t->valid && t->unit == unit,
                        .write = t->write,
                        .address = t->address,
                        .data = t->data};
}

void l0_answer(struct l0 *l, unsigned router, unsigned unit, const struct bus *bus)
{
    struct l0 *own = &l[router];
    if (!bus->ready || own->tells.unit != unit)
        return;
    own->next.ready = true;
    own->next.error = bus->error;
    own->next.reply = bus->reply;
}

void l0_drive_link(const struct l0 *l, unsigned router, unsigned unit, struct link_side *side)
{
    side->restart = l[router].tells.restart >> (unit - MODEL_LINKS) & 1;
    side->chip = l[router].tells.number ? l[router].tells.number : side->chip;
    side->port = unit - MODEL_LINKS;
}

void l0_see_link(struct l0 *l, unsigned router, unsigned unit, const struct link_side *side)
{
    struct maint_parts *next = &l[router].next;
    const unsigned link = unit - MODEL_LINKS;
    next->up |= (uint64_t)side->up << link;
    next->degraded |= (uint64_t)side->degraded << link;
    next->dead |= (uint64_t)side->dead << link;
}

/* The next access, if there is one: its channels. */
static void begin(struct l0 *own)
{
    struct queue *q = own->first.next < own->first.count ? &own->first : &own->words;
    own->ask = (struct maint_ask){.bready = true, .rready = true};
    if (q->next == q->count)
        return;
    own->item = q->item[q->next++];
    own->busy = true;
    const struct request *r = &own->item.request;
    own->ask.awvalid = own->ask.wvalid = r->write;
    own->ask.arvalid = !r->write;
    own->ask.awunit = own->ask.arunit = own->item.unit;
    own->ask.awaddress = own->ask.araddress = r->address;
    own->ask.wdata = r->data;
}

/* Channels that were taken in this clock; an answer ends the access. */
static void proceed(struct l0 *own, const struct maint_say *before)
{
    own->ask.awvalid = own->ask.awvalid && !before->awready;
    own->ask.wvalid = own->ask.wvalid && !before->wready;
    own->ask.arvalid = own->ask.arvalid && !before->arready;
    if (!before->bvalid && !before->rvalid)
        return;
    own->busy = false;
    own->pending[own->item.unit]--;
    own->sum[own->item.unit] += before->rvalid && !before->error ? before->rdata : 0;
}

void l0_clock(struct l0 *l, const struct network *n, unsigned router)
{
    struct l0 *own = &l[router];
    const struct maint_say before = own->say;
    if (!own->busy)
        begin(own);
    n->model->maint->clock(own->maint, &own->ask, &own->parts, &own->say, &own->tells);
    if (own->busy)
        proceed(own, &before);
    own->parts = own->next;
    own->next = (struct maint_parts){0};
}
