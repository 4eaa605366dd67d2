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

static uint64_t const_bits(const struct node *n, unsigned low, unsigned width)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < width; i++)
        v |= (uint64_t)const_bit(n, low + i) << i;
    return v;
}

/* Bits low.. of a constant, at most 64 of them. */
static char *small_constant(const struct node *n, unsigned low, unsigned width)
{
    uint64_t v = const_bits(n, low, width);
    if (width > 8 && v == (width == 64 ? ~0ull : (1ull << width) - 1))
        return format("{%u{1'b1}}", width);
    if (v < 1000)
        return format(width == 1 ? "%u'b%llu" : "%u'd%llu", width, (unsigned long long)v);
    return format("%u'h%llx", width, (unsigned long long)v);
}

static bool repeats(const struct node *n, unsigned low, unsigned width, unsigned element)
{
    for (unsigned i = element; i < width; i++)
        if (const_bit(n, low + i) != const_bit(n, low + i - element))
            return false;
    return true;
}

/* Bits up to the highest one. */
static unsigned significant_bits(const struct node *n, unsigned low, unsigned width)
{
    while (width && !const_bit(n, low + width - 1))
        width--;
    return width;
}

static char *wide_constant(const struct node *n, unsigned low, unsigned width)
{
    if (width <= 64)
        return small_constant(n, low, width);
    if (repeats(n, low, width, 1))
        return const_bit(n, low) ? format("{%u{1'b1}}", width) : format("%u'd0", width);
    struct text t = {0};
    unsigned used = significant_bits(n, low, width);
    if (used <= 9)
        return format("%u'd%llu", width, (unsigned long long)const_bits(n, low, 9));
    put(&t, "%u'h", width);
    for (unsigned i = (used + 3) / 4; i-- > 0;)
        put(&t, "%llx",
            (unsigned long long)const_bits(n, low + 4 * i, width - 4 * i < 4 ? width - 4 * i : 4));
    return t.s;
}

char *constant(unsigned width, const struct node *n, unsigned element)
{
    assert(element > 0);
    if (repeats(n, 0, width, 1) && !const_bit(n, 0))
        return format(width == 1 ? "%u'b0" : "%u'd0", width);
    if (width == element && significant_bits(n, 0, width) <= 256)
        return wide_constant(n, 0, width);
    if (width == element)
        element = 256;
    else if (repeats(n, 0, width, element))
        return format("{%u{%s}}", width / element, wide_constant(n, 0, element));
    struct text t = {0};
    for (unsigned end = width; end > 0;) {
        unsigned size = end % element ? end % element : element;
        put(&t, "%s%s", end == width ? "{" : COMMA, wide_constant(n, end - size, size));
        end -= size;
    }
    put(&t, "}");
    return t.s;
}
