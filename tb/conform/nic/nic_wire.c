// SPDX-License-Identifier: Apache-2.0
/*
 * nic_wire.c - tiles of a router as NICs see them, and what is between those of different nodes.
 */
#include "tb/conform/nic/nic_wire.h"

#include "tb/golden/router/packet.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RESET_CLOCKS = 10,

    GUARANTEED = 16, /* places of the router's input queue: of each class, */
    SHARED = (1 << RTR_INQ_LOG2) - RTR_VCS * 2 * GUARANTEED, /* and of both */
    READY_LIMIT = 1000,
    SUB = 3, /* the bits of an address that name the NIC */
};

struct nic_wire *wire_of(const struct nic_bench *b)
{
    return b->network;
}

static uint32_t address_of(unsigned node)
{
    return 0x1234 * (node + 1) & 0x3FFFF & ~(uint32_t)SUB;
}

/* ---- ours ---------------------------------------------------------------------------------------- */

static void *ours_make(const struct wire_design *of, const char *instance)
{
    struct endpoint *e = calloc(1, sizeof(*e));

    (void)of;
    (void)instance;
    if (e == NULL) {
        abort();
    }
    endpoint_reset(e);
    return e;
}

static void ours_step(void *self, bool rst, const struct endpoint_in *in, struct endpoint_out *out)
{
    struct endpoint *e = self;

    if (rst) {
        endpoint_reset(e);
    } else {
        endpoint(e, in);
    }
    *out = e->out;
}

const struct wire_design wire_ours = {ours_make, ours_step, free};

/* ---- complaints ---------------------------------------------------------------------------------- */

__attribute__((format(printf, 4, 5))) static void
complain(const struct nic_bench *b, unsigned node, enum wire_fault fault, const char *format, ...)
{
    const struct nic_wire *w = wire_of(b);
    char text[160];
    va_list list;

    if (!w->node[node].tested) {
        return;
    }
    va_start(list, format);
    vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    w->complain(w->whose, node, fault, text);
}

/* ---- what answers what --------------------------------------------------------------------------- */

/* Bytes that the flits of so many carry: a multiple of four, as the decoder tells it. */
static unsigned carried(unsigned bytes)
{
    unsigned flits = (bytes + 2 + 5) / 6, room = (6 * flits - 2) / 4 * 4;

    return room > NIC_PAYLOAD ? NIC_PAYLOAD : room;
}

/* Bytes that answer a request. */
static unsigned answer_bytes(const struct nic_packet *p)
{
    unsigned opcode = (p->x & 1) << 6 | p->z;

    switch (p->cmd) {
    case NIC_GET:
        return carried(4 * (p->x + 1));
    case NIC_FAMO:
        return carried(opcode >= 0x40 && (opcode & 1) == 0 ? 4 : 8);
    default:
        return 0;
    }
}

static void note_request(struct nic_bench *b, unsigned from, unsigned to,
                         const struct nic_packet *p, bool lost)
{
    struct wire_node *n = &wire_of(b)->node[from];
    struct wire_request *r = &n->request[p->tag];

    if (p->src != address_of(from)) {
        complain(b, from, WIRE_PACKET, "a request of tag %u says that it comes from %05x", p->tag,
                 (unsigned)p->src);
    }
    if (r->there && !r->lost) {
        complain(b, from, WIRE_ANSWER, "tag %u is sent again before its request is answered",
                 p->tag);
    }
    *r = (struct wire_request){
        .there = true, .lost = lost, .to = to, .gen = p->gen, .bytes = answer_bytes(p)};
}

/* A response of node `from` to node `to`. */
static void note_response(struct nic_bench *b, unsigned from, unsigned to,
                          const struct nic_packet *p, bool lost)
{
    struct wire_request *r = &wire_of(b)->node[to].request[p->tag];

    if (!r->there || r->to != from || r->gen != p->gen) {
        complain(b, from, WIRE_ANSWER, "tag %u, generation %u of node %u is answered unasked",
                 p->tag, p->gen, to);
    } else if (!p->err && p->bytes != r->bytes) {
        complain(b, from, WIRE_ANSWER, "tag %u of node %u is answered by %u bytes, not %u", p->tag,
                 to, p->bytes, r->bytes);
    } else if (p->err && p->who != address_of(from)) {
        complain(b, from, WIRE_PACKET, "an error says that it comes from %05x", (unsigned)p->who);
    }
    r->there = lost;
    r->lost |= lost;
}

unsigned wire_unanswered(const struct nic_bench *b)
{
    unsigned count = 0;

    for (unsigned n = 0; n < b->nodes; n++) {
        for (unsigned tag = 0; tag < WIRE_TAGS; tag++) {
            const struct wire_request *r = &wire_of(b)->node[n].request[tag];

            count += r->there && !r->lost;
        }
    }
    return count;
}

