// SPDX-License-Identifier: Apache-2.0
/*
 * eval.c - terms evaluated on random values.
 */
#include "terms/eval.h"

#include "terms/arena.h"
#include "terms/bits.h"

#include <stdlib.h>
#include <string.h>

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

/* Bits that depend on the seed only: all zero, few ones, a single one, few zeros, or any. */
static void random_bits(uint32_t width, uint64_t *r, uint64_t seed)
{
    unsigned kind = mix(seed) & 7;
    uint64_t single = mix(seed + 5) % width;
    for (uint32_t i = 0; i < words(width); i++) {
        uint64_t x = mix(seed + 17 * i + 1), y = mix(x + 99), few = x & y & mix(y);
        uint64_t one = single / 64 == i ? UINT64_C(1) << single % 64 : 0;
        r[i] = kind == 0 ? 0 : kind == 1 ? few : kind == 2 ? one : kind == 3 ? ~few : x;
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

static const uint64_t *given_to(const struct eval *e, term t)
{
    for (unsigned i = 0; i < e->n_given; i++)
        if (e->given[i].t == t)
            return e->given[i].bits;
    return NULL;
}

/* A symbol; in some assignments those of one width have few values among them. */
static void symbol(const struct eval *e, const struct node *n, term t, bool near)
{
    uint64_t *r = e->value[t], among = mix(e->assignments) % 3 == 0 ? mix(t) % 3 : t;
    const uint64_t *given = given_to(e, t);
    if (!given) {
        random_bits(n->width, r, mix(e->assignments << 32 | among));
        return;
    }
    random_bits(n->width, r, mix(e->assignments << 32 | t));
    for (uint32_t i = 0; i < words(n->width); i++)
        r[i] = given[i] ^ (near ? r[i] & mix(e->assignments + t) & mix(e->assignments * t) : 0);
}

/* What was read at this address of the memory, else random by address. */
static void select_word(const struct eval *e, const struct node *n, uint64_t *r, const uint64_t *a)
{
    uint32_t size = words(width_of(n->a));
    for (unsigned i = 0; i < e->n_given; i++) {
        const struct node *s = node_of(e->given[i].t);
        const uint64_t *at = s->op == OP_SELECT && s->aux == n->aux ? given_to(e, s->a) : NULL;
        if (at && memcmp(at, a, size * sizeof *at) == 0) {
            memcpy(r, e->given[i].bits, words(n->width) * sizeof *r);
            return;
        }
    }
    uint64_t seed = mix(e->assignments * 1000003 + n->aux);
    for (uint32_t i = 0; i < size; i++)
        seed = mix(seed + a[i]);
    random_bits(n->width, r, seed);
}

static void evaluate(const struct eval *e, term t, bool near)
{
    const struct node *n = node_of(t);
    uint64_t *r = e->value[t];
    const uint64_t *a = e->value[n->a], *b = e->value[n->b];
    if (op_info[n->op].kind == KIND_TEST) {
        r[0] = bits_compare(n->op, width_of(n->a), a, b);
        return;
    }
    switch (n->op) {
    case OP_CONST:
        memcpy(r, n->bits, words(n->width) * sizeof *r);
        break;
    case OP_VAR:
        symbol(e, n, t, near);
        break;
    case OP_SELECT:
        select_word(e, n, r, a);
        break;
    case OP_ITE:
        memcpy(r, a[0] ? b : e->value[n->c], words(n->width) * sizeof *r);
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

static void *zeroed(size_t n, size_t size)
{
    void *p = calloc(n, size);
    if (!p)
        unsupported("out of memory");
    return p;
}

void eval_start(struct eval *e, const bool *used)
{
    *e = (struct eval){.count = term_count(), .used = used};
    e->value = zeroed(e->count, sizeof *e->value);
    e->signature = zeroed(e->count, sizeof *e->signature);
    e->phase = zeroed(e->count, sizeof *e->phase);
    for (term t = 1; t < e->count; t++)
        if (used[t])
            e->value[t] = arena((words(node_of(t)->width) + 1) * sizeof **e->value);
}

void eval_more(struct eval *e, const struct value_of *given, unsigned n_given, bool near)
{
    e->given = given;
    e->n_given = n_given;
    for (term t = 1; t < e->count; t++) {
        if (!e->used[t])
            continue;
        evaluate(e, t, near);
        if (e->assignments == 0 && node_of(t)->width == 1)
            e->phase[t] = e->value[t][0];
        for (uint32_t i = 0; i < words(node_of(t)->width); i++)
            e->signature[t] = mix(e->signature[t] * 31 + (e->value[t][i] ^ e->phase[t]) + i);
    }
    e->assignments++;
}
