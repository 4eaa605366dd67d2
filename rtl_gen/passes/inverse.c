// SPDX-License-Identifier: Apache-2.0
/*
 * inverse.c - a concatenation of inverses is the inverse of a concatenation: {!x[2], !x[1], !x[0]} is ~x.
 *
 * Only of parts that have a name, or will have one: the inverse of an operation is often an operation (x != y), not one
 * more. Late, as the passes before look into concatenations and not through their inverse.
 */
#include "passes/passes.h"
#include "graph/graph.h"
#include "graph/walk.h"

/* What the part is the inverse of, or copies of whose inverse; NULL: of nothing with a name. */
static struct node *inverted(struct graph *g, struct node *part)
{
    struct node *n = part->op == OP_SEXT ? part->args[0] : part;
    if (n->op != OP_NOT || n->args[0]->op == OP_CONCAT)
        return NULL;
    struct node *x = n->args[0];
    if (x->n_args > 0 && x->op != OP_SLICE && (x->uses < 2 || op_info[x->op].kind == KIND_TEST))
        return NULL;
    return part == n ? x : mk_sext(g, x, part->width);
}

static struct node *replaced(struct graph *g, struct node *n)
{
    struct node **part = scratch((n->n_args + 1) * sizeof *part);
    for (unsigned i = 0; i < n->n_args; i++) {
        part[i] = n->op == OP_CONCAT ? inverted(g, n->args[i]) : NULL;
        if (part[i] == NULL)
            return n;
    }
    if (n->op != OP_CONCAT)
        return n;
    g->here = n->loc;
    struct node *r = mk_not(g, mk_concat(g, n->n_args, part));
    take_name(r, n);
    return r;
}

void inverse(struct module *m)
{
    struct map map = pass_map(m);
    pass_live(m);
    pass_uses(m);
    for (unsigned i = 0; i < map.n; i++)
        if (map.to[i]->live)
            map.to[i] = replaced(&m->graph, map.to[i]);
    pass_replace(m, map);
}
