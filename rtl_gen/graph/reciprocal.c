// SPDX-License-Identifier: Apache-2.0
/*
 * reciprocal.c - quotients and remainders by constants, as products.
 *
 * For d no power of two and numbers x of w bits: with m = ceil(2^s / d) and e = m * d - 2^s, x * m / 2^s is x / d + x * e / (d * 2^s).
 * Cut down it is the quotient as long as the second term is below 1 / d, so if (2^w - 1) * e < 2^s (Granlund and Montgomery). The least
 * such s makes the narrowest product. Powers of two in d are taken off first. tb/equiv/prove finds the quotient in the product
 * by a check of its own.
 */
#include "graph/graph.h"
#include "base/number.h"

#include <assert.h>

enum { WIDEST = 64 };

static unsigned bits_of(unsigned __int128 x)
{
    unsigned n = 0;
    for (; x != 0; x >>= 1)
        n++;
    return n;
}

bool divides_by_product(const struct node *a, const struct node *b)
{
    return is_const(b) && a->width <= WIDEST && const_value(b) != 0;
}

/* The largest number of a's width. */
static uint64_t largest(const struct node *a)
{
    return UINT64_MAX >> (WIDEST - a->width);
}

struct node *quotient_by_const(struct graph *g, struct node *a, struct node *b)
{
    const uint64_t d = const_value(b);
    const unsigned low = (unsigned)__builtin_ctzll(d), width = a->width;
    assert(divides_by_product(a, b) && d <= largest(a));
    if (low != 0) {
        struct node *high = mk_slice(g, a, low, width - low);
        return mk_zext(g, mk_udiv(g, high, mk_const(g, width - low, d >> low)), width);
    }
    const unsigned bits = bits_of(largest(a) / d);
    if (bits == 1)
        return mk_zext(g, mk_not(g, mk_ult(g, a, b)), width);

    unsigned shift = bits_of(d) - 1;
    unsigned __int128 one, m;
    do {
        shift++;
        one = (unsigned __int128)1 << shift;
        m = (one + d - 1) / d;
    } while (largest(a) * (m * d - one) >= one);
    const unsigned all = width + bits_of(m);
    const uint64_t words[] = {(uint64_t)m, (uint64_t)(m >> 64), 0, 0};
    struct node *product = mk_mul(g, mk_zext(g, a, all), mk_const_bits(g, all, words));
    return mk_zext(g, mk_slice(g, product, shift, bits), width);
}

struct node *remainder_by_const(struct graph *g, struct node *a, struct node *b)
{
    const uint64_t d = const_value(b);
    const unsigned low = (unsigned)__builtin_ctzll(d), width = a->width, bits = bits_of(d - 1);
    if (low != 0) {
        struct node *high = mk_slice(g, a, low, width - low);
        struct node *rest = mk_urem(g, high, mk_const(g, width - low, d >> low));
        return mk_concat2(g, rest, mk_slice(g, a, 0, low));
    }
    struct node *times = mk_mul(g, mk_resize(g, mk_udiv(g, a, b), bits), mk_resize(g, b, bits));
    return mk_zext(g, mk_sub(g, mk_resize(g, a, bits), times), width);
}
