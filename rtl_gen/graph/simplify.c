// SPDX-License-Identifier: Apache-2.0
/*
 * simplify.c - constructors of bitwise operations and of choices.
 *
 * Two ideas carry most of it. Known zero (or equal sign) bits at the top are peeled off an
 * operation at once, so C's promotion to int leaves no trace. And an operation on concatenations
 * is cut where the parts meet, so that bits which do not change are seen not to change and XOR
 * networks (CRC, ECC, scramblers) dissolve into sums of single bits.
 */
#include "graph/graph.h"
#include "base/number.h"

#include <assert.h>
#include <string.h>

static struct node *unary(struct graph *g, enum op op, unsigned width, struct node *a)
{
    return node_intern(
        g, (struct node){.op = op, .width = width, .n_args = 1, .args = (struct node *[]){a}});
}

static struct node *binary(struct graph *g, enum op op, struct node *a, struct node *b)
{
    if (b->id < a->id) { /* only commutative operations come here */
        struct node *t = a;
        a = b;
        b = t;
    }
    return node_intern(
        g,
        (struct node){.op = op, .width = a->width, .n_args = 2, .args = (struct node *[]){a, b}});
}

static bool complementary(const struct node *a, const struct node *b)
{
    return (a->op == OP_NOT && a->args[0] == b) || (b->op == OP_NOT && b->args[0] == a);
}

static bool has_arg(const struct node *n, enum op op, const struct node *arg)
{
    return n->op == op && (n->args[0] == arg || n->args[1] == arg);
}

/* ---- cutting an operation into pieces ------------------------------------------------------------- */

/*
 * The length of the piece of n that starts at bit `low`. Pieces end with the parts of a
 * concatenation and with the runs of equal bits of a constant; coarse ones only where constant and
 * other parts meet.
 */
static unsigned piece(const struct node *n, unsigned low, bool coarse)
{
    if (is_const(n)) {
        unsigned length = 1;
        while (low + length < n->width && const_bit(n, low + length) == const_bit(n, low))
            length++;
        return length;
    }
    if (n->op != OP_CONCAT)
        return n->width - low;
    unsigned i = n->n_args, end = 0;
    while (end <= low)
        end += n->args[--i]->width;
    unsigned bottom = end - n->args[i]->width;
    if (is_const(n->args[i]))
        return piece(n->args[i], low - bottom, coarse);
    while (coarse && i > 0 && !is_const(n->args[i - 1]))
        end += n->args[--i]->width;
    return end - low;
}

/* One piece of a bitwise operation on a, or on a and b, or of a choice by c. */
static struct node *apply(struct graph *g, enum op op, struct node *c, struct node *a,
                          struct node *b)
{
    const struct node like = {.op = op, .n_args = 2};
    struct node *choice[] = {c, a, b};
    return mk_like(g, &like, op == OP_MUX ? choice : choice + 1);
}

/* Both are made of parts: a sum of them dissolves into sums of parts, in the end of bits. */
static bool bitwise_parts(const struct node *a, const struct node *b)
{
    return a->op == OP_CONCAT &&
           (b->op == OP_CONCAT || (b->op == OP_SEXT && b->args[0]->width == 1));
}

/* The piece at `low` of an operation on a and b; for a choice, neighbours that differ are one. */
static unsigned piece_of(struct graph *g, enum op op, const struct node *a, const struct node *b,
                         unsigned low)
{
    bool coarse = op == OP_AND || op == OP_OR || op == OP_NOT;
    if (op == OP_XOR)
        coarse = !bitwise_parts(a, b) && !bitwise_parts(b, a);
    unsigned end = low;
    bool differ;
    do {
        unsigned length = smaller(piece(a, end, coarse), piece(b, end, coarse));
        differ = op == OP_MUX && mk_slice(g, (struct node *)a, end, length) !=
                                     mk_slice(g, (struct node *)b, end, length);
        if (op == OP_MUX && !differ && end > low)
            break;
        end += length;
    } while (differ && end < a->width);
    return end - low;
}

/* Apply op piece by piece from the low end, cutting where a or b has a boundary. */
static struct node *by_pieces(struct graph *g, enum op op, struct node *c, struct node *a,
                              struct node *b)
{
    struct node **part = NULL;
    unsigned n = 0;
    for (unsigned low = 0; low < a->width;) {
        unsigned length = piece_of(g, op, a, b, low);
        struct node *x = mk_slice(g, a, low, length);
        struct node *y = mk_slice(g, b, low, length);
        PUSH_SCRATCH(part, n, apply(g, op, c, x, y));
        low += length;
    }
    return mk_concat_up(g, n, part);
}

