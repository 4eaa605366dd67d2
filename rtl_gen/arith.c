// SPDX-License-Identifier: Apache-2.0
/*
 * arith.c - constructors of arithmetic, comparisons, shifts, array accesses and calls.
 *
 * C computes in int; here every operation is done in the bits that its operands really have and
 * the rest is put back as zeros or sign, so that the surplus disappears where it is cut off.
 */
#include "graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned bigger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static struct node *plain(struct graph *g, enum op op, unsigned width, struct node *a,
                          struct node *b)
{
    return node_intern(
        g, (struct node){.op = op, .width = width, .n_args = 2, .args = (struct node *[]){a, b}});
}

static struct node *ordered(struct graph *g, enum op op, unsigned width, struct node *a,
                            struct node *b)
{
    return a->id < b->id ? plain(g, op, width, a, b) : plain(g, op, width, b, a);
}

static struct node *bit(struct graph *g, bool value)
{
    return mk_const(g, 1, value);
}

static struct node *msb(struct graph *g, struct node *a)
{
    return mk_slice(g, a, a->width - 1, 1);
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
    uint64_t *sum = arena(words(a) * sizeof *sum);
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
    uint64_t *product = arena(words(a) * sizeof *product);
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

typedef struct node *(*binary_fn)(struct graph *, struct node *, struct node *);

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
    if (is_const(a)) {
        struct node *t = a;
        a = b;
        b = t;
    }
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
        return plain(g, OP_ADD, width, a, b);
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
    return plain(g, OP_SUB, width, a, b);
}

struct node *mk_mul(struct graph *g, struct node *a, struct node *b)
{
    assert(a->width == b->width);
    if (is_const(a)) {
        struct node *t = a;
        a = b;
        b = t;
    }
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
        return plain(g, OP_MUL, a->width, a, b);
    return ordered(g, OP_MUL, a->width, a, b);
}

struct node *mk_udiv(struct graph *g, struct node *a, struct node *b)
{
    assert(a->width == b->width);
    if (is_zero(b) || is_zero(a))
        return mk_const(g, a->width, 0);
    if (is_const(a) && is_const(b))
        return const_divide(g, a, b, false);
    int shift = log2_const(b);
    if (shift >= 0)
        return mk_lshr(g, a, mk_const(g, 32, (unsigned)shift));
    unsigned need = bigger(significant(a), significant(b));
    if (need < a->width)
        return in_bits(g, mk_udiv, a, b, need, false);
    return plain(g, OP_UDIV, a->width, a, b);
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
    return plain(g, OP_UREM, a->width, a, b);
}

static struct node *magnitude(struct graph *g, struct node *a)
{
    struct node *minus = mk_sub(g, mk_const(g, a->width, 0), a);
    return mk_mux(g, msb(g, a), minus, a);
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
    struct node *sign_a = msb(g, a), *sign_b = msb(g, b);
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
    if (mux->op != OP_MUX || !is_const(k) || (!is_const(mux->args[1]) && !is_const(mux->args[2])))
        return NULL;
    struct node *x = mux == a ? op(g, mux->args[1], k) : op(g, k, mux->args[1]);
    struct node *y = mux == a ? op(g, mux->args[2], k) : op(g, k, mux->args[2]);
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
    if (is_const(a)) {
        struct node *t = a;
        a = b;
        b = t;
    }
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
    if (a->op == OP_SUB && log2_const(b) == (int)a->width - 1) /* half way round: flip the msb */
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
        return plain(g, OP_EQ, 1, a, b);
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
        return mk_and(g, msb(g, b), below);
    }
    struct node *choice = into_choice(g, mk_ult, a, b);
    return choice ? choice : plain(g, OP_ULT, 1, a, b);
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
    struct node *ma = msb(g, a), *mb = msb(g, b);
    if (is_const(ma) && is_const(mb)) /* both known: the same, or decided */
        return const_bit(ma, 0) != const_bit(mb, 0) ? ma : mk_ult(g, a, b);
    if (is_zero(b))
        return ma;
    if (is_ones(a)) /* -1 < b */
        return mk_not(g, mb);
    struct node *choice = into_choice(g, mk_slt, a, b);
    return choice ? choice : plain(g, OP_SLT, 1, a, b);
}