/* ---- damage -------------------------------------------------------------------------------------- */

static void flip(struct wire_packet *p, struct rng *rng)
{
    unsigned flit = p->flits == 1 ? 0 : 1 + rng_below(rng, p->flits - 1);

    /* not what routers read */
    p->flit[flit] ^= UINT64_C(1) << (flit == 0 ? 4 + rng_below(rng, 14) : rng_below(rng, 48));
}

/* The same packet with other data, or other fields where it has none; an acknowledgement becomes an error. */
static void change(struct nic_packet *p)
{
    for (unsigned i = 0; i < p->bytes; i++) {
        p->data[i] ^= 0xFF;
    }
    if (p->response && p->bytes == 0) {
        p->err = true;
        p->status = (p->status + 1) % 8 + 1;
        p->who = address_of(0);
    } else if (p->bytes == 0) {
        p->offset ^= 0x400;
    }
}

static void encode(struct wire_packet *to, const struct nic_packet *p)
{
    to->flits = nic_encode(p, to->flit);
}

/* Makes a damaged one of a packet; false: it cannot be damaged so. */
static bool damage(struct wire_packet *to, const struct nic_packet *is, enum wire_damage kind,
                   struct rng *rng)
{
    struct nic_packet p = *is;

    switch (kind) {
    case DAMAGE_CODE:
        flip(to, rng);
        return true;
    case DAMAGE_MARK:
        change(&p);
        encode(to, &p);
        to->bad = true;
        return true;
    case DAMAGE_SHAPE:
        if (p.response || (p.cmd != NIC_PUT && p.cmd != NIC_PUT_MSG)) {
            return false;
        }
        if (rng_below(rng, 2) == 0 || to->flits == NIC_FLITS) {
            p.x |= 1;
            encode(to, &p);
        } else {
            nic_set(to->flit, NIC_LENGTH, ++to->flits);
            to->flit[to->flits - 1] = 0;
            nic_seal(to->flit, to->flits);
        }
        return true;
    case DAMAGE_MODE:
        p.mode = NIC_SOURCE_MODE;
        encode(to, &p);
        return true;
    default:
        p.node |= SUB;
        encode(to, &p);
        return true;
    }
}

/* ---- between nodes ------------------------------------------------------------------------------- */

static bool is_ordered(unsigned mode)
{
    return mode == PACKET_IN_ORDER || mode == PACKET_MIN_HASH || mode == PACKET_NMIN_HASH;
}

static void add(struct wire_list *l, const struct wire_packet *p)
{
    if (l->count == l->room) {
        l->room = l->room == 0 ? 64 : 2 * l->room;
        l->packet = realloc(l->packet, l->room * sizeof(*l->packet));
        if (l->packet == NULL) {
            abort();
        }
    }
    l->packet[l->count++] = *p;
}

static unsigned node_at(const struct nic_bench *b, uint32_t address)
{
    unsigned i = 0;

    while (i < b->nodes && address_of(i) != address) {
        i++;
    }
    return i;
}

/* On its way: packets of ordered modes of one tile go to one tile, in order. */
static void send(struct nic_bench *b, unsigned from, unsigned tile, unsigned to, unsigned mode,
                 struct wire_packet *p)
{
    struct nic_wire *w = wire_of(b);
    const bool ordered = is_ordered(mode);
    const unsigned at = ordered ? (from + tile) % NL_TILES : rng_below(&b->rng, NL_TILES);

    p->due = b->clock + w->knobs.delay +
             (ordered || w->knobs.delay_extra == 0 ? 0 : rng_below(&b->rng, w->knobs.delay_extra));
    add(&w->node[to].tile[at].list, p);
}

/* A packet came out of a NIC. */
static void deliver(struct nic_bench *b, unsigned from, unsigned tile, struct wire_packet *p)
{
    struct nic_wire *w = wire_of(b);
    struct nic_packet is;
    const enum nic_fault fault = nic_decode(p->flit, p->flits, p->class, &is);

    w->packets[p->class]++;
    if (fault != NIC_RIGHT || p->bad) {
        complain(b, from, WIRE_PACKET, "tile %u: the packet %012" PRIx64 " ... of %u flits %s",
                 tile, p->flit[0], p->flits,
                 p->bad                    ? "is marked bad"
                 : fault == NIC_WRONG_CODE ? "has a wrong code"
                                           : "has not the shape that its fields say");
        return;
    }
    const unsigned to = node_at(b, is.node);
    if (to == b->nodes) {
        complain(b, from, WIRE_PACKET, "tile %u: a packet goes to %05x, where nobody is", tile,
                 (unsigned)is.node);
        return;
    }
    const bool damaged = w->node[to].tested && rng_chance(&b->rng, w->knobs.damage);
    const bool lost = damaged || rng_chance(&b->rng, w->knobs.loss);

    if (p->class == 0) {
        note_request(b, from, to, &is, lost);
    } else {
        note_response(b, from, to, &is, lost);
    }
    w->lost += lost;
    if (damaged) {
        const enum wire_damage kind = (enum wire_damage)rng_below(&b->rng, WIRE_DAMAGES);

        if (!damage(p, &is, kind, &b->rng)) {
            return;
        }
        w->node[to].damaged[kind]++;
        w->damaged++;
    } else if (lost) {
        return;
    }
    send(b, from, tile, to, is.mode, p);
}

