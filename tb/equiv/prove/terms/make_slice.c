// SPDX-License-Identifier: Apache-2.0
/*
 * make_slice.c - constructors of concatenations, slices and extensions.
 *
 * An extension by zeros is a concatenation; shifts by constants are slices; slices go through bitwise operations,
 * choices and the low end of sums, so that a 32-bit sum of which 5 bits are kept is a 5-bit sum.
 */
#include "terms/make.h"

#include "terms/arena.h"
#include "terms/bits.h"

/* Copies of the sign above a number. */
static bool repeats(term high, term low)
{
    const struct node h = *node_of(high);
    term bit = h.op == OP_SEXT ? h.a : high;
    if (width_of(bit) != 1 || is_const(bit) || is_const(low))
        return false;
    const struct node l = *node_of(low);
    uint32_t top = l.width - 1;
    switch (l.op) { /* nothing new is made for a mere look */
    case OP_SEXT:
        return width_of(l.a) == 1 ? l.a == bit : false;
    case OP_CONCAT:
        return repeats(high, l.a);
    default:
        return l.width == 1 ? low == bit : term_extract(low, top, 1) == bit;
    }
}

term term_concat(term high, term low)
{
    const struct node h = *node_of(high), l = *node_of(low);
    if (h.op == OP_CONCAT)
        return term_concat(h.a, term_concat(h.b, low));
    if (h.op == OP_CONST && l.op == OP_CONST) {
        uint64_t few[9] = {0};
        uint64_t *r =
            words(h.width + l.width) < 9 ? few : arena((words(h.width + l.width) + 1) * sizeof *r);
        bits_insert(r, 0, l.bits, l.width);
        bits_insert(r, l.width, h.bits, h.width);
        return term_bits(h.width + l.width, r);
    }
    if (h.op == OP_EXTRACT && l.op == OP_EXTRACT && h.a == l.a && h.aux == l.aux + l.width)
        return term_extract(l.a, l.aux, h.width + l.width);
    if (l.op != OP_CONCAT && repeats(high, low))
        return term_sext(low, h.width + l.width);
    if (l.op == OP_CONCAT) {
        const struct node next = *node_of(l.a);
        if ((h.op == OP_CONST && next.op == OP_CONST) || repeats(high, l.a) ||
            (h.op == OP_EXTRACT && next.op == OP_EXTRACT && h.a == next.a &&
             h.aux == next.aux + next.width))
            return term_concat(term_concat(high, l.a), l.b);
    }
    return make_binary(OP_CONCAT, h.width + l.width, high, low);
}

/* The slice of a concatenation, walking down its right spine. */
static term extract_concat(term a, uint32_t low, uint32_t width)
{
    for (;;) {
        const struct node n = *node_of(a);
        if (low == 0 && width == n.width)
            return a;
        if (n.op != OP_CONCAT)
            return term_extract(a, low, width);
        uint32_t below = width_of(n.b);
        if (low >= below)
            return term_extract(n.a, low - below, width);
        if (low + width > below) {
            term upper = term_extract(n.a, 0, low + width - below);
            return term_concat(upper, extract_concat(n.b, low, below - low));
        }
        a = n.b;
    }
}

static term extract_sext(const struct node *n, uint32_t low, uint32_t width)
{
    uint32_t inner = width_of(n->a);
    if (low + width <= inner)
        return term_extract(n->a, low, width);
    if (low >= inner)
        low = inner - 1;
    return term_sext(term_extract(n->a, low, inner - low), width);
}

/* The slice of what is no slice, concatenation or constant, going through its operands. */
static term extract_through(term a, uint32_t low, uint32_t width)
{
    const struct node n = *node_of(a);
    term left, right;
    if (n.op == OP_MUL && make_is_quotient(a, low, width, &left))
        return left;
    switch (n.op) {
    case OP_NOT:
        return term_not(term_extract(n.a, low, width));
    case OP_AND:
    case OP_XOR:
        left = term_extract(n.a, low, width);
        right = term_extract(n.b, low, width);
        return n.op == OP_AND ? term_and(left, right) : term_xor(left, right);
    case OP_ITE:
        left = term_extract(n.b, low, width);
        right = term_extract(n.c, low, width);
        return term_ite(n.a, left, right);
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
        /* no bit at the high end goes; a product stays one, not one for each bit */
        if (low + width == n.width || (n.op == OP_MUL && width == 1 && low > 0))
            break;
        left = term_extract(n.a, 0, low + width);
        right = term_extract(n.b, 0, low + width);
        left = n.op == OP_ADD   ? term_add(left, right)
               : n.op == OP_SUB ? term_sub(left, right)
                                : term_mul(left, right);
        return term_extract(left, low, width);
    case OP_SHL:
        if (low + width == n.width)
            break;
        return term_extract(term_shift(OP_SHL, term_extract(n.a, 0, low + width), n.b), low, width);
    default:
        break;
    }
    return term_raw(&(struct node){.op = OP_EXTRACT, .width = width, .a = a, .aux = low});
}

/* Slices go deep into graphs that share: what was asked before is looked up. */
static term extract_once(term a, uint32_t low, uint32_t width)
{
    enum { SLOTS = 1 << 20 };
    static struct {
        term a, result;
        uint32_t low, width;
    } cache[SLOTS];
    uint64_t h =
        (((uint64_t)a << 32 | low) ^ ((uint64_t)width << 17)) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t at = (uint32_t)(h >> 40) % SLOTS;
    if (cache[at].a == a && cache[at].low == low && cache[at].width == width)
        return cache[at].result;
    term result = extract_through(a, low, width);
    cache[at].a = a;
    cache[at].low = low;
    cache[at].width = width;
    cache[at].result = result;
    return result;
}

term term_extract(term a, uint32_t low, uint32_t width)
{
    const struct node n = *node_of(a);
    if (width == 0 || low + width > n.width)
        unsupported("bits %u to %u of %u", low, low + width - 1, n.width);
    if (low == 0 && width == n.width)
        return a;
    if (n.op == OP_CONST) {
        uint64_t few[8];
        uint64_t *r = words(width) <= 8 ? few : arena(words(width) * sizeof *r);
        bits_slice(width, r, n.bits, n.width, low);
        return term_bits(width, r);
    }
    if (n.op == OP_EXTRACT)
        return term_extract(n.a, n.aux + low, width);
    if (n.op == OP_CONCAT)
        return extract_concat(a, low, width);
    if (n.op == OP_SEXT)
        return extract_sext(&n, low, width);
    return extract_once(a, low, width);
}

term term_zext(term a, uint32_t width)
{
    return width == width_of(a) ? a : term_concat(term_const(width - width_of(a), 0), a);
}

term term_sext(term a, uint32_t width)
{
    const struct node n = *node_of(a);
    if (width == n.width)
        return a;
    if (n.op == OP_CONST) {
        term high = term_const(width - n.width, 0);
        return term_concat(bit_of(n.bits, n.width - 1) ? term_not(high) : high, a);
    }
    if (n.op == OP_CONCAT) { /* the sign is in the upper part */
        term high = term_sext(n.a, width - width_of(n.b));
        return term_concat(high, n.b);
    }
    if (n.op == OP_SEXT)
        return term_sext(n.a, width);
    return term_raw(&(struct node){.op = OP_SEXT, .width = width, .a = a});
}
