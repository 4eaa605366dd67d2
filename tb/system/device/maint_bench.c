// SPDX-License-Identifier: Apache-2.0
/*
 * maint_bench.c - devices, cables, processors; maint_bench.h.
 */
#include "tb/system/device/maint_bench.h"

#include <string.h>

#include "tb/golden/link/packet.h"

/* A head of mode SOURCE; a request's and a reply's phits 1 and 2. */
enum {
    PHIT = (1 << 22) - 1,
    VC_AT = 21,
    SOURCE_AT = 18, /* three ones */
    HOPS_AT = 16,
    HOP = 6,
    WRITE_AT = 17,
    TAG_AT = 9,
    UNIT_AT = 1,
    ADDRESS_AT = 6,
    HEADS_AT = 3,
    DATA = 3, /* phits */
    VC_BITS = 1,
};

/* ---- start ----------------------------------------------------------------------------------------- */

void maint_start(struct maint_bench *b, unsigned chips, unsigned ends, uint64_t seed)
{
    memset(b, 0, sizeof *b);
    b->chips = chips;
    b->ends = ends;
    harness_clock = &b->clock;
    for (unsigned c = 0; c < chips; c++)
        device_reset(&b->chip[c]);
    for (unsigned e = 0; e < ends; e++) {
        link_port_reset(&b->end[e].link);
        rng_seed(&b->end[e].rng, seed + e);
        b->end[e].in.identity = (struct link_identity){.chip = (u16)(0x8000 + e), .port = 1};
    }
}

void maint_join(struct maint_bench *b, struct maint_place a, struct maint_place c, double ber,
                uint64_t seed)
{
    const struct channel_config cable = {.delay = 4, .ber = ber};
    struct maint_cable *n = &b->cable[b->cables++];

    n->place[0] = a;
    n->place[1] = c;
    for (unsigned i = 0; i < 2; i++)
        chip_cable_start(&n->way[i], &cable, &n->way[1 - i], seed + i);
}

/* ---- a processor ------------------------------------------------------------------------------------- */

void maint_send(struct maint_end *e, const struct maint_packet *p)
{
    e->out[(e->first + e->waiting++) % MAINT_QUEUE] = *p;
}

bool maint_take(struct maint_end *e, struct maint_packet *p)
{
    if (e->came_count == 0)
        return false;
    *p = e->came[e->came_first++ % MAINT_QUEUE];
    e->came_count--;
    return true;
}

/* What goes out: announced when there is room, then phit by phit as they are taken. */
static void offer(struct maint_end *e)
{
    const struct maint_packet *p = &e->out[e->first];
    const struct port_in *link = &e->link.out.to_router;
    const unsigned vc = p->phit[0] >> VC_AT;
    struct port_out *out = &e->in.from_router;

    out->start = (struct vc_note){0};
    if (e->waiting != 0 && !e->announced && (link->room >> vc & 1)) {
        e->announced = true;
        e->at = 0;
        out->start = (struct vc_note){.valid = 1, .vc = (rtr_vc)vc};
    }
    out->valid = e->announced;
    out->flit = (rtr_flit)p->phit[e->at];
    out->head = e->at == 0;
    out->tail = e->at == p->count - 1;
    out->bad = p->bad;
}

/* The link takes what is offered where it was ready before this clock. */
static void offered(struct maint_end *e, bool ready)
{
    if (e->in.from_router.valid && ready && ++e->at == e->out[e->first].count) {
        e->announced = false;
        e->at = 0;
        e->first = (e->first + 1) % MAINT_QUEUE;
        e->waiting--;
    }
}

/* What comes in: kept with its end if that is good, given back unless it comes again. */
static void receive(struct maint_end *e)
{
    const struct port_in *link = &e->link.out.to_router;
    struct maint_packet *p = &e->coming;
    struct head_vc_note *freed = &e->in.from_router.freed;
    unsigned *good_vc = NULL;

    if (link->valid) {
        p->phit[p->count++ % MAINT_PHITS] = (uint32_t)link->flit;
        if (link->tail) {
            const unsigned vc = p->phit[0] >> VC_AT;
            good_vc = link->ok != 2 ? &e->owed[vc] : NULL;
            e->good += link->ok == 0;
            e->soft += link->ok == 1;
            e->cut += link->ok == 2;
            if (link->ok == 0)
                e->came[(e->came_first + e->came_count++) % MAINT_QUEUE] = *p;
            if (good_vc != NULL)
                *good_vc += p->count;
            p->count = 0;
        }
    }
    *freed = (struct head_vc_note){0};
    for (unsigned v = 0; v < RTR_VCS && !freed->valid; v++)
        if (e->owed[v] != 0 && good_vc == NULL) {
            e->owed[v]--;
            *freed = (struct head_vc_note){.valid = 1, .vc = (head_vc_field)v};
        }
}

/* ---- one clock ----------------------------------------------------------------------------------------- */

static struct cable_in *into(struct maint_bench *b, struct maint_place p)
{
    return p.chip < 0 ? &b->end[p.port].in.cable_in : &b->in[p.chip].cable_in[p.port];
}

static const struct cable_out *out_of(const struct maint_bench *b, struct maint_place p)
{
    return p.chip < 0 ? &b->end[p.port].link.out.cable : &b->chip[p.chip].out.cable[p.port];
}

