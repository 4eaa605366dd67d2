// SPDX-License-Identifier: Apache-2.0
/*
 * make.c - the constructors of terms, with what they simplify: logic, arithmetic, shifts.
 *
 * `or` is written by `not` and `and`; sums of numbers with zeros at the high end are as wide as they can get.
 */
#include "terms/make.h"

#include "terms/arena.h"
#include "terms/bits.h"

static term fold(enum op op, uint32_t width, term a, term b)
{
    uint64_t few[8] = {0};
    uint64_t *r = words(width) <= 8 ? few : arena(words(width) * sizeof *r);
    bits_apply(op, width, r, node_of(a)->bits, b ? node_of(b)->bits : NULL, b ? width_of(b) : 0);
    return term_bits(width, r);
}

term make_binary(enum op op, uint32_t width, term a, term b)
{
    return term_raw(&(struct node){.op = op, .width = width, .a = a, .b = b});
}

void make_check(const char *what, term a, term b)
{
    if (width_of(a) != width_of(b))
        unsupported("%s of %u and %u bits", what, width_of(a), width_of(b));
}

void make_order(term *a, term *b)
{
    if (is_const(*a) || (*a > *b && !is_const(*b))) {
        term t = *a;
        *a = *b;
        *b = t;
    }
}

uint32_t make_leading_zeros(term t)
{
    const struct node *n = node_of(t);
    if (n->op == OP_CONCAT && is_zero(n->a))
        return width_of(n->a);
    if (n->op != OP_CONST)
        return 0;
    uint32_t zeros = 0;
    while (zeros < n->width && !bit_of(n->bits, n->width - 1 - zeros))
        zeros++;
    return zeros;
}

bool make_opposite(term a, term b)
{
    return (node_of(a)->op == OP_NOT && node_of(a)->a == b) ||
           (node_of(b)->op == OP_NOT && node_of(b)->a == a);
}

/* Both operands cut where a concatenation among them is: op(high, high) above op(low, low). */
static bool split(term a, term b, term (*op)(term, term), term *result)
{
    term by = node_of(a)->op == OP_CONCAT ? a : b, other = by == a ? b : a;
    const struct node n = *node_of(by);
    if (n.op != OP_CONCAT)
        return false;
    uint32_t low = width_of(n.b), high = width_of(n.a);
    term upper = op(n.a, term_extract(other, low, high));
    *result = term_concat(upper, op(n.b, term_extract(other, 0, low)));
    return true;
}

term term_not(term a)
{
    const struct node n = *node_of(a);
    if (n.op == OP_CONST)
        return fold(OP_NOT, n.width, a, NO_TERM);
    if (n.op == OP_NOT)
        return n.a;
    if (n.op == OP_CONCAT) {
        term high = term_not(n.a);
        return term_concat(high, term_not(n.b));
    }
    return term_raw(&(struct node){.op = OP_NOT, .width = n.width, .a = a});
}

/* a & b where b is not(and(a, y)): a & !y. */
static bool absorbed(term a, term b, term *result)
{
    const struct node n = *node_of(b);
    if (n.op == OP_AND && (n.a == a || n.b == a)) {
        *result = b;
        return true;
    }
    if (n.op != OP_NOT || node_of(n.a)->op != OP_AND)
        return false;
    const struct node inner = *node_of(n.a);
    if (inner.a == a || inner.b == a) {
        *result = term_and(a, term_not(inner.a == a ? inner.b : inner.a));
        return true;
    }
    if (make_opposite(inner.a, a) || make_opposite(inner.b, a)) {
        *result = a;
        return true;
    }
    return false;
}

/* Copies of one bit. */
static bool is_mask(term t)
{
    return node_of(t)->op == OP_SEXT && width_of(node_of(t)->a) == 1;
}

term term_and(term a, term b)
{
    term result;
    make_check("and", a, b);
    make_order(&a, &b);
    if (is_const(a))
        return fold(OP_AND, width_of(a), a, b);
    if (is_zero(b) || make_opposite(a, b))
        return term_const(width_of(a), 0);
    if (is_ones(b) || a == b)
        return a;
    if (split(a, b, term_and, &result))
        return result;
    if (is_const(b)) { /* cut at its highest change of bits */
        uint32_t width = width_of(a), low = width - 1;
        const uint64_t *bits = node_of(b)->bits;
        while (low > 0 && bit_of(bits, low - 1) == bit_of(bits, width - 1))
            low--;
        term high = bit_of(bits, width - 1) ? term_extract(a, low, width - low)
                                            : term_const(width - low, 0);
        return term_concat(high, term_and(term_extract(a, 0, low), term_extract(b, 0, low)));
    }
    if (absorbed(a, b, &result) || absorbed(b, a, &result))
        return result;
    if (is_mask(a) || is_mask(b)) {
        term by = is_mask(b) ? b : a;
        return term_ite(node_of(by)->a, by == b ? a : b, term_const(width_of(a), 0));
    }
    return make_binary(OP_AND, width_of(a), a, b);
}