static bool has_const_part(const struct node *n)
{
    if (n->op == OP_CONCAT)
        for (unsigned i = 0; i < n->n_args; i++)
            if (is_const(n->args[i]))
                return true;
    return false;
}

/* Whether a bitwise operation on a and b is worth cutting. */
static bool worth_cutting(const struct node *a, const struct node *b)
{
    return has_const_part(a) || has_const_part(b) || (a->op == OP_CONCAT && is_const(b)) ||
           (b->op == OP_CONCAT && is_const(a));
}

/*
 * Do a bitwise operation without the top bits that are known: zeros in both (AND: in either), or
 * copies of the sign in both. NULL if nothing is known.
 */
static struct node *peeled(struct graph *g, enum op op, struct node *c, struct node *a,
                           struct node *b)
{
    unsigned width = a->width, zeros = smaller(a->zeros, b->zeros);
    if (op == OP_AND && zeros < a->zeros + b->zeros - zeros)
        zeros = a->zeros + b->zeros - zeros;
    unsigned signs = smaller(a->signs, b->signs);
    if (zeros == 0 && signs == 1)
        return NULL;
    unsigned low = zeros ? width - zeros : width - signs + 1;
    struct node *x = mk_slice(g, a, 0, low);
    struct node *y = mk_slice(g, b, 0, low);
    struct node *r = apply(g, op, c, x, y);
    return zeros ? mk_zext(g, r, width) : mk_sext(g, r, width);
}

/* ---- bitwise --------------------------------------------------------------------------------------- */

static struct node *inverse(struct graph *g, struct node *a)
{
    if (is_const(a)) {
        unsigned n = (a->width + 63) / 64;
        uint64_t *bits = scratch(n * sizeof *bits);
        for (unsigned i = 0; i < n; i++)
            bits[i] = ~a->bits[i];
        return mk_const_bits(g, a->width, bits);
    }
    if (a->op == OP_NOT)
        return a->args[0];
    if (a->op == OP_SEXT)
        return mk_sext(g, mk_not(g, a->args[0]), a->width);
    if (has_const_part(a))
        return by_pieces(g, OP_NOT, NULL, a, a);
    if ((a->op == OP_AND || a->op == OP_OR) &&
        (a->args[0]->op == OP_NOT || a->args[1]->op == OP_NOT)) {
        struct node *x = mk_not(g, a->args[0]), *y = mk_not(g, a->args[1]);
        return a->op == OP_AND ? mk_or(g, x, y) : mk_and(g, x, y);
    }
    return unary(g, OP_NOT, a->width, a);
}

struct node *mk_not(struct graph *g, struct node *a)
{
    if (a->inverse)
        return a->inverse;
    if (g->depth >= DEEPEST_LOOK)
        return unary(g, OP_NOT, a->width, a);
    g->depth++;
    a->inverse = inverse(g, a);
    g->depth--;
    return a->inverse;
}

/* x & constant: the runs of ones keep x, the others are zero; many runs stay an AND. */
static unsigned const_pieces(const struct node *k)
{
    unsigned n = 0;
    for (unsigned low = 0; low < k->width; n++)
        low += piece(k, low, false);
    return n;
}

/* x - 1, in as many bits or cut to them. */
static bool is_one_less(const struct node *n, const struct node *x)
{
    if (n->op == OP_SLICE && n->index == 0)
        n = n->args[0];
    if (n->op != OP_SUB || !is_value(n->args[1], 1))
        return false;
    n = n->args[0];
    return n == x || (n->op == OP_CONCAT && n->args[n->n_args - 1] == x);
}

/* Of x & (x - 1), which is x without its lowest one: x; or NULL. */
static const struct node *with_lowest(const struct node *a, const struct node *b)
{
    return is_one_less(b, a) ? a : is_one_less(a, b) ? b : NULL;
}

/* As many ones were taken off as there can be. */
static bool runs_out(const struct node *a, const struct node *b)
{
    unsigned taken = 0;
    const struct node *x = with_lowest(a, b), *whole = x;
    for (; x; taken++) {
        whole = x;
        x = x->op == OP_AND ? with_lowest(x->args[0], x->args[1]) : NULL;
    }
    return taken > 0 && taken >= significant(whole);
}

