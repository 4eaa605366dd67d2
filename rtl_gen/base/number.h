// SPDX-License-Identifier: Apache-2.0
/*
 * number.h - small arithmetic on widths and counts.
 */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdint.h>

static inline unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static inline unsigned bigger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* Bits that a value takes, at least 1: 1 for 0 and 1, 2 for 2 and 3. So many index a vector of value + 1 elements. */
static inline unsigned bits_to_hold(uint64_t value)
{
    return value ? 64 - (unsigned)__builtin_clzll(value) : 1;
}

/* The logarithm to base 2, rounded up: 0 for 1, 2 for 3 and 4. */
static inline unsigned log2_up(unsigned n)
{
    return n > 1 ? bits_to_hold(n - 1) : 0;
}

#endif
