// SPDX-License-Identifier: Apache-2.0
/*
 * router_crossbar.c - queues at the outputs, and one fault.
 */
#include "tb/system/router/router_crossbar.h"

#include <string.h>

#include "hls/router/router.h"

enum { POOL = 1 << 16, NONE = 0 };

struct item {
    uint64_t flit[PACKET_LONGEST];
    unsigned length, input, vc_in, vc; /* vc: with which it leaves */
    unsigned taken;                    /* flits in front of it that were taken off */
    bool bad, free;                    /* free: gives no credits back */
    bool unmarked, two_heads; /* its tail is not marked, its second flit is marked as head */
    uint32_t next;
};

struct output {
    uint32_t first, last; /* packets that wait, NONE if there are none */
    uint32_t sending;
    unsigned at; /* flits of it that have gone to the register */
    bool chose;  /* in the clock before */
};

struct crossbar {
    struct router_out out;
    struct crossbar_setup setup;
    uint64_t packets;
    bool happened;
    struct golden_open open[RTR_PORTS];
    struct output output[RTR_PORTS];
    unsigned freed[RTR_PORTS][PLAN_VCS];
    unsigned turn; /* spreads adaptive packets over their ports */
    struct item item[POOL];
    uint32_t unused; /* list of items */
};

struct crossbar_setup crossbar_setup;

static void crossbar_reset(void *self)
{
    struct crossbar *x = self;
    memset(x, 0, sizeof *x);
    x->setup = crossbar_setup;
    for (uint32_t i = 1; i < POOL; i++)
        x->item[i].next = i + 1 < POOL ? i + 1 : NONE;
    x->unused = 1;
}

/* True once: the fault is this one, and something is here to which it can happen. */
static bool strikes(struct crossbar *x, enum crossbar_fault fault, bool possible)
{
    const bool now =
        possible && x->setup.fault == fault && !x->happened && x->packets >= x->setup.from;
    x->happened |= now;
    return now;
}

/* ---- in ------------------------------------------------------------------------------------------ */

/* The first of the ports, or any of them. */
static unsigned pick_port(struct crossbar *x, uint64_t ports, bool any)
{
    unsigned skip = any ? x->turn++ % (unsigned)__builtin_popcountll(ports) : 0;
    while (skip-- > 0)
        ports &= ports - 1;
    return (unsigned)__builtin_ctzll(ports);
}

static const struct golden_route *find_route(const struct golden_plan *p, uint64_t head)
{
    const uint64_t local = packet_get(p->machine, head, PACKET_LOCAL);
    const uint64_t global = packet_get(p->machine, head, PACKET_GLOBAL);
    const unsigned near = p->machine->field[PACKET_NEAR].width;
    if (near && global >> near == p->global >> near && global != p->global)
        return &p->to_near[packet_get(p->machine, head, PACKET_NEAR)];
    if (global != p->global)
        return &p->to_group[global >> near];
    return local == p->local ? &p->here[packet_get(p->machine, head, PACKET_SUB)]
                             : &p->in_group[local];
}

/* Mode SOURCE where the end frames: the first hop; a head without another is taken off. */
static unsigned follow_hop(struct crossbar *x, struct item *k)
{
    const struct golden_machine *m = x->setup.plan->machine;
    const uint64_t head = k->flit[0], list = packet_get(m, head, PACKET_LIST);
    const uint64_t hops = packet_get(m, head, PACKET_HOPS);
    const bool fits = hops == 2 || (hops == 1 && k->length > 2);
    k->vc = k->vc_in;
    k->flit[0] = packet_set(m, packet_set(m, head, PACKET_LIST, list >> 6 & 63), PACKET_HOPS, 1);
    if (fits && hops == 1) {
        memmove(&k->flit[0], &k->flit[1], --k->length * sizeof k->flit[0]);
        k->flit[0] = packet_set(m, k->flit[0], PACKET_VC, k->vc);
        k->taken = 1;
    }
    return fits ? (unsigned)((list >> 3 & 7) * m->cols + (list & 7)) : RTR_PORTS;
}

