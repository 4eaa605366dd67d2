// SPDX-License-Identifier: Apache-2.0
/*
 * arith.c - constructors of arithmetic, comparisons, shifts, array accesses and calls.
 *
 * C computes in int; here every operation is done in the bits that its operands really have and
 * the rest is put back as zeros or sign, so that the surplus disappears where it is cut off.
 */
#include "graph/graph.h"
#include "base/number.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static struct node *ordered(struct graph *g, enum op op, unsigned width, struct node *a,
                            struct node *b)
{
    return a->id < b->id ? mk_binary(g, op, width, a, b) : mk_binary(g, op, width, b, a);
}

static struct node *bit(struct graph *g, bool value)
{
    return mk_const(g, 1, value);
}

/* Bits that a needs as a signed number. */
static unsigned signed_bits(const struct node *a)
{
    return a->width - a->signs + 1;
}

/* ---- constants of any width --------------------------------------------------------------------------- */

static unsigned words(const struct node *a)
{
    return (a->width + 63) / 64;
}

static struct node *const_add(struct graph *g, struct node *a, struct node *b, bool subtract)
{
    uint64_t *sum = scratch(words(a) * sizeof *sum);
    unsigned __int128 carry = subtract;
    for (unsigned i = 0; i < words(a); i++) {
        carry += a->bits[i];
        carry += subtract ? ~b->bits[i] : b->bits[i];
        sum[i] = (uint64_t)carry;
        carry >>= 64;
    }
    return mk_const_bits(g, a->width, sum);
}

static struct node *const_mul(struct graph *g, struct node *a, struct node *b)
{
    uint64_t *product = scratch(words(a) * sizeof *product);
    for (unsigned i = 0; i < words(a); i++) {
        unsigned __int128 carry = 0;
        for (unsigned j = 0; i + j < words(a); j++) {
            carry += (unsigned __int128)a->bits[i] * b->bits[j] + product[i + j];
            product[i + j] = (uint64_t)carry;
            carry >>= 64;
        }
    }
    return mk_const_bits(g, a->width, product);
}

static bool const_less(const struct node *a, const struct node *b)
{
    for (unsigned i = words(a); i-- > 0;)
        if (a->bits[i] != b->bits[i])
            return a->bits[i] < b->bits[i];
    return false;
}

/* Quotient and remainder bit by bit; constants only, so speed does not matter. */
static struct node *const_divide(struct graph *g, struct node *a, struct node *b, bool remainder)
{
    struct node *zero = mk_const(g, a->width, 0), *one = mk_const(g, a->width, 1);
    struct node *q = zero, *r = mk_zext(g, zero, a->width + 1);
    struct node *wide = mk_zext(g, b, a->width + 1);
    if (is_zero(b))
        return zero;
    for (unsigned i = a->width; i-- > 0;) {
        r = const_add(g, r, r, false);
        if (const_bit(a, i))
            r = const_add(g, r, mk_const(g, r->width, 1), false);
        q = const_add(g, q, q, false);
        if (!const_less(r, wide)) {
            r = const_add(g, r, wide, true);
            q = const_add(g, q, one, false);
        }
    }
    return remainder ? mk_slice(g, r, 0, a->width) : q;
}

/* log2 of a constant power of two, or -1. */
static int log2_const(const struct node *n)
{
    int found = -1;
    for (unsigned i = 0; is_const(n) && i < n->width; i++) {
        if (!const_bit(n, i))
            continue;
        if (found >= 0)
            return -1;
        found = (int)i;
    }
    return found;
}

/* ---- sums and products ---------------------------------------------------------------------------------- */

/* Compute in `width` low bits and extend the result again. */
static struct node *in_bits(struct graph *g, binary_fn op, struct node *a, struct node *b,
                            unsigned width, bool sign)
{
    struct node *x = mk_slice(g, a, 0, width);
    struct node *y = mk_slice(g, b, 0, width);
    struct node *r = op(g, x, y);
    return sign ? mk_sext(g, r, a->width) : mk_zext(g, r, a->width);
}

static struct node *negative(struct graph *g, struct node *k)
{
    return const_add(g, mk_const(g, k->width, 0), k, true);
}

