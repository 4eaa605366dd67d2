// SPDX-License-Identifier: Apache-2.0
/*
 * number.h - small arithmetic on widths and counts, and numbers that come as text.
 */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdbool.h>
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

/* A number up to `most`, in decimal digits and nothing else; false if the text is no such number. */
static inline bool read_number(const char *text, uint64_t most, uint64_t *n)
{
    const char *c = text;
    for (*n = 0; *c >= '0' && *c <= '9'; c++) {
        const uint64_t digit = (uint64_t)(*c - '0');
        if (digit > most || *n > (most - digit) / 10)
            return false;
        *n = 10 * *n + digit;
    }
    return c > text && !*c;
}

#endif
