// SPDX-License-Identifier: Apache-2.0
/*
 * faults.c - cut cables, dead routers, and the ledger of what they take with them.
 */
#include "sim/failover/faults.h"

#include <stdlib.h>

#include "sim/failover/blocks.h"
#include "sim/failover/l0.h"
#include "sim/engine/network_state.h"

/* One end of a cable, or a processor port. */
struct end {
    enum link_state state;
    bool broken;    /* the cable, not only who is at its end */
    uint64_t since; /* it is silent */
    unsigned coming,
        going; /* flits still to come of a packet, and to go; where the end frames: it is under way, and those that it may have */
    bool corrupted;                /* one of those that came is marked bad */
    unsigned vc;                   /* of the packet that goes */
    unsigned pending[MACHINE_VCS]; /* flits charged and not sent */
};

struct faults {
    unsigned silence;
    struct end *end; /* [router][port] */
    bool *dead;      /* routers */
    int64_t *inside; /* tails that went in less those that went out, by router */
    struct desk *desk;
    struct fault_block *block; /* [router][port], with link control blocks */
    struct l0 *l0;             /* [router], where they have AXI4-Lite */
    struct losses losses;
};

static struct faults *faults_of(const struct network *n)
{
    return n->cable_state;
}

static struct end *end_of(const struct network *n, unsigned router, unsigned port)
{
    return &faults_of(n)->end[tile_of(n, router, port)];
}

/* ---- flits ------------------------------------------------------------------------------------- */

/* Counts a flit that comes in; true if it is the tail of a packet none of whose flits is marked. */
static bool good_tail(const struct network *n, struct end *e, const struct wires_in *in)
{
    const struct machine *m = n->model->machine;
    if (e->coming == 0) {
        e->coming = m->by_end ? 1 : m->unpack_head(in->flit).length;
        e->corrupted = false;
    }
    e->corrupted |= in->bad || (in->tail && in->ok != MODEL_GOOD);
    e->coming -= !m->by_end || in->tail;
    return e->coming == 0 && !e->corrupted;
}

/* What comes in of a packet whose rest is lost, or, where the end frames it, that end alone: no name is like that. */
static void make_up(const struct network *n, const struct end *e, struct wires_in *in)
{
    in->valid = in->bad = in->tail = e->coming > 0;
    in->flit = (UINT64_C(1) << n->model->machine->flit_bits) - 1;
    in->dead = true;
    in->peer_load = 0;
}

static void comes(struct network *n, unsigned router, unsigned port, struct wires_in *in)
{
    struct end *e = end_of(n, router, port);
    if (e->state == LINK_SILENT && n->nics.now >= e->since + faults_of(n)->silence) {
        struct account *account = &n->end[tile_of(n, router, port)].account;
        *account = (struct account){0};
        for (unsigned vc = 0; vc < n->model->machine->vcs; vc++)
            account_charge(account, n->model, vc, e->pending[vc]);
        e->state = LINK_DEAD;
    }
    if (e->state >= LINK_DEAD)
        make_up(n, e, in);
    if (in->valid)
        faults_of(n)->inside[router] += good_tail(n, e, in);
}

static bool goes(struct network *n, unsigned router, unsigned port, const struct wires_out *out)
{
    const struct machine *m = n->model->machine;
    struct end *e = end_of(n, router, port);
    if (out->start)
        e->pending[out->start_vc] += m->packet;
    if (out->valid && out->head) {
        const struct head head = m->unpack_head(out->flit);
        e->vc = head.vc;
        e->going = m->by_end ? m->packet : head.length;
        e->pending[e->vc] -= m->packet - e->going;
    }
    if (out->valid) {
        e->pending[e->vc]--;
        e->going--;
    }
    if (m->by_end && out->valid && out->tail) {
        e->pending[e->vc] -= e->going;
        e->going = 0;
    }
    const bool lost = e->state != LINK_UP && out->valid && out->tail && !out->bad;
    faults_of(n)->inside[router] -= out->valid && out->tail && !out->bad;
    faults_of(n)->losses.cable += lost && e->state == LINK_SILENT;
    faults_of(n)->losses.port += lost && e->state >= LINK_DEAD;
    if (e->state >= LINK_DEAD && out->valid)
        account_free(&n->end[tile_of(n, router, port)].account, n->model, e->vc, 1);
    return e->state == LINK_UP;
}

bool faults_carries(const struct network *n, unsigned router, unsigned port)
{
    return !end_of(n, router, port)->broken &&
           !faults_of(n)->dead[n->topology->ports[router][port].router];
}

void faults_crossed(struct network *n, unsigned router, unsigned port, const struct wires_in *in,
                    const struct wires_out *taken)
{
    struct faults *f = faults_of(n);
    if (in->valid && good_tail(n, end_of(n, router, port), in)) {
        f->inside[router]++;
        f->losses.cable--;
    }
    if (taken && taken->tail && !taken->bad) {
        f->inside[router]--;
        f->losses.port += in->dead;
        f->losses.cable += !in->dead;
    }
}

/* ---- breaking ---------------------------------------------------------------------------------- */