/* Port of the packet, RTR_PORTS for none; its head gets VC and phase of the next hop. */
static unsigned find_port(struct crossbar *x, struct item *k)
{
    const struct golden_plan *p = x->setup.plan;
    const struct golden_machine *m = p->machine;
    const uint64_t head = k->flit[0];
    const unsigned mode = packet_mode(m, head);
    const unsigned phase = (unsigned)packet_get(m, head, PACKET_PHASE);
    if (mode == PACKET_MODES)
        return RTR_PORTS;
    if (mode == PACKET_SOURCE && packet_by_end(m))
        return follow_hop(x, k);
    const struct golden_route *route = find_route(p, head);
    const bool aside =
        phase % 2 == 0 && (mode == PACKET_NMIN_HASH ||
                           (mode <= PACKET_ADAPTIVE3 && x->turn % 2 && route->nonminimal));
    const uint64_t ports = aside ? route->nonminimal : route->minimal;
    if (mode == PACKET_SOURCE) {
        const uint64_t list = packet_get(m, head, PACKET_LIST);
        const uint64_t ones = UINT64_C(63) << (m->field[PACKET_LIST].width - 6);
        k->flit[0] = packet_set(m, head, PACKET_LIST, list >> 6 | ones);
        k->vc = k->vc_in;
        return (list & 63) == 63 ? RTR_PORTS : (unsigned)((list >> 3 & 7) * m->cols + (list & 7));
    }
    if (ports == 0)
        return RTR_PORTS;
    const bool other = x->setup.fault == CROSSBAR_CHANGES_ROUTE && x->packets % 2 &&
                       mode == PACKET_IN_ORDER && (ports & (ports - 1));
    const unsigned port =
        pick_port(x, other ? ports & (ports - 1) : ports, mode <= PACKET_ADAPTIVE3);
    const struct golden_hop *hop = &p->vc_map[aside][p->type[port]][k->vc_in][phase];
    k->vc = hop->vc;
    k->flit[0] = packet_set(m, packet_set(m, head, PACKET_VC, hop->vc), PACKET_PHASE, hop->phase);
    return port;
}

static void append(struct output *o, struct crossbar *x, uint32_t i)
{
    x->item[i].next = NONE;
    if (o->first == NONE)
        o->first = i;
    else
        x->item[o->last].next = i;
    o->last = i;
}

static uint32_t copy_of(struct crossbar *x, const struct item *k)
{
    const uint32_t i = x->unused;
    x->unused = x->item[i].next;
    x->item[i] = *k;
    return i;
}

/* A packet that waits and is of the same input, VC and ordered mode as this one; none: NONE. */
static uint32_t find_older(const struct crossbar *x, const struct output *o, const struct item *k)
{
    const struct golden_machine *m = x->setup.plan->machine;
    const unsigned mode = packet_mode(m, k->flit[0]);
    if (mode < PACKET_NMIN_HASH || k->length < 2)
        return NONE;
    for (uint32_t i = o->first; i != NONE; i = x->item[i].next) {
        const struct item *old = &x->item[i];
        if (old->input == k->input && old->vc == k->vc && old->vc_in == k->vc_in &&
            old->length > 1 && packet_mode(m, old->flit[0]) == mode)
            return i;
    }
    return NONE;
}

/* Faults in what a packet says. */
static void corrupt(struct crossbar *x, struct item *k)
{
    const struct golden_machine *m = x->setup.plan->machine;
    if (strikes(x, CROSSBAR_FLIPS_HEAD, k->length > 3))
        k->flit[0] ^= UINT64_C(1) << m->field[PACKET_LOCAL].lsb;
    if (strikes(x, CROSSBAR_FLIPS_BODY, k->length > 3))
        k->flit[2] ^= UINT64_C(1) << 17;
    if (strikes(x, CROSSBAR_CUTS, k->length > 2))
        k->length--;
    if (strikes(x, CROSSBAR_CHANGES_VC, true)) {
        k->vc = (k->vc + 1) % m->vcs;
        k->flit[0] = packet_set(m, k->flit[0], PACKET_VC, k->vc);
    }
    if (strikes(x, CROSSBAR_MARKS, !k->bad) || strikes(x, CROSSBAR_CLEANS, k->bad))
        k->bad = !k->bad;
    k->unmarked = strikes(x, CROSSBAR_MARKS_NOT, true);
    k->two_heads = strikes(x, CROSSBAR_MARKS_HEAD, k->length > 1);
}

/* Faults in where and when it goes. */
static void queue_up(struct crossbar *x, struct item *k, unsigned port)
{
    const unsigned mode = packet_mode(x->setup.plan->machine, k->flit[0]);
    const bool astray = strikes(x, CROSSBAR_MISROUTES, mode >= PACKET_NMIN_HASH);
    struct output *o = &x->output[astray ? (port + 1) % RTR_PORTS : port];
    const uint32_t at = find_older(x, o, k);
    struct item *old = &x->item[at];
    if (strikes(x, CROSSBAR_MIXES, at != NONE)) {
        const uint64_t flit = k->flit[1];
        k->flit[1] = old->flit[1];
        old->flit[1] = flit;
    }
    if (strikes(x, CROSSBAR_OVERTAKES, at != NONE)) {
        const struct item first = *old;
        *old = *k;
        old->next = first.next;
        *k = first;
    }
    append(o, x, copy_of(x, k));
    if (strikes(x, CROSSBAR_DOUBLES, k->length > 1)) {
        struct item twin = *k;
        twin.free = true;
        append(o, x, copy_of(x, &twin));
    }
}

