// SPDX-License-Identifier: Apache-2.0
/*
 * nic_reduce.c - the golden NIC: reductions over trees of engines.
 */
#include <stdlib.h>
#include <string.h>

#include "tb/golden/nic/nic_inside.h"

static struct tree_engine *engine_of(struct golden_nic *g, unsigned node, unsigned engine)
{
    if (g->engine == NULL) {
        g->engine = gn_checked(calloc((size_t)g->nodes * GN_ENGINES, sizeof(*g->engine)));
    }
    return &g->engine[node * GN_ENGINES + engine];
}

void gn_engine(struct golden_nic *g, unsigned node, unsigned engine, const struct gn_engine *e)
{
    *engine_of(g, node, engine) = (struct tree_engine){.is = *e};
}

/* All endpoints below have joined. */
static bool is_complete(struct golden_nic *g, unsigned node, unsigned engine)
{
    const struct tree_engine *e = engine_of(g, node, engine);

    for (unsigned k = 0; k < e->is.children; k++) {
        const struct gn_child *c = &e->is.child[k];

        if (c->endpoint ? !e->joined[k].here : !is_complete(g, c->node, c->engine)) {
            return false;
        }
    }
    return true;
}

/* What all below contributed, in the order of children. */
static struct gn_ce_value fold(struct golden_nic *g, unsigned node, unsigned engine,
                               unsigned operation)
{
    const struct tree_engine *e = engine_of(g, node, engine);
    struct gn_ce_value values[GN_CHILDREN];

    for (unsigned k = 0; k < e->is.children; k++) {
        const struct gn_child *c = &e->is.child[k];

        values[k] = c->endpoint ? e->joined[k].is.value : fold(g, c->node, c->engine, operation);
    }
    return gn_ce_fold(operation, e->is.rounding, values, e->is.children);
}

static void put_word(uint8_t *to, uint64_t word)
{
    for (unsigned i = 0; i < 8; i++) {
        to[i] = (uint8_t)(word >> 8 * i);
    }
}

static void want_of_party(struct golden_nic *g, unsigned party, uint64_t address,
                          const uint8_t *data, unsigned bytes)
{
    const struct party *p = &g->parties[party - 1];
    struct wanted *w = gn_want(g, p->node);

    w->kind = WANT_WRITE;
    w->address = address;
    w->bytes = bytes;
    memcpy(w->data, data, bytes);
    w->transaction = p->transaction;
    w->party = party;
}

/* The results of an endpoint are wanted; what follows them is remembered. */
static void tell(struct golden_nic *g, unsigned node, const struct joined *j, bool event,
                 const struct gn_ce_value *result)
{
    uint8_t data[16];
    struct reached here = gn_reach(&g->node[node], j->is.ptag, false, j->is.mdh,
                                   j->is.offset & ~(uint64_t)7, 24, RIGHT_WRITE);

    if (g->party_count == g->party_room) {
        g->party_room = 2 * g->party_room + 16;
        g->parties = gn_checked(realloc(g->parties, g->party_room * sizeof(*g->parties)));
    }
    g->parties[g->party_count++] = (struct party){
        .node = node,
        .queue = j->is.queue,
        .transaction = j->transaction,
        .address = here.address,
        .control = (uint64_t)1 << 63 | (uint64_t)j->is.id << 16 | result->exceptions << 4,
        .event = j->is.event,
        .wants_event = event,
    };
    put_word(data, result->first);
    put_word(data + 8, result->second);
    want_of_party(g, (unsigned)g->party_count, here.address + 8, data, sizeof(data));
}

static void tell_all(struct golden_nic *g, unsigned node, unsigned engine,
                     const struct gn_ce_value *result)
{
    struct tree_engine *e = engine_of(g, node, engine);

    for (unsigned k = 0; k < e->is.children; k++) {
        const struct gn_child *c = &e->is.child[k];

        if (!c->endpoint) {
            tell_all(g, c->node, c->engine, result);
            continue;
        }
        tell(g, node, &e->joined[k], e->is.event, result);
        e->joined[k].here = false;
    }
}

void gn_follow_party(struct golden_nic *g, unsigned party)
{
    struct party *p = &g->parties[party - 1];
    uint8_t data[8];

    if (!p->told) {
        p->told = true;
        put_word(data, p->control);
        want_of_party(g, party, p->address, data, sizeof(data));
    } else if (p->wants_event) {
        gn_want_event(g, p->node, p->queue, 4, p->event, 1u << GN_OK, p->transaction, -1);
    }
}

void gn_join(struct golden_nic *g, unsigned node, const struct gn_join *j)
{
    const struct tree_engine *e = engine_of(g, node, j->engine);
    unsigned root = node, engine = j->engine;
    struct gn_ce_value result;

    engine_of(g, node, engine)->joined[j->child] =
        (struct joined){.here = true, .is = *j, .transaction = gn_open(g, node, j->ptag, false)};
    while (!e->is.root) {
        root = e->is.node;
        engine = e->is.engine;
        e = engine_of(g, root, engine);
    }
    if (is_complete(g, root, engine)) {
        result = fold(g, root, engine, j->operation);
        tell_all(g, root, engine, &result);
    }
}
