// SPDX-License-Identifier: Apache-2.0
/*
 * pad.c - elements that are read by a variable index stand at multiples of a power of two.
 *
 * Yosys 0.23 makes a shifter of every single bit out of x[i * 56 +: 56]: five times the multiplexer
 * that it finds in x[i * 64 +: 64], and the same for every even width that is no power of two (odd
 * ones only where the vector is a part of a net). So such a vector is spread out with zeros first; one of
 * fewer elements than the index can name gets elements of zeros, and no comparison is left.
 *
 * A padded GET has its stride in `index`.
 */
#include "passes/passes.h"
#include "graph/graph.h"
#include "graph/walk.h"

static bool wants_padding(const struct node *n)
{
    bool power = (n->width & (n->width - 1)) == 0;
    bool part = n->n_args && n->args[0]->op == OP_SLICE;
    return n->op == OP_GET && !power && (n->width % 2 == 0 || part);
}

static const char *name_of(const struct module *m, const struct node *vec)
{
    if (vec->op == OP_SLICE)
        return name_of(m, vec->args[0]);
    const struct leaf *leaf = leaf_of(m, vec);
    if (leaf && op_info[vec->op].leaf == LEAF_CHILD)
        return format("%s_%s", m->inst[vec->index].name, leaf->name);
    return leaf ? leaf->name : vec->name ? vec->name : vec->hint;
}

/* As wide as it has parts; keeps the parts apart as elements, for a loop to be made of them. */
static struct node *joined(struct graph *g, unsigned n, struct node **part)
{
    unsigned width = 0;
    for (unsigned i = 0; i < n; i++)
        width += part[i]->width;
    return node_intern(g,
                       (struct node){.op = OP_CONCAT, .width = width, .n_args = n, .args = part});
}

static struct node *padded(struct module *m, unsigned width, struct node *vec, struct node *index)
{
    struct graph *g = &m->graph;
    unsigned count = vec->width / width, stride = 1, k = 0;
    struct node **part = scratch((count + 1) * sizeof *part);
    while (stride < width)
        stride *= 2;
    if (index->width < 32 && 1u << index->width > count && 1u << (index->width - 1) < count)
        part[k++] = mk_const(g, ((1u << index->width) - count) * stride, 0);
    for (unsigned i = count; i-- > 0;)
        part[k++] = mk_zext(g, mk_slice(g, vec, i * width, width), stride);
    struct node *spread = is_const(vec) ? mk_concat(g, k, part) : joined(g, k, part);
    const char *name = name_of(m, vec);
    if (name)
        spread->hint = part[k - count]->hint = format("%s_padded", name);
    struct node *arg[] = {spread, index};
    return node_intern(
        g, (struct node){.op = OP_GET, .width = width, .index = stride, .n_args = 2, .args = arg});
}

static struct node *replaced(struct module *m, struct node *n, struct map map)
{
    struct node **arg = scratch(n->n_args * sizeof *arg);
    bool changed = false;
    for (unsigned k = 0; k < n->n_args; k++) {
        arg[k] = map.to[n->args[k]->id];
        changed |= arg[k] != n->args[k];
    }
    if (!changed && !wants_padding(n))
        return n;
    m->graph.here = n->loc;
    struct node *r =
        wants_padding(n) ? padded(m, n->width, arg[0], arg[1]) : mk_like(&m->graph, n, arg);
    take_name(r, n);
    return r;
}

void pad(struct module *m)
{
    unsigned n_roots;
    struct node ***root = module_roots(m, &n_roots);
    struct map map = pass_map(m);
    pass_live(m);
    for (unsigned i = 0; i < map.n; i++)
        if (map.to[i]->live)
            map.to[i] = replaced(m, map.to[i], map);
    for (unsigned i = 0; i < n_roots; i++)
        *root[i] = map.to[(*root[i])->id];
}