term term_or(term a, term b)
{
    return term_not(term_and(term_not(a), term_not(b)));
}

term term_xor(term a, term b)
{
    term result;
    make_check("xor", a, b);
    make_order(&a, &b);
    if (is_const(a))
        return fold(OP_XOR, width_of(a), a, b);
    if (a == b)
        return term_const(width_of(a), 0);
    if (is_zero(b))
        return a;
    if (is_ones(b))
        return term_not(a);
    if (split(a, b, term_xor, &result))
        return result;
    bool inverted = false;
    while (node_of(a)->op == OP_NOT) {
        a = node_of(a)->a;
        inverted = !inverted;
    }
    while (node_of(b)->op == OP_NOT) {
        b = node_of(b)->a;
        inverted = !inverted;
    }
    if (a == b)
        return term_const(width_of(a), inverted ? UINT64_MAX : 0);
    make_order(&a, &b);
    result = make_binary(OP_XOR, width_of(a), a, b);
    return inverted ? term_not(result) : result;
}

/* A sum or product narrowed to what it can fill. */
static bool narrow(enum op op, term a, term b, term *result)
{
    uint32_t width = width_of(a);
    uint32_t used_a = width - make_leading_zeros(a), used_b = width - make_leading_zeros(b);
    uint32_t used = op == OP_MUL ? used_a + used_b : (used_a > used_b ? used_a : used_b) + 1;
    if (used >= width || used == 0)
        return false;
    a = term_extract(a, 0, used);
    b = term_extract(b, 0, used);
    *result = term_zext(op == OP_MUL ? term_mul(a, b) : term_add(a, b), width);
    return true;
}

term term_add(term a, term b)
{
    term result;
    make_check("add", a, b);
    make_order(&a, &b);
    if (is_const(a))
        return fold(OP_ADD, width_of(a), a, b);
    if (is_zero(b))
        return a;
    if (width_of(a) == 1)
        return term_xor(a, b);
    const struct node n = *node_of(a);
    if (is_const(b) && n.op == OP_ADD && is_const(n.b))
        return term_add(n.a, term_add(n.b, b));
    if (narrow(OP_ADD, a, b, &result))
        return result;
    return make_binary(OP_ADD, width_of(a), a, b);
}

term term_sub(term a, term b)
{
    make_check("sub", a, b);
    if (a == b)
        return term_const(width_of(a), 0);
    if (is_const(b))
        return term_add(a, fold(OP_SUB, width_of(a), term_const(width_of(a), 0), b));
    if (is_const(a) && is_const(b))
        return fold(OP_SUB, width_of(a), a, b);
    if (width_of(a) == 1)
        return term_xor(a, b);
    return make_binary(OP_SUB, width_of(a), a, b);
}

term term_mul(term a, term b)
{
    term result;
    uint64_t factor;
    make_check("mul", a, b);
    make_order(&a, &b);
    if (is_const(a))
        return fold(OP_MUL, width_of(a), a, b);
    if (is_zero(b))
        return b;
    if (const_value(b, &factor) && !(factor & (factor - 1)))
        return term_shift(OP_SHL, a, term_const(32, (uint64_t)__builtin_ctzll(factor)));
    if (narrow(OP_MUL, a, b, &result))
        return result;
    return make_binary(OP_MUL, width_of(a), a, b);
}

/* So many bits that the others are copies of the highest. */
static uint32_t signed_width(term t)
{
    const struct node *n = node_of(t);
    uint32_t zeros = make_leading_zeros(t), width = n->width;
    if (zeros)
        return zeros == width ? 1 : width - zeros + 1;
    if (n->op == OP_SEXT)
        return width_of(n->a);
    while (n->op == OP_CONST && width > 1 && bit_of(n->bits, width - 2))
        width--;
    return width;
}

static term magnitude(term t)
{
    uint32_t width = width_of(t);
    return term_ite(term_extract(t, width - 1, 1), term_sub(term_const(width, 0), t), t);
}

/* By the magnitudes, in as few bits as hold both. */
static term divide_signed(enum op op, term a, term b)
{
    uint32_t width = width_of(a), used_a = signed_width(a), used_b = signed_width(b);
    uint32_t used = used_a > used_b ? used_a : used_b;
    a = term_extract(a, 0, used);
    b = term_extract(b, 0, used);
    term x = magnitude(a), y = magnitude(b), zero = term_const(width, 0);
    term negative = term_extract(a, used - 1, 1);
    term r = term_zext(term_divide(op == OP_SDIV ? OP_UDIV : OP_UREM, x, y), width);
    if (op == OP_SDIV) {
        negative = term_xor(negative, term_extract(b, used - 1, 1));
        r = term_ite(term_is_nonzero(b), r, term_ones(width));
    }
    return term_ite(negative, term_sub(zero, r), r);
}

