// SPDX-License-Identifier: Apache-2.0
/*
 * area.c - LUT4 by operation and width.
 *
 * Bits that are computed by AND, OR, XOR and choices share tables: a tree of them with k inputs takes (k - 1) / 3, so that each is
 * counted in thirds, what it adds to the inputs, and rounded up where the tree ends; single bits share tables beyond trees. A choice between
 * a register's next value and the register itself is its clock enable: one bit, however wide the register is.
 */
#include "graph/area.h"
#include "base/number.h"
#include "graph/graph.h"
#include "graph/walk.h"

enum {
    BLOCK = 60,     /* of a product that a multiplier block takes */
    NARROW_MUL = 8, /* bits up to which a product is tables */
};

struct areas {
    struct module *m;
    bool *enables;   /* by id: a choice that keeps a register */
    unsigned *third; /* by id: of the tree that ends here, for one bit */
};

static bool is_bitwise(const struct node *n)
{
    return op_info[n->op].kind == KIND_BITWISE;
}

/*
 * What the choices on the way to the next value of register q give it when they do not keep it: q itself: they always keep it.
 * A choice between the same, or between a value and q, is an input of the register's clock enable; one that is used elsewhere,
 * too, is data.
 */
static const struct node *given(struct areas *x, const struct node *n, const struct node *q)
{
    if (n->op != OP_MUX || n->uses > 1)
        return n;
    const struct node *a = given(x, n->args[1], q), *b = given(x, n->args[2], q);
    const bool enable = a == b || a == q || b == q;
    x->enables[n->id] |= enable;
    return !enable ? n : a == q ? b : a;
}

static void find_enables(struct areas *x)
{
    for (unsigned i = 0; i < x->m->self.n; i++) {
        const struct node *next = x->m->reg[i].next;
        if (next)
            given(x, next, mk_reg(&x->m->graph, i, next->width));
    }
}

/* Inputs that a bit of the operation has beyond one, in thirds of a table. */
static unsigned own_thirds(const struct node *n)
{
    if (n->op == OP_NOT)
        return 0;
    if (n->op != OP_MUX)
        return n->n_args - 1;
    return 2 - is_const(n->args[1]) - is_const(n->args[2]);
}

/* Merged into the tree of its only user; one that keeps a register has no data there. */
static unsigned thirds(const struct areas *x, const struct node *n)
{
    unsigned sum = own_thirds(n);
    for (unsigned k = 0; k < n->n_args; k++) {
        const struct node *a = n->args[k];
        if (is_bitwise(a) && a->uses == 1 && a->width == n->width)
            sum += x->third[a->id];
    }
    return sum;
}

static bool ends_here(const struct node *n, const bool *merged)
{
    return n->uses != 1 || !merged[n->id];
}

static unsigned product(const struct node *n)
{
    const unsigned a = significant(n->args[0]), b = significant(n->args[1]);
    const unsigned least = a < b ? a : b;
    if (is_const(n->args[1]))
        return n->width * 2;
    return least <= NARROW_MUL ? least * n->width : BLOCK * ((a + 17) / 18) * ((b + 17) / 18);
}

static unsigned equal(const struct node *n)
{
    const unsigned inputs = n->args[0]->width * (is_const(n->args[1]) ? 1 : 2);
    return (inputs + 1) / 3;
}

static unsigned own_area(const struct node *n)
{
    const unsigned w = n->width;
    switch (n->op) {
    case OP_ADD:
    case OP_SUB:
        return w - (n->zeros < w ? n->zeros : 0);
    case OP_ULT:
    case OP_SLT:
        return significant(n->args[0]) > significant(n->args[1]) ? significant(n->args[0])
                                                                 : significant(n->args[1]);
    case OP_EQ:
        return equal(n);
    case OP_MUL:
        return product(n);
    case OP_UDIV:
    case OP_UREM:
        return 2 * w * w;
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
        return 2 * w * (log2_up(w) + 1) / 3;
    case OP_GET:
        return 2 * w * (n->args[0]->width / get_stride(n)) / 3;
    case OP_SET:
        return n->args[0]->width + n->args[0]->width / n->args[2]->width;
    default:
        return 0;
    }
}

unsigned area_of(struct module *m)
{
    const unsigned n_nodes = m->graph.n;
    hardware_live(m);
    pass_uses(m);
    struct areas x = {.m = m,
                      .enables = scratch(2 * n_nodes + 1),
                      .third = scratch((n_nodes + 1) * sizeof *x.third)};
    bool *merged = scratch(n_nodes + 1);
    find_enables(&x);
    for (unsigned i = 0; i < n_nodes; i++) {
        const struct node *n = m->graph.node[i];
        for (unsigned k = 0; n->live && is_bitwise(n) && k < n->n_args; k++)
            merged[n->args[k]->id] |= n->args[k]->width == n->width;
    }
    unsigned sum = 0, bits = 0;
    for (unsigned i = 0; i < n_nodes; i++) {
        const struct node *n = m->graph.node[i];
        if (!n->live)
            continue;
        if (!is_bitwise(n)) {
            sum += own_area(n);
        } else if (n->width == 1 || x.enables[i]) {
            bits += own_thirds(n);
            x.third[i] = n->width == 1 ? 0 : thirds(&x, n) - own_thirds(n);
        } else {
            x.third[i] = thirds(&x, n);
        }
        if (is_bitwise(n) && ends_here(n, merged))
            sum += (n->width * x.third[i] + 2) / 3;
    }
    return sum + bits / 3;
}
