// SPDX-License-Identifier: Apache-2.0
/*
 * walk.c - roots, liveness and replacement: what every pass over a graph needs.
 */
#include "graph/walk.h"
#include "graph/graph.h"

#include <string.h>

struct node ***module_roots(struct module *m, unsigned *n)
{
    struct node ***root = NULL;
    *n = 0;
#define ROOT(place)                                                                                \
    do {                                                                                           \
        if (place)                                                                                 \
            PUSH_SCRATCH(root, *n, &(place));                                                      \
    } while (0)
    for (unsigned i = 0; i < m->self.n && m->reg; i++) {
        ROOT(m->reg[i].next);
        ROOT(m->reg[i].write.enable);
        ROOT(m->reg[i].write.addr);
        ROOT(m->reg[i].write.data);
    }
    for (unsigned i = 0; i < m->n_bram; i++) {
        ROOT(m->bram[i].enable);
        ROOT(m->bram[i].addr);
    }
    for (unsigned i = 0; i < m->n_inst && m->inst_in; i++)
        for (unsigned k = 0; k < m->inst[i].module->in.n; k++)
            ROOT(m->inst_in[i][k]);
    for (unsigned i = 0; i < m->n_check; i++)
        ROOT(m->check[i].cond);
    ROOT(m->result);
#undef ROOT
    return root;
}

unsigned pass_live(struct module *m)
{
    unsigned n_roots, n_live = 0;
    struct node ***root = module_roots(m, &n_roots);
    struct graph *g = &m->graph;
    for (unsigned i = 0; i < g->n; i++)
        g->node[i]->live = false;
    for (unsigned i = 0; i < n_roots; i++)
        (*root[i])->live = true;
    for (unsigned i = g->n; i-- > 0;) {
        struct node *n = g->node[i];
        n_live += n->live;
        for (unsigned k = 0; n->live && k < n->n_args; k++)
            n->args[k]->live = true;
    }
    return n_live;
}

unsigned hardware_live(struct module *m)
{
    const unsigned checks = m->n_check;
    m->n_check = 0;
    const unsigned live = pass_live(m);
    m->n_check = checks;
    return live;
}

void pass_uses(struct module *m)
{
    unsigned n_roots;
    struct node ***root = module_roots(m, &n_roots);
    for (unsigned i = 0; i < m->graph.n; i++)
        m->graph.node[i]->uses = 0;
    for (unsigned i = 0; i < m->graph.n; i++)
        for (unsigned k = 0; m->graph.node[i]->live && k < m->graph.node[i]->n_args; k++)
            m->graph.node[i]->args[k]->uses++;
    for (unsigned i = 0; i < n_roots; i++)
        (*root[i])->uses++;
}

struct map pass_map(struct module *m)
{
    struct map map = {.n = m->graph.n, .to = scratch((m->graph.n + 1) * sizeof *map.to)};
    memcpy(map.to, m->graph.node, map.n * sizeof *map.to);
    return map;
}

void pass_replace(struct module *m, struct map map)
{
    struct graph *g = &m->graph;
    unsigned n_roots;
    struct node ***root = module_roots(m, &n_roots);
    pass_live(m);
    for (unsigned i = 0; i < map.n; i++) {
        struct node *n = g->node[i];
        if (!n->live || map.to[i] != n)
            continue;
        struct node **arg = scratch(n->n_args * sizeof *arg);
        bool changed = false;
        for (unsigned k = 0; k < n->n_args; k++) {
            struct node *a = n->args[k];
            arg[k] = a->id < map.n ? map.to[a->id] : a;
            changed |= arg[k] != a;
        }
        if (!changed)
            continue;
        g->here = n->loc;
        map.to[i] = mk_like(g, n, arg);
        take_name(map.to[i], n);
    }
    for (unsigned i = 0; i < n_roots; i++)
        if ((*root[i])->id < map.n)
            *root[i] = map.to[(*root[i])->id];
}
