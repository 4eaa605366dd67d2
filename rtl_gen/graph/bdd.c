// SPDX-License-Identifier: Apache-2.0
/*
 * bdd.c - reduced ordered binary decision diagrams (Bryant, IEEE ToC 1986); variables are single-bit
 * nodes of the graph in the order in which branches met them. bdd_within is the restrict operator
 * of Coudert and Madre (ICCAD 1990): it drops from a select condition what the merged path
 * already implies, which is what turns nested ifs back into nested ifs.
 */
#include "graph/bdd.h"
#include "base/number.h"

#include <string.h>

struct decision {
    unsigned var, depth;
    unsigned looked; /* bdd_is_small */
    bdd high, low;
    bdd chain;
    struct node *node; /* memo of bdd_node */
    const struct node
        *says; /* a comparison with a number, which it implies; NULL: none that is known */
};

struct memo {
    bdd f, g, h, result;
};

#define MOST_MEMO 65536u

/* What is under way, innermost last: diagrams are as deep as the C, so nothing here calls itself. */
struct work {
    bdd f, g, h, high;
    unsigned var, stage;
};

static struct work *work;
static unsigned n_work, work_room;

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
    unsigned looks; /* bdd_is_small: how many so far */
    const struct node *subject;
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

/* The comparison of something with a number that a decision implies. */
static const struct node *implied(const struct bdds *b, unsigned var, bdd high, bdd low)
{
    const struct node *bit = b->var[var];
    if (low == 0)
        return bit->op == OP_EQ && is_const(bit->args[1]) ? bit : b->d[high].says;
    return high == 0 || b->d[high].says == b->d[low].says ? b->d[low].says : NULL;
}