static void packet_in(struct crossbar *x, unsigned input, const struct golden_open *open)
{
    const struct golden_machine *m = x->setup.plan->machine;
    struct item k = {.length = open->length, .input = input, .bad = open->bad};
    memcpy(k.flit, open->flit, sizeof k.flit);
    k.vc_in = (unsigned)packet_get(m, k.flit[0], PACKET_VC);
    x->packets++;
    const bool illegal = k.vc_in >= m->vcs || k.length > m->longest;
    unsigned port = illegal ? RTR_PORTS : find_port(x, &k);
    if (port == RTR_PORTS && strikes(x, CROSSBAR_PASSES, !illegal))
        port = 0;
    if (port == RTR_PORTS || strikes(x, CROSSBAR_LOSES, true)) {
        x->freed[input][k.vc_in] += k.length;
        return;
    }
    x->freed[input][k.vc_in] += k.taken;
    corrupt(x, &k);
    queue_up(x, &k, port);
}

static void flit_in(struct crossbar *x, unsigned p, const struct port_in *in)
{
    struct golden_open *open = &x->open[p];
    if (!in->valid)
        return;
#if RTR_LENGTH_BITS == 0
    if (open->count == open->length && !open->rest)
        *open = (struct golden_open){.length = PACKET_LONGEST + 1};
    const unsigned vc = (unsigned)packet_get(x->setup.plan->machine, open->flit[0], PACKET_VC);
    if (open->rest) { /* of a packet that is too long: its credit goes back */
        open->rest = !in->tail;
        x->freed[p][vc]++;
        return;
    }
    const bool over =
        open->count == RTR_PACKET; /* this one is the end, and the one before is lost */
    open->bad |= over;
    open->count -= over;
    x->freed[p][vc] += over;
    open->rest = over && !in->tail;
    open->length = in->tail || over ? open->count + 1 : open->length;
#else
    if (open->count == open->length)
        *open = (struct golden_open){.length = packet_length(x->setup.plan->machine, in->flit)};
#endif
    open->flit[open->count++] = in->flit;
    open->bad |= in->bad;
    if (open->count == open->length)
        packet_in(x, p, open);
}

/* ---- out ----------------------------------------------------------------------------------------- */

/* Takes the oldest packet that has room, or with one fault the oldest of all, off the list. */
static uint32_t choose(struct crossbar *x, struct output *o, unsigned room)
{
    uint32_t before = NONE;
    for (uint32_t i = o->first; i != NONE; before = i, i = x->item[i].next) {
        const bool has_room = room >> x->item[i].vc & 1;
        if (!has_room && x->setup.fault != CROSSBAR_NO_ROOM)
            continue;
        if (before == NONE)
            o->first = x->item[i].next;
        else
            x->item[before].next = x->item[i].next;
        if (o->last == i)
            o->last = before;
        return i;
    }
    return NONE;
}

static void send(struct crossbar *x, struct output *o, struct port_out *out)
{
    const struct item *k = &x->item[o->sending];
    const bool tail = o->at + 1 == k->length;
    out->valid = 1;
    out->flit = (rtr_flit)k->flit[o->at];
    out->head = o->at == 0 || (o->at == 1 && k->two_heads);
    out->tail = tail && !k->unmarked;
    out->bad = tail && k->bad;
    o->at++;
    if (!k->free)
        x->freed[k->input][k->vc_in]++;
    if (tail) {
        x->item[o->sending].next = x->unused;
        x->unused = o->sending;
        o->sending = NONE;
    }
}

static void output_step(struct crossbar *x, unsigned p, const struct port_in *in)
{
    struct output *o = &x->output[p];
    struct port_out *out = &x->out.to_link[p];
    const bool may_choose = !o->chose && o->sending == NONE;
    o->chose = false;
    out->start = (struct vc_note){0};
    if (out->valid && !in->ready)
        return;
    out->valid = 0;
    if (o->sending != NONE)
        send(x, o, out);
    if (!may_choose)
        return;
    o->sending = choose(x, o, in->room);
    o->at = 0;
    o->chose = o->sending != NONE;
    out->start.valid = o->chose && !strikes(x, CROSSBAR_NO_START, o->chose);
    out->start.vc = (rtr_vc)x->item[o->sending].vc;
}

static void give_credit(struct crossbar *x, unsigned p)
{
    struct port_out *out = &x->out.to_link[p];
    out->freed = (struct head_vc_note){0};
    if (strikes(x, CROSSBAR_GIVES_CREDIT, true))
        x->freed[p][0] += 1000;
    for (unsigned v = 0; v < PLAN_VCS && !out->freed.valid; v++) {
        if (x->freed[p][v] == 0)
            continue;
        x->freed[p][v]--;
        out->freed.valid = !strikes(x, CROSSBAR_KEEPS_CREDIT, true);
        out->freed.vc = (head_vc_field)v;
    }
}

static void crossbar_step(void *self, const void *in)
{
    struct crossbar *x = self;
    const struct router_in *from = in;
    for (unsigned p = 0; p < RTR_PORTS; p++) {
        flit_in(x, p, &from->from_link[p]);
        output_step(x, p, &from->from_link[p]);
        give_credit(x, p);
    }
}

const struct dut_model crossbar_model = {
    .size = sizeof(struct crossbar), .reset = crossbar_reset, .step = crossbar_step};