struct node *mk_and(struct graph *g, struct node *a, struct node *b)
{
    assert(a->width == b->width);
    constant_last(&a, &b);
    if (is_zero(b) || complementary(a, b) || runs_out(a, b))
        return mk_const(g, a->width, 0);
    if (is_ones(b) || a == b)
        return a;
    if (is_zero(a))
        return a;
    if (is_const(b) && (is_const(a) || a->op == OP_SEXT || const_pieces(b) <= 5))
        return by_pieces(g, OP_AND, NULL, a, b);
    struct node *r = peeled(g, OP_AND, NULL, a, b);
    if (r)
        return r;
    if (worth_cutting(a, b))
        return by_pieces(g, OP_AND, NULL, a, b);
    if (a->op == OP_SEXT && a->args[0]->width == 1)
        return mk_mux(g, a->args[0], b, mk_const(g, a->width, 0));
    if (b->op == OP_SEXT && b->args[0]->width == 1)
        return mk_mux(g, b->args[0], a, mk_const(g, a->width, 0));
    if (has_arg(a, OP_AND, b))
        return a;
    if (has_arg(b, OP_AND, a))
        return b;
    if (has_arg(a, OP_OR, b))
        return b;
    if (has_arg(b, OP_OR, a))
        return a;
    for (int swap = 0; swap < 2; swap++) {
        struct node *x = swap ? b : a, *y = swap ? a : b;
        for (unsigned i = 0; i < 2; i++) {
            if (x->op == OP_AND && complementary(x->args[i], y))
                return mk_const(g, a->width, 0);
            if (x->op == OP_OR && complementary(x->args[i], y))
                return mk_and(g, y, x->args[1 - i]);
            if (x->op == OP_NOT && has_arg(x->args[0], OP_AND, y)) /* y & ~(y & z) */
                return mk_and(g, y, mk_not(g, x->args[0]->args[x->args[0]->args[0] == y]));
            if (x->op == OP_NOT && has_arg(x->args[0], OP_OR, y)) /* y & ~(y | z) */
                return mk_const(g, a->width, 0);
        }
    }
    return binary(g, OP_AND, a, b);
}

struct node *mk_or(struct graph *g, struct node *a, struct node *b)
{
    assert(a->width == b->width);
    constant_last(&a, &b);
    if (is_ones(b) || complementary(a, b))
        return mk_const_bits(g, a->width, mk_not(g, mk_const(g, a->width, 0))->bits);
    if (is_zero(b) || a == b)
        return a;
    if (is_zero(a))
        return b;
    if (is_const(b) && (is_const(a) || const_pieces(b) <= 5))
        return by_pieces(g, OP_OR, NULL, a, b);
    struct node *r = peeled(g, OP_OR, NULL, a, b);
    if (r)
        return r;
    if (worth_cutting(a, b))
        return by_pieces(g, OP_OR, NULL, a, b);
    if (has_arg(a, OP_OR, b))
        return a;
    if (has_arg(b, OP_OR, a))
        return b;
    if (has_arg(a, OP_AND, b))
        return b;
    if (has_arg(b, OP_AND, a))
        return a;
    for (int swap = 0; swap < 2; swap++) {
        struct node *x = swap ? b : a, *y = swap ? a : b;
        for (unsigned i = 0; i < 2; i++) {
            if (x->op == OP_OR && complementary(x->args[i], y))
                return mk_not(g, mk_const(g, a->width, 0));
            if (x->op == OP_AND && complementary(x->args[i], y)) /* y | ~y & z */
                return mk_or(g, y, x->args[1 - i]);
            for (unsigned j = 0; j < 2; j++) /* x & z | y & z with x = ~y: z */
                if (x->op == OP_AND && y->op == OP_AND && x->args[i] == y->args[j] &&
                    complementary(x->args[1 - i], y->args[1 - j]))
                    return x->args[i];
        }
    }
    return binary(g, OP_OR, a, b);
}

/* Single bits: a sum of any number of terms, sorted, repeats cancelled, inversions pulled out. */
static void xor_terms(struct node *n, struct node ***term, unsigned *count, bool *odd)
{
    if (n->op == OP_NOT) {
        *odd = !*odd;
        n = n->args[0];
    }
    if (is_const(n)) {
        *odd ^= const_bit(n, 0);
    } else if (n->op == OP_XOR) {
        for (unsigned i = 0; i < n->n_args; i++)
            PUSH_SCRATCH(*term, *count, n->args[i]);
    } else {
        PUSH_SCRATCH(*term, *count, n);
    }
}

static struct node *xor_bit(struct graph *g, struct node *a, struct node *b)
{
    struct node **term = NULL;
    unsigned n = 0, kept = 0;
    bool odd = false;
    xor_terms(a, &term, &n, &odd);
    xor_terms(b, &term, &n, &odd);
    sort_nodes(term, n);
    for (unsigned i = 0; i < n; i++) {
        if (i + 1 < n && term[i] == term[i + 1])
            i++;
        else
            term[kept++] = term[i];
    }
    struct node *sum =
        kept == 0 ? mk_const(g, 1, 0)
        : kept == 1
            ? term[0]
            : node_intern(g, (struct node){.op = OP_XOR, .width = 1, .n_args = kept, .args = term});
    return odd ? mk_not(g, sum) : sum;
}

