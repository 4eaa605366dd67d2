// SPDX-License-Identifier: Apache-2.0
/*
 * bdd.c - reduced ordered binary decision diagrams (Bryant, IEEE ToC 1986); variables are single-bit
 * nodes of the graph in the order in which branches met them. bdd_within is the restrict operator
 * of Coudert and Madre (ICCAD 1990): it drops from a select condition what the merged path
 * already implies, which is what turns nested ifs back into nested ifs.
 */
#include "bdd.h"

#include <string.h>

struct decision {
    unsigned var;
    bdd high, low;
    bdd chain;
    struct node *node; /* memo of bdd_node */
};

struct memo {
    bdd f, g, h, result;
};

#define MOST_MEMO 65536u

struct bdds {
    struct graph *graph;
    struct node **var;
    unsigned n_var;
    int *var_of; /* by node id: variable or -1 */
    unsigned n_var_of;
    struct decision *d;
    unsigned n;
    bdd *table;
    unsigned table_size;
    struct memo *ite, *within; /* as many as the table has heads, up to MOST_MEMO */
    unsigned memo_size;
};

static void new_memos(struct bdds *b)
{
    b->memo_size = b->table_size < MOST_MEMO ? b->table_size : MOST_MEMO;
    b->ite = scratch(b->memo_size * sizeof *b->ite);
    b->within = scratch(b->memo_size * sizeof *b->within);
}

struct bdds *bdd_new(struct graph *g)
{
    struct bdds *b = scratch(sizeof *b);
    b->graph = g;
    b->table_size = 256;
    b->table = scratch(b->table_size * sizeof *b->table);
    new_memos(b);
    PUSH_SCRATCH(b->d, b->n, (struct decision){.var = ~0u, .node = mk_const(g, 1, 0)});
    PUSH_SCRATCH(b->d, b->n, (struct decision){.var = ~0u, .node = mk_const(g, 1, 1)});
    return b;
}

static unsigned mix(unsigned a, unsigned b, unsigned c)
{
    uint64_t h = a * 0x9e3779b97f4a7c15u ^ b * 0xff51afd7ed558ccdu ^ c * 0xc4ceb9fe1a85ec53u;
    return (unsigned)(h ^ h >> 32 ^ h >> 17);
}

static void enlarge(struct bdds *b)
{
    b->table_size *= 4;
    b->table = scratch(b->table_size * sizeof *b->table);
    if (b->memo_size < MOST_MEMO)
        new_memos(b);
    for (bdd f = 2; f < b->n; f++) {
        bdd *slot = &b->table[mix(b->d[f].var, b->d[f].high, b->d[f].low) & (b->table_size - 1)];
        b->d[f].chain = *slot;
        *slot = f;
    }
}

static bdd decide(struct bdds *b, unsigned var, bdd high, bdd low)
{
    if (high == low)
        return high;
    bdd *slot = &b->table[mix(var, high, low) & (b->table_size - 1)];
    for (bdd f = *slot; f; f = b->d[f].chain)
        if (b->d[f].var == var && b->d[f].high == high && b->d[f].low == low)
            return f;
    PUSH_SCRATCH(b->d, b->n,
                 (struct decision){.var = var, .high = high, .low = low, .chain = *slot});
    *slot = b->n - 1;
    if (b->n > b->table_size)
        enlarge(b);
    return b->n - 1;
}

static bdd variable(struct bdds *b, struct node *bit)
{
    while (b->n_var_of <= bit->id)
        PUSH_SCRATCH(b->var_of, b->n_var_of, -1);
    if (b->var_of[bit->id] < 0) {
        b->var_of[bit->id] = (int)b->n_var;
        PUSH_SCRATCH(b->var, b->n_var, bit);
    }
    return decide(b, (unsigned)b->var_of[bit->id], 1, 0);
}

/*
 * Conjunctions and the like are taken apart a few levels deep: enough to see guards repeat. What the C
 * has named stays whole.
 */
