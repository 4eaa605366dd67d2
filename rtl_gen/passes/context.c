// SPDX-License-Identifier: Apache-2.0
/*
 * context.c - what a condition tells about the values it selects.
 *
 * In `c ? a : b` a is only seen while c is true, b while it is false; in `c && x`, x only while c is
 * true. Choices by c inside a, b and x are settled by that. Nothing is computed twice: a value that
 * others use too is never made again, only picked from.
 */
#include "passes/passes.h"
#include "graph/graph.h"
#include "graph/walk.h"

#define DEEPEST 6

struct fact {
    const struct node *bit;
    bool value;
};

struct facts {
    struct fact fact[8];
    unsigned n;
};

/* c is `value`: so are the terms of a conjunction that is true, of a disjunction that is false. */
static void learn(struct facts *f, const struct node *c, bool value)
{
    if (c->op == OP_NOT) {
        learn(f, c->args[0], !value);
        return;
    }
    if (f->n == sizeof f->fact / sizeof *f->fact)
        return;
    f->fact[f->n++] = (struct fact){c, value};
    if (c->op == (value ? OP_AND : OP_OR)) {
        learn(f, c->args[0], value);
        learn(f, c->args[1], value);
    }
}

/* x == k and x == l of different constants. */
static bool same_subject(const struct node *a, const struct node *b)
{
    return a->op == OP_EQ && b->op == OP_EQ && a->args[0] == b->args[0] && a != b &&
           is_const(a->args[1]) && is_const(b->args[1]);
}

static bool known(const struct facts *f, const struct node *bit, bool *value)
{
    for (unsigned i = 0; i < f->n; i++)
        if (f->fact[i].bit == bit) {
            *value = f->fact[i].value;
            return true;
        } else if (f->fact[i].value && same_subject(f->fact[i].bit, bit)) {
            *value = false; /* it equals another constant */
            return true;
        }
    return false;
}

static bool free_of_cost(const struct node *n)
{
    return op_info[n->op].kind == KIND_WIRING || n->op == OP_NOT;
}

static struct node *given(struct graph *g, struct node *n, const struct facts *f, unsigned depth)
{
    bool value;
    if (n->width == 1 && known(f, n, &value))
        return mk_const(g, 1, value);
    if (depth == 0 || n->n_args == 0 || n->n_args > 16)
        return n;
    if (n->op == OP_MUX && known(f, n->args[0], &value))
        return given(g, n->args[value ? 1 : 2], f, depth - 1);
    bool bitwise = op_info[n->op].kind == KIND_BITWISE;
    if (!free_of_cost(n) && (!bitwise || n->uses > 1))
        return n;
    struct node *arg[16];
    bool changed = false;
    for (unsigned i = 0; i < n->n_args; i++) {
        arg[i] = given(g, n->args[i], f, depth - 1);
        changed |= arg[i] != n->args[i];
    }
    if (!changed)
        return n;
    struct node *r = mk_like(g, n, arg);
    if (r->n_args)
        take_name(r, n);
    return r;
}

static struct node *arm(struct graph *g, struct node *c, bool value, struct node *n)
{
    struct facts f = {.n = 0};
    learn(&f, c, value);
    return given(g, n, &f, DEEPEST);
}

/* A choice, an AND or an OR, its parts simplified by what the other parts say. */
static struct node *settled(struct graph *g, struct node *n)
{
    struct node *a = n->args[0], *b = n->args[1];
    if (n->op == OP_MUX) {
        b = arm(g, a, true, b);
        return mk_mux(g, a, b, arm(g, a, false, n->args[2]));
    }
    if (n->width > 1)
        return n;
    b = arm(g, a, n->op == OP_AND, b);
    a = arm(g, b, n->op == OP_AND, a);
    return n->op == OP_AND ? mk_and(g, a, b) : mk_or(g, a, b);
}

void context(struct module *m)
{
    struct graph *g = &m->graph;
    pass_live(m);
    pass_uses(m);
    struct map map = pass_map(m);
    for (unsigned i = 0; i < map.n; i++) {
        struct node *n = g->node[i];
        if (!n->live || (n->op != OP_MUX && n->op != OP_AND && n->op != OP_OR))
            continue;
        g->here = n->loc;
        struct node *r = settled(g, n);
        if (r == n)
            continue;
        if (r->n_args)
            take_name(r, n);
        map.to[i] = r;
    }
    pass_replace(m, map);
}
