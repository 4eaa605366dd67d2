// SPDX-License-Identifier: Apache-2.0
/*
 * plain.c - candidates of a torus or a Clos around its dead parts.
 */
#include "sim/failover/plain.h"

enum { UNKNOWN, NO, YES };

bool plain_is(const struct topology *whole)
{
    return whole->machine == &machine_gemini || whole->machine == &machine_yarc;
}

static unsigned near_of(const struct topology *t, unsigned router)
{
    const unsigned global = t->here[router].global;
    return global & HERE_NO_NEAR ? UINT32_MAX : global % t->machine->nears;
}

/* What a packet to a router is looked up by where it is now. */
static struct question question_to(const struct topology *t, unsigned router, unsigned port,
                                   unsigned to)
{
    struct question q = {.router = router, .port = port};
    if (topo_far(t, router) != topo_far(t, to))
        q.index = topo_far(t, to);
    else if (near_of(t, router) != near_of(t, to))
        q.index = t->machine->fars + near_of(t, to);
    else {
        q.local = true;
        q.index = t->here[to].local;
    }
    return q;
}

/* Packets to that router may be looked up by this question. */
static bool stands_for(const struct topology *t, const struct question *q, unsigned to)
{
    const struct question its = question_to(t, q->router, q->port, to);
    return its.local == q->local && its.index == q->index;
}

static bool has_nodes(const struct topology *t, unsigned router)
{
    for (unsigned p = 0; p < t->machine->ports; p++)
        if (t->ports[router][p].kind == PORT_PROCESSOR)
            return true;
    return false;
}

static bool reaches(const struct degraded *d, unsigned router, unsigned port, unsigned to);

static bool leads_on(const struct degraded *d, const struct question *q, unsigned port)
{
    const struct topology *t = &d->topology;
    const struct port *link = &t->ports[q->router][port];
    if (link->router == TOPO_NOBODY)
        return false;
    for (unsigned to = 0; to < t->routers; to++)
        if (!d->gone[to] && has_nodes(t, to) && stands_for(t, q, to) &&
            !reaches(d, (unsigned)link->router, link->port, to))
            return false;
    return true;
}

/* Of each candidate the rows by which all can go on. */
static void filter(const struct degraded *d, const struct question *q, struct candidate_list *list)
{
    const struct topology *t = &d->topology;
    struct candidate_list all = {0};
    d->whole->candidates(t, q, &all);
    for (unsigned i = 0; i < all.count; i++) {
        struct candidate c = all.candidate[i];
        for (unsigned row = 0; row < t->machine->rows; row++) {
            const unsigned port = row * t->machine->cols + c.col;
            if (c.rows >> row & 1 && t->ports[q->router][port].kind != PORT_PROCESSOR &&
                !leads_on(d, q, port))
                c.rows &= ~(1U << row);
        }
        if (c.rows != 0)
            list->candidate[list->count++] = c;
    }
}

static bool reaches(const struct degraded *d, unsigned router, unsigned port, unsigned to)
{
    const struct topology *t = &d->topology;
    uint8_t *memory = &d->global[((size_t)router * MACHINE_PORTS + port) * t->routers + to];
    if (router == to)
        return true;
    if (*memory == UNKNOWN) {
        const struct question q = question_to(t, router, port, to);
        struct candidate_list list = {0};
        *memory = NO; /* nothing leads back here */
        filter(d, &q, &list);
        *memory = list.count > 0 ? YES : NO;
    }
    return *memory == YES;
}

void plain_candidates(const struct topology *t, const struct question *q,
                      struct candidate_list *list)
{
    const struct degraded *d = (const struct degraded *)t;
    if (!d->gone[q->router])
        filter(d, q, list);
}

unsigned plain_blame(const struct degraded *d, unsigned *blame)
{
    const struct topology *t = &d->topology;
    unsigned sum = 0;
    for (unsigned from = 0; from < t->routers; from++)
        for (unsigned p = 0; p < t->machine->ports && !d->gone[from]; p++) {
            if (t->ports[from][p].kind != PORT_PROCESSOR)
                continue;
            for (unsigned to = 0; to < t->routers; to++)
                if (!d->gone[to] && has_nodes(t, to) && !reaches(d, from, p, to)) {
                    blame[from]++;
                    blame[to]++;
                    sum++;
                }
            break; /* all processor ports of a router have the same ways */
        }
    return sum;
}
