// SPDX-License-Identifier: Apache-2.0
/*
 * make_divide.c - divisions by constants, in one form whichever way they were written.
 *
 * A division by d is one by its odd part, of the bits above; a remainder is what the quotient leaves; and bits above 2^s of a
 * product x * m are those of x / d, if m * d is 2^s + e with (2^w - 1) * e < 2^s, w being the bits of x: x * m / 2^s is
 * x / d + x * e / (d * 2^s), whose second part is below 1 / d then, too little to reach the next integer.
 */
#include "terms/make.h"

typedef unsigned __int128 number;

enum { WIDEST = 64 };

static uint32_t bits_of(number x)
{
    uint32_t n = 0;
    for (; x != 0; x >>= 1)
        n++;
    return n;
}

/* The value of a constant below 2^66. */
static bool constant_below(term t, number *value)
{
    const struct node *n = node_of(t);
    if (n->op != OP_CONST || n->width - make_leading_zeros(t) > WIDEST + 2)
        return false;
    *value = n->bits[0] | (n->width > 64 ? (number)n->bits[1] << 64 : 0);
    return true;
}

bool make_divide_const(enum op op, term a, term b, term *result)
{
    number d, most;
    uint32_t width = width_of(a), low = 0;
    if (width > WIDEST || !constant_below(b, &d) || d < 2)
        return false;
    most = ((number)1 << (width - make_leading_zeros(a))) - 1;
    if (d > most) {
        *result = op == OP_UDIV ? term_const(width, 0) : a;
        return true;
    }
    while (!(d >> low & 1))
        low++;
    if (low != 0) {
        term high = term_extract(a, low, width - low);
        term r = term_divide(op, high, term_const(width - low, (uint64_t)(d >> low)));
        *result = op == OP_UDIV ? term_zext(r, width) : term_concat(r, term_extract(a, 0, low));
        return true;
    }
    if (op == OP_UDIV) {
        if (most / d != 1)
            return false;
        *result = term_zext(term_not(term_ult(a, b)), width);
        return true;
    }
    uint32_t bits = bits_of(d - 1);
    term q = term_divide(OP_UDIV, a, b);
    term times = term_mul(term_extract(q, 0, bits), term_extract(b, 0, bits));
    *result = term_zext(term_sub(term_extract(a, 0, bits), times), width);
    return true;
}

bool make_is_quotient(term product, uint32_t low, uint32_t width, term *result)
{
    const struct node n = *node_of(product);
    number m, one = (number)1 << (low < 128 ? low : 0), d, whole;
    uint32_t used = n.width - make_leading_zeros(n.a);
    if (low == 0 || low >= 128 || used == 0 || used > WIDEST || !constant_below(n.b, &m) || m < 2)
        return false;
    d = one / m + 1; /* the least that may be meant; where m divides 2^s it is a shift */
    if (d < 3 || d >> WIDEST || __builtin_mul_overflow(m, d, &whole) || whole < one)
        return false;
    const number most = ((number)1 << used) - 1;
    if (whole - one > ((number)1 << WIDEST) - 1 || most * (whole - one) >= one)
        return false;
    term q = d > most
                 ? term_const(used, 0)
                 : term_divide(OP_UDIV, term_extract(n.a, 0, used), term_const(used, (uint64_t)d));
    *result = width <= used ? term_extract(q, 0, width) : term_zext(q, width);
    return true;
}
