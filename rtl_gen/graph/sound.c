// SPDX-License-Identifier: Apache-2.0
/*
 * sound.c - whether a graph is one: what test builds ask after every pass.
 */
#include "graph/graph.h"
#include "graph/walk.h"

#include <stdlib.h>

static bool same_widths(const struct node *n, unsigned first, unsigned last, unsigned width)
{
    for (unsigned i = first; i < last; i++)
        if (n->args[i]->width != width)
            return false;
    return true;
}

static bool parameters_fit(const struct node *n)
{
    const struct layout *in = &n->keep->in;
    for (unsigned i = 0; i < n->n_args && i < in->n; i++)
        if (n->args[i]->width != in->leaf[i].width)
            return false;
    return n->n_args == in->n && n->width == n->keep->result_width;
}

static unsigned sum_of_widths(const struct node *n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n->n_args; i++)
        sum += n->args[i]->width;
    return sum;
}

/* Widths as `OPS` says. */
static bool widths_fit(const struct module *m, const struct node *n)
{
    struct node *const *a = n->args;
    const struct leaf *leaf = leaf_of(m, n);
    if (op_info[n->op].kind == KIND_SHIFT)
        return a[0]->width == n->width;
    if (op_info[n->op].kind == KIND_TEST)
        return n->width == 1 && a[0]->width == a[1]->width;
    switch (n->op) {
    case OP_INPUT:
    case OP_REG:
        return n->width == leaf->width * leaf->count;
    case OP_INST:
    case OP_FWD:
        return n->width % (leaf->width * leaf->count) == 0;
    case OP_MEMREAD:
        return n->width == leaf->width;
    case OP_CALL:
        return parameters_fit(n);
    case OP_MUX:
        return a[0]->width == 1 && same_widths(n, 1, 3, n->width);
    case OP_SLICE:
        return n->index + n->width <= a[0]->width;
    case OP_CONCAT:
        return sum_of_widths(n) == n->width;
    case OP_SEXT:
        return a[0]->width < n->width;
    case OP_GET:
        return get_stride(n) >= n->width;
    case OP_SET:
        return a[0]->width == n->width && n->width % a[2]->width == 0;
    default:
        return same_widths(n, 0, n->n_args, n->width);
    }
}

static bool is_of(const struct graph *g, const struct node *n)
{
    return n->id < g->n && g->node[n->id] == n;
}

static const char *fault(const struct module *m, const struct node *n)
{
    int n_args = op_info[n->op].n_args;
    if (n->width == 0)
        return "no width";
    if (n_args >= 0 && n->n_args != (unsigned)n_args && n->op != OP_XOR)
        return "a wrong number of arguments";
    for (unsigned i = 0; i < n->n_args; i++)
        if (!is_of(&m->graph, n->args[i]) || n->args[i]->id >= n->id)
            return "an argument that is not before it";
    return widths_fit(m, n) ? NULL : "a width that is not the operation's";
}

/* What registers get is as wide as they are, and a function's result as it is declared. */
static bool results_fit(const struct module *m)
{
    for (unsigned i = 0; i < m->self.n && m->reg; i++) {
        const struct leaf *leaf = &m->self.leaf[i];
        if (m->reg[i].next && m->reg[i].next->width != leaf->width * leaf->count)
            return false;
    }
    return !m->result || m->result->width == m->result_width;
}

static _Noreturn void unsound(const struct module *m, const char *pass, const char *what)
{
    fprintf(stderr, "rtlgen: %s, after %s: %s\n", m->name, pass, what);
    abort();
}

void graph_sound(struct module *m, const char *pass)
{
    unsigned n_roots;
    struct node ***root = module_roots(m, &n_roots);
    for (unsigned i = 0; i < m->graph.n; i++) {
        const struct node *n = m->graph.node[i];
        const char *what = n->id == i ? fault(m, n) : "another's number";
        if (what)
            unsound(m, pass, format("node %u (%s) has %s", i, op_info[n->op].name, what));
    }
    for (unsigned k = 0; k < n_roots; k++)
        if (!is_of(&m->graph, *root[k]))
            unsound(m, pass, "a root that is not in the graph");
    if (!results_fit(m))
        unsound(m, pass, "a result whose width is not the register's");
}
