// SPDX-License-Identifier: Apache-2.0
/*
 * select.c - constructors of shifts, array accesses, memory reads and calls, and mk_like, which makes
 * any operation again on other arguments.
 */
#include "graph/graph.h"
#include "base/number.h"

#include <assert.h>

/* ---- shifts ------------------------------------------------------------------------------------------------- */

/* Drop known zeros of a shift amount; one of more than 16 bits is compared instead of shifted by. */
static struct node *amount_bits(struct graph *g, struct node *amount, struct node **too_far)
{
    *too_far = mk_const(g, 1, 0);
    amount = mk_slice(g, amount, 0, significant(amount));
    if (amount->width > 16) {
        struct node *top = mk_slice(g, amount, 16, amount->width - 16);
        *too_far = mk_not(g, mk_eq(g, top, mk_const(g, top->width, 0)));
        amount = mk_slice(g, amount, 0, 16);
    }
    return amount;
}

struct node *mk_shl(struct graph *g, struct node *a, struct node *amount)
{
    struct node *zero = mk_const(g, a->width, 0);
    if (is_zero(a) || is_zero(amount))
        return a;
    if (is_const(amount)) {
        if (significant(amount) > 32 || const_value(amount) >= a->width)
            return zero;
        unsigned by = (unsigned)const_value(amount);
        struct node *kept = mk_slice(g, a, 0, a->width - by);
        return mk_concat2(g, kept, mk_const(g, by, 0));
    }
    struct node *far;
    amount = amount_bits(g, amount, &far);
    return mk_mux(g, far, zero, mk_binary(g, OP_SHL, a->width, a, amount));
}

struct node *mk_lshr(struct graph *g, struct node *a, struct node *amount)
{
    struct node *zero = mk_const(g, a->width, 0);
    if (is_zero(a) || is_zero(amount))
        return a;
    if (is_const(amount)) {
        if (significant(amount) > 32 || const_value(amount) >= a->width)
            return zero;
        unsigned by = (unsigned)const_value(amount);
        return mk_zext(g, mk_slice(g, a, by, a->width - by), a->width);
    }
    if (a->zeros)
        return mk_zext(g, mk_lshr(g, mk_slice(g, a, 0, significant(a)), amount), a->width);
    struct node *far;
    amount = amount_bits(g, amount, &far);
    if (a->width == 1) {
        struct node *stays = mk_eq(g, amount, mk_const(g, amount->width, 0));
        return mk_and(g, a, mk_and(g, mk_not(g, far), stays));
    }
    return mk_mux(g, far, zero, mk_binary(g, OP_LSHR, a->width, a, amount));
}

struct node *mk_ashr(struct graph *g, struct node *a, struct node *amount)
{
    if (a->zeros)
        return mk_lshr(g, a, amount);
    if (is_zero(amount) || a->width == 1)
        return a;
    struct node *sign = mk_sext(g, mk_msb(g, a), a->width);
    if (is_const(amount)) {
        if (significant(amount) > 32 || const_value(amount) >= a->width)
            return sign;
        unsigned by = (unsigned)const_value(amount);
        return mk_sext(g, mk_slice(g, a, by, a->width - by), a->width);
    }
    if (a->signs > 1 && a->op == OP_SEXT)
        return mk_sext(g, mk_ashr(g, a->args[0], amount), a->width);
    struct node *far;
    amount = amount_bits(g, amount, &far);
    return mk_mux(g, far, sign, mk_binary(g, OP_ASHR, a->width, a, amount));
}

/* ---- arrays, memories, calls ----------------------------------------------------------------------------------- */

/* The least known zeros at the top of each element of a vector that is a table or a list of parts. */
static unsigned element_zeros(struct graph *g, struct node *vec, unsigned width)
{
    unsigned least = width;
    if (vec->op != OP_CONCAT && !is_const(vec))
        return 0;
    for (unsigned low = 0; low < vec->width && least; low += width)
        least = smaller(least, mk_slice(g, vec, low, width)->zeros);
    return least;
}

