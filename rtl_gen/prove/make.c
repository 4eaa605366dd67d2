// SPDX-License-Identifier: Apache-2.0
/*
 * make.c - the constructors of terms, with what they simplify.
 *
 * Normal forms: `or` is written by `not` and `and`; an extension by zeros is a concatenation; shifts
 * by constants are slices; slices go through bitwise operations, choices and the low end of sums, so
 * that a 32-bit sum of which 5 bits are kept is a 5-bit sum; sums of numbers with zeros at the high
 * end are as wide as they can get.
 */
#include "arena.h"
#include "bits.h"
#include "term.h"

static term fold(enum op op, uint32_t width, term a, term b)
{
    uint64_t few[8] = {0};
    uint64_t *r = words(width) <= 8 ? few : arena(words(width) * sizeof *r);
    bits_apply(op, width, r, node_of(a)->bits, b ? node_of(b)->bits : NULL, b ? width_of(b) : 0);
    return term_bits(width, r);
}

static term binary(enum op op, uint32_t width, term a, term b)
{
    return term_raw(&(struct node){.op = op, .width = width, .a = a, .b = b});
}

static void check(const char *what, term a, term b)
{
    if (width_of(a) != width_of(b))
        unsupported("%s of %u and %u bits", what, width_of(a), width_of(b));
}

/* Constants second, else the older first. */
static void order(term *a, term *b)
{
    if (is_const(*a) || (*a > *b && !is_const(*b))) {
        term t = *a;
        *a = *b;
        *b = t;
    }
}

/* How many bits at the high end are surely zero. */
static uint32_t leading_zeros(term t)
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

static bool opposite(term a, term b)
{
    return (node_of(a)->op == OP_NOT && node_of(a)->a == b) ||
           (node_of(b)->op == OP_NOT && node_of(b)->a == a);
}

