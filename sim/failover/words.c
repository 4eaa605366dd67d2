// SPDX-License-Identifier: Apache-2.0
/*
 * words.c - gathers requests for the register busses of routers.
 */
#include "sim/failover/words.h"

#include <assert.h>
#include <stdlib.h>

#include "sim/base/program.h"

/* That are handed in at once. */
enum { WORDS = 4096 };

const struct topology *words_of(const struct supervisor *s)
{
    return s->tables ? &s->tables->topology : s->whole;
}

bool words_has_place(const struct supervisor *s, unsigned router)
{
    return !(s->tables && s->tables->gone[router]);
}

/* Requests for one router that are being gathered. */
struct batch {
    struct request *request;
    size_t count;
    unsigned router;
    struct supervisor *supervisor;
};

static void hand_in(struct batch *b)
{
    faults_ask(b->supervisor->network, b->router, b->request, b->count);
    b->count = 0;
}

static void add(struct batch *b, struct request request)
{
    b->request[b->count++] = request;
    b->supervisor->words += request.write;
    if (b->count == WORDS)
        hand_in(b);
}

static void add_word(struct batch *b, unsigned port, enum memory memory, unsigned index,
                     uint64_t word)
{
    const struct machine *m = b->supervisor->whole->machine;
    add(b,
        (struct request){true, m->route_address(port, memory), m->route_data(memory, index, word)});
}

void words_ask_counters(struct supervisor *s)
{
    const struct topology *t = s->whole;
    struct batch b = {.request = sim_alloc(WORDS, sizeof *b.request), .supervisor = s};
    for (b.router = 0; b.router < t->routers; b.router++) {
        if (s->dead_router[b.router] || supervisor_apart(s, b.router))
            continue;
        for (unsigned p = 0; p < t->machine->ports; p++)
            for (unsigned vc = 0; vc < t->machine->vcs && t->ports[b.router][p].kind >= PORT_LINK;
                 vc++)
                add(&b, (struct request){.address = t->machine->arrived_address(p, vc)});
        hand_in(&b);
    }
    free(b.request);
    s->asked = faults_now(s->network);
}

/* What is written into a new router's tile besides its entries. */
static void write_rest(struct batch *b, unsigned port)
{
    const struct topology *t = b->supervisor->whole;
    const struct machine *m = t->machine;
    const struct here *here = &t->here[b->router];
    for (unsigned i = 0; i < 2 * MACHINE_TYPES * m->vcs * m->phases; i++) {
        const unsigned phase = i % m->phases, vc = i / m->phases % m->vcs;
        const unsigned type = i / m->phases / m->vcs % MACHINE_TYPES;
        const unsigned nonminimal = i / m->phases / m->vcs / MACHINE_TYPES;
        add_word(b, port, MEMORY_VC_MAP, m->hop_at(nonminimal, type, vc, phase),
                 m->pack_hop(t->hop(t, b->router, port, nonminimal, type, vc, phase)));
    }
    add_word(b, port, MEMORY_BIAS, 0, b->supervisor->bias);
    add_word(b, port, MEMORY_HERE, 0, m->pack_here(here->global, here->local, b->router));
    add_word(b, port, MEMORY_FIRST, 0, topo_transit_rows(t, b->router));
}

/* The entries of one tile that differ from what stands there; all of them if nothing does. */
static void write_entries(struct batch *b, unsigned port, const struct topology *before,
                          const struct topology *after)
{
    const struct machine *m = after->machine;
    for (unsigned k = 0; k < 4; k++) {
        struct question q = {
            .router = b->router, .port = port, .nonminimal = k & 1, .local = k >> 1};
        const unsigned indices = topo_indices(b->supervisor->whole, q.local);
        for (q.index = 0; q.index < indices; q.index++) {
            uint64_t old[MACHINE_DRAWS], new[MACHINE_DRAWS];
            if (before)
                topo_entries(before, &q, old);
            topo_entries(after, &q, new);
            for (unsigned draw = 0; draw < MACHINE_DRAWS; draw++)
                if (!before || old[draw] != new[draw])
                    add_word(b, port, q.nonminimal ? MEMORY_NONMINIMAL : MEMORY_MINIMAL,
                             m->entry_at(q.local, q.index, draw), new[draw]);
        }
    }
}

/* A router's memories hold these tables from now on; those that none holds any more are freed. */
static void keep(struct supervisor *s, unsigned router, struct degraded *tables)
{
    struct degraded *before = s->holds[router];
    s->holds[router] = tables;
    for (unsigned r = 0; r < s->whole->routers; r++)
        if (s->holds[r] == before)
            return;
    if (before != s->tables)
        degraded_free(before);
}

void words_free(struct supervisor *s)
{
    for (unsigned r = 0; r < s->whole->routers; r++)
        keep(s, r, s->tables);
    degraded_free(s->tables);
    free(s->holds);
}

void words_write_all(struct supervisor *s, unsigned router)
{
    struct batch b = {
        .request = sim_alloc(WORDS, sizeof *b.request), .supervisor = s, .router = router};
    for (unsigned p = 0; p < s->whole->machine->ports; p++) {
        if (s->whole->ports[router][p].kind == PORT_UNUSED)
            continue;
        write_rest(&b, p);
        write_entries(&b, p, NULL, words_of(s));
    }
    hand_in(&b);
    free(b.request);
    keep(s, router, s->tables);
}

void words_write(struct supervisor *s, struct degraded *after)
{
    struct degraded *const before = s->tables;
    assert(s->whole->routers > 0);
    struct batch b = {.request = sim_alloc(WORDS, sizeof *b.request), .supervisor = s};
    for (b.router = 0; b.router < s->whole->routers; b.router++) {
        const struct degraded *holds = s->holds[b.router];
        if (after->gone[b.router])
            continue;
        for (unsigned p = 0; p < s->whole->machine->ports; p++)
            if (s->whole->ports[b.router][p].kind != PORT_UNUSED)
                write_entries(&b, p, holds ? &holds->topology : s->whole, &after->topology);
        hand_in(&b);
        keep(s, b.router, after);
    }
    free(b.request);
    s->tables = after;
    for (b.router = 0; b.router < s->whole->routers; b.router++)
        if (s->holds[b.router] == before)
            return;
    degraded_free(before);
}