/* c ? constant : 0 as copies of c where the constant has ones. */
static struct node *spread(struct graph *g, struct node *n)
{
    if (n->op == OP_MUX && is_const(n->args[1]) && is_zero(n->args[2]))
        return by_pieces(g, OP_AND, NULL, mk_sext(g, n->args[0], n->width), n->args[1]);
    return n;
}

struct node *mk_xor(struct graph *g, struct node *a, struct node *b)
{
    assert(a->width == b->width);
    if (a == b)
        return mk_const(g, a->width, 0);
    if (a->width == 1)
        return xor_bit(g, a, b);
    a = spread(g, a);
    b = spread(g, b);
    constant_last(&a, &b);
    if (is_zero(b))
        return a;
    if (is_ones(b))
        return mk_not(g, a);
    if (is_const(a))
        return by_pieces(g, OP_XOR, NULL, a, b);
    if (complementary(a, b))
        return mk_not(g, mk_const(g, a->width, 0));
    struct node *r = peeled(g, OP_XOR, NULL, a, b);
    if (r)
        return r;
    if (worth_cutting(a, b) || bitwise_parts(a, b) || bitwise_parts(b, a))
        return by_pieces(g, OP_XOR, NULL, a, b);
    return binary(g, OP_XOR, a, b);
}

/* ---- choice ------------------------------------------------------------------------------------------ */

static struct node *mux_bit(struct graph *g, struct node *c, struct node *a, struct node *b)
{
    if (is_const(a))
        return const_bit(a, 0) ? mk_or(g, c, b) : mk_and(g, mk_not(g, c), b);
    if (is_const(b))
        return const_bit(b, 0) ? mk_or(g, mk_not(g, c), a) : mk_and(g, c, a);
    if (a == c)
        return mk_or(g, c, b);
    if (b == c)
        return mk_and(g, c, a);
    return NULL;
}

/* Whether some piece of a and b at the same place is the same, so that cutting saves it. */
static bool shares_piece(struct graph *g, struct node *a, struct node *b)
{
    if (a->op != OP_CONCAT && b->op != OP_CONCAT)
        return false;
    if (is_const(a) || is_const(b))
        return false;
    for (unsigned low = 0; low < a->width;) {
        unsigned length = smaller(piece(a, low, false), piece(b, low, false));
        if (mk_slice(g, a, low, length) == mk_slice(g, b, low, length))
            return true;
        low += length;
    }
    return false;
}

static bool is_extended(const struct node *n)
{
    return n->op == OP_SEXT || (n->op == OP_CONCAT && n->signs > 1);
}

struct node *mk_mux(struct graph *g, struct node *c, struct node *a, struct node *b)
{
    assert(c->width == 1 && a->width == b->width);
    if (is_const(c))
        return const_bit(c, 0) ? a : b;
    if (a == b)
        return a;
    if (c->op == OP_NOT)
        return mk_mux(g, c->args[0], b, a);
    if (a->op == OP_MUX && a->args[0] == c)
        return mk_mux(g, c, a->args[1], b);
    if (b->op == OP_MUX && b->args[0] == c)
        return mk_mux(g, c, a, b->args[2]);
    if (a->width == 1) {
        struct node *bit = mux_bit(g, c, a, b);
        if (bit)
            return bit;
    }
    if (complementary(a, b)) /* c ? ~x : x */
        return mk_xor(g, b, mk_sext(g, c, b->width));
    if (is_extended(a) || is_extended(b)) { /* two constants stay whole: they read better */
        struct node *r = peeled(g, OP_MUX, c, a, b);
        if (r)
            return r;
    }
    if (a->op == OP_XOR && a->n_args == 2 && a->width > 1)
        for (unsigned i = 0; i < 2; i++) /* c ? x ^ k : x */
            if (a->args[i] == b)
                return mk_xor(g, b, mk_mux(g, c, a->args[1 - i], mk_const(g, a->width, 0)));
    if (shares_piece(g, a, b))
        return by_pieces(g, OP_MUX, c, a, b);
    if (b->op == OP_MUX && b->args[1] == a)
        return mk_mux(g, mk_or(g, c, b->args[0]), a, b->args[2]);
    if (a->op == OP_MUX && a->args[2] == b)
        return mk_mux(g, mk_and(g, c, a->args[0]), a->args[1], b);
    if (a->op == OP_MUX && a->args[1] == b)
        return mk_mux(g, mk_and(g, c, mk_not(g, a->args[0])), a->args[2], b);
    return node_intern(
        g, (struct node){
               .op = OP_MUX, .width = a->width, .n_args = 3, .args = (struct node *[]){c, a, b}});
}