/* Both operands cut where a concatenation among them is: op(high, high) above op(low, low). */
static bool split(term a, term b, term (*op)(term, term), term *result)
{
    term by = node_of(a)->op == OP_CONCAT ? a : b, other = by == a ? b : a;
    const struct node n = *node_of(by), o = *node_of(other);
    if (n.op != OP_CONCAT ||
        !(o.op == OP_CONST || (o.op == OP_CONCAT && width_of(o.b) == width_of(n.b))))
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
    if (opposite(inner.a, a) || opposite(inner.b, a)) {
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
    check("and", a, b);
    order(&a, &b);
    if (is_const(a))
        return fold(OP_AND, width_of(a), a, b);
    if (is_zero(b) || opposite(a, b))
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
    return binary(OP_AND, width_of(a), a, b);
}

term term_or(term a, term b)
{
    return term_not(term_and(term_not(a), term_not(b)));
}

term term_xor(term a, term b)
{
    term result;
    check("xor", a, b);
    order(&a, &b);
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
    order(&a, &b);
    result = binary(OP_XOR, width_of(a), a, b);
    return inverted ? term_not(result) : result;
}

/* A sum or product narrowed to what it can fill. */
static bool narrow(enum op op, term a, term b, term *result)
{
    uint32_t width = width_of(a);
    uint32_t used_a = width - leading_zeros(a), used_b = width - leading_zeros(b);
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
    check("add", a, b);
    order(&a, &b);
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
    return binary(OP_ADD, width_of(a), a, b);
}

term term_sub(term a, term b)
{
    check("sub", a, b);
    if (a == b)
        return term_const(width_of(a), 0);
    if (is_const(b))
        return term_add(a, fold(OP_SUB, width_of(a), term_const(width_of(a), 0), b));
    if (is_const(a) && is_const(b))
        return fold(OP_SUB, width_of(a), a, b);
    if (width_of(a) == 1)
        return term_xor(a, b);
    return binary(OP_SUB, width_of(a), a, b);
}

term term_mul(term a, term b)
{
    term result;
    uint64_t factor;
    check("mul", a, b);
    order(&a, &b);
    if (is_const(a))
        return fold(OP_MUL, width_of(a), a, b);
    if (is_zero(b))
        return b;
    if (const_value(b, &factor) && !(factor & (factor - 1)))
        return term_shift(OP_SHL, a, term_const(32, (uint64_t)__builtin_ctzll(factor)));
    if (narrow(OP_MUL, a, b, &result))
        return result;
    return binary(OP_MUL, width_of(a), a, b);
}

term term_divide(enum op op, term a, term b)
{
    check("division", a, b);
    if (is_const(a) && is_const(b))
        return fold(op, width_of(a), a, b);
    uint32_t zeros = leading_zeros(a) < leading_zeros(b) ? leading_zeros(a) : leading_zeros(b);
    uint64_t by;
    if (zeros > 0 && const_value(b, &by) && by != 0) { /* by zero the answer is not narrow */
        uint32_t used = width_of(a) - zeros;
        enum op same = op == OP_SDIV ? OP_UDIV : op == OP_SREM ? OP_UREM : op;
        return term_zext(term_divide(same, term_extract(a, 0, used), term_extract(b, 0, used)),
                         width_of(a));
    }
    if (const_value(b, &by) && by && !(by & (by - 1)) && (op == OP_UDIV || op == OP_UREM)) {
        uint32_t k = (uint32_t)__builtin_ctzll(by);
        if (op == OP_UDIV)
            return term_shift(OP_LSHR, a, term_const(32, k));
        return k ? term_zext(term_extract(a, 0, k), width_of(a)) : term_const(width_of(a), 0);
    }
    return binary(op, width_of(a), a, b);
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
    uint32_t zeros = leading_zeros(amount);
    if (zeros)
        amount = term_extract(amount, 0, width_of(amount) - zeros);
    if (op == OP_ASHR && leading_zeros(a))
        op = OP_LSHR;
    uint32_t high = leading_zeros(a);
    if (op == OP_LSHR && high)
        return term_zext(term_shift(op, term_extract(a, 0, width_of(a) - high), amount),
                         width_of(a));
    return binary(op, width_of(a), a, amount);
}

/* a == k where a is a choice of which one side, or both, is a constant. */
static bool eq_choice(term a, term k, term *result)
{
    const struct node n = *node_of(a);
    if (n.op != OP_ITE || !is_const(k) || (!is_const(n.b) && !is_const(n.c)))
        return false;
    term yes = term_eq(n.b, k);
    *result = term_ite(n.a, yes, term_eq(n.c, k));
    return true;
}

term term_eq(term a, term b)
{
    term result;
    check("eq", a, b);
    order(&a, &b);
    if (a == b)
        return term_true();
    if (is_const(a))
        return term_const(1, bits_compare(OP_EQ, width_of(a), node_of(a)->bits, node_of(b)->bits));
    if (width_of(a) == 1)
        return term_not(term_xor(a, b));
    const struct node n = *node_of(a), m = *node_of(b);
    if (n.op == OP_CONCAT &&
        (is_const(b) || (m.op == OP_CONCAT && width_of(m.a) == width_of(n.a)))) {
        term high = term_eq(n.a, term_extract(b, width_of(n.b), width_of(n.a)));
        return is_zero(high) ? high
                             : term_and(high, term_eq(n.b, term_extract(b, 0, width_of(n.b))));
    }
    if (n.op == OP_SEXT && is_const(b)) {
        uint32_t low = width_of(n.a);
        if (term_sext(term_extract(b, 0, low), n.width) != b)
            return term_false();
        return term_eq(n.a, term_extract(b, 0, low));
    }
    if (n.op == OP_NOT && is_const(b))
        return term_eq(n.a, term_not(b));
    if (eq_choice(a, b, &result))
        return result;
    return binary(OP_EQ, 1, a, b);
}

/* A constant compared with a choice between constants. */
static bool compare_choice(term a, term b, term (*op)(term, term), term *result)
{
    const struct node n = *node_of(a), m = *node_of(b);
    if (n.op == OP_ITE && is_const(b) && is_const(n.b) && is_const(n.c)) {
        *result = term_ite(n.a, op(n.b, b), op(n.c, b));
        return true;
    }
    if (m.op == OP_ITE && is_const(a) && is_const(m.b) && is_const(m.c)) {
        *result = term_ite(m.a, op(a, m.b), op(a, m.c));
        return true;
    }
    return false;
}

term term_ult(term a, term b)
{
    check("ult", a, b);
    uint32_t width = width_of(a);
    if (a == b || is_zero(b))
        return term_false();
    if (is_const(a) && is_const(b))
        return term_const(1, bits_compare(OP_ULT, width, node_of(a)->bits, node_of(b)->bits));
    uint32_t zeros_a = leading_zeros(a), zeros_b = leading_zeros(b);
    uint32_t zeros = zeros_a < zeros_b ? zeros_a : zeros_b;
    if (zeros == width)
        return term_false();
    if (zeros)
        return term_ult(term_extract(a, 0, width - zeros), term_extract(b, 0, width - zeros));
    if (is_const(b) && zeros_a > 0) /* the high bit of b is set, that of a is not */
        return term_true();
    if (is_const(a) && zeros_b > 0)
        return term_false();
    if (is_zero(a))
        return term_is_nonzero(b);
    term result;
    if (is_ones(a))
        return term_false();
    if (compare_choice(a, b, term_ult, &result))
        return result;
    if (width == 1)
        return term_and(term_not(a), b);
    return binary(OP_ULT, 1, a, b);
}

term term_slt(term a, term b)
{
    check("slt", a, b);
    uint32_t width = width_of(a);
    if (leading_zeros(a) && leading_zeros(b))
        return term_ult(a, b);
    if (is_zero(b))
        return term_extract(a, width - 1, 1);
    if (is_const(a) && is_const(b))
        return term_const(1, bits_compare(OP_SLT, width, node_of(a)->bits, node_of(b)->bits));
    term result;
    if (a == b)
        return term_false();
    if (compare_choice(a, b, term_slt, &result))
        return result;
    return binary(OP_SLT, 1, a, b);
}

static term ite_bit(term c, term yes, term no)
{
    if (is_const(yes))
        return is_zero(yes) ? term_and(term_not(c), no) : term_or(c, no);
    if (is_const(no))
        return is_zero(no) ? term_and(c, yes) : term_or(term_not(c), yes);
    if (yes == c)
        return term_or(c, no);
    if (no == c)
        return term_and(c, yes);
    if (opposite(yes, no))
        return term_not(term_xor(c, yes));
    return term_raw(&(struct node){.op = OP_ITE, .width = 1, .a = c, .b = yes, .c = no});
}

/* The value under the assumption that c is `held`, one choice deep. */
static term assuming(term c, bool held, term t)
{
    const struct node n = *node_of(t);
    if (n.op == OP_ITE && n.a == c)
        return held ? n.b : n.c;
    if (t == c)
        return held ? term_true() : term_false();
    return t;
}

term term_ite(term cond, term yes, term no)
{
    check("ite", yes, no);
    if (yes == no)
        return yes;
    if (is_const(cond))
        return is_zero(cond) ? no : yes;
    if (node_of(cond)->op == OP_NOT)
        return term_ite(node_of(cond)->a, no, yes);
    yes = assuming(cond, true, yes);
    no = assuming(cond, false, no);
    if (yes == no)
        return yes;
    if (width_of(yes) == 1)
        return ite_bit(cond, yes, no);
    const struct node y = *node_of(yes), n = *node_of(no);
    bool cut = y.op == OP_CONCAT && n.op == OP_CONCAT && width_of(y.b) == width_of(n.b);
    const struct node *by = y.op == OP_CONCAT && is_const(no) ? &y : &n;
    if (cut || (by->op == OP_CONCAT && (is_const(yes) || is_const(no)))) {
        uint32_t low = width_of(by->b), high = width_of(by->a);
        term upper = term_ite(cond, term_extract(yes, low, high), term_extract(no, low, high));
        return term_concat(upper,
                           term_ite(cond, term_extract(yes, 0, low), term_extract(no, 0, low)));
    }
    return term_raw(&(struct node){.op = OP_ITE, .width = y.width, .a = cond, .b = yes, .c = no});
}

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
    return binary(OP_CONCAT, h.width + l.width, high, low);
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
        if (low + width == n.width) /* no bit at the high end goes */
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
