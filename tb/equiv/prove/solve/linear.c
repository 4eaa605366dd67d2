// SPDX-License-Identifier: Apache-2.0
/*
 * linear.c - sums of bits: a row of the matrix is a sorted list of one-bit terms that are no sums themselves.
 */
#include "solve/linear.h"

#include "terms/arena.h"

#include <stdlib.h>
#include <string.h>

struct row {
    uint32_t n;
    bool one; /* the sum plus 1 */
    term *bit;
};

/* Both are looked up by term and grow with the table of terms. */
static term *known;
static const struct row **rows;
static term *joined;
static uint32_t room;

static void make_room(void)
{
    uint32_t to = term_room(room);
    if (to == room)
        return;
    known = widened(known, room, to, sizeof *known);
    rows = widened(rows, room, to, sizeof *rows);
    joined = widened(joined, room, to, sizeof *joined);
    room = to;
}

/* Equal bits cancel. */
static const struct row *sum(const struct row *a, const struct row *b)
{
    struct row *r = arena(sizeof *r);
    uint32_t i = 0, k = 0;
    r->one = a->one != b->one;
    r->bit = arena((a->n + b->n + 1) * sizeof *r->bit);
    while (i < a->n || k < b->n) {
        if (k == b->n || (i < a->n && a->bit[i] < b->bit[k]))
            r->bit[r->n++] = a->bit[i++];
        else if (i == a->n || b->bit[k] < a->bit[i])
            r->bit[r->n++] = b->bit[k++];
        else
            i++, k++;
    }
    return r;
}

static const struct row *row_of(term bit);

static const struct row *new_row(term bit)
{
    const struct node n = *node_of(bit);
    struct row *r = arena(sizeof *r);
    if (n.op == OP_XOR) {
        const struct row *a = row_of(n.a);
        return sum(a, row_of(n.b));
    }
    if (n.op == OP_NOT) {
        *r = *row_of(n.a);
        r->one = !r->one;
        return r;
    }
    if (n.op == OP_CONST) {
        r->one = !is_zero(bit);
        return r;
    }
    term leaf = linear_form(bit);
    enum op op = node_of(leaf)->op;
    if (leaf != bit && (op == OP_XOR || op == OP_NOT || op == OP_CONST))
        return row_of(leaf);
    r->n = 1;
    r->bit = arena(sizeof *r->bit);
    r->bit[0] = leaf;
    return r;
}

static const struct row *row_of(term bit)
{
    make_room();
    if (!rows[bit]) {
        const struct row *r = new_row(bit);
        make_room();
        rows[bit] = r;
    }
    return rows[bit];
}

static term from_row(const struct row *r)
{
    term t = term_const(1, r->one);
    for (uint32_t i = 0; i < r->n; i++)
        t = term_xor(t, r->bit[i]);
    return t;
}

static term rebuilt(const struct node *n)
{
    term a = n->a ? linear_form(n->a) : NO_TERM;
    term b = n->b ? linear_form(n->b) : NO_TERM;
    term c = n->c ? linear_form(n->c) : NO_TERM;
    return term_rebuild(n, a, b, c);
}

/* A word of sums, bit by bit; of two terms at most: as it is. */
static term word_of_sums(term t)
{
    const struct node n = *node_of(t);
    uint32_t most = 0;
    term result = NO_TERM;
    for (uint32_t i = 0; i < n.width; i++) {
        const struct row *r = row_of(term_extract(t, i, 1));
        term bit = from_row(r);
        most = r->n > most ? r->n : most;
        result = result ? term_concat(bit, result) : bit;
    }
    return most > 2 || n.width == 1 ? result : rebuilt(&n);
}

term linear_form(term t)
{
    make_room();
    if (known[t])
        return known[t];
    const struct node n = *node_of(t);
    term result = t;
    if (n.op == OP_XOR || (n.op == OP_NOT && n.width == 1))
        result = word_of_sums(t);
    else if (n.op != OP_VAR && n.op != OP_CONST)
        result = rebuilt(&n);
    make_room();
    if (joined[t])
        result = joined[t];
    else if (joined[result])
        result = joined[result];
    known[t] = result;
    known[result] = result;
    return result;
}

void linear_join(term t, term instead)
{
    make_room();
    joined[t] = instead;
    joined[known[t]] = instead;
    known[t] = instead;
}

void linear_restart(void)
{
    memset(known, 0, room * sizeof *known);
    memset(rows, 0, room * sizeof *rows);
}
