// SPDX-License-Identifier: Apache-2.0
/*
 * window.c - a cut through the graph below two bits, and the truth table of both over the cut.
 *
 * The cut grows from the two bits downwards, the youngest of its bits first, which the operands replace: what
 * both are made of is met before one of them is taken further than the other.
 */
#include "solve/window.h"

#include "terms/arena.h"

#include <string.h>

enum {
    MOST = 16,               /* bits in a cut whose table is written */
    WIDEST = 40,             /* bits in one on the way to the next */
    ROWS = (1 << MOST) / 64, /* words of a table */
    INNER = 1000             /* bits of the cut and above it */
};

struct cut {
    term bit[WIDEST + 3]; /* rising */
    unsigned n;
};

static bool is_inner(term t)
{
    const struct node *n = node_of(t);
    return op_info[n->op].kind == KIND_BITWISE;
}

static void insert(struct cut *c, term t)
{
    unsigned i = c->n;
    if (t == NO_TERM || is_const(t))
        return;
    for (unsigned k = 0; k < c->n; k++)
        if (c->bit[k] == t)
            return;
    for (; i > 0 && c->bit[i - 1] > t; i--)
        c->bit[i] = c->bit[i - 1];
    c->bit[i] = t;
    c->n++;
}

/* The youngest that is made of others is replaced by them; false when there is none or the cut gets too wide. */
static bool deeper(struct cut *c)
{
    unsigned i = c->n;
    while (i > 0 && !is_inner(c->bit[i - 1]))
        i--;
    if (i == 0)
        return false;
    const struct node n = *node_of(c->bit[i - 1]);
    memmove(c->bit + i - 1, c->bit + i, (c->n - i) * sizeof *c->bit);
    c->n--;
    insert(c, n.a);
    insert(c, n.b);
    insert(c, n.c);
    return c->n <= WIDEST;
}

struct table {
    term bit[INNER];
    uint64_t row[INNER][ROWS];
    unsigned n;
};

/* Bit i of the cut has value bit i of the number of the row. */
static void leaf_rows(uint64_t *r, unsigned i)
{
    static const uint64_t low[6] = {UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0xcccccccccccccccc),
                                    UINT64_C(0xf0f0f0f0f0f0f0f0), UINT64_C(0xff00ff00ff00ff00),
                                    UINT64_C(0xffff0000ffff0000), UINT64_C(0xffffffff00000000)};
    for (unsigned k = 0; k < ROWS; k++)
        r[k] = i < 6 ? low[i] : k >> (i - 6) & 1 ? UINT64_MAX : 0;
}

static const uint64_t *rows_of(struct table *table, term t);

static void operate(const struct node *n, uint64_t *r, const uint64_t *a, const uint64_t *b,
                    const uint64_t *c)
{
    for (unsigned k = 0; k < ROWS; k++)
        r[k] = n->op == OP_NOT   ? ~a[k]
               : n->op == OP_AND ? a[k] & b[k]
               : n->op == OP_XOR ? a[k] ^ b[k]
                                 : (a[k] & b[k]) | (~a[k] & c[k]);
}

/* NULL when there is no more room. */
static const uint64_t *rows_of(struct table *table, term t)
{
    static const uint64_t none[ROWS];
    if (t == NO_TERM)
        return none;
    for (unsigned i = 0; i < table->n; i++)
        if (table->bit[i] == t)
            return table->row[i];
    const struct node n = *node_of(t);
    if (n.op != OP_CONST && !is_inner(t))
        unsupported("a cut with a hole");
    const uint64_t *a = rows_of(table, n.a), *b = a ? rows_of(table, n.b) : NULL;
    const uint64_t *c = b ? rows_of(table, n.c) : NULL;
    if (!c || table->n == INNER)
        return NULL;
    uint64_t *r = table->row[table->n];
    table->bit[table->n++] = t;
    if (n.op == OP_CONST)
        memset(r, is_zero(t) ? 0 : 0xff, sizeof table->row[0]);
    else
        operate(&n, r, a, b, c);
    return r;
}

static bool same_table(const struct cut *c, term a, term b)
{
    static struct table table;
    table.n = c->n;
    for (unsigned i = 0; i < c->n; i++) {
        table.bit[i] = c->bit[i];
        leaf_rows(table.row[i], i);
    }
    const uint64_t *x = rows_of(&table, a), *y = x ? rows_of(&table, b) : NULL;
    return y && memcmp(x, y, sizeof table.row[0]) == 0;
}

bool window_equal(term a, term b)
{
    struct cut c = {.n = 0}, best = {.n = 0};
    insert(&c, a);
    insert(&c, b);
    for (unsigned steps = 0; steps < INNER && deeper(&c); steps++)
        if (c.n <= MOST)
            best = c;
    return best.n > 0 && same_table(&best, a, b);
}