struct node *mk_add(struct graph *g, struct node *a, struct node *b)
{
    assert(a->width == b->width);
    unsigned width = a->width;
    constant_last(&a, &b);
    if (is_zero(b))
        return a;
    if (is_const(a))
        return const_add(g, a, b, false);
    if (is_const(b)) {
        if (a->op == OP_ADD && is_const(a->args[1]))
            return mk_add(g, a->args[0], const_add(g, a->args[1], b, false));
        if (a->op == OP_SUB && is_const(a->args[1]))
            return mk_add(g, a->args[0], const_add(g, b, a->args[1], true));
        if (const_bit(b, width - 1) && width > 1 && signed_bits(b) < width)
            return mk_sub(g, a, negative(g, b));
    }
    if (width == 1)
        return mk_xor(g, a, b);
    if (a == b)
        return mk_shl(g, a, mk_const(g, 1, 1));
    unsigned need = bigger(significant(a), significant(b)) + 1;
    if (need < width)
        return in_bits(g, mk_add, a, b, need, false);
    need = bigger(signed_bits(a), signed_bits(b)) + 1;
    if (need < width)
        return in_bits(g, mk_add, a, b, need, true);
    if (b->op == OP_SUB && is_zero(b->args[0])) /* a + (0 - x) */
        return mk_sub(g, a, b->args[1]);
    if (is_const(b)) /* constants stay on the right */
        return mk_binary(g, OP_ADD, width, a, b);
    return ordered(g, OP_ADD, width, a, b);
}

struct node *mk_sub(struct graph *g, struct node *a, struct node *b)
{
    assert(a->width == b->width);
    unsigned width = a->width;
    if (is_zero(b))
        return a;
    if (a == b)
        return mk_const(g, width, 0);
    if (is_const(a) && is_const(b))
        return const_add(g, a, b, true);
    if (is_const(b)) {
        if (a->op == OP_ADD && is_const(a->args[1]))
            return mk_add(g, a->args[0], const_add(g, a->args[1], b, true));
        if (a->op == OP_SUB && is_const(a->args[1]))
            return mk_sub(g, a->args[0], const_add(g, a->args[1], b, false));
        if (const_bit(b, width - 1) && width > 1 && signed_bits(b) < width)
            return mk_add(g, a, negative(g, b));
    }
    if (width == 1)
        return mk_xor(g, a, b);
    if (is_zero(a) && significant(b) == 1) /* 0 - bit: copies of the bit */
        return mk_sext(g, mk_slice(g, b, 0, 1), width);
    unsigned need = bigger(signed_bits(a), signed_bits(b)) + 1;
    if (a->zeros && b->zeros) /* two numbers without sign: one bit less */
        need = bigger(significant(a), significant(b)) + 1;
    if (need < width)
        return in_bits(g, mk_sub, a, b, need, true);
    return mk_binary(g, OP_SUB, width, a, b);
}

struct node *mk_mul(struct graph *g, struct node *a, struct node *b)
{
    assert(a->width == b->width);
    constant_last(&a, &b);
    if (is_const(a))
        return const_mul(g, a, b);
    if (is_zero(b))
        return b;
    if (log2_const(b) >= 0)
        return mk_shl(g, a,
                      b->width > 1 ? mk_const(g, 32, (unsigned)log2_const(b)) : mk_const(g, 1, 0));
    if (a->width == 1)
        return mk_and(g, a, b);
    struct node *zero = mk_const(g, a->width, 0);
    if (significant(a) == 1 && a->zeros)
        return mk_mux(g, mk_slice(g, a, 0, 1), b, zero);
    if (significant(b) == 1 && b->zeros)
        return mk_mux(g, mk_slice(g, b, 0, 1), a, zero);
    unsigned need = significant(a) + significant(b);
    if (need < a->width)
        return in_bits(g, mk_mul, a, b, need, false);
    need = signed_bits(a) + signed_bits(b);
    if (need < a->width)
        return in_bits(g, mk_mul, a, b, need, true);
    if (is_const(b))
        return mk_binary(g, OP_MUL, a->width, a, b);
    return ordered(g, OP_MUL, a->width, a, b);
}

struct node *mk_udiv(struct graph *g, struct node *a, struct node *b)
{
    assert(a->width == b->width);
    if (is_zero(b) || is_zero(a) || (is_const(b) && significant(b) > significant(a)))
        return mk_const(g, a->width, 0);
    if (is_const(a) && is_const(b))
        return const_divide(g, a, b, false);
    int shift = log2_const(b);
    if (shift >= 0)
        return mk_lshr(g, a, mk_const(g, 32, (unsigned)shift));
    unsigned need = bigger(significant(a), significant(b));
    if (need < a->width)
        return in_bits(g, mk_udiv, a, b, need, false);
    if (divides_by_product(a, b))
        return quotient_by_const(g, a, b);
    return mk_binary(g, OP_UDIV, a->width, a, b);
}