/* ---- out of a NIC -------------------------------------------------------------------------------- */

static unsigned above(unsigned used)
{
    return used > GUARANTEED ? used - GUARANTEED : 0;
}

/* A flit came out of a tile: into the router's input queue. */
static void take_flit(struct nic_bench *b, unsigned node, unsigned tile, const struct port_in *flit)
{
    struct wire_tile *t = &wire_of(b)->node[node].tile[tile];
    struct wire_packet *p = &t->sending;

    if (p->flits == 0) {
        const uint64_t head = flit->flit;
        const unsigned vc = (unsigned)nic_get(&head, NIC_VC);

        p->class = vc >= RTR_VCS / 2;
        p->bad = false;
        t->length = (unsigned)nic_get(&head, NIC_LENGTH);
        if (vc != (p->class ? RTR_VCS / 2 : 0) || t->length == 0 || t->length > NIC_FLITS) {
            complain(b, node, WIRE_PACKET,
                     "tile %u: the head %012" PRIx64 " has VC %u and length %u", tile, head, vc,
                     t->length);
            return;
        }
    }
    p->flit[p->flits++] = flit->flit;
    p->bad |= flit->bad;
    t->used[p->class]++;
    wire_of(b)->flits++;
    if (above(t->used[0]) + above(t->used[1]) > SHARED) {
        complain(b, node, WIRE_CREDIT, "tile %u: more flits than places of the router's queue",
                 tile);
    }
    if (p->flits == t->length) {
        struct wire_packet whole = *p;

        p->flits = 0;
        deliver(b, node, tile, &whole);
    }
}

/* A place of the input queue is given back. */
static struct head_vc_note give_back(struct nic_bench *b, struct wire_tile *t)
{
    struct head_vc_note freed = {};
    const unsigned class = t->used[0] == 0 ? 1 : t->used[1] == 0 ? 0 : rng_below(&b->rng, 2);

    if (t->used[class] != 0 && !rng_chance(&b->rng, wire_of(b)->knobs.hold)) {
        t->used[class]--;
        freed.valid = 1;
        freed.vc = class ? RTR_VCS / 2 : 0;
    }
    return freed;
}

/* ---- into a NIC ---------------------------------------------------------------------------------- */

/* The router's output chooses a packet, of a class for which the NIC has room. */
static struct vc_note choose(struct nic_bench *b, struct wire_tile *t, const struct port_in *nic)
{
    struct wire_list *l = &t->list;
    const rtr_vcs room = t->chose ? nic->spare : nic->room;
    struct vc_note start = {};

    t->chose = false;
    if (t->going.flits != 0 || rng_chance(&b->rng, wire_of(b)->knobs.hold)) {
        return start;
    }
    for (unsigned i = 0; i < l->count; i++) {
        const unsigned vc = l->packet[i].class ? RTR_VCS / 2 : 0;

        if (l->packet[i].due > b->clock || (room >> vc & 1) == 0) {
            continue;
        }
        t->going = l->packet[i];
        t->next = 0;
        t->chose = true;
        memmove(&l->packet[i], &l->packet[i + 1], (--l->count - i) * sizeof(l->packet[0]));
        start.valid = 1;
        start.vc = (typeof(start.vc))vc;
        break;
    }
    return start;
}

/* The next flit of the packet that goes, if there is one. */
static struct port_out next_flit(struct wire_tile *t)
{
    struct wire_packet *p = &t->going;
    struct port_out out = {};

    if (p->flits == 0) {
        return out;
    }
    out.valid = 1;
    out.flit = p->flit[t->next];
    out.head = t->next == 0;
    out.tail = ++t->next == p->flits;
    out.bad = p->bad && out.tail;
    if (out.tail) {
        p->flits = 0;
    }
    return out;
}