/* ---- shifts ------------------------------------------------------------------------------------------------- */

/* Drop known zeros of a shift amount; one of more than 16 bits is compared instead of shifted by. */
static struct node *amount_bits(struct graph *g, struct node *amount, struct node **too_far)
{
    *too_far = bit(g, false);
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
    return mk_mux(g, far, zero, plain(g, OP_SHL, a->width, a, amount));
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
    return mk_mux(g, far, zero, plain(g, OP_LSHR, a->width, a, amount));
}

struct node *mk_ashr(struct graph *g, struct node *a, struct node *amount)
{
    if (a->zeros)
        return mk_lshr(g, a, amount);
    if (is_zero(amount) || a->width == 1)
        return a;
    struct node *sign = mk_sext(g, msb(g, a), a->width);
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
    return mk_mux(g, far, sign, plain(g, OP_ASHR, a->width, a, amount));
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

struct node *mk_get(struct graph *g, struct node *vec, struct node *index, unsigned width)
{
    assert(vec->width % width == 0);
    unsigned n = vec->width / width;
    if (is_const(index)) {
        if (significant(index) > 32 || const_value(index) >= n)
            return mk_const(g, width, 0);
        return mk_slice(g, vec, (unsigned)const_value(index) * width, width);
    }
    if (is_zero(vec))
        return mk_const(g, width, 0);
    index = mk_slice(g, index, 0, significant(index));
    if (n == 1) {
        struct node *first = mk_eq(g, index, mk_const(g, index->width, 0));
        return mk_mux(g, first, vec, mk_const(g, width, 0));
    }
    unsigned zeros = element_zeros(g, vec, width);
    if (zeros == width)
        return mk_const(g, width, 0);
    if (zeros) {
        struct node **part = NULL;
        unsigned count = 0;
        for (unsigned i = n; i-- > 0;)
            PUSH(part, count, mk_slice(g, vec, i * width, width - zeros));
        return mk_zext(g, mk_get(g, mk_concat(g, count, part), index, width - zeros), width);
    }
    return node_intern(
        g, (struct node){
               .op = OP_GET, .width = width, .n_args = 2, .args = (struct node *[]){vec, index}});
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

struct node *mk_like(struct graph *g, const struct node *old, struct node **a)
{
    switch (old->op) {
    case OP_NOT:
        return mk_not(g, a[0]);
    case OP_AND:
        return mk_and(g, a[0], a[1]);
    case OP_OR:
        return mk_or(g, a[0], a[1]);
    case OP_XOR: {
        struct node *sum = a[0];
        for (unsigned i = 1; i < old->n_args; i++)
            sum = mk_xor(g, sum, a[i]);
        return sum;
    }
    case OP_ADD:
        return mk_add(g, a[0], a[1]);
    case OP_SUB:
        return mk_sub(g, a[0], a[1]);
    case OP_MUL:
        return mk_mul(g, a[0], a[1]);
    case OP_UDIV:
        return mk_udiv(g, a[0], a[1]);
    case OP_UREM:
        return mk_urem(g, a[0], a[1]);
    case OP_SHL:
        return mk_shl(g, a[0], a[1]);
    case OP_LSHR:
        return mk_lshr(g, a[0], a[1]);
    case OP_ASHR:
        return mk_ashr(g, a[0], a[1]);
    case OP_EQ:
        return mk_eq(g, a[0], a[1]);
    case OP_ULT:
        return mk_ult(g, a[0], a[1]);
    case OP_SLT:
        return mk_slt(g, a[0], a[1]);
    case OP_MUX:
        return mk_mux(g, a[0], a[1], a[2]);
    case OP_SLICE:
        return mk_slice(g, a[0], old->index, old->width);
    case OP_CONCAT:
        return mk_concat(g, old->n_args, a);
    case OP_SEXT:
        return mk_sext(g, a[0], old->width);
    case OP_GET:
        return mk_get(g, a[0], a[1], old->width);
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
