// SPDX-License-Identifier: Apache-2.0
/*
 * make_choose.c - constructors of comparisons and choices.
 */
#include "terms/make.h"

#include "terms/bits.h"

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
    make_check("eq", a, b);
    make_order(&a, &b);
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
    return make_binary(OP_EQ, 1, a, b);
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
    make_check("ult", a, b);
    uint32_t width = width_of(a);
    if (a == b || is_zero(b))
        return term_false();
    if (is_const(a) && is_const(b))
        return term_const(1, bits_compare(OP_ULT, width, node_of(a)->bits, node_of(b)->bits));
    uint32_t zeros_a = make_leading_zeros(a), zeros_b = make_leading_zeros(b);
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
    return make_binary(OP_ULT, 1, a, b);
}

term term_slt(term a, term b)
{
    make_check("slt", a, b);
    uint32_t width = width_of(a);
    if (make_leading_zeros(a) && make_leading_zeros(b))
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
    return make_binary(OP_SLT, 1, a, b);
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
    if (make_opposite(yes, no))
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
    make_check("ite", yes, no);
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
    const struct node *by = y.op == OP_CONCAT ? &y : &n;
    if (by->op == OP_CONCAT) {
        uint32_t low = width_of(by->b), high = width_of(by->a);
        term upper = term_ite(cond, term_extract(yes, low, high), term_extract(no, low, high));
        return term_concat(upper,
                           term_ite(cond, term_extract(yes, 0, low), term_extract(no, 0, low)));
    }
    return term_raw(&(struct node){.op = OP_ITE, .width = y.width, .a = cond, .b = yes, .c = no});
}
