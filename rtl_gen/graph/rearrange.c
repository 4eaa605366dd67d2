// SPDX-License-Identifier: Apache-2.0
/*
 * rearrange.c - constructors of slices, concatenations and extensions.
 *
 * They see through one another: a slice of a concatenation is its part, neighbours that belong
 * together are joined again.
 */
#include "graph/graph.h"
#include "base/number.h"

#include <assert.h>

enum { FEW = 16 }; /* parts that need no memory */

/* ---- rearranging bits --------------------------------------------------------------------------------- */

/* Bits low.. of a constant, `width` of them, to bit `at` of words that are 0 there. */
static void copy_bits(uint64_t *to, unsigned at, const struct node *n, unsigned low, unsigned width)
{
    for (unsigned done = 0, some; done < width; done += some) {
        unsigned from = (low + done) % 64, into = (at + done) % 64;
        some = 64 - (from > into ? from : into);
        some = width - done < some ? width - done : some;
        uint64_t bits = n->bits[(low + done) / 64] >> from;
        if (some < 64)
            bits &= ((uint64_t)1 << some) - 1;
        to[(at + done) / 64] |= bits << into;
    }
}

static struct node *slice_const(struct graph *g, struct node *a, unsigned low, unsigned width)
{
    uint64_t *bits = scratch((width + 63) / 64 * sizeof *bits);
    copy_bits(bits, 0, a, low, width);
    return mk_const_bits(g, width, bits);
}

static struct node *slice_concat(struct graph *g, struct node *a, unsigned low, unsigned width)
{
    struct node *few[FEW], **part = a->n_args <= FEW ? few : scratch(a->n_args * sizeof *part);
    unsigned n = 0, end = a->width;
    for (unsigned i = 0; i < a->n_args; i++) {
        struct node *p = a->args[i];
        unsigned bottom = end - p->width;
        unsigned from = bottom > low ? bottom : low;
        unsigned to = smaller(end, low + width);
        if (from < to)
            part[n++] = mk_slice(g, p, from - bottom, to - from);
        end = bottom;
    }
    return mk_concat(g, n, part);
}

static struct node *slice_sext(struct graph *g, struct node *a, unsigned low, unsigned width)
{
    struct node *x = a->args[0];
    if (low + width <= x->width)
        return mk_slice(g, x, low, width);
    unsigned from = low < x->width ? low : x->width - 1;
    return mk_sext(g, mk_slice(g, x, from, x->width - from), width);
}

/* Whether a choice is among constants and concatenations, so that a slice of it is simpler. */
static bool dissolves(const struct node *n, unsigned depth)
{
    if (n->op == OP_MUX)
        return depth && dissolves(n->args[1], depth - 1) && dissolves(n->args[2], depth - 1);
    return is_const(n) || n->op == OP_CONCAT || n->op == OP_SEXT;
}

/* ---- slices that were asked for before: operations with shared operands would be looked through again and again */

enum { SLICES = 1 << 14 };

struct slice_memo {
    const struct node *of;
    unsigned low, width;
    struct node *slice;
};

static struct slice_memo *slice_place(const struct node *a, unsigned low, unsigned width)
{
    static struct slice_memo place[SLICES];
    uint64_t h = (uint64_t)a->id * 0x9e3779b97f4a7c15u ^ (uint64_t)low * 0xff51afd7ed558ccdu ^
                 width * 0xc4ceb9fe1a85ec53u;
    return &place[(h ^ h >> 32) % SLICES];
}

/* A slice of an operation as the operation on slices; NULL if it stays a slice. */
static struct node *slice_through(struct graph *g, struct node *a, unsigned low, unsigned width)
{
    struct node *x, *y;
    switch (a->op) {
    case OP_CONCAT:
        return slice_concat(g, a, low, width);
    case OP_SEXT:
        return slice_sext(g, a, low, width);
    case OP_NOT:
        return mk_not(g, mk_slice(g, a->args[0], low, width));
    case OP_XOR:
        x = mk_slice(g, a->args[0], low, width);
        y = mk_slice(g, a->args[1], low, width);
        return mk_xor(g, x, y);
    case OP_AND: /* one bit of a masked value: itself or zero */
        if (width > 1 || (!is_const(a->args[0]) && !is_const(a->args[1])))
            return NULL;
        x = mk_slice(g, a->args[0], low, 1);
        y = mk_slice(g, a->args[1], low, 1);
        return mk_and(g, x, y);
    case OP_MUX:
        if (!dissolves(a, 3))
            return NULL;
        x = mk_slice(g, a->args[1], low, width);
        y = mk_slice(g, a->args[2], low, width);
        return mk_mux(g, a->args[0], x, y);
    case OP_LSHR: /* one bit at a variable place */
        return low == 0 && width == 1 ? mk_get(g, a->args[0], a->args[1], 1) : NULL;
    default:
        return NULL;
    }
}

struct node *mk_slice(struct graph *g, struct node *a, unsigned low, unsigned width)
{
    assert(width > 0 && low + width <= a->width);
    if (width == a->width)
        return a;
    if (low >= a->width - a->zeros)
        return mk_const(g, width, 0);
    if (a->op == OP_CONST)
        return slice_const(g, a, low, width);
    if (a->op == OP_SLICE)
        return mk_slice(g, a->args[0], a->index + low, width);
    bool deep = g->depth >= DEEPEST_LOOK;
    struct slice_memo *memo = slice_place(a, low, width);
    if (memo->of == a && memo->low == low && memo->width == width)
        return memo->slice;
    g->depth++;
    struct node *n = deep ? NULL : slice_through(g, a, low, width);
    g->depth--;
    if (!n)
        n = node_intern(g, (struct node){.op = OP_SLICE,
                                         .width = width,
                                         .index = low,
                                         .n_args = 1,
                                         .args = (struct node *[]){a}});
    *memo = (struct slice_memo){a, low, width, n};
    return n;
}

