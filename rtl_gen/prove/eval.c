// SPDX-License-Identifier: Apache-2.0
/*
 * eval.c - terms evaluated on random values.
 */
#include "eval.h"

#include "arena.h"
#include "bits.h"

#include <stdlib.h>
#include <string.h>

enum { VECTORS = 192 };

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

void eval_mark(bool *used)
{
    for (term t = term_count() - 1; t > 0; t--) {
        const struct node *n = node_of(t);
        if (used[t] && n->op != OP_VAR && n->op != OP_CONST)
            used[n->a] = used[n->b] = used[n->c] = true;
    }
    used[NO_TERM] = false;
}

/* Bits that depend on the seed only; every fourth word is zero, every fourth sparse. */
static void random_bits(uint32_t width, uint64_t *r, uint64_t seed)
{
    unsigned kind = mix(seed) & 3;
    for (uint32_t i = 0; i < words(width); i++) {
        uint64_t x = mix(seed + 17 * i + 1), y = mix(x + 99);
        r[i] = kind == 0 ? 0 : kind == 1 ? x & y & mix(y) : x;
    }
    if (width % 64)
        r[words(width) - 1] &= (UINT64_C(1) << (width % 64)) - 1;
}

/* r has a word to spare. */
static void concat(const struct node *n, uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    uint32_t low = width_of(n->b);
    memset(r, 0, (words(n->width) + 1) * sizeof *r);
    bits_insert(r, 0, b, low);
    bits_insert(r, low, a, width_of(n->a));
}

static void sign_extend(const struct node *n, uint64_t *r, const uint64_t *a)
{
    uint32_t from = width_of(n->a);
    bool sign = bit_of(a, from - 1);
    bits_slice(n->width, r, a, from, 0);
    for (uint32_t i = from; sign && i < n->width; i++)
        r[i / 64] |= UINT64_C(1) << (i % 64);
}

static void select_word(const struct node *n, uint64_t *r, const uint64_t *a, uint64_t vector)
{
    uint64_t seed = mix(vector * 1000003 + n->aux);
    for (uint32_t i = 0; i < words(width_of(n->a)); i++)
        seed = mix(seed + a[i]);
    random_bits(n->width, r, seed);
}

static void evaluate(term t, uint64_t *const *value, uint64_t vector)
{
    const struct node *n = node_of(t);
    uint64_t *r = value[t];
    const uint64_t *a = value[n->a], *b = value[n->b];
    switch (n->op) {
    case OP_CONST:
        memcpy(r, n->bits, words(n->width) * sizeof *r);
        break;
    case OP_VAR:
        random_bits(n->width, r, mix(vector << 32 | t));
        break;
    case OP_SELECT:
        select_word(n, r, a, vector);
        break;
    case OP_EQ:
    case OP_ULT:
    case OP_SLT:
        r[0] = bits_compare(n->op, width_of(n->a), a, b);
        break;
    case OP_ITE:
        memcpy(r, a[0] ? b : value[n->c], words(n->width) * sizeof *r);
        break;
    case OP_CONCAT:
        concat(n, r, a, b);
        break;
    case OP_EXTRACT:
        bits_slice(n->width, r, a, width_of(n->a), n->aux);
        break;
    case OP_SEXT:
        sign_extend(n, r, a);
        break;
    default:
        bits_apply(n->op, n->width, r, a, b, n->b ? width_of(n->b) : 0);
    }
}

static uint64_t add_to(uint64_t signature, uint64_t word, uint64_t vector)
{
    return mix(signature * 31 + word + vector);
}

bool eval_is_constant(uint64_t signature, uint32_t width)
{
    uint64_t zeros = 0, ones = 0;
    for (uint64_t vector = 1; vector <= VECTORS; vector++) {
        for (uint32_t i = 0; i < words(width); i++)
            zeros = add_to(zeros, 0, vector);
        ones = add_to(ones, 1, vector);
    }
    return signature == zeros || (width == 1 && signature == ones);
}

void eval_signatures(const bool *used, uint64_t *signature)
{
    uint32_t count = term_count();
    uint64_t **value = calloc(count, sizeof *value);
    if (!value)
        unsupported("out of memory");
    for (term t = 1; t < count; t++)
        if (used[t])
            value[t] = arena((words(node_of(t)->width) + 1) * sizeof **value);
    memset(signature, 0, count * sizeof *signature);
    for (uint64_t vector = 1; vector <= VECTORS; vector++)
        for (term t = 1; t < count; t++) {
            if (!used[t])
                continue;
            evaluate(t, value, vector);
            for (uint32_t i = 0; i < words(node_of(t)->width); i++)
                signature[t] = add_to(signature[t], value[t][i], vector);
        }
    free(value);
}
