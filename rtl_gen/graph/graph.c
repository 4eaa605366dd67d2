// SPDX-License-Identifier: Apache-2.0
/*
 * graph.c - the node table: sharing, constants, and what is known of a value's top bits.
 *
 * Nodes are hash-consed: one (op, width, index, arguments) exists once per graph, so common subexpressions are one node,
 * and equality of values is equality of pointers wherever the simplifier could see it. Arguments always have
 * smaller ids than their users; passes walk g->node[] forwards or backwards instead of recursing.
 */
#include "graph/graph.h"
#include "base/budget.h"
#include "base/number.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const struct op_info op_info[N_OPS] = {
#define X(name, args, kind, leaf, ...) {#name, args, KIND_##kind, LEAF_##leaf, __VA_ARGS__},
    OPS(X)
#undef X
};

static unsigned words(unsigned width)
{
    return (width + 63) / 64;
}

const struct leaf *leaf_of(const struct module *m, const struct node *n)
{
    switch (op_info[n->op].leaf) {
    case LEAF_IN:
        return &m->in.leaf[n->index];
    case LEAF_SELF:
        return &m->self.leaf[n->index];
    case LEAF_CHILD:
        return &m->inst[n->index].module->self.leaf[n->sub];
    default:
        return NULL;
    }
}

/* ---- questions about constants ------------------------------------------------------------------ */

static int by_id(const void *a, const void *b)
{
    const struct node *x = *(struct node *const *)a, *y = *(struct node *const *)b;
    return (x->id > y->id) - (x->id < y->id);
}

void sort_nodes(struct node **list, unsigned n)
{
    if (n)
        qsort(list, n, sizeof *list, by_id);
}

void take_name(struct node *n, const struct node *like)
{
    if (!n->name && !n->hint)
        n->scope = like->scope;
    if (!n->name)
        n->name = like->name;
    if (!n->hint)
        n->hint = like->hint;
}

bool is_const(const struct node *n)
{
    return n->op == OP_CONST;
}

bool const_bit(const struct node *n, unsigned bit)
{
    assert(is_const(n) && bit < n->width);
    return n->bits[bit / 64] >> (bit % 64) & 1;
}

uint64_t const_value(const struct node *n)
{
    assert(is_const(n));
    return n->bits[0];
}

bool is_zero(const struct node *n)
{
    return is_const(n) && n->zeros == n->width;
}

bool is_ones(const struct node *n)
{
    return is_const(n) && n->signs == n->width && const_bit(n, 0);
}

bool is_value(const struct node *n, uint64_t value)
{
    return is_const(n) && significant(n) <= 64 && n->bits[0] == value;
}

unsigned significant(const struct node *n)
{
    return n->zeros >= n->width ? 1 : n->width - n->zeros;
}

void constant_last(struct node **a, struct node **b)
{
    if (is_const(*a)) {
        struct node *t = *a;
        *a = *b;
        *b = t;
    }
}

/* ---- known top bits ----------------------------------------------------------------------------- */

static unsigned above(unsigned a, unsigned b)
{
    return a > b ? a - b : 0;
}

static unsigned const_run(const struct node *n, bool bit)
{
    unsigned at = n->width; /* bits below are not looked at yet */
    while (at > 0 && const_bit(n, at - 1) == bit)
        at -= at % 64 == 0 && n->bits[at / 64 - 1] == (bit ? UINT64_MAX : 0) ? 64 : 1;
    return n->width - at;
}

static unsigned concat_zeros(const struct node *n)
{
    unsigned zeros = 0;
    for (unsigned i = 0; i < n->n_args; i++) {
        zeros += n->args[i]->zeros;
        if (n->args[i]->zeros < n->args[i]->width)
            break;
    }
    return zeros;
}

/* The least of the arguments' counts, for bitwise operations. */
static unsigned least(const struct node *n, unsigned first, bool signs)
{
    unsigned least = n->width;
    for (unsigned i = first; i < n->n_args; i++)
        least = smaller(least, signs ? n->args[i]->signs : n->args[i]->zeros);
    return least;
}

static unsigned known_zeros(const struct node *n)
{
    struct node *const *a = n->args;
    switch (n->op) {
    case OP_CONST:
        return const_run(n, false);
    case OP_AND:
        return bigger(a[0]->zeros, a[1]->zeros);
    case OP_OR:
    case OP_XOR:
        return least(n, 0, false);
    case OP_MUX:
        return least(n, 1, false);
    case OP_ADD:
        return above(smaller(a[0]->zeros, a[1]->zeros), 1);
    case OP_MUL:
        return above(n->width, significant(a[0]) + significant(a[1]));
    case OP_UDIV: /* by n bits: n - 1 bits less are left */
        return smaller(n->width, a[0]->zeros + (is_const(a[1]) ? significant(a[1]) - 1 : 0));
    case OP_LSHR:
        return a[0]->zeros;
    case OP_UREM:
        return bigger(a[0]->zeros, a[1]->zeros);
    case OP_SLICE:
        return smaller(n->width, above(n->index + n->width, a[0]->width - a[0]->zeros));
    case OP_CONCAT:
        return concat_zeros(n);
    default:
        return 0;
    }
}