/* What is on its way to this end is lost. */
static void empty(struct network *n, unsigned router, unsigned port)
{
    struct end reader = *end_of(n, router, port);
    for (unsigned i = 0; i < n->slots; i++) {
        struct arrival *a = arrival_at(n, router, port, n->nics.now + i);
        if (a->valid)
            faults_of(n)->losses.cable += good_tail(
                n, &reader, &(struct wires_in){.flit = a->flit, .bad = a->bad, .tail = a->tail});
        *a = (struct arrival){0};
    }
}

static void silence(struct network *n, unsigned router, unsigned port)
{
    struct end *e = end_of(n, router, port);
    empty(n, router, port);
    e->state = LINK_SILENT;
    e->since = n->nics.now;
}

static void cut(struct network *n, unsigned router, unsigned port)
{
    const struct port *peer = &n->topology->ports[router][port];
    struct end *a = end_of(n, router, port), *b = end_of(n, (unsigned)peer->router, peer->port);
    if (a->state == LINK_UP) {
        silence(n, router, port);
        silence(n, (unsigned)peer->router, peer->port);
    } else if (a->state == LINK_TRAINS) {
        a->state = b->state = LINK_DEAD;
    }
}

void faults_cut(struct network *n, unsigned router, unsigned port)
{
    const struct port *peer = &n->topology->ports[router][port];
    if (!n->block)
        cut(n, router, port);
    end_of(n, router, port)->broken = true;
    end_of(n, (unsigned)peer->router, peer->port)->broken = true;
}

void faults_kill(struct network *n, unsigned router)
{
    struct faults *f = faults_of(n);
    for (unsigned p = 0; p < n->model->machine->ports; p++) {
        if (n->topology->ports[router][p].router != TOPO_NOBODY && !n->block)
            cut(n, router, p);
        const int32_t nic = n->end[tile_of(n, router, p)].nic;
        if (nic != NIC_NOBODY)
            f->losses.router += nic_reset(&n->nics, &n->nics.nic[nic]);
    }
    f->losses.router += (uint64_t)f->inside[router];
    f->inside[router] = 0;
    f->dead[router] = true;
    if (n->block)
        blocks_kill(n, router);
}

/* ---- repairing --------------------------------------------------------------------------------- */

void faults_replace(struct network *n, unsigned router)
{
    struct faults *f = faults_of(n);
    n->model->reset(n->router[router]);
    for (unsigned p = 0; p < n->model->machine->ports; p++) {
        const bool cable = n->topology->ports[router][p].router != TOPO_NOBODY;
        struct cable_end *end = &n->end[tile_of(n, router, p)];
        *end_of(n, router, p) = (struct end){.state = cable ? LINK_DEAD : LINK_UP,
                                             .broken = end_of(n, router, p)->broken};
        *end = (struct cable_end){.nic = end->nic};
    }
    desk_clear(&f->desk[router]);
    if (f->l0)
        l0_reset(f->l0, n, router);
    if (n->block)
        blocks_replace(n, router);
    f->dead[router] = false;
}

void faults_restart(struct network *n, unsigned router, unsigned port)
{
    const struct port *peer = &n->topology->ports[router][port];
    struct end *a = end_of(n, router, port), *b = end_of(n, (unsigned)peer->router, peer->port);
    const bool lives = !faults_of(n)->dead[router] && !faults_of(n)->dead[peer->router];
    if (lives && a->state == LINK_DEAD && b->state == LINK_DEAD && !a->broken)
        a->state = b->state = LINK_TRAINS;
}

void faults_mend(struct network *n, unsigned router, unsigned port)
{
    const struct port *peer = &n->topology->ports[router][port];
    struct end *a = end_of(n, router, port), *b = end_of(n, (unsigned)peer->router, peer->port);
    a->broken = b->broken = false;
}

/* Nothing of the past is in the input queue, and no packet is halfway out. */
static bool clear(const struct network *n, unsigned router, unsigned port)
{
    const struct end *e = end_of(n, router, port);
    return e->state == LINK_TRAINS && e->coming == 0 && e->going == 0 &&
           n->end[tile_of(n, router, port)].held == 0;
}

static void step(struct network *n)
{
    for (unsigned r = 0; r < n->topology->routers; r++)
        for (unsigned p = 0; p < n->model->machine->ports; p++) {
            const struct port *peer = &n->topology->ports[r][p];
            if (peer->router == TOPO_NOBODY || !clear(n, r, p) ||
                !clear(n, (unsigned)peer->router, peer->port))
                continue;
            end_of(n, r, p)->state = LINK_UP;
            end_of(n, (unsigned)peer->router, peer->port)->state = LINK_UP;
        }
}

/* ---- what is known ----------------------------------------------------------------------------- */

bool faults_dead(const struct network *n, unsigned router)
{
    return faults_of(n)->dead[router];
}

struct fault_block *faults_blocks(const struct network *n)
{
    return faults_of(n)->block;
}

enum link_state faults_link(const struct network *n, unsigned router, unsigned port)
{
    return faults_of(n)->dead[router] ? LINK_NO_ANSWER : end_of(n, router, port)->state;
}

