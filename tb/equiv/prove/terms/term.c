// SPDX-License-Identifier: Apache-2.0
/*
 * term.c - the table of terms: every node once.
 */
#include "terms/term.h"

#include "terms/arena.h"
#include "terms/bits.h"

#include <stdlib.h>
#include <string.h>

const struct op_info op_info[] = {
#define X(name, kind, smt) {KIND_##kind, smt},
    OPS(X)
#undef X
};

static struct node *nodes;
static uint32_t n_nodes = 1; /* 0 is NO_TERM */
static uint32_t room;
static uint32_t *table;
static uint32_t table_size;

const struct node *node_of(term t)
{
    return &nodes[t];
}

uint32_t width_of(term t)
{
    return nodes[t].width;
}

uint32_t term_count(void)
{
    return n_nodes;
}

uint32_t term_room(uint32_t enough)
{
    while (enough < term_count())
        enough = enough ? 2 * enough : 1 << 16;
    return enough;
}

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

static uint64_t hash(const struct node *n)
{
    uint64_t h = mix((uint64_t)n->op << 32 | n->width, (uint64_t)n->a << 32 | n->b);
    h = mix(h, (uint64_t)n->c << 32 | n->aux);
    for (uint32_t i = 0; n->op == OP_CONST && i < words(n->width); i++)
        h = mix(h, n->bits[i]);
    return h;
}

static bool same(const struct node *x, const struct node *y)
{
    if (x->op != y->op || x->width != y->width || x->a != y->a || x->b != y->b || x->c != y->c ||
        x->aux != y->aux)
        return false;
    return x->op != OP_CONST || memcmp(x->bits, y->bits, words(x->width) * sizeof *x->bits) == 0;
}

static void enlarge(void)
{
    room = room ? 2 * room : 1 << 16;
    nodes = resized(nodes, room * sizeof *nodes);
    free(table);
    table_size = 4 * room;
    table = calloc(table_size, sizeof *table);
    if (!table)
        unsupported("out of memory");
    for (uint32_t i = 1; i < n_nodes; i++) {
        uint32_t at = (uint32_t)hash(&nodes[i]) & (table_size - 1);
        while (table[at])
            at = (at + 1) & (table_size - 1);
        table[at] = i;
    }
}

term term_raw(const struct node *n)
{
    if (n_nodes >= room)
        enlarge();
    uint32_t at = (uint32_t)hash(n) & (table_size - 1);
    while (table[at]) {
        if (n->op != OP_VAR && same(&nodes[table[at]], n))
            return table[at];
        at = (at + 1) & (table_size - 1);
    }
    nodes[n_nodes] = *n;
    if (n->op == OP_CONST) {
        uint64_t *copy = arena(words(n->width) * sizeof *copy);
        nodes[n_nodes].bits = memcpy(copy, n->bits, words(n->width) * sizeof *copy);
    }
    table[at] = n_nodes;
    return n_nodes++;
}

term term_bits(uint32_t width, const uint64_t *bits)
{
    return term_raw(&(struct node){.op = OP_CONST, .width = width, .bits = bits});
}

term term_const(uint32_t width, uint64_t value)
{
    uint64_t few[8] = {value};
    uint64_t *bits = words(width) <= 8 ? few : arena(words(width) * sizeof *bits);
    bits[0] = width < 64 ? value & ((UINT64_C(1) << width) - 1) : value;
    return term_bits(width, bits);
}

term term_ones(uint32_t width)
{
    return term_not(term_const(width, 0));
}

term term_true(void)
{
    return term_const(1, 1);
}

term term_false(void)
{
    return term_const(1, 0);
}

term term_var(const char *name, uint32_t width)
{
    return term_raw(&(struct node){.op = OP_VAR, .width = width, .name = name, .aux = n_nodes});
}

bool is_const(term t)
{
    return nodes[t].op == OP_CONST;
}

bool is_zero(term t)
{
    if (!is_const(t))
        return false;
    for (uint32_t i = 0; i < words(nodes[t].width); i++)
        if (nodes[t].bits[i])
            return false;
    return true;
}

bool is_ones(term t)
{
    return is_const(t) && is_zero(term_not(t));
}

bool const_value(term t, uint64_t *value)
{
    if (!is_const(t))
        return false;
    for (uint32_t i = 1; i < words(nodes[t].width); i++)
        if (nodes[t].bits[i])
            return false;
    *value = nodes[t].bits[0];
    return true;
}