static unsigned known_signs(const struct node *n)
{
    struct node *const *a = n->args;
    switch (n->op) {
    case OP_CONST:
        return const_run(n, const_bit(n, n->width - 1));
    case OP_NOT:
        return a[0]->signs;
    case OP_AND:
    case OP_OR:
    case OP_XOR:
        return bigger(least(n, 0, true), n->zeros);
    case OP_MUX:
        return bigger(least(n, 1, true), n->zeros);
    case OP_ADD:
    case OP_SUB:
        return bigger(above(smaller(a[0]->signs, a[1]->signs), 1), n->zeros);
    case OP_SEXT:
        return n->width - a[0]->width + a[0]->signs;
    case OP_ASHR:
        return a[0]->signs;
    case OP_SLICE:
        return smaller(n->width,
                       bigger(n->zeros, above(a[0]->signs, a[0]->width - n->index - n->width)));
    case OP_CONCAT:
        return bigger(n->zeros, a[0]->signs);
    default:
        return n->zeros;
    }
}

/* ---- interning ------------------------------------------------------------------------------------ */

void graph_init(struct graph *g)
{
    memset(g, 0, sizeof *g);
    g->table_size = 1024;
    g->table = arena(g->table_size * sizeof *g->table);
}

static uint64_t hash(const struct node *n)
{
    uint64_t h = (uint64_t)n->op * 0x9e3779b97f4a7c15u;
#define MIX(v) (h = (h ^ (uint64_t)(v)) * 0xff51afd7ed558ccdu, h ^= h >> 29)
    MIX(n->width);
    MIX(n->index);
    MIX(n->sub);
    for (unsigned i = 0; i < n->n_args; i++)
        MIX(n->args[i]->id);
    for (unsigned i = 0; is_const(n) && i < words(n->width); i++)
        MIX(n->bits[i]);
    if (n->op == OP_CALL)
        MIX((uintptr_t)n->keep);
#undef MIX
    return h;
}

static bool same(const struct node *a, const struct node *b)
{
    if (a->op != b->op || a->width != b->width || a->index != b->index || a->sub != b->sub ||
        a->n_args != b->n_args)
        return false;
    for (unsigned i = 0; i < a->n_args; i++)
        if (a->args[i] != b->args[i])
            return false;
    return is_const(a) ? memcmp(a->bits, b->bits, words(a->width) * sizeof *a->bits) == 0
                       : a->keep == b->keep;
}

static void enlarge(struct graph *g)
{
    g->table_size *= 4;
    g->table = arena(g->table_size * sizeof *g->table);
    for (unsigned i = 0; i < g->n; i++) {
        struct node **slot = &g->table[hash(g->node[i]) & (g->table_size - 1)];
        g->node[i]->chain = *slot;
        *slot = g->node[i];
    }
}

struct node *node_intern(struct graph *g, struct node key)
{
    assert(key.width > 0);
    for (unsigned i = 0; i < key.n_args; i++)
        assert(key.args[i]);
    struct node **slot = &g->table[hash(&key) & (g->table_size - 1)];
    for (struct node *n = *slot; n; n = n->chain)
        if (same(n, &key))
            return n;

    assert(!g->closed);
    struct node *n = arena(sizeof *n);
    *n = key;
    n->id = g->n;
    n->loc = g->here;
    if (key.n_args) {
        n->args = arena(key.n_args * sizeof *n->args);
        memcpy(n->args, key.args, key.n_args * sizeof *n->args);
    }
    if (is_const(n)) {
        n->bits = arena(words(key.width) * sizeof *n->bits);
        memcpy(n->bits, key.bits, words(key.width) * sizeof *n->bits);
    }
    n->unset = n->op == OP_UNDEF;
    for (unsigned i = 0; i < n->n_args; i++)
        n->unset |= n->args[i]->unset;
    n->zeros = known_zeros(n);
    n->signs = bigger(1, known_signs(n));
    n->chain = *slot;
    *slot = n;
    PUSH(g->node, g->n, n);
    budget_steps(g->n);
    if (g->n > g->table_size)
        enlarge(g);
    return n;
}

/* ---- leaves of the graph ------------------------------------------------------------------------- */

struct node *mk_const_bits(struct graph *g, unsigned width, const uint64_t *bit_words)
{
    uint64_t few[16] = {0};
    uint64_t *bits = words(width) <= 16 ? few : scratch(words(width) * sizeof *bits);
    memcpy(bits, bit_words, words(width) * sizeof *bits);
    if (width % 64)
        bits[width / 64] &= (UINT64_C(1) << (width % 64)) - 1;
    return node_intern(g, (struct node){.op = OP_CONST, .width = width, .bits = bits});
}

struct node *mk_const(struct graph *g, unsigned width, uint64_t value)
{
    uint64_t few[16] = {value};
    uint64_t *bits = words(width) <= 16 ? few : scratch(words(width) * sizeof *bits);
    bits[0] = value;
    return mk_const_bits(g, width, bits);
}

struct node *mk_input(struct graph *g, unsigned leaf, unsigned width)
{
    return node_intern(g, (struct node){.op = OP_INPUT, .width = width, .index = leaf});
}

struct node *mk_reg(struct graph *g, unsigned leaf, unsigned width)
{
    return node_intern(g, (struct node){.op = OP_REG, .width = width, .index = leaf});
}

struct node *mk_inst(struct graph *g, enum op op, unsigned inst, unsigned leaf, unsigned width)
{
    assert(op == OP_INST || op == OP_FWD);
    return node_intern(g, (struct node){.op = op, .width = width, .index = inst, .sub = leaf});
}

struct node *mk_binary(struct graph *g, enum op op, unsigned width, struct node *a, struct node *b)
{
    return node_intern(
        g, (struct node){.op = op, .width = width, .n_args = 2, .args = (struct node *[]){a, b}});
}

/* Each mention of something uninitialised is a value of its own: never shared. */
struct node *mk_undef(struct graph *g, unsigned width)
{
    return node_intern(g, (struct node){.op = OP_UNDEF, .width = width, .index = g->n});
}