static bdd decide(struct bdds *b, unsigned var, bdd high, bdd low)
{
    if (high == low)
        return high;
    bdd *slot = &b->table[mix(var, high, low) & (b->table_size - 1)];
    for (bdd f = *slot; f; f = b->d[f].chain)
        if (b->d[f].var == var && b->d[f].high == high && b->d[f].low == low)
            return f;
    unsigned deeper = b->d[high].depth > b->d[low].depth ? high : low;
    PUSH_SCRATCH(b->d, b->n,
                 (struct decision){.var = var,
                                   .depth = b->d[deeper].depth + 1,
                                   .high = high,
                                   .low = low,
                                   .chain = *slot,
                                   .says = implied(b, var, high, low)});
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

static bdd branch(struct bdds *b, bdd f, unsigned var, bool high)
{
    if (b->d[f].var != var)
        return f;
    return high ? b->d[f].high : b->d[f].low;
}

static void push(bdd f, bdd g, bdd h)
{
    PUSH_WORK(work, n_work, work_room, (struct work){.f = f, .g = g, .h = h});
}

static struct memo *ite_memo(struct bdds *b, bdd f, bdd g, bdd h)
{
    return &b->ite[mix(f, g, h) & (b->memo_size - 1)];
}

/* Known without looking into it. */
static bool ite_known(struct bdds *b, const struct work *w, bdd *result)
{
    const struct memo *m;
    if (w->f == 1 || w->g == w->h)
        *result = w->g;
    else if (w->f == 0)
        *result = w->h;
    else if (w->g == 1 && w->h == 0)
        *result = w->f;
    else if ((m = ite_memo(b, w->f, w->g, w->h))->f == w->f && m->g == w->g && m->h == w->h)
        *result = m->result;
    else
        return false;
    return true;
}

bdd bdd_ite(struct bdds *b, bdd f, bdd g, bdd h)
{
    bdd result = 0;
    unsigned base = n_work;
    push(f, g, h);
    while (n_work > base) {
        struct work *w = &work[n_work - 1];
        unsigned var = w->var;
        switch (w->stage++) {
        case 0:
            if (ite_known(b, w, &result)) {
                n_work--;
                break;
            }
            w->var = var = smaller(b->d[w->f].var, smaller(b->d[w->g].var, b->d[w->h].var));
            push(branch(b, w->f, var, true), branch(b, w->g, var, true),
                 branch(b, w->h, var, true));
            break;
        case 1:
            w->high = result;
            push(branch(b, w->f, var, false), branch(b, w->g, var, false),
                 branch(b, w->h, var, false));
            break;
        default:
            result = decide(b, var, w->high, result);
            *ite_memo(b, w->f, w->g, w->h) = (struct memo){w->f, w->g, w->h, result};
            n_work--;
        }
    }
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

static struct memo *within_memo(struct bdds *b, bdd f, bdd care)
{
    return &b->within[mix(f, care, 7) & (b->memo_size - 1)];
}

static bool within_known(struct bdds *b, const struct work *w, bdd *result)
{
    const struct memo *m;
    if (w->g <= 1 || w->f <= 1)
        *result = w->f;
    else if ((m = within_memo(b, w->f, w->g))->f == w->f && m->g == w->g)
        *result = m->result;
    else
        return false;
    return true;
}

enum { START, HIGH, BOTH, ONE }; /* what of a bdd_within is known */

/* One side of the care set is empty, or f does not look at the variable: one diagram says it. */
static void within_one(bdd f, bdd care)
{
    work[n_work - 1].stage = ONE;
    push(f, care, 0);
}

static void within_start(struct bdds *b)
{
    struct work *w = &work[n_work - 1];
    bdd f = w->f, care = w->g;
    unsigned var = w->var = smaller(b->d[f].var, b->d[care].var);
    bdd high = branch(b, care, var, true), low = branch(b, care, var, false);
    w->stage = HIGH;
    if (high == 0)
        within_one(branch(b, f, var, false), low);
    else if (low == 0)
        within_one(branch(b, f, var, true), high);
    else if (b->d[f].var != var)
        within_one(f, bdd_or(b, high, low));
    else
        push(branch(b, f, var, true), high, 0);
}

bdd bdd_within(struct bdds *b, bdd f, bdd care)
{
    bdd result = 0;
    unsigned base = n_work;
    push(f, care, 0);
    while (n_work > base) {
        struct work *w = &work[n_work - 1];
        if (w->stage == START) {
            if (within_known(b, w, &result))
                n_work--;
            else
                within_start(b);
            continue;
        }
        if (w->stage == HIGH) {
            w->high = result;
            w->stage = BOTH;
            push(branch(b, w->f, w->var, false), branch(b, w->g, w->var, false), 0);
            continue;
        }
        if (w->stage == BOTH)
            result = decide(b, w->var, w->high, result);
        *within_memo(b, w->f, w->g) = (struct memo){w->f, w->g, 0, result};
        n_work--;
    }
    return result;
}

void bdd_exclusive(struct bdds *b, const struct node *subject)
{
    b->subject = subject;
}

/* Whether a comparison of the subject, which is false for this, says nothing more than what it says itself. */
static bool excludes(const struct bdds *b, const struct decision *d, const struct node *bit)
{
    return d->says && d->says != bit && bit->op == OP_EQ && is_const(bit->args[1]) &&
           bit->args[0] == b->subject && d->says->args[0] == b->subject;
}

/* As a node, its branches as nodes. */
static struct node *written(struct bdds *b, const struct decision *d)
{
    const struct decision *high = &b->d[d->high], *low = &b->d[d->low];
    struct node *bit = b->var[d->var];
    return d->high == 0 && excludes(b, low, bit) ? low->node
                                                 : mk_mux(b->graph, bit, high->node, low->node);
}

struct node *bdd_node(struct bdds *b, bdd f)
{
    unsigned base = n_work;
    push(f, 0, 0);
    while (n_work > base) {
        bdd top = work[n_work - 1].f, high = b->d[top].high, low = b->d[top].low;
        if (b->d[top].node) {
            n_work--;
        } else if (!b->d[high].node) {
            push(high, 0, 0);
        } else if (!b->d[low].node) {
            push(low, 0, 0);
        } else {
            b->d[top].node = written(b, &b->d[top]);
        }
    }
    return b->d[f].node;
}

bdd bdd_opaque(struct bdds *b, struct node *bit)
{
    return take_apart(b, bit, 0);
}

bool bdd_is_small(struct bdds *b, bdd f, unsigned depth, unsigned size)
{
    unsigned count = 0, base = n_work;
    if (b->d[f].depth > depth)
        return false;
    if (b->d[f].depth < 8) /* under 256 decisions whatever they are */
        return true;
    b->looks++;
    for (push(f, 0, 0); n_work > base && count <= size;) {
        bdd top = work[--n_work].f;
        if (top <= 1 || b->d[top].looked == b->looks)
            continue;
        b->d[top].looked = b->looks;
        count++;
        push(b->d[top].high, 0, 0);
        push(b->d[top].low, 0, 0);
    }
    n_work = base;
    return count <= size;
}

struct graph *bdd_graph(const struct bdds *b)
{
    return b->graph;
}