/* Both fit into fewer bits; by zero the quotient is all ones. */
static term divide_narrow(enum op op, term a, term b, uint32_t used)
{
    uint32_t width = width_of(a);
    b = term_extract(b, 0, used);
    term r = term_zext(term_divide(op, term_extract(a, 0, used), b), width);
    return op == OP_UREM ? r : term_ite(term_is_nonzero(b), r, term_ones(width));
}

term term_divide(enum op op, term a, term b)
{
    uint64_t by;
    make_check("division", a, b);
    if (is_const(a) && is_const(b))
        return fold(op, width_of(a), a, b);
    if (op == OP_SDIV || op == OP_SREM)
        return divide_signed(op, a, b);
    uint32_t zeros_a = make_leading_zeros(a), zeros_b = make_leading_zeros(b);
    if (zeros_a && zeros_b)
        return divide_narrow(op, a, b, width_of(a) - (zeros_a < zeros_b ? zeros_a : zeros_b));
    if (const_value(b, &by) && by && !(by & (by - 1))) {
        uint32_t k = (uint32_t)__builtin_ctzll(by);
        if (op == OP_UDIV)
            return term_shift(OP_LSHR, a, term_const(32, k));
        return k ? term_zext(term_extract(a, 0, k), width_of(a)) : term_const(width_of(a), 0);
    }
    term result;
    if (make_divide_const(op, a, b, &result))
        return result;
    return make_binary(op, width_of(a), a, b);
}

static term shift_by(enum op op, term a, uint32_t by)
{
    uint32_t width = width_of(a);
    if (by == 0)
        return a;
    if (op == OP_SHL)
        return by >= width ? term_const(width, 0)
                           : term_concat(term_extract(a, 0, width - by), term_const(by, 0));
    if (op == OP_ASHR)
        return by >= width ? term_sext(term_extract(a, width - 1, 1), width)
                           : term_sext(term_extract(a, by, width - by), width);
    return by >= width ? term_const(width, 0) : term_zext(term_extract(a, by, width - by), width);
}

term term_shift(enum op op, term a, term amount)
{
    uint64_t by;
    if (is_const(amount))
        return shift_by(op, a,
                        const_value(amount, &by) && by < width_of(a) ? (uint32_t)by : width_of(a));
    if (is_zero(a))
        return a;
    uint32_t zeros = make_leading_zeros(amount);
    if (zeros)
        amount = term_extract(amount, 0, width_of(amount) - zeros);
    if (op == OP_ASHR && make_leading_zeros(a))
        op = OP_LSHR;
    uint32_t high = make_leading_zeros(a);
    if (op == OP_LSHR && high)
        return term_zext(term_shift(op, term_extract(a, 0, width_of(a) - high), amount),
                         width_of(a));
    return make_binary(op, width_of(a), a, amount);
}

term term_resize(term a, uint32_t width)
{
    return width <= width_of(a) ? term_extract(a, 0, width) : term_zext(a, width);
}

term term_select(uint32_t memory, term address, uint32_t width)
{
    return term_raw(&(struct node){.op = OP_SELECT, .width = width, .a = address, .aux = memory});
}

term term_is_nonzero(term a)
{
    return width_of(a) == 1 ? a : term_not(term_eq(a, term_const(width_of(a), 0)));
}

term term_mux(const term *value, uint32_t n, term index)
{
    if (n == 1)
        return value[0];
    uint32_t bit = 31 - (uint32_t)__builtin_clz(n - 1), half = 1u << bit;
    if (bit >= width_of(index))
        return term_mux(value, half, index);
    term high = term_mux(value + half, n - half, index);
    return term_ite(term_extract(index, bit, 1), high, term_mux(value, half, index));
}

term term_rebuild(const struct node *n, term a, term b, term c)
{
    switch (n->op) {
    case OP_NOT:
        return term_not(a);
    case OP_AND:
        return term_and(a, b);
    case OP_XOR:
        return term_xor(a, b);
    case OP_ADD:
        return term_add(a, b);
    case OP_SUB:
        return term_sub(a, b);
    case OP_MUL:
        return term_mul(a, b);
    case OP_UDIV:
    case OP_UREM:
    case OP_SDIV:
    case OP_SREM:
        return term_divide(n->op, a, b);
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
        return term_shift(n->op, a, b);
    case OP_EQ:
        return term_eq(a, b);
    case OP_ULT:
        return term_ult(a, b);
    case OP_SLT:
        return term_slt(a, b);
    case OP_ITE:
        return term_ite(a, b, c);
    case OP_CONCAT:
        return term_concat(a, b);
    case OP_EXTRACT:
        return term_extract(a, n->aux, n->width);
    case OP_SEXT:
        return term_sext(a, n->width);
    case OP_SELECT:
        return term_select(n->aux, a, n->width);
    default:
        return term_raw(n);
    }
}