/* Before a clock: what the tiles drive. */
static void drive(struct nic_bench *b, unsigned node)
{
    struct wire_node *n = &wire_of(b)->node[node];

    for (unsigned i = 0; i < NL_TILES; i++) {
        struct wire_tile *t = &n->tile[i];
        const struct port_in *nic = &n->out.to_tile[i];
        const struct vc_note start = choose(b, t, nic);

        n->in.from_tile[i] = t->pipe[0];
        n->in.from_tile[i].freed = give_back(b, t);
        n->in.from_tile[i].start = start;
        if (nic->ready || !t->pipe[0].valid) {
            memmove(&t->pipe[0], &t->pipe[1], (WIRE_PIPE - 1) * sizeof(t->pipe[0]));
            t->pipe[WIRE_PIPE - 1] = next_flit(t);
        }
        t->stalled = nic->ready ? 0 : t->stalled + 1;
        if (t->stalled == READY_LIMIT) {
            complain(b, node, WIRE_READY, "tile %u: ready is 0 for %d clocks", i, READY_LIMIT);
        }
    }
}

int wire_without_room(const struct nic_bench *b)
{
    const rtr_vcs both = 1 | 1 << RTR_VCS / 2;

    for (unsigned n = 0; n < b->nodes; n++) {
        const struct wire_node *node = &wire_of(b)->node[n];

        for (unsigned t = 0; node->tested && t < NL_TILES; t++) {
            if ((node->out.to_tile[t].room & both) != both || !node->out.to_tile[t].ready) {
                return (int)(n * NL_TILES + t);
            }
        }
    }
    return -1;
}

/* ---- the fabric ---------------------------------------------------------------------------------- */

static void wire_clock(struct nic_bench *b)
{
    struct nic_wire *w = wire_of(b);

    for (unsigned i = 0; i < b->nodes; i++) {
        struct wire_node *n = &w->node[i];

        n->in.s_axi[0] = b->node[i].s_axi;
        n->in.m_axi[0] = b->node[i].m_axi;
        n->in.s_axil[0] = b->node[i].s_axil;
        drive(b, i);
    }
    for (unsigned i = 0; i < b->nodes; i++) {
        struct wire_node *n = &w->node[i];

        n->design->step(n->nic, false, &n->in, &n->out);
        for (unsigned t = 0; t < NL_TILES; t++) {
            if (n->out.to_tile[t].valid) {
                take_flit(b, i, t, &n->out.to_tile[t]);
            }
        }
    }
}

static bool wire_idle(const struct nic_bench *b)
{
    bool idle = true;

    for (unsigned i = 0; i < b->nodes; i++) {
        for (unsigned t = 0; t < NL_TILES; t++) {
            const struct wire_tile *tile = &wire_of(b)->node[i].tile[t];

            idle &= tile->list.count == 0 && tile->going.flits == 0;
        }
    }
    return idle;
}

static void wire_free(struct nic_bench *b)
{
    struct nic_wire *w = wire_of(b);

    for (unsigned i = 0; i < b->nodes; i++) {
        for (unsigned t = 0; t < NL_TILES; t++) {
            free(w->node[i].tile[t].list.packet);
        }
        w->node[i].design->free(w->node[i].nic);
    }
    free(w);
}

static const struct nic_fabric wire_fabric = {wire_clock, wire_idle, wire_free};

static void start(struct nic_bench *b, unsigned i)
{
    static const char *const names[WIRE_NODES] = {"end0", "end1", "end2", "end3"};
    struct wire_node *n = &wire_of(b)->node[i];

    n->nic = n->design->make(n->design, names[i]);
    b->node[i].address = address_of(i);
    b->node[i].from_s_axi = &n->out.s_axi[0];
    b->node[i].from_m_axi = &n->out.m_axi[0];
    b->node[i].from_s_axil = &n->out.s_axil[0];
}

struct nic_bench *wire_bench_new(unsigned nodes, uint64_t seed, struct golden_nic *golden,
                                 const struct wire_design *design, unsigned tested)
{
    struct nic_bench *b = nic_bench_new(nodes, seed, golden);
    struct nic_wire *w = calloc(1, sizeof(*w));

    if (w == NULL) {
        abort();
    }
    b->fabric = &wire_fabric;
    b->network = w;
    for (unsigned i = 0; i < nodes; i++) {
        w->node[i].tested = tested >> i & 1;
        w->node[i].design = w->node[i].tested ? design : &wire_ours;
        start(b, i);
    }
    for (unsigned c = 0; c < RESET_CLOCKS; c++) {
        for (unsigned i = 0; i < nodes; i++) {
            struct wire_node *n = &w->node[i];

            n->design->step(n->nic, true, &n->in, &n->out);
        }
    }
    return b;
}