static bdd take_apart(struct bdds *b, struct node *bit, unsigned depth)
{
    if (is_const(bit))
        return const_bit(bit, 0);
    if (bit->op == OP_NOT)
        return bdd_not(b, take_apart(b, bit->args[0], depth));
    if (depth && !bit->name && (bit->op == OP_AND || bit->op == OP_OR)) {
        bdd x = take_apart(b, bit->args[0], depth - 1);
        bdd y = take_apart(b, bit->args[1], depth - 1);
        return bit->op == OP_AND ? bdd_and(b, x, y) : bdd_or(b, x, y);
    }
    return variable(b, bit);
}

/* The condition that is exactly this bit, or its inverse, is written as the bit again. */
bdd bdd_of(struct bdds *b, struct node *bit)
{
    bdd f = take_apart(b, bit, 4), not_f = bdd_not(b, f);
    if (!b->d[f].node) {
        b->d[f].node = bit;
        if (!b->d[not_f].node)
            b->d[not_f].node = mk_not(b->graph, bit);
    }
    return f;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static bdd branch(struct bdds *b, bdd f, unsigned var, bool high)
{
    if (b->d[f].var != var)
        return f;
    return high ? b->d[f].high : b->d[f].low;
}

bdd bdd_ite(struct bdds *b, bdd f, bdd g, bdd h)
{
    if (f == 1 || g == h)
        return g;
    if (f == 0)
        return h;
    if (g == 1 && h == 0)
        return f;
    struct memo *m = &b->ite[mix(f, g, h) & (b->memo_size - 1)];
    if (m->f == f && m->g == g && m->h == h)
        return m->result;
    unsigned var = least(b->d[f].var, least(b->d[g].var, b->d[h].var));
    bdd high =
        bdd_ite(b, branch(b, f, var, true), branch(b, g, var, true), branch(b, h, var, true));
    bdd low =
        bdd_ite(b, branch(b, f, var, false), branch(b, g, var, false), branch(b, h, var, false));
    bdd result = decide(b, var, high, low);
    *m = (struct memo){f, g, h, result};
    return result;
}

bdd bdd_and(struct bdds *b, bdd f, bdd g)
{
    return bdd_ite(b, f, g, 0);
}

bdd bdd_or(struct bdds *b, bdd f, bdd g)
{
    return bdd_ite(b, f, 1, g);
}

bdd bdd_not(struct bdds *b, bdd f)
{
    return bdd_ite(b, f, 0, 1);
}

bdd bdd_within(struct bdds *b, bdd f, bdd care)
{
    if (care <= 1 || f <= 1)
        return f;
    struct memo *m = &b->within[mix(f, care, 7) & (b->memo_size - 1)];
    if (m->f == f && m->g == care)
        return m->result;
    unsigned var = least(b->d[f].var, b->d[care].var);
    bdd high = branch(b, care, var, true), low = branch(b, care, var, false);
    bdd result;
    if (high == 0)
        result = bdd_within(b, branch(b, f, var, false), low);
    else if (low == 0)
        result = bdd_within(b, branch(b, f, var, true), high);
    else if (b->d[f].var != var)
        result = bdd_within(b, f, bdd_or(b, high, low));
    else
        result = decide(b, var, bdd_within(b, branch(b, f, var, true), high),
                        bdd_within(b, branch(b, f, var, false), low));
    *m = (struct memo){f, care, 0, result};
    return result;
}

struct node *bdd_node(struct bdds *b, bdd f)
{
    if (!b->d[f].node) {
        struct node *high = bdd_node(b, b->d[f].high), *low = bdd_node(b, b->d[f].low);
        struct node *node = mk_mux(b->graph, b->var[b->d[f].var], high, low);
        b->d[f].node = node; /* d may have moved meanwhile: index again */
    }
    return b->d[f].node;
}
