// SPDX-License-Identifier: Apache-2.0
/*
 * narrow.c - demanded bits: no operation wider than what is used of it.
 *
 * Backwards over the graph, each live node tells its arguments which of their bits it looks at.
 * Forwards, each node is made again with only the bits between the lowest and the highest one that
 * somebody looks at; the others become zero, which nobody sees. What is narrower may simplify further: the pass is run again
 * while it helps.
 */
#include "passes/passes.h"
#include "graph/graph.h"
#include "graph/walk.h"

#include <string.h>

struct bits {
    uint64_t *word;
};

static bool get(const struct bits *b, unsigned i)
{
    return b->word[i / 64] >> (i % 64) & 1;
}

static void set(struct bits *b, unsigned low, unsigned n)
{
    for (unsigned i = low; i < low + n; i++)
        b->word[i / 64] |= UINT64_C(1) << (i % 64);
}

/* Lowest and one past the highest demanded bit; false if none. */
static bool range(const struct bits *b, unsigned width, unsigned *low, unsigned *end)
{
    *low = 0;
    *end = width;
    while (*low < width && !get(b, *low))
        ++*low;
    while (*end > *low && !get(b, *end - 1))
        --*end;
    return *end > *low;
}

/* arg demands what n does, shifted: bit i + from of n is bit i of arg. */
static void pass_on(struct bits *arg, unsigned arg_width, const struct bits *n, unsigned from)
{
    for (unsigned i = 0; i < arg_width; i++)
        if (get(n, i + from))
            set(arg, i, 1);
}

/* A constant other operand of AND (OR) that is zero (one) hides the bit. */
static void pass_masked(struct bits *arg, const struct node *n, const struct bits *d,
                        const struct node *other)
{
    for (unsigned i = 0; i < n->width; i++)
        if (get(d, i) && !(is_const(other) && const_bit(other, i) == (n->op == OP_OR)))
            set(arg, i, 1);
}

static void demand_elements(struct bits *vec, const struct node *n, const struct node *v,
                            unsigned width, const struct bits *d)
{
    for (unsigned i = 0; i < v->width; i++)
        if (get(d, n->op == OP_GET ? i % width : i))
            set(vec, i, 1);
}

static void demand(const struct node *n, struct bits *all)
{
    struct node *const *a = n->args;
    struct bits *d = &all[n->id];
    unsigned low, end;
    if (!range(d, n->width, &low, &end))
        return;
    if (op_info[n->op].kind == KIND_SUM) {
        set(&all[a[0]->id], 0, end);
        set(&all[a[1]->id], 0, end);
        return;
    }
    switch (n->op) {
    case OP_AND:
    case OP_OR:
        pass_masked(&all[a[0]->id], n, d, a[1]);
        pass_masked(&all[a[1]->id], n, d, a[0]);
        break;
    case OP_NOT:
    case OP_XOR:
        for (unsigned i = 0; i < n->n_args; i++)
            pass_on(&all[a[i]->id], n->width, d, 0);
        break;
    case OP_MUX:
        set(&all[a[0]->id], 0, 1);
        pass_on(&all[a[1]->id], n->width, d, 0);
        pass_on(&all[a[2]->id], n->width, d, 0);
        break;
    case OP_SHL:
        set(&all[a[0]->id], 0, end);
        set(&all[a[1]->id], 0, a[1]->width);
        break;
    case OP_LSHR:
    case OP_ASHR:
        set(&all[a[0]->id], low, n->width - low);
        set(&all[a[1]->id], 0, a[1]->width);
        break;
    case OP_SLICE:
        for (unsigned i = 0; i < n->width; i++)
            if (get(d, i))
                set(&all[a[0]->id], i + n->index, 1);
        break;
    case OP_CONCAT:
        for (unsigned i = n->n_args, from = 0; i-- > 0; from += a[i]->width)
            pass_on(&all[a[i]->id], a[i]->width, d, from);
        break;
    case OP_SEXT:
        pass_on(&all[a[0]->id], a[0]->width, d, 0);
        if (end > a[0]->width)
            set(&all[a[0]->id], a[0]->width - 1, 1);
        break;
    case OP_GET:
        demand_elements(&all[a[0]->id], n, a[0], n->width, d);
        set(&all[a[1]->id], 0, a[1]->width);
        break;
    case OP_SET:
        demand_elements(&all[a[0]->id], n, a[0], n->width, d);
        set(&all[a[1]->id], 0, a[1]->width);
        for (unsigned i = 0; i < n->width; i++)
            if (get(d, i))
                set(&all[a[2]->id], i % a[2]->width, 1);
        break;
    default:
        for (unsigned i = 0; i < n->n_args; i++)
            set(&all[a[i]->id], 0, a[i]->width);
    }
}

/* n on the new arguments, computed only between low and end. */
static struct node *narrowed(struct graph *g, struct node *n, struct node **arg, unsigned low,
                             unsigned end)
{
    bool bitwise = op_info[n->op].kind == KIND_BITWISE;
    bool arithmetic = op_info[n->op].kind == KIND_SUM || n->op == OP_SHL;
    if (!bitwise)
        low = 0;
    if ((!bitwise && !arithmetic) || (low == 0 && end == n->width))
        return mk_like(g, n, arg);
    unsigned first = n->op == OP_MUX, last = n->op == OP_SHL ? 1 : n->n_args;
    for (unsigned i = first; i < last; i++)
        arg[i] = mk_slice(g, arg[i], low, end - low);
    struct node cut = *n;
    cut.width = end - low;
    struct node *r = mk_like(g, &cut, arg);
    if (low)
        r = mk_concat2(g, r, mk_const(g, low, 0));
    return mk_zext(g, r, n->width);
}

static void inherit(struct node *n, const struct node *from)
{
    while (n->op == OP_CONCAT && is_const(n->args[0]) && n->n_args == 2)
        n = n->args[1];
    if (op_info[n->op].kind == KIND_LEAF || op_info[n->op].kind == KIND_STORED)
        return;
    take_name(n, from);
}

void narrow(struct module *m)
{
    struct graph *g = &m->graph;
    unsigned n_old = g->n, n_roots;
    struct node ***root = module_roots(m, &n_roots);
    pass_live(m);
    struct bits *all = scratch(n_old * sizeof *all);
    for (unsigned i = 0; i < n_old; i++)
        if (g->node[i]->live)
            all[i].word = scratch((g->node[i]->width + 63) / 64 * sizeof(uint64_t));
    for (unsigned i = 0; i < n_roots; i++)
        set(&all[(*root[i])->id], 0, (*root[i])->width);
    for (unsigned i = n_old; i-- > 0;)
        if (g->node[i]->live)
            demand(g->node[i], all);

    struct node **map = scratch(n_old * sizeof *map);
    for (unsigned i = 0; i < n_old; i++) {
        struct node *n = g->node[i];
        unsigned low, end;
        if (!n->live)
            continue;
        g->here = n->loc;
        if (!range(&all[i], n->width, &low, &end)) {
            map[i] = mk_const(g, n->width, 0);
            continue;
        }
        if (n->n_args == 0) {
            map[i] = n;
            continue;
        }
        struct node **arg = scratch(n->n_args * sizeof *arg);
        for (unsigned k = 0; k < n->n_args; k++)
            arg[k] = map[n->args[k]->id];
        map[i] = narrowed(g, n, arg, low, end);
        inherit(map[i], n);
    }
    for (unsigned i = 0; i < n_roots; i++)
        *root[i] = map[(*root[i])->id];
}
