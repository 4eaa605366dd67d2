// SPDX-License-Identifier: Apache-2.0
/*
 * loops.c - the variables of loops.
 *
 * All generate loops of a module share one genvar, and all loops of a function one integer. A block of statements
 * in which there are loops has a name and an integer of its own: two blocks with one integer are two drivers of it.
 */
#include "plan/plan.h"
#include "graph/graph.h"

static const char *block_name(struct plan *p, const char *net)
{
    return unique_name(p, format("for_%s", net));
}

static void name_vector_loop(struct plan *p, struct vector *v)
{
    if (!v->needed || v->gathered)
        return;
    if (p->outer)
        p->uses_integer = true;
    else if (v->chain)
        v->block = block_name(p, v->net);
    else
        p->uses_genvar[v->section] = true;
}

/* A vector of which one element is replaced. */
static void name_set_loop(struct plan *p, struct info *info)
{
    if (p->outer)
        p->uses_integer = true;
    else
        info->block = block_name(p, info->net);
}

void plan_loops(struct module *m)
{
    struct plan *p = m->plan;
    for (unsigned i = 0; i < p->n_vectors; i++)
        name_vector_loop(p, p->vector[i]);
    for (unsigned i = 0; i < m->graph.n; i++) {
        const struct node *n = m->graph.node[i];
        struct info *info = info_found(m, n);
        if (info && info->is_net && n->op == OP_SET)
            name_set_loop(p, info);
    }
    for (unsigned k = 0; k < m->n_inst; k++)
        p->uses_genvar[IN_MODULE] |= m->inst[k].count > 1;
    for (unsigned i = 0; i < p->n_blocks; i++)
        if (p->block[i].loops)
            p->block[i].name = unique_name(p, "registers");
    bool memory = false;
    for (unsigned i = 0; i < m->self.n; i++)
        memory |= is_memory(&m->self.leaf[i]);
    if (memory)
        p->zeros = unique_name(p, "zero_memories");
}