static void step(struct maint_bench *b)
{
    for (unsigned c = 0; c < b->cables; c++)
        for (unsigned i = 0; i < 2; i++)
            chip_cable_step(&b->cable[c].way[i], out_of(b, b->cable[c].place[i]),
                            into(b, b->cable[c].place[1 - i]));
    for (unsigned e = 0; e < b->ends; e++) {
        const bool ready = b->end[e].link.out.to_router.ready;
        receive(&b->end[e]);
        offer(&b->end[e]);
        link_port(&b->end[e].link, &b->end[e].in);
        offered(&b->end[e], ready);
    }
    for (unsigned c = 0; c < b->chips; c++)
        device(&b->chip[c], &b->in[c]);
    b->clock++;
}

void maint_run(struct maint_bench *b, uint64_t clocks)
{
    while (clocks-- > 0)
        step(b);
}

static enum link_state state_at(const struct maint_bench *b, struct maint_place p)
{
    return p.chip < 0 ? b->end[p.port].link.out.state : b->chip[p.chip].out.status[p.port].state;
}

bool maint_await(struct maint_bench *b, uint64_t limit)
{
    for (;; step(b)) {
        bool up = true;
        for (unsigned c = 0; c < b->cables; c++)
            for (unsigned i = 0; i < 2; i++)
                up &= state_at(b, b->cable[c].place[i]) == LINK_RUN;
        if (up || limit-- == 0)
            return up;
    }
}

/* ---- requests ------------------------------------------------------------------------------------------ */

unsigned maint_heads(uint32_t *phit, unsigned vc, const unsigned *port, unsigned hops)
{
    unsigned heads = 0;

    for (unsigned i = 0; i < hops; i += 2) {
        const unsigned two = i + 1 < hops;
        phit[heads++] = vc << VC_AT | 7u << SOURCE_AT | (1 + two) << HOPS_AT |
                        (two ? port[i + 1] << HOP : 0) | port[i];
    }
    return heads;
}

void maint_seal(struct maint_packet *p)
{
    p->phit[p->count - 1] = 0;
    p->phit[p->count - 1] = golden_core_crc(p->phit, p->count, VC_BITS);
}

static void data_into(struct maint_packet *p, uint64_t data)
{
    for (unsigned i = 0; i < DATA; i++)
        p->phit[p->count++] = (uint32_t)(data >> (22 * i)) & PHIT;
}

struct maint_packet maint_request_of(const struct maint_access *a, unsigned tag)
{
    struct maint_packet p = {.count = maint_heads(p.phit, 0, a->port, a->hops)};
    uint32_t back[MAINT_PATH];
    const unsigned heads = maint_heads(back, 1, a->back, a->back_hops);

    p.phit[p.count++] = (uint32_t)a->write << WRITE_AT | tag << TAG_AT | a->unit << UNIT_AT;
    p.phit[p.count++] = a->address << ADDRESS_AT | heads << HEADS_AT;
    for (unsigned i = 0; i < heads; i++)
        p.phit[p.count++] = back[i];
    data_into(&p, a->data);
    p.count++;
    maint_seal(&p);
    return p;
}

/* What comes back: without those heads that routers took off. */
bool maint_is_reply(const struct maint_packet *p, const struct maint_access *a, unsigned tag,
                    uint64_t *reply)
{
    unsigned at = 0;
    uint64_t data = 0;

    while (at < p->count && (p->phit[at] >> SOURCE_AT & 7) == 7)
        at++;
    const uint32_t first =
        (uint32_t)a->write << WRITE_AT | tag << TAG_AT | a->unit << UNIT_AT | (at == 0) << VC_AT;
    if (p->count != at + 3 + DATA || p->phit[at] != first ||
        p->phit[at + 1] != a->address << ADDRESS_AT)
        return false;
    for (unsigned i = 0; i < DATA; i++)
        data |= (uint64_t)p->phit[at + 2 + i] << (22 * i);
    *reply = data;
    return p->phit[p->count - 1] % 0x10000 == golden_core_crc(p->phit, p->count, VC_BITS);
}

/* A reply among what came, which is taken out. */
static bool find_reply(struct maint_end *e, const struct maint_access *a, unsigned tag,
                       uint64_t *reply)
{
    struct maint_packet p;

    for (unsigned i = 0; i < e->came_count; i++) {
        p = e->came[(e->came_first + i) % MAINT_QUEUE];
        if (maint_is_reply(&p, a, tag, reply)) {
            for (; i > 0; i--)
                e->came[(e->came_first + i) % MAINT_QUEUE] =
                    e->came[(e->came_first + i - 1) % MAINT_QUEUE];
            return maint_take(e, &p);
        }
    }
    return false;
}

bool maint_answer(struct maint_bench *b, unsigned end, const struct maint_access *a, unsigned tag,
                  uint64_t *reply, uint64_t limit)
{
    for (; limit != 0; limit--) {
        if (find_reply(&b->end[end], a, tag, reply))
            return true;
        step(b);
    }
    return false;
}

bool maint_ask(struct maint_bench *b, unsigned end, const struct maint_access *a, uint64_t *reply,
               uint64_t limit)
{
    const unsigned tag = ++b->tag % 256;
    const struct maint_packet p = maint_request_of(a, tag);

    maint_send(&b->end[end], &p);
    return maint_answer(b, end, a, tag, reply, limit);
}