unsigned faults_deaf_ends(const struct network *n)
{
    unsigned count = 0;
    if (n->block)
        return blocks_deaf_ends(n);
    for (unsigned r = 0; r < n->topology->routers; r++)
        for (unsigned p = 0; p < n->model->machine->ports; p++)
            count += !faults_of(n)->dead[r] && end_of(n, r, p)->state == LINK_SILENT;
    return count;
}

struct losses faults_losses(const struct network *n)
{
    struct losses l = faults_of(n)->losses;
    l.marked = n->nics.marked;
    l.missing = n->nics.given_up;
    for (unsigned r = 0; r < n->topology->routers; r++) {
        l.dropped += (uint64_t)faults_of(n)->inside[r];
        l.missing += packets_expected(&n->nics.store[r]);
    }
    l.unreported = n->block ? blocks_unreported(n) : 0;
    return l;
}

/* ---- nodes ------------------------------------------------------------------------------------ */

void faults_hold(struct network *n, bool hold)
{
    n->nics.held = hold;
}

void faults_nodes(struct network *n, bool *down, uint64_t *beat)
{
    n->nics.down = down;
    n->nics.beat = beat;
}

void faults_beat(struct network *n, unsigned router, unsigned to)
{
    for (unsigned i = 0; i < n->nics.count; i++)
        if (n->nics.nic[i].router == router) {
            nic_beat(&n->nics, &n->nics.nic[i], to);
            return;
        }
}

uint64_t faults_now(const struct network *n)
{
    return n->nics.now;
}

/* ---- register bus ------------------------------------------------------------------------------ */

void faults_ask(struct network *n, unsigned router, const struct request *requests, size_t count)
{
    if (faults_l0(n))
        l0_ask(faults_l0(n), router, MODEL_ROUTER, requests, count);
    else
        desk_ask(&faults_of(n)->desk[router], requests, count);
}

size_t faults_pending(const struct network *n, unsigned router)
{
    return faults_l0(n) ? l0_pending(faults_l0(n), router, MODEL_ROUTER)
                        : desk_pending(&faults_of(n)->desk[router]);
}

uint64_t faults_read(struct network *n, unsigned router)
{
    return faults_l0(n) ? l0_read(faults_l0(n), router, MODEL_ROUTER)
                        : desk_read(&faults_of(n)->desk[router]);
}

struct l0 *faults_l0(const struct network *n)
{
    return faults_of(n)->l0;
}

bool faults_chips(const struct network *n)
{
    return faults_l0(n);
}

void faults_ask_chip(struct network *n, unsigned router, const struct request *requests,
                     size_t count)
{
    l0_ask(faults_l0(n), router, MODEL_SUPERVISOR, requests, count);
}

size_t faults_pending_chip(const struct network *n, unsigned router)
{
    return l0_pending(faults_l0(n), router, MODEL_SUPERVISOR);
}

uint64_t faults_read_chip(struct network *n, unsigned router)
{
    return l0_read(faults_l0(n), router, MODEL_SUPERVISOR);
}

unsigned faults_link_of(const struct network *n, unsigned router, unsigned port)
{
    return l0_link(faults_l0(n), router, port) - MODEL_LINKS;
}

static void drive_bus(struct network *n, unsigned router, struct bus *bus)
{
    if (faults_l0(n))
        l0_drive(faults_l0(n), router, MODEL_ROUTER, bus);
    else
        desk_drive(&faults_of(n)->desk[router], bus);
}

static void answer_bus(struct network *n, unsigned router, const struct bus *bus)
{
    struct l0 *l0 = faults_l0(n);
    if (l0) {
        l0_answer(l0, router, MODEL_ROUTER, bus);
        l0_clock(l0, n, router);
    } else
        desk_answer(&faults_of(n)->desk[router], bus);
}

/* ---- beginning and end ------------------------------------------------------------------------- */

static void free_all(struct network *n)
{
    struct faults *f = faults_of(n);
    for (unsigned r = 0; r < n->topology->routers; r++)
        desk_free(&f->desk[r]);
    free(f->end);
    free(f->dead);
    free(f->inside);
    free(f->desk);
    blocks_free(n);
    l0_free(f->l0, n);
    free(f);
}

static const struct cable_ops ops = {
    .dead = faults_dead,
    .bus = drive_bus,
    .answer = answer_bus,
    .comes = comes,
    .goes = goes,
    .drive = blocks_drive,
    .crossed = blocks_answer,
    .step = step,
    .free = free_all,
};

void faults_begin(struct network *n, unsigned silence)
{
    const unsigned routers = n->topology->routers;
    struct faults *f = sim_alloc(1, sizeof *f);
    f->silence = silence;
    f->end = sim_alloc((size_t)routers * MACHINE_PORTS, sizeof *f->end);
    f->dead = sim_alloc(routers, sizeof *f->dead);
    f->inside = sim_alloc(routers, sizeof *f->inside);
    f->desk = sim_alloc(routers, sizeof *f->desk);
    n->nics.fails = true;
    f->block = n->block ? blocks_new(n) : NULL;
    f->l0 = l0_new(n);
    n->cable_ops = &ops;
    n->cable_state = f;
}
