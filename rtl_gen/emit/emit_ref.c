// SPDX-License-Identifier: Apache-2.0
/*
 * emit_ref.c - what an expression is made of in the end: constants, and names of nets with a range of bits.
 */
#include <assert.h>

#include "emit/emit.h"
#include "graph/graph.h"

char *range(unsigned width)
{
    return width == 1 ? "" : format("[%u:0] ", width - 1);
}

char *part(const char *net, unsigned total, unsigned low, unsigned width)
{
    if (width == total)
        return format("%s", net);
    if (width == 1)
        return format("%s[%u]", net, low);
    return format("%s[%u:%u]", net, low + width - 1, low);
}

static bool bit(const uint64_t *k, unsigned i)
{
    return k[i / 64] >> (i % 64) & 1;
}

static uint64_t bits_at(const uint64_t *k, unsigned low, unsigned width)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < width; i++)
        v |= (uint64_t)bit(k, low + i) << i;
    return v;
}

/* Bits low.. of a constant, at most 64 of them. */
static char *small_constant(const uint64_t *k, unsigned low, unsigned width)
{
    uint64_t v = bits_at(k, low, width);
    if (width > 8 && v == (width == 64 ? ~0ull : (1ull << width) - 1))
        return format("{%u{1'b1}}", width);
    if (v < 1000)
        return format(width == 1 ? "%u'b%llu" : "%u'd%llu", width, (unsigned long long)v);
    return format("%u'h%llx", width, (unsigned long long)v);
}

static bool repeats(const uint64_t *k, unsigned low, unsigned width, unsigned element)
{
    for (unsigned i = element; i < width; i++)
        if (bit(k, low + i) != bit(k, low + i - element))
            return false;
    return true;
}

/* Bits up to the highest one. */
static unsigned significant_bits(const uint64_t *k, unsigned low, unsigned width)
{
    while (width && !bit(k, low + width - 1))
        width--;
    return width;
}

static char *wide_constant(const uint64_t *k, unsigned low, unsigned width)
{
    if (width <= 64)
        return small_constant(k, low, width);
    if (repeats(k, low, width, 1))
        return bit(k, low) ? format("{%u{1'b1}}", width) : format("%u'd0", width);
    struct text t = {0};
    unsigned used = significant_bits(k, low, width);
    if (used <= 9)
        return format("%u'd%llu", width, (unsigned long long)bits_at(k, low, 9));
    put(&t, "%u'h", width);
    for (unsigned i = (used + 3) / 4; i-- > 0;)
        put(&t, "%llx",
            (unsigned long long)bits_at(k, low + 4 * i, width - 4 * i < 4 ? width - 4 * i : 4));
    return t.s;
}

char *literal(unsigned width, const uint64_t *k, unsigned element)
{
    assert(element > 0);
    if (repeats(k, 0, width, 1) && !bit(k, 0))
        return format(width == 1 ? "%u'b0" : "%u'd0", width);
    if (width == element && significant_bits(k, 0, width) <= 256)
        return wide_constant(k, 0, width);
    if (width == element)
        element = 256;
    else if (repeats(k, 0, width, element))
        return format("{%u{%s}}", width / element, wide_constant(k, 0, element));
    struct text t = {0};
    for (unsigned end = width; end > 0;) {
        unsigned size = end % element ? end % element : element;
        put(&t, "%s%s", end == width ? "{" : COMMA, wide_constant(k, end - size, size));
        end -= size;
    }
    put(&t, "}");
    return t.s;
}

char *constant(const struct node *n)
{
    return literal(n->width, n->bits, n->width);
}