struct node *mk_msb(struct graph *g, struct node *a)
{
    return mk_slice(g, a, a->width - 1, 1);
}

/* One constant of n side by side, the highest first. */
static struct node *joined_constants(struct graph *g, unsigned n, struct node **part)
{
    unsigned width = 0, at = 0;
    for (unsigned i = 0; i < n; i++)
        width += part[i]->width;
    uint64_t *bits = scratch((width + 63) / 64 * sizeof *bits);
    for (; n-- > 0; at += part[n]->width)
        copy_bits(bits, at, part[n], 0, part[n]->width);
    return mk_const_bits(g, width, bits);
}

static bool copies_bit(const struct node *n)
{
    return n->op == OP_SEXT && n->args[0]->width == 1;
}

/* c ? all ones : 0, or the reverse, beside copies of another bit is copies of c. */
static struct node *spread_beside(struct graph *g, struct node *n, const struct node *neighbour)
{
    if (n->op != OP_MUX || !copies_bit(neighbour) || neighbour->width != n->width)
        return n;
    if (is_ones(n->args[1]) && is_zero(n->args[2]))
        return mk_sext(g, n->args[0], n->width);
    if (is_zero(n->args[1]) && is_ones(n->args[2]))
        return mk_sext(g, mk_not(g, n->args[0]), n->width);
    return n;
}

/* Join two neighbours of a concatenation if they are one thing; NULL if not. */
static struct node *join(struct graph *g, struct node *high, struct node *low)
{
    if (high->op == OP_SLICE && low->op == OP_SLICE && high->args[0] == low->args[0] &&
        high->index == low->index + low->width)
        return mk_slice(g, low->args[0], low->index, low->width + high->width);
    /* copies of one bit */
    struct node *h = high->op == OP_SEXT ? high->args[0] : high;
    struct node *l = low->op == OP_SEXT ? low->args[0] : low;
    if (h == l && h->width == 1)
        return mk_sext(g, h, high->width + low->width);
    return NULL;
}

static unsigned parts_of(const struct node *n)
{
    return n->op == OP_CONCAT ? n->n_args : 1;
}

struct node *mk_concat(struct graph *g, unsigned n, struct node **args)
{
    unsigned most = 0, width = 0;
    for (unsigned i = 0; i < n; i++)
        most += parts_of(args[i]);
    struct node *few[FEW], **part = most <= FEW ? few : scratch(most * sizeof *part);
    unsigned all = 0;
    for (unsigned i = 0; i < n; i++) {
        struct node *a = args[i];
        for (unsigned j = 0; j < parts_of(a); j++)
            part[all++] = a->op == OP_CONCAT ? a->args[j] : a;
        width += a->width;
    }
    unsigned count = 0;
    for (unsigned i = 0, end; i < all; i = end) {
        for (end = i + 1; end < all && is_const(part[i]) && is_const(part[end]);)
            end++;
        struct node *p = end > i + 1 ? joined_constants(g, end - i, part + i) : part[i];
        if (count)
            p = spread_beside(g, p, part[count - 1]);
        if (count)
            part[count - 1] = spread_beside(g, part[count - 1], p);
        struct node *joined = count ? join(g, part[count - 1], p) : NULL;
        if (joined)
            part[count - 1] = joined;
        else
            part[count++] = p;
    }
    if (count == 1)
        return part[0];
    return node_intern(
        g, (struct node){.op = OP_CONCAT, .width = width, .n_args = count, .args = part});
}

struct node *mk_concat_up(struct graph *g, unsigned n, struct node **args)
{
    for (unsigned i = 0; i < n / 2; i++) {
        struct node *t = args[i];
        args[i] = args[n - 1 - i];
        args[n - 1 - i] = t;
    }
    return mk_concat(g, n, args);
}

struct node *mk_concat2(struct graph *g, struct node *high, struct node *low)
{
    return mk_concat(g, 2, (struct node *[]){high, low});
}

struct node *mk_zext(struct graph *g, struct node *a, unsigned width)
{
    assert(width >= a->width);
    return width == a->width ? a : mk_concat2(g, mk_const(g, width - a->width, 0), a);
}

struct node *mk_sext(struct graph *g, struct node *a, unsigned width)
{
    assert(width >= a->width);
    if (width == a->width)
        return a;
    if (is_const(a)) {
        struct node *top = mk_const(g, width - a->width, 0);
        return mk_concat2(g, const_bit(a, a->width - 1) ? mk_not(g, top) : top, a);
    }
    if (a->zeros)
        return mk_zext(g, a, width);
    if (a->op == OP_SEXT)
        return mk_sext(g, a->args[0], width);
    if (a->op == OP_CONCAT) {
        const struct node *top = a->args[0];
        return mk_concat2(g, mk_sext(g, a->args[0], width - a->width + top->width),
                          mk_slice(g, a, 0, a->width - top->width));
    }
    return node_intern(
        g, (struct node){.op = OP_SEXT, .width = width, .n_args = 1, .args = (struct node *[]){a}});
}

struct node *mk_resize(struct graph *g, struct node *a, unsigned width)
{
    return width <= a->width ? mk_slice(g, a, 0, width) : mk_zext(g, a, width);
}