struct node *mk_urem(struct graph *g, struct node *a, struct node *b)
{
    assert(a->width == b->width);
    if (is_zero(b) || is_zero(a) || is_value(b, 1))
        return mk_const(g, a->width, 0);
    if (is_const(a) && is_const(b))
        return const_divide(g, a, b, true);
    int shift = log2_const(b);
    if (shift > 0)
        return mk_zext(g, mk_slice(g, a, 0, (unsigned)shift), a->width);
    unsigned need = bigger(significant(a), significant(b));
    if (need < a->width)
        return in_bits(g, mk_urem, a, b, need, false);
    if (divides_by_product(a, b))
        return significant(b) > significant(a) ? a : remainder_by_const(g, a, b);
    return mk_binary(g, OP_UREM, a->width, a, b);
}

static struct node *magnitude(struct graph *g, struct node *a)
{
    struct node *minus = mk_sub(g, mk_const(g, a->width, 0), a);
    return mk_mux(g, mk_msb(g, a), minus, a);
}

/* Signed division: of the magnitudes; the quotient's sign from both, the remainder's from a. */
static struct node *signed_divide(struct graph *g, struct node *a, struct node *b, bool remainder)
{
    /* one bit more than either needs, so that the least number divided by -1 fits */
    unsigned need = bigger(signed_bits(a), signed_bits(b)) + 1;
    if (need < a->width) {
        struct node *low_a = mk_slice(g, a, 0, need);
        struct node *low_b = mk_slice(g, b, 0, need);
        return mk_sext(g, signed_divide(g, low_a, low_b, remainder), a->width);
    }
    struct node *x = magnitude(g, a), *y = magnitude(g, b);
    struct node *r = remainder ? mk_urem(g, x, y) : mk_udiv(g, x, y);
    struct node *sign_a = mk_msb(g, a), *sign_b = mk_msb(g, b);
    struct node *minus = remainder ? sign_a : mk_xor(g, sign_a, sign_b);
    return mk_mux(g, minus, mk_sub(g, mk_const(g, a->width, 0), r), r);
}

struct node *mk_sdiv(struct graph *g, struct node *a, struct node *b)
{
    return signed_divide(g, a, b, false);
}

struct node *mk_srem(struct graph *g, struct node *a, struct node *b)
{
    return signed_divide(g, a, b, true);
}

/* ---- comparisons ------------------------------------------------------------------------------------------ */

/* A comparison without the top bits of which both sides have the same. */
static struct node *without_top(struct graph *g, binary_fn op, struct node *a, struct node *b,
                                unsigned top)
{
    struct node *x = mk_slice(g, a, 0, a->width - top);
    struct node *y = mk_slice(g, b, 0, b->width - top);
    return op(g, x, y);
}

/* A comparison that ends in constants on one or both sides of a choice moves into the choice. */
static struct node *into_choice(struct graph *g, binary_fn op, struct node *a, struct node *b)
{
    struct node *mux = a->op == OP_MUX && is_const(b) ? a : b, *k = mux == a ? b : a;
    if (mux->op != OP_MUX || !is_const(k) || (!is_const(mux->args[1]) && !is_const(mux->args[2])) ||
        g->depth >= DEEPEST_LOOK)
        return NULL;
    g->depth++;
    struct node *x = mux == a ? op(g, mux->args[1], k) : op(g, k, mux->args[1]);
    struct node *y = mux == a ? op(g, mux->args[2], k) : op(g, k, mux->args[2]);
    g->depth--;
    return mk_mux(g, mux->args[0], x, y);
}

/* Compare a concatenation with known parts piece by piece where a constant decides or drops out. */
static struct node *eq_concat(struct graph *g, struct node *a, struct node *k)
{
    struct node *all = bit(g, true);
    unsigned end = a->width;
    bool useful = false;
    for (unsigned i = 0; i < a->n_args; i++)
        useful |= is_const(a->args[i]) || a->args[i]->width == 1 || a->args[i]->op == OP_SEXT;
    if (!useful)
        return NULL;
    for (unsigned i = 0; i < a->n_args; i++) {
        end -= a->args[i]->width;
        all = mk_and(g, all, mk_eq(g, a->args[i], mk_slice(g, k, end, a->args[i]->width)));
    }
    return all;
}

