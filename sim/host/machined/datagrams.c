// SPDX-License-Identifier: Apache-2.0
/*
 * datagrams.c - small messages that the drivers of two nodes exchange for programs which do not know each other yet.
 *
 * Two match when each is meant for the other: one that is bound to an address and id, and one that is bound back, or bound to nobody.
 * Each then gets the other's data.
 */
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sim/host/machined/machine.h"
#include "sim/host/ugni/gni_pub.h"

struct datagram {
    uint64_t key, id;
    struct domain *domain;
    bool bound;
    uint32_t address, inst; /* where it is bound to; of the partner, once there is one */
    gni_post_state_t state;
    bool hidden, orphan; /* its owner cancelled it; its endpoint is gone */
    bool told;           /* by a probe by id: who asked is about to take it */
    uint64_t turn;       /* when it was over */
    unsigned out_bytes, in_bytes;
    bool cut; /* the partner had more */
    uint8_t out[WIRE_DATA], in[WIRE_DATA];
    struct datagram *next; /* in the order of posting */
};

static uint32_t address_of(const struct domain *d)
{
    return d->job->program->address;
}

struct domain *domain_named(const struct machine *m, uint64_t job, uint32_t address, uint32_t inst)
{
    struct domain *first = NULL;
    for (unsigned i = 0; i < m->programs; i++)
        for (struct domain *d = m->program[i]->domains; d != NULL; d = d->next)
            if (d->job->number == job && address_of(d) == address) {
                if (d->inst == inst)
                    return d;
                first = first == NULL || d->key < first->key ? d : first;
            }
    return first;
}

static bool meant_for(const struct machine *m, const struct datagram *g, const struct domain *d)
{
    return g->bound && domain_named(m, g->domain->job->number, g->address, g->inst) == d;
}

static bool fits(const struct machine *m, const struct datagram *a, const struct datagram *b)
{
    const bool same = a->domain->job->number == b->domain->job->number;
    const bool there = meant_for(m, a, b->domain), back = meant_for(m, b, a->domain);
    return same && (there || back) && (there || !a->bound) && (back || !b->bound);
}

static void is_over(struct datagram *g, gni_post_state_t state)
{
    struct program *p = g->domain->job->program;
    g->state = state;
    g->turn = ++p->machine->datagram_turns;
    atomic_fetch_add(&p->shared->datagrams, 1);
    atomic_fetch_add(&p->shared->turn, 1);
    syscall(SYS_futex, &p->shared->turn, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

static void take_from(struct datagram *g, const struct datagram *of, uint32_t address,
                      uint32_t inst)
{
    g->cut = of->out_bytes > g->in_bytes;
    g->in_bytes = g->cut ? g->in_bytes : of->out_bytes;
    memcpy(g->in, of->out, g->in_bytes);
    g->address = address;
    g->inst = inst;
}

static void exchange(struct datagram *a, struct datagram *b)
{
    const uint32_t a_at = address_of(a->domain), b_at = address_of(b->domain);
    take_from(a, b, b_at, b->domain->inst);
    take_from(b, a, a_at, a->domain->inst);
    is_over(a, GNI_POST_COMPLETED);
    is_over(b, GNI_POST_COMPLETED);
}

void datagram_post(struct domain *d, const struct wire_request *r, struct wire_answer *a)
{
    struct machine *m = d->job->program->machine;
    struct datagram *g = calloc(1, sizeof *g), *partner = NULL;
    if (g == NULL || r->bytes > WIRE_DATA || r->word[5] > WIRE_DATA) {
        free(g);
        a->result = g == NULL ? WIRE_FULL : WIRE_WRONG;
        return;
    }
    *g = (struct datagram){.key = ++m->datagram_keys,
                           .id = r->word[4],
                           .domain = d,
                           .bound = r->word[1] != 0,
                           .address = (uint32_t)r->word[2],
                           .inst = (uint32_t)r->word[3],
                           .out_bytes = r->bytes,
                           .in_bytes = (unsigned)r->word[5]};
    memcpy(g->out, r->data, r->bytes);
    struct datagram **at = &m->datagrams;
    for (; *at != NULL; at = &(*at)->next) {
        const bool good = (*at)->state == GNI_POST_PENDING && fits(m, g, *at);
        if (good && (partner == NULL || (!partner->bound && (*at)->bound)))
            partner = *at;
    }
    *at = g;
    if (partner != NULL)
        exchange(g, partner);
    a->word[0] = g->key;
}

static struct datagram **find(struct domain *d, uint64_t key)
{
    struct datagram **at = &d->job->program->machine->datagrams;
    while (*at != NULL && ((*at)->key != key || (*at)->domain != d))
        at = &(*at)->next;
    return at;
}

/* It is no longer counted among those that the probes tell. */
static void untold(const struct datagram *g)
{
    if (g->state != GNI_POST_PENDING && !g->hidden)
        atomic_fetch_sub(&g->domain->job->program->shared->datagrams, 1);
}

static void take_away(struct datagram **at)
{
    struct datagram *g = *at;
    untold(g);
    *at = g->next;
    free(g);
}

void datagram_test(struct domain *d, const struct wire_request *r, struct wire_answer *a)
{
    struct datagram **at = find(d, r->word[1]);
    const struct datagram *g = *at;
    if (g == NULL) {
        a->result = WIRE_NONE;
        return;
    }
    a->word[0] = g->state;
    a->word[1] = g->address;
    a->word[2] = g->inst;
    a->word[3] = g->cut;
    a->bytes = g->state == GNI_POST_COMPLETED ? g->in_bytes : 0;
    memcpy(a->data, g->in, a->bytes);
    if (g->state != GNI_POST_PENDING)
        take_away(at);
}

void datagram_cancel(struct domain *d, const struct wire_request *r, struct wire_answer *a)
{
    struct datagram **at = find(d, r->word[1]), *g = *at;
    const bool ends = r->word[2] != 0; /* its endpoint does */
    if (g == NULL)
        a->result = WIRE_NONE;
    else if (ends && g->state != GNI_POST_PENDING)
        take_away(at);
    else if (ends) {
        g->orphan = true;
        is_over(g, GNI_POST_TERMINATED);
    } else if (g->told)
        a->result = WIRE_NONE;
    else {
        untold(g);
        g->hidden = true;
        if (g->state == GNI_POST_PENDING)
            g->state = GNI_POST_TERMINATED;
    }
}

/* The oldest of a domain that is over; one without endpoint is told once. One whose id was told to take it is not cancelled any more. */
void datagram_probe(struct domain *d, bool takes, struct wire_answer *a)
{
    struct datagram **oldest = NULL;
    for (struct datagram **at = &d->job->program->machine->datagrams; *at != NULL;
         at = &(*at)->next) {
        const struct datagram *g = *at;
        if (g->domain == d && g->state != GNI_POST_PENDING && !g->hidden &&
            (oldest == NULL || g->turn < (*oldest)->turn))
            oldest = at;
    }
    if (oldest == NULL) {
        a->result = WIRE_NONE;
        return;
    }
    a->word[0] = (*oldest)->id;
    a->word[1] = (*oldest)->address;
    a->word[2] = (*oldest)->inst;
    (*oldest)->told |= takes;
    if ((*oldest)->orphan)
        take_away(oldest);
}

void datagrams_end(struct domain *d)
{
    struct datagram **at = &d->job->program->machine->datagrams;
    while (*at != NULL)
        if ((*at)->domain == d)
            take_away(at);
        else
            at = &(*at)->next;
}
