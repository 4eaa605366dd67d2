// SPDX-License-Identifier: Apache-2.0
/*
 * blast.c - words as bits: adders that ripple, rows of products added, shifts in stages, comparisons from the low end up.
 */
#include "solve/blast.h"

#include "terms/arena.h"
#include "terms/bits.h"

#include <string.h>

/* By term; bits of a term, bit 0 first. */
static const term **known;
static uint32_t room;

static const term none[1];

static const term *bits_of(term t);

static void make_room(void)
{
    uint32_t to = term_room(room);
    if (to == room)
        return;
    known = widened(known, room, to, sizeof *known);
    room = to;
}

static term joined(const term *bit, uint32_t width)
{
    term t = bit[0];
    for (uint32_t i = 1; i < width; i++)
        t = term_concat(bit[i], t);
    return t;
}

static term word(term t)
{
    return t ? joined(bits_of(t), width_of(t)) : NO_TERM;
}

/* Not made of bits: a symbol, a word of a memory, a quotient. */
static void atom(const struct node *n, term t, term *r)
{
    if (n->op != OP_VAR) {
        term a = word(n->a);
        t = term_rebuild(n, a, word(n->b), NO_TERM);
    }
    if (node_of(t)->op != n->op || width_of(t) != n->width) { /* the constructor found more */
        memcpy(r, bits_of(t), n->width * sizeof *r);
        return;
    }
    /* not through the constructor, which takes words apart */
    for (uint32_t i = 0; i < n->width; i++)
        r[i] = n->width == 1
                   ? t
                   : term_raw(&(struct node){.op = OP_EXTRACT, .width = 1, .a = t, .aux = i});
}

/* a + b + carry */
static void add(uint32_t width, term *r, const term *a, const term *b, bool subtract)
{
    term carry = term_const(1, subtract);
    for (uint32_t i = 0; i < width; i++) {
        term y = subtract ? term_not(b[i]) : b[i], half = term_xor(a[i], y);
        r[i] = term_xor(half, carry);
        carry = term_ite(half, carry, a[i]);
    }
}

/*
 * Rows added from the low end up, so that a product of fewer bits is the low end of a wider one; which operand gives
 * the rows is settled by their low bits.
 */
static void multiply(uint32_t width, term *r, const term *a, const term *b)
{
    uint32_t differ = 0;
    while (differ < width && a[differ] == b[differ])
        differ++;
    bool exchange = differ < width && a[differ] > b[differ];
    const term *row = exchange ? b : a, *by = exchange ? a : b;
    term *before = arena(width * sizeof *before), *more = arena(width * sizeof *more);
    for (uint32_t i = 0; i < width; i++)
        r[i] = term_false();
    for (uint32_t k = 0; k < width; k++) {
        for (uint32_t i = k; i < width; i++)
            more[i] = term_and(row[i - k], by[k]);
        memcpy(before, r, width * sizeof *before);
        add(width - k, r + k, before + k, more + k, false);
    }
}

static term equal(uint32_t width, const term *a, const term *b)
{
    term t = term_true();
    for (uint32_t i = 0; i < width; i++)
        t = term_and(t, term_not(term_xor(a[i], b[i])));
    return t;
}

static term less(uint32_t width, const term *a, const term *b, bool is_signed)
{
    term t = term_false();
    for (uint32_t i = 0; i < width; i++) {
        bool sign = is_signed && i == width - 1;
        t = term_ite(term_xor(a[i], b[i]), sign ? a[i] : b[i], t);
    }
    return t;
}

/* Bit i of a moved by `by`, towards the high end or the low end. */
static term moved(const term *a, uint32_t width, uint32_t i, uint32_t by, bool up, term fill)
{
    if (up)
        return i >= by ? a[i - by] : fill;
    return by < width - i ? a[i + by] : fill;
}

/* A stage for each bit of the amount. */
static void shift(const struct node *n, term *r, const term *a, const term *amount)
{
    uint32_t width = n->width, bits = width_of(n->b);
    term fill = n->op == OP_ASHR ? a[width - 1] : term_false();
    term *before = arena(width * sizeof *before);
    memcpy(r, a, width * sizeof *r);
    for (uint32_t k = 0; k < bits; k++) {
        uint32_t by = k < 31 && UINT32_C(1) << k < width ? UINT32_C(1) << k : width;
        memcpy(before, r, width * sizeof *before);
        for (uint32_t i = 0; i < width; i++)
            r[i] =
                term_ite(amount[k], moved(before, width, i, by, n->op == OP_SHL, fill), before[i]);
    }
}

static void rearrange(const struct node *n, term *r, const term *a)
{
    uint32_t low;
    switch (n->op) {
    case OP_CONCAT:
        low = width_of(n->b);
        memcpy(r, bits_of(n->b), low * sizeof *r);
        memcpy(r + low, a, (n->width - low) * sizeof *r);
        break;
    case OP_EXTRACT:
        memcpy(r, a + n->aux, n->width * sizeof *r);
        break;
    default: /* copies of the sign */
        low = width_of(n->a);
        for (uint32_t i = 0; i < n->width; i++)
            r[i] = a[i < low ? i : low - 1];
    }
}

static void bitwise(const struct node *n, term *r, const term *a, const term *b)
{
    const term *c = n->c ? bits_of(n->c) : none;
    for (uint32_t i = 0; i < n->width; i++)
        r[i] = n->op == OP_NOT   ? term_not(a[i])
               : n->op == OP_AND ? term_and(a[i], b[i])
               : n->op == OP_XOR ? term_xor(a[i], b[i])
                                 : term_ite(a[0], b[i], c[i]);
}

static void new_bits(const struct node *n, term t, term *r)
{
    const enum op_kind kind = op_info[n->op].kind;
    const bool is_atom = kind == KIND_SYMBOL || kind == KIND_QUOTIENT;
    const term *a = is_atom || !n->a ? none : bits_of(n->a);
    const term *b = is_atom || !n->b ? none : bits_of(n->b);
    switch (kind) {
    case KIND_SYMBOL:
    case KIND_QUOTIENT:
        atom(n, t, r);
        break;
    case KIND_CONST:
        for (uint32_t i = 0; i < n->width; i++)
            r[i] = term_const(1, bit_of(n->bits, i));
        break;
    case KIND_BITWISE:
        bitwise(n, r, a, b);
        break;
    case KIND_SUM:
        if (n->op == OP_MUL)
            multiply(n->width, r, a, b);
        else
            add(n->width, r, a, b, n->op == OP_SUB);
        break;
    case KIND_SHIFT:
        shift(n, r, a, b);
        break;
    case KIND_TEST:
        r[0] = n->op == OP_EQ ? equal(width_of(n->a), a, b)
                              : less(width_of(n->a), a, b, n->op == OP_SLT);
        break;
    case KIND_WIRING:
        rearrange(n, r, a);
    }
}

static const term *bits_of(term t)
{
    make_room();
    if (!known[t]) {
        const struct node n = *node_of(t);
        term *r = arena(n.width * sizeof *r);
        new_bits(&n, t, r);
        make_room();
        known[t] = r;
    }
    return known[t];
}

term blast(term t)
{
    return word(t);
}
