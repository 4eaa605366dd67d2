// SPDX-License-Identifier: Apache-2.0
/*
 * states.c - a process of two states, whose register is one bit: choices by the bit become choices by the name of a state, and
 * its next value one between names.
 *
 * The last pass: the operations are made as they are, for the constructors would have them as bits again.
 */
#include "passes/passes.h"
#include "graph/graph.h"
#include "graph/walk.h"

static struct node *choice(struct graph *g, struct node *c, struct node *yes, struct node *no)
{
    return node_intern(g, (struct node){.op = OP_MUX,
                                        .width = yes->width,
                                        .n_args = 3,
                                        .args = (struct node *[]){c, yes, no}});
}

/* Choices by q are ones by q == 0, the first state of the two. */
static void name_choices(struct module *m, const struct node *q, struct node *first)
{
    struct map map = pass_map(m);
    pass_live(m);
    for (unsigned i = 0; i < map.n; i++) {
        struct node *n = m->graph.node[i];
        if (!n->live || n->op != OP_MUX || n->args[0] != q)
            continue;
        m->graph.here = n->loc;
        map.to[i] = choice(&m->graph, first, n->args[2], n->args[1]);
        take_name(map.to[i], n);
    }
    pass_replace(m, map);
}

/* The bit as a choice between the two states, wherever it is neither a state nor q itself. */
static struct node *named(struct graph *g, struct node *n, const struct node *q, unsigned deep)
{
    enum { DEEPEST = 1000 };
    if (n == q || is_const(n) || deep == DEEPEST)
        return n;
    g->here = n->loc;
    if (n->op == OP_MUX)
        return choice(g, n->args[0], named(g, n->args[1], q, deep + 1),
                      named(g, n->args[2], q, deep + 1));
    bool inverted = n->op == OP_NOT;
    return choice(g, inverted ? n->args[0] : n, mk_const(g, 1, !inverted),
                  mk_const(g, 1, inverted));
}

void states(struct module *m)
{
    struct graph *g = &m->graph;
    for (unsigned i = 0; i < m->self.n; i++) {
        struct reg_info *reg = &m->reg[i];
        const struct leaf *leaf = &m->self.leaf[i];
        if (!reg->process || !reg->next || leaf->width * leaf->count != 1)
            continue;
        struct node *q = mk_reg(g, i, 1);
        struct node *first = mk_binary(g, OP_EQ, 1, q, mk_const(g, 1, 0));
        name_choices(m, q, first);
        reg->next = named(g, reg->next, q, 0);
    }
}