/* An element of `width` bits; they stand `stride` bits apart. */
static struct node *get_spread(struct graph *g, struct node *vec, struct node *index,
                               unsigned width, unsigned stride)
{
    assert(vec->width % stride == 0);
    unsigned n = vec->width / stride;
    if (is_const(index)) {
        if (significant(index) > 32 || const_value(index) >= n)
            return mk_const(g, width, 0);
        return mk_slice(g, vec, (unsigned)const_value(index) * stride, width);
    }
    if (is_zero(vec))
        return mk_const(g, width, 0);
    index = mk_slice(g, index, 0, significant(index));
    if (n == 1) {
        struct node *first = mk_eq(g, index, mk_const(g, index->width, 0));
        return mk_mux(g, first, mk_slice(g, vec, 0, width), mk_const(g, width, 0));
    }
    unsigned zeros = stride > width ? 0 : element_zeros(g, vec, width);
    if (zeros == width)
        return mk_const(g, width, 0);
    if (zeros) {
        struct node **part = NULL;
        unsigned count = 0;
        for (unsigned i = n; i-- > 0;)
            PUSH_SCRATCH(part, count, mk_slice(g, vec, i * width, width - zeros));
        return mk_zext(g, mk_get(g, mk_concat(g, count, part), index, width - zeros), width);
    }
    return node_intern(g, (struct node){.op = OP_GET,
                                        .width = width,
                                        .index = stride > width ? stride : 0,
                                        .n_args = 2,
                                        .args = (struct node *[]){vec, index}});
}

struct node *mk_get(struct graph *g, struct node *vec, struct node *index, unsigned width)
{
    return get_spread(g, vec, index, width, width);
}

unsigned get_stride(const struct node *get)
{
    return get->index ? get->index : get->width;
}

struct node *mk_set(struct graph *g, struct node *vec, struct node *index, struct node *value)
{
    assert(vec->width % value->width == 0);
    unsigned n = vec->width / value->width;
    if (is_const(index)) {
        if (significant(index) > 32 || const_value(index) >= n)
            return vec;
        unsigned low = (unsigned)const_value(index) * value->width;
        struct node *part[3];
        unsigned count = 0;
        if (low + value->width < vec->width)
            part[count++] = mk_slice(g, vec, low + value->width, vec->width - low - value->width);
        part[count++] = value;
        if (low)
            part[count++] = mk_slice(g, vec, 0, low);
        return mk_concat(g, count, part);
    }
    index = mk_slice(g, index, 0, significant(index));
    if (n == 1) {
        struct node *first = mk_eq(g, index, mk_const(g, index->width, 0));
        return mk_mux(g, first, value, vec);
    }
    if (vec->op == OP_SET && vec->args[1] == index && vec->args[2]->width == value->width)
        vec = vec->args[0];
    return node_intern(g, (struct node){.op = OP_SET,
                                        .width = vec->width,
                                        .n_args = 3,
                                        .args = (struct node *[]){vec, index, value}});
}

struct node *mk_memread(struct graph *g, unsigned leaf, struct node *addr, unsigned width)
{
    return node_intern(g, (struct node){.op = OP_MEMREAD,
                                        .width = width,
                                        .index = leaf,
                                        .n_args = 1,
                                        .args = (struct node *[]){addr}});
}

struct node *mk_call(struct graph *g, struct module *keep, struct node **args)
{
    return node_intern(g, (struct node){.op = OP_CALL,
                                        .width = keep->result_width,
                                        .keep = keep,
                                        .n_args = keep->in.n,
                                        .args = args});
}

/* ---- the same again on other arguments -------------------------------------------------------------------------- */

static const binary_fn make_binary[N_OPS] = {
    [OP_AND] = mk_and,   [OP_OR] = mk_or,     [OP_ADD] = mk_add,   [OP_SUB] = mk_sub,
    [OP_MUL] = mk_mul,   [OP_UDIV] = mk_udiv, [OP_UREM] = mk_urem, [OP_SHL] = mk_shl,
    [OP_LSHR] = mk_lshr, [OP_ASHR] = mk_ashr, [OP_EQ] = mk_eq,     [OP_ULT] = mk_ult,
    [OP_SLT] = mk_slt,
};

static struct node *xor_all(struct graph *g, unsigned n, struct node **a)
{
    struct node *sum = a[0];
    for (unsigned i = 1; i < n; i++)
        sum = mk_xor(g, sum, a[i]);
    return sum;
}

struct node *mk_like(struct graph *g, const struct node *old, struct node **a)
{
    if (make_binary[old->op])
        return make_binary[old->op](g, a[0], a[1]);
    switch (old->op) {
    case OP_NOT:
        return mk_not(g, a[0]);
    case OP_XOR:
        return xor_all(g, old->n_args, a);
    case OP_MUX:
        return mk_mux(g, a[0], a[1], a[2]);
    case OP_SLICE:
        return mk_slice(g, a[0], old->index, old->width);
    case OP_CONCAT:
        return mk_concat(g, old->n_args, a);
    case OP_SEXT:
        return mk_sext(g, a[0], old->width);
    case OP_GET:
        return get_spread(g, a[0], a[1], old->width, get_stride(old));
    case OP_SET:
        return mk_set(g, a[0], a[1], a[2]);
    case OP_MEMREAD:
        return mk_memread(g, old->index, a[0], old->width);
    case OP_CALL:
        return mk_call(g, old->keep, a);
    default: /* leaves */
        return node_intern(g, *old);
    }
}