struct node *mk_eq(struct graph *g, struct node *a, struct node *b)
{
    assert(a->width == b->width);
    if (a == b)
        return bit(g, true);
    constant_last(&a, &b);
    if (is_const(a))
        return bit(g, false); /* two constants are one node if equal */
    if (a->width == 1)
        return mk_not(g, mk_xor(g, a, b));
    unsigned zeros = smaller(a->zeros, b->zeros);
    if (zeros)
        return without_top(g, mk_eq, a, b, zeros);
    unsigned signs = smaller(a->signs, b->signs);
    if (signs > 1)
        return without_top(g, mk_eq, a, b, signs - 1);
    if (a->op == OP_SUB && is_zero(b))
        return mk_eq(g, a->args[0], a->args[1]);
    if (a->op == OP_SUB && log2_const(b) == (int)a->width - 1) /* half of the range: flip the msb */
        return mk_eq(g, a->args[0], mk_xor(g, a->args[1], b));
    if (is_const(b)) {
        if (a->zeros) /* b has a one where a is zero */
            return bit(g, false);
        if (a->op == OP_SEXT) /* b is no number that a can be */
            return bit(g, false);
        if (a->op == OP_NOT)
            return mk_eq(g, a->args[0], mk_not(g, b));
        if (a->op == OP_ADD && is_const(a->args[1]))
            return mk_eq(g, a->args[0], const_add(g, b, a->args[1], true));
        if (a->op == OP_SUB && is_const(a->args[1]))
            return mk_eq(g, a->args[0], const_add(g, b, a->args[1], false));
        if (a->op == OP_CONCAT) {
            struct node *split = eq_concat(g, a, b);
            if (split)
                return split;
        }
        struct node *choice = into_choice(g, mk_eq, a, b);
        if (choice)
            return choice;
        return mk_binary(g, OP_EQ, 1, a, b);
    }
    return ordered(g, OP_EQ, 1, a, b);
}

struct node *mk_ult(struct graph *g, struct node *a, struct node *b)
{
    assert(a->width == b->width);
    if (a == b || is_zero(b) || is_ones(a))
        return bit(g, false);
    if (is_const(a) && is_const(b))
        return bit(g, const_less(a, b));
    if (is_const(a) && b->zeros && b->width <= 64 &&
        const_value(a) >= (UINT64_C(1) << (b->width - b->zeros)) - 1)
        return bit(g, false); /* as much as b has bits for */
    unsigned zeros = smaller(a->zeros, b->zeros);
    if (zeros)
        return without_top(g, mk_ult, a, b, zeros);
    if (is_zero(a)) /* 0 < b */
        return mk_not(g, mk_eq(g, b, a));
    if (is_ones(b)) /* a < max */
        return mk_not(g, mk_eq(g, a, b));
    if (a->width == 1)
        return mk_and(g, mk_not(g, a), b);
    if (is_const(b) && a->zeros) /* b has a one above all of a */
        return bit(g, true);
    if (is_const(a) && b->zeros)
        return bit(g, false);
    int power = log2_const(b);
    if (power >= 0) { /* a < 2^k: nothing at k and above */
        struct node *top = mk_slice(g, a, (unsigned)power, a->width - (unsigned)power);
        return mk_eq(g, top, mk_const(g, top->width, 0));
    }
    if (is_const(a)) {
        power = log2_const(const_add(g, a, mk_const(g, a->width, 1), false));
        if (power >= 0) { /* 2^k - 1 < b */
            struct node *top = mk_slice(g, b, (unsigned)power, b->width - (unsigned)power);
            return mk_not(g, mk_eq(g, top, mk_const(g, top->width, 0)));
        }
    }
    power = log2_const(a);
    if (power > 0 && power == (int)a->width - 1) { /* 2^k < b: bit k and any below it */
        struct node *low = mk_slice(g, b, 0, (unsigned)power);
        struct node *below = mk_not(g, mk_eq(g, low, mk_const(g, low->width, 0)));
        return mk_and(g, mk_msb(g, b), below);
    }
    struct node *choice = into_choice(g, mk_ult, a, b);
    return choice ? choice : mk_binary(g, OP_ULT, 1, a, b);
}

struct node *mk_slt(struct graph *g, struct node *a, struct node *b)
{
    assert(a->width == b->width);
    if (a == b)
        return bit(g, false);
    if (a->width == 1) /* 1 is -1 */
        return mk_and(g, a, mk_not(g, b));
    unsigned signs = smaller(a->signs, b->signs);
    if (a->zeros && b->zeros)
        return mk_ult(g, a, b);
    if (signs > 1)
        return without_top(g, mk_slt, a, b, signs - 1);
    struct node *ma = mk_msb(g, a), *mb = mk_msb(g, b);
    if (is_const(ma) && is_const(mb)) /* both known: the same, or decided */
        return const_bit(ma, 0) != const_bit(mb, 0) ? ma : mk_ult(g, a, b);
    if (is_zero(b))
        return ma;
    if (is_ones(a)) /* -1 < b */
        return mk_not(g, mb);
    struct node *choice = into_choice(g, mk_slt, a, b);
    return choice ? choice : mk_binary(g, OP_SLT, 1, a, b);
}
